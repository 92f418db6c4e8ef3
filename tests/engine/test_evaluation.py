"""Static evaluation: the textbook's formula, for both sides."""

import pytest

from best_move.engine.evaluation import estimate
from best_move.engine.position import Position
from tests.engine.positions import POSITIONS
from tests.truth import referee


def of(position: Position) -> int:
    """Return the estimate of a position for the side to move."""
    return int(estimate(position.own, position.opponent))


def test_every_estimate_follows_the_formula() -> None:
    """On every position the estimate is that of the referee."""
    for position in POSITIONS:
        assert of(position) == referee.estimate(position.board, position.to_move)


@pytest.mark.parametrize(
    ("board", "expected"),
    [(".........", 0), ("....X....", -4), ("X.......O", 0), ("X...X...O", -3)],
    ids=["empty", "center", "opposite corners", "blocked"],
)
def test_estimates_equal_those_counted_by_hand(board: str, expected: int) -> None:
    """A mark in the center is on four lines, a mark in a corner on three."""
    assert of(Position.parse(board)) == expected
