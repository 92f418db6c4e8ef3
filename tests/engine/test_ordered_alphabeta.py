"""Move ordering: wins, then blocks, then the cells on the most lines."""

from best_move.engine.ordered_alphabeta import first_to_try
from best_move.engine.position import FULL
from tests.engine.positions import POSITIONS
from tests.truth import referee
from tests.truth.textbook import guessed


def test_moves_are_ordered_by_rank_then_by_cell() -> None:
    """On every unfinished position the order has each empty cell once."""
    for position in POSITIONS:
        board, to_move = position.board, position.to_move
        order = []
        free = FULL & ~(position.own | position.opponent)
        while free and not referee.is_over(board):
            move = int(first_to_try(position.own, position.opponent, free))
            order.append(move.bit_length() - 1)
            free ^= move
        assert order == guessed(board, to_move)
