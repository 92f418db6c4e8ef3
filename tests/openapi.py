"""Writes into `openapi.yaml` what the code determines: the version, the schemas, the parameters, and each response.

Everything else in the file is edited there: operations, texts, and the names, summaries and requests of examples. A
response is what the application returns to the request of its example. Run by `make openapi`.
"""

import logging
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from typing import Any, Final, NamedTuple
from unittest.mock import patch
from urllib.parse import urlencode

import yaml
from flask.testing import FlaskClient
from pydantic import BaseModel, TypeAdapter
from typing_extensions import override
from werkzeug.test import TestResponse

from best_move import __version__
from best_move.web.api.problems import Problem
from best_move.web.api.requests import (
    MAX_BYTES,
    BestMoveRequest,
    BestMovesRequest,
    GameReviewRequest,
    PositionRequest,
    SearchTreeRequest,
)
from best_move.web.api.responses import BestMove, BestMoves, GameReview, Health, SearchTree
from best_move.web.app import create_app
from best_move.web.settings import Settings
from tests.readme import ROOT

Json = dict[str, Any]

FILE: Final = ROOT / "openapi.yaml"

#  path -> what its query is read into
QUERIES: Final[dict[str, type[BaseModel]]] = {
    "/best-move": BestMoveRequest,
    "/game-review": GameReviewRequest,
    "/search-tree": SearchTreeRequest,
    "/board.svg": PositionRequest,
    "/board.png": PositionRequest,
}
BODIES: Final = (BestMoveRequest, BestMovesRequest, GameReviewRequest)
RESPONSES: Final = (BestMove, BestMoves, GameReview, SearchTree, Problem, Health)

_REF: Final = "#/components/schemas/{model}"


class Sent(NamedTuple):
    """A request as Werkzeug's client sends it."""

    path: str
    method: str = "GET"
    json: Any = None
    data: bytes | None = None
    headers: dict[str, str] = {}  # noqa: RUF012, nobody changes it


#  name of an example -> the request that gets it, where the document has none of this name
PROBLEMS: Final = {
    "unknown_field": Sent("/best-move?board=X...O....&algoritm=minimax"),
    "wrong_character": Sent("/best-move?board=X...Q...."),
    "wrong_length": Sent("/best-move?board=X...O..."),
    "mark_counts": Sent("/best-move?board=XX......."),
    "two_winners": Sent("/best-move?board=XXXOOO..."),
    "played_after_win": Sent("/best-move?board=XXXOO.OO."),
    "wrong_side_to_move": Sent("/best-move?board=X........&to_move=X"),
    "cell_taken": Sent("/best-move?board=.........&played=0,0"),
    "played_after_end": Sent("/best-move?board=XX.OO....&played=2,5"),
    "no_moves": Sent("/game-review?board=.........&played="),
    "wrong_value": Sent("/search-tree?board=X...O....&algorithm=transposition_table"),
    "empty_window": Sent("/search-tree?board=X...O....&alpha=0&beta=0"),
    "unused_window": Sent("/search-tree?board=X...O....&algorithm=minimax&alpha=0"),
    "item": Sent("/best-moves", "POST", {"requests": [{"board": "X...O...."}, {"board": "X...Q...."}]}),
    "other": Sent("/tablebase.csv", headers={"If-Match": '"other"'}),
    "origin": Sent("/mcp", "POST", {}, headers={"Origin": "https://example.org"}),
    "method_not_allowed": Sent("/health", "POST"),
    "too_large": Sent("/best-move", "POST", data=b" " * (MAX_BYTES + 1), headers={"Content-Type": "application/json"}),
    "media_type": Sent("/best-move", "POST", data=b"X...O....", headers={"Content-Type": "text/plain"}),
    "internal_error": Sent("/best-move?board=X...O...."),
}


def regenerated(text: str) -> str:
    """Return the content of the file with what the code determines."""
    client = create_app(Settings(cors_origins=("https://example.com",))).test_client()
    document: Json = yaml.safe_load(text)
    document["info"]["version"] = __version__
    document["paths"]["/health"]["get"]["responses"]["200"]["content"]["application/json"]["example"]["version"] = (
        __version__
    )
    document["components"]["schemas"] = _schemas()
    for path, form in QUERIES.items():
        operation = document["paths"][path]["get"]
        operation["parameters"] = _parameters(form, operation["parameters"])
    for status, sent, example in examples(document):
        response = _send(client, sent, fails=status == "default")
        assert status in (str(response.status_code), "default"), f"{sent} gets {response.status_code}, not {status}"
        example["value"] = untimed(response.get_json())
    return yaml.dump(document, Dumper=_PlainDumper, sort_keys=False, allow_unicode=True, width=120)


def examples(document: Json) -> Iterator[tuple[str, Sent, Json]]:
    """Yield each example of a response with its status and the request that gets it."""
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            requests = {**PROBLEMS, **_requests(path, method, operation)}
            for status, response in operation["responses"].items():
                for content in response.get("content", {}).values():
                    for name, example in content.get("examples", {}).items():
                        shared = "$ref" in example
                        yield status, requests[name], document["components"]["examples"][name] if shared else example


def _requests(path: str, method: str, operation: Json) -> dict[str, Sent]:
    """Return the request of each example of an operation, which the body or the parameters of the same name are."""
    if "requestBody" in operation:
        bodies = operation["requestBody"]["content"]["application/json"]["examples"]
        return {name: Sent(path, method.upper(), body["value"]) for name, body in bodies.items()}
    queries: dict[str, dict[str, str]] = {}
    for parameter in operation.get("parameters", ()):
        for name, example in parameter["examples"].items():
            queries.setdefault(name, {})[parameter["name"]] = _in_query(example["value"])
    return {name: Sent(f"{path}?{urlencode(query)}") for name, query in queries.items()}


def _in_query(value: object) -> str:
    """Return a parameter's value as a query spells it."""
    if isinstance(value, list):
        return ",".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def _send(client: FlaskClient, sent: Sent, *, fails: bool) -> TestResponse:
    with patch("best_move.web.api.routes.consult_and_count", side_effect=RuntimeError) if fails else nullcontext():
        return client.open(sent.path, method=sent.method, json=sent.json, data=sent.data, headers=sent.headers)


def untimed(response: Json) -> Json:
    """Return a response with a fixed time for each search."""
    for answer in (response, *response.get("answers", ())):
        if "elapsed_ms" in answer:
            answer["elapsed_ms"] = 0.1
    return response


def _schemas() -> Json:
    """Return the JSON Schema of every request and response by its name."""
    forms: list[TypeAdapter[Any]] = [TypeAdapter(form) for form in (*BODIES, *RESPONSES)]
    _, definitions = TypeAdapter.json_schemas([(form, "validation", form) for form in forms], ref_template=_REF)
    schemas: Json = definitions["$defs"]
    for form in BODIES:
        schema = schemas[form.__name__]
        schema["properties"] = {
            name: field if name in schema["required"] else _or_null(field)
            for name, field in schema["properties"].items()
        }
    return schemas


def _or_null(field: Json) -> Json:
    """Return the schema of an optional field in a body, where null counts as left out."""
    if "$ref" in field:
        return {"anyOf": [{"$ref": field["$ref"]}, {"type": "null"}], **{k: v for k, v in field.items() if k != "$ref"}}
    return field | {"type": [field["type"], "null"]}


def _parameters(form: type[BaseModel], documented: list[Json]) -> list[Json]:
    """Return the parameters of a query, with the examples that are documented for them."""
    fields = form.model_json_schema(ref_template=_REF)
    board = fields["$defs"]["Board"]
    properties = fields["properties"] | {
        "board": {"type": "string", "pattern": board["pattern"], "description": board["description"]}
    }
    examples = {parameter["name"]: parameter["examples"] for parameter in documented}
    return [
        {
            "name": name,
            "in": "query",
            "required": name in fields.get("required", ()),
            "description": schema["description"],
            "schema": {key: value for key, value in schema.items() if key not in ("description", "title")},
            **({"style": "form", "explode": False} if schema.get("type") == "array" else {}),
            "examples": examples.get(name, {}),
        }
        for name, schema in properties.items()
    ]


class _PlainDumper(yaml.SafeDumper):
    """Writes repeated parts in full, and a short list or mapping on one line."""

    def ignore_aliases(self, _: object) -> bool:
        return True

    @override
    def represent_sequence(
        self, tag: str, sequence: Iterable[Any], flow_style: bool | None = None
    ) -> yaml.SequenceNode:
        return super().represent_sequence(tag, sequence, flow_style=_is_short(sequence))

    @override
    def represent_mapping(self, tag: str, mapping: Any, flow_style: bool | None = None) -> yaml.MappingNode:
        return super().represent_mapping(tag, mapping, flow_style=_is_short(mapping))


def _is_short(collection: object) -> bool:
    return len(str(collection)) <= 120


if __name__ == "__main__":
    logging.disable()  # of the failure that is an example, and of the uncompiled engine
    FILE.write_text(regenerated(FILE.read_text(encoding="utf-8")), encoding="utf-8")
