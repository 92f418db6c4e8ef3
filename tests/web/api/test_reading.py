"""Reading of requests: queries and bodies, which are read, rejected or left unread."""

import json
from collections.abc import Callable
from itertools import chain
from typing import Final

import pytest
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from best_move.web.api.reading import read_request
from best_move.web.api.request_model import fields_of
from best_move.web.api.requests import BestMoveRequest
from tests.programs.openapi import BODIES, QUERIES
from tests.web.conftest import GAME, VALID_QUERIES, Post, problem, timeless


@given(
    st.lists(st.lists(st.integers(0, 8), min_size=1, max_size=3), max_size=3),
    st.integers(0, 3),
    st.sampled_from(["played", "played[]", "played%5B%5D"]),
    st.sampled_from([",", ", ", "%2C+", "%20,%20"]),
    st.sampled_from(["{}", "[{}]", "%5B{}%5D"]),
)
def test_a_list_parameter_may_be_repeated_in_a_query(
    lists: list[list[int]], index: int, name: str, comma: str, form: str
) -> None:
    """The cells of each `played`, with or without blanks and brackets, are joined in order."""
    parameters = [f"{name}={form.format(comma.join(map(str, cells)))}" for cells in lists]
    parameters.insert(index, "board=X...O....")
    environ = {"REQUEST_METHOD": "GET", "QUERY_STRING": "&".join(parameters)}
    assert read_request(BestMoveRequest, environ).played == [*chain(*lists)]


#  How clients write a list in a query: by its name and the items, each parameter.
LISTS: Final[dict[str, Callable[[str, list[str]], list[str]]]] = {
    "Swagger": lambda name, items: [f"{name}={','.join(items)}"],
    "requests, URLSearchParams": lambda name, items: [f"{name}={item}" for item in items],
    "axios, jQuery, Rails": lambda name, items: [f"{name}[]={item}" for item in items],
    "PHP, qs": lambda name, items: [f"{name}[{at}]={item}" for at, item in enumerate(items)],
    "JSON": lambda name, items: [f"{name}=[{','.join(items)}]"],
    "Python, Java, Kotlin, Dart": lambda name, items: [f"{name}=[{', '.join(items)}]"],
}


def parameters_of(kind: str) -> list[tuple[str, str]]:
    """Return the path and the name of each parameter of a type."""
    return [
        (path, name)
        for path, form in QUERIES.items()
        for name, schema in fields_of(form).items()
        if schema["type"] == kind
    ]


@pytest.mark.parametrize("write", LISTS.values(), ids=LISTS)
@pytest.mark.parametrize(("path", "name"), parameters_of("array"))
def test_each_list_may_be_written_as_a_client_writes_it(
    client: FlaskClient, path: str, name: str, write: Callable[[str, list[str]], list[str]]
) -> None:
    """The response is that to a list with commas, for one item as for several."""
    for items in (["8"], ["8", "1", "2"]):
        responses = []
        for parameters in (write(name, items), [f"{name}={','.join(items)}"]):
            query = "&".join(["board=X...O....", *parameters])
            response = client.get(path, query_string=query)
            assert response.status_code == 200, response.text
            responses.append(response)
        read, expected = responses
        if read.is_json:
            assert timeless(read.get_json()) == timeless(expected.get_json())
        else:
            assert read.data == expected.data


@pytest.mark.parametrize("path", QUERIES)
def test_brackets_are_read_behind_the_name_of_a_list_alone(client: FlaskClient, path: str) -> None:
    """Any other parameter with brackets behind its name gets a 400 that names it without these."""
    for name, schema in fields_of(QUERIES[path]).items():
        if schema["type"] == "array":
            continue
        for brackets in ("[]", "[0]"):
            query = VALID_QUERIES.get(path, GAME) | {name + brackets: "X...O...."}
            errors = problem(client.get(path, query_string=query), 400, "invalid_request")["errors"]
            assert [error["code"] for error in errors] == ["unknown_field"]
            assert f"Did you mean `{name}`?" in errors[0]["detail"]


@pytest.mark.parametrize(
    ("text", "value"),
    [("True", True), ("TRUE", True), ("tRuE", True), ("False", False), ("FALSE", False)],
)
@pytest.mark.parametrize(("path", "name"), parameters_of("boolean"))
def test_each_boolean_may_be_in_any_case(path: str, name: str, text: str, *, value: bool) -> None:
    """As Python, C# and R write it."""
    query = f"board=X...O....&{name}={text}"
    environ = {"REQUEST_METHOD": "GET", "QUERY_STRING": query}
    assert getattr(read_request(QUERIES[path], environ), name) is value


@pytest.mark.parametrize("path", QUERIES)
def test_an_empty_parameter_is_rejected(client: FlaskClient, path: str) -> None:
    """Each parameter that is sent without a value gets a 400 that points to it."""
    for name in QUERIES[path].model_fields:
        query = VALID_QUERIES.get(path, GAME) | {name: ""}
        response = client.get(path, query_string=query)
        (error,) = problem(response, 400, "invalid_request")["errors"]
        assert error["pointer"].removesuffix("/0") == f"#/{name}"
        assert error["detail"].count('""') == 1


@pytest.mark.parametrize("path", BODIES)
def test_a_query_beside_a_body_is_rejected(post: Post, path: str) -> None:
    """The 400 has an error for each parameter of the query."""
    found = problem(post(b"{}", f"{path}?algorithm=minimax&max_depth="), 400, "invalid_request")
    assert [each["pointer"] for each in found["errors"]] == ["#/algorithm", "#/max_depth"]


@pytest.mark.parametrize(
    "path", ["/health", "/metrics", "/openapi.json", "/openapi-3.0.json", "/openapi.yaml"]
)
def test_a_path_without_fields_ignores_a_query(client: FlaskClient, path: str) -> None:
    """Only paths whose requests have a model reject unknown parameters."""
    assert client.get(f"{path}?probe=1").status_code == 200


JSON = "application/json"


@pytest.mark.parametrize(
    ("content_type", "encoding", "status"),
    [
        (JSON, "gzip", 415),
        (JSON, "identity", 200),
        (JSON, "Identity", 200),
        ("Application/JSON", "identity", 200),
        (f"{JSON}; charset=utf-8", "identity", 200),
        ("", "identity", 415),
        ("application/jsonp", "identity", 415),
        ("json", "identity", 415),
    ],
)
def test_a_body_may_have_any_spelling_of_its_type_but_no_encoding(
    client: FlaskClient, content_type: str, encoding: str, status: int
) -> None:
    """The media type may be in upper case and have parameters; compression gets a 415."""
    headers = {"Content-Encoding": encoding, "Content-Type": content_type}
    response = client.post("/best-move", data=b'{"board":"........."}', headers=headers)
    assert response.status_code == status


@pytest.mark.parametrize(
    "path", ["/best-move", "/best-move?board=X...O....", "/tablebase.csv", "/board.svg"]
)
@pytest.mark.parametrize("header", ["CONTENT_LENGTH", "HTTP_TRANSFER_ENCODING"])
def test_a_get_with_a_body_is_rejected(client: FlaskClient, path: str, header: str) -> None:
    """The body is rejected whether or not there is a query."""
    length = {"CONTENT_LENGTH": "2", "HTTP_TRANSFER_ENCODING": "chunked"}[header]
    problem(client.get(path, environ_overrides={header: length}), 400, "malformed_body")


@pytest.mark.parametrize("length", ["", "0"])
def test_a_get_may_have_an_empty_body(client: FlaskClient, length: str) -> None:
    """A length of 0, as some clients send it with every request, is accepted."""
    environ = {"CONTENT_LENGTH": length, "CONTENT_TYPE": "application/json"}
    assert client.get("/best-move?board=X...O....", environ_overrides=environ).status_code == 200


def test_a_body_without_a_length_is_not_waited_for(client: FlaskClient) -> None:
    """Without a length and the server's promise that the input ends, no byte is read."""
    environ = {"wsgi.input": None, "CONTENT_TYPE": "application/json"}
    response = client.post("/best-move", environ_overrides=environ)
    problem(response, 400, "malformed_json")


@pytest.mark.parametrize("path", QUERIES)
def test_a_query_may_send_what_it_could_omit(client: FlaskClient, path: str) -> None:
    """With each default in the query, the response is the same as without."""
    valid = VALID_QUERIES.get(path, GAME)
    defaults = {
        name: json.dumps(field.default).strip('"')
        for name, field in QUERIES[path].model_fields.items()
        if isinstance(field.default, bool | int | str)
    }
    sent, omitted = (client.get(path, query_string=valid | fields) for fields in (defaults, {}))
    assert sent.status_code == 200
    if sent.mimetype == "application/json":
        assert timeless(sent.get_json()) == timeless(omitted.get_json())
    else:
        assert sent.data == omitted.data
