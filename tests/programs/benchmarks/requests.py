"""Benchmark of requests in one process, without a server.

Each round measures all requests, so that a machine that slows down slows all of them. The table
shows the minimum of the rounds, which other load on the machine affects least.
"""

import json
import logging
import sys
from io import BytesIO
from time import process_time
from typing import Any
from wsgiref.types import WSGIApplication

from best_move.web.app import create_app
from best_move.web.observability.logs import ACCESS
from best_move.web.settings import Settings
from tests.truth.players import boards, to_move

ROUNDS = 5
CALLS = 1_000


def get(path: str, query: str = "") -> dict[str, Any]:
    """Return what the WSGI environment of a GET adds to that of every request."""
    return {"PATH_INFO": path, "QUERY_STRING": query}


def post(path: str, content: object) -> dict[str, Any]:
    """Return the same of a POST with a JSON body."""
    body = json.dumps(content, separators=(",", ":")).encode()
    fields = {
        "CONTENT_TYPE": "application/json",
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.input": body,
    }
    return {"REQUEST_METHOD": "POST", "PATH_INFO": path, **fields}


#  The fields that take the longest, of all combinations.
MOVE = {"board": ".........", "algorithm": "minimax", "tie_break": "trap", "max_depth": 8}
TREE = "board=.........&algorithm=alphabeta&order=worst_first&scoring=outcome&maximizer=O&levels=9"
BATCH = {"requests": [MOVE] * 100}
PLAYER = {
    board: [int(cell in free) for cell in range(9)]
    for board, free in boards().items()
    if to_move(board) == "X"
}
#  name -> the request, and how many times a round sends it
REQUESTS = {
    "the default GET": (get("/best-move", "board=X...O...."), CALLS),
    "the same of a finished board": (get("/best-move", "board=XXXOO...."), CALLS),
    "the most expensive move": (post("/best-move", MOVE), 1),
    "the most expensive tree": (get("/search-tree", TREE), 1),
    "the most expensive player review": (
        post("/player-review", {"side": "X", "frequencies": PLAYER}),
        1,
    ),
    "the most expensive batch": (post("/best-moves", BATCH), 1),
}


def environ(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the WSGI environment of a request."""
    return {
        "REQUEST_METHOD": "GET",
        "SCRIPT_NAME": "",
        "QUERY_STRING": "",
        "SERVER_NAME": "127.0.0.1",
        "SERVER_PORT": "8000",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "HTTP_HOST": "127.0.0.1:8000",
        "HTTP_ACCEPT": "*/*",
        "wsgi.url_scheme": "http",
        **fields,
        "wsgi.input": BytesIO(fields.get("wsgi.input", b"")),
    }


def cost(app: WSGIApplication, fields: dict[str, Any], calls: int) -> float:
    """Return the mean CPU time of a request in microseconds."""
    environs = [environ(fields) for _ in range(calls)]
    start = process_time()
    for each in environs:
        b"".join(app(each, lambda *_: lambda _: None))
    return (process_time() - start) / calls * 1e6


def main() -> None:
    """Print a Markdown table of the costs of requests, compared with a default GET."""
    logging.getLogger(ACCESS).setLevel(logging.WARNING)
    app = create_app(Settings())
    rounds = [
        {name: cost(app, *request) for name, request in REQUESTS.items()} for _ in range(ROUNDS)
    ]
    lowest = {name: min(costs[name] for costs in rounds) for name in REQUESTS}
    text = "| in process | bytes sent | µs | / default GET |\n| --- | ---: | ---: | ---: |\n"
    for name, (fields, _) in REQUESTS.items():
        sent = len(fields.get("QUERY_STRING", "")) + len(fields.get("wsgi.input", b""))
        ratio = lowest[name] / lowest["the default GET"]
        text += f"| {name} | {sent:,} | {lowest[name]:,.0f} | {ratio:,.2f} |\n"
    sys.stdout.write(f"{text}\n")


if __name__ == "__main__":
    main()
