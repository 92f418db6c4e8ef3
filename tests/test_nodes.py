"""The picture of the nodes shows the numbers of nodes that the searches visit."""

from best_move.engine import ALGORITHMS
from tests.programs.nodes import COLORS, PICTURE, draw


def test_the_picture_is_drawn_from_the_counts() -> None:
    """The committed picture is the one that `make picture` draws."""
    assert {*COLORS} == {*ALGORITHMS}, "Update `COLORS` in tests/programs/nodes.py."
    is_current = PICTURE.read_text(encoding="utf-8") == draw()
    assert is_current, "Run `make picture`."
