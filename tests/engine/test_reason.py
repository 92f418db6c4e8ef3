"""Reasons: the first of Newell and Simon's rules that applies."""

from best_move.engine.reason import reason_of
from tests.engine.positions import POSITIONS
from tests.truth import referee


def test_every_move_has_the_reason_that_the_rules_give() -> None:
    """On every position each legal move has the reason that the rules of the referee give."""
    given = set()
    for position in POSITIONS:
        for move in position.legal_moves:
            found = reason_of(position, move)
            assert found == referee.reason(position.board, position.to_move, move)
            given.add(found)
    assert given == {
        "win",
        "block",
        "fork",
        "block_fork",
        "center",
        "opposite_corner",
        "corner",
        "side",
    }
