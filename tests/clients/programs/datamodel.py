"""Calls with the models that datamodel-code-generator generates, dumped with their nulls; prints what it gets."""

import json
import sys
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from models import BestMoveOrProblem, BestMoveRequest, BestMoves, BestMovesRequest, Problem, SearchTree
from pydantic import BaseModel


def fetch(path: str, body: BaseModel | None = None) -> bytes:
    """Return the body of a response; a model is sent with all its fields, null where they are not set."""
    data = None if body is None else body.model_dump_json().encode()
    headers = {"Content-Type": "application/json"}
    try:
        with urlopen(Request(f"{sys.argv[1]}{path}", data, headers)) as response:
            return bytes(response.read())
    except HTTPError as error:
        return error.read()


def request(board: str | list[str | None], played: list[int] | None = None) -> BestMoveRequest:
    """Return a request, in which no other field is set."""
    return BestMoveRequest.model_validate({"board": board, "played": played})


def shown(answer: bytes) -> int | str | None:
    """Return the move, or the code of the problem."""
    parsed = BestMoveOrProblem.model_validate_json(answer).root
    return parsed.code if isinstance(parsed, Problem) else parsed.move and parsed.move.root


assert "null" in request("X...O....").model_dump_json()
batch = BestMovesRequest(requests=[request("XX.OO...."), request("XX.......")])
answers = BestMoves.model_validate_json(fetch("/best-moves", batch)).answers

print(
    json.dumps(
        {
            "board": shown(fetch("/best-move", request("X...O...."))),
            "array": shown(fetch("/best-move", request(["X", None, "O", "", "x", "", "", "", ""]))),
            "played": shown(fetch("/best-move", request(".........", [0, 4]))),
            "illegal": shown(fetch("/best-move", request("XX......."))),
            "invalid": shown(fetch("/best-move?board=X...")),
            "batch": [shown(answer.model_dump_json().encode()) for answer in answers],
            "tree": SearchTree.model_validate_json(fetch("/search-tree?board=X.O.O.X..")).nodes,
            "picture": fetch("/board.png?board=X...O....")[1:4].decode(),
        }
    )
)
