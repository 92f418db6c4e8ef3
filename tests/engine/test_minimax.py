"""Minimax visits exactly the complete game tree."""

from functools import cache

import pytest

from best_move.engine.minimax import minimax
from best_move.engine.position import Position
from best_move.engine.search import Search
from tests.engine.positions import POSITIONS
from tests.truth import golden, referee


def nodes(position: Position, depth: int) -> int:
    """Return the number of nodes that minimax visits."""
    search = Search("distance")
    minimax(search, position.own, position.opponent, depth)
    return int(search.nodes)


@cache
def tree_size(board: str, to_move: str) -> int:
    """Return the number of positions in the complete game tree of a board, the root included."""
    return 1 + sum(
        tree_size(referee.play(board, to_move, cell), referee.opponent(to_move))
        for cell in referee.moves(board)
    )


@pytest.mark.parametrize("depth", range(10))
def test_minimax_visits_every_node_up_to_the_depth_limit(depth: int) -> None:
    """From the empty board to depth d, minimax visits perft(0) + … + perft(d) nodes."""
    assert nodes(Position.parse("." * 9), depth) == sum(golden.PERFT[: depth + 1])


def test_minimax_visits_the_complete_tree_of_every_position() -> None:
    """On every position the number of nodes is the size of its game tree."""
    for position in POSITIONS:
        assert nodes(position, 9) == tree_size(position.board, position.to_move)
