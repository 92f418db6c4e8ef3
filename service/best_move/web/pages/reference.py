"""The examples that the reference page shows: complete requests to try, and a first response."""

import json
from urllib.parse import parse_qs

from best_move.web.api.openapi import document, resolved
from best_move.web.api.strict_json import Json

#  The fields that the page shows of the first response; the tables of the page describe all fields.
FIRST_FIELDS = ("move", "value", "outcome", "distance", "text", "nodes", "after")


def examples(path: str, operation: Json) -> dict[str, str]:
    """Return the examples of an operation by their summary: queries, or bodies as indented JSON.

    For an operation without a body, an example of a 400 or a 422 is included if its `x-request` is
    a GET request for this path; its summary then starts with the status.
    """
    if "requestBody" in operation:
        return _bodies(operation)
    if "parameters" in operation:
        return _queries(operation) | _rejected_queries(path, operation)
    return {}


def _bodies(operation: Json) -> dict[str, str]:
    bodies = operation["requestBody"]["content"]["application/json"]["examples"]
    return {body["summary"]: json.dumps(body["value"], indent=2) for body in bodies.values()}


def _queries(operation: Json) -> dict[str, str]:
    """Return the queries of the examples with the status 200; for pictures, of what they show."""
    names = {parameter["name"] for parameter in operation["parameters"]}
    examples_of_200 = _response_examples(operation, "200")
    if not examples_of_200:  # a picture
        examples_of_200 = _response_examples(_get("/best-move"), "200")
        examples_of_200 += _response_examples(_get("/number-tree"), "200")
    queries = {}
    for example in examples_of_200:
        _, _, query = example["x-request"].partition("?")
        if parse_qs(query).keys() <= names:  # a picture has only some of a best move's parameters
            queries[example["summary"]] = query
    return queries


def _rejected_queries(path: str, operation: Json) -> dict[str, str]:
    queries = {}
    for status in ("400", "422"):
        for example in _response_examples(operation, status):
            request, _, query = example.get("x-request", "").partition("?")
            if request == f"GET {path}":
                queries[f"{status}: {example['summary']}"] = query
    return queries


def first_request() -> str:
    """Return the query of the first example of `GET /best-move`."""
    return next(iter(examples("/best-move", _get("/best-move")).values()))


def first_response() -> str:
    """Return the response to the first request as JSON, shortened to FIRST_FIELDS."""
    response = _response_examples(_get("/best-move"), "200")[0]["value"]
    lines = ["{"]
    for name in FIRST_FIELDS:
        value = json.dumps(response[name])
        lines.append(f'  "{name}": {value},')
    lines += ["  …", "}"]
    return "\n".join(lines)


def _get(path: str) -> Json:
    operation: Json = document()["paths"][path]["get"]
    return operation


def _response_examples(operation: Json, status: str) -> list[Json]:
    """Return the examples of the response that an operation has for a status, if it has one."""
    response = resolved(operation["responses"].get(status, {}))
    return [
        resolved(example)
        for content in response.get("content", {}).values()
        for example in content.get("examples", {}).values()
    ]
