"""What scores mean: their bands do not meet, and each is read as value, outcome and distance."""

import pytest

from service.engine import score
from service.engine.evaluation import estimate
from service.engine.search import Search
from tests.engine.positions import EVERY_POSITION

WINS_AND_LOSSES = {
    sign * int(Search(scoring).loss((1 << ply) - 1))
    for scoring in ("distance", "outcome")
    for ply in range(5, 10)
    for sign in (1, -1)
}


def test_no_estimate_reaches_a_decided_score() -> None:
    """The estimates of all positions lie within the limit, the decided scores beyond it, and infinity beyond both."""
    estimates = {estimate(position.own, position.opponent) for position in EVERY_POSITION}
    assert max(estimates) < score.ESTIMATE_LIMIT
    assert min(estimates) > -score.ESTIMATE_LIMIT
    assert not any(score.is_decided(number) for number in estimates)
    assert all(score.is_decided(number) for number in WINS_AND_LOSSES)
    assert all(score.ESTIMATE_LIMIT < abs(number) < score.INFINITY for number in WINS_AND_LOSSES)


def test_an_earlier_win_is_better_and_a_later_loss_is() -> None:
    """Counting plies, the loss at a later ply scores higher, so the win at an earlier one does."""
    losses = [Search("distance").loss((1 << ply) - 1) for ply in range(5, 10)]
    assert losses == sorted(set(losses))


@pytest.mark.parametrize(
    ("number", "value", "outcome"),
    [(95, 1.0, "win"), (0, 0.0, "draw"), (-95, -1.0, "loss"), (100, 1.0, "win"), (-100, -1.0, "loss")],
)
def test_an_exact_score_has_a_value_and_an_outcome(number: int, value: float, outcome: str) -> None:
    """Win, draw and loss are 1, 0 and -1, and have a word each."""
    assert (score.value(number), score.outcome(number, exact=True)) == (value, outcome)


def test_an_estimate_lies_strictly_between_loss_and_win() -> None:
    """An estimate's value is between -1 and 1, both excluded, grows with the estimate, and its outcome is unknown."""
    values = [score.value(number) for number in range(1 - score.ESTIMATE_LIMIT, score.ESTIMATE_LIMIT)]
    assert values == sorted(set(values))
    assert values[0] > -1
    assert values[-1] < 1
    assert score.outcome(5, exact=False) == "unknown"


@pytest.mark.parametrize(("number", "ply", "plies"), [(95, 4, 1), (-93, 1, 6), (0, 3, 6), (0, 9, 0), (-95, 5, 0)])
def test_a_distance_is_the_plies_that_are_left(number: int, ply: int, plies: int) -> None:
    """A win or loss ends at the ply in its score, a draw when the board is full."""
    assert score.distance(number, ply) == plies
