"""The static estimate: the textbook's formula, fair to both sides and to every way of turning the board."""

import pytest

from service.engine.evaluation import estimate
from service.engine.position import Position
from tests import referee
from tests.engine.positions import EVERY_POSITION, SYMMETRIES, mirrored


def of(position: Position) -> int:
    """Return the estimate for the side to move."""
    return int(estimate(position.own, position.opponent))


def test_every_estimate_is_the_formulas() -> None:
    """On every position the estimate is 3·X₂ + X₁ - (3·O₂ + O₁), counted line by line."""
    for position in EVERY_POSITION:
        assert of(position) == referee.estimate(position.board, position.to_move)


def test_exchanging_the_sides_changes_the_sign() -> None:
    """What is good for one side is as bad for the other."""
    for position in EVERY_POSITION:
        assert estimate(position.opponent, position.own) == -of(position)


def test_symmetry_changes_nothing() -> None:
    """The 8 symmetries of the board leave the estimate as it is."""
    for position in EVERY_POSITION:
        assert {of(mirrored(position, symmetry)) for symmetry in SYMMETRIES} == {of(position)}


@pytest.mark.parametrize(
    ("board", "expected"),
    [(".........", 0), ("....X....", -4), ("X.......O", 0), ("X...X...O", -3)],
    ids=["empty", "center", "opposite corners", "blocked"],
)
def test_known_positions(board: str, expected: int) -> None:
    """Counted by hand: a mark in the center stands on four open lines, one in a corner on three."""
    assert of(Position.parse(board)) == expected
