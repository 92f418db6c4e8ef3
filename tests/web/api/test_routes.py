"""The routes: right on every position, wherever the service stands."""

import json
from io import BytesIO
from typing import Any
from urllib.parse import urlencode

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import create_environ, run_wsgi_app

from best_move import __version__
from best_move.engine import ALGORITHMS, COMPILED
from tests import golden, referee
from tests.web.conftest import QUERY, Post

ENVIRON = create_environ("/best-move", content_type="application/json")


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_every_position_is_answered_as_the_referee_would(app: Flask, method: str) -> None:
    """On all 10,956 positions the answer is a 200 with the referee's move, value, outcome, distance and positions."""
    for board, to_move in referee.reachable():
        status, answer = ask(app, method, {"board": board, "to_move": to_move})
        assert status == "200 OK"
        result, fine = referee.grade(board, to_move, 9, counts_plies=True)
        grades = referee.grade_of_moves(board, to_move, 9, counts_plies=True)
        move = next((cell for cell in grades if grades[cell] == (result, fine)), None)
        assert answer["move"] == move
        assert answer["value"] == result
        assert answer["outcome"] == {1: "win", 0: "draw", -1: "loss"}[result]
        assert answer["distance"] == (board.count(".") if result == 0 else abs(fine))
        assert answer["principal_variation"][:1] == ([] if move is None else [move])
        assert answer["position"] == described(board, to_move)
        if move is None:
            assert answer["after"] == answer["position"]
            assert answer["nodes"] == 1
        else:
            assert answer["after"] == described(referee.play(board, to_move, move), referee.opponent(to_move))


def ask(app: Flask, method: str, fields: dict[str, str]) -> tuple[str, Any]:
    """Return the status and the JSON of a best move, without Flask's client, which takes longer than the service."""
    body = json.dumps(fields).encode()
    environ = ENVIRON | {
        "REQUEST_METHOD": method,
        "QUERY_STRING": urlencode(fields) if method == "GET" else "",
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.input": BytesIO(body),
    }
    parts, status, _ = run_wsgi_app(app, environ)
    return status, json.loads(b"".join(parts))


def described(board: str, to_move: str) -> dict[str, object]:
    """Describe a position as the contract does."""
    winner = next((mark for mark in "XO" if referee.has_won(board, mark)), None)
    lines = [list(three) for three in referee.ROWS_OF_THREE if winner and all(board[c] == winner for c in three)]
    status = f"{winner.lower()}_won" if winner else "in_progress" if "." in board else "draw"
    return {"board": board, "to_move": to_move, "status": status, "winning_line": lines[0] if lines else []}


@pytest.mark.parametrize("scoring", ["distance", "outcome"])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_published_game_is_played(post: Post, algorithm: str, scoring: str) -> None:
    """A client that plays on from each answer's `after` plays the published game, under any algorithm and scoring."""
    position = {"board": ".........", "to_move": "X", "status": "in_progress"}
    played = []
    while position["status"] == "in_progress":
        fields = {"board": position["board"], "to_move": position["to_move"]}
        answer = post(fields | {"algorithm": algorithm, "scoring": scoring}).get_json()
        assert answer["outcome"] == "draw"
        played.append(answer["move"])
        position = answer["after"]
    assert played == [*golden.PUBLISHED_GAME]


@pytest.mark.parametrize("scoring", ["distance", "outcome"])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_empty_board_takes_the_golden_nodes(post: Post, algorithm: str, scoring: str) -> None:
    """The nodes in the answer are those that the search visits, and it has the settings that were used."""
    fields = {"board": ".........", "algorithm": algorithm, "scoring": scoring}
    answer = post(fields).get_json()
    assert answer["nodes"] == golden.NODES[algorithm, scoring]
    assert (answer["algorithm"], answer["scoring"], answer["max_depth"]) == (algorithm, scoring, 9)
    assert answer["elapsed_ms"] > 0


@pytest.mark.parametrize("path", ["/health", "/metrics"])
def test_what_changes_by_itself_is_not_cached(client: FlaskClient, path: str) -> None:
    """The state and the counts of the service are not to be kept."""
    assert client.get(path).headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("path", [QUERY, "/health", "/metrics", "/openapi.json", "/openapi.yaml"])
def test_head_answers_the_headers_of_get(client: FlaskClient, path: str) -> None:
    """HEAD has GET's status and headers, and no body."""
    head, get = client.head(path), client.get(path)
    assert (head.status_code, head.data) == (200, b"")
    varying = ("Server-Timing", "Content-Length", "X-Request-ID")
    assert {k: v for k, v in head.headers if k not in varying} == {k: v for k, v in get.headers if k not in varying}


def test_the_service_is_healthy(client: FlaskClient) -> None:
    """The health route names the version and the form of the engine that runs."""
    response = client.get("/health")
    assert response.get_json() == {
        "status": "ok",
        "version": __version__,
        "engine": "compiled" if COMPILED else "interpreted",
    }
