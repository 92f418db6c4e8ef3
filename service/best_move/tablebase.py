"""The tablebase: every position of the game with its outcome and its best moves, as CSV."""

from typing import Final

from best_move.engine.position import CELLS, Mark, Position
from best_move.engine.score import DRAW, WIN, distance, outcome, value
from best_move.engine.symmetry import class_of

COLUMNS: Final = ("board", "to_move", "status", "value", "outcome", "distance", "best_moves", "outcomes", "class")


def as_csv() -> str:
    """Return a header and a line for each of the 10,956 positions, sorted by board and side to move.

    - value, outcome, distance: for the side to move; the distance is the number of plies to the end of the game.
    - best_moves: cells from 0 to 8, separated by spaces: those that win soonest, else those that draw, else those that
      lose last. A finished position has none.
    - outcomes: a letter per cell, for the side to move: W, D or L if a move there wins, draws or loses with best play
      by both sides; `.` if the cell cannot be played.
    - class: of the board's eight rotations and reflections, the first in ASCII order.

    The scores are computed backward from the end of the game, so the scores after each move are already known.
    """
    scores: dict[Position, int] = {}
    classes: dict[tuple[int, Mark], str] = {}
    lines = []
    for position in sorted(_positions(), key=lambda position: (-position.ply, position.board)):
        moves = {move: -scores[position.after(move)] for move in position.legal_moves}
        lost = position.ply - WIN
        score = max(moves.values(), default=DRAW if position.status == "draw" else lost)
        scores[position] = score
        lowest = classes.setdefault((class_of(position.own, position.opponent), position.to_move), position.board)
        lines.append(_line(position, lowest, score, moves))
    return "\n".join([",".join(COLUMNS), *sorted(lines), ""])


def _positions() -> set[Position]:
    """Return all positions that can occur in a game, whichever side starts."""
    found = {Position(0, 0, "X"), Position(0, 0, "O")}
    latest = found
    while latest:
        latest = {position.after(move) for position in latest for move in position.legal_moves}
        found |= latest
    return found


def _line(position: Position, lowest: str, score: int, moves: dict[int, int]) -> str:
    letters = {move: outcome(each, exact=True)[0].upper() for move, each in moves.items()}
    fields = (
        position.board,
        position.to_move,
        position.status,
        int(value(score)),
        outcome(score, exact=True),
        distance(score, position.ply),
        " ".join(str(move) for move, each in moves.items() if each == score),
        "".join(letters.get(cell, ".") for cell in range(CELLS)),
        lowest,
    )
    return ",".join(map(str, fields))
