"""The levels and tie-breaks: the README has their results, the service their rules."""

from fractions import Fraction
from typing import get_args

import pytest

from best_move.engine.choice import RATES
from best_move.engine.question import Difficulty, TieBreak
from best_move.oracle import Question, consult
from tests.engine.positions import EVERY_POSITION
from tests.programs.levels import (
    OPPONENTS,
    TIE_BREAKS,
    Shares,
    levels_table,
    limit,
    oracle,
    results,
    tie_breaks_table,
    worst_loss,
)
from tests.readme import rows, section
from tests.truth import golden

MARKS = ("X", "O")  # X moves first
ALWAYS_DRAWN = (Fraction(0), Fraction(1), Fraction(0))


def exact(level: Difficulty, opponent: str, mark: str) -> Shares:
    """Return the exact shares of games that a level wins, draws and loses as the side `mark`."""
    return results(oracle(level), OPPONENTS[opponent], mark)


def test_the_readme_has_the_exact_results_of_the_levels() -> None:
    """The README's table of levels is the same as that of `make levels`, digit for digit."""
    assert rows("Levels") == levels_table(), "Insert the rows of `make levels`."


def test_the_readme_has_the_exact_wins_of_the_tie_breaks() -> None:
    """The README's table of tie-breaks and the limit is that of `make levels`."""
    assert rows("Tie-breaks") == tie_breaks_table(), "Insert the rows of `make levels`."


def test_the_readme_has_the_rates_of_random_moves() -> None:
    """The rates that the README gives, in percent, are those of the levels below `perfect`."""
    rates = ", ".join(f"{rate:.0%}" for rate in [*RATES.values()][1:])
    assert f"at a fixed rate ({rates})" in " ".join(section("Levels").text.split())


@pytest.mark.parametrize("mark", MARKS)
def test_each_level_is_weaker_than_the_next_harder_level(mark: str) -> None:
    """Each easier level loses more to a perfect opponent, and wins less against random moves."""
    assert exact("perfect", "perfect", mark) == ALWAYS_DRAWN
    losses = [exact(level, "perfect", mark)[2] for level in RATES]
    wins = [exact(level, "random moves", mark)[0] for level in RATES]
    assert losses == sorted(set(losses))
    assert wins == sorted(set(wins), reverse=True)


@pytest.mark.parametrize("mark", MARKS)
@pytest.mark.parametrize("level", RATES)
def test_each_level_loses_the_golden_share_to_who_knows_it(level: Difficulty, mark: str) -> None:
    """The shares are golden; those of `easy` are published as highest chances to win."""
    assert worst_loss(oracle(level), mark) == golden.BEST_RESPONSES[level, mark][0]


def test_the_easy_level_plays_random_moves() -> None:
    """`easy` wins as often as random moves do: 737/1260 moving first, 121/420 moving second."""
    won, drawn, lost = golden.RANDOM_GAMES
    assert exact("easy", "random moves", "X") == (won, drawn, lost)
    assert exact("easy", "random moves", "O") == (lost, drawn, won)


def test_the_limits_equal_the_golden_fractions() -> None:
    """Without risk, 191/192 of games can be won moving first, 866/945 moving second."""
    assert {mark: limit(mark) for mark in MARKS} == golden.LIMITS


@pytest.mark.parametrize("tie_break", get_args(TieBreak))
def test_every_tie_break_follows_its_rule(tie_break: TieBreak) -> None:
    """On every fifth position the service's move is one that `TIE_BREAKS` allows."""
    for position in EVERY_POSITION[::5]:
        if position.legal_moves:
            question = Question(
                position, "transposition_table", tie_break=tie_break, seed=position.x
            )
            assert consult(question).move in TIE_BREAKS[tie_break](position.board, position.to_move)
