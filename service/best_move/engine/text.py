"""A move in plain English: what it does, and what best play leads to after it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from best_move.engine.position import Mark, Position, other
from best_move.engine.reason import Reason
from best_move.engine.score import Assessment, Outcome

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
_DOES: Final = {
    "win": ", which completes three in a row",
    "block": ", which blocks {}'s three in a row",
    "fork": " and threatens to win in two places",
    "block_fork": " and keeps {} from threatening two lines at once",
    "center": ": it is on the most lines",
    "opposite_corner": ", opposite a corner of {}'s",
    "corner": "",
    "side": "",
}
_COULD: Final = {
    "win": "won at",
    "block": "blocked at",
    "fork": "threatened two lines at once with",
    "block_fork": "kept {} from threatening two lines at once with",
}
_OVER: Final = {
    "x_won": "The game is over: X has won.",
    "o_won": "The game is over: O has won.",
    "draw": "The game is over: it is a draw.",
    "in_progress": "",
}


def over_text(position: Position) -> str:
    """Return the sentence that says how a finished game ended; empty if the game is in progress."""
    return _OVER[position.status]


def move_text(position: Position, move: int, reason: Reason, *, numbered: bool = False) -> str:
    """Return the sentence on a move and its reason; `numbered` adds the cell's number."""
    cell = _CELLS[move]
    if numbered:
        cell = f"{move}, {cell}"
        if reason in ("fork", "block_fork"):
            cell += ","  # before "and"
    does = _DOES[reason].format(other(position.to_move))
    return f"{position.to_move} plays {cell}{does}."


def played_text(mark: Mark, cell: int) -> str:
    """Return the sentence that names a move that has been made."""
    return f"{mark} has played {cell}, {_CELLS[cell]}."


def forced_text(mover: Mark, outcome: Outcome) -> str:
    """Return the clause on what best play leads to after a move, which is known.

    The outcome is for the mover.
    """
    if outcome == "draw":
        return "With best play by both sides the game ends in a draw"
    winner = mover if outcome == "win" else other(mover)
    return f"{winner} can now force a win"


def outlook_text(
    after: Position, assessment: Assessment, max_depth: int, mistakes: int, *, optimal: bool
) -> str:
    """Return what best play leads to after a move, and whether the mover had a better move.

    It is empty if the game is over. The assessment is that of the position before the move, for the
    mover. `max_depth` is the number of plies searched, and `mistakes` the number of replies that
    are mistakes.
    """
    if after.status != "in_progress":
        return ""
    mover = other(after.to_move)
    match assessment.outcome:
        case "unknown":
            plies = "one ply" if max_depth == 1 else f"{max_depth} plies"
            follows = f"Undecided: the search stopped after {plies}"
        case "draw":
            follows = forced_text(mover, "draw")
        case won_or_lost:
            follows = f"{forced_text(mover, won_or_lost)}{_when(assessment.distance)}"
    if mistakes:
        follows += trap_text(mover, assessment.outcome, mistakes, len(after.legal_moves))
    if optimal:
        return f"{follows}."
    return f"{follows}. {mover} had a better move."


def kept_text(outcome: Outcome, quicker: Sequence[int]) -> str:
    """Return which outcome a move keeps, and which other moves win sooner, if any do."""
    if outcome == "loss":
        return "Every move loses."
    if not quicker:
        return f"It keeps the {outcome}."
    wins = "wins" if len(quicker) == 1 else "win"
    return f"It keeps the {outcome}, but {listed(quicker, 'and')} {wins} sooner."


def mistake_text(
    mover: Mark,
    outcome: Outcome,
    best_outcome: Outcome,
    missed: Reason,
    best_moves: Mapping[int, Reason],
) -> str:
    """Return how a mistake changed the mover's outcome, and what the mover could have done."""
    changed = f"This is a mistake: it turns a {best_outcome} into a {outcome}."
    could = "played"
    cells = list(best_moves)
    if missed in _COULD:
        could = _COULD[missed].format(other(mover))
        cells = [cell for cell in cells if best_moves[cell] == missed]
    return f"{changed} {mover} could have {could} {listed(cells, 'or')}."


def trap_text(mover: Mark, outcome: Outcome, mistakes: int, replies: int) -> str:
    """Return the clause on the number of replies that are mistakes, which is at least 1."""
    does = "let the win slip" if outcome == "loss" else "lose"
    if mistakes == 1:
        does = "lets the win slip" if outcome == "loss" else "loses"
    return f", but {mistakes} of {other(mover)}'s {replies} replies {does}"


def _when(distance: int | None) -> str:
    if distance is None:
        return ""
    # The distance counts this move, so it is odd if the mover wins, and even if the opponent does.
    moves = distance // 2  # of the side that wins, after this move
    if moves == 1:
        return " on its next move"
    return f" within its next {moves} moves"


def listed(words: Iterable[object], conjunction: str) -> str:
    """Return words as a list in a sentence, such as `1, 2 or 3`."""
    *others, last = map(str, words)
    if not others:
        return last
    return f"{', '.join(others)} {conjunction} {last}"
