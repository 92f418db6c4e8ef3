"""The Model Context Protocol over HTTP: one POST per message."""

from functools import partial

from flask import Blueprint, Response, request
from mcp_types.jsonrpc import PARSE_ERROR
from pydantic_core import to_json

from best_move.web.api.problem_types import ProblemType, RejectedRequestError
from best_move.web.api.reading import read_bytes
from best_move.web.api.responses import JSON, NOT_STORED
from best_move.web.chatbots.protocol import DEFAULT_REVISION, REVISION_HEADER, exchange
from best_move.web.observability.logs import note
from best_move.web.settings import ANY_ORIGIN


def mcp(origins: tuple[str, ...]) -> Blueprint:
    """Return the MCP blueprint.

    A request whose Origin is not allowed gets a 403; `origins` has those that are allowed.
    """
    routes = Blueprint("mcp", __name__)

    @routes.post("/mcp", provide_automatic_options=False)
    @routes.post("/mcp/", provide_automatic_options=False)
    def post_message() -> Response:
        origin = request.headers.get("Origin")
        is_allowed = origin is None or origins == ANY_ORIGIN or origin in origins
        if not is_allowed:
            raise RejectedRequestError(
                ProblemType.ORIGIN_NOT_ALLOWED,
                "This origin is not allowed. Add it to CORS_ORIGINS, or send no Origin header.",
            )
        return _answer()

    @routes.route("/mcp", methods=["OPTIONS"])
    @routes.route("/mcp/", methods=["OPTIONS"])
    def get_options() -> Response:
        """Return the methods for MCP clients, not GET, which pages/views.py has for browsers."""
        return Response(headers=[("Allow", "OPTIONS, POST")])

    return routes


def _answer() -> Response:
    """Return the response to the message; a notification has none, and gets a 202.

    The log line gets the tool that is called, and the error.
    """
    environ = request.environ
    headers = request.headers
    revision = headers.get(REVISION_HEADER, DEFAULT_REVISION)
    report = partial(note, environ)
    try:
        status, answer = exchange(read_bytes(environ), revision, headers.get, report)
    except RejectedRequestError as error:
        if error.kind is not ProblemType.MALFORMED_BODY:
            raise
        status = 400  # at which clients of the protocol expect a JSON-RPC error
        incomplete = {"code": PARSE_ERROR, "message": str(error)}
        answer = {"jsonrpc": "2.0", "id": None, "error": incomplete}
    if answer is None:
        response = Response(status=status, headers=[NOT_STORED])
        del response.headers["Content-Type"]  # because there is no content
        return response

    if "error" in answer:
        code = answer["error"]["code"]
        report(problem=f"json_rpc_{code}")

    body = to_json(answer) + b"\n"
    return Response(body, status, [JSON, NOT_STORED])
