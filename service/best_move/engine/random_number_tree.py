"""Random trees of numbers, such as teachers make for exercises."""

from random import Random
from typing import Final

from best_move.engine.number_tree import Numbers, NumberTreeQuestion, search_number_tree
from best_move.engine.tree_node import Side

_LOWEST: Final = -5
_HIGHEST: Final = 20
_LEAF_RATE: Final = 0.25  # of the inner nodes of an uneven tree


def random_tree(
    branches: int, plies: int, seed: int, root: Side, *, uneven: bool = False
) -> list[Numbers]:
    """Return a random tree that alpha-beta prunes by either rule, with `root` to move first.

    The same arguments give the same tree. With fewer than two branches or plies there is none, so
    the function would not return. An uneven tree has leaves at several depths, and fewer branches
    at some nodes.
    """
    #  The only method that gives the same numbers in every version of Python.
    chance = Random(f"{branches} {plies} {seed} {root} {uneven}").random  # noqa: S311, an exercise

    def grown(ply: int) -> Numbers:
        if ply == plies or (uneven and chance() < _LEAF_RATE):
            return _LOWEST + int(chance() * (_HIGHEST - _LOWEST + 1))
        count = branches - int(uneven and branches > 2 and chance() < _LEAF_RATE)
        return [grown(ply + 1) for _ in range(count)]

    while True:
        tree = [grown(1) for _ in range(branches)]
        if search_number_tree(NumberTreeQuestion(tree, root, cut="above")).never_evaluated:
            return tree
