"""The levels and tie-breaks: the README has their results, the service their rules."""

from fractions import Fraction
from typing import get_args

import pytest

from best_move.engine.choice import RATES
from best_move.engine.question import TieBreak
from best_move.oracle import Question, consult
from tests.engine.positions import EVERY_POSITION
from tests.readme import rows, section
from tests.truth import levels
from tests.truth.players import SIDES


def percent(share: Fraction) -> str:
    """Return a share in percent with two decimals, or without decimals if it is exactly 0 or 1."""
    return f"{float(100 * share):.2f}" if 0 < share < 1 else f"{100 * share}"


def test_the_readme_has_the_exact_results_of_the_levels() -> None:
    """The README's table has the shares of games as X, as O and on average, digit for digit."""
    opponents = {"perfect": levels.oracle(tie_break="random"), "random moves": levels.random_moves}
    expected = []
    for level in RATES:
        player = levels.oracle(level)
        for name, opponent in opponents.items():
            first, second = (levels.results(side, player, opponent) for side in SIDES)
            both = [(one + other) / 2 for one, other in zip(first, second, strict=True)]
            cells = [" / ".join(map(percent, shares)) for shares in (first, second, both)]
            expected.append([f"`{level}`", name, *cells])
        as_x, as_o = (levels.best_response(side, player, levels.LOSS) for side in SIDES)
        losses = [f"{percent(loss)} lost" for loss in (as_x, as_o, (as_x + as_o) / 2)]
        expected.append([f"`{level}`", "who knows it", *losses])
    assert rows("Levels") == expected


def test_the_readme_has_the_exact_wins_of_the_tie_breaks() -> None:
    """The README's table has the share of games won against random moves, and the limit."""
    wins = {
        f"`{name}`": [
            levels.results(side, levels.oracle(tie_break=name), levels.random_moves)[0]
            for side in SIDES
        ]
        for name in levels.TIE_BREAKS
    }
    wins["the limit"] = [
        levels.expectation(side, levels.safe_moves, levels.random_moves, levels.WIN)("." * 9)
        for side in SIDES
    ]
    assert rows("Tie-breaks") == [
        [name, *(f"{share} = {percent(share)}%" for share in shares)]
        for name, shares in wins.items()
    ]


def test_the_readme_has_the_rates_of_random_moves() -> None:
    """The rates in the engine's README, in percent, are those of the levels below `perfect`."""
    rates = ", ".join(f"{rate:.0%}" for rate in [*RATES.values()][1:])
    assert f"at a fixed rate ({rates})" in " ".join(section("Levels").text.split())


def test_random_moves_win_the_published_shares() -> None:
    """X wins 737/1260 and O 121/420: M. Daly, archive of the newsgroup rec.puzzles."""
    shares = levels.results("X", levels.random_moves, levels.random_moves)
    assert shares == (Fraction(737, 1260), Fraction(8, 63), Fraction(121, 420))


@pytest.mark.parametrize("tie_break", get_args(TieBreak))
def test_every_tie_break_follows_its_rule(tie_break: TieBreak) -> None:
    """On every fifth position the service's move is one that the rule allows."""
    for position in EVERY_POSITION[::5]:
        if position.starts == "X" and position.legal_moves:
            question = Question(
                position, "transposition_table", tie_break=tie_break, seed=position.x
            )
            assert consult(question).move in levels.TIE_BREAKS[tie_break](position.board)
