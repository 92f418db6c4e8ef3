"""Symmetry: all rotations and reflections of a position form one class and have the same scores."""

from best_move.engine.symmetry import CLASSES, class_of
from tests.engine.positions import SYMMETRIES
from tests.truth import referee


def bitboards(board: str) -> tuple[int, int]:
    """Return the marks of X and of O as bits."""
    x, o = (sum(1 << cell for cell in range(9) if board[cell] == mark) for mark in "XO")
    return x, o


def test_positions_share_a_class_exactly_if_they_are_symmetric() -> None:
    """Two boards share a class exactly if one is a rotation or reflection of the other."""
    classes: dict[int, set[str]] = {}
    for board in referee.all_boards():
        if board.count("O") - board.count("X") in (0, 1):
            classes.setdefault(class_of(*bitboards(board)), set()).add(board)
    assert sorted(classes) == list(range(CLASSES))
    for images in classes.values():
        board = min(images)
        assert images == {"".join(board[cell] for cell in symmetry) for symmetry in SYMMETRIES}
