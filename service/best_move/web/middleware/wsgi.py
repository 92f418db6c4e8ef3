"""WSGI middleware: the ID, log line and metrics of a request, and CORS.

Flask's hooks would take much more time.
"""

import logging
import re
import secrets
from collections.abc import Callable, Iterable
from time import perf_counter
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from best_move.web.header_fields import HeaderFields
from best_move.web.observability import counts
from best_move.web.observability.logs import ACCESS, NOTES, REQUEST_ID
from best_move.web.settings import ANY_ORIGIN

Write = Callable[[bytes], object]

log = logging.getLogger(ACCESS)

_VALID_ID = re.compile(r"[\w.:/+=-]{1,64}", re.ASCII)

#  The header of W3C Trace Context: version, trace, the caller's span, flags; only later versions
#  have more fields. The groups have OpenTelemetry's names for log fields.
_TRACEPARENT = re.compile(
    r"(?!ff|00.{53}-)[0-9a-f]{2}"
    r"-(?P<trace_id>(?!0{32})[0-9a-f]{32})"
    r"-(?P<span_id>(?!0{16})[0-9a-f]{16})"
    r"-(?P<trace_flags>[0-9a-f]{2})"
    r"(-.*)?"
)

#  Headers that pages may send in addition to those that browsers always allow; some are for tracers
#  and MCP clients.
_ALLOWED = (
    "Content-Type, If-None-Match, Authorization, X-Request-ID, traceparent, tracestate, "
    "MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID"
)
_EXPOSED = ("Access-Control-Expose-Headers", "ETag, Server-Timing, X-Request-ID")


def observed(app: WSGIApplication, paths: Iterable[str], folder: str) -> WSGIApplication:
    """Return an application that gives each request an ID, counts it and logs it.

    The ID is the one that a client or a proxy sends if it is valid; otherwise it is a new ID. The
    request is counted by its path, by the route of the folder of static files, or as `other`. The
    log line has the trace of the request and the fields that the application notes about it.
    """
    known = frozenset(paths)
    prefix = folder.partition("<")[0]

    def handle(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        request_id = environ.get("HTTP_X_REQUEST_ID", "")
        if not _VALID_ID.fullmatch(request_id):
            request_id = secrets.token_hex(8)
        environ[REQUEST_ID] = request_id
        code = ""

        def respond(status: str, headers: HeaderFields, *exception: Any) -> Write:
            nonlocal code
            code = status[:3]
            return start_response(status, [*headers, ("X-Request-ID", request_id)], *exception)

        start = perf_counter()
        body = app(environ, respond)
        seconds = perf_counter() - start

        route = environ["PATH_INFO"]
        if route.startswith(prefix):
            route = folder
        elif route not in known:
            route = counts.OTHER
        _record(environ, route, code, seconds)
        return body

    return handle


def _record(environ: WSGIEnvironment, route: str, code: str, seconds: float) -> None:
    """Count a request, and log it."""
    method = environ["REQUEST_METHOD"]
    notes = environ.get(NOTES, {})
    counts.count_request(route, method, code, seconds, notes)
    if log.isEnabledFor(logging.INFO):
        fields = {
            "method": method,
            "path": environ["PATH_INFO"],
            "status": int(code),
            "ms": round(seconds * 1000, 3),
            "request_id": environ[REQUEST_ID],
            **notes,
        }
        trace = _TRACEPARENT.fullmatch(environ.get("HTTP_TRACEPARENT", ""))
        if trace:
            fields |= trace.groupdict()
        log.info("request", extra=fields)


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

    There are none for a path that does not exist.
    """
    methods = dict(headers).get("Allow")
    if not methods:
        return []
    return [
        ("Access-Control-Allow-Methods", methods),
        ("Access-Control-Allow-Headers", _ALLOWED),
        ("Access-Control-Max-Age", "86400"),
    ]
