"""What goes around every request: an id, the CORS headers, a line in the log and the counts."""

import logging
import re
import secrets
from collections.abc import Callable, Iterable
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from service.web import metrics
from service.web.logs import ACCESS, REQUEST_ID
from service.web.settings import ANY_ORIGIN

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

log = logging.getLogger(ACCESS)

_SOUND_ID: Final = re.compile(r"[\w.:/+=-]{1,64}", re.ASCII)


class Middleware:
    """A WSGI application around another. It is WSGI because Flask's own hooks cost several times as much."""

    def __init__(self, app: "WSGIApplication", routes: Iterable[str], origins: tuple[str, ...]) -> None:
        self._app = app
        self._routes = frozenset(routes)
        # A route with an argument, by what its paths begin with; the longest first, since it says most.
        placeholders = sorted((route for route in self._routes if "<" in route), key=len, reverse=True)
        self._prefixes = {route.partition("<")[0]: route for route in placeholders}
        self._origins = origins

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        """Answer a request."""
        start = perf_counter()
        request_id = _request_id(environ)
        environ[REQUEST_ID] = request_id
        status = ""

        def respond(line: str, headers: list[tuple[str, str]], *exception: Any) -> Callable[[bytes], object]:
            nonlocal status
            status = line[:3]
            headers.append(("X-Request-ID", request_id))
            self._allow_origin(environ, headers)
            return start_response(line, headers, *exception)

        body = self._app(environ, respond)
        seconds = perf_counter() - start
        method, path = environ["REQUEST_METHOD"], environ["PATH_INFO"]
        metrics.count_request(self._route(path), method, status, seconds)
        if log.isEnabledFor(logging.INFO):
            fields = {
                "method": method,
                "path": path,
                "status": int(status),
                "ms": round(seconds * 1000, 3),
                "request_id": request_id,
            }
            log.info("request", extra=fields)
        return body

    def _route(self, path: str) -> str:
        """Return the route that a path is counted under: one of those that there are, or `other`."""
        if path in self._routes:
            return path
        return next((route for prefix, route in self._prefixes.items() if path.startswith(prefix)), metrics.OTHER)

    def _allow_origin(self, environ: "WSGIEnvironment", headers: list[tuple[str, str]]) -> None:
        if self._origins == ANY_ORIGIN:
            headers.append(("Access-Control-Allow-Origin", "*"))
        else:
            headers.append(("Vary", "Origin"))
            origin = environ.get("HTTP_ORIGIN")
            if origin not in self._origins:
                return
            headers.append(("Access-Control-Allow-Origin", origin))
        headers.append(("Access-Control-Expose-Headers", "ETag, Server-Timing, X-Request-ID"))


def _request_id(environ: "WSGIEnvironment") -> str:
    """Return the id that the client or a proxy gave the request, if it is a sound one; else a new one."""
    given = environ.get("HTTP_X_REQUEST_ID", "")
    return given if _SOUND_ID.fullmatch(given) else secrets.token_hex(8)
