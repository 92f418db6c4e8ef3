"""The tablebase: every position of the game with its outcome and its best moves, as CSV."""

from typing import Final

from best_move.engine.position import Position
from best_move.engine.score import DRAW, WIN, distance, outcome, value

COLUMNS: Final = ("board", "to_move", "status", "value", "outcome", "distance", "best_moves")


def as_csv() -> str:
    """Return a header and a line for each of the 10,956 positions, sorted by board and side to move.

    Value, outcome and distance are for the side to move, the distance in plies to the end of the game. The best moves
    are cells from 0 to 8, separated by spaces: those that win soonest or lose last. A finished position has none.

    The scores are found from the end of the game back: those of all positions after a move are known before its own.
    """
    scores: dict[Position, int] = {}
    lines = []
    for position in sorted(_positions(), key=lambda position: -position.ply):
        moves = {move: -scores[position.after(move)] for move in position.legal_moves}
        lost = position.ply - WIN
        score = max(moves.values(), default=DRAW if position.status == "draw" else lost)
        scores[position] = score
        best_moves = [str(move) for move, each in moves.items() if each == score]
        lines.append(_line(position, score, best_moves))
    return "\n".join([",".join(COLUMNS), *sorted(lines), ""])


def _positions() -> set[Position]:
    """Return the positions that games lead to, whichever side starts."""
    found = {Position(0, 0, "X"), Position(0, 0, "O")}
    latest = found
    while latest:
        latest = {position.after(move) for position in latest for move in position.legal_moves}
        found |= latest
    return found


def _line(position: Position, score: int, best_moves: list[str]) -> str:
    fields = (
        position.board,
        position.to_move,
        position.status,
        int(value(score)),
        outcome(score, exact=True),
        distance(score, position.ply),
        " ".join(best_moves),
    )
    return ",".join(map(str, fields))
