"""The routes of the API, except those for pictures and MCP."""

from collections.abc import Iterable, Iterator
from functools import cache
from wsgiref.types import WSGIApplication, WSGIEnvironment

from flask import Blueprint, Response, request

from best_move import __version__, oracle
from best_move.engine import COMPILED
from best_move.engine.number_tree import search_number_tree
from best_move.engine.search_tree import search_tree
from best_move.oracle import Answer, Question
from best_move.player import review_player
from best_move.tablebase import as_csv
from best_move.web.api import openapi
from best_move.web.api.compression import ConstantBody, compress
from best_move.web.api.handling import PAUSE
from best_move.web.api.reading import read_request
from best_move.web.api.requests import (
    BestMoveRequest,
    BestMovesRequest,
    GameReviewRequest,
    NumberTreeRequest,
    PlayerReviewRequest,
    SearchTreeRequest,
    TablebaseRequest,
)
from best_move.web.api.responses import (
    FOR_A_DAY,
    NOT_STORED,
    write_answer,
    write_batch,
    write_number_tree,
    write_review,
    write_tree,
    write_unstored,
)
from best_move.web.api.service_url import service_url
from best_move.web.counted_oracle import consult_and_count
from best_move.web.observability import metrics

routes = Blueprint("routes", __name__)


def answer_move(environ: WSGIEnvironment) -> WSGIApplication:
    """Return the response to a request for a move."""
    question = read_request(BestMoveRequest, environ).question()
    return write_answer(consult_and_count(question), environ)


@routes.route("/best-move", methods=["GET", "POST"])
def best_move() -> WSGIApplication:
    """Return the best move for the query or the body."""
    return answer_move(request.environ)


@routes.post("/best-moves")
def post_best_moves() -> Response:
    """Return the best move, or an error, for each request in the body."""
    items = read_request(BestMovesRequest, request.environ).questions()
    return compress(write_batch(_answers(items)))


def _answers(items: Iterable[Question | Exception]) -> Iterator[Answer | Exception]:
    pause = request.environ.get(PAUSE, lambda: None)
    for item in items:
        yield consult_and_count(item) if isinstance(item, Question) else item
        pause()


@routes.route("/game-review", methods=["GET", "POST"])
def game_review() -> Response:
    """Review the game in the query or the body."""
    environ = request.environ
    game = read_request(GameReviewRequest, environ).game()
    return compress(write_review(oracle.review(game), environ))


@routes.post("/player-review")
def post_player_review() -> Response:
    """Review the player in the body, or return the boards that need a move."""
    player = read_request(PlayerReviewRequest, request.environ)
    review = review_player(player.side, player.moves, player.frequencies, player.starts)
    return compress(write_unstored(review))


@routes.get("/search-tree")
def get_search_tree() -> Response:
    """Return the search tree for the query; the response is cacheable."""
    environ = request.environ
    question = read_request(SearchTreeRequest, environ).question()
    return compress(write_tree(search_tree(question), environ))


@routes.get("/number-tree")
def get_number_tree() -> Response:
    """Return the search of the tree of numbers in the query; the response is cacheable."""
    environ = request.environ
    question = read_request(NumberTreeRequest, environ).question()
    return compress(write_number_tree(search_number_tree(question), environ))


@routes.get("/tablebase.csv")
def get_tablebase() -> Response:
    """Return every position with its best moves; the response is cacheable."""
    read_request(TablebaseRequest, request.environ)  # raises an error for any field
    return _tablebase().response()


@routes.get("/health")
def get_health() -> Response:
    """Return the status `ok`, the version, and whether the engine is compiled."""
    return write_unstored(
        {"status": "ok", "version": __version__, "engine": "compiled" if COMPILED else "uncompiled"}
    )


@routes.get("/metrics")
def get_metrics() -> Response:
    """Return the metrics of all workers, for Prometheus."""
    body, media_type = metrics.render()
    return compress(Response(body, headers=[("Content-Type", media_type), NOT_STORED]))


@cache
def _tablebase() -> ConstantBody:
    return ConstantBody(as_csv().encode(), "text/csv; charset=utf-8; header=present", FOR_A_DAY)


@routes.get("/openapi.json")
def get_openapi_json() -> Response:
    """Return the OpenAPI document as JSON."""
    return openapi.as_json().response()


@routes.get("/openapi-3.0.json")
def get_openapi_3_0() -> Response:
    """Return the OpenAPI document in version 3.0, for importers that read no later one."""
    return openapi.as_json_3_0(service_url().removesuffix("/")).response()


@routes.get("/openapi.yaml")
def get_openapi_yaml() -> Response:
    """Return the OpenAPI document as YAML."""
    return openapi.as_yaml().response()
