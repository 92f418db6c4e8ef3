"""What scores mean: each is read as value, outcome and distance."""

import pytest

from service.engine import score
from service.engine.search import Search


def test_an_earlier_win_is_better_and_a_later_loss_is() -> None:
    """Counting plies, the loss at a later ply scores higher, so the win at an earlier one does."""
    losses = [Search("distance").loss((1 << ply) - 1) for ply in range(5, 10)]
    assert losses == sorted(set(losses))


@pytest.mark.parametrize(
    ("number", "value", "outcome"),
    [(95, 1.0, "win"), (0, 0.0, "draw"), (-95, -1.0, "loss"), (100, 1.0, "win"), (-100, -1.0, "loss")],
)
def test_a_score_has_a_value_and_an_outcome(number: int, value: float, outcome: str) -> None:
    """Win, draw and loss are 1, 0 and -1, and have a word each."""
    assert (score.value(number), score.outcome(number)) == (value, outcome)


@pytest.mark.parametrize(("number", "ply", "plies"), [(95, 4, 1), (-93, 1, 6), (0, 3, 6), (0, 9, 0), (-95, 5, 0)])
def test_a_distance_is_the_plies_that_are_left(number: int, ply: int, plies: int) -> None:
    """A win or loss ends at the ply in its score, a draw when the board is full."""
    assert score.distance(number, ply) == plies
