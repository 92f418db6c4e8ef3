"""WSGI middleware: the ID, log line and metrics of a request, and CORS. Flask's hooks would take much more time."""

import logging
import re
import secrets
from collections.abc import Callable, Iterable
from time import perf_counter
from typing import Any, Final
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from best_move.web.middleware import counts
from best_move.web.middleware.logs import ACCESS, NOTES, REQUEST_ID
from best_move.web.settings import ANY_ORIGIN

Headers = list[tuple[str, str]]
Write = Callable[[bytes], object]

log = logging.getLogger(ACCESS)

_VALID_ID: Final = re.compile(r"[\w.:/+=-]{1,64}", re.ASCII)

#  The header of W3C Trace Context: version, trace, the caller's span, flags; only later versions have more fields.
#  The groups have OpenTelemetry's names for log fields.
_TRACEPARENT: Final = re.compile(
    r"(?!ff|00.{53}-)[0-9a-f]{2}-(?P<trace_id>(?!0{32})[0-9a-f]{32})-(?P<span_id>(?!0{16})[0-9a-f]{16})"
    r"-(?P<trace_flags>[0-9a-f]{2})(-.*)?"
)

#  Headers that pages may send in addition to those that browsers always allow; some are for tracers and MCP clients.
_ALLOWED: Final = (
    "Content-Type, If-None-Match, Authorization, X-Request-ID, traceparent, tracestate, "
    "MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID"
)
_EXPOSED: Final = ("Access-Control-Expose-Headers", "ETag, Server-Timing, X-Request-ID")


def observed(app: WSGIApplication, routes: Iterable[str]) -> WSGIApplication:
    """Return an application that gives each request an ID, counts it by its route or as `other`, and logs it.

    The ID is the one that a client or a proxy sends if it is valid; otherwise it is a new ID. The log line has the
    trace of the request and the fields that the application notes about it.
    """
    known = frozenset(routes)
    prefixes = {route.partition("<")[0]: route for route in known if "<" in route}

    def handle(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        sent_id = environ.get("HTTP_X_REQUEST_ID", "")
        request_id = sent_id if _VALID_ID.fullmatch(sent_id) else secrets.token_hex(8)
        environ[REQUEST_ID] = request_id
        code = ""

        def respond(status: str, headers: Headers, *exception: Any) -> Write:
            nonlocal code
            code = status[:3]
            return start_response(status, [*headers, ("X-Request-ID", request_id)], *exception)

        start = perf_counter()
        body = app(environ, respond)
        seconds = perf_counter() - start

        method, path, notes = (
            environ["REQUEST_METHOD"],
            environ["PATH_INFO"],
            environ.get(NOTES, {}),
        )
        route = path
        if path not in known:
            route = next(
                (found for prefix, found in prefixes.items() if path.startswith(prefix)),
                counts.OTHER,
            )
        counts.count_request(route, method, code, seconds, notes)
        if log.isEnabledFor(logging.INFO):
            ms = round(seconds * 1000, 3)
            fields = {
                "method": method,
                "path": path,
                "status": int(code),
                "ms": ms,
                "request_id": request_id,
            }
            log.info("request", extra=fields | notes | _trace(environ))
        return body

    return handle


def cors(app: WSGIApplication, origins: tuple[str, ...]) -> WSGIApplication:
    """Return an application that lets pages of these origins read responses, and that supports preflight requests."""

    def allowing(environ: WSGIEnvironment) -> Headers:
        if origins == ANY_ORIGIN:
            return [("Access-Control-Allow-Origin", "*"), _EXPOSED]
        origin = environ.get("HTTP_ORIGIN")
        allowed = [("Access-Control-Allow-Origin", origin), _EXPOSED] if origin in origins else []
        return [("Vary", "Origin"), *allowed]

    def handle(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        def respond(status: str, headers: Headers, *exception: Any) -> Write:
            preflight = _preflight(headers) if environ["REQUEST_METHOD"] == "OPTIONS" else []
            return start_response(status, [*headers, *preflight, *allowing(environ)], *exception)

        return app(environ, respond)

    return handle


def _preflight(headers: Headers) -> Headers:
    """Return the headers of a preflight response, given the other headers; none for a path that does not exist."""
    methods = dict(headers).get("Allow")
    constant = [("Access-Control-Allow-Headers", _ALLOWED), ("Access-Control-Max-Age", "86400")]
    return [("Access-Control-Allow-Methods", methods), *constant] if methods else []


def _trace(environ: WSGIEnvironment) -> dict[str, str]:
    """Return the trace of a request as log fields; empty without a valid trace."""
    found = _TRACEPARENT.fullmatch(environ.get("HTTP_TRACEPARENT", ""))
    return found.groupdict() if found else {}
