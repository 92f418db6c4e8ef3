"""Calls the service with the models of datamodel-code-generator, which send nulls, too."""

import json
import sys
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from models import BestMove, BestMoveRequest, BestMoves, BestMovesRequest, Problem, SearchTree
from pydantic import BaseModel


def fetch(path: str, body: BaseModel | None = None) -> bytes:
    """POST a model with all its fields, or GET a path; return the body of the response."""
    data = None if body is None else body.model_dump_json().encode()
    headers = {"Content-Type": "application/json"}
    try:
        with urlopen(Request(f"{sys.argv[1]}{path}", data, headers)) as response:
            return bytes(response.read())
    except HTTPError as error:
        return error.read()


def request(board: str, played: list[int] | None = None) -> BestMoveRequest:
    """Return a request that sets these fields and no others."""
    return BestMoveRequest.model_validate({"board": board, "played": played})


def shown(answer: BestMove | Problem | None) -> int | str | None:
    """Return the move, or the code of the problem."""
    assert answer is not None
    return answer.code if isinstance(answer, Problem) else answer.move and answer.move.root


def move(path: str, body: BaseModel) -> int | str | None:
    """Return the move in the response to a model that is sent to a path."""
    return shown(BestMove.model_validate_json(fetch(path, body)))


def code(path: str, body: BaseModel | None = None) -> int | str | None:
    """Return the code of the problem in the response to a request."""
    return shown(Problem.model_validate_json(fetch(path, body)))


assert "null" in request("X...O....").model_dump_json()
batch = BestMovesRequest(requests=[request("XX.OO...."), request("XX.......")])
results = BestMoves.model_validate_json(fetch("/best-moves", batch)).results

print(
    json.dumps(
        {
            "board": move("/best-move", request("X...O....")),
            "played": move("/best-move", request(".........", [0, 4])),
            "illegal": code("/best-move", request("XX.......")),
            "invalid": code("/best-move?board=X..."),
            "batch": [shown(result.answer or result.problem) for result in results],
            "tree": SearchTree.model_validate_json(fetch("/search-tree?board=X.O.O.X..")).nodes,
            "picture": fetch("/board.png?board=X...O....")[1:4].decode(),
        }
    )
)
