"""Minimax and alpha-beta as in textbooks, from the rules alone."""

from collections.abc import Mapping
from dataclasses import dataclass, field
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


@dataclass(frozen=True)
class Mistakes:
    """What a student does wrong in a search by hand, by the paths of nodes.

    The student takes wrong `scores`, `forgets` cutoffs, and leaves nodes `early`, after a number of
    moves. All else is right.
    """

    scores: Mapping[Path, int] = field(default_factory=dict)
    forgets: frozenset[Path] = frozenset()
    early: Mapping[Path, int] = field(default_factory=dict)


class Textbook:
    """A search of a tree, and its events at the nodes that are at most `levels` plies down.

    Scores are from MAX's point of view; MAX is to move at the root unless `is_min_first`.
    Alpha-beta prunes if alpha is at least beta or, if it `is_strict`, only if it is above beta. For
    the path of each node, `scores` has its score, `visits` its visit number, from 1, `sizes` the
    number of nodes in its subtree, `children` the paths below it, and `last` the last event at it.
    It is that of a student who makes some mistakes; `made` has those that change something, and the
    scores that would have been right.

    A kind of tree says what is at a node: its moves and what is after each, or the score of a leaf.
    """

    def __init__(
        self,
        *,
        prunes: bool,
        is_min_first: bool = False,
        is_strict: bool = False,
        levels: int = 9,
        mistakes: Mistakes | None = None,
    ) -> None:
        self.prunes: Final = prunes
        self.is_min_first: Final = is_min_first
        self.is_strict: Final = is_strict
        self.levels: Final = levels
        self.events: Final[list[Event]] = []
        self.last: Final[dict[Path, Event]] = {}
        self.children: Final[dict[Path, list[Path]]] = {}
        self.scores: Final[dict[Path, int]] = {}
        self.visits: Final[dict[Path, int]] = {}
        self.sizes: Final[dict[Path, int]] = {}
        self.pruned: Final[dict[Path, list[int]]] = {}
        self.mistakes: Final = mistakes or Mistakes()
        self.made: Final[dict[tuple[str, Path], int | None]] = {}

    def run(self, alpha: float = -inf, beta: float = inf) -> None:
        """Search from the root with a window."""
        self._visit((), alpha, beta)
        if self.children[()]:
            self._record("end", (), *self.events[-1][3:])

    def leaf(self, path: Path) -> int | None:
        """Return the score of a leaf; None at any other node."""
        raise NotImplementedError

    def moves(self, path: Path) -> list[int]:
        """Return the moves in the order in which they are tried."""
        raise NotImplementedError

    def is_max(self, path: Path) -> bool:
        """Return whether MAX is to move."""
        return (len(path) % 2 == 0) != self.is_min_first

    @property
    def best_move(self) -> int:
        """The first of the moves that have the score of the root."""
        return next(
            path[0]
            for path in self.visits
            if len(path) == 1 and self.scores[path] == self.scores[()]
        )

    def _record(
        self, kind: str, path: Path, alpha: float, beta: float, best: float | None = None
    ) -> None:
        is_inner = kind in ("back", "cut")
        deepest = self.levels - 1 if is_inner else self.levels
        if len(path) <= deepest:
            side = "MAX" if self.is_max(path) else "MIN"
            self.last[path] = Event(kind, path, side, alpha, beta, best)
            self.events.append(self.last[path])

    def _visit(self, path: Path, alpha: float, beta: float) -> int:
        visit = len(self.visits) + 1
        self.visits[path] = visit
        self.children[path] = []
        self._record("enter", path, alpha, beta)
        score = self.leaf(path)
        is_leaf = score is not None
        if score is None:
            right, alpha, beta = self._try_moves(path, alpha, beta)
            score = self.mistakes.scores.get(path, right)
            if score != right:
                self.made["value", path] = right
        if is_leaf or len(path) == self.levels:
            self._record("leaf", path, alpha, beta, score)
        self.scores[path] = score
        self.sizes[path] = len(self.visits) - visit + 1
        return score

    def _try_moves(self, path: Path, alpha: float, beta: float) -> tuple[int, float, float]:
        """Visit the nodes below a node; return its score and its final window."""
        moves = self.moves(path)
        scores = []
        for move in moves:
            child = (*path, move)
            self.children[path].append(child)
            scores.append(self._visit(child, alpha, beta))
            if self.is_max(path):
                best = max(scores)
                alpha = max(alpha, best)
            else:
                best = min(scores)
                beta = min(beta, best)
            self._record("back", path, alpha, beta, best)
            rest = moves[len(scores) :]
            if rest and self._leaves(path, len(scores), alpha, beta):
                self.pruned[path] = rest
                self._record("cut", path, alpha, beta, best)
                break
        return best, alpha, beta

    def _leaves(self, path: Path, tried: int, alpha: float, beta: float) -> bool:
        """Return whether the search leaves a node after it has tried some of its moves."""
        right = self.prunes and (alpha > beta if self.is_strict else alpha >= beta)
        found = right and path not in self.mistakes.forgets
        found = found or self.mistakes.early.get(path, tried + 1) <= tried
        if found != right:
            self.made["branches", path] = None
        return found


class Search(Textbook):
    """A search of a position; the side to move at the root is MAX.

    For the path of each node, `boards` has its board.
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
        mistakes: Mistakes | None = None,
    ) -> None:
        super().__init__(prunes=prunes, levels=levels, mistakes=mistakes)
        self.maximizer: Final = to_move
        self.counts_plies: Final = counts_plies
        self.depth: Final = depth
        self.order: Final = order
        self.boards: Final[dict[Path, str]] = {(): board}
        self.run()

    def mover(self, path: Path) -> str:
        """Return the side to move."""
        return self.maximizer if self.is_max(path) else referee.opponent(self.maximizer)

    def leaf(self, path: Path) -> int | None:
        """Return the score of a leaf: that of the finished game, or else the estimate."""
        if path:
            before = self.boards[path[:-1]]
            self.boards[path] = referee.play(before, self.mover(path[:-1]), path[-1])
        board = self.boards[path]
        if not referee.is_over(board):
            is_limit = len(path) == self.depth
            return referee.estimate(board, self.maximizer) if is_limit else None
        plies = 9 - board.count(".")
        win = 100 - plies if self.counts_plies else 100
        if referee.has_won(board, self.maximizer):
            return win
        return -win if referee.has_won(board, referee.opponent(self.maximizer)) else 0

    def moves(self, path: Path) -> list[int]:
        """Return the moves in the order in which they are tried."""
        board = self.boards[path]
        cells = referee.moves(board)
        if self.order == "cells":
            return cells
        depth = self.depth - len(path)
        grades = referee.grade_of_moves(
            board, self.mover(path), depth, counts_plies=self.counts_plies
        )
        best_first = sorted(cells, key=lambda cell: grades[cell], reverse=True)
        return best_first if self.order == "best_first" else best_first[::-1]


Numbers = int | list["Numbers"]


class NumberSearch(Textbook):
    """A search of a tree of numbers, which is a leaf or the list of its branches."""

    def __init__(
        self,
        numbers: list[Numbers],
        *,
        prunes: bool,
        root: str = "max",
        cut: str = "at_least",
        order: str = "given",
        alpha: float = -inf,
        beta: float = inf,
        mistakes: Mistakes | None = None,
    ) -> None:
        is_strict = cut == "above"
        super().__init__(
            prunes=prunes, is_min_first=root == "min", is_strict=is_strict, mistakes=mistakes
        )
        self.numbers: Final = numbers
        self.order: Final = order
        self.run(alpha, beta)

    def at(self, path: Path) -> Numbers:
        """Return the number or the branches at a node."""
        found: Numbers = self.numbers
        for move in path:
            assert isinstance(found, list)
            found = found[move]
        return found

    def value(self, path: Path) -> int:
        """Return the minimax value of a node, which needs no search order and no window."""
        found = self.at(path)
        if isinstance(found, int):
            return found
        values = [self.value((*path, move)) for move in range(len(found))]
        return max(values) if self.is_max(path) else min(values)

    def leaf(self, path: Path) -> int | None:
        """Return the number of a leaf."""
        found = self.at(path)
        return found if isinstance(found, int) else None

    def moves(self, path: Path) -> list[int]:
        """Return the branches in the order in which they are tried."""
        found = self.at(path)
        assert isinstance(found, list)
        given = list(range(len(found)))
        if self.order == "given":
            return given
        sign = -1 if self.is_max(path) else 1
        best_first = sorted(given, key=lambda move: (sign * self.value((*path, move)), move))
        return best_first if self.order == "best_first" else best_first[::-1]

    @property
    def paths(self) -> list[Path]:
        """The paths of all nodes, visited or not, level by level."""
        found: list[Path] = [()]
        for path in found:
            below = self.at(path)
            if isinstance(below, list):
                found += [(*path, move) for move in range(len(below))]
        return found
