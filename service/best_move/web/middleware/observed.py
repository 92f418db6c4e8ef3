"""WSGI middleware: the ID, log line and metrics of a request.

Flask's hooks would take much more time.
"""

import logging
import re
from collections.abc import Callable, Iterable
from random import getrandbits
from time import perf_counter
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from best_move.web.header_fields import HeaderFields
from best_move.web.observability import counts
from best_move.web.observability.logs import ACCESS, NOTES, REQUEST_ID, log_request

Write = Callable[[bytes], object]

log = logging.getLogger(ACCESS)

_VALID_ID = re.compile(r"[\w.:/+=-]{1,64}", re.ASCII)

#  The header of W3C Trace Context: version, trace, the caller's span, flags. The groups have
#  OpenTelemetry's names for log fields.
_TRACEPARENT = re.compile(
    r"(?!ff)"  # not a version
    r"(?!00.{53}-)"  # version 00 has no more fields after its 55 characters
    r"[0-9a-f]{2}"
    r"-(?P<trace_id>(?!0{32})[0-9a-f]{32})"
    r"-(?P<span_id>(?!0{16})[0-9a-f]{16})"
    r"-(?P<trace_flags>[0-9a-f]{2})"
    r"(-.*)?"
)


def observed(app: WSGIApplication, paths: Iterable[str], static_route: str) -> WSGIApplication:
    """Return an application that gives each request an ID, counts it and logs it.

    The ID is the one that a client or a proxy sends if it is valid; otherwise it is a new ID. The
    request is counted by its path, by the route of the folder of static files, or as `other`. The
    log line has the trace of the request and the fields that the application notes about it.
    """
    known = frozenset(paths)
    prefix = static_route.partition("<")[0]  # "/static/", of "/static/<version>/..."

    def handle(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        request_id = environ.get("HTTP_X_REQUEST_ID", "")
        if not _VALID_ID.fullmatch(request_id):
            request_id = f"{getrandbits(64):016x}"
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
            route = static_route
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
        log_request(fields)
