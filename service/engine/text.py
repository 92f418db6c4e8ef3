"""A move in plain English: what it does, and what follows from it."""

from typing import Final

from service.engine.position import Mark, Position, Status, other
from service.engine.reason import Reason
from service.engine.score import Outcome

_CELLS: Final = (
    "the top-left corner",
    "the top side",
    "the top-right corner",
    "the left side",
    "the center",
    "the right side",
    "the bottom-left corner",
    "the bottom side",
    "the bottom-right corner",
)
_DOES: Final[dict[Reason, str]] = {
    "win": ", which completes three in a row",
    "block": ", where {} would have completed three in a row",
    "fork": " and threatens to win in two places",
    "block_fork": " and leaves {} no fork",
    "center": ", the cell on the most lines",
    "opposite_corner": ", opposite a corner of {}'s",
    "corner": "",
    "side": "",
}
_OVER: Final[dict[Status, str]] = {
    "x_won": "The game is over: X has won.",
    "o_won": "The game is over: O has won.",
    "draw": "The game is over: it is a draw.",
    "in_progress": "",
}


def over_text(position: Position) -> str:
    """Return the sentence for a finished board, nothing for another."""
    return _OVER[position.status]


def move_text(position: Position, move: int, reason: Reason, *, optimal: bool) -> str:
    """Return the sentence that says what a move does."""
    does = _DOES[reason].format(other(position.to_move))
    better = "" if optimal else ", though there was a better move"
    return f"{position.to_move} plays {_CELLS[move]}{does}{better}."


def outcome_text(mover: Mark, outcome: Outcome, distance: int | None, depth: int, trap: str) -> str:
    """Return the sentence that says what follows from a move that does not end the game.

    `outcome` is the mover's, `distance` is the plies from before the move to the end, None where they were not
    counted, `depth` is the plies searched, and `trap` is what the sentence adds to that.
    """
    match outcome:
        case "win":
            follows = f"{mover} can now force a win{_when(distance)}"
        case "loss":
            follows = f"{other(mover)} can now force a win{_when(distance)}"
        case "draw":
            follows = "With best play by both sides the game ends in a draw"
        case "unknown":
            follows = f"How it ends lies beyond the {'one ply' if depth == 1 else f'{depth} plies'} searched"
    return f"{follows}{trap}."


def trap_text(mover: Mark, outcome: Outcome, mistakes: int, replies: int) -> str:
    """Return what to add about the replies that throw something away, nothing if none does."""
    if not mistakes:
        return ""
    does = "let the win slip" if outcome == "loss" else "lose"
    if mistakes == 1:
        does = "lets the win slip" if outcome == "loss" else "loses"
    return f", but {mistakes} of {other(mover)}'s {replies} replies {does}"


def _when(distance: int | None) -> str:
    if distance is None:
        return ""
    moves = distance // 2  # of the side that wins, after this move
    return " on its next move" if moves == 1 else f" within its next {moves} moves"
