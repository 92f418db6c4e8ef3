"""Minimax and alpha-beta as in textbooks, from the rules alone."""

from functools import cache, partial
from math import inf
from typing import Final, Literal, NamedTuple

from tests.truth import referee

Path = tuple[int, ...]
Order = Literal["cells", "best_first", "worst_first", "guessed"]


def leaf(board: str, mark: str, *, counts_plies: bool) -> int:
    """Return the score of a leaf for a side: that of the finished game, or else the estimate."""
    for winner, sign in ((mark, 1), (referee.opponent(mark), -1)):
        if referee.has_won(board, winner):
            return sign * (100 - (9 - board.count(".") if counts_plies else 0))
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
    forms = [board, board[2::-1] + board[5:2:-1] + board[8:5:-1]]
    for _ in range(3):
        forms += [turned(each) for each in forms[-2:]]
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
                    best, best_move = score, cell
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
        stored, score, low, high = self._table.get(form(board), (0, 0, 0, 0))
        is_valid = stored == depth or abs(score) > 90
        fails_low, fails_high = score <= low, score >= high
        if is_valid and (score <= alpha if fails_low else score >= beta or not fails_high):
            return score
        best, floor = -1000, alpha
        for cell in referee.moves(board) if is_root else guessed(board, mover):
            after = referee.play(board, mover, cell)
            score = -self._score(after, referee.opponent(mover), depth - 1, -beta, -floor)
            best = max(best, score)
            floor = max(floor, best)
            if floor >= beta:
                break
        self._table[form(board)] = (depth, best, alpha, beta)
        return best


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
        self, kind: str, path: Path, alpha: float, beta: float, best: int | None = None
    ) -> None:
        if len(path) <= self.levels:
            side = "MIN" if len(path) % 2 else "MAX"
            self.events.append(Event(kind, path, side, alpha, beta, best))

    def _visit(self, path: Path, board: str, depth: int, alpha: float, beta: float) -> int:
        self.visits[path] = visit = len(self.visits) + 1
        self._record("enter", path, alpha, beta)
        if depth == 0 or referee.is_over(board):
            best = self.leaf(board)
        else:
            best, alpha, beta = self._try_moves(path, board, depth, alpha, beta)
        if depth == 0 or referee.is_over(board) or len(path) == self.levels:
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
        cells = self.moves(board, mover, depth, is_root=not path)
        scores = []
        for number, cell in enumerate(cells, 1):
            after = referee.play(board, mover, cell)
            scores.append(self._visit((*path, cell), after, depth - 1, alpha, beta))
            best = max(scores) if is_max else min(scores)
            if is_max:
                alpha = max(alpha, best)
            else:
                beta = min(beta, best)
            if len(path) < self.levels:
                self._record("back", path, alpha, beta, best)
            is_cutoff = alpha >= beta if self.cuts_at_equality else alpha > beta
            if self.prunes and is_cutoff and number < len(cells):
                self.pruned[path] = cells[number:]
                if len(path) < self.levels:
                    self._record("cut", path, alpha, beta, best)
                break
        return best, alpha, beta
