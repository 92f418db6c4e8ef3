"""Validation errors: they are reported together, and each shows what came and what to send.

The texts in tests/web/errors/ tell their words.
"""

import json
import re
from random import Random
from typing import Any, Final

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from best_move.engine import ALGORITHMS
from best_move.web.api.request_model import Request
from best_move.web.api.requests import BestMoveRequest, TablebaseRequest
from best_move.web.api.validation_errors import MAX_ERRORS
from tests.programs.openapi import BODIES, QUERIES
from tests.web.conftest import GOOD, Post, problem
from tests.web.error_judge import approved, check_problem, name_of, places
from tests.web.values import any_value


@pytest.mark.parametrize("count", [1, MAX_ERRORS, MAX_ERRORS + 1, 3000])
def test_the_number_of_reported_errors_is_limited(post: Post, count: int) -> None:
    """Beyond a limit errors are only counted, and the fields are listed once."""
    found = problem(post(GOOD | {f"zz{n}": n for n in range(count)}), 400, "invalid_request")
    described = len(found["errors"])
    assert described == min(count, MAX_ERRORS)
    numbers = re.findall(r"\b\d+\b", found["detail"])
    assert numbers == ([str(count - MAX_ERRORS)] if count > MAX_ERRORS else [])
    assert found["detail"].count(", ".join(BestMoveRequest.model_fields)) == 1


def unknown(response: TestResponse) -> str:
    """Return the detail of the error for a name that is no field."""
    errors = problem(response, 400, "invalid_request")["errors"]
    (detail,) = [error["detail"] for error in errors if error["code"] == "unknown_field"]
    return str(detail)


#  Spellings of programming languages, and of lists in some clients.
RESPELLED = {
    "maxDepth": "max_depth",
    "MaxDepth": "max_depth",
    "MAX_DEPTH": "max_depth",
    "MAX-DEPTH": "max_depth",
    "maxdepth": "max_depth",
    "max depth": "max_depth",
    "tieBreak[0]": "tie_break",
    "Board": "board",
    "PLAYED[12]": "played",
}


@pytest.mark.parametrize(("name", "field"), RESPELLED.items(), ids=RESPELLED)
def test_a_respelled_field_is_the_only_suggestion(
    client: FlaskClient, post: Post, name: str, field: str
) -> None:
    """In a query, also if the name is repeated, in a body, and in an item of a batch."""
    for response in (
        client.get("/best-move", query_string={name: "1"}),
        client.get("/best-move", query_string={name: ["0", "4"]}),
        post({name: 1}),
        post({"requests": [GOOD, {name: 1}]}, "/best-moves"),
    ):
        statement, _, _ = unknown(response).partition(" Send ")
        assert re.findall("`(.*?)`", statement) == [name, field]


#  path -> the model of its query
FORMS: Final[dict[str, type[Request]]] = {**QUERIES, "/tablebase.csv": TablebaseRequest}


@pytest.mark.parametrize("path", FORMS)
def test_only_a_name_with_the_letters_of_a_field_gets_a_suggestion(
    client: FlaskClient, path: str
) -> None:
    """Another name, even one letter off, gets the list of the fields, because it may mean any."""
    fields = FORMS[path].model_fields
    for field in fields:
        detail = unknown(client.get(path, query_string={field.upper(): 1}))
        assert f"Did you mean `{field}`?" in detail
    for name in ["zzz", *(f"{field}s" for field in fields), *(field[1:] for field in fields)]:
        detail = unknown(client.get(path, query_string={name: 1}))
        assert ", ".join(fields) in detail
        assert "?" not in detail


#  A complete request to each path, which stays one with any of the examples.
REQUESTS: Final[dict[str, dict[str, Any]]] = {
    "/best-move": {"board": "..X..XOO."},
    "/game-review": {"board": "..X..XOO.", "played": [1]},
    "/best-moves": {"requests": [GOOD]},
    "/player-review": {"side": "X", "moves": {}, "frequencies": {}},
}

#  Field -> the values that its errors show.
EXAMPLES: Final[dict[str, list[Any]]] = {
    "board": ["X...O....", "........."],
    "starts": ["X", "O"],
    "played": [[0, 4, 1]],
    "algorithm": [*ALGORITHMS],
    "scoring": ["distance", "outcome"],
    "max_depth": [1, 9],
    "analysis": [True, False],
    "difficulty": ["perfect", "hard", "medium", "easy"],
    "tie_break": ["first", "random", "trap", "best_odds"],
    "seed": [0, 9007199254740991],
    "requests": [[{"board": "X...O...."}]],
    "side": ["X", "O"],
    "moves": [{"X...O....": 1}],
    "frequencies": [{"X..O.....": [0, 3, 0, 0, 0, 0, 0, 0, 17]}],
}


@pytest.mark.parametrize("path", BODIES)
def test_the_examples_in_an_error_are_accepted(post: Post, path: str) -> None:
    """The error for a wrong value of any field shows values that can be sent instead."""
    for field in BODIES[path].model_fields:
        response = post(REQUESTS[path] | {field: 1.5}, path)
        (error,) = problem(response, 400, "invalid_request")["errors"]
        for value in EXAMPLES[field]:
            assert json.dumps(value) in error["detail"]
            assert post(REQUESTS[path] | {field: value}, path).status_code == 200, error


@pytest.mark.parametrize("path", BODIES)
def test_each_error_in_a_body_is_of_an_approved_kind(post: Post, path: str) -> None:
    """For generated values of each field, the errors pass the judge: they show what came."""
    values = Random(path)  # noqa: S311, for a test
    for field in (*BODIES[path].model_fields, ""):
        for _ in range(40):
            value = any_value(values)
            if field == "requests" and values.random() < 0.8:
                inner = values.choice([*BestMoveRequest.model_fields])
                value = [value, GOOD | {inner: any_value(values)}]
            if field in ("moves", "frequencies") and isinstance(value, dict):
                continue  # whose entries have errors of their own
            body = REQUESTS[path] | {field: value} if field else value
            response = post(body, path)
            if response.status_code in (200, 422):
                continue
            found = problem(response, 400, "invalid_request")
            check_problem(found, body)
            for error in found["errors"]:
                kind = (name_of(places(error["pointer"])), error["code"])
                is_approved = kind in approved() or "unknown_field" in kind
                assert is_approved, f"Add a request with this error to errors/: {kind}"
