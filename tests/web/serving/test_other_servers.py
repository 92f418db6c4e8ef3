"""The application under other servers: it is plain WSGI, and needs no special worker."""

import json
from collections.abc import Callable
from contextlib import closing
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from best_move.web.api.openapi import document
from best_move.web.api.reading import MAX_BYTES
from tests.programs.openapi import examples, untimed
from tests.server import BIN, running

#  Runs outside the project's folder, because there Python would import the sources instead of the
#  installed package.
OPTIONS = f"--bind 127.0.0.1:$PORT --no-control-socket --chdir {Path(__file__).parent}"
COMMAND = f"exec {BIN}/gunicorn {OPTIONS} %s 'best_move.web.app:create_app()'"


@pytest.mark.parametrize("worker", ["--worker-class sync", "--worker-class gthread --threads 2"])
def test_the_application_runs_under_plain_gunicorn(worker: str) -> None:
    """With gunicorn's workers, example requests get their responses, and errors are problems."""
    with (
        running(["sh", "-c", COMMAND % worker], WEB_CONCURRENCY="1") as server,
        closing(server.connect()) as connection,
    ):
        ask = partial(response_to, connection)
        check_examples(ask)
        in_chunks = ask("POST", "/best-move", iter([b'{"board":', b'"X...O...."}']))
        unknown = ask("GET", "/nowhere")
        too_long = ask("POST", "/best-move", b" " * (MAX_BYTES + 1))
    assert (in_chunks[0], in_chunks[1]["move"]) == (200, 1)
    assert (unknown[0], unknown[1]["code"]) == (404, "not_found")
    assert (too_long[0], too_long[1]["code"]) == (413, "body_too_large")


def check_examples(ask: Callable[..., tuple[int, Any]]) -> None:
    """Assert that each example request with status 200 gets the response of its example."""
    for status, sent, example in examples(document()):
        if status == "200":
            body = json.dumps(sent.json).encode() if sent.json else None
            found, content = ask(sent.method, sent.path, body)
            assert (found, untimed(content)) == (200, example["value"]), sent


def response_to(
    connection: HTTPConnection, method: str, target: str, body: Any = None
) -> tuple[int, Any]:
    """Return the status and the JSON of the response to a request."""
    headers = {"Content-Type": "application/json"} if body else {}
    connection.request(method, target, body, headers)
    response = connection.getresponse()
    return response.status, json.loads(response.read())
