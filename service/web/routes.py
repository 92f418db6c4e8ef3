"""The routes, all of them. A view parses, consults and presents."""

from flask import Blueprint, Response

from service import __version__
from service.engine import COMPILED
from service.oracle import Question, consult
from service.web import metrics, openapi
from service.web.messages import (
    NOT_STORED,
    parse_batch,
    parse_body,
    parse_query,
    present,
    present_batch,
    present_health,
)

routes = Blueprint("routes", __name__)


@routes.get("/best-move")
def get_best_move() -> Response:
    """Answer the question in the query; the answer may be cached."""
    return present(consult(parse_query()), by_query=True)


@routes.post("/best-move")
def post_best_move() -> Response:
    """Answer the question in the body."""
    return present(consult(parse_body()), by_query=False)


@routes.post("/best-moves")
def post_best_moves() -> Response:
    """Answer the questions in the body, each by itself."""
    return present_batch([consult(item) if isinstance(item, Question) else item for item in parse_batch()])


@routes.get("/health")
def get_health() -> Response:
    """Say that the service is up, and which form of the engine it runs."""
    return present_health({"status": "ok", "version": __version__, "engine": "compiled" if COMPILED else "interpreted"})


@routes.get("/metrics")
def get_metrics() -> Response:
    """Answer the metrics of all workers, for Prometheus."""
    body, media_type = metrics.render()
    return Response(body, headers=[("Content-Type", media_type), NOT_STORED])


@routes.get("/openapi.json")
def get_contract_json() -> Response:
    """Answer the contract as JSON."""
    return Response(openapi.as_json(), content_type="application/json")


@routes.get("/openapi.yaml")
def get_contract_yaml() -> Response:
    """Answer the contract as YAML."""
    return Response(openapi.as_yaml(), content_type="application/yaml")
