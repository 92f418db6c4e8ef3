"""Minimax and alpha-beta as in textbooks, from the rules alone."""

from functools import cache
from math import inf
from typing import Final, Literal, NamedTuple

from tests.truth import referee

Path = tuple[int, ...]
Order = Literal["cells", "best_first", "worst_first"]


@cache
def form(board: str) -> str:
    """Return the first in alphabetical order of the board's eight rotations and reflections."""
    forms = []
    for _ in range(4):
        board = "".join(board[cell] for cell in (6, 3, 0, 7, 4, 1, 8, 5, 2))  # a quarter turn
        forms += [board, board[2::-1] + board[5:2:-1] + board[8:5:-1]]
    return min(forms)


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
    node, `boards` has its board, `scores` its score, `visits` its visit number, from 1, `sizes` the
    number of nodes in its subtree, `children` the paths below it, and `last` the last event at it.
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
    ) -> None:
        self.maximizer: Final = to_move
        self.prunes: Final = prunes
        self.counts_plies: Final = counts_plies
        self.order: Final = order
        self.levels: Final = levels
        self.events: Final[list[Event]] = []
        self.last: Final[dict[Path, Event]] = {}
        self.boards: Final[dict[Path, str]] = {}
        self.children: Final[dict[Path, list[Path]]] = {}
        self.scores: Final[dict[Path, int]] = {}
        self.visits: Final[dict[Path, int]] = {}
        self.sizes: Final[dict[Path, int]] = {}
        self.pruned: Final[dict[Path, list[int]]] = {}
        self._visit((), board, depth, -inf, inf)
        if not referee.is_over(board):
            self._record("end", (), *self.events[-1][3:])

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
        if not referee.is_over(board):
            return referee.estimate(board, self.maximizer)
        plies = 9 - board.count(".")
        win = 100 - plies if self.counts_plies else 100
        if referee.has_won(board, self.maximizer):
            return win
        return -win if referee.has_won(board, referee.opponent(self.maximizer)) else 0

    def moves(self, board: str, mover: str, depth: int) -> list[int]:
        """Return the moves in the order in which they are tried."""
        cells = referee.moves(board)
        if self.order == "cells":
            return cells
        grades = referee.grade_of_moves(board, mover, depth, counts_plies=self.counts_plies)
        best_first = sorted(cells, key=lambda cell: grades[cell], reverse=True)
        return best_first if self.order == "best_first" else best_first[::-1]

    def _record(
        self, kind: str, path: Path, alpha: float, beta: float, best: float | None = None
    ) -> None:
        is_inner = kind in ("back", "cut")
        deepest = self.levels - 1 if is_inner else self.levels
        if len(path) <= deepest:
            side = "MIN" if len(path) % 2 else "MAX"
            self.last[path] = Event(kind, path, side, alpha, beta, best)
            self.events.append(self.last[path])

    def _visit(self, path: Path, board: str, depth: int, alpha: float, beta: float) -> int:
        visit = len(self.visits) + 1
        self.visits[path] = visit
        self.boards[path] = board
        self.children[path] = []
        self._record("enter", path, alpha, beta)
        is_leaf = depth == 0 or referee.is_over(board)
        if is_leaf:
            best = self.leaf(board)
        else:
            best, alpha, beta = self._try_moves(path, board, depth, alpha, beta)
        if is_leaf or len(path) == self.levels:
            self._record("leaf", path, alpha, beta, best)
        self.scores[path] = best
        self.sizes[path] = len(self.visits) - visit + 1
        return best

    def _try_moves(
        self, path: Path, board: str, depth: int, alpha: float, beta: float
    ) -> tuple[int, float, float]:
        """Visit the nodes below a node; return its score and its final window."""
        is_max = len(path) % 2 == 0
        mover = self.maximizer if is_max else referee.opponent(self.maximizer)
        cells = self.moves(board, mover, depth)
        scores = []
        for cell in cells:
            after = referee.play(board, mover, cell)
            child = (*path, cell)
            self.children[path].append(child)
            scores.append(self._visit(child, after, depth - 1, alpha, beta))
            if is_max:
                best = max(scores)
                alpha = max(alpha, best)
            else:
                best = min(scores)
                beta = min(beta, best)
            self._record("back", path, alpha, beta, best)
            rest = cells[len(scores) :]
            if self.prunes and rest and alpha >= beta:
                self.pruned[path] = rest
                self._record("cut", path, alpha, beta, best)
                break
        return best, alpha, beta
