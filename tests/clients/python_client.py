"""A program that asks through what openapi-python-client has made, and prints what it understood."""

import json
import sys

from best_move_client import Client
from best_move_client.api.oracle import get_best_move, post_best_move, post_best_moves
from best_move_client.models import BestMove, BestMoveRequest, BestMoves, BestMovesRequest, Problem

client = Client(base_url=sys.argv[1])


def understood(answer: BestMove | Problem | None) -> int | str | None:
    """Return the move, or the code of the problem."""
    assert answer is not None
    return answer.code if isinstance(answer, Problem) else answer.move


by_query = get_best_move.sync(client=client, board="XX.OO....")
by_string = post_best_move.sync(client=client, body=BestMoveRequest(board="X...O...."))
array = {"board": ["X", None, "O", "", "x", "", "", "", ""], "algorithm": "minimax"}
by_array = post_best_move.sync(client=client, body=BestMoveRequest.from_dict(array))
illegal = post_best_move.sync(client=client, body=BestMoveRequest(board="XX......."))
refused = get_best_move.sync(client=client, board="X...")
questions = [BestMoveRequest(board="XX.OO...."), BestMoveRequest(board="XX......."), None]
batch = post_best_moves.sync(client=client, body=BestMovesRequest(requests=questions))
assert isinstance(batch, BestMoves)
assert isinstance(by_query, BestMove)
assert by_query.after is not None

print(
    json.dumps(
        {
            "by query": understood(by_query),
            "after": by_query.after.board,
            "by string": understood(by_string),
            "by array": understood(by_array),
            "illegal": understood(illegal),
            "refused": understood(refused),
            "batch": [understood(answer) for answer in batch.answers],
        }
    )
)
