"""Reasons: the first of Newell and Simon's rules that applies."""

import pytest

from best_move.engine.position import Position
from best_move.engine.reason import reason
from tests.engine.positions import POSITIONS
from tests.truth import referee


def test_every_move_has_the_reason_that_the_rules_give() -> None:
    """On every position each legal move has the reason that the rules of the referee give."""
    given = set()
    for position in POSITIONS:
        for move in position.legal_moves:
            found = reason(position.own, position.opponent, move)
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


@pytest.mark.parametrize(
    ("board", "move", "why"),
    [
        ("XX.OO....", 2, "win"),
        ("XX.O.....", 2, "block"),
        ("X...O...X", 1, "block_fork"),
        ("X...O...X", 2, "corner"),
        ("XO.O..X..", 8, "fork"),
        (".........", 4, "center"),
        ("X........", 8, "opposite_corner"),
        (".........", 6, "corner"),
        (".........", 7, "side"),
    ],
)
def test_positions_from_the_literature_have_the_known_reasons(
    board: str, move: int, why: str
) -> None:
    """Against opposite corners a move to a side blocks the fork; a move to a corner does not."""
    position = Position.parse(board)
    assert reason(position.own, position.opponent, move) == why
