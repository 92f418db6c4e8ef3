"""The search tree of minimax or alpha-beta, node by node, as textbooks draw it.

One side is MAX and the other MIN. Scores, alpha and beta are integers as in score.py, but from
MAX's point of view. A cutoff happens when alpha reaches beta. A new search of a node's position,
with the node's window and depth, gives the same subtree.

The tree is enough to replay the search: walk from the root, and visit the children of each node in
their order.

    enter      Enter a node, the `visit`-th of all, with its alpha and beta.
    leaf       A node without children gets its score from the rules or from the estimate.
    back up    Pass a child's score to its parent. If it is better for the parent's side than the
               scores of all earlier children, it is the best so far. In alpha-beta it then raises
               alpha if the parent is MAX, or lowers beta if the parent is MIN, unless that bound
               is already at least as tight.
    cutoff     If moves are pruned, the cutoff happens after the last child.

When the search leaves a node, the best score so far becomes the node's score.
"""

from dataclasses import dataclass, replace
from typing import Final, Literal, final

from mypy_extensions import i64

from best_move.engine.minimax import minimax
from best_move.engine.position import CELLS, COUNT, FULL, WON, Mark, Position, other
from best_move.engine.score import INFINITY, Assessment, Scoring, assess
from best_move.engine.search import Search
from best_move.engine.transposition_table import Table, search_with_table
from best_move.engine.tree_node import Side, TracedAlgorithm, TreeNode, check_window

MoveOrder = Literal["cells", "best_first", "worst_first"]

MAX_NODES: Final = 2_000  # per tree
DEFAULT_NODES: Final = 330  # enough for any tree with five empty cells


@final
@dataclass(frozen=True)
class TreeQuestion:
    """A search, and how many plies of its tree to keep.

    `max_depth` is in plies. `maximizer` is the side that is MAX; None means the side to move. The
    search starts with the window from `alpha` to `beta`; None means no limit. `plies` is the
    number of plies below the root to keep; fewer are kept if there could be more than MAX_NODES
    nodes, and None keeps as many plies as fit in DEFAULT_NODES nodes. `order` is the order in which
    every node's moves are tried: by cell, or by their scores within the depth limit, equal ones by
    cell. `worst_first` is the reverse of `best_first`.
    """

    position: Position
    algorithm: TracedAlgorithm = "alphabeta"
    scoring: Scoring = "distance"
    max_depth: int = CELLS
    plies: int | None = None
    maximizer: Mark | None = None
    alpha: int | None = None
    beta: int | None = None
    order: MoveOrder = "cells"

    @property
    def kept_plies(self) -> int:
        """The number of plies below the root that are kept."""
        empty = CELLS - self.position.ply
        if self.plies is None:
            return plies_within(DEFAULT_NODES, empty)
        return min(self.plies, plies_within(MAX_NODES, empty))

    def mark(self, side: Side) -> Mark:
        """Return the mark of a side, MAX or MIN."""
        maximizer = self.maximizer or self.position.to_move
        return maximizer if side == "max" else other(maximizer)


@final
class Node(TreeNode["Node"]):
    """A position that the search visited, and its result.

    `question` is the question of the whole search. `own` and `opponent` are the marks of the side
    to move and of its opponent, as bitboards; `depth` is the number of plies still to search.

    Neither a leaf nor a collapsed node has children: `nodes` is 1 for a leaf, and more for a
    collapsed node, because the search visited children that are not kept.
    """

    def __init__(
        self,
        question: TreeQuestion,
        move: int | None,
        own: i64,
        opponent: i64,
        depth: i64,
        side: Side,
    ) -> None:
        super().__init__(move, side)
        self.question = question
        self.own = own
        self.opponent = opponent
        self.depth = depth

    @property
    def to_move(self) -> Mark:
        """The mark of the side to move."""
        return self.question.mark(self.side)

    @property
    def position(self) -> Position:
        """The position of this node."""
        if self.to_move == "X":
            return Position(self.own, self.opponent, "X")
        return Position(self.opponent, self.own, "O")

    @property
    def ply(self) -> i64:
        """The number of plies played so far, 0 to 9."""
        return COUNT[self.own | self.opponent]

    @property
    def is_over(self) -> bool:
        """Whether the game is over at this node."""
        return self.own | self.opponent == FULL or WON[self.opponent] != 0

    @property
    def is_collapsed(self) -> bool:
        """Whether the search visited children of this node that are not kept."""
        return self.nodes > 1 and not self.children

    @property
    def assessment(self) -> Assessment:
        """What the score stands for, from MAX's point of view."""
        return self.assess(self.score)

    def assess(self, score: i64) -> Assessment:
        """Return what a score stands for at this node, from the point of view that it has."""
        return assess(score, self.ply, self.depth, self.question.scoring, is_over=self.is_over)

    def after(self, cell: int) -> "Node":
        """Return the node after a move, which has no result yet."""
        side: Side = "min" if self.side == "max" else "max"
        move: i64 = 1 << cell
        opponent = self.own | move
        depth = self.depth - 1
        return Node(self.question, cell, self.opponent, opponent, depth, side)

    def subtree_question(self) -> TreeQuestion:
        """Return the question whose tree is this subtree, with its children; visits start at 1."""
        return replace(
            self.question,
            position=self.position,
            max_depth=self.depth,
            plies=self.question.plies or None,  # 0 would keep no children again
            maximizer=self.question.mark("max"),
            alpha=self.alpha,
            beta=self.beta,
        )


def search_tree(question: TreeQuestion) -> Node:
    """Search as the engine does; return the root of the tree, or raise InvalidWindowError."""
    check_window(question.algorithm, question.alpha, question.beta)
    alpha = -INFINITY if question.alpha is None else question.alpha
    beta = INFINITY if question.beta is None else question.beta
    position = question.position
    side: Side = "max" if position.to_move == question.mark("max") else "min"
    root = Node(question, None, position.own, position.opponent, question.max_depth, side)
    _Tracing(question).visit(root, alpha, beta)
    return root


@final
class _Tracing:
    """A search that records its tree."""

    def __init__(self, question: TreeQuestion) -> None:
        self.search = Search(question.scoring)
        self.prunes = question.algorithm == "alphabeta"
        self.order = question.order
        # Orders the moves, with a Search of its own, so that ordering counts no nodes.
        self.table = Table(Search(question.scoring))
        # The depth, in plies still to search, of the lowest nodes that are kept.
        self.lowest_kept: i64 = question.max_depth - question.kept_plies

    def visit(self, node: Node, alpha: i64, beta: i64) -> None:
        """Search a node, and record its window and its result."""
        search = self.search
        depth = node.depth
        node.visit = search.nodes + 1
        if alpha != -INFINITY:
            node.alpha = alpha
        if beta != INFINITY:
            node.beta = beta
        is_leaf = depth == 0 or node.is_over
        # Alpha-beta visits children even if they are dropped in the end: the node's bound follows
        # from their bounds.
        skips_tree = depth == self.lowest_kept and not self.prunes
        if is_leaf or skips_tree:
            # Plain minimax scores a leaf, or a subtree that is not kept, without recording nodes.
            score = minimax(search, node.own, node.opponent, depth)
            node.score = score if node.side == "max" else -score
        else:
            search.nodes += 1
            self.try_moves(node, alpha, beta)
        node.nodes = search.nodes - node.visit + 1
        if depth <= self.lowest_kept:
            node.children = []
            node.pruned = []

    def try_moves(self, node: Node, alpha: i64, beta: i64) -> None:
        """Visit a node's children, and back up their scores.

        In alpha-beta, these narrow the window, and children are pruned if it closes.
        """
        is_max = node.side == "max"
        node.score = -INFINITY if is_max else INFINITY
        for cell in self.ordered_moves(node):
            if alpha >= beta:
                node.pruned.append(cell)
                continue
            child = node.after(cell)
            self.visit(child, alpha, beta)
            node.children.append(child)
            if is_max:
                node.score = max(node.score, child.score)
            else:
                node.score = min(node.score, child.score)
            if self.prunes and is_max:
                alpha = max(alpha, node.score)
            elif self.prunes:
                beta = min(beta, node.score)
        node.bound = node.proven()

    def ordered_moves(self, node: Node) -> list[int]:
        """Return a node's moves in the order of the question."""
        free = ~(node.own | node.opponent)
        cells = [cell for cell in range(CELLS) if free >> cell & 1]
        if self.order == "cells":
            return cells
        scored: list[tuple[i64, int]] = []
        for cell in cells:
            move: i64 = 1 << cell
            score = search_with_table(
                self.table, node.opponent, node.own | move, node.depth - 1, -INFINITY, INFINITY
            )
            scored.append((score, cell))
        # The scores are the opponent's: the lowest is the best.
        scored.sort(reverse=self.order == "worst_first")
        return [cell for _, cell in scored]


def plies_within(nodes: int, empty: int) -> int:
    """Return how many plies below a position with `empty` free cells fit in `nodes` nodes."""
    level_nodes = 1
    total = 1
    for level in range(empty):
        level_nodes *= empty - level
        total += level_nodes
        if total > nodes:
            return level
    return empty
