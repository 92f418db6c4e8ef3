"""The sentences about cutoffs: cutoffs.txt has all of them, with the scores that each is about."""

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from best_move.engine.position import Position
from best_move.engine.search_tree import Node, TreeQuestion, search_tree
from best_move.engine.search_tree_text import cut_text
from tests.engine.positions import EVERY_POSITION
from tests.plays import Shown, check_play

FEW: Final = [position for position in EVERY_POSITION if position.ply >= 3][::25]


def cutoffs(scoring: Any) -> Iterator[Node]:
    """Yield the nodes at which moves are pruned in searches of some positions, at some depths."""
    for position in FEW:
        for depth in (2, 3, 9):
            unseen = [search_tree(TreeQuestion(position, "alphabeta", scoring, depth))]
            while unseen:
                node = unseen.pop()
                unseen += node.children
                if node.pruned:
                    yield node


def test_each_cutoff_has_the_sentence_that_was_approved() -> None:
    """A sentence is told once, then all pairs of the score elsewhere and here that have it.

    Estimates, which the sentence states, are T (there) and H (here). At nodes of MIN the first
    score is alpha, so it is not below the second; at nodes of MAX it is beta.
    """

    def do(actions: list[str]) -> Shown:
        found = defaultdict(set)
        for node in cutoffs(actions[0]):
            there = node.alpha if node.side == "min" else node.beta
            assert there is not None
            sign = "=" if there == node.score else "<>"[there > node.score]
            text = cut_text(node).replace(
                f"estimate of {there} elsewhere", "estimate of T elsewhere"
            )
            text = text.replace(f"estimate of {node.score}, so", "estimate of H, so")
            pair = ("T" if "of T" in text else there, "H" if "of H" in text else node.score)
            found[text].add(f"{pair[0]}{sign}{pair[1]}")
        rows = [f"{text} | {', '.join(sorted(found[text]))}" for text in sorted(found)]
        return Shown([], {}, {"sentences": "\n".join(rows)})

    check_play(Path(__file__).with_name("cutoffs.txt"), do)


def test_a_node_without_a_cutoff_has_no_sentence() -> None:
    """The text of a node whose moves were all tried is empty."""
    root = search_tree(TreeQuestion(Position.parse("X.O.O.X..")))
    assert not root.pruned
    assert cut_text(root) == ""
