"""Benchmark of requests beside a bare Flask route, in one process without a server.

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
from best_move.web.middleware.logs import ACCESS
from best_move.web.settings import Settings
from tests.programs.benchmarks import bare
from tests.truth.players import boards, to_move

ROUNDS = 20
CALLS = 300


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


DEFAULT = "GET, the default search"
REQUESTS = {
    DEFAULT: get("/best-move", "board=X...O...."),
    "GET, a finished board": get("/best-move", "board=XXXOO...."),
    "POST, the default search": post("/best-move", {"board": "X...O...."}),
}

#  The fields that take the longest, of all combinations.
MOVE = {"board": ".........", "algorithm": "minimax", "tie_break": "trap", "max_depth": 8}
TREE = "board=.........&algorithm=alphabeta&order=worst_first&scoring=outcome&maximizer=O&levels=9"
BATCH = {"requests": [MOVE] * 100}
PLAYER = {
    board: [int(cell in free) for cell in range(9)]
    for board, free in boards().items()
    if to_move(board) == "X"
}
EXPENSIVE = {
    "a move": post("/best-move", MOVE),
    "a tree": get("/search-tree", TREE),
    "a review of a player": post("/player-review", {"side": "X", "frequencies": PLAYER}),
    "a batch": post("/best-moves", BATCH),
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


def cost(app: WSGIApplication, fields: dict[str, Any], calls: int = CALLS) -> float:
    """Return the mean CPU time of a request in microseconds."""
    environs = [environ(fields) for _ in range(calls)]
    start = process_time()
    for each in environs:
        b"".join(app(each, lambda *_: lambda _: None))
    return (process_time() - start) / calls * 1e6


def ordinary(app: WSGIApplication) -> str:
    """Return a Markdown table of the costs of ordinary requests, compared with a bare route."""
    route = {"PATH_INFO": "/bare"}
    rounds = [
        (cost(bare.app, route), {name: cost(app, fields) for name, fields in REQUESTS.items()})
        for _ in range(ROUNDS)
    ]
    base = min(theirs for theirs, _ in rounds)
    text = f"| in process | µs beyond a bare route's {base:.0f} | / bare route |\n"
    text += "| --- | ---: | ---: |\n"
    for name in REQUESTS:
        mine = min(costs[name] for _, costs in rounds)
        text += f"| {name} | {mine - base:.0f} | {mine / base:.2f} |\n"
    return text


def expensive(app: WSGIApplication) -> str:
    """Return a Markdown table of the costs of the most expensive requests beside a default GET."""
    rounds = [
        (
            cost(app, REQUESTS[DEFAULT]),
            {name: cost(app, fields, 1) for name, fields in EXPENSIVE.items()},
        )
        for _ in range(ROUNDS // 4)
    ]
    base = min(default for default, _ in rounds)
    text = f"| the most expensive | bytes sent | ms | / default GET of {base:.0f} µs |\n"
    text += "| --- | ---: | ---: | ---: |\n"
    for name, fields in EXPENSIVE.items():
        mine = min(costs[name] for _, costs in rounds)
        sent = len(fields.get("QUERY_STRING", "")) + len(fields.get("wsgi.input", b""))
        text += f"| {name} | {sent:,} | {mine / 1000:.0f} | {mine / base:,.0f} |\n"
    return text


def main() -> None:
    """Print both tables."""
    logging.getLogger(ACCESS).setLevel(
        logging.WARNING
    )  # because the bare route writes no access log
    app = create_app(Settings())
    sys.stdout.write(f"{ordinary(app)}\n{expensive(app)}\n")


if __name__ == "__main__":
    main()
