"""The routes, all of them. A view parses, consults and presents."""

from flask import Blueprint, Response

from service import __version__
from service.oracle import consult
from service.web import contract
from service.web.messages import json_response, parse_body, parse_query, present
from service.web.schemas import Health

routes = Blueprint("routes", __name__)


@routes.get("/best-move")
def get_best_move() -> Response:
    """Answer the question in the query; the answer may be cached."""
    return present(consult(parse_query()), cacheable=True)


@routes.post("/best-move")
def post_best_move() -> Response:
    """Answer the question in the body."""
    return present(consult(parse_body()), cacheable=False)


@routes.get("/health")
def get_health() -> Response:
    """Say that the service is up."""
    return json_response(Health(status="ok", version=__version__))


@routes.get("/openapi.json")
def get_contract_json() -> Response:
    """Answer the contract as JSON."""
    return Response(contract.as_json(), content_type="application/json")


@routes.get("/openapi.yaml")
def get_contract_yaml() -> Response:
    """Answer the contract as YAML."""
    return Response(contract.as_yaml(), content_type="application/yaml")
