"""The score of every position, each computed once, from the scores after its moves."""

from dataclasses import dataclass
from functools import cache

from best_move.engine.position import Cells, Position
from best_move.engine.score import DRAW, WIN


@dataclass(frozen=True, eq=False)  # hashed by identity, which is faster
class Solved:
    """A position with its score for the side to move, and the same after each legal move."""

    position: Position
    board: str
    score: int
    after: dict[int, "Solved"]

    @property
    def best_moves(self) -> Cells:
        """The moves with the best score, sorted by cell."""
        best = -self.score
        return tuple(move for move, after in self.after.items() if after.score == best)


@cache
def solve(position: Position) -> Solved:
    """Return a position with its score; for one position, it is always the same object."""
    after = {move: solve(position.after(move)) for move in position.legal_moves}
    if after:
        score = max(-each.score for each in after.values())
    elif position.status == "draw":
        score = DRAW
    else:
        score = position.ply - WIN
    return Solved(position, position.board, score, after)
