"""Calls the service through the client that openapi-python-client generates; prints the results."""

import json
import sys

from best_move_client import Client
from best_move_client.api.oracle import (
    get_best_move,
    get_board_png,
    get_search_tree,
    post_best_move,
    post_best_moves,
)
from best_move_client.models import (
    BestMove,
    BestMoveRequest,
    BestMoves,
    BestMovesRequest,
    Problem,
    SearchTree,
)
from best_move_client.types import File

client = Client(base_url=sys.argv[1])


def shown(answer: BestMove | Problem | None) -> int | str | None:
    """Return the move, or the code of the problem."""
    assert answer is not None
    return answer.code if isinstance(answer, Problem) else answer.move


board = post_best_move.sync(client=client, body=BestMoveRequest(board="X...O....", starts=None))
played = get_best_move.sync(client=client, board=".........", played=[0, 4])
illegal = post_best_move.sync(client=client, body=BestMoveRequest(board="XX......."))
invalid = get_best_move.sync(client=client, board="X...")
requests = [BestMoveRequest(board="XX.OO...."), BestMoveRequest(board="XX.......")]
batch = post_best_moves.sync(client=client, body=BestMovesRequest(requests=requests))
tree = get_search_tree.sync(client=client, board="X.O.O.X..")
picture = get_board_png.sync(client=client, board="X...O....")
assert isinstance(batch, BestMoves)
assert isinstance(tree, SearchTree)
assert isinstance(picture, File)

print(
    json.dumps(
        {
            "board": shown(board),
            "played": shown(played),
            "illegal": shown(illegal),
            "invalid": shown(invalid),
            "batch": [shown(result.answer or result.problem) for result in batch.results],
            "tree": tree.nodes,
            "picture": picture.payload.read()[1:4].decode(),
        }
    )
)
