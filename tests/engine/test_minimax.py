"""Minimax visits the whole tree, no more and no less."""

from functools import cache

import pytest

from service.engine.minimax import minimax
from service.engine.position import Position
from service.engine.search import Search
from tests import golden, referee
from tests.engine.positions import EVERY_POSITION


def nodes(position: Position, depth: int) -> int:
    """Return the nodes that minimax visits."""
    search = Search("distance")
    minimax(search, position.own, position.opponent, depth)
    return int(search.nodes)


@cache
def tree_size(board: str, to_move: str) -> int:
    """Count the positions of the complete game tree below a board, itself included."""
    return 1 + sum(
        tree_size(referee.play(board, to_move, cell), referee.opponent(to_move)) for cell in referee.moves(board)
    )


@pytest.mark.parametrize("depth", range(10))
def test_to_a_depth_minimax_visits_every_ply_up_to_it(depth: int) -> None:
    """From the empty board to depth d, minimax visits perft(0) + … + perft(d) nodes."""
    assert nodes(Position.parse("." * 9), depth) == sum(golden.PERFT[: depth + 1])


def test_minimax_visits_the_complete_tree_of_every_position() -> None:
    """On every position the nodes are the size of its tree."""
    for position in EVERY_POSITION:
        assert nodes(position, 9) == tree_size(position.board, position.to_move)
