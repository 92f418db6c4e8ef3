"""The routes: right on every position, cacheable by query, callable from anywhere."""

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service import __version__
from service.engine import ALGORITHMS, COMPILED
from service.engine.position import Position
from service.oracle import Answer, Question, consult
from tests import golden, referee

QUERY = "/best-move?board=X...O...."


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_every_position_is_answered_as_the_referee_would(client: FlaskClient, method: str) -> None:
    """On all 10,956 positions the answer is a 200 with the referee's move, value, outcome, distance and positions."""
    for board, to_move in referee.reachable():
        fields = {"board": board, "to_move": to_move}
        response = client.get("/best-move", query_string=fields) if method == "GET" else post(client, fields)
        assert response.status_code == 200
        answer = response.get_json()
        result, fine = referee.grade(board, to_move, 9, counts_plies=True)
        grades = referee.grade_of_moves(board, to_move, 9, counts_plies=True)
        move = next((cell for cell in grades if grades[cell] == (result, fine)), None)
        assert answer["move"] == move
        assert answer["value"] == result
        assert answer["outcome"] == {1: "win", 0: "draw", -1: "loss"}[result]
        assert answer["distance"] == (board.count(".") if result == 0 else abs(fine))
        assert answer["exact"] is True
        assert answer["principal_variation"][:1] == ([] if move is None else [move])
        assert answer["position"] == described(board, to_move)
        if move is None:
            assert answer["after"] is None
            assert answer["nodes"] == 1
        else:
            assert answer["after"] == described(referee.play(board, to_move, move), referee.opponent(to_move))


def described(board: str, to_move: str) -> dict[str, object]:
    """Describe a position as the contract does."""
    winner = next((mark for mark in "XO" if referee.has_won(board, mark)), None)
    lines = [list(three) for three in referee.ROWS_OF_THREE if winner and all(board[c] == winner for c in three)]
    status = f"{winner.lower()}_won" if winner else "in_progress" if "." in board else "draw"
    return {"board": board, "to_move": to_move, "status": status, "winning_line": lines[0] if lines else []}


def post(client: FlaskClient, fields: object) -> TestResponse:
    """Send a JSON body."""
    return client.post("/best-move", data=json.dumps(fields), content_type="application/json")


@pytest.mark.parametrize("scoring", ["distance", "outcome"])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_published_game_is_played(client: FlaskClient, algorithm: str, scoring: str) -> None:
    """A client that plays on from each answer's `after` plays the published game, under any algorithm and scoring."""
    fields = {"board": ".........", "to_move": "X"}
    played = []
    while fields:
        answer = post(client, fields | {"algorithm": algorithm, "scoring": scoring}).get_json()
        assert answer["outcome"] == "draw"
        played.append(answer["move"])
        fields = answer["after"] and {name: answer["after"][name] for name in ("board", "to_move")}
    assert played == [*golden.PUBLISHED_GAME, None]


@pytest.mark.parametrize("scoring", ["distance", "outcome"])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_empty_board_takes_the_golden_nodes(client: FlaskClient, algorithm: str, scoring: str) -> None:
    """The nodes in the answer are those that the search visits, and the settings come back as used."""
    fields = {"board": "---------", "algorithm": algorithm, "scoring": scoring}
    answer = post(client, fields).get_json()
    assert answer["nodes"] == golden.NODES[algorithm, scoring]
    assert (answer["algorithm"], answer["scoring"], answer["max_depth"]) == (algorithm, scoring, 9)
    assert answer["elapsed_ms"] > 0


def test_an_array_and_a_string_are_the_same_board(client: FlaskClient) -> None:
    """Marks in either case, and every sign for an empty cell, give the same answer."""
    boards = [
        "X.O.X....",
        "x_o-X ...",
        ["X", None, "O", "", "X", "", "", "", ""],
        ["x", "", "o", *[None] * 1, "X", *[""] * 4],
    ]
    answers = [post(client, {"board": board, "analysis": True}).get_json() for board in boards]
    for answer in answers:
        del answer["elapsed_ms"]
        assert answer == answers[0]


def test_an_analysis_lists_the_moves(client: FlaskClient) -> None:
    """With `analysis` the answer has every legal move, the best first; without, it has no such field."""
    answer = client.get(f"{QUERY}&analysis=true").get_json()
    assert {move["move"] for move in answer["moves"]} == set(referee.moves("X...O...."))
    assert [move["value"] for move in answer["moves"]] == sorted((m["value"] for m in answer["moves"]), reverse=True)
    assert answer["moves"][0] == {name: answer[name] for name in ("move", "value", "outcome", "distance")}
    assert "moves" not in client.get(QUERY).get_json()
    assert client.get("/best-move?board=XXXOO....&analysis=true").get_json()["moves"] == []


def test_an_estimate_says_that_it_is_one(client: FlaskClient) -> None:
    """Where the horizon could have changed the value, the answer is not exact and has neither outcome nor distance."""
    answer = client.get("/best-move?board=....X....&max_depth=2").get_json()
    assert answer["exact"] is False
    assert answer["outcome"] == "unknown"
    assert answer["distance"] is None
    assert -1 < answer["value"] < 1
    assert len(answer["principal_variation"]) == 2


def test_an_answer_ends_with_a_newline_and_tells_its_time(client: FlaskClient) -> None:
    """JSON ends with a newline, for terminals; the time of the search is in Server-Timing too."""
    response = client.get(QUERY)
    assert response.text.endswith("}\n")
    assert response.headers["Content-Type"] == "application/json"
    assert response.headers["Server-Timing"] == f"search;dur={response.get_json()['elapsed_ms']}"


def test_an_answer_by_query_may_be_cached(client: FlaskClient) -> None:
    """By query the answer may be kept for a day; its weak ETag, which the time does not change, gets a 304."""
    first, second = client.get(QUERY), client.get(QUERY)
    etag = first.headers["ETag"]
    assert re.fullmatch('W/"[0-9a-f]{16}"', etag)
    assert second.headers["ETag"] == etag
    assert first.headers["Cache-Control"] == "public, max-age=86400"
    unchanged = client.get(QUERY, headers={"If-None-Match": etag})
    assert (unchanged.status_code, unchanged.data) == (304, b"")
    assert unchanged.headers["ETag"] == etag
    assert client.get(f"{QUERY}&max_depth=2", headers={"If-None-Match": etag}).status_code == 200


ANSWER = consult(Question(Position.parse("X...O...."), analysis=True))
WIN = replace(ANSWER.assessment, value=1.0)
CHANGES: dict[str, dict[str, Any]] = {
    "the question": {"question": replace(ANSWER.question, algorithm="minimax")},
    "the move": {"move": 8},
    "the position after it": {"after": None},
    "its value": {"assessment": WIN},
    "whether it is the best": {"optimal": False},
    "its reason": {"reason": "win"},
    "the text": {"text": "X wins."},
    "the line": {"principal_variation": ANSWER.principal_variation[:-1]},
    "the nodes": {"nodes": ANSWER.nodes + 1},
    "the other moves": {"moves": {**(ANSWER.moves or {}), 8: WIN}},
    "no other moves": {"moves": None},
}


def etag(client: FlaskClient, answer: Answer) -> str:
    """Return the ETag that the service would give an answer."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("service.web.routes.consult", lambda _: answer)
        return client.get(QUERY).headers["ETag"]


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_answers_that_differ_have_different_etags(client: FlaskClient, change: dict[str, Any]) -> None:
    """Whatever else two answers differ in, so do their ETags; the time taken alone changes nothing."""
    changed = replace(ANSWER, **change)
    assert etag(client, changed) != etag(client, ANSWER)
    assert etag(client, changed) == etag(client, replace(changed, elapsed_ms=ANSWER.elapsed_ms + 1))


def test_the_length_is_the_bodys(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """By any method the header tells the length of the body, its last newline included; HEAD leaves out the body."""
    monkeypatch.setattr("service.web.routes.consult", lambda _: ANSWER)
    by_query, by_body, head = client.get(QUERY), post(client, {"board": "X...O...."}), client.head(QUERY)
    assert by_query.data == by_body.data
    assert by_query.data.endswith(b"}\n")
    assert by_query.content_length == by_body.content_length == head.content_length == len(by_query.data)
    assert head.data == b""


@pytest.mark.parametrize("options", ["", "&analysis=true"], ids=["alone", "with an analysis"])
def test_the_time_stands_last(client: FlaskClient, options: str) -> None:
    """The time taken is the last field of an answer, after all that the same question has again."""
    assert list(json.loads(client.get(QUERY + options).text))[-1] == "elapsed_ms"


@pytest.mark.parametrize(
    ("options", "stored"),
    [
        ("difficulty=easy", False),
        ("tie_break=random", False),
        ("difficulty=hard&tie_break=random", False),
        ("difficulty=hard&tie_break=trap", False),
        ("difficulty=easy&tie_break=random&seed=1", True),
        ("tie_break=trap", True),
        ("difficulty=perfect&tie_break=first", True),
    ],
)
def test_an_answer_that_chance_could_change_is_not_cached(client: FlaskClient, options: str, *, stored: bool) -> None:
    """By query an answer may be cached unless the same question could be answered otherwise the next time."""
    headers = client.get(f"/best-move?board=.........&{options}").headers
    assert headers["Cache-Control"] == ("public, max-age=86400" if stored else "no-store")
    assert ("ETag" in headers) == stored


def test_an_answer_explains_itself(client: FlaskClient) -> None:
    """An answer has a reason and a text, and says whether a better move was known and which choice was asked for."""
    answer = client.get("/best-move?board=.........&tie_break=trap").get_json()
    assert answer["move"] == 0
    assert (answer["optimal"], answer["reason"]) == (True, "corner")
    assert (answer["difficulty"], answer["tie_break"]) == ("perfect", "trap")
    assert answer["text"].endswith("but 7 of O's 8 replies lose.")
    easy = client.get("/best-move?board=XX.OO....&difficulty=easy&seed=1").get_json()
    assert easy["move"] != 2
    assert (easy["optimal"], easy["outcome"]) == (False, "loss")


def test_an_answer_by_body_is_not_cached(client: FlaskClient) -> None:
    """By body the answer is the same but for the time, is not to be kept, and has no ETag."""
    by_body, by_query = post(client, {"board": "X...O...."}), client.get(QUERY)
    assert by_body.headers["Cache-Control"] == "no-store"
    assert "ETag" not in by_body.headers
    assert {**by_body.get_json(), "elapsed_ms": 0} == {**by_query.get_json(), "elapsed_ms": 0}


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


@pytest.mark.parametrize(
    ("path", "methods"), [("/best-move", "GET, HEAD, OPTIONS, POST"), ("/health", "GET, HEAD, OPTIONS")]
)
def test_a_preflight_is_answered(client: FlaskClient, path: str, methods: str) -> None:
    """A browser that asks before a call from another origin is told which methods and headers it may use."""
    asked = {"Origin": "https://example.org", "Access-Control-Request-Method": "POST"}
    response = client.options(path, headers=asked)
    assert (response.status_code, response.data) == (204, b"")
    assert response.headers["Allow"] == methods
    assert response.headers["Access-Control-Allow-Origin"] == "*"
    assert response.headers["Access-Control-Allow-Methods"] == methods
    assert response.headers["Access-Control-Allow-Headers"] == "Content-Type, X-Request-ID"
    assert response.headers["Access-Control-Max-Age"] == "86400"
    assert "Content-Type" not in response.headers


@pytest.mark.parametrize("path", [QUERY, "/best-move?board=bad", "/nowhere"])
def test_any_origin_may_read_the_answer(client: FlaskClient, path: str) -> None:
    """Answers and problems alike may be read by pages of any origin, with the headers that matter."""
    headers = client.get(path).headers
    assert headers["Access-Control-Allow-Origin"] == "*"
    assert headers["Access-Control-Expose-Headers"] == "ETag, Server-Timing, X-Request-ID"


PLACES = {
    "a place below another": {"SCRIPT_NAME": "/elsewhere"},
    "a host that is none": {"HTTP_HOST": "no host"},
    "a host with an empty part": {"HTTP_HOST": "a..b"},
    "a host with too long a part": {"HTTP_HOST": "a" * 64},
    "no host": {"HTTP_HOST": ""},
}


@pytest.mark.parametrize("path", [QUERY, "/", "/docs", "/health"])
@pytest.mark.parametrize("said", PLACES.values(), ids=PLACES)
def test_what_a_client_says_of_the_place_changes_no_route(client: FlaskClient, said: dict[str, str], path: str) -> None:
    """A route is found by its path, wherever a client says that the application stands."""
    assert client.get(path, environ_overrides=said, buffered=True).status_code == 200


def test_the_root_may_be_left_out(client: FlaskClient) -> None:
    """An address without a path is that of the page."""
    assert client.get("/", environ_overrides={"PATH_INFO": ""}).status_code == 200
