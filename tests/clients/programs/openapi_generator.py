"""Calls the service through the `python` client of OpenAPI Generator; prints the results."""

import json
import sys
from collections.abc import Callable

from openapi_client import (
    ApiClient,
    ApiException,
    BestMove,
    BestMoveRequest,
    BestMovesRequest,
    Configuration,
    OracleApi,
    Problem,
)

oracle = OracleApi(ApiClient(Configuration(host=sys.argv[1])))


def shown(answer: BestMove | Problem | None) -> int | str | None:
    """Return the move, or the code of the problem."""
    assert answer is not None
    return answer.code if isinstance(answer, Problem) else answer.move


def rejected(call: Callable[[], BestMove]) -> str:
    """Return the code of the problem that a call raises."""
    try:
        call()
    except ApiException as error:
        problem = error.data
    assert isinstance(problem, Problem)
    return problem.code


board = oracle.post_best_move(BestMoveRequest(board="X...O....", starts=None))
played = oracle.get_best_move(board=".........", played=[0, 4])
requests = [BestMoveRequest(board="XX.OO...."), BestMoveRequest(board="XX.......")]
batch = oracle.post_best_moves(BestMovesRequest(requests=requests))

print(
    json.dumps(
        {
            "board": shown(board),
            "played": shown(played),
            "illegal": rejected(lambda: oracle.post_best_move(BestMoveRequest(board="XX......."))),
            "invalid": rejected(lambda: oracle.get_best_move(board="X...")),
            "batch": [shown(result.answer or result.problem) for result in batch.results],
            "tree": oracle.get_search_tree(board="X.O.O.X..").nodes,
            "picture": oracle.get_board_png(board="X...O....")[1:4].decode(),
        }
    )
)
