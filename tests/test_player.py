"""The review of a player: it finds every loss, and its numbers are those of other programs."""

import json
from collections import Counter
from dataclasses import asdict
from fractions import Fraction
from functools import cache
from itertools import product
from math import nan
from random import Random
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from best_move.engine.position import Mark, Position, other
from best_move.engine.question import Difficulty
from best_move.oracle import Game, review
from best_move.player import GameCounts, InvalidPlayerError, Verdict, review_player
from tests.programs import levels
from tests.tables import table
from tests.truth import golden, referee
from tests.truth.players import (
    SIDES,
    Frequencies,
    Moves,
    boards,
    may_play,
    met,
    own,
    perfect,
    possible_games,
    random_frequencies,
    random_player,
    review_of,
    rule_follower,
    swapped,
    to_move,
)

OUTCOMES = {1: "win", 0: "draw", -1: "loss"}


def assert_lost(review: Verdict, side: Mark, player: Moves | Frequencies) -> str:
    """Assert that the lost game is possible and lost; return its final board."""
    assert review.lost_game
    board = "." * 9
    for cell in review.lost_game:
        assert cell in referee.moves(board)
        if to_move(board) == side:
            assert may_play(player[board], cell)
        board = referee.play(board, to_move(board), cell)
    assert referee.has_won(board, referee.opponent(side))
    return board


def test_a_review_is_hashable() -> None:
    """Equal reviews are one element of a set, because all their parts are frozen."""
    one, other = (review_of("O", rule_follower((0, 2, 6, 8))) for _ in range(2))
    assert one.mistakes
    assert len({one, other}) == 1


@pytest.mark.parametrize(("side", "rounds"), [("X", 5), ("O", 4)])
def test_boards_whose_move_is_missing_are_returned_by_ply(side: Mark, rounds: int) -> None:
    """Each round returns the boards of one ply that a perfect player can meet, in order."""
    moves: Moves = {}
    for ply in range(side == "O", 2 * rounds, 2):
        found = review_player(side, moves)
        assert (found.complete, found.review) == (False, None)
        assert {board.count(".") for board in found.boards} == {9 - ply}
        assert list(found.boards) == sorted(set(found.boards) - set(moves))
        moves |= {board: perfect()[board] for board in found.boards}
    found = review_player(side, moves)
    assert (found.complete, found.boards, len(moves)) == (True, (), golden.MET_BY_PERFECT[side])
    assert set(moves) == met(side, perfect())
    assert found == review_player(side, own(side, perfect())), (
        "boards that it cannot meet change nothing"
    )


def test_every_losing_move_makes_a_player_beatable() -> None:
    """Of the 835 players with one losing move, every fourth loses the game of its review."""
    losing = []
    for side in SIDES:
        for board in sorted(met(side, perfect())):
            grades = referee.grade_of_moves(board, side, 9, counts_plies=True)
            losing += [(side, board, cell) for cell, (outcome, _) in grades.items() if outcome < 0]
    assert len(losing) == golden.LOSING_MOVES
    for side, board, cell in losing[::4]:
        moves = own(side, perfect()) | {board: cell}
        review = review_of(side, moves)
        assert not review.unbeatable
        assert_lost(review, side, moves)
        assert (review.mistakes[0].board, review.mistakes[0].move) == (board, cell)


@pytest.mark.parametrize(
    ("moves", "games"),
    [(rule_follower((0, 2, 6, 8)), golden.GAMES_BY_RULES), (perfect(), golden.GAMES_OF_PERFECT)],
    ids=["rules", "perfect"],
)
def test_reviews_reproduce_the_published_counts(moves: Moves, games: tuple[int, int, int]) -> None:
    """Over all games on both sides, the numbers of results are the published counts."""
    first, second = (review_of(side, moves).games for side in SIDES)
    assert (first.won + second.won, first.drawn + second.drawn, first.lost + second.lost) == games


def test_random_players_are_reviewed_exactly() -> None:
    """For 40 random players, all numbers are those of programs written from the rules."""
    for seed in range(40):
        side, moves = SIDES[seed % 2], random_player(seed)
        review = review_of(side, {board: moves[board] for board in met(side, moves)})
        check_games(review, side, moves)
        odds = review.against_random
        exact = levels.results(player_of(moves), levels.random_moves, side)
        assert (odds.win, odds.draw, odds.loss) == tuple(map(float, exact))


@pytest.mark.parametrize("side", SIDES)
def test_mistakes_are_those_of_the_review_of_a_game(side: Mark) -> None:
    """A player's mistakes are its moves that the review of a game, which is tested, judges so."""
    fields = ("move", "outcome", "best_outcome", "best_moves", "missed")
    for moves in (perfect(), *map(random_player, range(10))):
        expected = {}
        for board in met(side, moves):
            (judged,) = review(Game(Position.parse(board, side), [moves[board]])).moves
            if judged.mistake:
                expected[board] = [getattr(judged, name) for name in fields]
        found = review_of(side, moves).mistakes
        assert len(found) == len(expected)
        assert {each.board: [getattr(each, name) for name in fields] for each in found} == expected


def perfect_replies(board: str, side: str) -> list[int]:
    """Return the moves that keep the outcome of best play."""
    grades = referee.grade_of_moves(board, side, 9, counts_plies=False)
    return [cell for cell in grades if grades[cell] == max(grades.values())]


@pytest.mark.parametrize("side", SIDES)
def test_the_result_against_perfect_play_is_the_worst_possible_result(side: Mark) -> None:
    """`against_perfect` is the worst result against opponents that make no mistakes."""
    some, moves_drawn = sorted(met(side, perfect()))[::4], random_player(0)
    changed = [perfect() | {board: moves_drawn[board]} for board in some]
    results = set()
    for moves in [*changed, *map(random_player, range(10))]:
        review = review_of(side, moves)
        expected = levels.expectation(player_of(moves), perfect_replies, side, (-1, 0, 1))
        assert review.against_perfect == OUTCOMES[-int(expected(levels.EMPTY, "X"))]
        results.add((review.unbeatable, review.against_perfect))
    assert results == {(True, "draw"), (False, "draw"), (False, "loss")}


@pytest.mark.parametrize("side", SIDES)
def test_no_tie_break_exceeds_the_limit_of_safe_play(side: Mark) -> None:
    """The limit is golden, and `best_odds` reaches it."""
    for tie_break in ("first", "trap", "best_odds"):
        best = levels.TIE_BREAKS[tie_break]
        moves = {board: best(board, to_move(board))[0] for board in boards()}
        odds = review_of(side, moves).against_random
        assert (odds.limit, odds.loss) == (float(golden.LIMITS[side]), 0)
        assert odds.win == odds.limit if tie_break == "best_odds" else odds.win <= odds.limit


@pytest.mark.parametrize("level", get_args(Difficulty))
@pytest.mark.parametrize("side", SIDES)
def test_the_levels_lose_as_much_as_published_to_a_best_response(
    level: Difficulty, side: Mark
) -> None:
    """The worst loss and the exploitability of each level are golden."""
    player = levels.oracle(level, "random" if level == "perfect" else "first")
    frequencies = {}
    for board in boards():
        chances = player(board, to_move(board))
        frequencies[board] = [float(chances.get(cell, 0)) for cell in range(9)]
    review = review_of(side, {}, frequencies)
    expected = golden.BEST_RESPONSES[level, side]
    assert (review.worst_loss, review.exploitability) == pytest.approx(
        tuple(map(float, expected)), abs=1e-9
    )
    assert (review.unbeatable, review.against_perfect) == (
        (True, "draw") if level == "perfect" else (False, "loss")
    )


@pytest.mark.parametrize("side", SIDES)
def test_a_player_gets_the_same_review_by_moves_and_by_frequencies(side: Mark) -> None:
    """A player gets the same review by moves, by frequencies, and by both."""
    for moves in (perfect(), *map(random_player, range(10))):
        review = review_of(side, moves)
        frequencies = {
            board: [0.1 * (cell == move) for cell in range(9)] for board, move in moves.items()
        }
        assert review_of(side, {}, frequencies) == review
        half = dict([*frequencies.items()][::2])
        assert (
            review_of(side, {board: moves[board] for board in moves if board not in half}, half)
            == review
        )
        assert review.worst_loss == (not review.unbeatable)
        assert {mistake.chance for mistake in review.mistakes} <= {1}


@pytest.mark.parametrize("side", SIDES)
def test_a_player_that_plays_to_lose_is_lost_for_certain(side: Mark) -> None:
    """Both numbers are at most 1, though the sums of rounded chances may exceed 1."""
    frequencies = {}
    for board in boards():
        grades = referee.grade_of_moves(board, to_move(board), 9, counts_plies=False)
        worst = min(grades.values())
        frequencies[board] = [int(grades.get(cell) == worst) for cell in range(9)]
    review = review_of(side, {}, frequencies)
    for number in (review.worst_loss, review.exploitability):
        assert 1 - 1e-9 <= number <= 1


def player_of(entries: Moves | Frequencies) -> levels.Player:
    """Return a player for `levels` with these moves or frequencies; X moves first."""

    @cache
    def player(board: str, _: str) -> dict[int, Fraction]:
        entry = entries[board]
        if isinstance(entry, int):
            return {entry: Fraction(1)}
        total = sum(map(Fraction, entry))
        return {cell: Fraction(number) / total for cell, number in enumerate(entry) if number}

    return player


def check_probabilities(review: Verdict, side: Mark, player: levels.Player) -> None:
    """Assert that the probabilities of a review are those that `levels` computes."""
    loss = levels.best_response(player, side, (0, 0, 1))(levels.EMPTY, "X")
    payoff = levels.best_response(player, side, (-1, 0, 1))(levels.EMPTY, "X")
    assert review.worst_loss == pytest.approx(float(loss))
    assert review.exploitability == pytest.approx(float(payoff))
    odds = review.against_random
    exact = levels.results(player, levels.random_moves, side)
    assert (odds.win, odds.draw, odds.loss) == pytest.approx(tuple(map(float, exact)))


def check_games(review: Verdict, side: Mark, player: Moves | Frequencies) -> None:
    """Assert that the counts of a review and its lost game are those of all possible games."""
    counts: Counter[str] = Counter()
    lost = []
    for board, games in possible_games(side, player).items():
        if referee.has_won(board, side):
            counts["won"] += games
        elif referee.has_won(board, referee.opponent(side)):
            counts["lost"] += games
            lost.append(board)
        elif "." not in board:
            counts["drawn"] += games
    assert review.games == GameCounts(counts["won"], counts["drawn"], counts["lost"])
    assert review.unbeatable == (not lost)
    if lost:
        end = assert_lost(review, side, player)
        assert end.count(".") == max(board.count(".") for board in lost)


def mistakes_of(
    side: Mark, frequencies: Frequencies, player: levels.Player
) -> dict[tuple[str, int], float]:
    """Return the chance of each mistake of a player, by board and cell."""
    mistakes = {}
    for board in possible_games(side, frequencies):
        if to_move(board) == side and not referee.is_over(board):
            grades = referee.grade_of_moves(board, side, 9, counts_plies=False)
            for cell, chance in player(board, side).items():
                if grades[cell] < max(grades.values()):
                    mistakes[board, cell] = float(chance)
    return mistakes


def separated(frequencies: Frequencies) -> tuple[Moves, Frequencies]:
    """Return the cells of boards on which a player always plays the same, and the others."""
    moves = {}
    others = {}
    for board, numbers in frequencies.items():
        if numbers.count(0) == 8:
            moves[board] = numbers.index(max(numbers))
        else:
            others[board] = numbers
    return moves, others


@settings(max_examples=6, deadline=None, database=None)
@given(
    seed=st.integers(0, 10**9), rate=st.sampled_from([0, 0.5, 0.95]), side=st.sampled_from(SIDES)
)
def test_players_that_choose_at_random_are_reviewed_exactly(
    seed: int, rate: float, side: Mark
) -> None:
    """Probabilities, counts and mistakes are those of programs written from the rules."""
    frequencies = random_frequencies(seed, rate)
    review = review_of(side, *separated(frequencies))
    player = player_of(frequencies)
    check_probabilities(review, side, player)
    check_games(review, side, frequencies)
    found = {(mistake.board, mistake.move): mistake.chance for mistake in review.mistakes}
    assert found == pytest.approx(mistakes_of(side, frequencies, player))
    assert len(review.mistakes) == len(found)


@pytest.mark.parametrize("side", SIDES)
def test_the_chance_of_a_mistake_is_the_probability_that_was_sent(side: Mark) -> None:
    """A sum of probabilities that is 1 only up to rounding adds no digits to them."""
    rng = Random(1)  # noqa: S311, a game
    frequencies = {}
    for board, cells in boards().items():
        hundredths = Counter(rng.choices(cells, k=100))
        frequencies[board] = [hundredths[cell] / 100 for cell in range(9)]
    mistakes = review_of(side, {}, frequencies).mistakes
    assert mistakes
    for mistake in mistakes:
        assert mistake.chance == frequencies[mistake.board][mistake.move]


@pytest.mark.parametrize("side", SIDES)
def test_the_player_of_games_that_o_starts_is_reviewed(side: Mark) -> None:
    """Whether it is complete or not, the review is that of X's games with swapped letters."""
    frequencies = own(side, random_frequencies(7, 0.8))
    first = [*frequencies][-1]
    for known in (frequencies, {first: frequencies[first]}):
        expected = review_player(side, {}, known)
        same = {swapped(board): numbers for board, numbers in known.items()}
        found = review_player(other(side), {}, same, "O")
        assert {*map(swapped, found.boards)} == {*expected.boards}
        assert swapped(json.dumps(asdict(found)["review"])) == json.dumps(
            asdict(expected)["review"]
        )


def error_of(side: Mark, starts: Mark, board: str, cell: int) -> str | None:
    """Return a part of the error for a player's move, by the rules; None if it is legal."""
    free = referee.moves(board)
    if referee.reachable().isdisjoint({(board, "X"), (board, "O")}):
        return ""
    if board.count(starts) - board.count(referee.opponent(starts)) != (side != starts):
        return f"It is not {side}'s turn: {starts} moves first, "
    if not free:
        return "The game is over."
    return None if cell in free else f" Free cells: {', '.join(map(str, free))}."


@pytest.mark.parametrize(("side", "starts"), [*product(SIDES, SIDES)])
@pytest.mark.parametrize("table", ["moves", "frequencies"])
def test_every_illegal_move_has_an_error(table: str, side: Mark, starts: Mark) -> None:
    """On every board, possible or not, each illegal move has an error that names the rule."""
    moves = {board: index // 7 % 9 for index, board in enumerate(referee.all_boards())}
    frequencies = {board: [int(cell == move) for cell in range(9)] for board, move in moves.items()}
    with pytest.raises(InvalidPlayerError) as raised:
        review_player(side, *((moves, {}) if table == "moves" else ({}, frequencies)), starts)
    errors = {entry.board: entry.text for entry in raised.value.entries if entry.table == table}
    for board, cell in moves.items():
        error = error_of(side, starts, board, cell)
        assert (error is None) == (board not in errors), board
        assert (error or "") in errors.get(board, "")


class OtherNumber:
    """A number that is neither int nor float, such as NumPy's float32."""

    def __repr__(self) -> str:
        return "float32(0.5)"


#  An entry of `moves` for the board X...O...., the cause of its error, and the end of its text.
MOVES = table("""
0  cell_taken  Cell 0 is taken by X. Free cells: 1, 2, 3, 5, 6, 7, 8.
9  wrong_value  an integer from 0 to 8, not 9.
-1.0  wrong_value  an integer from 0 to 8, not -1.0.
0.5  wrong_type  an integer from 0 to 8, not 0.5.
"5"  wrong_type  an integer from 0 to 8, not "5".
True  wrong_type  an integer from 0 to 8, not true.
None  wrong_type  an integer from 0 to 8, not null.
(0, 1)  wrong_type  not [0, 1].
""")
NO_ARRAY = " In Python, send a list or tuple of int or float (`.tolist()` of an array)."
FREQUENCIES = table(f"""
[0, 0, 1, 0, 1, 0, 0, 0, 0]  cell_taken  Cell 4 is taken by O. Free cells: 1, 2, 3, 5, 6, 7, 8.
[1] * 8 + [-1]  wrong_value  0, 17]. The number of cell 8 is -1.
[1] * 8 + [1e10]  wrong_value  The number of cell 8 is 10000000000.0.
[1] * 8 + [nan]  wrong_value  The number of cell 8 is NaN.
[1] * 8 + ["0.2"]  wrong_value  The number of cell 8 is "0.2".
[0, 0, True] + [1] * 6  wrong_value  The number of cell 2 is true.
[1] * 8 + [OtherNumber()]  wrong_value  The number of cell 8 is float32(0.5).{NO_ARRAY}
[0] * 9  no_move  All frequencies are 0. At least one must be positive.
[1] * 8  wrong_length  0, 17]. This array has 8.
[1] * 10  wrong_length  0, 17]. This array has 10.
5  wrong_type  0, 17], not 5.
b""  wrong_type  0, 17], not b''.{NO_ARRAY}
"9" * 50  wrong_type  0, 17], not "{"9" * 37}…".
""")
INVALID = [("moves", *row) for row in MOVES] + [("frequencies", *row) for row in FREQUENCIES]


@pytest.mark.parametrize(("name", "entry", "cause", "text"), INVALID)
def test_an_invalid_entry_raises_an_error(name: str, entry: str, cause: str, text: str) -> None:
    """The error names the table, the board, the cause and what is wrong."""
    value = eval(entry, {"nan": nan, "OtherNumber": OtherNumber})  # noqa: S307, our own text
    tables: dict[str, Any] = {name: {"X...O....": value}}
    with pytest.raises(InvalidPlayerError) as raised:
        review_player("X", **tables)
    [invalid] = raised.value.entries
    assert (invalid.table, invalid.board, invalid.cause) == (name, "X...O....", cause)
    assert invalid.text.endswith(text)
    assert str(raised.value) == f'On "X...O....": {invalid.text}'


def test_all_invalid_entries_are_in_the_error() -> None:
    """The error has each invalid entry; its text has the first, and the number of others."""
    moves = {"X...O....": 0, "X........": 1, "XXXOO....": 8, "X": 4, "O...X....": 1}
    with pytest.raises(InvalidPlayerError) as raised:
        review_player("X", moves, {"O...X....": [0, 1, 0, 0, 0, 0, 0, 0, 0], "OX.......": [0] * 9})
    causes = "repeated_board cell_taken wrong_side_to_move wrong_side_to_move wrong_length no_move"
    assert " ".join(entry.cause for entry in raised.value.entries) == causes
    assert str(raised.value).endswith("Remove it from one of them. And 5 more.")
