"""The OpenAPI document: the file is a copy, the routes are its paths, and its examples are true."""

import json
import re
import string
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args
from urllib.parse import urljoin

import pytest
import yaml
from flask import Flask
from flask.testing import FlaskClient
from openapi_spec_validator import validate

from best_move.engine import ALGORITHMS
from best_move.engine.position import Cause, MoveCause
from best_move.web.api import openapi
from tests.web.conftest import timeless

FILE = Path(__file__).parents[3] / "openapi.yaml"
DOCUMENT: dict[str, Any] = yaml.safe_load(FILE.read_text(encoding="utf-8"))
BEST_MOVE = DOCUMENT["paths"]["/best-move"]


def test_the_file_is_the_document(client: FlaskClient) -> None:
    """`openapi.yaml` is generated from the schemas, and both routes serve it, each with its own server."""
    assert openapi.as_file() == FILE.read_text(encoding="utf-8")
    for served in (yaml.safe_load(client.get("/openapi.yaml").text), client.get("/openapi.json").get_json()):
        assert served | {"servers": DOCUMENT["servers"]} == DOCUMENT


def test_the_servers_are_those_that_clients_reach(client: FlaskClient) -> None:
    """A client of the file calls this machine; a client of a served document calls its service, whatever the prefix."""
    assert [server["url"] for server in DOCUMENT["servers"]] == ["http://127.0.0.1:8000"]
    for path in ("/openapi.json", "/openapi.yaml"):
        (server,) = yaml.safe_load(client.get(path).text)["servers"]
        assert urljoin(f"https://example.org/ttt{path}", f"{server['url']}/health") == "https://example.org/ttt/health"


def test_the_document_is_valid() -> None:
    """The document is valid OpenAPI 3.1."""
    validate(DOCUMENT)


def test_chatgpt_takes_the_document_for_an_action() -> None:
    """The texts and the whole document keep the limits of GPT actions, in characters."""
    operations = [operation for path in DOCUMENT["paths"].values() for operation in path.values()]
    texts = [operation[kind] for operation in operations for kind in ("summary", "description")]
    assert [text for text in texts if len(text) > 300] == []
    parameters = [parameter for operation in operations for parameter in operation.get("parameters", [])]
    assert [parameter["name"] for parameter in parameters if len(parameter["description"]) > 700] == []
    assert max(len(openapi.as_file()), len(json.dumps(DOCUMENT, ensure_ascii=False))) < 100_000


def test_the_routes_are_the_paths(app: Flask) -> None:
    """Every route with its methods is in the document and the other way round.

    Exceptions are pages, documents by which chat clients find the server, HEAD and OPTIONS, and a slash at the end.
    """
    routes = {
        (rule.rule.rstrip("/"), method.lower())
        for rule in app.url_map.iter_rules()
        if not rule.endpoint.startswith(("pages.", "connect."))
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    assert routes == {(path, method) for path, methods in DOCUMENT["paths"].items() for method in methods}


def test_the_algorithms_are_the_registrys() -> None:
    """The document lists the algorithms of the registry, in its order; those that have a tree are among them."""
    assert set(DOCUMENT["components"]["schemas"]["TracedAlgorithm"]["enum"]) <= set(ALGORITHMS)
    assert DOCUMENT["components"]["schemas"]["Algorithm"]["enum"] == list(ALGORITHMS)


def test_the_board_is_a_string_or_an_array() -> None:
    """A board is a string or an array; in the query it is the string."""
    board = DOCUMENT["components"]["schemas"]["Board"]
    assert board["type"] == ["string", "array"]
    (parameter, *_) = BEST_MOVE["get"]["parameters"]
    assert parameter["schema"] == {"type": "string", "pattern": board["pattern"]}


@pytest.mark.parametrize("name", ["BestMoveRequest", "GameReviewRequest"])
def test_every_optional_field_of_a_body_may_be_null(name: str) -> None:
    """An optional field of a body is published as nullable, a required one and a parameter of a query are not."""
    schema = DOCUMENT["components"]["schemas"][name]
    nullable = {
        field
        for field, form in schema["properties"].items()
        if {"type": "null"} in form.get("anyOf", ()) or "null" in form.get("type", ())
    }
    assert nullable == set(schema["properties"]) - set(schema["required"])
    assert "null" not in json.dumps([parameter["schema"] for parameter in BEST_MOVE["get"]["parameters"]])


def test_the_cells_of_an_array_are_those_of_the_pattern(client: FlaskClient) -> None:
    """The service accepts exactly those strings for a cell that match the pattern; and null."""
    described = DOCUMENT["components"]["schemas"]["Board"]["items"]
    assert described["type"] == ["string", "null"]
    cells = [None, "", *string.printable, "\N{CYRILLIC SMALL LETTER HA}", "XO", "X\n"]
    accepted = [
        cell for cell in cells if client.post("/best-move", json={"board": [cell, *[""] * 8]}).status_code == 200
    ]
    assert accepted == [cell for cell in cells if cell is None or re.fullmatch(described["pattern"], cell)]


def examples(operation: dict[str, Any], status: str) -> dict[str, Any]:
    """Return the values of the examples of a response."""
    (content,) = operation["responses"][status]["content"].values()
    shared = DOCUMENT["components"]["examples"]
    return {name: (shared[name] if "$ref" in each else each)["value"] for name, each in content["examples"].items()}


def request_examples() -> Iterator[Any]:
    """Yield every request example: the method, the path, the request and the answer it promises."""
    for path in ("/best-move", "/game-review"):
        operation = DOCUMENT["paths"][path]["post"]
        for name, example in operation["requestBody"]["content"]["application/json"]["examples"].items():
            answer = examples(operation, "200")[name]
            yield pytest.param("POST", path, example["value"], answer, id=f"POST {path} {name}")
    for path in ("/best-move", "/game-review", "/search-tree"):
        operation = DOCUMENT["paths"][path]["get"]
        for name, answer in examples(operation, "200").items():
            query = {
                parameter["name"]: parameter["examples"][name]["value"]
                for parameter in operation["parameters"]
                if name in parameter["examples"]
            }
            yield pytest.param("GET", path, query, answer, id=f"GET {path} {name}")


def in_query(value: object) -> object:
    """Return a parameter's value as a query spells it."""
    if isinstance(value, list):
        return ",".join(map(str, value))
    return str(value).lower() if value is True else value


@pytest.mark.parametrize(("method", "path", "request_example", "answer"), list(request_examples()))
def test_every_example_is_true(
    client: FlaskClient, method: str, path: str, request_example: dict[str, Any], answer: dict[str, Any]
) -> None:
    """Sent as printed, a request example gets its response example; only the time differs."""
    if method == "POST":
        response = client.post(path, json=request_example)
    else:
        response = client.get(path, query_string={name: in_query(value) for name, value in request_example.items()})
    assert response.status_code == 200
    assert timeless(response.get_json()) == timeless(answer)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("get", "/best-move"),
        ("post", "/best-move"),
        ("get", "/game-review"),
        ("post", "/game-review"),
        ("get", "/search-tree"),
    ],
)
def test_every_answer_has_its_request(method: str, path: str) -> None:
    """No response example stands without the request that gets it."""
    operation = f"{method.upper()} {path} "
    asked = {example.id.removeprefix(operation) for example in request_examples() if example.id.startswith(operation)}
    assert set(examples(DOCUMENT["paths"][path][method], "200")) == asked


def test_every_kind_of_problem_has_an_example() -> None:
    """Each response with problems shows at least one, and each illegal position is shown."""
    for methods in DOCUMENT["paths"].values():
        for operation in methods.values():
            for status, response in operation["responses"].items():
                if "application/problem+json" in response.get("content", {}):
                    assert examples(operation, status)
    shown = examples(BEST_MOVE["post"], "422").values()
    causes = {problem["errors"][0]["code"] for problem in shown}
    assert causes == {*get_args(Cause), *get_args(MoveCause)}
