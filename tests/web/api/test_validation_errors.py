"""Validation errors: they are reported together, and each shows what came and what to send.

The texts in tests/web/errors/ tell their words.
"""

import json
import re
from collections.abc import Iterator
from random import Random
from typing import Any, Final

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from best_move.web.api.request_model import Request
from best_move.web.api.requests import BestMoveRequest, TablebaseRequest
from best_move.web.api.validation_errors import MAX_ERRORS
from tests.programs.openapi import BODIES, QUERIES
from tests.web.conftest import GOOD, Post, one_letter_off, problem
from tests.web.error_judge import approved, came, check_problem, name_of, places, value_at
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


def spellings(name: str) -> set[str]:
    """Return the name in the spellings of programming languages, and of lists in some clients."""
    words = name.split("_")
    pascal = "".join(map(str.capitalize, words))
    camel = pascal[0].lower() + pascal[1:]
    found = {
        name,
        pascal,
        camel,
        "-".join(words),
        "".join(words),
        " ".join(words),
        f"{name}[]",
        f"{name}[0]",
    }
    return found.union(map(str.upper, found)) - {name}


def suggested(response: TestResponse, name: str) -> set[str]:
    """Return the fields that are named in the error for a name that is no field."""
    errors = problem(response, 400, "invalid_request")["errors"]
    (error,) = (each for each in errors if each["code"] == "unknown_field")
    first, *others = re.findall("`(.*?)`", error["detail"].partition(" Send ")[0])
    assert first == name
    return {*others}


@pytest.mark.parametrize("path", QUERIES)
def test_a_respelled_parameter_gets_its_field_as_the_only_suggestion(
    client: FlaskClient, path: str
) -> None:
    """In a query, each spelling of a field gets the field as the suggestion, also if repeated."""
    for field in QUERIES[path].model_fields:
        for name in spellings(field):
            for values in ("1", ["0", "4"]):
                response = client.get(path, query_string={name: values})
                assert suggested(response, name) == {field}


@pytest.mark.parametrize("path", BODIES)
def test_a_respelled_field_gets_its_field_as_the_only_suggestion(post: Post, path: str) -> None:
    """In a body, each spelling of a field gets the field as the suggestion."""
    for field in BODIES[path].model_fields:
        for name in spellings(field):
            assert suggested(post({name: 1}, path), name) == {field}


@pytest.mark.parametrize("field", BestMoveRequest.model_fields)
def test_a_respelled_field_in_a_batch_gets_its_field_as_the_suggestion(
    post: Post, field: str
) -> None:
    """In an item of a batch, a field in upper case gets the field as the suggestion."""
    name = field.upper()
    response = post({"requests": [GOOD, {name: 1}]}, "/best-moves")
    assert suggested(response, name) == {field}


#  path -> the model of its query
FORMS: Final[dict[str, type[Request]]] = {**QUERIES, "/tablebase.csv": TablebaseRequest}


@pytest.mark.parametrize("path", FORMS)
def test_a_name_that_is_only_similar_gets_the_list_of_the_fields(
    client: FlaskClient, path: str
) -> None:
    """A name that is no field, even one letter off, gets the list, because it may mean any."""
    fields = FORMS[path].model_fields
    joined = {field.replace("_", "") for field in fields}
    names = {"zzz"}.union(*map(one_letter_off, fields))
    for name in sorted(names)[::7]:
        if name.replace("_", "") not in joined:
            errors = problem(client.get(path, query_string={name: 1}), 400, "invalid_request")
            (error,) = (each for each in errors["errors"] if each["code"] == "unknown_field")
            assert ", ".join(fields) in error["detail"]
            assert "?" not in error["detail"]


#  A complete request to each path. On its board, and on those in errors, moves in errors are legal.
BOARD: Final = {"board": "..X..XOO."}
REQUESTS: Final[dict[str, dict[str, Any]]] = {
    "/best-move": BOARD,
    "/game-review": BOARD | {"played": [1]},
    "/best-moves": {"requests": [BOARD]},
    "/player-review": {"side": "X", "moves": {}, "frequencies": {}},
}


def examples_in(text: str) -> Iterator[object]:
    """Yield the values in a text: the ends of a range, the booleans, and JSON with a bracket."""
    for ends in re.findall(r"from (-?\d+) to (\d+)", text):
        yield from map(int, ends)
    if "true or false" in text:
        yield from (True, False)
    start = re.search(r'["\[{]', text)
    while start:
        value, end = json.JSONDecoder().raw_decode(text, start.start())
        yield value
        start = re.compile(r'["\[{]').search(text, end)


def replaced(body: Any, place: list[str], value: Any) -> Any:
    """Return a body with another value at a place."""
    if not place:
        return value
    if isinstance(body, list):
        index = int(place[0])
        return [*body[:index], replaced(body[index], place[1:], value), *body[index + 1 :]]
    return body | {place[0]: replaced(body.get(place[0]), place[1:], value)}


def errors_of(response: TestResponse, body: object = None) -> list[dict[str, str]]:
    """Return the errors of a request that does not match its schema, without unknown names."""
    if response.status_code != 400:
        assert response.status_code in (200, 422)
        return []
    found = problem(response, 400, "invalid_request")
    check_problem(found, body)
    errors = [error for error in found["errors"] if error["code"] != "unknown_field"]
    for error in errors:
        kind = (name_of(places(error["pointer"])), error["code"])
        assert kind in approved(), f"Add a request with this error to errors/: {kind}"
    return errors


def check_examples(post: Post, path: str, body: Any, error: dict[str, str]) -> None:
    """Assert that the values that an error shows are accepted in the place of what came.

    Instead of an example of a request, which could be sent, it has the names of the fields.
    """
    place = places(error["pointer"])
    shown = came(value_at(body, place)) if error["code"] != "missing_field" else ""
    advice = re.sub(r' holds ".*?"\. ', " ", error["detail"].replace(shown, "", 1))
    examples = [*examples_in(advice)]
    if name_of(place) == "request":
        assert not examples
        assert "`" in error["detail"]
        return
    assert examples, error
    for example in examples:
        at = place_of(example, place, BODIES[path])
        after = errors_of(post(replaced(body, at, example), path))
        assert error["pointer"] not in [each["pointer"] for each in after], (error, example)


def place_of(example: object, place: list[str], form: type[Request]) -> list[str]:
    """Return where an example belongs: it may be of the value, its array or the request."""
    if isinstance(example, list) and place[-1].isdigit():
        return place[:-1]
    if isinstance(example, dict) and example.keys() <= form.model_fields.keys():
        return []
    return place


@pytest.mark.parametrize("path", BODIES)
def test_each_error_in_a_body_shows_what_came_and_what_to_send(post: Post, path: str) -> None:
    """For generated values of each field, what the error shows is accepted in their place."""
    values = Random(path)  # noqa: S311, for a test
    for field in (*BODIES[path].model_fields, ""):
        for _ in range(40):
            value = any_value(values)
            if field == "requests" and values.random() < 0.8:
                inner = values.choice([*BestMoveRequest.model_fields])
                value = [value, BOARD | {inner: any_value(values)}]
            body = REQUESTS[path] | {field: value} if field else value
            if field in ("moves", "frequencies") and isinstance(value, dict):
                continue  # whose entries have errors of their own
            for error in errors_of(post(body, path), body):
                check_examples(post, path, body, error)
