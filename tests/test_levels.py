"""The levels: harder ones lose less and win more, by margins that chance cannot break."""

import re
from functools import cache

import pytest

from service.engine.choice import RATES
from tests.levels import OPPONENTS, PLAYERS, play
from tests.readme import rows, section

SOME = 75  # games for each side and each starter: the shares have a standard deviation of three hundredths at most
LEVELS = list(PLAYERS)[:4]
PERFECT, RANDOM = OPPONENTS


@cache
def shares(player: str, opponent: str) -> tuple[float, float, float]:
    """Return the shares won, drawn and lost."""
    return play(PLAYERS[player], OPPONENTS[opponent], SOME)


def test_a_perfect_opponent_wins_seldom_half_the_time_and_nearly_always() -> None:
    """Against a perfect opponent the perfect level never loses, the others as often as their names promise."""
    perfect, hard, medium, easy = (shares(level, PERFECT)[2] for level in LEVELS)
    assert perfect == 0
    assert 0 < hard < 0.2
    assert 0.35 < medium < 0.65
    assert 0.75 < easy < 1


def test_against_random_moves_each_level_wins_less_than_the_harder_one() -> None:
    """From level to level the share of games won falls; between hard and easy by more than chance can account for."""
    perfect, hard, medium, easy = (shares(level, RANDOM)[0] for level in LEVELS)
    assert perfect > medium + 0.05 > easy + 0.1
    assert hard > medium


def test_traps_beat_random_moves_more_often_than_the_first_best_move() -> None:
    """Against random moves the trap wins more than the first of the best moves, and neither loses."""
    trap, first = shares("`tie_break=trap`", RANDOM), shares(LEVELS[0], RANDOM)
    assert trap[0] > first[0]
    assert (trap[2], first[2]) == (0, 0)


def test_the_readme_has_the_rates() -> None:
    """The rates that the README gives, in percent, are those of the levels below the perfect one."""
    sentence = re.search(r"rate says \((\d+) %, (\d+) %,\s(\d+) %\)", section("Levels").text)
    assert sentence
    assert [int(percent) / 100 for percent in sentence.groups()] == list(RATES.values())[1:]


@pytest.mark.parametrize("row", rows("Levels"), ids=" ".join)
def test_the_readme_has_what_is_measured(row: list[str]) -> None:
    """Each share in the README's table, which `make levels` prints, is confirmed by fewer games, within a tenth."""
    player, opponent, *printed = row
    for measured, share in zip(shares(player, opponent), printed, strict=True):
        assert measured == pytest.approx(int(share.rstrip("%")) / 100, abs=0.1)
