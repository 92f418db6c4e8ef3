"""The OpenAPI document in version 3.0: valid, complete, and without what its importers lose."""

import json
from copy import deepcopy
from typing import Any, Final

import pytest
from flask.testing import FlaskClient
from openapi_schema_validator import OAS30Validator
from openapi_spec_validator import OpenAPIV30SpecValidator

from best_move.web.api.openapi import document
from best_move.web.api.openapi_3_0 import in_3_0
from tests.programs.openapi import Json, contents, operations, resolved

DOCUMENT: Final = in_3_0(document())


#  Schema of a tree -> a request for one.
TREES: Final = {
    "SearchTree": "/search-tree?board=X.O.O.X..",
    "NumberTree": "/number-tree?tree=[[3,12],[2,4]]",
}


def written_out(node: Any, within: Json = DOCUMENT) -> Any:
    """Return a part of a document with each reference replaced by its target, as importers do."""
    if isinstance(node, list):
        return [written_out(each, within) for each in node]
    if not isinstance(node, dict):
        return node
    if "$ref" not in node:
        return {name: written_out(each, within) for name, each in node.items()}
    assert [*node] == ["$ref"], "Version 3.0 ignores what is beside a reference."
    return written_out(resolved(within, node), within)


def test_the_route_serves_it_with_an_absolute_url(client: FlaskClient) -> None:
    """Its server is this service, also behind a proxy that adds a path prefix, or in a container.

    Names of containers may have an underscore.
    """
    proxied = {"X-Forwarded-Proto": "https", "X-Forwarded-Prefix": "/ttt"}
    cases: tuple[tuple[str, dict[str, str], str], ...] = (
        ("play.example", {}, "http://play.example"),
        ("play.example", proxied, "https://play.example/ttt"),
        ("best_move:8000", {}, "http://best_move:8000"),
    )
    for host, headers, url in cases:
        response = client.get("/openapi-3.0.json", headers={"Host": host, **headers})
        served = response.get_json()
        assert [server["url"] for server in served["servers"]] == [url]
        assert served | {"servers": DOCUMENT["servers"]} == DOCUMENT


def test_it_is_valid() -> None:
    """It is valid OpenAPI 3.0, also with each reference replaced by its target, which ends."""
    assert not [*OpenAPIV30SpecValidator(DOCUMENT).iter_errors()]
    assert not [*OpenAPIV30SpecValidator(written_out(DOCUMENT)).iter_errors()]


def test_it_has_all_operations_but_that_of_chat_clients() -> None:
    """Each has the same texts, parameters, bodies and responses."""
    expected = {
        (path, method): operation
        for path, method, operation in operations(document())
        if path != "/mcp"
    }
    found = {(path, method): operation for path, method, operation in operations(DOCUMENT)}
    assert found.keys() == expected.keys()
    for place, operation in found.items():
        assert operation.keys() == expected[place].keys()
        for name in ("operationId", "summary", "description"):
            assert operation[name] == expected[place][name]
        for name in ("parameters", "responses"):
            assert len(operation.get(name, ())) == len(expected[place].get(name, ()))


def test_its_parameters_have_no_reference() -> None:
    """Each has the type, the words and the limits that its name stands for."""
    for path, method, operation in operations(document()):
        if path == "/mcp":
            continue
        parameters = DOCUMENT["paths"][path][method].get("parameters", ())
        assert "$ref" not in json.dumps(parameters), path
        for parameter, original in zip(parameters, operation.get("parameters", ()), strict=True):
            expected = resolved(document(), original["schema"])
            for keyword in ("type", "enum", "pattern", "minimum", "maximum", "items"):
                assert parameter["schema"].get(keyword) == expected.get(keyword), parameter["name"]


def test_all_examples_match_its_schemas(client: FlaskClient) -> None:
    """Those of requests and responses, which have nulls, and the inner nodes of trees."""
    checked = 0
    for _, _, operation in operations(DOCUMENT):
        body = operation.get("requestBody", {}).get("content", {}).values()
        for content in (*body, *(each for _, _, each in contents(DOCUMENT, operation))):
            validator = OAS30Validator(written_out(content["schema"]))
            for example in content.get("examples", {}).values():
                validator.validate(resolved(DOCUMENT, example)["value"])
                checked += 1
    assert checked > 50

    schemas = DOCUMENT["components"]["schemas"]
    for name, request in TREES.items():
        node = OAS30Validator(written_out(schemas[name]["properties"]["tree"]))
        for child in client.get(request).get_json()["tree"]["children"]:
            node.validate(child)


def referring(**fields: Json) -> Json:
    """Return the schema of an object with these fields."""
    return {"type": "object", "properties": fields}


REF: Final = {name: {"$ref": f"#/components/schemas/{name}"} for name in "AB"}

#  How a schema contains itself -> the schemas.
RECURSIVE: Final[dict[str, Json]] = {
    "in a field": {"A": referring(inner=REF["A"])},
    "with a description": {"A": referring(inner={**REF["A"], "description": "The next one."})},
    "or null": {"A": referring(inner={"anyOf": [REF["A"], {"type": "null"}]})},
    "in a list": {"A": referring(inner={"type": "array", "items": REF["A"]})},
    "by any name": {"A": referring(inner={"type": "object", "additionalProperties": REF["A"]})},
    "through another": {"A": referring(inner=REF["B"]), "B": referring(inner=REF["A"])},
    "inside another": {"A": referring(inner=REF["B"]), "B": referring(inner=REF["B"])},
}


@pytest.mark.parametrize("schemas", RECURSIVE.values(), ids=RECURSIVE)
def test_no_schema_contains_itself(schemas: Json) -> None:
    """The inner schema is an object of any kind, which says what it is; the outer one stays."""
    answer = {"content": {"application/json": {"schema": REF["A"]}}}
    paths = {"/a": {"get": {"tags": [], "responses": {"200": answer}}}}
    converted = in_3_0(document() | {"components": {"schemas": schemas}, "paths": paths})
    assert converted["components"]["schemas"].keys() == schemas.keys()
    text = json.dumps(written_out(converted["paths"], converted))
    assert text.count('"inner"') == len(schemas)
    assert "like the one that contains it" in text or "The next one." in text


def test_the_conversion_leaves_the_document_alone() -> None:
    """The document that is served as version 3.1 stays what it was."""
    before = deepcopy(document())
    in_3_0(document())
    assert document() == before
