"""The Model Context Protocol over HTTP: one POST per message."""

from flask import Blueprint, Response, request
from pydantic_core import to_json

from best_move.web.api.reading import RejectedRequestError, read_bytes
from best_move.web.api.responses import JSON, NOT_STORED
from best_move.web.chatbots.protocol import FIRST_REVISION, REVISION_HEADER, exchange
from best_move.web.middleware.logs import note
from best_move.web.settings import ANY_ORIGIN


def note_tool(name: str, is_error: bool) -> None:  # noqa: FBT001, called with what exchange reports
    """Add the tool that is called, and whether the call failed, to the request's log line."""
    note(request.environ, tool=name, tool_error=is_error)


def mcp(origins: tuple[str, ...]) -> Blueprint:
    """Return the MCP blueprint; a request whose Origin is not allowed gets a 403."""
    routes = Blueprint("mcp", __name__)

    @routes.post("/mcp", provide_automatic_options=False)
    @routes.post("/mcp/", provide_automatic_options=False)
    def post_message() -> Response:
        if origins != ANY_ORIGIN and request.headers.get("Origin", origins[0]) not in origins:
            advice = "Add it to CORS_ORIGINS, or send no Origin header."
            raise RejectedRequestError(
                "origin_not_allowed", f"This origin is not allowed. {advice}"
            )
        agreed = request.headers.get(REVISION_HEADER, FIRST_REVISION)
        status, answer = exchange(read_bytes(), agreed, request.headers.get, note_tool)
        if answer and "error" in answer:
            note(request.environ, problem=f"json_rpc_{answer['error']['code']}")
        if answer is None:
            response = Response(status=status, headers=[NOT_STORED])
            del response.headers["Content-Type"]  # because there is no content
            return response
        return Response(to_json(answer) + b"\n", status, [JSON, NOT_STORED])

    @routes.route("/mcp", methods=["OPTIONS"])
    @routes.route("/mcp/", methods=["OPTIONS"])
    def get_options() -> Response:
        """Return the methods for MCP clients, without GET, whose page is only for browsers."""
        return Response(headers=[("Allow", "OPTIONS, POST")])

    return routes
