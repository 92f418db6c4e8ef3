"""What a search's integer means: the bands of scores, and a score as value, outcome and distance.

A score is relative to the side to move. From the best to the worst it is one of

    WIN - ply           a win, at that ply of the game (WIN alone where only the outcome counts)
    0                   a draw
    ply - WIN           a loss, likewise
"""

from typing import Final, Literal

from mypy_extensions import i64

Scoring = Literal["distance", "outcome"]
Outcome = Literal["win", "draw", "loss"]

WIN: Final = 100
DRAW: Final = 0
INFINITY: Final = 127  # beyond every score, and still one byte wide

_LAST_PLY: Final = 9


def value(score: i64) -> float:
    """Return 1 for a win, 0 for a draw, -1 for a loss."""
    if score == DRAW:
        return 0.0
    return 1.0 if score > 0 else -1.0


def outcome(score: i64) -> Outcome:
    """Return the result that the score promises."""
    if score == DRAW:
        return "draw"
    return "win" if score > 0 else "loss"


def distance(score: i64, ply: i64) -> int:
    """Return the plies from `ply` to the end of the game, for a score that counts plies."""
    if score == DRAW:
        return _LAST_PLY - ply
    return WIN - max(score, -score) - ply
