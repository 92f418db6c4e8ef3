"""Validation errors: they are reported together, and each shows what came and what to send."""

import json
import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from best_move.web.api.request_model import InvalidRequestError, Request, fields_of, read
from best_move.web.api.requests import (
    BestMoveRequest,
    BestMovesRequest,
    SearchTreeRequest,
    TablebaseRequest,
)
from best_move.web.api.validation_errors import _KINDS, MAX_ERRORS, describe_errors
from best_move.web.chatbots.arguments import BestMoveArguments, JudgeMoveArguments
from tests.programs.openapi import BODIES, QUERIES
from tests.web.conftest import GOOD, Post, one_letter_off, problem

FORMS: list[type[Request]] = [*dict.fromkeys([*QUERIES.values(), *BODIES.values()])]

TOOL_FORMS: list[type[Request]] = [BestMoveArguments, JudgeMoveArguments]


def described(form: type[Request], fields: object) -> str:
    """Return the errors of a request in words."""
    with pytest.raises(InvalidRequestError) as raised:
        read(form, fields)
    return describe_errors(raised.value)[0]


@pytest.mark.parametrize("count", [1, MAX_ERRORS, MAX_ERRORS + 1, 3000])
def test_the_number_of_reported_errors_is_limited(post: Post, count: int) -> None:
    """Beyond a limit errors are only counted, and the fields are listed once."""
    found = problem(post(GOOD | {f"zz{n}": n for n in range(count)}), 400, "invalid_request")
    described = len(found["errors"])
    assert described == min(count, MAX_ERRORS)
    assert found["detail"].endswith(f" Errors that are not listed: {count - described}.") == (
        count > MAX_ERRORS
    )
    assert found["detail"].count("The fields are board, starts,") == 1


def test_a_long_name_is_truncated_in_the_message() -> None:
    """The message quotes a name of 40 characters in full and truncates a longer one."""
    for name, quoted in {"z" * 40: "z" * 40, "z" * 41: "z" * 39 + "…"}.items():
        assert described(BestMoveRequest, GOOD | {name: 1}).startswith(f"`{quoted}` is not a field")


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


def suggested(response: TestResponse) -> list[str]:
    """Return the fields that the error response suggests."""
    return re.findall("Did you mean `(.*?)`", problem(response, 400, "invalid_request")["detail"])


@pytest.mark.parametrize("path", QUERIES)
def test_a_respelled_parameter_gets_its_field_as_the_only_suggestion(
    client: FlaskClient, path: str
) -> None:
    """In a query, each spelling of a field gets the field as the suggestion, also if repeated."""
    for field in QUERIES[path].model_fields:
        for name in spellings(field):
            for values in ("1", ["0", "4"]):
                response = client.get(path, query_string={name: values})
                assert suggested(response) == [field], name


@pytest.mark.parametrize("path", BODIES)
def test_a_respelled_field_gets_its_field_as_the_only_suggestion(post: Post, path: str) -> None:
    """In a body, each spelling of a field gets the field as the suggestion."""
    for field in BODIES[path].model_fields:
        for name in spellings(field):
            assert suggested(post({name: 1}, path)) == [field], name


@pytest.mark.parametrize("field", BestMoveRequest.model_fields)
def test_a_respelled_field_in_a_batch_gets_its_field_as_the_suggestion(
    post: Post, field: str
) -> None:
    """In an item of a batch, a field in upper case gets the field as the suggestion."""
    batch = {"requests": [GOOD, {field.upper(): 1}]}
    assert suggested(post(batch, "/best-moves")) == [field]


def test_a_list_by_the_name_that_clients_give_it_gets_the_form_to_send(client: FlaskClient) -> None:
    """The error for `played[]`, as some clients write a list, shows how to write `played`."""
    response = client.get("/best-move?board=X...O....&played[]=1&played[]=2")
    assert problem(response, 400, "invalid_request")["detail"] == (
        "`played[]` is not a field of this request. Did you mean `played`? "
        "Send cells in the order of the moves, such as `0,4,1`. Without `played`, the oracle moves "
        "for the side to move."
    )


def test_each_of_several_wrong_names_has_its_advice() -> None:
    """Each wrong name is followed by its suggestion, and the fields are listed once."""
    wrong = {"Board": "X...O....", "Max-Depth": 1, "moves": [], "yyy": 2}
    assert described(BestMoveRequest, wrong).endswith(
        "`Board` is not a field of this request. Did you mean `board`? "
        "`Max-Depth` is not a field of this request. Did you mean `max_depth`? "
        "`moves` is not a field of this request. The fields are board, starts, played, algorithm, "
        "scoring, max_depth, analysis, difficulty, tie_break, seed. "
        "`yyy` is not a field of this request."
    )


@pytest.mark.parametrize("form", [*FORMS, TablebaseRequest])
def test_a_name_that_is_only_similar_gets_the_list_of_the_fields(form: type[Request]) -> None:
    """A name that is no field, even one letter off, gets the list, because it may mean any."""
    fields = {field.replace("_", "") for field in form.model_fields}
    for name in {"zzz"}.union(*map(one_letter_off, form.model_fields)):
        if name.replace("_", "") not in fields:
            assert unknown(name, form) in described(form, {name: 1})


def unknown(name: str, form: type[Request]) -> str:
    """Return the error for a name that is not a field of a form; it lists the fields."""
    match [*form.model_fields]:
        case []:
            fields = "It has no fields."
        case [field]:
            fields = f"The only field is `{field}`."
        case several:
            fields = f"The fields are {', '.join(several)}."
    return f"`{name}` is not a field of this request. {fields}"


def test_an_error_in_a_list_counts_moves_from_1() -> None:
    """An error in a list of moves counts the moves from 1, as errors of the rules do."""
    expected = 'Move 1 in `played` must be an integer from 0 to 8, not "X". Send cells'
    assert described(BestMoveRequest, GOOD | {"played": ["X"]}).startswith(expected)
    batch = {"requests": [GOOD | {"played": ["X"]}]}
    assert described(BestMovesRequest, batch).startswith(f"At index 0 of `requests`: {expected}")


#  Type of a field -> texts that are values of the type without the quotes.
IN_QUOTES = {"integer": ("0", "-1", "17"), "boolean": ("true", "FALSE")}


@pytest.mark.parametrize("form", [BestMoveRequest, SearchTreeRequest])
def test_a_number_or_a_boolean_in_quotes_is_to_be_sent_without_quotes(form: type[Request]) -> None:
    """An error says to omit the quotes exactly if the text in them is of the right type."""
    for field, schema in fields_of(form).items():
        of_the_type = IN_QUOTES.get(str(schema.get("type")))
        if of_the_type is None:
            continue
        for sent in ("0", "-1", "17", "true", "FALSE", "1.5", "zzz", ""):
            detail = described(form, GOOD | {field: sent})
            is_advised = f', without quotes, not "{sent}".' in detail
            assert is_advised == (sent in of_the_type), detail


@pytest.mark.parametrize(
    "board", ["", "X../.O./...", [""] * 9, ["X..", ".O.", "..."], {"cells": [""] * 9}, 1.5]
)
def test_a_board_in_another_form_gets_the_rule_and_an_example(board: object) -> None:
    """The error for a value that is not nine cells has no board made of it."""
    form = 'Send the cells row by row, such as "X...O....". A new game is ".........".'
    assert described(BestMoveRequest, {"board": board}).endswith(f". {form}")


#  Names and values that programs send by mistake, and what the error shows of them.
SHOWN = {
    "[object Object]": 'must have 9 cells, not 15: "[object Object]".',
    "undefined": 'Cell 0 of the board "undefined" holds "u".',
    "XO..X…": 'not 6: "XO..X…" (U+2026).',
    "XO..\u200bX....": 'not 10: "XO..\u200bX...." (U+200B).',
    "\u0425........": 'board "\u0425........" (U+0425) holds "\u0425".',
    "❎🅾️⬜": 'not 4: "❎🅾️⬜" (U+274E, U+1F17E, U+FE0F, U+2B1C).',
    "é" * 50: f'not 50: "{"é" * 37}…" (U+00E9).',
}


@pytest.mark.parametrize(("board", "shown"), SHOWN.items())
def test_a_wrong_board_is_shown(board: str, shown: str) -> None:
    """The error quotes the board, truncated, with the code points of its foreign characters."""
    assert shown in described(BestMoveRequest, {"board": board})


def test_a_letter_that_looks_like_another_has_its_code_point() -> None:
    """A Cyrillic letter in a name or a value is told apart by its code point."""
    assert '"X" or "O", not "\u041e" (U+041E).' in described(
        BestMoveRequest, GOOD | {"starts": "\u041e"}
    )
    assert "`b\u043eard` (U+043E) is not a field" in described(BestMoveRequest, {"b\u043eard": ""})


#  Types of Pydantic's errors that have functions of their own; the others have rows of texts.
NAMED = {"extra_forbidden", "string_pattern_mismatch"}


def test_exactly_the_errors_that_the_models_raise_have_texts() -> None:
    """Generated values for each field of each model raise exactly the errors that have a row."""
    values = Random(1)  # noqa: S311, for a test
    kinds: set[str] = set()
    for form in (*FORMS, *TOOL_FORMS):
        for field in (*form.model_fields, "other", ""):
            for _ in range(60):
                value = generated(values)
                kinds |= raised_by(form, {field: value} if field else value)
    assert kinds == {*_KINDS} | NAMED


def raised_by(form: type[Request], sent: object) -> set[str]:
    """Return the types of the errors that a request raises; fail if one has no text."""
    try:
        read(form, sent)
    except InvalidRequestError as error:
        describe_errors(error)
        return {details["type"] for details in error.errors}
    return set()


CHARACTERS = 'XOxo._-019 e"\\\n/,[]\u0425\u041e…⬜'  # those of boards, and others


def generated(values: Random, depth: int = 0) -> Any:
    """Return a random JSON value."""
    length = values.choice([0, 1, 2, 8, 9, 12, 50])
    numbers = [values.randrange(-1, 10) for _ in range(length)]
    scalars = [
        None,
        values.random() < 0.5,
        values.choice([values.randrange(-3, 12), values.randrange(-(2**60), 2**60)]),
        values.uniform(-10, 10),
        "".join(values.choices(CHARACTERS, k=length)),
    ]
    if depth == 3:
        return values.choice(scalars)
    inner = generated(values, depth + 1)
    names = values.choices(["board", "played", "x", "........."], k=values.randrange(3))
    return values.choice([*scalars, numbers, [*numbers, inner], dict.fromkeys(names, inner)])


#  A complete request to each path. On its board, and on those in errors, moves in errors are legal.
BOARD = {"board": "..X..XOO."}
REQUESTS: dict[str, dict[str, Any]] = {
    **dict.fromkeys(QUERIES, BOARD),
    "/game-review": BOARD | {"played": [1]},
    "/best-moves": {"requests": [BOARD]},
    "/player-review": {"side": "X", "moves": {}, "frequencies": {}},
}


def cut(text: str) -> str:
    """Return a text as errors show it: at most 40 characters, with its closing quote."""
    if len(text) <= 40:
        return text
    return f"{text[:38]}…{text[-1]}" if text[-1] in '"]}' else f"{text[:39]}…"


def outlined(value: object) -> str:
    """Return a value as JSON, in which objects have no values."""
    if isinstance(value, dict):
        value = dict.fromkeys(value, ELLIPSIS)
    elif isinstance(value, list):
        return f"[{', '.join(map(outlined, value))}]"
    return json.dumps(value, ensure_ascii=False).replace(f'"{ELLIPSIS}"', "...")


ELLIPSIS = "(its value)"


def expected(detail: str) -> str:
    """Return the part of an error that says which values are expected."""
    found = re.search("must be (.*?)(, without quotes)?, not ", detail)
    return found[1] if found else ""


def in_words(detail: str) -> list[object]:
    """Return the values that an error names: the ends of a range, or the booleans."""
    ends = re.search(r"from (-?\d+) to (\d+)", expected(detail))
    if ends:
        return [int(ends[1]), int(ends[2])]
    return [True, False] if "true or false" in expected(detail) else []


def in_json(text: str) -> Iterator[object]:
    """Yield the texts, arrays and objects in a text."""
    start = re.search(r'["\[{]', text)
    if start:
        value, end = json.JSONDecoder().raw_decode(text, start.start())
        yield value
        yield from in_json(text[end:])


def value_at(body: Any, place: list[str]) -> Any:
    """Return the value at a place of a body."""
    for part in place:
        body = body[int(part)] if isinstance(body, list) else body[part]
    return body


def replaced(body: Any, place: list[str], value: Any) -> Any:
    """Return a body with another value at a place."""
    if not place:
        return value
    if isinstance(body, list):
        index = int(place[0])
        return [*body[:index], replaced(body[index], place[1:], value), *body[index + 1 :]]
    return body | {place[0]: replaced(body.get(place[0]), place[1:], value)}


def errors_of(response: TestResponse) -> list[dict[str, str]]:
    """Return the errors of a request that does not match its schema, without unknown names."""
    if response.status_code != 400:
        assert response.status_code in (200, 422)
        return []
    errors = problem(response, 400, "invalid_request")["errors"]
    return [error for error in errors if error["code"] != "unknown_field"]


def check_error_in_body(post: Post, path: str, body: Any, error: dict[str, str]) -> None:
    """Assert that an error has the field, the value that came, and examples without the error.

    Instead of an example of a request, which could be sent, it has the names of the fields.
    """
    detail = error["detail"]
    place = error["pointer"].split("/")[1:]
    assert name_of(place) in detail
    if error["code"] != "missing_field":
        assert cut(outlined(value_at(body, place))) in detail
    if name_of(place) == "The request":
        assert " Send a JSON object with `" in detail
        return
    shown = expected(detail) + detail.partition(" Send ")[2]
    examples = [*in_words(detail), *in_json(shown)]
    assert examples, detail
    for example in examples:
        at = place_of(example, place, BODIES[path])
        after = errors_of(post(replaced(body, at, example), path))
        assert error["pointer"] not in [each["pointer"] for each in after], (detail, example)


def name_of(place: list[str]) -> str:
    """Return the name by which an error calls a place: that of its field, or the request."""
    if not place or place[-2:-1] == ["requests"]:
        return "The request"
    *_, name = [part for part in place if not part.isdigit()]
    return name


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
            value = generated(values)
            if field == "requests" and values.random() < 0.8:
                inner = values.choice([*BestMoveRequest.model_fields])
                value = [value, BOARD | {inner: generated(values)}]
            body = REQUESTS[path] | {field: value} if field else value
            if field in ("moves", "frequencies") and isinstance(value, dict):
                continue  # whose entries have errors of their own
            for error in errors_of(post(body, path)):
                check_error_in_body(post, path, body, error)


def form_of(text: str, pointer: str) -> str:
    """Return the text of a parameter as an error shows it: as JSON of its type."""
    parts = [part.strip(" ") for part in text.split(",")]
    if pointer == "#/played":  # too many
        return "["
    if pointer.startswith("#/played/"):
        text = parts[int(pointer.removeprefix("#/played/"))]
    is_number = re.fullmatch("-?(0|[1-9][0-9]*)", text) and pointer != "#/board"
    return text if is_number else json.dumps(text, ensure_ascii=False)


@pytest.mark.parametrize("path", QUERIES)
def test_each_error_in_a_query_shows_what_came_and_what_to_send(
    client: FlaskClient, path: str
) -> None:
    """For generated texts of each parameter, what the error shows is accepted in their place."""
    values = Random(path)  # noqa: S311, for a test
    request = {name: value if name == "board" else "1" for name, value in REQUESTS[path].items()}
    for field in QUERIES[path].model_fields:
        for length in [*range(12), 50] * 2:
            text = "".join(values.choices("XO.-,0123456789 etru[]\u0425…", k=length))
            response = client.get(path, query_string=request | {field: text})
            for error in errors_of(response):
                detail = error["detail"]
                assert field in detail
                if error["code"] != "missing_field":
                    assert cut(form_of(text, error["pointer"])) in detail
                for example in examples_for_query(detail):
                    again = client.get(path, query_string=request | {field: example})
                    assert again.status_code in (200, 422), (detail, example)


def examples_for_query(detail: str) -> list[str]:
    """Return the values that an error shows, as they are written in a query; at least one."""
    shown = expected(detail) + detail.partition(" Send ")[2]
    examples = [*re.findall("`(.*?)`", shown), *map(json.dumps, in_words(detail))]
    examples = [example for example in examples if example not in BestMoveRequest.model_fields]
    assert examples, detail
    return examples
