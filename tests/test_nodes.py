"""The picture of the nodes shows what the searches visit."""

from tests.nodes import PICTURE, draw


def test_the_picture_is_drawn_from_the_counts() -> None:
    """The picture that the README shows is the one that `make picture` draws now."""
    assert PICTURE.read_text(encoding="utf-8") == draw()
