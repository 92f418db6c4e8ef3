"""Questions: what is read as one, and what is wrong with what is none."""

from io import BytesIO
from typing import Annotated, Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from pydantic import MISSING, BaseModel, ConfigDict, Field

from service.web.api.problems import problem_of
from service.web.api.questions import MAX_BYTES, MAX_ERRORS, InvalidRequestError, read_body, read_query
from tests.web.conftest import GOOD, Post, problem, timeless

INVALID = {
    "no position": ({}, "#/board", "missing_field", "`board` is missing. Send nine cells"),
    "moves without a board": ({"played": [0, 4]}, "#/board", "missing_field", "`board` is missing. Send nine cells"),
    "a cell that is none": (GOOD | {"played": [1, 9]}, "#/played/1", "wrong_value", "a whole number from 0 to 8."),
    "a mark for a cell": (GOOD | {"played": ["X"]}, "#/played/0", "wrong_type", "a whole number from 0 to 8."),
    "a game in a string": (GOOD | {"played": "1,2"}, "#/played", "wrong_type", "`played` should be an array."),
    "ten moves": (GOOD | {"played": [*range(9), 0]}, "#/played", "wrong_length", "should have from 0 to 9 entries."),
    "a null game": (GOOD | {"played": None}, "#/played", "wrong_type", "`played` should be an array."),
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
    "an unknown tie-break": (GOOD | {"tie_break": "last"}, "#/tie_break", "wrong_value", "'trap' or 'best_odds'"),
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
    "a foreign name": (GOOD | {"zzz": 1}, "#/zzz", "unknown_field", "The fields are board, to_move, played"),
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
def test_a_body_that_breaks_the_schema(post: Post, body: object, pointer: str, code: str, advice: str) -> None:
    """A body of the wrong form is a 400 that points at the fault, names it and says what would be right."""
    found = problem(post(body), 400, "invalid_request")
    assert [(fault["pointer"], fault["code"]) for fault in found["errors"]] == [(pointer, code)]
    assert advice in found["errors"][0]["detail"]
    assert found["detail"] == found["errors"][0]["detail"]


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
def test_a_body_that_is_not_json(post: Post, body: bytes) -> None:
    """A body that is no JSON is a 400, and the detail says where it breaks off."""
    found = problem(post(body), 400, "malformed_json")
    assert "line 1 column" in found["detail"]


QUERIES = {
    "nothing": ("", "#/board", "missing_field"),
    "an empty board": ("board=", "#/board", "wrong_length"),
    "moves without a board": ("played=0,4", "#/board", "missing_field"),
    "moves with a hole": ("board=X...O....&played=1,,2", "#/played/1", "wrong_type"),
    "moves with spaces": ("board=X...O....&played=1,%202", "#/played/1", "wrong_type"),
    "a move outside": ("board=X...O....&played=9", "#/played/0", "wrong_value"),
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
    client: FlaskClient, post: Post, name: str, range_: str, number: float
) -> None:
    """A number that may not be is refused by query in the words that it is by body: those of the range."""
    fields = GOOD | {name: number}
    by_body = problem(post(fields), 400, "invalid_request")
    assert by_body["detail"] == f"`{name}` should be a whole number from {range_}."
    assert problem(client.get("/best-move", query_string=fields), 400, "invalid_request") == by_body


EMPTY = {"board": "........."}
GAMES = {
    "a new game": (EMPTY, [], EMPTY),
    "X started": (EMPTY, [0, 4, 1], {"board": "XX..O....", "to_move": "O"}),
    "O started": (EMPTY | {"to_move": "O"}, [0, 4], {"board": "O...X....", "to_move": "O"}),
    "from a board": (GOOD, [8, 2], {"board": "X.O.O...X", "to_move": "X"}),
    "from a board with O to move": (GOOD | {"to_move": "O"}, [8], {"board": "X...O...O", "to_move": "X"}),
    "from an array": ({"board": ["X", *[""] * 8]}, [4], {"board": "X...O....", "to_move": "X"}),
    "to the end": (EMPTY, [0, 3, 1, 4, 2], {"board": "XXXOO....", "to_move": "O"}),
}


@pytest.mark.parametrize(("start", "played", "board"), GAMES.values(), ids=GAMES)
def test_moves_continue_from_the_board(
    client: FlaskClient, post: Post, start: dict[str, Any], played: list[int], board: dict[str, str]
) -> None:
    """A board and moves ask about the position that they lead to, in the body, in the query and in a batch."""
    expected = timeless(post(board).get_json())
    spelled = start | {"board": "".join(cell or "." for cell in start["board"])}
    by_query = client.get("/best-move", query_string=spelled | {"played": ",".join(map(str, played))})
    by_batch = post({"requests": [start | {"played": played}]}, "/best-moves")
    assert timeless(post(start | {"played": played}).get_json()) == expected
    assert timeless(by_query.get_json()) == expected
    assert timeless(by_batch.get_json()["answers"][0]) == expected


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
def test_a_body_larger_than_the_limit(post: Post, size: int, status: int) -> None:
    """A body of 64 KiB is read; one byte more is a 413 that names the limit."""
    response = post(b'{"board":"........."}'.ljust(size))
    if status == 200:
        assert response.status_code == 200
    else:
        assert "65536" in problem(response, 413, "body_too_large")["detail"]


def test_an_array_and_a_string_are_the_same_board(post: Post) -> None:
    """Marks in either case, and every sign for an empty cell, give the same answer."""
    boards = [
        "X.O.X....",
        "x_o-X ...",
        ["X", None, "O", "", "X", "", "", "", ""],
        ["x", "", "o", *[None] * 1, "X", *[""] * 4],
    ]
    answers = [post({"board": board, "analysis": True}).get_json() for board in boards]
    for answer in answers:
        del answer["elapsed_ms"]
        assert answer == answers[0]


class Unreadable(BytesIO):
    """A body whose end never comes."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error

    def read(self, _: int | None = -1, /) -> bytes:
        """Fail."""
        raise self.error


UNREADABLE: dict[str, tuple[Exception, int, str]] = {
    "in time": (TimeoutError(), 408, "request_timeout"),
    "as the connection is gone": (ConnectionResetError(), 400, "malformed_body"),
    "as a chunk is broken": (AssertionError("no size of a chunk"), 400, "malformed_body"),
}


@pytest.mark.parametrize(("error", "status", "code"), UNREADABLE.values(), ids=UNREADABLE)
@pytest.mark.parametrize("path", ["/best-move", "/best-moves"])
@pytest.mark.parametrize(
    "framing", [{"CONTENT_LENGTH": "20"}, {"wsgi.input_terminated": True}], ids=["a length", "chunks"]
)
def test_a_body_that_cannot_be_read_to_its_end(
    client: FlaskClient, error: Exception, status: int, code: str, path: str, framing: dict[str, Any]
) -> None:
    """A body that does not come in time is a 408, and one that breaks off otherwise a 400."""
    unreadable = {"wsgi.input": Unreadable(error), "CONTENT_TYPE": "application/json", **framing}
    problem(client.post(path, environ_overrides=unreadable), status, code)


@pytest.mark.parametrize("repeated", [1, MAX_ERRORS, MAX_ERRORS + 1, 3000])
def test_duplicates_are_not_reported_without_end(post: Post, repeated: int) -> None:
    """Of names that stand twice each is told once, and beyond a bound they are only counted."""
    twice = ",".join(f'"zz{n % repeated}":1' for n in range(2 * repeated))
    found = problem(post(f"{{{twice}}}".encode()), 400, "invalid_request")
    assert {fault["code"] for fault in found["errors"]} == {"repeated_field"}
    assert len(found["errors"]) == min(repeated, MAX_ERRORS)
    assert found["detail"].endswith(f"And {repeated - MAX_ERRORS} more." if repeated > MAX_ERRORS else "Send it once.")


def test_a_duplicate_inside_a_value_is_no_value(post: Post) -> None:
    """An object where none belongs is refused for that, whatever is in it."""
    found = problem(post(b'{"board":{"a":1,"a":2}}'), 400, "invalid_request")
    assert found["errors"][0]["code"] == "wrong_type"


class Window(BaseModel):
    """A form other than those of the contract."""

    model_config = ConfigDict(extra="forbid", strict=True)

    levels: Annotated[int, Field(ge=1, le=3)] = 2
    whole: bool | MISSING = MISSING
    note: str = ""


WINDOWS = {
    "nothing": ("", {"levels": 2, "note": ""}),
    "one of each kind": ("levels=3&whole=true&note=7", {"levels": 3, "whole": True, "note": "7"}),
    "a text with a colon": ("note=a:b", {"levels": 2, "note": "a:b"}),
}


@pytest.mark.parametrize(("query", "window"), WINDOWS.values(), ids=WINDOWS)
def test_any_form_is_read_from_a_query(app: Flask, query: str, window: dict[str, Any]) -> None:
    """Each parameter is read as what the form's field is, of whatever form."""
    with app.test_request_context(f"/?{query}"):
        assert read_query(Window).model_dump() == window


def test_any_form_is_read_from_a_body(app: Flask) -> None:
    """A body is read as the form that is asked for; a value may hold what JSON has for signs."""
    with app.test_request_context("/", data=b'{"note":"a\\":\\"b"}', content_type="application/json"):
        assert read_body(Window).note == 'a":"b'


@pytest.mark.parametrize(
    ("query", "detail"),
    {
        "levels=4": "`levels` should be a whole number from 1 to 3.",
        "whole=yes": "`whole` should be true or false.",
        "level=1": "`level` is not a field of this request. Did you mean `levels`?",
    }.items(),
)
def test_the_faults_of_any_form_are_told_in_its_own_words(app: Flask, query: str, detail: str) -> None:
    """What is wrong is told by the names and the ranges of the form that was asked for."""
    with app.test_request_context(f"/?{query}"), pytest.raises(InvalidRequestError) as wrong:
        read_query(Window)
    assert problem_of(wrong.value)["detail"] == detail
