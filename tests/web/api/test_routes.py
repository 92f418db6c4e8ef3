"""The routes: they return the right move on every position and report the state of the service."""

import json
from io import BytesIO
from itertools import cycle
from typing import Any
from urllib.parse import urlencode

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import create_environ, run_wsgi_app

from best_move import __version__
from best_move.engine import ALGORITHMS, COMPILED
from tests.truth import golden, referee
from tests.web.conftest import QUERY, Post

ENVIRON = create_environ("/best-move", content_type="application/json")


def test_every_position_gets_the_move_of_the_referee(app: Flask) -> None:
    """On all 10,956 positions, by GET and POST in turn, the response is the referee's."""
    methods = cycle(["GET", "GET", "POST"])
    for board, to_move in sorted(referee.reachable()):
        fields = {"board": board, "starts": referee.starter(board, to_move)}
        status, found = ask(app, next(methods), fields)
        assert status == "200 OK"
        expected = answered(board, to_move)
        assert {name: found[name] for name in expected} == expected
        move = found["move"]
        assert found["principal_variation"][:1] == ([] if move is None else [move])
        assert move is not None or found["nodes"] == 1


def answered(board: str, to_move: str) -> dict[str, object]:
    """Return the fields of a response that the referee determines."""
    result, fine = referee.grade(board, to_move, 9, counts_plies=True)
    grades = referee.grade_of_moves(board, to_move, 9, counts_plies=True)
    move = next((cell for cell in grades if grades[cell] == (result, fine)), None)
    position = after = described(board, to_move)
    if move is not None:
        after = described(referee.play(board, to_move, move), referee.opponent(to_move))
    return {
        "position": position,
        "move": move,
        "after": after,
        "value": result,
        "outcome": {1: "win", 0: "draw", -1: "loss"}[result],
        "distance": board.count(".") if result == 0 else abs(fine),
    }


def ask(app: Flask, method: str, fields: dict[str, str]) -> tuple[str, Any]:
    """Return the response's status and JSON, without Flask's test client, which is slow."""
    body = json.dumps(fields).encode() if method == "POST" else b""
    environ = ENVIRON | {
        "REQUEST_METHOD": method,
        "QUERY_STRING": urlencode(fields) if method == "GET" else "",
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.input": BytesIO(body),
    }
    parts, status, _ = run_wsgi_app(app, environ)
    return status, json.loads(b"".join(parts))


def described(board: str, to_move: str) -> dict[str, object]:
    """Return a position as responses describe it."""
    winner = next((mark for mark in "XO" if referee.has_won(board, mark)), None)
    lines = [
        list(three)
        for three in referee.ROWS_OF_THREE
        if winner and all(board[c] == winner for c in three)
    ]
    if winner:
        status = f"{winner.lower()}_won"
    elif "." in board:
        status = "in_progress"
    else:
        status = "draw"
    return {
        "board": board,
        "starts": referee.starter(board, to_move),
        "to_move": to_move,
        "status": status,
        "winning_line": lines[0] if lines else [],
    }


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


@pytest.mark.parametrize("path", ["/health", "/metrics"])
def test_health_and_metrics_are_not_cached(client: FlaskClient, path: str) -> None:
    """Caches must not store the health and the metrics of the service."""
    assert client.get(path).headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("path", [QUERY, "/health", "/metrics", "/openapi.json", "/openapi.yaml"])
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
        "engine": "compiled" if COMPILED else "interpreted",
    }
