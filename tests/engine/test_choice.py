"""Choices: random where they say so and only there, repeatable with a seed, and traps counted rightly."""

from collections import Counter
from collections.abc import Callable

import pytest

from service.engine.choice import RATES, TIE_BREAKS, Difficulty, PositionSearch, Rng, best_lines, choose
from service.engine.position import Position
from service.engine.score import Scoring
from service.engine.search import Line, Search, best_line, every_line
from service.engine.transposition_table import transposition_table
from tests import golden, referee
from tests.engine.positions import EVERY_POSITION

EMPTY = Position.parse(".........")
TWO_LINES = [Line(0, (0,)), Line(0, (1,))]
UNFINISHED = [position for position in EVERY_POSITION if position.legal_moves]


def position_search(position: Position, scoring: Scoring = "distance", depth: int = 9) -> PositionSearch:
    """Return the quickest search of a position."""
    return PositionSearch(transposition_table, Search(scoring), position, depth)


def draws(position: Position, seed: int | None) -> tuple[bool, ...]:
    """Return 64 tosses of a coin, which are all alike once in 2 ** 64 times."""
    rng = Rng(position, seed)
    return tuple(rng.happens(0.5) for _ in range(64))


def test_a_seed_repeats_its_chance() -> None:
    """The same seed draws alike on the same position, and otherwise on another or with another side to move."""
    drawn = {
        (seed, position): [draws(position, seed) for _ in range(2)]
        for seed in (0, 1, 2**53 - 1)
        for position in (EMPTY, Position.parse(".........", "O"), Position.parse("X........"))
    }
    assert all(first == second for first, second in drawn.values())
    assert len({first for first, _ in drawn.values()}) == len(drawn)


def test_without_a_seed_chance_is_new_each_time() -> None:
    """Without a seed two draws differ."""
    assert len({draws(EMPTY, None) for _ in range(10)}) == 10


@pytest.mark.parametrize("seed", [None, 0, 7])
def test_only_a_draw_without_a_seed_cannot_be_repeated(seed: int | None) -> None:
    """What never happens and what has no alternative draw nothing; whatever else does, repeatable with a seed."""
    rng = Rng(EMPTY, seed)
    assert not rng.happens(0.0)
    assert rng.choice(TWO_LINES[:1]) is TWO_LINES[0]
    assert rng.repeatable
    draws_something: list[Callable[[Rng], object]] = [lambda rng: rng.happens(1.0), lambda rng: rng.choice(TWO_LINES)]
    for draw in draws_something:
        rng = Rng(EMPTY, seed)
        assert draw(rng)
        assert rng.repeatable is (seed is not None)


def test_the_rates_rise_as_the_level_falls() -> None:
    """The perfect level never draws a move, and each easier one does so more often."""
    rates = list(RATES.values())
    assert list(RATES) == ["perfect", "hard", "medium", "easy"]
    assert rates[0] == 0
    assert rates == sorted(set(rates))


@pytest.mark.parametrize("scoring", ["distance", "outcome"])
def test_the_best_lines_are_exactly_the_best(scoring: Scoring) -> None:
    """On every position the best lines begin with the moves whose grade is the referee's best, by cell."""
    for position in EVERY_POSITION:
        grades = referee.grade_of_moves(position.board, position.to_move, 9, counts_plies=scoring == "distance")
        best = max(grades.values(), default=None)
        lines = best_lines(every_line(transposition_table, Search(scoring), position, 9))
        assert [line.moves[0] for line in lines] == [move for move in grades if grades[move] == best]


@pytest.mark.parametrize("depth", [1, 2, 3, 4, 9])
def test_mistakes_are_the_replies_that_throw_something_away(depth: int) -> None:
    """After many a move, the replies counted are those that are worse than the best, to the depth that is left."""
    for position in UNFINISHED[::4]:
        for move in position.legal_moves:
            after, opponent = referee.play(position.board, position.to_move, move), referee.opponent(position.to_move)
            replies = referee.grade_of_moves(after, opponent, depth - 1, counts_plies=False) if depth > 1 else {}
            results = Counter(result for result, _ in replies.values())
            expected = len(replies) - results[max(results)] if results else 0
            assert position_search(position, depth=depth).mistakes(move) == expected


def test_the_published_traps_are_counted() -> None:
    """After X's corner seven of O's eight replies lose, after the center or an edge four do."""
    assert {move: position_search(EMPTY).mistakes(move) for move in range(9)} == golden.LOSING_REPLIES


def test_a_search_of_one_ply_sees_no_mistake() -> None:
    """A reply to what lies at the horizon is not searched: no node is visited for it."""
    search = Search("distance")
    assert PositionSearch(transposition_table, search, Position.parse("XX.O....."), 1).mistakes(2) == 0
    assert search.nodes == 0


@pytest.mark.parametrize("tie_break", TIE_BREAKS)
def test_a_tie_break_chooses_one_of_the_best(tie_break: str) -> None:
    """Whatever its name, a tie-break returns one of the lines that it is given, with the mistakes if it counts them."""
    for seed, position in enumerate(UNFINISHED[::20]):
        look = position_search(position)
        lines = best_lines(look.every_line())
        line, mistakes = TIE_BREAKS[tie_break](lines, Rng(position, seed), look)
        assert line in lines
        assert mistakes == (look.mistakes(line.moves[0]) if tie_break == "trap" else 0)


def test_a_trap_is_the_most_mistakes_and_then_the_lowest_cell() -> None:
    """Of the best lines none can be answered wrongly more often, and of those that can be as often it is the first."""
    for position in UNFINISHED[::20]:
        look = position_search(position)
        lines = best_lines(look.every_line())
        counts = [look.mistakes(line.moves[0]) for line in lines]
        line, _ = TIE_BREAKS["trap"](lines, Rng(position, None), look)
        assert line == lines[counts.index(max(counts))]


@pytest.mark.parametrize("difficulty", RATES)
@pytest.mark.parametrize("tie_break", TIE_BREAKS)
def test_a_finished_board_leaves_no_choice(difficulty: Difficulty, tie_break: str) -> None:
    """On a finished board the line is empty, a single node is visited, and nothing is drawn."""
    for position in (Position.parse("XXXOO...."), Position.parse("XXOOOXXOX")):
        search, rng = Search("distance"), Rng(position, None)
        look = PositionSearch(transposition_table, search, position, 9)
        choice = choose(look, rng, difficulty, tie_break, every=True)
        assert choice.line == choice.lines[0] == best_line(transposition_table, Search("distance"), position, 9)
        assert (choice.line.moves, search.nodes, rng.repeatable) == ((), 1, True)


@pytest.mark.parametrize("difficulty", RATES)
def test_a_level_that_does_not_draw_searches_what_the_perfect_one_does(difficulty: Difficulty) -> None:
    """Where no move is drawn, the line and the nodes are the perfect level's; where one is, every move is searched."""
    position = Position.parse("X...O....")
    perfect, every = Search("distance"), Search("distance")
    best = best_line(transposition_table, perfect, position, 9)
    every_line(transposition_table, every, position, 9)
    assert perfect.nodes < every.nodes
    for seed in range(100):
        search = Search("distance")
        look = PositionSearch(transposition_table, search, position, 9)
        choice = choose(look, Rng(position, seed), difficulty, "first", every=False)
        if Rng(position, seed).happens(RATES[difficulty]):
            assert search.nodes == every.nodes
        else:
            assert (choice.line, search.nodes) == (best, perfect.nodes)
