"""Score encoding and its conversion to an assessment: value, outcome and distance.

A score is an integer from the point of view of the side to move. From best to worst:

    WIN - ply           a win at that ply of the game (WIN if only the outcome counts)
    0                   a draw, or at the depth limit a balanced estimate
    ply - WIN           a loss at that ply of the game (-WIN if only the outcome counts)

Estimates are strictly between -ESTIMATE_LIMIT and ESTIMATE_LIMIT, so they are below every win and
above every loss.
"""

from typing import Final, Literal, NamedTuple

from mypy_extensions import i64

Scoring = Literal["distance", "outcome"]
Outcome = Literal["win", "draw", "loss", "unknown"]

WIN: Final = 100
DRAW: Final = 0
#  Above every score; transposition_table.py packs score + INFINITY into 8 bits.
INFINITY: Final = 127
ESTIMATE_LIMIT: Final = 32

_LAST_PLY: Final = 9
_LATEST_WIN: Final = WIN - _LAST_PLY


def is_decided(score: i64) -> bool:
    """Return whether the score is a win or a loss, which a deeper search cannot change."""
    return score >= _LATEST_WIN or score <= -_LATEST_WIN


def value(score: i64) -> float:
    """Return 1 for a win, 0 for a draw, -1 for a loss; an estimate is strictly between -1 and 1."""
    if not is_decided(score):
        return score / ESTIMATE_LIMIT
    if score > 0:
        return 1.0
    return -1.0


def outcome(score: i64, *, exact: bool) -> Outcome:
    """Return the outcome for the side to move; `unknown` unless `exact`."""
    if not exact:
        return "unknown"
    if score == DRAW:
        return "draw"
    if score > 0:
        return "win"
    return "loss"


def distance(score: i64, ply: i64) -> int:
    """Return the number of plies from `ply` to the end.

    The score must count plies, and must not be an estimate.
    """
    if score == DRAW:
        return _LAST_PLY - ply
    return WIN - max(score, -score) - ply  # mypy knows no abs() of an i64


class Assessment(NamedTuple):
    """What a score stands for, from the point of view that the score has.

    The outcome is unknown if the depth limit could have changed the value. `distance` is the number
    of plies to the end of the game: 0 if it is over, otherwise None if the outcome is unknown or
    the search did not count plies.
    """

    value: float
    outcome: Outcome
    distance: int | None


def assess(score: i64, ply: i64, depth: i64, scoring: Scoring, *, is_over: bool) -> Assessment:
    """Return what a score stands for if a search to depth `depth` found it at this ply."""
    #  A 0 is a draw only if the search can fill the board; otherwise it is an estimate.
    exact = is_decided(score) or depth >= _LAST_PLY - ply
    plies: int | None = None
    if is_over:
        plies = 0
    elif exact and scoring == "distance":
        plies = distance(score, ply)
    return Assessment(value(score), outcome(score, exact=exact), plies)
