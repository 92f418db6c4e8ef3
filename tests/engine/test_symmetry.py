"""Symmetry: one class for each set of mirror images."""

from service.engine.symmetry import CLASSES, class_of
from tests import referee
from tests.engine.positions import SYMMETRIES


def bitboards(board: str) -> tuple[int, int]:
    """Return the marks of X and of O."""
    x, o = (sum(1 << cell for cell in range(9) if board[cell] == mark) for mark in "XO")
    return x, o


def test_mirror_images_are_of_one_class_and_others_are_not() -> None:
    """Two boards with X to move have the same class exactly if one is the other turned, mirrored or both."""
    classes: dict[int, set[str]] = {}
    for board in referee.all_boards():
        if board.count("O") - board.count("X") in (0, 1):
            classes.setdefault(class_of(*bitboards(board)), set()).add(board)
    assert sorted(classes) == list(range(CLASSES))
    for images in classes.values():
        board = min(images)
        assert images == {"".join(board[cell] for cell in symmetry) for symmetry in SYMMETRIES}
