"""The function in front of Flask responds as Flask alone does."""

import re
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import Client, TestResponse

from best_move.web.api.handling import OVERLOADED
from best_move.web.app import create_app
from tests.load import Request, mixed
from tests.web.conftest import QUERY

OTHERS = [
    Request("PATCH", "/best-move", 405),
    Request("OPTIONS", "/best-move", 200),
    Request("GET", "//best-move", 404),
    Request("GET", "/best-move/", 404),
    Request("HEAD", "/best-move?board=undefined", 400),
]

#  What differs each time.
TIMES = re.compile(rb'"elapsed_ms":[^,}]+')


def shown(response: TestResponse) -> tuple[object, ...]:
    """Return the status, the headers and the body of a response without its times."""
    added = ("Access-Control-", "X-Request-ID", "Server-Timing", "Content-Length", "Date")
    headers = [(name, text) for name, text in response.headers if not name.startswith(added)]
    return response.status, sorted(headers), TIMES.sub(b"", response.data)


def send(client: Client, request: Request, environ: dict[str, Any]) -> TestResponse:
    """Send a request with more variables in its environment."""
    path, _, query = request.path.partition("?")
    return client.open(
        method=request.method,
        query_string=query,
        data=request.body,
        headers=request.headers,
        environ_overrides={"PATH_INFO": path, **environ},
    )


@pytest.mark.parametrize("environ", [{}, {OVERLOADED: True}], ids=["usual", "overloaded"])
def test_the_fast_path_responds_as_flask_alone_does(environ: dict[str, Any]) -> None:
    """The status, the headers and the body are the same for requests of all kinds."""
    app = create_app()
    alone = Client(lambda *call: Flask.wsgi_app(app, *call), TestResponse)
    moves = [each for each in mixed() if each.path.startswith("/best-move")]
    for request in [*moves, *OTHERS]:
        response = send(app.test_client(), request, environ)
        assert shown(response) == shown(send(alone, request, environ)), request
        assert response.status_code in (request.status, 503)


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST"])
def test_a_move_is_answered_without_flask(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    """Flask dispatches no request for a move."""
    monkeypatch.delattr(Flask, "dispatch_request")
    if method == "POST":
        response = client.post("/best-move", json={"board": "X...O...."})
    else:
        response = client.open(QUERY, method=method)
    assert response.status_code == 200
