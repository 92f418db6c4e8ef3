"""Scores: their ranges, and their conversion to values, outcomes and distances."""

from best_move.engine import score
from best_move.engine.evaluation import estimate
from best_move.engine.search import Search
from tests.engine.positions import POSITIONS

WINS_AND_LOSSES = {
    sign * int(Search(scoring).loss((1 << ply) - 1))
    for scoring in ("distance", "outcome")
    for ply in range(5, 10)
    for sign in (1, -1)
}


def test_no_estimate_reaches_a_decided_score() -> None:
    """Estimates are within the limit, decided scores beyond it, and infinity beyond all."""
    estimates = {estimate(position.own, position.opponent) for position in POSITIONS}
    assert max(estimates) < score.ESTIMATE_LIMIT
    assert min(estimates) > -score.ESTIMATE_LIMIT
    assert not any(score.is_decided(number) for number in estimates)
    assert all(score.is_decided(number) for number in WINS_AND_LOSSES)
    assert all(score.ESTIMATE_LIMIT < abs(number) < score.INFINITY for number in WINS_AND_LOSSES)


def test_an_earlier_win_and_a_later_loss_score_higher() -> None:
    """If plies count, a later loss scores higher than an earlier one; a win is the negated loss."""
    losses = [Search("distance").loss((1 << ply) - 1) for ply in range(5, 10)]
    assert losses == sorted(set(losses))


def test_an_estimate_lies_strictly_between_loss_and_win() -> None:
    """An estimate's value is between -1 and 1 and grows with it; its outcome is unknown."""
    values = [
        score.value(number) for number in range(1 - score.ESTIMATE_LIMIT, score.ESTIMATE_LIMIT)
    ]
    assert values == sorted(set(values))
    assert values[0] > -1
    assert values[-1] < 1
    assert score.outcome(5, exact=False) == "unknown"
