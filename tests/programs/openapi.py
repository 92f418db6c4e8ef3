"""Writes the parts of `openapi.yaml` that the code determines, for `make openapi`.

These are the version, the request schemas, the parameters, the request ID headers, and the
responses of the application to the example requests. Everything else is edited in the file.
"""

import json
import logging
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple
from unittest.mock import patch

import yaml
from pydantic.json_schema import GenerateJsonSchema, models_json_schema
from typing_extensions import override

from best_move import __version__
from best_move.web.api.handling import MAX_BYTES, OVERLOADED, handling_of
from best_move.web.api.request_model import Request
from best_move.web.api.requests import (
    BestMoveRequest,
    BestMovesRequest,
    GameReviewRequest,
    NumberPictureRequest,
    NumberTreeRequest,
    PlayerReviewRequest,
    PositionRequest,
    SearchTreeRequest,
)
from best_move.web.app import create_app
from best_move.web.counted_oracle import consult_and_count
from best_move.web.settings import Settings
from tests.readme import ROOT
from tests.truth.players import own, rule_follower

Json = dict[str, Any]

FILE: Final = ROOT / "openapi.yaml"

#  path -> the model of its query, or of its body
QUERIES: Final[dict[str, type[Request]]] = {
    "/best-move": BestMoveRequest,
    "/game-review": GameReviewRequest,
    "/search-tree": SearchTreeRequest,
    "/number-tree": NumberTreeRequest,
    "/board.svg": PositionRequest,
    "/board.png": PositionRequest,
    "/tree.png": NumberPictureRequest,
}
BODIES: Final[dict[str, type[Request]]] = {
    "/best-move": BestMoveRequest,
    "/best-moves": BestMovesRequest,
    "/game-review": GameReviewRequest,
    "/player-review": PlayerReviewRequest,
}

_REF: Final = "#/components/schemas/{model}"
_REQUEST_ID: Final = {"$ref": "#/components/headers/X-Request-ID"}


class Sent(NamedTuple):
    """A request for Werkzeug's test client."""

    method: str
    path: str
    json: Any = None
    data: bytes | None = None
    headers: dict[str, str] | None = None
    environ_overrides: dict[str, object] | None = None


#  A player that follows rules, but misses a block in three games of twenty.
_FREQUENCIES: Final = {"X...X.O.O": [0, 0, 3, 0, 0, 0, 0, 17, 0]}
_RULES: Final = own("X", rule_follower((0, 2, 6, 8)))
_MOVES: Final = {board: cell for board, cell in _RULES.items() if board not in _FREQUENCIES}

#  name of an example -> its request, if a line of `x-request` cannot express it
SPECIAL: Final = {
    "item": Sent(
        "POST", "/best-moves", {"requests": [{"board": "X...O...."}, {"board": "X...Q...."}]}
    ),
    "bad_host": Sent("GET", "/health", headers={"Host": "a..b"}),
    "origin": Sent("POST", "/mcp", {}, headers={"Origin": "https://example.org"}),
    "too_large": Sent(
        "POST",
        "/best-move",
        data=b" " * (MAX_BYTES + 1),
        headers={"Content-Type": "application/json"},
    ),
    "media_type": Sent(
        "POST", "/best-move", data=b"X...O....", headers={"Content-Type": "text/plain"}
    ),
    "verdict": Sent(
        "POST", "/player-review", {"side": "X", "moves": _MOVES, "frequencies": _FREQUENCIES}
    ),
    "illegal_moves": Sent("POST", "/player-review", {"side": "X", "moves": {"X...O....": 0}}),
    "overloaded": Sent("GET", "/search-tree?board=X...O....", environ_overrides={OVERLOADED: True}),
    "internal_error": Sent("GET", "/best-move?board=X...O...."),
}


def parsed(text: str) -> Json:
    """Return the document in a YAML text; the parser in C takes a tenth of the time."""
    document: Json = yaml.load(text, Loader=yaml.CSafeLoader)
    return document


def regenerated(text: str) -> str:
    """Regenerate the parts of the document that the code determines; return the new text."""
    document = parsed(text)
    document["info"]["version"] = __version__
    schemas = document["components"]["schemas"]
    for name, schema in _schemas().items():
        schemas[name] = _described(schema, schemas.get(name, {}))
    _write_parameters(document)
    _write_overloads(document)
    _write_headers(document)
    _write_examples(document)
    return yaml.dump(document, Dumper=_PlainDumper, sort_keys=False, allow_unicode=True, width=120)


def _write_parameters(document: Json) -> None:
    """Write the parameters of all queries, in full: many importers ignore one that is a `$ref`."""
    schemas = document["components"]["schemas"]
    of_best_move = _texts(schemas, BestMoveRequest)
    of_position = {name: of_best_move[name] for name in PositionRequest.model_fields}
    for path, form in QUERIES.items():
        operation = document["paths"][path]["get"]
        written = {each["name"]: each["description"] for each in operation["parameters"]}
        texts = written | of_position | _texts(schemas, form)
        operation["parameters"] = _parameters(form, texts)


def _write_overloads(document: Json) -> None:
    """Write the response of an overloaded thread into all operations whose requests may need one.

    Others need one only for a request that is far longer than a valid one.
    """
    for path, _, operation in operations(document):
        responses = operation["responses"]
        responses.pop("503", None)
        if handling_of(path).thread:
            others = {"default": responses.pop("default")} if "default" in responses else {}
            responses |= {"503": {"$ref": "#/components/responses/Overloaded"}, **others}


def _write_headers(document: Json) -> None:
    """Write the header with the request ID into all responses."""
    for _, _, operation in operations(document):
        for named in operation["responses"].values():
            response = resolved(document, named)
            response["headers"] = {**response.get("headers", {}), "X-Request-ID": _REQUEST_ID}


def _write_examples(document: Json) -> None:
    """Write the response to the request of each example; fail if it has another status."""
    client = create_app(Settings(cors_origins=("https://example.com",))).test_client()
    with patch("best_move.web.api.routes.consult_and_count", wraps=consult_and_count) as consult:
        for status, sent, example in examples(document):
            consult.side_effect = RuntimeError if status == "default" else None
            got = client.open(**sent._asdict())
            assert status in (str(got.status_code), "default"), (sent, got.status_code)
            example["value"] = untimed(got.get_json())


def operations(document: Json) -> Iterator[tuple[str, str, Json]]:
    """Yield each operation with its path and its method."""
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


def contents(document: Json, operation: Json) -> Iterator[tuple[str, str, Json]]:
    """Yield the content of each response with its status and its media type."""
    for status, response in operation["responses"].items():
        for media_type, content in resolved(document, response).get("content", {}).items():
            yield status, media_type, content


def examples(document: Json) -> Iterator[tuple[str, Sent, Json]]:
    """Yield each example of a JSON response with its status and its request.

    The request has the operation's example body of the same name, or is the line `x-request`, or
    else is in `SPECIAL`.
    """
    for path, method, operation in operations(document):
        body = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
        bodies = body.get("examples", {})
        for status, _, content in contents(document, operation):
            for name, named in content.get("examples", {}).items():
                example = resolved(document, named)
                if name in bodies:
                    sent = Sent(method.upper(), path, bodies[name]["value"])
                elif "x-request" in example:
                    sent = Sent(*example["x-request"].split(" "))
                else:
                    sent = SPECIAL[name]
                yield status, sent, example


def resolved(document: Json, node: Json) -> Json:
    """Return the component that a node refers to, or the node itself."""
    *_, kind, name = node.get("$ref", "/").split("/")
    component: Json = document["components"][kind][name] if kind else node
    return component


def untimed(response: Json) -> Json:
    """Set a response's engine to compiled, and its times to a fixed value; return it."""
    answers = [result["answer"] for result in response.get("results", ())]
    for answer in (response, *filter(None, answers)):
        for name, value in {"elapsed_ms": 0.1, "engine": "compiled"}.items():
            if name in answer:
                answer[name] = value
    return response


class _Untitled(GenerateJsonSchema):
    """A generator of schemas whose fields have no titles, because titles only repeat the names."""

    @override
    def field_title_should_be_set(self, schema: object) -> bool:
        return False


def _schemas() -> Json:
    """Return the JSON Schemas of all bodies and of the types in queries, by name."""
    in_queries = (SearchTreeRequest, NumberTreeRequest)
    models: tuple[type[Any], ...] = (*BODIES.values(), *in_queries)
    _, definitions = models_json_schema(
        [(model, "validation") for model in models], ref_template=_REF, schema_generator=_Untitled
    )
    schemas: Json = definitions["$defs"]
    for name in [form.__name__ for form in in_queries]:
        del schemas[name]
    for form in BODIES.values():
        schema = schemas[form.__name__]
        schema["properties"] = {
            name: field if name in schema["required"] else _or_null(field)
            for name, field in schema["properties"].items()
        }
    return schemas


def _described(schema: Json, written: Json) -> Json:
    """Return a schema in the file's order, with the file's descriptions if the code has none."""
    names = [
        *(name for name in written if name in schema or name in ("description", "examples")),
        *schema,
    ]
    values = {name: schema.get(name, written.get(name)) for name in names}
    return {
        name: _described(value, written.get(name, {})) if isinstance(value, dict) else value
        for name, value in values.items()
    }


def _or_null(field: Json) -> Json:
    """Return the schema of an optional field, which may be null in a body."""
    if "$ref" in field:
        return {"anyOf": [{"$ref": field.pop("$ref")}, {"type": "null"}], **field}
    return field | {"type": [field["type"], "null"]}


def _texts(schemas: Json, form: type[Request]) -> dict[str, str]:
    """Return the descriptions of the fields of a body, by name."""
    schema = schemas.get(form.__name__, {"properties": {}})
    return {name: field.get("description", "") for name, field in schema["properties"].items()}


def _parameters(form: type[Request], texts: dict[str, str]) -> list[Json]:
    """Return the parameters of a query with these descriptions."""
    form_schema = form.model_json_schema(ref_template=_REF, schema_generator=_Untitled)
    required = form_schema["required"]
    return [
        _parameter(name, field, texts.get(name, ""), required=name in required)
        for name, field in form_schema["properties"].items()
    ]


def _parameter(name: str, schema: Json, description: str, *, required: bool) -> Json:
    """Return a parameter, without a boolean default, which PHP's client would send as 0.

    A list in a query has an item, because an empty value is rejected. An example is that of the
    parameter, because importers send it and do not read that of a list's schema.
    The schema has a description because openapi-python-client does not read that of a parameter.
    """
    (example,) = schema.pop("examples", [None])
    if schema.get("type") == "array":
        schema["minItems"] = 1
    if schema.get("type") == "boolean":
        description += f" Default: {json.dumps(schema.pop('default'))}."
    if "$ref" not in schema:
        schema = {"description": description, **schema}
    parameter = {
        "name": name,
        "in": "query",
        "required": required,
        "description": description,
        "schema": schema,
    }
    if schema.get("type") == "array":
        parameter |= {"style": "form", "explode": False}
    if example:
        parameter |= {"example": example}
    return parameter


class _PlainDumper(yaml.SafeDumper):
    """A YAML dumper that writes repeated parts in full, and a short list or mapping on one line."""

    def ignore_aliases(self, _: object) -> bool:
        return True

    @override
    def represent_sequence(
        self, tag: str, sequence: Iterable[Any], flow_style: bool | None = None
    ) -> yaml.SequenceNode:
        return super().represent_sequence(tag, sequence, flow_style=_is_short(sequence))

    @override
    def represent_mapping(
        self, tag: str, mapping: Any, flow_style: bool | None = None
    ) -> yaml.MappingNode:
        return super().represent_mapping(tag, mapping, flow_style=_is_short(mapping))


def _is_short(collection: object) -> bool:
    return len(str(collection)) <= 120


if __name__ == "__main__":
    logging.disable()  # of the warning that the engine is not compiled
    FILE.write_text(regenerated(FILE.read_text(encoding="utf-8")), encoding="utf-8")
