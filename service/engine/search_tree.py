"""The search written down node by node: minimax or alpha-beta as the tree that textbooks draw.

One side is MAX and the other MIN, and every number is MAX's, whoever is to move. A score is the integer that the search
compares, as in score.py: 100 minus the ply of the game at which MAX wins (100 where only the outcome counts), 0 a draw,
the same below 0 where MIN wins, and at the horizon the estimate. Alpha and beta are such scores. So a cut is made
exactly where alpha is no longer below beta, and a window given back as it was read asks for the same search again.

The tree is all that it takes to replay the search. Walk it from the root, the children in their order:

    enter      a node, the `visit`-th of all, with its alpha and beta
    leaf       a node with nothing below it has its score from the rules, or from the estimate
    back up    a child's score to its parent: where it is better for the parent's side than all before, it is the best
               so far, and in alpha-beta raises the alpha of MAX, or lowers the beta of MIN, for the next child
    cut        after the last child, where moves are pruned

When a node is left, its best so far is its score.
"""

from dataclasses import dataclass, replace
from typing import Final, Literal, final

from mypy_extensions import i64

from service.engine.minimax import minimax
from service.engine.position import CELLS, COUNT, FULL, WON, Mark, Position, other
from service.engine.score import INFINITY, Outcome, Scoring, distance, is_decided, outcome, value
from service.engine.search import Search

TracedAlgorithm = Literal["minimax", "alphabeta"]
Side = Literal["max", "min"]
Bound = Literal["exact", "at_least", "at_most"]
WindowCause = Literal["empty_window", "unused_window"]

MAX_NODES: Final = 2_000  # in a tree
DEFAULT_NODES: Final = 330  # as many as one can take in: what can follow on five empty cells


class InvalidWindowError(ValueError):
    """Raised for a window that leaves no room for a score, or that minimax would ignore; `cause` says which."""

    def __init__(self, cause: WindowCause, message: str) -> None:
        super().__init__(message)
        self.cause: Final = cause


@final
@dataclass(frozen=True)
class TreeQuestion:
    """A search, and how much of it to write down.

    `max_depth` is in plies. MAX is the side to move, unless `maximizer` names it. The search begins with the window
    from `alpha` to `beta`; None is no limit. `levels` is how many plies below the root are kept, fewer where there
    could be more than MAX_NODES; None keeps as many as fit into DEFAULT_NODES.
    """

    position: Position
    algorithm: TracedAlgorithm = "alphabeta"
    scoring: Scoring = "distance"
    max_depth: int = CELLS
    levels: int | None = None
    maximizer: Mark | None = None
    alpha: int | None = None
    beta: int | None = None

    @property
    def kept_levels(self) -> int:
        """The plies below the root that are kept."""
        empty = CELLS - self.position.ply
        if self.levels is None:
            return levels_within(DEFAULT_NODES, empty)
        return min(self.levels, levels_within(MAX_NODES, empty))

    def mark(self, side: Side) -> Mark:
        """Return the mark of MAX, or that of MIN."""
        maximizer = self.maximizer or self.position.to_move
        return maximizer if side == "max" else other(maximizer)


@final
class Node:
    """A position that the search visited, and what it found there.

    `question` is what the search was asked. `move` led here, None at the root. `own` are the marks of the side to move,
    as a bitboard, and `opponent` the other's; `depth` is the plies still to search. `visit` is the node's place in the
    order of visits, from 1, and `alpha` and `beta` are its window then, None for no limit. `score` is exact, or the
    true one is at least or at most that, as `bound` says. `nodes` counts the visits from here on down, this one too.

    The `children` are in the order of their visits. If moves were `pruned`, never tried, the last child's made the cut.
    A leaf has no children and one node; a collapsed node has more nodes, but none of them is kept.
    """

    def __init__(
        self, question: TreeQuestion, move: int | None, own: i64, opponent: i64, depth: i64, side: Side
    ) -> None:
        self.question = question
        self.move = move
        self.own = own
        self.opponent = opponent
        self.depth = depth
        self.side = side
        self.visit: i64 = 0
        self.alpha: int | None = None
        self.beta: int | None = None
        self.score: i64 = 0
        self.bound: Bound = "exact"
        self.nodes: i64 = 0
        self.children: list[Node] = []
        self.pruned: list[int] = []

    @property
    def to_move(self) -> Mark:
        """The mark of the side to move."""
        return self.question.mark(self.side)

    @property
    def position(self) -> Position:
        """The position, as a whole."""
        if self.to_move == "X":
            return Position(self.own, self.opponent, "X")
        return Position(self.opponent, self.own, "O")

    @property
    def ply(self) -> i64:
        """The half-moves played so far, 0 to 9."""
        return COUNT[self.own | self.opponent]

    @property
    def is_over(self) -> bool:
        """Whether the game has ended here."""
        return self.own | self.opponent == FULL or WON[self.opponent] != 0

    @property
    def is_collapsed(self) -> bool:
        """Whether there are nodes below that are not kept."""
        return self.nodes > 1 and not self.children

    @property
    def cut_by(self) -> int | None:
        """The move that made the cut; None without one."""
        return self.children[-1].move if self.pruned else None

    @property
    def best_child(self) -> "Node | None":
        """The child whose score is the node's, the first of equal ones; None where there are no children."""
        return next((child for child in self.children if child.score == self.score), None)

    @property
    def value(self) -> float:
        """The score as a number: 1 if MAX wins, 0 for a draw, -1 if MIN wins, and between for an estimate."""
        return value(self.score)

    @property
    def outcome(self) -> Outcome:
        """The score as a word, for MAX: `unknown` for an estimate."""
        return self.outcome_of(self.score)

    @property
    def distance(self) -> int | None:
        """The score as plies from here to the end of the game; None for an estimate, or if it does not count them."""
        if self.is_over:
            return 0
        if self.outcome == "unknown" or self.question.scoring == "outcome":
            return None
        return distance(self.score, self.ply)

    def outcome_of(self, score: i64) -> Outcome:
        """Return what a score means in this search, for MAX, as a word."""
        sees_the_end = self.depth >= CELLS - self.ply
        return outcome(score, exact=sees_the_end or is_decided(score))

    def asked_again(self) -> TreeQuestion:
        """Return the question whose tree is what lies here, its visits counted anew, and more of it if none is kept."""
        return replace(
            self.question,
            position=self.position,
            max_depth=self.depth,
            levels=self.question.levels or None,  # not 0, which would never lead on
            maximizer=self.question.mark("max"),
            alpha=self.alpha,
            beta=self.beta,
        )


def search_tree(question: TreeQuestion) -> Node:
    """Search a position as the engine does, and return the root of the tree.

    Raises InvalidWindowError where alpha is not below beta, and for any window with minimax.
    """
    alpha = -INFINITY if question.alpha is None else question.alpha
    beta = INFINITY if question.beta is None else question.beta
    if alpha >= beta:
        raise InvalidWindowError("empty_window", f"Alpha has to be below beta; {alpha} is not below {beta}.")
    if question.algorithm == "minimax" and (question.alpha, question.beta) != (None, None):
        raise InvalidWindowError(
            "unused_window", "Minimax has no window: leave out alpha and beta, or ask for alphabeta."
        )
    position = question.position
    side: Side = "max" if position.to_move == question.mark("max") else "min"
    return _Tracing(question).visit(None, position.own, position.opponent, question.max_depth, alpha, beta, side)


@final
class _Tracing:
    """One search under way, written down."""

    def __init__(self, question: TreeQuestion) -> None:
        self.question: Final = question
        self.search: Final = Search(question.scoring)
        self.prunes: Final = question.algorithm == "alphabeta"
        self.collapsed: i64 = question.max_depth - question.kept_levels  # the depth of the lowest nodes that are kept

    def visit(self, move: int | None, own: i64, opponent: i64, depth: i64, alpha: i64, beta: i64, side: Side) -> Node:
        """Search a position, `depth` plies deep, and return its node."""
        search = self.search
        node = Node(self.question, move, own, opponent, depth, side)
        node.visit = search.nodes + 1
        node.alpha = None if alpha == -INFINITY else alpha
        node.beta = None if beta == INFINITY else beta
        if depth == 0 or node.is_over or (depth == self.collapsed and not self.prunes):
            # The fast search has the score of a leaf, and of all that is neither kept nor pruned.
            score = minimax(search, own, opponent, depth)
            node.score = score if side == "max" else -score
        else:
            search.nodes += 1
            self.try_moves(node, alpha, beta)
        node.nodes = search.nodes - node.visit + 1
        if depth <= self.collapsed:
            node.children, node.pruned = [], []
        return node

    def try_moves(self, node: Node, alpha: i64, beta: i64) -> None:
        """Visit the children of a node, within the window that is left by those before, and back up their scores."""
        sign: i64 = 1 if node.side == "max" else -1
        other_side: Side = "min" if node.side == "max" else "max"
        node.score = -sign * INFINITY
        for cell in range(CELLS):
            move: i64 = 1 << cell
            if (node.own | node.opponent) & move:
                continue
            if alpha >= beta:
                node.pruned.append(cell)
                continue
            child = self.visit(cell, node.opponent, node.own | move, node.depth - 1, alpha, beta, other_side)
            node.children.append(child)
            if sign * child.score > sign * node.score:
                node.score = child.score
                if self.prunes and node.side == "max":
                    alpha = max(alpha, child.score)
                elif self.prunes:
                    beta = min(beta, child.score)
        node.bound = _proven(node)


def _proven(node: Node) -> Bound:
    """Return what the children prove of the score, which is the best of theirs."""
    better: Bound = "at_least" if node.side == "max" else "at_most"
    worse: Bound = "at_most" if node.side == "max" else "at_least"
    if node.pruned:
        return better
    reached = False
    for child in node.children:
        if child.bound == better:
            return better
        reached |= child.score == node.score and child.bound != worse
    return "exact" if reached else worse


def levels_within(nodes: int, empty: int) -> int:
    """Return how many plies below any position with so many empty cells fit into so many nodes, its own included."""
    levels, total, at_level = 0, 1, 1
    while levels < empty:
        at_level *= empty - levels
        total += at_level
        if total > nodes:
            break
        levels += 1
    return levels
