"""What the search trees of boards and of numbers have in common: their nodes and their windows."""

from typing import Any, Generic, Literal, TypeVar

from mypy_extensions import i64

from best_move.engine.position import CauseError

TracedAlgorithm = Literal["minimax", "alphabeta"]
Side = Literal["max", "min"]
Bound = Literal["exact", "at_least", "at_most"]
WindowCause = Literal["empty_window", "unused_window"]

AnyNode = TypeVar("AnyNode", bound="TreeNode[Any]")


class InvalidWindowError(CauseError[WindowCause]):
    """Raised if alpha is not below beta, or if minimax, which has no window, is given one."""


def check_window(algorithm: TracedAlgorithm, alpha: int | None, beta: int | None) -> None:
    """Raise InvalidWindowError unless a search can start with a window; None means no limit."""
    if alpha is not None and beta is not None and alpha >= beta:
        text = f"`alpha` must be below `beta`: {alpha} is not below {beta}."
        raise InvalidWindowError("empty_window", text)
    if algorithm == "minimax" and (alpha is not None or beta is not None):
        text = "Minimax has no window: omit `alpha` and `beta`, or set `algorithm` to `alphabeta`."
        raise InvalidWindowError("unused_window", text)


class TreeNode(Generic[AnyNode]):
    """A node that the search visited, and its result.

    `move` led to this node; it is None at the root. `side` says whether MAX or MIN is to move.
    `visit` is the node's place in the order of visits, from 1, and `alpha` and `beta` are its
    window on entry; None means no limit. `bound` says whether `score` is exact, a lower bound or an
    upper bound. `nodes` is the number of nodes in the subtree, including this one.

    The `children` are in the order of their visits. If moves were `pruned`, the last child's move
    made the cutoff.
    """

    def __init__(self, move: int | None, side: Side) -> None:
        self.move = move
        self.side = side
        self.visit: i64 = 0
        self.alpha: int | None = None
        self.beta: int | None = None
        self.score: i64 = 0
        self.bound: Bound = "exact"
        self.nodes: i64 = 0
        self.children: list[AnyNode] = []
        self.pruned: list[int] = []

    @property
    def best_child(self) -> AnyNode | None:
        """The first child that has the node's score, if possible exactly; None without children.

        A child before it that has this score only as a bound can be a worse move.
        """
        best = [child for child in self.children if child.score == self.score]
        exact = [child for child in best if child.bound == "exact"]
        return next(iter(exact or best), None)

    @property
    def elsewhere(self) -> int | None:
        """The score that the opponent has at another move when the search enters the node.

        None means that it has none. A bound that the question sets counts as such a score.
        """
        return self.beta if self.side == "max" else self.alpha

    def proven(self) -> Bound:
        """Return whether the score, the best one of the children, is exact or a bound."""
        may_be_better: Bound = "at_least"
        may_be_worse: Bound = "at_most"
        if self.side == "min":
            may_be_better, may_be_worse = may_be_worse, may_be_better
        # For MAX: a pruned move, or a child that may be better than its score, could still raise
        # the node's score. "At least" is then true: the score is at or above beta, so it cannot
        # come only from children that may be worse, whose scores are at or below alpha. For MIN,
        # the other way around.
        if self.pruned or any(child.bound == may_be_better for child in self.children):
            return may_be_better
        # Otherwise no child is better than the score, which is exact if one child has it exactly.
        # If only children with the other bound have it, it is that bound.
        for child in self.children:
            if child.bound == "exact" and child.score == self.score:
                return "exact"
        return may_be_worse
