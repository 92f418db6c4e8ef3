"""The choice of a move by level, tie-break and seed."""

from collections.abc import Callable
from typing import Any

import pytest

from best_move.engine.choice import RATES, Rng, best_lines, choose, count_mistakes, count_wins
from best_move.engine.position import Position
from best_move.engine.question import Difficulty, Question, TieBreak
from best_move.engine.search import Line, Search, best_line, every_line
from best_move.engine.transposition_table import transposition_table
from tests.engine.positions import POSITIONS, worse_replies

EMPTY = Position.parse(".........")
TWO_LINES = [Line(0, (0,)), Line(0, (1,))]
UNFINISHED = [position for position in POSITIONS if position.legal_moves]


def asked(position: Position, **options: Any) -> Question:
    """Return a question about a position, for the fastest algorithm."""
    return Question(position, "transposition_table", **options)


def draws(position: Position, seed: int | None) -> tuple[bool, ...]:
    """Return 64 coin tosses; two independent sequences are equal with probability 2 ** -64."""
    rng = Rng(asked(position, seed=seed))
    return tuple(rng.happens(0.5) for _ in range(64))


def test_a_seed_reproduces_the_random_numbers() -> None:
    """The same seed and position give the same numbers; any other pair gives others."""
    drawn = {
        (seed, position): [draws(position, seed) for _ in range(2)]
        for seed in (0, 1, 2**53 - 1)
        for position in (EMPTY, Position.parse(".........", "O"), Position.parse("X........"))
    }
    assert all(first == second for first, second in drawn.values())
    assert len({first for first, _ in drawn.values()}) == len(drawn)


def test_without_a_seed_the_random_numbers_differ() -> None:
    """Ten generators without a seed give ten different sequences."""
    assert len({draws(EMPTY, None) for _ in range(10)}) == 10


@pytest.mark.parametrize("seed", [None, 0, 7])
def test_only_a_random_choice_without_a_seed_is_not_repeatable(seed: int | None) -> None:
    """A rate of 0 and a single line draw no number; other choices repeat only with a seed."""
    rng = Rng(asked(EMPTY, seed=seed))
    assert not rng.happens(0.0)
    assert rng.choice(TWO_LINES[:1]) is TWO_LINES[0]
    assert rng.repeatable
    draws_something: list[Callable[[Rng], object]] = [
        lambda rng: rng.happens(1.0),
        lambda rng: rng.choice(TWO_LINES),
    ]
    for draw in draws_something:
        rng = Rng(asked(EMPTY, seed=seed))
        assert draw(rng)
        assert rng.repeatable is (seed is not None)


@pytest.mark.parametrize("depth", [1, 2, 3, 4, 9])
def test_mistakes_are_the_replies_with_a_worse_outcome(depth: int) -> None:
    """A reply is a mistake if its outcome at the remaining depth is worse than the best."""
    for position in UNFINISHED[::10]:
        for move in position.legal_moves:
            expected = worse_replies(position.after(move), depth - 1) if depth > 1 else 0
            question = asked(position, max_depth=depth)
            assert count_mistakes(question, Search("distance"), move) == expected


def test_first_moves_have_the_golden_numbers_of_losing_replies() -> None:
    """Seven of O's eight replies lose to a start in a corner, four to any other start."""
    mistakes = {
        move: count_mistakes(asked(EMPTY), Search("distance"), move) for move in EMPTY.legal_moves
    }
    assert mistakes == {0: 7, 1: 4, 2: 7, 3: 4, 4: 4, 5: 4, 6: 7, 7: 4, 8: 7}


@pytest.mark.parametrize(
    ("tie_break", "count"), [("trap", count_mistakes), ("best_odds", count_wins)]
)
def test_a_tie_break_prefers_the_highest_count_and_then_the_lowest_cell(
    tie_break: TieBreak, count: Callable[[Question, Search, int], int]
) -> None:
    """`trap` picks the first line with most mistaken replies, `best_odds` that with best odds."""
    for position in UNFINISHED[::20]:
        question = asked(position, tie_break=tie_break)
        search = Search("distance")
        lines = best_lines(every_line(transposition_table, search, position, 9))
        counts = [count(question, search, line.moves[0]) for line in lines]
        choice = choose(question, search, Rng(question))
        assert choice.line == lines[counts.index(max(counts))]
        assert choice.mistakes == (max(counts) if tie_break == "trap" else 0)


def test_each_line_that_chance_may_choose_is_chosen() -> None:
    """With some seed `random` chooses each of the best lines and no other, the easy level each."""
    for position in [each for each in UNFINISHED if each.ply > 3][::200]:
        lines = every_line(transposition_table, Search("distance"), position, 9)
        assert chosen(position, "perfect", "random") == {*best_lines(lines)}
        assert chosen(position, "easy", "first") == {*lines}


def chosen(position: Position, difficulty: Difficulty, tie_break: TieBreak) -> set[Line]:
    """Return the lines that are chosen with a hundred seeds."""
    questions = [
        asked(position, difficulty=difficulty, tie_break=tie_break, seed=seed)
        for seed in range(100)
    ]
    return {choose(each, Search("distance"), Rng(each)).line for each in questions}


@pytest.mark.parametrize("difficulty", RATES)
def test_a_level_searches_all_moves_only_for_a_random_move(difficulty: Difficulty) -> None:
    """If the level plays no random move, the search visits only the perfect level's nodes."""
    position = Position.parse("X...O....")
    perfect, every = Search("distance"), Search("distance")
    best = best_line(transposition_table, perfect, position, 9)
    every_line(transposition_table, every, position, 9)
    assert perfect.nodes < every.nodes
    for seed in range(100):
        search = Search("distance")
        question = asked(position, difficulty=difficulty, seed=seed)
        choice = choose(question, search, Rng(question))
        if Rng(question).happens(RATES[difficulty]):
            assert search.nodes == every.nodes
        else:
            assert (choice.line, search.nodes) == (best, perfect.nodes)
