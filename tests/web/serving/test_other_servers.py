"""The application under other servers: it is plain WSGI, and needs nothing of the service's own worker."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from best_move.web.api.requests import MAX_BYTES
from tests.server import BIN, running
from tests.web.api.test_openapi import in_query, request_examples
from tests.web.conftest import timeless

#  From a folder that is not the project's, where it would find the sources instead of what is installed.
OPTIONS = f"--bind 127.0.0.1:$PORT --no-control-socket --chdir {Path(__file__).parent}"
COMMAND = f"exec {BIN}/gunicorn {OPTIONS} %s 'best_move.web.app:create_app()'"


@pytest.mark.parametrize("worker", ["--worker-class sync", "--worker-class gthread --threads 2"])
def test_the_application_runs_under_plain_gunicorn(worker: str) -> None:
    """With gunicorn's usual workers each request example gets its response example, and errors are the service's."""
    examples = [example.values for example in request_examples()]
    wrong: list[Any] = []
    with running(["sh", "-c", COMMAND % worker], WEB_CONCURRENCY="1") as server:
        connection = server.connect()

        def ask(method: str, target: str, body: object = None) -> tuple[int, Any]:
            headers = {"Content-Type": "application/json"} if body else {}
            connection.request(method, target, body, headers)  # type: ignore[arg-type]
            response = connection.getresponse()
            return response.status, json.loads(response.read())

        for method, path, fields, expected in examples:
            if method == "GET":
                query = urlencode({name: in_query(value) for name, value in fields.items()})
                answer = ask("GET", f"{path}?{query}")
            else:
                answer = ask("POST", path, json.dumps(fields).encode())
            if (answer[0], timeless(answer[1])) != (200, timeless(expected)):
                wrong.append((method, path, fields, answer))
        in_chunks = ask("POST", "/best-move", iter([b'{"board":', b'"X...O...."}']))
        unknown = ask("GET", "/nowhere")
        too_long = ask("POST", "/best-move", b" " * (MAX_BYTES + 1))
        connection.close()
    assert wrong == []
    assert (in_chunks[0], in_chunks[1]["move"]) == (200, 1)
    assert [(status, problem["code"]) for status, problem in (unknown, too_long)] == [
        (404, "not_found"),
        (413, "body_too_large"),
    ]
