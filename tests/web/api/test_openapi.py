"""The OpenAPI document: it is up to date, has every route, and an example of each problem."""

import json
import re
from collections.abc import Callable, Iterator
from difflib import unified_diff
from typing import Any, get_args
from urllib.parse import urljoin

import pytest
from flask import Flask
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator, validators  # type: ignore[import-untyped]  # it ships no types
from openapi_spec_validator import validate

from best_move.engine.choice import RATES
from best_move.engine.position import MoveCause, PositionCause, Status
from best_move.engine.reason import Reason
from best_move.engine.score import Outcome
from best_move.engine.search_tree import DEFAULT_NODES, MAX_NODES
from best_move.engine.tree_node import Bound, Side
from best_move.tablebase import COLUMNS
from best_move.web.api.handling import MAX_BYTES, MAX_PLAYER_BYTES
from best_move.web.api.number_text import MAX_BRANCHES, MAX_LEAVES, MAX_PLIES
from best_move.web.api.problem_types import ProblemType
from best_move.web.api.requests import MAX_REQUESTS
from best_move.web.api.validation_errors import MAX_ERRORS
from tests.programs.openapi import (
    BODIES,
    FILE,
    QUERIES,
    contents,
    operations,
    parsed,
    regenerated,
    resolved,
)
from tests.truth import golden

DOCUMENT = parsed(FILE.read_text(encoding="utf-8"))
PARAMETERS = {
    (path, parameter["name"]): parameter
    for path, _, operation in operations(DOCUMENT)
    for parameter in operation.get("parameters", ())
}
CONTENTS = [
    (media_type, content)
    for _, _, operation in operations(DOCUMENT)
    for _, media_type, content in contents(DOCUMENT, operation)
]


def test_the_file_is_up_to_date() -> None:
    """`make openapi` changes nothing: schemas, parameters and examples are up to date."""
    text = FILE.read_text(encoding="utf-8")
    changes = [*unified_diff(text.splitlines(), regenerated(text).splitlines(), n=0)]
    assert not changes, "Run `make openapi`."


def test_the_generator_has_the_model_of_every_query_and_body() -> None:
    """Each operation with parameters or a body, except that of `/mcp`, has a model."""
    found = [*operations(DOCUMENT)]
    queries = {path for path, _, operation in found if "parameters" in operation}
    bodies = {path for path, _, operation in found if "requestBody" in operation}
    assert {*QUERIES} == queries, "Update tests/programs/openapi.py."
    assert {*BODIES} == bodies - {"/mcp"}, "Update tests/programs/openapi.py."


@pytest.mark.parametrize(
    ("path", "parse"), [("/openapi.yaml", parsed), ("/openapi.json", json.loads)]
)
def test_both_routes_serve_the_file(
    client: FlaskClient, path: str, parse: Callable[[str], Any]
) -> None:
    """Only the server differs: its URL is right even behind a proxy that adds a path prefix."""
    served = parse(client.get(path).text)
    (server,) = served["servers"]
    behind_a_proxy = urljoin(f"https://example.org/ttt{path}", f"{server['url']}/health")
    assert behind_a_proxy == "https://example.org/ttt/health"
    assert served | {"servers": DOCUMENT["servers"]} == DOCUMENT


def test_the_document_is_valid() -> None:
    """The document is valid OpenAPI 3.1."""
    validate(DOCUMENT)


def test_the_document_has_exactly_the_routes_of_the_service(app: Flask) -> None:
    """The document omits only the pages, their files, `/favicon.ico`, HEAD and OPTIONS."""
    routes = {
        (rule.rule.rstrip("/"), method.lower())
        for rule in app.url_map.iter_rules()
        if not rule.endpoint.startswith(("pages.", "static_files."))
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    assert routes == {(path, method) for path, method, _ in operations(DOCUMENT)}


#  Requests of each method that operations reject, or to which a client has the response already.
REQUESTS: dict[str, list[dict[str, Any]]] = {
    "get": [
        *(
            {"query_string": query, "headers": headers}
            for query in (
                "",
                "misspelled=1",
                "board=.........&played=4",
                "board=XX.......&played=4",
            )
            for headers in ({}, {"If-None-Match": "*"})
        ),
        {"query_string": "board=.........&played=4", "data": b"{}"},
        {"headers": {"Host": "a..b"}},
    ],
    "post": [
        {"json": {}},
        {"json": {}, "query_string": "board=........."},
        {"json": {"board": "XX.......", "played": [4]}},
        {"data": b"{", "content_type": "application/json"},
        {"data": b"{}", "content_type": "text/plain"},
        {"data": b" " * (MAX_PLAYER_BYTES + 1), "content_type": "application/json"},
        {
            "data": b"{",
            "content_type": "application/json",
            "environ_overrides": {"CONTENT_LENGTH": "50"},
        },
        {"json": {}, "headers": {"Host": "a..b"}},
    ],
}

#  What the description of a 400 says of each code.
WORDS_OF_CODES: dict[str, dict[str, str]] = {
    "get": {
        "invalid_request": "not match the schema|has a query",
        "malformed_body": "a body",
        "bad_request": "Host",
    },
    "post": {
        "invalid_request": "not match the schema",
        "malformed_json": "is not JSON",
        "malformed_body": "is incomplete",
        "bad_request": "Host",
    },
}


def test_each_response_that_is_sent_is_documented(client: FlaskClient) -> None:
    """The document has the status and media type of each error, and a 400 names all its codes."""
    missing = set()
    for path, method, operation in operations(DOCUMENT):
        for request in REQUESTS[method]:
            response = client.open(path, method=method.upper(), **request)
            status = str(response.status_code)
            documented = resolved(DOCUMENT, operation["responses"].get(status, {}))
            content = documented.get("content", {"": None})
            code = str((response.get_json(silent=True) or {}).get("code"))
            words = WORDS_OF_CODES[method].get(code, "") if status == "400" else ""
            is_documented = (response.mimetype or "") in content
            if not is_documented or not re.search(words, documented["description"]):
                missing.add(f"{status} {response.mimetype} {code} of {method.upper()} {path}")
    assert not missing, "Write these responses into openapi.yaml."


@pytest.mark.parametrize(
    "path", [path for path, methods in DOCUMENT["paths"].items() if "get" in methods]
)
def test_exactly_the_headers_that_are_sent_are_documented(client: FlaskClient, path: str) -> None:
    """Of the headers for clients, the document lists exactly those in the response to a GET."""
    query = {
        "/game-review": "?board=.........&played=4",
        "/number-tree": "?tree=[3]",
        "/tree.png": "?tree=[3]",
        "/tablebase.csv": "",
    }.get(path, "?board=.........")
    response = client.get(path + query)
    assert response.status_code == 200
    operation = DOCUMENT["paths"][path]["get"]
    assert "ETag" in response.headers or "304" not in operation["responses"]
    of_clients = {"Cache-Control", "ETag", "Server-Timing", "X-Request-ID"}
    documented = operation["responses"]["200"]["headers"]
    sent = of_clients & {*response.headers.keys()}
    assert {*documented} == sent, f"Update the headers of GET {path} in openapi.yaml."


@pytest.mark.parametrize(
    ("method", "path", "text"),
    [
        ("post", "/best-move", f"at most {MAX_BYTES // 1024} KiB"),
        ("post", "/best-moves", f"1 to {MAX_REQUESTS} requests in at most {MAX_BYTES // 1024} KiB"),
        ("get", "/search-tree", f"At most {MAX_NODES:,} nodes"),
        (
            "get",
            "/number-tree",
            f"At most {MAX_LEAVES} leaves, {MAX_PLIES} plies and {MAX_BRANCHES} branches",
        ),
        ("get", "/tablebase.csv", f"{golden.LEGAL_PAIRS:,} positions: {', '.join(COLUMNS)}."),
    ],
)
def test_descriptions_of_operations_state_the_limits(method: str, path: str, text: str) -> None:
    """The limits and column names in the descriptions are those of the code."""
    assert text in DOCUMENT["paths"][path][method]["description"]


def test_everything_is_described() -> None:
    """Each type, field and parameter has a text; Python clients show that of a parameter's type."""
    schemas = DOCUMENT["components"]["schemas"]
    types = {
        **schemas,
        **{
            f"{name}.{field}": {**resolved(DOCUMENT, properties), **properties}
            for name, schema in schemas.items()
            for field, properties in schema.get("properties", {}).items()
        },
        **{name: resolved(DOCUMENT, parameter["schema"]) for name, parameter in PARAMETERS.items()},
    }
    assert [name for name, schema in types.items() if not schema.get("description")] == []
    assert [name for name, each in PARAMETERS.items() if not each["description"]] == []


def test_descriptions_of_fields_state_the_limits() -> None:
    """The numbers of nodes and the rates of random moves are those of the code."""
    schemas = DOCUMENT["components"]["schemas"]
    tree = schemas["SearchTree"]["properties"]["tree"]["description"]
    assert f"at most {MAX_NODES:,} nodes" in tree
    plies = PARAMETERS["/search-tree", "plies"]["description"]
    assert f"more than {MAX_NODES:,} nodes" in plies
    assert f"fit in {DEFAULT_NODES} nodes" in plies
    rates = ", ".join(f"{name} {rate:.0%}" for name, rate in RATES.items())
    for schema in (schemas["BestMoveRequest"]["properties"]["difficulty"], schemas["Difficulty"]):
        assert rates in schema["description"]


def test_every_constant_and_number_has_a_type_where_it_stands() -> None:
    """Constants have a type, for R; a `$ref` to an integer has no description, for C++."""
    schemas = DOCUMENT["components"]["schemas"]
    unexplored: list[Any] = [DOCUMENT]
    while unexplored:
        node = unexplored.pop()
        if isinstance(node, dict):
            assert "const" not in node or "type" in node, node
            referenced = schemas.get(str(node.get("$ref", "")).rpartition("/")[2], {})
            assert node.keys() == {"$ref"} or referenced.get("type") != "integer", node
            unexplored += node.values()
        elif isinstance(node, list):
            unexplored += node


@pytest.mark.parametrize(
    ("name", "words"), [("Outcome", Outcome), ("Reason", Reason), ("Status", Status)]
)
def test_the_words_in_responses_are_listed_but_extensible(name: str, words: object) -> None:
    """A later version may add words to those that the document lists."""
    schema = DOCUMENT["components"]["schemas"][name]
    assert schema["x-extensible-enum"] == [*get_args(words)]
    assert re.findall(r"`(\w+)`", schema["description"]) == [*get_args(words)]
    assert "enum" not in schema


def test_examples_have_the_fields_of_their_schemas_and_no_others() -> None:
    """A schema has no further fields than its examples, and requires those that are in each."""
    schemas = DOCUMENT["components"]["schemas"]
    closed = {
        name: {"additionalProperties": False, "title": name, **schema}
        for name, schema in schemas.items()
        if "properties" in schema and not name.endswith("Request")
    }
    sent: dict[str, list[set[str]]] = {name: [] for name in closed}  # the fields of each object

    def record(validator: Any, fields: Any, value: Any, schema: Any) -> Iterator[Any]:
        if isinstance(value, dict):
            sent[schema["title"]].append({*value})
        yield from Draft202012Validator.VALIDATORS["properties"](validator, fields, value, schema)

    validator = validators.extend(Draft202012Validator, {"properties": record})
    for _, content in CONTENTS:
        schema = {**content["schema"], "components": {"schemas": schemas | closed}}
        for example in content.get("examples", {}).values():
            validator(schema).validate(resolved(DOCUMENT, example)["value"])
    for name, objects in sent.items():
        unused = {*schemas[name]["properties"]}.difference(*objects)
        assert not unused, f"No example has these fields of {name}: {unused}"
        optional = set.intersection(*objects) - {*schemas[name].get("required", ())}
        assert not optional, f"Every {name} has {optional}. Add them to `required`."


def test_response_schemas_have_the_enum_values_and_limits_of_the_code() -> None:
    """The schema of boards, the enumerations, the problem codes and the limits are the code's."""
    schemas = DOCUMENT["components"]["schemas"]
    assert schemas["Position"]["properties"]["board"] == {"$ref": "#/components/schemas/Board"}
    assert schemas["Bound"]["enum"] == [*get_args(Bound)]
    assert schemas["Side"]["enum"] == [*get_args(Side)]
    assert schemas["Problem"]["properties"]["code"]["examples"] == [
        kind.code for kind in ProblemType
    ]
    assert schemas["Problem"]["properties"]["errors"]["maxItems"] == MAX_ERRORS
    assert schemas["BestMoves"]["properties"]["results"]["maxItems"] == MAX_REQUESTS


def test_every_kind_of_problem_has_an_example() -> None:
    """Each error response has an example, and so has each cause of an illegal position or move.

    No request names the side to move.
    """
    for media_type, content in CONTENTS:
        assert content.get("examples") or media_type != "application/problem+json", content
    illegal = DOCUMENT["paths"]["/best-move"]["post"]["responses"]["422"]["content"]
    (content,) = illegal.values()
    shown = [resolved(DOCUMENT, each)["value"] for each in content["examples"].values()]
    causes = {problem["errors"][0]["code"] for problem in shown}
    assert causes == {*get_args(PositionCause), *get_args(MoveCause)} - {"wrong_side_to_move"}
