"""Static evaluation: the textbook's formula, for both sides."""

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
