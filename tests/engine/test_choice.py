"""Choices: random where they say so and only there, repeatable with a seed, and traps counted rightly."""

from collections import Counter

import pytest

from service.engine.choice import RATES, dice, mistakes, tied
from service.engine.position import Position
from service.engine.score import Scoring
from service.engine.search import Search, every_line
from service.engine.transposition_table import transposition_table
from tests import golden, referee
from tests.engine.positions import EVERY_POSITION

EMPTY = Position.parse(".........")


def test_a_seed_repeats_its_chance() -> None:
    """The same seed draws alike on the same position, and otherwise on another or with another side to move."""
    draws = {
        (seed, position): [dice(position, seed).random() for _ in range(2)]
        for seed in (0, 1, 2**53 - 1)
        for position in (EMPTY, Position.parse(".........", "O"), Position.parse("X........"))
    }
    assert all(first == second for first, second in draws.values())
    assert len({first for first, _ in draws.values()}) == len(draws)


def test_without_a_seed_chance_is_new_each_time() -> None:
    """Without a seed two draws differ."""
    assert len({dice(EMPTY, None).random() for _ in range(10)}) == 10


def test_the_rates_rise_as_the_level_falls() -> None:
    """The perfect level never draws a move, and each easier one does so more often."""
    rates = list(RATES.values())
    assert list(RATES) == ["perfect", "hard", "medium", "easy"]
    assert rates[0] == 0
    assert rates == sorted(set(rates))


@pytest.mark.parametrize("scoring", ["distance", "outcome"])
def test_the_tied_moves_are_exactly_the_best(scoring: Scoring) -> None:
    """On every position the tied moves are those whose grade is the referee's best."""
    for position in EVERY_POSITION:
        grades = referee.grade_of_moves(position.board, position.to_move, 9, counts_plies=scoring == "distance")
        lines = every_line(transposition_table, Search(scoring), position, 9)
        best = max(grades.values(), default=None)
        assert [line.moves[0] for line in tied(lines)] == [move for move in grades if grades[move] == best]


def test_mistakes_are_the_replies_that_throw_something_away() -> None:
    """After every move, the replies counted are those whose result is worse than the best reply's."""
    for position in EVERY_POSITION:
        replies = referee.grade_of_moves(position.board, position.to_move, 9, counts_plies=False)
        results = Counter(result for result, _ in replies.values())
        expected = len(replies) - results[max(results)] if results else 0
        assert mistakes(transposition_table, Search("distance"), position, 9) == (expected, len(replies))


def test_the_published_traps_are_counted() -> None:
    """After X's corner seven of O's eight replies lose, after the center or an edge four do."""
    for move, losing in golden.LOSING_REPLIES.items():
        assert mistakes(transposition_table, Search("distance"), EMPTY.after(move), 8) == (losing, 8)


def test_what_the_horizon_hides_is_no_mistake() -> None:
    """Without a ply to search no reply is a mistake; one ply deep, only those that miss a win at once are."""
    position = Position.parse("XX.OO....")
    assert mistakes(transposition_table, Search("distance"), position, 0) == (0, 5)
    assert mistakes(transposition_table, Search("distance"), position, 1) == (4, 5)
