"""What the reference page shows of the OpenAPI document: whole requests to try, and a first response."""

import json
from typing import Any, Final
from urllib.parse import parse_qsl

from best_move.web.api.openapi import document

Json = dict[str, Any]

#  Queries that every operation with a board rejects, by what is wrong with them.
WRONG: Final = {
    "Wrong: five letters are not a board": "board=hello",
    "Wrong: a misspelled name": "board=X...O....&bord=X...O....",
    "Wrong: X has moved twice": "board=XX.......",
}

#  The fields of the first response that a newcomer needs; the others follow in the tables.
FIRST_FIELDS: Final = ("move", "value", "outcome", "distance", "text", "outlook", "nodes", "after")


def examples(operation: Json) -> dict[str, str]:
    """Return the examples of an operation by their summary: queries, or bodies as indented JSON."""
    if "requestBody" in operation:
        bodies = operation["requestBody"]["content"]["application/json"]["examples"]
        return {body["summary"]: json.dumps(body["value"], indent=2) for body in bodies.values()}
    if "parameters" not in operation:
        return {}
    required = {parameter["name"]: parameter["required"] for parameter in operation["parameters"]}
    shown = _responses(operation) or _responses(document()["paths"]["/best-move"]["get"])  # for pictures
    queries = {example["summary"]: example["x-request"].partition("?")[2] for example in shown}
    offered = {summary: query for summary, query in queries.items() if required.keys() >= dict(parse_qsl(query)).keys()}
    moves = "&played=8" if required["played"] else ""  # without which that would be the error
    return offered | {summary: query + moves for summary, query in WRONG.items()}


def first_response() -> str:
    """Return the response to the first example of `GET /best-move` as JSON, shortened to the fields of a first look."""
    value = _responses(document()["paths"]["/best-move"]["get"])[0]["value"]
    fields = [f"  {json.dumps(name)}: {json.dumps(value[name])}" for name in FIRST_FIELDS]
    return "{\n" + ",\n".join([*fields, "  …"]) + "\n}"


def _responses(operation: Json) -> list[Json]:
    """Return the examples of an operation's successful response."""
    (content,) = operation["responses"]["200"]["content"].values()
    shared = document()["components"]["examples"]
    return [shared[name] if "$ref" in each else each for name, each in content.get("examples", {}).items()]
