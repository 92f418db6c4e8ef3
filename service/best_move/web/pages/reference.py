"""What the reference page shows of the OpenAPI document: whole requests to try, and a first response."""

import json
from typing import Any, Final
from urllib.parse import urlencode

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
    queries: dict[str, dict[str, str]] = {}
    for parameter in operation.get("parameters", ()):
        for example in parameter["examples"].values():
            queries.setdefault(example["summary"], {})[parameter["name"]] = _as_query(example["value"])
    right = {summary: urlencode(query, safe=",") for summary, query in queries.items()}
    return right | WRONG if right else {}


def first_response() -> str:
    """Return the response to the first example of `GET /best-move` as JSON, shortened to the fields of a first look."""
    response = document()["paths"]["/best-move"]["get"]["responses"]["200"]
    value = next(iter(response["content"]["application/json"]["examples"].values()))["value"]
    fields = [f"  {json.dumps(name)}: {json.dumps(value[name])}" for name in FIRST_FIELDS]
    return "{\n" + ",\n".join([*fields, "  …"]) + "\n}"


def _as_query(value: object) -> str:
    match value:
        case bool():
            return str(value).lower()
        case list():
            return ",".join(map(str, value))
        case _:
            return str(value)
