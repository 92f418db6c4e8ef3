"""WSGI middleware: CORS, which lets pages of other origins call the service."""

from collections.abc import Callable, Iterable
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from best_move.web.header_fields import HeaderFields
from best_move.web.settings import ANY_ORIGIN

Write = Callable[[bytes], object]

#  Headers that pages may send in addition to those that browsers always allow; some are for tracers
#  and MCP clients.
_ALLOWED = (
    "Content-Type, If-None-Match, Authorization, X-Request-ID, traceparent, tracestate, "
    "MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID"
)
_EXPOSED = ("Access-Control-Expose-Headers", "ETag, Server-Timing, X-Request-ID")


def cors(app: WSGIApplication, origins: tuple[str, ...]) -> WSGIApplication:
    """Return an application that lets pages of these origins read responses.

    It also supports preflight requests.
    """

    def handle(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        def respond(status: str, headers: HeaderFields, *exception: Any) -> Write:
            added = _permission(environ.get("HTTP_ORIGIN"), origins)
            if environ["REQUEST_METHOD"] == "OPTIONS":
                added = _preflight(headers) + added
            return start_response(status, headers + added, *exception)

        return app(environ, respond)

    return handle


def _permission(origin: str | None, origins: tuple[str, ...]) -> HeaderFields:
    """Return the headers that let a page of this origin read the response, if it may."""
    if origins == ANY_ORIGIN:
        return [("Access-Control-Allow-Origin", "*"), _EXPOSED]
    if origin in origins:
        return [("Vary", "Origin"), ("Access-Control-Allow-Origin", origin), _EXPOSED]
    return [("Vary", "Origin")]


def _preflight(headers: HeaderFields) -> HeaderFields:
    """Return the headers of a preflight response, given the other headers.

    There are none for a path that does not exist: its 404 has no Allow.
    """
    methods = dict(headers).get("Allow")
    if not methods:
        return []
    return [
        ("Access-Control-Allow-Methods", methods),
        ("Access-Control-Allow-Headers", _ALLOWED),
        ("Access-Control-Max-Age", "86400"),
    ]
