"""The tablebase: every position of the game with its outcome and its best moves, as CSV."""

from best_move.engine.position import CELLS, Mark, Position
from best_move.engine.score import distance, outcome, value
from best_move.engine.solved import Solved, solve
from best_move.engine.symmetry import class_of

COLUMNS = (
    "board",
    "to_move",
    "status",
    "value",
    "outcome",
    "distance",
    "best_moves",
    "outcomes",
    "class",
)


def as_csv() -> str:
    """Return a header and a line for each of the 10,956 positions, by board and side to move.

    - value, outcome, distance: for the side to move; the distance is the number of plies to the end
      of the game.
    - best_moves: cells from 0 to 8, separated by spaces: those that win soonest, else those that
      draw, else those that lose last. A finished position has none.
    - outcomes: a letter per cell, for the side to move: W, D or L if a move there wins, draws or
      loses with best play by both sides; `.` if the cell cannot be played.
    - class: of the board's eight rotations and reflections, the first in ASCII order.
    """
    classes: dict[tuple[int, Mark], str] = {}
    lines = [",".join(COLUMNS)]
    for solved in sorted(_all_solved(), key=lambda each: (each.board, each.position.to_move)):
        position = solved.position
        number = class_of(position.own, position.opponent)
        # Entries come in ASCII order, so the first board of a class represents it. A class number
        # does not say which side is X.
        representative = classes.setdefault((number, position.to_move), solved.board)
        lines.append(_line(solved, representative))
    return "\n".join([*lines, ""])


def _all_solved() -> set[Solved]:
    """Return all positions that can occur in a game, whichever side starts."""
    found: set[Solved] = set()
    latest = {solve(Position(0, 0, "X")), solve(Position(0, 0, "O"))}
    while latest:
        found |= latest
        latest = {after for each in latest for after in each.after.values()}
    return found


def _line(solved: Solved, representative: str) -> str:
    position = solved.position
    score = solved.score
    outcomes = ["."] * CELLS
    for move, after in solved.after.items():
        outcomes[move] = outcome(-after.score, exact=True)[0].upper()
    fields = (
        solved.board,
        position.to_move,
        position.status,
        int(value(score)),
        outcome(score, exact=True),
        distance(score, position.ply),
        " ".join(map(str, solved.best_moves)),
        "".join(outcomes),
        representative,
    )
    return ",".join(map(str, fields))
