"""Reasons: the first of Newell and Simon's rules that applies."""

import pytest

from best_move.engine.position import Position
from best_move.engine.reason import reason
from tests import referee
from tests.engine.positions import POSITIONS

CORNERS = {0: 8, 2: 6, 6: 2, 8: 0}


def wins(board: str, mark: str) -> set[int]:
    """Return the empty cells that complete a line of a side."""
    empty = [cell for cell in range(9) if board[cell] == "."]
    return {cell for cell in empty if referee.has_won(referee.play(board, mark, cell), mark)}


def forks(board: str, mark: str) -> set[int]:
    """Return the empty cells after which a side could win in two ways."""
    empty = [cell for cell in range(9) if board[cell] == "."]
    return {cell for cell in empty if len(wins(referee.play(board, mark, cell), mark)) >= 2}


def expected(board: str, mark: str, move: int) -> str:
    """Return the first rule that applies to a move; the rules are written here again, without the engine."""
    other = referee.opponent(mark)
    after = referee.play(board, mark, move)
    forced = wins(after, mark)
    replies = forced or {cell for cell in range(9) if after[cell] == "."}
    rules = {
        "win": referee.has_won(after, mark),
        "block": referee.has_won(referee.play(board, other, move), other),
        "fork": len(forced) >= 2,
        "block_fork": not wins(board, other) and bool(forks(board, other)) and not forks(after, other) & replies,
        "center": move == 4,
        "opposite_corner": move in CORNERS and board[CORNERS.get(move, 0)] == other,
        "corner": move in CORNERS,
        "side": True,
    }
    return next(rule for rule, fits in rules.items() if fits)


def test_every_move_has_the_reason_that_the_rules_give() -> None:
    """On every position each legal move has the reason that the rules in this file give."""
    given = set()
    for position in POSITIONS:
        for move in position.legal_moves:
            found = reason(position.own, position.opponent, move)
            assert found == expected(position.board, position.to_move, move)
            given.add(found)
    assert given == {"win", "block", "fork", "block_fork", "center", "opposite_corner", "corner", "side"}


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
def test_positions_from_the_literature_have_the_known_reasons(board: str, move: int, why: str) -> None:
    """For example, against marks in opposite corners a move to a side blocks the fork; a move to a corner does not."""
    position = Position.parse(board)
    assert reason(position.own, position.opponent, move) == why
