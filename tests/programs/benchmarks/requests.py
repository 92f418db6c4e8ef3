"""Benchmark of requests in one process, without a server.

Each round measures all requests, so that a machine that slows down slows all of them. The table
shows the minimum of the rounds, which other load on the machine affects least.
"""

import json
import logging
from collections.abc import Mapping
from time import process_time
from typing import Any

from flask import Flask
from werkzeug.test import create_environ

from best_move.web.app import create_app
from best_move.web.observability.logs import ACCESS
from tests.truth.players import boards, to_move

ROUNDS = 5
CALLS = 1_000

#  The fields that take the longest, of all combinations.
MOVE = {"board": ".........", "algorithm": "minimax", "tie_break": "trap", "max_depth": 8}
TREE = "board=.........&algorithm=alphabeta&order=worst_first&scoring=outcome&maximizer=O&plies=9"
BATCH = {"requests": [MOVE] * 100}
PLAYER = {
    board: [int(cell in free) for cell in range(9)]
    for board, free in boards().items()
    if to_move(board) == "X"
}


def get(path: str, query: str) -> dict[str, Any]:
    """Return the parts of a GET."""
    return {"path": path, "query_string": query, "data": b""}


def post(path: str, content: object) -> dict[str, Any]:
    """Return the parts of a POST with a JSON body."""
    data = json.dumps(content, separators=(",", ":")).encode()
    parts = {"path": path, "query_string": "", "data": data}
    return {**parts, "method": "POST", "content_type": "application/json"}


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


def sentences(microseconds: Mapping[str, float]) -> str:
    """Return what the deployment guide says about the most expensive requests."""
    batch = REQUESTS["the most expensive batch"][0]["data"]
    seconds = {name: value / 1e6 for name, value in microseconds.items()}
    gets = seconds["the most expensive batch"] / seconds["the default GET"]
    return (
        f"The request that takes the most CPU time is a batch of 100 times `{json.dumps(MOVE)}`. "
        f"It sends {len(batch) / 1000:.0f} kB and takes {seconds['the most expensive batch']:.1f} "
        f"s, as much as {gets:,.0f} times `GET /best-move?board=X...O....`, without a server. A "
        f"tree takes at most {seconds['the most expensive tree']:.2f} s, a player review "
        f"{seconds['the most expensive player review']:.2f} s, and a single move "
        f"{seconds['the most expensive move']:.3f} s."
    )


def cost(app: Flask, parts: dict[str, Any], calls: int) -> float:
    """Return the mean CPU time of a request in microseconds."""
    environs = [create_environ(**parts) for _ in range(calls)]
    start = process_time()
    for environ in environs:
        b"".join(app(environ, lambda *_: lambda _: None))
    return (process_time() - start) / calls * 1e6


if __name__ == "__main__":
    logging.getLogger(ACCESS).setLevel(logging.WARNING)
    app = create_app()
    rounds = [
        {name: cost(app, *request) for name, request in REQUESTS.items()} for _ in range(ROUNDS)
    ]
    lowest = {name: min(costs[name] for costs in rounds) for name in REQUESTS}
    print("| in process | bytes sent | µs | / default GET |\n| --- | ---: | ---: | ---: |")
    for name, (parts, _) in REQUESTS.items():
        sent = len(parts["query_string"]) + len(parts["data"])
        ratio = lowest[name] / lowest["the default GET"]
        print(f"| {name} | {sent:,} | {lowest[name]:,.0f} | {ratio:,.2f} |")
    print(f"\n{sentences(lowest)}\n")
