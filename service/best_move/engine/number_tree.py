"""Minimax and alpha-beta on a tree of numbers, node by node, as textbooks and exams draw it.

The leaves are numbers, and MAX and MIN move by turns. The tree is replayed as that of a position
(search_tree.py).
"""

from dataclasses import dataclass
from typing import Final, Literal, final

from best_move.engine.tree_node import Side, TracedAlgorithm, TreeNode, check_window

CutRule = Literal["at_least", "above"]
BranchOrder = Literal["given", "best_first", "worst_first"]
Numbers = int | list["Numbers"]  # a leaf, or the branches of a node

MAX_NUMBER: Final = 999  # a leaf, alpha or beta is between this number and its negative

_INFINITY: Final = MAX_NUMBER + 1
_ALPHABET: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@final
@dataclass(frozen=True)
class NumberTreeQuestion:
    """A search of a tree of numbers, with the branches of its root in `tree`.

    `root` is the side to move there. Alpha-beta prunes if alpha is at least beta, or only if it is
    above beta. `order` is the order in which every node's branches are tried: as given, or by their
    minimax values, equal ones as given; `worst_first` is the reverse of `best_first`. The search
    starts with the window from `alpha` to `beta`; None means no limit.
    """

    tree: list[Numbers]
    root: Side = "max"
    algorithm: TracedAlgorithm = "alphabeta"
    cut: CutRule = "at_least"
    order: BranchOrder = "given"
    alpha: int | None = None
    beta: int | None = None


@final
class NumberNode(TreeNode["NumberNode"]):
    """A leaf, or a node with branches, which a move numbers from 0.

    A node that was never visited has the visit 0. `name` is its letter, level by level from A.
    `value` is its minimax value, and `path` has the moves that lead to it from the root.
    """

    def __init__(self, move: int | None, side: Side, path: tuple[int, ...]) -> None:
        super().__init__(move, side)
        self.path = path
        self.name = ""
        self.value = 0
        self.branches: list[NumberNode] = []


@final
class NumberTree:
    """A search, its root, and the leaves that it evaluated or not.

    `evaluated` has the leaves in the order of their visits, `never_evaluated` has the others from
    left to right.
    """

    def __init__(self, question: NumberTreeQuestion, root: NumberNode) -> None:
        self.question = question
        self.root = root
        leaves = _leaves(root)
        self.evaluated = sorted(
            (leaf for leaf in leaves if leaf.visit), key=lambda leaf: leaf.visit
        )
        self.never_evaluated = [leaf for leaf in leaves if not leaf.visit]


def search_number_tree(question: NumberTreeQuestion) -> NumberTree:
    """Search a tree, whose lists have at least one item; raise InvalidWindowError."""
    check_window(question.algorithm, question.alpha, question.beta)
    root = _grown(question.tree, question.root)
    alpha = -_INFINITY if question.alpha is None else question.alpha
    beta = _INFINITY if question.beta is None else question.beta
    _Search(question).visit(root, alpha, beta)
    return NumberTree(question, root)


@final
class _Search:
    """Minimax or alpha-beta, as textbooks write it."""

    def __init__(self, question: NumberTreeQuestion) -> None:
        self.question = question
        self.prunes = question.algorithm == "alphabeta"
        self.nodes = 0

    def visit(self, node: NumberNode, alpha: int, beta: int) -> None:
        """Search a node, and record its window and its result."""
        self.nodes += 1
        node.visit = self.nodes
        node.alpha = alpha if alpha > -_INFINITY else None
        node.beta = beta if beta < _INFINITY else None
        node.score = node.value if not node.branches else _worst(node.side)
        for child in self.ordered(node):
            if self.cuts(alpha, beta):
                node.pruned.append(child.path[-1])
                continue
            self.visit(child, alpha, beta)
            node.children.append(child)
            if node.side == "max":
                node.score = max(node.score, child.score)
                alpha = max(alpha, node.score) if self.prunes else alpha
            else:
                node.score = min(node.score, child.score)
                beta = min(beta, node.score) if self.prunes else beta
        if node.branches:
            node.bound = node.proven()
        node.nodes = self.nodes - node.visit + 1

    def cuts(self, alpha: int, beta: int) -> bool:
        """Return whether alpha-beta prunes with a window; minimax's never closes."""
        return alpha >= beta if self.question.cut == "at_least" else alpha > beta

    def ordered(self, node: NumberNode) -> list[NumberNode]:
        """Return a node's branches in the order in which they are tried."""
        order = self.question.order
        if order == "given":
            return node.branches
        best_first = sorted(
            node.branches, key=lambda each: each.value if node.side == "min" else -each.value
        )
        return best_first if order == "best_first" else best_first[::-1]


def _grown(tree: list[Numbers], side: Side) -> NumberNode:
    """Return the root of a tree with all its nodes, which have names and minimax values."""
    root = NumberNode(None, side, ())
    nodes: list[tuple[NumberNode, Numbers]] = [(root, tree)]
    for node, numbers in nodes:  # level by level, because each adds its branches at the end
        if isinstance(numbers, int):
            node.value = numbers
            continue
        below: Side = "min" if node.side == "max" else "max"
        for move, each in enumerate(numbers):
            child = NumberNode(move, below, (*node.path, move))
            node.branches.append(child)
            nodes.append((child, each))
    for number, (node, _) in enumerate(nodes):
        node.name = _letters(number)
    for node, _ in reversed(nodes):  # branches before the nodes that have them
        if node.branches:
            values = [each.value for each in node.branches]
            node.value = max(values) if node.side == "max" else min(values)
    return root


def _letters(number: int) -> str:
    """Return the name of a node: A to Z, then AA, AB and so on."""
    before, last = divmod(number, len(_ALPHABET))
    return (_letters(before - 1) if before else "") + _ALPHABET[last]


def _worst(side: Side) -> int:
    """Return a score that is worse for a side than any number."""
    return -_INFINITY if side == "max" else _INFINITY


def _leaves(node: NumberNode) -> list[NumberNode]:
    """Return the leaves below a node from left to right, or the node itself if it is one."""
    if not node.branches:
        return [node]
    return [leaf for branch in node.branches for leaf in _leaves(branch)]
