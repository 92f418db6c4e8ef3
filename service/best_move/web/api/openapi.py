"""The OpenAPI 3.1 document, generated from the schemas. The file `openapi.yaml` is a copy of it."""

import json
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Final

import yaml
from pydantic import BaseModel, TypeAdapter
from typing_extensions import override
from werkzeug.exceptions import Forbidden, PreconditionFailed, RequestEntityTooLarge, UnsupportedMediaType

from best_move import __version__
from best_move.engine.search_tree import MAX_NODES, search_tree
from best_move.oracle import consult, review
from best_move.tablebase import COLUMNS
from best_move.web.api.compression import Document
from best_move.web.api.problems import INTERNAL_ERROR, Problem, problem_of
from best_move.web.api.problems import describe as describe_problem
from best_move.web.api.requests import (
    MAX_REQUESTS,
    BestMoveRequest,
    BestMovesRequest,
    GameReviewRequest,
    PositionRequest,
    SearchTreeRequest,
    read,
)
from best_move.web.api.responses import (
    BestMove,
    BestMoves,
    GameReview,
    Health,
    SearchTree,
    describe,
    describe_review,
    describe_tree,
    write_json,
)

Json = dict[str, Any]

_REF: Final = "#/components/schemas/{model}"

#  A file has no URL, so it names a service on the reader's machine. A served document names the service that serves it,
#  relative to its own URL, because the service may have a path prefix.
_LOCAL: Final = {"url": "http://127.0.0.1:8000", "description": "A service on this machine."}
_THIS: Final = {"url": ".", "description": "The service that serves this document."}

#  name -> summary and request of an example. Its response is computed, so that the document is true.
_QUERIES: Final[Mapping[str, tuple[str, Json]]] = {
    "early": ("X has a corner and O the center", {"board": "X...O...."}),
    "played": ("The same, by the moves played from the empty board", {"board": ".........", "played": [0, 4]}),
    "win": ("Minimax finds a win in one", {"board": "XX.OO....", "algorithm": "minimax"}),
    "loss": ("X has forked O", {"board": "X.X.O.O.X"}),
    "o_started": ("O has started and is to move", {"board": "X...O....", "to_move": "O"}),
    "depth_limit": ("Two plies deep, the value is an estimate", {"board": "....X....", "max_depth": 2}),
    "outcome": ("Any win is as good as another", {"board": "XX.O.....", "scoring": "outcome"}),
    "analysis": ("Every move of a late position", {"board": "XOXXO.O..", "analysis": True}),
    "trap": (
        "Among equal moves, the one after which most replies are mistakes",
        {"board": ".........", "tie_break": "trap"},
    ),
    "easy": (
        "An easy opponent makes a mistake, the same for each request with this seed",
        {"board": "X..OX....", "difficulty": "easy", "seed": 7},
    ),
    "finished": ("O has won", {"board": "XX.OOO.X."}),
}
_BODIES: Final = {
    "easy": _QUERIES["easy"],
    "array": ("The board as an array", {"board": ["X", None, "O", "", "X", "", "", "", ""], "algorithm": "minimax"}),
}
_GAMES: Final[Mapping[str, tuple[str, Json]]] = {
    "mistakes": ("O and then X makes a mistake", {"board": ".........", "played": [0, 1, 2, 4]}),
}
_TREES: Final[Mapping[str, tuple[str, Json]]] = {
    "cut": (
        "A cutoff within the window of a parent search",
        {"board": "XXO.OOX..", "to_move": "X", "max_depth": 7, "maximizer": "X", "beta": 0},
    ),
    "collapsed": (
        "The root alone; `href` is the URL of its children",
        {"board": "X.O.O.XX.", "algorithm": "alphabeta", "scoring": "distance", "levels": 0, "alpha": -92},
    ),
}
_INVALID: Final[Mapping[str, tuple[str, Json]]] = {
    "unknown_field": ("A misspelled name", {"board": "X...O....", "algoritm": "minimax"}),
    "wrong_character": ("An invalid character", {"board": "X...Q...."}),
    "wrong_length": ("Eight cells", {"board": "X...O..."}),
}
_ILLEGAL: Final[Mapping[str, tuple[str, Json]]] = {
    "mark_counts": ("X has moved twice", {"board": "XX......."}),
    "two_winners": ("Both sides have three in a row", {"board": "XXXOOO..."}),
    "played_after_win": ("O has moved after X won", {"board": "XXXOO.OO."}),
    "wrong_side_to_move": ("X has just moved", {"board": "X........", "to_move": "X"}),
    "cell_taken": ("O plays where X has played", {"board": ".........", "played": [0, 0]}),
    "played_after_end": ("O has moved after X won", {"board": "XX.OO....", "played": [2, 5]}),
}
_BOARDS: Final = {name: _QUERIES[name] for name in ("early", "played", "o_started")}
_NO_BOARD: Final = {"wrong_length": _INVALID["wrong_length"]}
_NO_GAME: Final = {"mark_counts": _ILLEGAL["mark_counts"]}
_NO_MOVES: Final[Mapping[str, tuple[str, Json]]] = {"no_moves": ("No moves", {"board": ".........", "played": []})}
_NO_MOVE: Final = {name: _ILLEGAL[name] for name in ("cell_taken", "played_after_end")}
_NO_TREE: Final[Mapping[str, tuple[str, Json]]] = {
    "wrong_value": ("An algorithm that has no search tree", {"board": "X...O....", "algorithm": "transposition_table"}),
}
_WINDOWS: Final[Mapping[str, tuple[str, Json]]] = {
    "empty_window": ("No score is between", {"board": "X...O....", "alpha": 0, "beta": 0}),
    "unused_window": ("Minimax has no window", {"board": "X...O....", "algorithm": "minimax", "alpha": 0}),
}


_MESSAGE: Final[Json] = {
    "type": "object",
    "description": "A JSON-RPC 2.0 request or, without an id, a notification.",
    "properties": {
        "jsonrpc": {"const": "2.0"},
        "id": {"type": ["string", "integer"]},
        "method": {"type": "string"},
        "params": {"type": "object"},
    },
    "required": ["jsonrpc", "method"],
}
_MESSAGES: Final = [("tools", "Which tools are there?", {"jsonrpc": "2.0", "id": 1, "method": "tools/list"})]

_METHOD_NOT_ALLOWED: Final = describe_problem(
    "method_not_allowed", "The path does not support POST. Use GET, HEAD, OPTIONS."
)
_NOT_MODIFIED: Final = {"description": "The ETag still matches If-None-Match."}


@cache
def document() -> Json:
    """Return the document, as the file has it."""
    made: Json = {
        "openapi": "3.1.0",
        "info": {
            "title": "Best Move",
            "summary": "A move oracle for tic-tac-toe.",
            "description": (
                "Send a board of nine cells; get the best move, its value, the nodes that the search visited and the "
                "time that it took. The service is stateless: `after` in each answer is the position to play on from."
            ),
            "version": __version__,
            "contact": {"name": "The developers of Best Move"},
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [_LOCAL],
        "security": [],
        "tags": [
            {"name": "oracle", "description": "Moves, game reviews, search trees, the tablebase and pictures."},
            {"name": "chatbots", "description": "The Model Context Protocol (MCP), for chat clients."},
            {"name": "service", "description": "Health, metrics and this document."},
        ],
        "paths": {
            "/best-move": {"get": _get_best_move(), "post": _post_best_move()},
            "/best-moves": {"post": _post_best_moves()},
            "/game-review": {"get": _get_game_review(), "post": _post_game_review()},
            "/search-tree": {"get": _get_search_tree()},
            "/tablebase.csv": {"get": _get_tablebase()},
            "/mcp": {"post": _post_message()},
            "/board.svg": {"get": _get_board("Svg", "SVG", "image/svg+xml")},
            "/board.png": {"get": _get_board("Png", "PNG", "image/png")},
            "/health": {
                "get": _about_itself(
                    "getHealth", "Check health.", "The service is up.", "application/json", _ref("Health"),
                    {"status": "ok", "version": __version__, "engine": "compiled"},
                ),
            },
            "/metrics": {
                "get": _about_itself(
                    "getMetrics", "Get metrics for Prometheus.", "The metrics of all workers.", "text/plain",
                    {"type": "string"},
                ),
            },
            "/openapi.json": {
                "get": _about_itself(
                    "getContractAsJson", "Get this document as JSON.", "The document.", "application/json",
                    {"type": "object"}, is_constant=True,
                ),
            },
            "/openapi.yaml": {
                "get": _about_itself(
                    "getContractAsYaml", "Get this document as YAML.", "The document.", "application/yaml", {},
                    is_constant=True,
                ),
            },
        },
        "components": {"schemas": _schemas()},
    }  # fmt: skip
    made["components"]["examples"] = _share_examples(made["paths"])
    return made


def _schemas() -> Json:
    """Return the JSON Schema of every request and response by its name."""
    requests = (BestMoveRequest, BestMovesRequest, GameReviewRequest)
    responses = (BestMove, BestMoves, GameReview, SearchTree, Problem, Health)
    forms: list[TypeAdapter[Any]] = [TypeAdapter(form) for form in (*requests, *responses)]
    _, definitions = TypeAdapter.json_schemas([(form, "validation", form) for form in forms], ref_template=_REF)
    schemas: Json = definitions["$defs"]
    for form in requests:
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


@cache
def as_json() -> Document:
    """Return the document that is served, as JSON."""
    return Document(json.dumps(_served(), ensure_ascii=False) + "\n", "application/json")


@cache
def as_yaml() -> Document:
    """Return the document that is served, as YAML."""
    return Document(_yaml(_served()), "application/yaml")


def as_file() -> str:
    """Return the content of `openapi.yaml`."""
    return _yaml(document())


def _served() -> Json:
    return document() | {"servers": [_THIS]}


def _yaml(document: Json) -> str:
    return yaml.dump(document, Dumper=_PlainDumper, sort_keys=False, allow_unicode=True, width=120)


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


def _get_best_move() -> Json:
    return {
        "operationId": "getBestMove",
        "tags": ["oracle"],
        "summary": "Get the best move by query.",
        "description": "Cacheable unless it involves chance without a seed.",
        "parameters": _parameters(BestMoveRequest, _QUERIES),
        "responses": {
            "200": _best_move(_QUERIES, _cached("Weak: it excludes `elapsed_ms`.")),
            "304": _NOT_MODIFIED,
            "400": _invalid_request(_INVALID, BestMoveRequest),
            "422": _illegal_position(_NO_GAME, BestMoveRequest),
            "default": _other(),
        },
    }


def _post_best_move() -> Json:
    return {
        "operationId": "postBestMove",
        "tags": ["oracle"],
        "summary": "Get the best move by JSON body.",
        "description": "The same request and response as by query. The body has at most 64 KiB; null means left out.",
        "requestBody": {
            "required": True,
            "content": {
                "application/json": {
                    "schema": _ref("BestMoveRequest"),
                    "examples": _examples((name, summary, body) for name, (summary, body) in _BODIES.items()),
                }
            },
        },
        "responses": {
            "200": _best_move(_BODIES, {}),
            "400": _invalid_request(_INVALID, BestMoveRequest),
            **_body_problems(),
            "422": _illegal_position(_ILLEGAL, BestMoveRequest),
            "default": _other(),
        },
    }


def _post_best_moves() -> Json:
    early, win, illegal = _QUERIES["early"][1], _QUERIES["win"][1], _ILLEGAL["mark_counts"][1]
    batch = {"requests": [early, win, illegal]}
    answers = {"answers": [_answer(early), _answer(win), problem_of(_failure(illegal))]}
    invalid = {"requests": [early, _INVALID["wrong_character"][1]]}
    return {
        "operationId": "postBestMoves",
        "tags": ["oracle"],
        "summary": "Get many best moves.",
        "description": (
            f"Send 1 to {MAX_REQUESTS} requests in at most 64 KiB; answers come in the same order. A position that "
            "cannot occur in a legal game gets a problem as its answer. A request that does not match the schema is a "
            "400 for all, which points to it."
        ),
        "requestBody": {
            "required": True,
            "content": {
                "application/json": {
                    "schema": _ref("BestMovesRequest"),
                    "examples": _examples([("batch", "Two positions, and an illegal one", batch)]),
                }
            },
        },
        "responses": {
            "200": {
                "description": "The answers and problems, in the order of the requests.",
                "headers": {"Server-Timing": _header("The time of all searches, as `search;dur=milliseconds`.")},
                "content": {
                    "application/json": {
                        "schema": _ref("BestMoves"),
                        "examples": _examples([("batch", "Two answers and a problem", answers)]),
                    }
                },
            },
            "400": _invalid_request({"item": ("An invalid character in the second", invalid)}, BestMovesRequest),
            **_body_problems(),
            "default": _other(),
        },
    }


def _get_game_review() -> Json:
    return {
        "operationId": "getGameReview",
        "tags": ["oracle"],
        "summary": "Review a game by query.",
        "description": "Which moves of a game were mistakes, and which were better. Cacheable.",
        "parameters": _parameters(GameReviewRequest, _GAMES),
        "responses": _reviewed(_cached("Weak.")) | {"304": _NOT_MODIFIED},
    }


def _post_game_review() -> Json:
    return {
        "operationId": "postGameReview",
        "tags": ["oracle"],
        "summary": "Review a game by JSON body.",
        "description": "The same request and response as by query.",
        "requestBody": {
            "required": True,
            "content": {
                "application/json": {
                    "schema": _ref("GameReviewRequest"),
                    "examples": _examples((name, summary, body) for name, (summary, body) in _GAMES.items()),
                }
            },
        },
        "responses": _reviewed({}) | _body_problems(),
    }


def _reviewed(headers: Json) -> Json:
    reviews = [
        (name, summary, describe_review(review(read(GameReviewRequest, request).game())))
        for name, (summary, request) in _GAMES.items()
    ]
    return {
        "200": {
            "description": "The review.",
            "headers": {"Server-Timing": _header("The time of all searches, as `search;dur=milliseconds`."), **headers},
            "content": {"application/json": {"schema": _ref("GameReview"), "examples": _examples(reviews)}},
        },
        "400": _invalid_request(_NO_MOVES, GameReviewRequest),
        "422": _illegal_position(_NO_MOVE, GameReviewRequest),
        "default": _other(),
    }


def _get_search_tree() -> Json:
    return {
        "operationId": "getSearchTree",
        "tags": ["oracle"],
        "summary": "Get a search tree.",
        "description": (
            "The nodes of minimax or alpha-beta in the order of the search, with windows, scores and cutoffs, all from "
            f"MAX's point of view. At most {MAX_NODES:,} nodes; `href` is the URL of omitted children. Cacheable."
        ),
        "parameters": _parameters(SearchTreeRequest, _TREES),
        "responses": {
            "200": {
                "description": "The tree.",
                "headers": _cached("Weak."),
                "content": {
                    "application/json": {
                        "schema": _ref("SearchTree"),
                        "examples": _examples(
                            (name, summary, describe_tree(search_tree(read(SearchTreeRequest, request).question())))
                            for name, (summary, request) in _TREES.items()
                        ),
                    }
                },
            },
            "304": _NOT_MODIFIED,
            "400": _invalid_request(_NO_TREE, SearchTreeRequest),
            "422": _problem(
                "The position cannot occur in a legal game, a move is illegal, or the window is invalid.",
                _failures(_WINDOWS, SearchTreeRequest),
            ),
            "default": _other(),
        },
    }


def _get_tablebase() -> Json:
    return {
        "operationId": "getTablebase",
        "tags": ["oracle"],
        "summary": "Get every position as CSV.",
        "description": (
            f"A line for each of the 10,956 positions: {', '.join(COLUMNS)}. Sorted by board and side to move; best "
            "moves are separated by spaces. Cacheable, and compressed if the client accepts gzip."
        ),
        "responses": {
            "200": {
                "description": "The tablebase.",
                "headers": _cached("Strong: the SHA-256 of the body."),
                "content": {"text/csv": {"schema": {"type": "string"}}},
            },
            "304": _NOT_MODIFIED,
            "412": _problem("If-Match names another version.", [("other", "Another version", PreconditionFailed())]),
            "default": _other(),
        },
    }


def _get_board(name: str, form: str, media_type: str) -> Json:
    return {
        "operationId": f"getBoard{name}",
        "tags": ["oracle"],
        "summary": f"Get a picture of the board, as {form}.",
        "description": "For pages, chats and link previews. A winning line is struck through. Cacheable.",
        "parameters": _parameters(PositionRequest, _BOARDS),
        "responses": {
            "200": {
                "description": "The picture.",
                "content": {media_type: {"schema": {"type": "string", "format": "binary"}}},
            },
            "400": _invalid_request(_NO_BOARD, PositionRequest),
            "422": _illegal_position(_NO_GAME, PositionRequest),
            "default": _other(),
        },
    }


def _post_message() -> Json:
    answer = {"application/json": {"schema": {"type": "object", "description": "A JSON-RPC response."}}}
    return {
        "operationId": "postMessage",
        "tags": ["chatbots"],
        "summary": "Send an MCP message.",
        "description": "The oracle as tools. A client of the Model Context Protocol needs only the URL.",
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": _MESSAGE, "examples": _examples(_MESSAGES)}},
        },
        "responses": {
            "200": {"description": "The response to a request.", "content": answer},
            "202": {"description": "A notification was accepted."},
            "400": {"description": "The message is invalid; the response is a JSON-RPC error.", "content": answer},
            "403": _problem("The page's origin is not allowed.", [("origin", "Another origin", Forbidden())]),
            "404": {"description": "Unknown method; the response is a JSON-RPC error.", "content": answer},
            **_body_problems(),
            "default": _other(),
        },
    }


def _cached(etag: str) -> Json:
    return {"ETag": _header(etag), "Cache-Control": _header("How long the response may be cached.")}


def _body_problems() -> Json:
    return {
        "413": _problem("The body is too large.", [("too_large", "Too large", RequestEntityTooLarge())]),
        "415": _problem("The Content-Type is not JSON.", [("media_type", "Not JSON", UnsupportedMediaType())]),
    }


def _about_itself(
    operation: str,
    summary: str,
    answer: str,
    media_type: str,
    schema: Json,
    example: Json | None = None,
    *,
    is_constant: bool = False,
) -> Json:
    content: Json = {"schema": schema}
    if example:
        content["example"] = example
    return {
        "operationId": operation,
        "tags": ["service"],
        "summary": summary,
        "description": summary,
        "responses": {
            "200": {
                "description": answer,
                **({"headers": _cached("Of the document.")} if is_constant else {}),
                "content": {media_type: content},
            },
            **({"304": _NOT_MODIFIED} if is_constant else {}),
            "405": _wrong_method(),
            "default": _other(),
        },
    }


def _parameters(form: type[BaseModel], queries: Mapping[str, tuple[str, Json]]) -> list[Json]:
    fields = form.model_json_schema(ref_template=_REF)
    board = fields["$defs"]["Board"]
    properties = fields["properties"] | {
        "board": {"type": "string", "pattern": board["pattern"], "description": board["description"]}
    }
    return [
        _parameter(name, schema, queries, required=name in fields.get("required", ()))
        for name, schema in properties.items()
    ]


def _parameter(name: str, schema: Json, queries: Mapping[str, tuple[str, Json]], *, required: bool) -> Json:
    examples = [(example, summary, query[name]) for example, (summary, query) in queries.items() if name in query]
    return {
        "name": name,
        "in": "query",
        "required": required,
        "description": schema["description"],
        "schema": {key: value for key, value in schema.items() if key not in ("description", "title")},
        **({"style": "form", "explode": False} if schema.get("type") == "array" else {}),
        "examples": _examples(examples),
    }


def _best_move(requests: Mapping[str, tuple[str, Json]], headers: Json) -> Json:
    answers = [(name, summary, _answer(request)) for name, (summary, request) in requests.items()]
    after = {"board": "$response.body#/after/board", "to_move": "$response.body#/after/to_move"}
    searched = {
        "board": "$response.body#/position/board",
        "to_move": "$response.body#/position/to_move",
        "scoring": "$response.body#/scoring",
        "max_depth": "$response.body#/max_depth",
    }
    return {
        "description": "The best move.",
        "headers": {"Server-Timing": _header("The time of the search, as `search;dur=milliseconds`."), **headers},
        "content": {"application/json": {"schema": _ref("BestMove"), "examples": _examples(answers)}},
        "links": {
            "replyByQuery": {
                "operationId": "getBestMove",
                "parameters": after,
                "description": "The opponent's best reply.",
            },
            "searchTree": {
                "operationId": "getSearchTree",
                "parameters": searched,
                "description": "How alpha-beta finds the move.",
            },
        },
    }


def _invalid_request(requests: Mapping[str, tuple[str, Json]], form: type[PositionRequest | BestMovesRequest]) -> Json:
    return _problem("The request does not match the schema.", _failures(requests, form))


def _illegal_position(requests: Mapping[str, tuple[str, Json]], form: type[PositionRequest]) -> Json:
    return _problem("The position cannot occur in a legal game, or a move is illegal.", _failures(requests, form))


def _wrong_method() -> Json:
    return _problem_response(
        "The path does not support the method.", [("method_not_allowed", "POST", _METHOD_NOT_ALLOWED)]
    )


def _other() -> Json:
    return _problem_response("Any other problem.", [("internal_error", "A failure of the service", INTERNAL_ERROR)])


def _share_examples(paths: Json) -> Json:
    """Replace each example that several responses with a problem have by a reference; return these examples."""
    responses = [
        response["content"]["application/problem+json"]["examples"]
        for methods in paths.values()
        for operation in methods.values()
        for response in operation["responses"].values()
        if "application/problem+json" in response.get("content", {})
    ]
    by_name: dict[str, list[Json]] = {}
    for examples in responses:
        for name, example in examples.items():
            by_name.setdefault(name, []).append(example)
    shared = {name: found[0] for name, found in by_name.items() if len(found) > 1 and found == found[:1] * len(found)}
    for examples in responses:
        examples |= {name: {"$ref": f"#/components/examples/{name}"} for name in examples if name in shared}
    return shared


def _problem(description: str, failures: Iterable[tuple[str, str, Exception]]) -> Json:
    problems = [(name, summary, problem_of(error)) for name, summary, error in failures]
    return _problem_response(description, problems)


def _problem_response(description: str, problems: Iterable[tuple[str, str, Problem]]) -> Json:
    return {
        "description": description,
        "content": {"application/problem+json": {"schema": _ref("Problem"), "examples": _examples(problems)}},
    }


def _answer(request: Json) -> Json:
    answer = consult(read(BestMoveRequest, request).question())
    described: Json = json.loads(write_json(describe(answer._replace(elapsed_ms=0.1))))
    return described


def _failures(
    requests: Mapping[str, tuple[str, Json]], form: type[PositionRequest | BestMovesRequest]
) -> list[tuple[str, str, Exception]]:
    return [(name, summary, _failure(request, form)) for name, (summary, request) in requests.items()]


def _failure(request: Json, form: type[PositionRequest | BestMovesRequest] = BestMoveRequest) -> Exception:
    try:
        asked = read(form, request)
        if isinstance(asked, SearchTreeRequest):
            search_tree(asked.question())
        elif isinstance(asked, PositionRequest):
            asked.position()
    except ValueError as error:
        return error
    raise AssertionError(f"{request} is an example of a failure, and does not fail")


def _examples(rows: Iterable[tuple[str, str, object]]) -> Json:
    return {name: {"summary": summary, "value": value} for name, summary, value in rows}


def _header(description: str) -> Json:
    return {"description": description, "schema": {"type": "string"}}


def _ref(model: str) -> Json:
    return {"$ref": _REF.format(model=model)}
