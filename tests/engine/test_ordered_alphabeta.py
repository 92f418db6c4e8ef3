"""Move ordering: wins, then blocks, then the cells on the most lines."""

from best_move.engine.ordered_alphabeta import first_to_try
from best_move.engine.position import FULL
from tests.engine.positions import POSITIONS
from tests.truth import referee


def test_moves_are_ordered_by_rank_then_by_cell() -> None:
    """A win has the first rank, then come a block, the center, corners and sides."""
    for position in POSITIONS:
        board, to_move = position.board, position.to_move
        order = []
        free = FULL & ~(position.own | position.opponent)
        while free and not referee.is_over(board):
            move = int(first_to_try(position.own, position.opponent, free))
            order.append(move.bit_length() - 1)
            free ^= move
        wins, blocks = (referee.wins(board, mark) for mark in (to_move, referee.opponent(to_move)))
        expected: list[int] = []
        for cells in (wins, blocks, {4}, {0, 2, 6, 8}, {1, 3, 5, 7}):
            rest = cells.intersection(referee.moves(board)).difference(expected)
            expected += sorted(rest)
        assert order == expected
