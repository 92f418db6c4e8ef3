"""Random trees of numbers, as exams have them: even and uneven, deep and flat, with many ties."""

from random import Random

from tests.truth.textbook import Numbers

MOST_LEAVES = 40


def any_tree(dice: Random) -> list[Numbers]:
    """Return a random tree; one in eight has one leaf."""
    lowest, highest = dice.choice([(0, 3), (-2, 2), (-9, 9), (0, 20), (-999, 999)])
    plies = dice.randint(1, 5)
    branches = dice.randint(2, 4)
    is_uneven = dice.random() < 0.6
    if dice.random() < 1 / 8:
        plies, branches, is_uneven = dice.randint(1, 8), 1, False

    def grown(ply: int) -> Numbers:
        if ply == plies or (ply and is_uneven and dice.random() < 0.25):
            return dice.randint(lowest, highest)
        count = dice.randint(1, branches) if is_uneven else branches
        return [grown(ply + 1) for _ in range(count)]

    tree = grown(0)
    assert isinstance(tree, list)
    return tree if leaves(tree) <= MOST_LEAVES else any_tree(dice)


def leaves(tree: Numbers) -> int:
    """Return the number of leaves."""
    return 1 if isinstance(tree, int) else sum(map(leaves, tree))
