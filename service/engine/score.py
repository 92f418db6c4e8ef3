"""What a search's integer means: the bands of scores, and a score as value, outcome and distance.

A score is relative to the side to move. From the best to the worst it is one of

    WIN - ply           a win, at that ply of the game (WIN alone where only the outcome counts)
    0                   a draw, or at a horizon a balanced estimate
    ply - WIN           a loss, likewise

and estimates lie around 0, within ESTIMATE_LIMIT, where no win or loss reaches.
"""

from typing import Final, Literal

from mypy_extensions import i64

Scoring = Literal["distance", "outcome"]
Outcome = Literal["win", "draw", "loss", "unknown"]

WIN: Final = 100
DRAW: Final = 0
INFINITY: Final = 127  # beyond every score, and still one byte wide
ESTIMATE_LIMIT: Final = 32

_LAST_PLY: Final = 9
_LATEST_WIN: Final = WIN - _LAST_PLY


def is_decided(score: i64) -> bool:
    """Return whether the score is a win or a loss, which no deeper search can change."""
    return score >= _LATEST_WIN or score <= -_LATEST_WIN


def value(score: i64) -> float:
    """Return 1 for a win, 0 for a draw, -1 for a loss, and an estimate as a number between."""
    if is_decided(score):
        return 1.0 if score > 0 else -1.0
    return score / ESTIMATE_LIMIT


def outcome(score: i64, *, exact: bool) -> Outcome:
    """Return the result that the score promises, `unknown` where it is not exact."""
    if not exact:
        return "unknown"
    if score == DRAW:
        return "draw"
    return "win" if score > 0 else "loss"


def distance(score: i64, ply: i64) -> int:
    """Return the plies from `ply` to the end of the game, for an exact score that counts plies."""
    if score == DRAW:
        return _LAST_PLY - ply
    return WIN - max(score, -score) - ply
