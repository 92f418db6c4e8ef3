"""Minimax visits the whole tree, no more and no less."""

from functools import cache

from service.engine.minimax import minimax
from service.engine.position import Position
from service.engine.search import Search
from tests import golden, referee
from tests.engine.positions import EVERY_POSITION


def nodes(position: Position) -> int:
    """Return the nodes that minimax visits."""
    search = Search("distance")
    minimax(search, position.own, position.opponent)
    return int(search.nodes)


@cache
def tree_size(board: str, to_move: str) -> int:
    """Count the positions of the complete game tree below a board, itself included."""
    return 1 + sum(
        tree_size(referee.play(board, to_move, cell), referee.opponent(to_move)) for cell in referee.moves(board)
    )


def test_the_empty_board_takes_the_sum_of_perft() -> None:
    """From the empty board, minimax visits perft(0) + … + perft(9) nodes."""
    assert nodes(Position.parse("." * 9)) == sum(golden.PERFT)


def test_minimax_visits_the_complete_tree_of_every_position() -> None:
    """On every position the nodes are the size of its tree."""
    for position in EVERY_POSITION:
        assert nodes(position) == tree_size(position.board, position.to_move)
