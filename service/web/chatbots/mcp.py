"""The Model Context Protocol over HTTP: one POST per message."""

from flask import Blueprint, Response, request
from pydantic_core import to_json
from werkzeug.exceptions import Forbidden

from service.web.api.answers import JSON, NOT_STORED
from service.web.api.questions import read_bytes
from service.web.chatbots.protocol import FIRST_REVISION, REVISION_HEADER, exchange
from service.web.settings import ANY_ORIGIN


def mcp(origins: tuple[str, ...]) -> Blueprint:
    """Return the MCP blueprint; a request whose Origin is not allowed gets a 403."""
    routes = Blueprint("mcp", __name__)

    @routes.post("/mcp")
    @routes.post("/mcp/")
    def post_message() -> Response:
        """Answer a message."""
        if origins != ANY_ORIGIN and request.headers.get("Origin", origins[0]) not in origins:
            raise Forbidden
        agreed = request.headers.get(REVISION_HEADER, FIRST_REVISION)
        status, answer = exchange(read_bytes(), agreed, request.headers.get)
        if answer is None:
            response = Response(status=status, headers=[NOT_STORED])
            del response.headers["Content-Type"]  # of no content
            return response
        return Response(to_json(answer) + b"\n", status, [JSON, NOT_STORED])

    return routes
