"""Bad input: each cause has its status and its code, and the detail says what to change."""

import json
from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.exceptions import Conflict, MethodNotAllowed
from werkzeug.test import TestResponse

from service.web.app import create_app
from service.web.problems import MAX_BYTES, MAX_ERRORS

GOOD = {"board": "X...O...."}


TITLES = {
    "malformed_json": "Malformed JSON",
    "malformed_body": "Malformed request body",
    "invalid_request": "Invalid request",
    "not_found": "No such path",
    "method_not_allowed": "Method not allowed",
    "precondition_failed": "Precondition failed",
    "body_too_large": "Request body too large",
    "unsupported_media_type": "Unsupported media type",
    "illegal_position": "Illegal position",
    "internal_error": "Internal error",
}


def problem(response: TestResponse, status: int, code: str) -> dict[str, Any]:
    """Assert that the response is a problem of a status and code, complete and not to be cached; return it."""
    assert response.status_code == status
    assert response.mimetype == "application/problem+json"
    assert response.headers["Cache-Control"] == "no-store"
    assert response.text.endswith("}\n")
    found: dict[str, Any] = response.get_json()
    assert found["status"] == status
    assert found["code"] == code
    assert found["detail"]
    assert found["title"] == TITLES[code]
    assert found["type"] == f"urn:best-move:problem:{code}"
    return found


def post(client: FlaskClient, body: object) -> TestResponse:
    """Send a body, as it is if it is bytes, else as JSON."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return client.post("/best-move", data=data, content_type="application/json")


INVALID = {
    "no board": ({}, "#/board", "missing_field", "`board` is missing. Send nine cells"),
    "eight characters": ({"board": "X...O..."}, "#/board", "wrong_length", "this one has 8"),
    "ten characters": ({"board": "X...O....."}, "#/board", "wrong_length", "this one has 10"),
    "a trailing newline": ({"board": "X...O....\n"}, "#/board", "wrong_length", "this one has 10"),
    "a newline as a cell": ({"board": "X...O...\n"}, "#/board", "wrong_character", "Cell 8 holds '\\n'"),
    "a foreign character": ({"board": "X...Q...."}, "#/board", "wrong_character", "Cell 4 holds 'Q'"),
    "a zero for an O": ({"board": "X...0...."}, "#/board", "wrong_character", "Cell 4 holds '0'"),
    "a Greek X": ({"board": "\u03a7...O...."}, "#/board", "wrong_character", "Cell 0 holds '\u03a7'"),
    "an astral character": ({"board": "😀...O...."}, "#/board", "wrong_character", "Cell 0 holds '😀'"),
    "a null board": ({"board": None}, "#/board", "wrong_type", "Send nine cells"),
    "a number for a board": ({"board": 123456789}, "#/board", "wrong_type", "Send nine cells"),
    "an object for a board": ({"board": {"0": "X"}}, "#/board", "wrong_type", "Send nine cells"),
    "eight cells": ({"board": [""] * 8}, "#/board", "wrong_length", "should have 9 cells"),
    "ten cells": ({"board": [""] * 10}, "#/board", "wrong_length", "should have 9 cells"),
    "a dot for a cell": ({"board": [""] * 8 + ["."]}, "#/board/8", "wrong_value", "`board.8` should be 'X', 'O'"),
    "a number for a cell": ({"board": [""] * 4 + [1] + [""] * 4}, "#/board/4", "wrong_value", "`board.4` should be"),
    "a nested cell": ({"board": [[]] + [""] * 8}, "#/board/0", "wrong_value", "`board.0` should be"),
    "a lower-case side": (GOOD | {"to_move": "x"}, "#/to_move", "wrong_value", "should be 'X' or 'O'"),
    "a null side": (GOOD | {"to_move": None}, "#/to_move", "wrong_value", "should be 'X' or 'O'"),
    "an unknown algorithm": (GOOD | {"algorithm": "a*"}, "#/algorithm", "wrong_value", "'minimax', 'alphabeta'"),
    "an unknown scoring": (GOOD | {"scoring": "plies"}, "#/scoring", "wrong_value", "'distance' or 'outcome'"),
    "depth zero": (GOOD | {"max_depth": 0}, "#/max_depth", "wrong_value", "should be a whole number from 1 to 9."),
    "depth ten": (GOOD | {"max_depth": 10}, "#/max_depth", "wrong_value", "should be a whole number from 1 to 9."),
    "a huge depth": (
        GOOD | {"max_depth": 10**300},
        "#/max_depth",
        "wrong_value",
        "should be a whole number from 1 to 9.",
    ),
    "half a ply": (GOOD | {"max_depth": 2.5}, "#/max_depth", "wrong_type", "should be a whole number from 1 to 9."),
    "a depth in quotes": (
        GOOD | {"max_depth": "9"},
        "#/max_depth",
        "wrong_type",
        "should be a whole number from 1 to 9.",
    ),
    "a true depth": (GOOD | {"max_depth": True}, "#/max_depth", "wrong_type", "should be a whole number from 1 to 9."),
    "a number for a boolean": (GOOD | {"analysis": 1}, "#/analysis", "wrong_type", "should be true or false"),
    "an unknown level": (GOOD | {"difficulty": "hell"}, "#/difficulty", "wrong_value", "'perfect', 'hard', 'medium'"),
    "an unknown tie-break": (GOOD | {"tie_break": "last"}, "#/tie_break", "wrong_value", "'first', 'random' or 'trap'"),
    "a negative seed": (
        GOOD | {"seed": -1},
        "#/seed",
        "wrong_value",
        "should be a whole number from 0 to 9007199254740991.",
    ),
    "a seed too large": (
        GOOD | {"seed": 2**53},
        "#/seed",
        "wrong_value",
        "should be a whole number from 0 to 9007199254740991.",
    ),
    "a null seed": (
        GOOD | {"seed": None},
        "#/seed",
        "wrong_type",
        "should be a whole number from 0 to 9007199254740991.",
    ),
    "a misspelt name": (GOOD | {"algoritm": "minimax"}, "#/algoritm", "unknown_field", "Did you mean `algorithm`?"),
    "a foreign name": (GOOD | {"zzz": 1}, "#/zzz", "unknown_field", "The fields are board, to_move"),
    "a name with a slash": (GOOD | {"a/b~c": 1}, "#/a~1b~0c", "unknown_field", "`a/b~c` is not a field"),
    "a name like a form of the board": (GOOD | {"string": 1}, "#/string", "unknown_field", "`string` is not a field"),
    "the name of the other form": (GOOD | {"array": 1}, "#/array", "unknown_field", "`array` is not a field"),
    "an empty name": (GOOD | {"": 1}, "#/", "unknown_field", "is not a field"),
    "an array": ([GOOD], "#", "wrong_type", "The request should be a JSON object."),
    "a string": ("X...O....", "#", "wrong_type", "The request should be a JSON object."),
    "null": (None, "#", "wrong_type", "The request should be a JSON object."),
    "not a number": (
        b'{"board":"X...O....","max_depth":NaN}',
        "#/max_depth",
        "wrong_type",
        "should be a whole number from 1 to 9.",
    ),
    "infinity": (
        b'{"board":"X...O....","max_depth":Infinity}',
        "#/max_depth",
        "wrong_type",
        "should be a whole number from 1 to 9.",
    ),
    "beyond a float": (
        b'{"board":"X...O....","max_depth":1e400}',
        "#/max_depth",
        "wrong_type",
        "should be a whole number from 1 to 9.",
    ),
    "a board of NaN": (b'{"board":NaN}', "#/board", "wrong_type", "Send nine cells"),
    "a repeated name": (b'{"board":"X...O....","board":"........."}', "#/board", "repeated_field", "Send it once"),
    "a repeated name, escaped": (
        b'{"board":"X........","bo\\u0061rd":"........."}',
        "#/board",
        "repeated_field",
        "once",
    ),
}


@pytest.mark.parametrize(("body", "pointer", "code", "advice"), INVALID.values(), ids=INVALID)
def test_a_body_that_breaks_the_schema(client: FlaskClient, body: object, pointer: str, code: str, advice: str) -> None:
    """A body of the wrong form is a 400 that points at the fault, names it and says what would be right."""
    found = problem(post(client, body), 400, "invalid_request")
    assert [(fault["pointer"], fault["code"]) for fault in found["errors"]] == [(pointer, code)]
    assert advice in found["errors"][0]["detail"]
    assert found["detail"] == found["errors"][0]["detail"]


ILLEGAL = {
    "counts": ({"board": "XX......."}, "#/board", "mark_counts", "Add marks of O or remove marks of X."),
    "winners": ({"board": "XXXOOO..."}, "#/board", "two_winners", "Break one of the two lines."),
    "played on": ({"board": "XXXOO.OO."}, "#/board", "played_after_win", "Remove a mark of O or break the line of X."),
    "side": ({"board": "X........", "to_move": "X"}, "#/to_move", "wrong_side_to_move", "Name O as the side"),
}


@pytest.mark.parametrize(("body", "pointer", "code", "advice"), ILLEGAL.values(), ids=ILLEGAL)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_position_that_no_game_reaches(
    client: FlaskClient, method: str, body: dict[str, str], pointer: str, code: str, advice: str
) -> None:
    """A well-formed request for an impossible position is a 422 that names the rule broken, by body and by query."""
    response = post(client, body) if method == "POST" else client.get("/best-move", query_string=body)
    found = problem(response, 422, "illegal_position")
    assert [(fault["pointer"], fault["code"]) for fault in found["errors"]] == [(pointer, code)]
    assert advice in found["detail"]


MALFORMED = {
    "nothing": b"",
    "half an object": b'{"board":',
    "two objects": b'{"board":"........."}{}',
    "single quotes": b"{'board':'.........'}",
    "a comma too many": b'{"board":".........",}',
    "bytes that are not UTF-8": b'{"board":"\xff........"}',
    "UTF-16": '{"board":"........."}'.encode("utf-16"),
    "deep nesting": b"[" * 50_000,
    "deep nesting in a field": b'{"board":' + b"[" * 30_000 + b"]" * 30_000 + b"}",
    "a lone surrogate": b'{"board":"\\ud800........"}',
}


@pytest.mark.parametrize("body", MALFORMED.values(), ids=MALFORMED)
def test_a_body_that_is_not_json(client: FlaskClient, body: bytes) -> None:
    """A body that is no JSON is a 400, and the detail says where it breaks off."""
    found = problem(post(client, body), 400, "malformed_json")
    assert "line 1 column" in found["detail"]


QUERIES = {
    "nothing": ("", "#/board", "missing_field"),
    "an empty board": ("board=", "#/board", "wrong_length"),
    "a misspelt name": ("board=X...O....&algoritm=minimax", "#/algoritm", "unknown_field"),
    "a repeated name": ("board=X...O....&board=.........", "#/board", "repeated_field"),
    "a name repeated alike": ("board=X...O....&max_depth=2&max_depth=2", "#/max_depth", "repeated_field"),
    "a name like a form of the board": ("board=X...O....&string=1", "#/string", "unknown_field"),
    "the name of the other form": ("board=X...O....&array=1", "#/array", "unknown_field"),
    "an upper-case name": ("Board=X...O....&board=X...O....", "#/Board", "unknown_field"),
    "a depth in words": ("board=X...O....&max_depth=two", "#/max_depth", "wrong_type"),
    "a signed depth": ("board=X...O....&max_depth=%2B2", "#/max_depth", "wrong_type"),
    "a depth with a point": ("board=X...O....&max_depth=2.0", "#/max_depth", "wrong_type"),
    "a depth with a space": ("board=X...O....&max_depth=%202", "#/max_depth", "wrong_type"),
    "a depth in Arabic digits": ("board=X...O....&max_depth=%D9%A2", "#/max_depth", "wrong_type"),
    "a depth of many digits": ("board=X...O....&max_depth=" + "9" * 4000, "#/max_depth", "wrong_value"),
    "a depth of too many digits to read": ("board=X...O....&max_depth=" + "9" * 5000, "#/max_depth", "wrong_type"),
    "a depth out of range": ("board=X...O....&max_depth=10", "#/max_depth", "wrong_value"),
    "a boolean as a number": ("board=X...O....&analysis=1", "#/analysis", "wrong_type"),
    "a boolean as a word": ("board=X...O....&analysis=yes", "#/analysis", "wrong_type"),
    "a capital boolean": ("board=X...O....&analysis=True", "#/analysis", "wrong_type"),
    "an empty side": ("board=X...O....&to_move=", "#/to_move", "wrong_value"),
    "bytes that are not UTF-8": ("board=%FF...O....", "#/board", "wrong_character"),
    "a board with a null": ("board=%00...O....", "#/board", "wrong_character"),
}


@pytest.mark.parametrize(("query", "pointer", "code"), QUERIES.values(), ids=QUERIES)
def test_a_query_that_breaks_the_schema(client: FlaskClient, query: str, pointer: str, code: str) -> None:
    """A query of the wrong form is a 400 that points at the parameter and names the fault."""
    found = problem(client.get(f"/best-move?{query}"), 400, "invalid_request")
    assert [(fault["pointer"], fault["code"]) for fault in found["errors"]] == [(pointer, code)]


@pytest.mark.parametrize(("name", "range_"), [("max_depth", "1 to 9"), ("seed", "0 to 9007199254740991")])
@pytest.mark.parametrize("number", [-1, 1.5, 2**53, 10**40])
def test_a_number_out_of_range_is_the_same_fault_by_query_and_by_body(
    client: FlaskClient, name: str, range_: str, number: float
) -> None:
    """A number that may not be is refused by query in the words that it is by body: those of the range."""
    fields = GOOD | {name: number}
    by_body = problem(post(client, fields), 400, "invalid_request")
    assert by_body["detail"] == f"`{name}` should be a whole number from {range_}."
    assert problem(client.get("/best-move", query_string=fields), 400, "invalid_request") == by_body


@pytest.mark.parametrize(
    "content_type",
    [None, "", "text/plain", "application/x-www-form-urlencoded", "application/jsonp", "application/json5", "json"],
)
def test_a_body_that_is_not_said_to_be_json(client: FlaskClient, content_type: str | None) -> None:
    """Any Content-Type but application/json is a 415 that says which to send."""
    response = client.post("/best-move", data=b'{"board":"........."}', content_type=content_type)
    assert "Content-Type: application/json" in problem(response, 415, "unsupported_media_type")["detail"]


@pytest.mark.parametrize("content_type", ["application/json", "Application/JSON", "application/json; charset=utf-8"])
def test_json_by_any_spelling(client: FlaskClient, content_type: str) -> None:
    """The media type is read without regard to case and parameters."""
    assert client.post("/best-move", data=b'{"board":"........."}', content_type=content_type).status_code == 200


@pytest.mark.parametrize(("size", "status"), [(MAX_BYTES, 200), (MAX_BYTES + 1, 413), (MAX_BYTES * 100, 413)])
def test_a_body_larger_than_the_limit(client: FlaskClient, size: int, status: int) -> None:
    """A body of 64 KiB is read; one byte more is a 413 that names the limit."""
    response = post(client, b'{"board":"........."}'.ljust(size))
    if status == 200:
        assert response.status_code == 200
    else:
        assert "65536" in problem(response, 413, "body_too_large")["detail"]


def test_faults_are_reported_together(client: FlaskClient) -> None:
    """All the faults of a request come at once."""
    found = problem(post(client, {"board": 1, "max_depth": 0, "zzz": 1}), 400, "invalid_request")
    assert [fault["pointer"] for fault in found["errors"]] == ["#/board", "#/max_depth", "#/zzz"]


@pytest.mark.parametrize(("count", "more"), [(1, 0), (MAX_ERRORS, 0), (MAX_ERRORS + 1, 1), (3000, 3000 - MAX_ERRORS)])
def test_faults_are_not_reported_without_end(client: FlaskClient, count: int, more: int) -> None:
    """Beyond a bound faults are only counted."""
    found = problem(post(client, GOOD | {f"zz{n}": n for n in range(count)}), 400, "invalid_request")
    assert len(found["errors"]) == count - more
    assert found["detail"].endswith(f" And {more} more." if more else "tie_break, seed.")


@pytest.mark.parametrize(("length", "quoted"), [(40, "`" + "z" * 40 + "`"), (41, "`" + "z" * 39 + "…`")])
def test_a_long_name_is_cut_short_in_the_sentence(client: FlaskClient, length: int, quoted: str) -> None:
    """A name of 40 characters stands whole in the sentence, and a longer one is cut to as many."""
    found = problem(post(client, GOOD | {"z" * length: 1}), 400, "invalid_request")
    assert found["detail"].startswith(f"{quoted} is not a field")
    assert found["errors"][0]["pointer"] == "#/" + "z" * length


def test_only_the_first_names_and_the_short_ones_are_compared(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a client makes up is compared with the fields a few times at most, and only if it is short."""
    compared: list[str] = []

    def compare(name: str, fields: list[str], n: int) -> list[str]:
        compared.append(name)
        return get_close_matches(name, fields, n)

    monkeypatch.setattr("service.web.problems.get_close_matches", compare)
    found = problem(post(client, GOOD | {f"algoritm{n}": n for n in range(3000)}), 400, "invalid_request")
    assert compared == ["algoritm0", "algoritm1", "algoritm2"]
    assert "Did you mean `algorithm`?" in found["errors"][2]["detail"]
    assert "The fields are board" in found["errors"][3]["detail"]
    problem(post(client, GOOD | {"algorithm" * 1000: 1}), 400, "invalid_request")
    assert len(compared) == 3


@pytest.mark.parametrize(
    "path", ["/bestmove", "/best-move/", "/best-move/x", "/%2fbest-move", "/%2e%2e/etc/passwd", "/Health"]
)
def test_a_path_that_is_not_there(client: FlaskClient, path: str) -> None:
    """An unknown path is a 404 that lists the paths, but for those of files."""
    paths = "/, /best-move, /best-moves, /docs, /health, /metrics, /openapi.json, /openapi.yaml."
    assert problem(client.get(path), 404, "not_found")["detail"].endswith(f" The paths are {paths}")


@pytest.mark.parametrize("path", ["//best-move", "///best-move", "//"])
@pytest.mark.parametrize("method", ["GET", "POST", "OPTIONS", "BREW"])
def test_a_path_with_two_slashes_is_not_there(client: FlaskClient, method: str, path: str) -> None:
    """A path that begins with two slashes is a 404 by any method, which quotes it as it was sent."""
    response = client.open("/", method=method, environ_overrides={"PATH_INFO": path})
    assert f"`{path}`" in problem(response, 404, "not_found")["detail"]


@pytest.mark.parametrize("path", ["/best-move?board=X...O....", "/", "/docs", "/static/main.js", "/static/icon.svg"])
def test_another_version_than_there_is(client: FlaskClient, path: str) -> None:
    """A request for a version that is no more is a 412; for whichever there is, it is answered."""
    problem(client.get(path, headers={"If-Match": '"gone"'}), 412, "precondition_failed")
    assert client.get(path, headers={"If-Match": "*"}, buffered=True).status_code == 200


@pytest.mark.parametrize("wanted", ["bytes=0-9", "bytes=999999-", "bytes=-0", "lines=1-2", "bytes", "bytes=9-0"])
@pytest.mark.parametrize("path", ["/best-move?board=X...O....", "/", "/docs", "/static/main.js", "/static/preview.png"])
def test_a_range_is_ignored(client: FlaskClient, path: str, wanted: str) -> None:
    """Whatever part of an answer is asked for, and in whatever unit, it comes whole."""
    whole, response = (client.get(path, headers=headers, buffered=True) for headers in ({}, {"Range": wanted}))
    assert response.status_code == 200
    assert response.content_length == len(response.data)
    assert response.headers["ETag"] == whole.headers["ETag"]
    assert "Accept-Ranges" not in response.headers


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("PUT", "/best-move", "GET, HEAD, OPTIONS, POST"),
        ("DELETE", "/best-move", "GET, HEAD, OPTIONS, POST"),
        ("POST", "/health", "GET, HEAD, OPTIONS"),
        ("BREW", "/openapi.json", "GET, HEAD, OPTIONS"),
    ],
)
def test_a_method_that_a_path_does_not_have(client: FlaskClient, method: str, path: str, allowed: str) -> None:
    """An unknown method is a 405 whose Allow header, and whose detail, list the methods."""
    response = client.open(path, method=method)
    found = problem(response, 405, "method_not_allowed")
    assert response.headers["Allow"] == allowed
    assert found["detail"] == f"The path does not take {method}. Use {allowed}."


class Unreadable(list[str]):
    """Methods that cannot be listed, so that the table of problems fails on the error that has them."""

    def __iter__(self) -> Iterator[str]:
        """Fail."""
        raise RuntimeError("a secret")


FAULTS: dict[str, Exception] = {
    "an exception that nobody foresaw": RuntimeError("a secret"),
    "an HTTP error that no route raises": Conflict("a secret"),
    "an exception on which the table of problems fails": MethodNotAllowed(Unreadable(["GET"])),
}


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_a_fault_of_the_service_leaks_nothing(caplog: pytest.LogCaptureFixture, fault: Exception) -> None:
    """A fault of the service is a 500 that tells nothing of it; it is logged whole, with what finds the request."""
    broken: Flask = create_app()

    def fail() -> str:
        raise fault

    broken.add_url_rule("/fail", view_func=fail)
    response = broken.test_client().get("/fail?secret=1")
    assert "secret" not in json.dumps(problem(response, 500, "internal_error"))
    (record,) = (record for record in caplog.records if record.levelname == "ERROR")
    said = record.__dict__
    assert (said["method"], said["path"]) == ("GET", "/fail")
    assert said["request_id"] == response.headers["X-Request-ID"]
    assert "a secret" in caplog.text
