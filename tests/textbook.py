"""Minimax and alpha-beta as in textbooks, from the rules alone; they record every event."""

from math import inf
from typing import Final, Literal, NamedTuple

from tests import referee

Path = tuple[int, ...]
Order = Literal["cells", "best_first", "worst_first"]


class Event(NamedTuple):
    """An event at a node: `enter`, `leaf`, `back`, `cut` or `end`, with window and best score."""

    kind: str
    path: Path
    side: str
    alpha: float
    beta: float
    best: float | None


class Search:
    """A search of a position, and its events at the nodes that are at most `levels` plies down.

    Scores are from the point of view of MAX, the side to move at the root. For the path of each
    node, `scores` has the node's score, `visits` its visit number, from 1, and `sizes` the number
    of nodes in its subtree.
    """

    def __init__(
        self,
        board: str,
        to_move: str,
        *,
        prunes: bool,
        counts_plies: bool = True,
        depth: int = 9,
        order: Order = "cells",
        levels: int = 9,
        cuts_at_equality: bool = True,
    ) -> None:
        self.maximizer: Final = to_move
        self.prunes: Final = prunes
        self.counts_plies: Final = counts_plies
        self.order: Final = order
        self.levels: Final = levels
        self.cuts_at_equality: Final = cuts_at_equality
        self.events: Final[list[Event]] = []
        self.scores: Final[dict[Path, int]] = {}
        self.visits: Final[dict[Path, int]] = {}
        self.sizes: Final[dict[Path, int]] = {}
        self.pruned: Final[dict[Path, list[int]]] = {}
        self._visit((), board, depth, -inf, inf)
        if not referee.is_over(board):
            self.events.append(self.events[-1]._replace(kind="end"))

    @property
    def best_move(self) -> int:
        """The first of the moves that have the score of the root."""
        return next(
            path[0]
            for path in self.visits
            if len(path) == 1 and self.scores[path] == self.scores[()]
        )

    def leaf(self, board: str) -> int:
        """Return the score of a leaf: that of the finished game, or else the estimate."""
        for mark, sign in ((self.maximizer, 1), (referee.opponent(self.maximizer), -1)):
            if referee.has_won(board, mark):
                return sign * (100 - (9 - board.count(".") if self.counts_plies else 0))
        return referee.estimate(board, self.maximizer) if "." in board else 0

    def moves(self, board: str, mover: str, depth: int) -> list[int]:
        """Return the moves in the order in which they are tried."""
        cells = referee.moves(board)
        if self.order == "cells":
            return cells
        grades = referee.grade_of_moves(board, mover, depth, counts_plies=self.counts_plies)
        best_first = sorted(cells, key=lambda cell: grades[cell], reverse=True)
        return best_first if self.order == "best_first" else best_first[::-1]

    def _visit(self, path: Path, board: str, depth: int, alpha: float, beta: float) -> int:
        self.visits[path] = visit = len(self.visits) + 1
        side = "MIN" if len(path) % 2 else "MAX"
        mover = referee.opponent(self.maximizer) if len(path) % 2 else self.maximizer
        best: int | None = None

        def record(kind: str) -> None:
            if len(path) <= self.levels:
                self.events.append(Event(kind, path, side, alpha, beta, best))

        record("enter")
        if depth == 0 or referee.is_over(board):
            best = self.leaf(board)
            record("leaf")
        else:
            cells = self.moves(board, mover, depth)
            for number, cell in enumerate(cells):
                score = self._visit(
                    (*path, cell), referee.play(board, mover, cell), depth - 1, alpha, beta
                )
                if best is None or (score > best if side == "MAX" else score < best):
                    best = score
                    alpha = max(alpha, best) if side == "MAX" else alpha
                    beta = min(beta, best) if side == "MIN" else beta
                if len(path) < self.levels:
                    record("back")
                is_cutoff = alpha >= beta if self.cuts_at_equality else alpha > beta
                if self.prunes and is_cutoff and number + 1 < len(cells):
                    self.pruned[path] = cells[number + 1 :]
                    if len(path) < self.levels:
                        record("cut")
                    break
            if len(path) == self.levels:
                record("leaf")
        assert best is not None
        self.scores[path] = best
        self.sizes[path] = len(self.visits) - visit + 1
        return best
