"""Benchmark of requests within one process, without a server, compared with a bare Flask route.

Each round measures all requests, so that a machine that slows down slows all of them. The table shows the minimum of
the rounds, which other load on the machine affects least.
"""

import logging
import sys
from io import BytesIO
from time import process_time
from typing import Any
from wsgiref.types import WSGIApplication

from best_move.web.app import create_app
from best_move.web.middleware.logs import ACCESS
from best_move.web.settings import Settings
from tests.benchmarks import bare

ROUNDS = 20
CALLS = 300

BODY = b'{"board":"X...O...."}'
REQUESTS: dict[str, dict[str, Any]] = {
    "GET, the default search": {"PATH_INFO": "/best-move", "QUERY_STRING": "board=X...O...."},
    "GET, a finished board": {"PATH_INFO": "/best-move", "QUERY_STRING": "board=XXXOO...."},
    "POST, the default search": {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": "/best-move",
        "CONTENT_TYPE": "application/json",
        "CONTENT_LENGTH": str(len(BODY)),
    },
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
        "wsgi.input": BytesIO(BODY),
        **fields,
    }


def cost(app: WSGIApplication, fields: dict[str, Any]) -> float:
    """Return the mean CPU time of a request in microseconds."""
    environs = [environ(fields) for _ in range(CALLS)]
    start = process_time()
    for each in environs:
        b"".join(app(each, lambda *_: lambda _: None))
    return (process_time() - start) / CALLS * 1e6


def table() -> str:
    """Return the measurements as a Markdown table."""
    logging.getLogger(ACCESS).setLevel(logging.WARNING)  # because the bare route writes no access log
    app = create_app(Settings())
    route = {"PATH_INFO": "/bare"}
    rounds = [
        (cost(bare.app, route), {name: cost(app, fields) for name, fields in REQUESTS.items()}) for _ in range(ROUNDS)
    ]
    base = min(theirs for theirs, _ in rounds)
    text = f"| in process | µs beyond a bare route's {base:.0f} | / bare route |\n| --- | ---: | ---: |\n"
    for name in REQUESTS:
        mine = min(costs[name] for _, costs in rounds)
        text += f"| {name} | {mine - base:.0f} | {mine / base:.2f} |\n"
    return text


if __name__ == "__main__":
    sys.stdout.write(table())
