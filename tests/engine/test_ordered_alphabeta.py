"""A good order of moves: what wins, what blocks, then the cells on most lines."""

from functools import partial

from service.engine.ordered_alphabeta import likeliest
from service.engine.position import FULL
from tests import referee
from tests.engine.positions import EVERY_POSITION


def kind(board: str, to_move: str, cell: int) -> int:
    """Say how early a cell is to be tried: 0 for one that wins, then what blocks, the center, corners, sides."""
    if referee.has_won(referee.play(board, to_move, cell), to_move):
        return 0
    opponent = referee.opponent(to_move)
    if referee.has_won(referee.play(board, opponent, cell), opponent):
        return 1
    return 2 if cell == 4 else 3 if cell in (0, 2, 6, 8) else 4


def test_what_wins_is_tried_first_then_what_blocks_then_the_cells_on_most_lines() -> None:
    """On every position the cells come by their kind, those of a kind by cell, each of them once."""
    for position in EVERY_POSITION:
        board, to_move = position.board, position.to_move
        order = []
        free = FULL & ~(position.own | position.opponent)
        while free and not referee.is_over(board):
            move = int(likeliest(position.own, position.opponent, free))
            order.append(move.bit_length() - 1)
            free ^= move
        assert order == sorted(referee.moves(board), key=partial(kind, board, to_move))
