"""Batches of requests: each request has the same result as a single request."""

import pytest
from flask.testing import FlaskClient

from best_move.web.api.reading import MAX_BYTES
from best_move.web.api.requests import MAX_REQUESTS
from tests.truth import referee
from tests.web.conftest import GOOD, Post, problem, timeless


def test_each_result_of_a_batch_equals_the_single_response(post: Post) -> None:
    """A hundred positions with options of all kinds get the same answers as in single requests."""
    boards = sorted(board for board, to_move in referee.reachable() if to_move == "X")[
        :: 5300 // MAX_REQUESTS
    ]
    options: list[dict[str, object]] = [
        {},
        {"algorithm": "minimax", "analysis": True},
        {"scoring": "outcome", "max_depth": 3},
        {"difficulty": "easy", "seed": 5},
        {"tie_break": "trap"},
    ]
    batch = [
        {"board": board} | options[n % len(options)]
        for n, board in enumerate(boards[:MAX_REQUESTS])
    ]
    results = post({"requests": batch}, "/best-moves").get_json()["results"]
    assert len(results) == len(batch) == MAX_REQUESTS
    for fields, result in zip(batch, results, strict=True):
        assert result == {"answer": result["answer"], "problem": None}
        assert timeless(result["answer"]) == timeless(post(fields).get_json())


ILLEGAL: dict[str, dict[str, object]] = {
    "an illegal board": {"board": "XX......."},
    "the wrong starting side": {"board": "X........", "starts": "O"},
    "an illegal move": GOOD | {"played": [4]},
    "a move after the end": {"board": "XX.OO....", "played": [2, 5]},
}


def test_an_impossible_position_does_not_affect_other_items(post: Post) -> None:
    """Of 100 positions, 97 get moves, and the three that cannot occur get problems, in order."""
    batch: list[object] = [GOOD] * MAX_REQUESTS
    for index, illegal in zip((0, 50, 99), ILLEGAL.values(), strict=False):
        batch[index] = illegal
    results = post({"requests": batch}, "/best-moves").get_json()["results"]
    assert [index for index, result in enumerate(results) if result["answer"] is None] == [
        0,
        50,
        99,
    ]
    assert (
        sum(result["answer"]["move"] == 1 for result in results if result["problem"] is None) == 97
    )


@pytest.mark.parametrize("illegal", ILLEGAL.values(), ids=ILLEGAL)
def test_an_impossible_position_gets_the_problem_of_a_single_request(
    post: Post, illegal: object
) -> None:
    """The problem is that of a single request, except for its pointer into the batch."""
    response = post({"requests": [GOOD, illegal, GOOD]}, "/best-moves")
    assert response.status_code == 200
    first, second, last = response.get_json()["results"]
    assert (first["answer"]["move"], last["answer"]["move"]) == (1, 1)
    alone = problem(post(illegal), 422, "illegal_position")
    for error in alone["errors"]:
        error["pointer"] = error["pointer"].replace("#", "#/requests/1")
    assert second == {"answer": None, "problem": alone}


INVALID: dict[str, tuple[object, str, str]] = {
    "a wrong character": ({"board": "X...Q...."}, "/board", "wrong_character"),
    "a board too short": ({"board": "X"}, "/board", "wrong_length"),
    "a board as an array": ({"board": [""] * 9}, "/board", "wrong_type"),
    "no board": ({}, "/board", "missing_field"),
    "a misspelled name": (GOOD | {"algoritm": "minimax"}, "/algoritm", "unknown_field"),
    "a depth out of range": (GOOD | {"max_depth": 0}, "/max_depth", "wrong_value"),
    "a move out of range": (GOOD | {"played": [1, 9]}, "/played/1", "wrong_value"),
    "a number": (7, "", "wrong_type"),
    "an array": ([GOOD], "", "wrong_type"),
    "null": (None, "", "wrong_type"),
}


@pytest.mark.parametrize(("item", "pointer", "code"), INVALID.values(), ids=INVALID)
def test_an_item_that_does_not_match_the_schema_fails_the_batch(
    post: Post, item: object, pointer: str, code: str
) -> None:
    """The 400 names the item by pointer and in words, with the detail of a single request."""
    found = problem(post({"requests": [GOOD, item, GOOD]}, "/best-moves"), 400, "invalid_request")
    assert [(error["pointer"], error["code"]) for error in found["errors"]] == [
        (f"#/requests/1{pointer}", code)
    ]
    alone = problem(post(item), 400, "invalid_request")["detail"]
    assert found["detail"] == f"In item 1 of `requests`: {alone}"


def test_the_errors_of_all_items_are_reported(post: Post) -> None:
    """The response has the errors of each invalid item."""
    found = problem(
        post({"requests": [{"board": "hello"}, {"bord": 1}, GOOD]}, "/best-moves"),
        400,
        "invalid_request",
    )
    assert [(error["pointer"], error["code"]) for error in found["errors"]] == [
        ("#/requests/0/board", "wrong_length"),
        ("#/requests/1/board", "missing_field"),
        ("#/requests/1/bord", "unknown_field"),
    ]


def test_an_error_of_many_items_is_reported_in_one_sentence(post: Post) -> None:
    """Items with the same error share a sentence, and advice for several errors appears once."""
    wrong = [
        {"board": "X...Q...."},
        GOOD,
        {"board": "X...Q...."},
        {"board": "X..."},
        {"bord": ""},
        {"brd": ""},
    ]
    detail = problem(post({"requests": wrong}, "/best-moves"), 400, "invalid_request")["detail"]
    assert 'In items 0, 2 of `requests`: Cell 4 of the board "X...Q...." holds "Q".' in detail
    assert 'In item 3 of `requests`: The board must have 9 cells, not 4: "X...".' in detail
    assert "In items 4, 5 of `requests`: `board` is missing." in detail
    assert detail.count("Send the cells row by row") == 1
    many = problem(
        post({"requests": [{"board": "X...Q...."}] * 30}, "/best-moves"), 400, "invalid_request"
    )
    assert len(many["detail"]) < 400
    assert many["detail"].endswith(" And 10 more.")


WHOLE: dict[str, tuple[object, str, str]] = {
    "no requests": ({}, "#/requests", "missing_field"),
    "null": ({"requests": None}, "#/requests", "missing_field"),
    "an empty list": ({"requests": []}, "#/requests", "wrong_length"),
    "one too many": ({"requests": [GOOD] * (MAX_REQUESTS + 1)}, "#/requests", "wrong_length"),
    "not a list": ({"requests": GOOD}, "#/requests", "wrong_type"),
    "an unknown name": ({"requests": [GOOD], "board": "........."}, "#/board", "unknown_field"),
    "a list alone": ([GOOD], "#", "wrong_type"),
    "a repeated name": (
        b'{"requests":[],"requests":[{"board":"........."}]}',
        "#",
        "repeated_field",
    ),
    "a repeated name in an item": (
        b'{"requests":[{"board":".........","board":"."}]}',
        "#",
        "repeated_field",
    ),
}


@pytest.mark.parametrize(("body", "pointer", "code"), WHOLE.values(), ids=WHOLE)
def test_an_invalid_batch_is_rejected(post: Post, body: object, pointer: str, code: str) -> None:
    """The 400 points to the invalid part of the batch."""
    (error,) = problem(post(body, "/best-moves"), 400, "invalid_request")["errors"]
    assert (error["pointer"], error["code"]) == (pointer, code)
    assert code != "wrong_length" or "must have 1 to 100 items, not " in error["detail"]


def test_a_batch_has_the_limits_of_any_body(client: FlaskClient, post: Post) -> None:
    """The size and the media type of a batch are checked as for a single request."""
    assert post(b'{"requests":[]}'.ljust(MAX_BYTES + 1), "/best-moves").status_code == 413
    assert client.post("/best-moves", data=b"{}", content_type="text/plain").status_code == 415
    assert post(b"{", "/best-moves").get_json()["code"] == "malformed_json"


def test_a_batch_is_not_cached_and_reports_its_time(post: Post) -> None:
    """The response must not be stored; its Server-Timing is the total time of the searches."""
    response = post({"requests": [GOOD, GOOD]}, "/best-moves")
    assert response.headers["Cache-Control"] == "no-store"
    total = sum(result["answer"]["elapsed_ms"] for result in response.get_json()["results"])
    assert float(response.headers["Server-Timing"].removeprefix("search;dur=")) == pytest.approx(
        total, abs=0.001
    )
    assert response.text.endswith("}\n")
