"""The OpenAPI 3.1 document, made from the schemas. The file `openapi.yaml` is a copy of it."""

import json
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Final

import yaml
from pydantic import BaseModel, TypeAdapter
from typing_extensions import override
from werkzeug.exceptions import Forbidden, PreconditionFailed, RequestEntityTooLarge, UnsupportedMediaType

from service import __version__
from service.engine.search_tree import MAX_NODES, search_tree
from service.oracle import consult, review
from service.tablebase import COLUMNS
from service.web.api.answers import (
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
from service.web.api.compression import Document
from service.web.api.problems import INTERNAL_ERROR, Problem, problem_of
from service.web.api.problems import describe as describe_problem
from service.web.api.questions import (
    MAX_REQUESTS,
    BestMoveRequest,
    BestMovesRequest,
    GameReviewRequest,
    PositionRequest,
    SearchTreeRequest,
    read,
)

Json = dict[str, Any]

_REF: Final = "#/components/schemas/{model}"

#  A file has no URL, so it names a service on the reader's machine. A served document names the service that serves it,
#  relative to its own URL, because the service may have a path prefix.
_LOCAL: Final = {"url": "http://127.0.0.1:8000", "description": "A service on this machine."}
_THIS: Final = {"url": ".", "description": "The service that serves this document."}

#  Examples by name: a summary and a request. What it answers is computed, so that the document tells the truth.
_QUERIES: Final[Mapping[str, tuple[str, Json]]] = {
    "early": ("X has a corner and O the center", {"board": "X...O...."}),
    "played": ("The same, by the moves played from the empty board", {"board": ".........", "played": [0, 4]}),
    "win": ("X wins at once, minimax says", {"board": "XX.OO....", "algorithm": "minimax"}),
    "loss": ("O has been forked", {"board": "X.X.O.O.X"}),
    "o_started": ("O has started and is to move", {"board": "X...O....", "to_move": "O"}),
    "horizon": ("Two plies deep, the value is an estimate", {"board": "....X....", "max_depth": 2}),
    "outcome": ("Any win is as good as another", {"board": "XX.O.....", "scoring": "outcome"}),
    "analysis": ("Every move of a late position", {"board": "XOXXO.O..", "analysis": True}),
    "trap": ("Of equal moves, the one with the most ways to go wrong", {"board": ".........", "tie_break": "trap"}),
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
        "A cut, within the window of a search already under way",
        {"board": "XXO.OOX..", "to_move": "X", "max_depth": 7, "maximizer": "X", "beta": 0},
    ),
    "collapsed": (
        "The root alone; `href` leads to what is below",
        {"board": "X.O.O.XX.", "algorithm": "alphabeta", "scoring": "distance", "levels": 0, "alpha": -92},
    ),
}
_INVALID: Final[Mapping[str, tuple[str, Json]]] = {
    "unknown_field": ("A misspelt name", {"board": "X...O....", "algoritm": "minimax"}),
    "wrong_character": ("A character that is no cell", {"board": "X...Q...."}),
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
    "wrong_value": ("An algorithm that has no tree", {"board": "X...O....", "algorithm": "transposition_table"}),
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
    "method_not_allowed", "The path does not take POST. Use GET, HEAD, OPTIONS."
)
_NOT_MODIFIED: Final = {"description": "The answer is still the one with the ETag in If-None-Match."}


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
            {"name": "oracle", "description": "The moves."},
            {"name": "chatbots", "description": "The moves, for chatbots."},
            {"name": "service", "description": "The service about itself."},
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
                    "getHealth", "Is the service up?", "It is up.", "application/json", _ref("Health"),
                    {"status": "ok", "version": __version__, "engine": "compiled"},
                ),
            },
            "/metrics": {
                "get": _about_itself(
                    "getMetrics", "What Prometheus is told.", "The metrics of all workers.", "text/plain",
                    {"type": "string"},
                ),
            },
            "/openapi.json": {
                "get": _about_itself(
                    "getContractAsJson", "This document, as JSON.", "The document.", "application/json",
                    {"type": "object"}, is_constant=True,
                ),
            },
            "/openapi.yaml": {
                "get": _about_itself(
                    "getContractAsYaml", "This document, as YAML.", "The document.", "application/yaml", {},
                    is_constant=True,
                ),
            },
        },
        "components": {"schemas": _schemas()},
    }  # fmt: skip
    made["components"]["examples"] = _share_examples(made["paths"])
    return made


def _schemas() -> Json:
    """Return the JSON Schema of every form and every answer by its name."""
    requests = (BestMoveRequest, BestMovesRequest, GameReviewRequest)
    responses = (BestMove, BestMoves, GameReview, SearchTree, Problem, Health)
    forms: list[TypeAdapter[Any]] = [TypeAdapter(form) for form in (*requests, *responses)]
    _, definitions = TypeAdapter.json_schemas([(form, "validation", form) for form in forms], ref_template=_REF)
    schemas: Json = definitions["$defs"]
    return schemas


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
        "summary": "The best move, by query.",
        "description": "The answer depends on the query alone, so it may be cached.",
        "parameters": _parameters(BestMoveRequest, _QUERIES),
        "responses": {
            "200": _best_move(_QUERIES, _cached("Of the answer without `elapsed_ms`, so it is weak.")),
            "304": _NOT_MODIFIED,
            "400": _invalid_request(),
            "422": _problem("No game reaches the position.", _failures(_NO_GAME, BestMoveRequest)),
            "default": _other(),
        },
    }


def _post_best_move() -> Json:
    return {
        "operationId": "postBestMove",
        "tags": ["oracle"],
        "summary": "The best move, by JSON body.",
        "description": "The same question and answer as by query. The body holds 64 KiB at most.",
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
            "400": _invalid_request(),
            **_body_problems(),
            "422": _illegal_position(),
            "default": _other(),
        },
    }


def _post_best_moves() -> Json:
    early, win, illegal = _QUERIES["early"][1], _QUERIES["win"][1], _ILLEGAL["mark_counts"][1]
    batch = {"requests": [early, win, illegal]}
    answers = {"answers": [_answer(early), _answer(win), problem_of(_failure(illegal))]}
    too_few = _failure({"requests": []}, BestMovesRequest)
    return {
        "operationId": "postBestMoves",
        "tags": ["oracle"],
        "summary": "Many best moves, by JSON body.",
        "description": (
            f"From 1 to {MAX_REQUESTS} questions, in 64 KiB at most, have as many answers in the same order. Each is "
            "checked by itself: one that is wrong has a problem for its answer, and the rest are answered."
        ),
        "requestBody": {
            "required": True,
            "content": {
                "application/json": {
                    "schema": _ref("BestMovesRequest"),
                    "examples": _examples([("batch", "Two positions, and one that is illegal", batch)]),
                }
            },
        },
        "responses": {
            "200": {
                "description": "The answers and problems, in the order of the questions.",
                "headers": {"Server-Timing": _header("The time of all searches, as `search;dur=milliseconds`.")},
                "content": {
                    "application/json": {
                        "schema": _ref("BestMoves"),
                        "examples": _examples([("batch", "Two answers and a problem", answers)]),
                    }
                },
            },
            "400": _problem("The request breaks the schema.", [("too_few", "No questions", too_few)]),
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
        "400": _problem("The request does not match the schema.", _failures(_NO_MOVES, GameReviewRequest)),
        "422": _problem(
            "The position cannot occur in a legal game, or a move is illegal.", _failures(_NO_MOVE, GameReviewRequest)
        ),
        "default": _other(),
    }


def _get_search_tree() -> Json:
    return {
        "operationId": "getSearchTree",
        "tags": ["oracle"],
        "summary": "A search as a tree.",
        "description": (
            "What minimax or alpha-beta visits, in its order, with every window, score and cut, all seen from MAX. Of "
            f"a large tree, {MAX_NODES:,} nodes at most; `href` leads to what is left out. It may be cached."
        ),
        "parameters": _parameters(SearchTreeRequest, _TREES),
        "responses": {
            "200": {
                "description": "The tree.",
                "headers": _cached("Of the answer."),
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
            "400": _problem("The request breaks the schema.", _failures(_NO_TREE, SearchTreeRequest)),
            "422": _problem(
                "The request fits the schema, but no game reaches the position, or the window is none.",
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
        "summary": f"The board as a picture, in {form}.",
        "description": "For pages, chats and previews of links. The line that won, if one has, is struck through.",
        "parameters": _parameters(PositionRequest, _BOARDS),
        "responses": {
            "200": {"description": "The picture.", "content": {media_type: {"schema": {"type": "string"}}}},
            "400": _problem("The request breaks the schema.", _failures(_NO_BOARD, PositionRequest)),
            "422": _problem("No game reaches the position.", _failures(_NO_GAME, PositionRequest)),
            "default": _other(),
        },
    }


def _post_message() -> Json:
    answer = {"application/json": {"schema": {"type": "object", "description": "A JSON-RPC response."}}}
    return {
        "operationId": "postMessage",
        "tags": ["chatbots"],
        "summary": "A message of the Model Context Protocol.",
        "description": "The oracle as tools of a chatbot. A host that knows the protocol needs the address alone.",
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": _MESSAGE, "examples": _examples(_MESSAGES)}},
        },
        "responses": {
            "200": {"description": "The answer to a request.", "content": answer},
            "202": {"description": "A notification was taken."},
            "400": {"description": "The message is wrong; the answer is a JSON-RPC error.", "content": answer},
            "403": _problem("The page's origin may not call.", [("origin", "Another origin", Forbidden())]),
            "404": {"description": "There is no such method; the answer is a JSON-RPC error.", "content": answer},
            **_body_problems(),
            "default": _other(),
        },
    }


def _cached(etag: str) -> Json:
    return {"ETag": _header(etag), "Cache-Control": _header("How long the answer may be kept.")}


def _body_problems() -> Json:
    return {
        "413": _problem("The body is too large.", [("too_large", "Too large", RequestEntityTooLarge())]),
        "415": _problem("The body is not said to be JSON.", [("media_type", "Not JSON", UnsupportedMediaType())]),
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
            "4XX": _problem_content(
                "The path does not take the request.",
                [("method_not_allowed", "A method that the path does not have", _METHOD_NOT_ALLOWED)],
            ),
            "default": _other(),
        },
    }


def _parameters(form: type[BaseModel], queries: Mapping[str, tuple[str, Json]]) -> list[Json]:
    fields = form.model_json_schema(ref_template=_REF)
    board = fields["$defs"]["Board"]
    properties = fields["properties"] | {
        "board": {**board["oneOf"][0], "description": f"{board['description']} {board['oneOf'][0]['description']}"}
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
                "description": "Play on: ask for the opponent's best reply.",
            },
            "searchTree": {
                "operationId": "getSearchTree",
                "parameters": searched,
                "description": "See how alpha-beta finds the move.",
            },
        },
    }


def _invalid_request() -> Json:
    return _problem("The request breaks the schema.", _failures(_INVALID, BestMoveRequest))


def _illegal_position() -> Json:
    return _problem(
        "The request fits the schema, but no game reaches the position.", _failures(_ILLEGAL, BestMoveRequest)
    )


def _other() -> Json:
    return _problem_content("Any other problem.", [("internal_error", "A failure of the service", INTERNAL_ERROR)])


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
    return _problem_content(description, [(name, summary, problem_of(error)) for name, summary, error in failures])


def _problem_content(description: str, problems: Iterable[tuple[str, str, Problem]]) -> Json:
    return {
        "description": description,
        "content": {"application/problem+json": {"schema": _ref("Problem"), "examples": _examples(problems)}},
    }


def _answer(request: Json) -> Json:
    answer = consult(read(BestMoveRequest, request).question())
    described: Json = json.loads(write_json(describe(answer._replace(elapsed_ms=0.1))))
    return described


def _failures(
    requests: Mapping[str, tuple[str, Json]], form: type[PositionRequest]
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
