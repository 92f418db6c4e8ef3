"""Minimax and alpha-beta as in textbooks, from the rules alone."""

from functools import cache, partial
from math import inf
from typing import Final, Literal, NamedTuple

from tests.truth import referee

Path = tuple[int, ...]
Order = Literal["cells", "best_first", "worst_first", "guessed"]


def leaf(board: str, mark: str, *, counts_plies: bool) -> int:
    """Return the score of a leaf for a side: that of the finished game, or else the estimate."""
    plies = 9 - board.count(".")
    win = 100 - plies if counts_plies else 100
    if referee.has_won(board, mark):
        return win
    if referee.has_won(board, referee.opponent(mark)):
        return -win
    return referee.estimate(board, mark) if "." in board else 0


def rank(board: str, mover: str, cell: int) -> int:
    """Return a cell's rank: 0 for a win, 1 a block, 2 the center, 3 a corner, 4 a side."""
    if cell in referee.wins(board, mover):
        return 0
    if cell in referee.wins(board, referee.opponent(mover)):
        return 1
    return 2 if cell == 4 else 3 + cell % 2


@cache
def guessed(board: str, mover: str) -> list[int]:
    """Return the moves by rank; those of equal rank by number."""
    return sorted(referee.moves(board), key=partial(rank, board, mover))


def turned(board: str) -> str:
    """Return the board after a quarter turn."""
    return "".join(board[cell] for cell in (6, 3, 0, 7, 4, 1, 8, 5, 2))


@cache
def form(board: str) -> str:
    """Return the first in alphabetical order of the board's eight rotations and reflections."""
    reflected = board[2::-1] + board[5:2:-1] + board[8:5:-1]
    forms = []
    for each in (board, reflected):
        half = turned(turned(each))
        forms += [each, turned(each), half, turned(half)]
    return min(forms)


class TableSearch:
    """Alpha-beta with guessed order and a table of positions; `nodes` counts its visits.

    A search that deepens repeats itself to depth 1, 2 and so on, with the best move first, until
    its result is certain.
    """

    def __init__(
        self, board: str, to_move: str, *, counts_plies: bool, depth: int, deepens: bool
    ) -> None:
        self.nodes = 0
        self._counts_plies: Final = counts_plies
        self._table: Final[dict[str, tuple[int, int, float, float]]] = {}
        if deepens and not referee.is_over(board):
            self._deepen(board, to_move, min(depth, board.count(".")))
        else:
            self._score(board, to_move, depth, -inf, inf, is_root=True)

    def _deepen(self, board: str, to_move: str, depth: int) -> None:
        best_move = referee.moves(board)[0]
        for limit in range(1, depth + 1):
            self.nodes += 1
            best = -inf
            rest = [cell for cell in referee.moves(board) if cell != best_move]
            for cell in (best_move, *rest):
                after = referee.play(board, to_move, cell)
                #  Of equal moves the lowest is the best.
                below = best - 1 if cell < best_move else best
                score = -self._score(after, referee.opponent(to_move), limit - 1, -inf, -below)
                if score > below:
                    best = score
                    best_move = cell
            if abs(best) > 90 and (best < 0 or self._counts_plies):
                return

    def _score(
        self,
        board: str,
        mover: str,
        depth: int,
        alpha: float,
        beta: float,
        *,
        is_root: bool = False,
    ) -> int:
        self.nodes += 1
        if depth == 0 or referee.is_over(board):
            return leaf(board, mover, counts_plies=self._counts_plies)
        stored = self._stored(board, depth, alpha, beta)
        if stored is not None:
            return stored
        cells = referee.moves(board) if is_root else guessed(board, mover)
        best = -1000
        floor = alpha
        for cell in cells:
            after = referee.play(board, mover, cell)
            score = -self._score(after, referee.opponent(mover), depth - 1, -beta, -floor)
            best = max(best, score)
            floor = max(floor, best)
            if floor >= beta:
                break
        self._table[form(board)] = (depth, best, alpha, beta)
        return best

    def _stored(self, board: str, depth: int, alpha: float, beta: float) -> int | None:
        """Return the score in the table; None if it does not decide a search with this window."""
        if form(board) not in self._table:
            return None
        stored, score, low, high = self._table[form(board)]
        if stored != depth and abs(score) <= 90:
            return None
        if score <= low:
            decides = score <= alpha
        elif score >= high:
            decides = score >= beta
        else:
            decides = True
        return score if decides else None


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
        cuts_at_equality: bool = True,
    ) -> None:
        self.maximizer: Final = to_move
        self.prunes: Final = prunes
        self.counts_plies: Final = counts_plies
        self.order: Final = order
        self.levels: Final = levels
        self.cuts_at_equality: Final = cuts_at_equality
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
        return leaf(board, self.maximizer, counts_plies=self.counts_plies)

    def moves(self, board: str, mover: str, depth: int, *, is_root: bool) -> list[int]:
        """Return the moves in the order in which they are tried."""
        cells = referee.moves(board)
        if self.order == "cells" or (self.order == "guessed" and is_root):
            return cells
        if self.order == "guessed":
            return guessed(board, mover)
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
        mover = self._mover(path)
        is_max = mover == self.maximizer
        cells = self.moves(board, mover, depth, is_root=not path)
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
            if rest and self._is_cutoff(alpha, beta):
                self.pruned[path] = rest
                self._record("cut", path, alpha, beta, best)
                break
        return best, alpha, beta

    def _mover(self, path: Path) -> str:
        """Return the side to move at a node."""
        return referee.opponent(self.maximizer) if len(path) % 2 else self.maximizer

    def _is_cutoff(self, alpha: float, beta: float) -> bool:
        if not self.prunes:
            return False
        return alpha >= beta if self.cuts_at_equality else alpha > beta
