"""Move ordering: wins, then blocks, then the cells on the most lines."""

from functools import partial

from best_move.engine.ordered_alphabeta import first_to_try
from best_move.engine.position import FULL
from tests.engine.positions import POSITIONS
from tests.truth import referee


def rank(board: str, to_move: str, cell: int) -> int:
    """Return a cell's rank: 0 for a win, 1 a block, 2 the center, 3 a corner, 4 a side."""
    if referee.has_won(referee.play(board, to_move, cell), to_move):
        return 0
    opponent = referee.opponent(to_move)
    if referee.has_won(referee.play(board, opponent, cell), opponent):
        return 1
    return 2 if cell == 4 else 3 if cell in (0, 2, 6, 8) else 4


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
        assert order == sorted(referee.moves(board), key=partial(rank, board, to_move))
