"""The routes: they return the right move on every position and report the state of the service."""

import csv
import json
from io import BytesIO
from itertools import cycle
from urllib.parse import urlencode

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import create_environ, run_wsgi_app

from best_move import __version__
from best_move.engine import ALGORITHMS, COMPILED
from best_move.tablebase import as_csv
from best_move.web.api.responses import FOR_A_DAY
from tests.truth import golden, referee
from tests.web.conftest import QUERY, Post

ENVIRON = create_environ("/best-move", content_type="application/json")


def test_every_position_gets_the_answer_of_the_tablebase(app: Flask) -> None:
    """All 10,956 positions, also finished ones, get the answer that the referee confirms.

    They are asked for by GET and POST in turn.
    """
    methods = cycle(["GET", "GET", "POST"])
    for row in csv.DictReader(as_csv().splitlines()):
        board, side = row["board"], row["to_move"]
        starts = referee.starter(board, side)
        fields = {"board": board, "starts": starts}
        environ = ENVIRON | {"QUERY_STRING": urlencode(fields)}
        if next(methods) == "POST":
            body = json.dumps(fields).encode()
            length = {"CONTENT_LENGTH": str(len(body)), "wsgi.input": BytesIO(body)}
            environ = ENVIRON | length | {"REQUEST_METHOD": "POST"}
        parts, status, _ = run_wsgi_app(app, environ)  # Flask's test client is slow
        assert status == "200 OK"
        found = json.loads(b"".join(parts))
        position, after, move = found["position"], found["after"], found["move"]
        told = found | position
        names = ("board", "to_move", "status", "outcome", "distance")
        assert {name: str(told[name]) for name in names} == {name: row[name] for name in names}
        assert found["value"] == int(row["value"])
        if move is None:
            assert (row["best_moves"], after, found["nodes"]) == ("", position, 1)
        else:
            assert str(move) == row["best_moves"][0]
            assert found["principal_variation"][0] == move
            assert after["board"] == referee.play(board, side, move)
            assert after["to_move"] == referee.opponent(side)
        assert position["starts"] == after["starts"] == starts


@pytest.mark.parametrize("scoring", ["distance", "outcome"])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_response_has_the_nodes_and_the_settings_of_its_search(
    post: Post, algorithm: str, scoring: str
) -> None:
    """A search of the empty board visits the golden number of nodes."""
    fields = {"board": ".........", "algorithm": algorithm, "scoring": scoring}
    found = post(fields).get_json()
    assert found["nodes"] == golden.NODES.get((algorithm, scoring))
    assert (found["algorithm"], found["scoring"], found["max_depth"]) == (algorithm, scoring, 9)
    assert found["elapsed_ms"] > 0


def test_the_tablebase_is_served_as_csv(client: FlaskClient) -> None:
    """The body is the tablebase with a header, and may be cached."""
    response = client.get("/tablebase.csv")
    assert response.text == as_csv()
    assert response.headers["Content-Type"] == "text/csv; charset=utf-8; header=present"
    assert response.headers["Cache-Control"] == FOR_A_DAY


@pytest.mark.parametrize("path", ["/health", "/metrics"])
def test_health_and_metrics_are_not_cached(client: FlaskClient, path: str) -> None:
    """Caches must not store the health and the metrics of the service."""
    assert client.get(path).headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    "path", [QUERY, "/health", "/metrics", "/openapi.json", "/openapi-3.0.json", "/openapi.yaml"]
)
def test_head_returns_the_headers_of_get(client: FlaskClient, path: str) -> None:
    """The response to HEAD has no body, but the status and the constant headers of GET."""
    head = client.head(path)
    get = client.get(path)
    assert (head.status_code, head.data) == (200, b"")
    varying = ("Server-Timing", "Content-Length", "X-Request-ID")
    assert {k: v for k, v in head.headers if k not in varying} == {
        k: v for k, v in get.headers if k not in varying
    }


def test_the_health_route_reports_version_and_engine(client: FlaskClient) -> None:
    """The health route reports the version, and whether the engine is compiled."""
    response = client.get("/health")
    assert response.get_json() == {
        "status": "ok",
        "version": __version__,
        "engine": "compiled" if COMPILED else "uncompiled",
    }
