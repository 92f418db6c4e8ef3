"""ASGI-to-WSGI adapter.

It calls the application in the event loop, or in a thread if the request may be slow or is long.
"""

import asyncio
import re
import sys
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from typing import Any
from urllib.parse import unquote_to_bytes
from wsgiref.types import WSGIApplication, WSGIEnvironment

from best_move.web.api.handling import OVERLOADED, PAUSE, Handling, Thread
from best_move.web.header_fields import HeaderFields
from best_move.web.serving.bounded_executor import BoundedExecutor, OverloadedError
from best_move.web.serving.connection import CURRENT, Observer

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

_SCHEME_AND_HOST = re.compile(rb"^[^/]*://[^/]*")  # of an absolute URL


class IncompleteBody(BytesIO):
    """The received part of a body; at its end, `read` raises an error of the given class.

    The client was too slow (TimeoutError) or disconnected (EOFError). An instance would keep the
    body in memory: its traceback leads to the environment, and thus back to this object.
    """

    def __init__(self, received: bytearray, error: type[Exception]) -> None:
        super().__init__(received)
        self._error = error

    def read(self, size: int | None = -1, /) -> bytes:
        """Return bytes that were received; raise the error if there are no more."""
        part = super().read(size)
        if not part:
            raise self._error
        return part


@dataclass(frozen=True)
class WsgiAdapter:
    """An ASGI application that reads the request, then calls a WSGI application.

    `handling_of(path)` has the limit of a body, and the name of the thread in which the application
    is called, of those in `threads`. Requests without a thread use `others` or, if it is None, the
    event loop, which they block. A body must arrive within `body_timeout` seconds.
    """

    app: WSGIApplication
    handling_of: Callable[[str], Handling]
    body_timeout: float
    threads: Mapping[Thread, BoundedExecutor]
    others: BoundedExecutor | None = None

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Respond to a request; reject the handshake of a WebSocket."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close"})
            return
        connection = CURRENT.get(None) or Observer()
        if connection.is_closed:  # after the response to an earlier request
            return
        connection.begin_request()
        try:
            environ = _environ(scope)
            handling = self.handling_of(environ["PATH_INFO"])
            is_whole = True
            if "CONTENT_LENGTH" in environ or "HTTP_TRANSFER_ENCODING" in environ:
                is_whole = await self._read_body(environ, handling.max_bytes, receive, connection)
            status, headers, body = await self._respond(environ, handling)
            #  The rest of an incomplete body would look like the next request.
            if await connection.begin_response(is_last=not is_whole):
                headers.append((b"Connection", b"close"))
            await send({"type": "http.response.start", "status": status, "headers": headers})
            await send({"type": "http.response.body", "body": body})
        finally:
            connection.end_request()

    async def _read_body(
        self, environ: WSGIEnvironment, limit: int, receive: Receive, connection: Observer
    ) -> bool:
        """Read the body into the environment, until it is complete or longer than the limit.

        Return whether it is complete. The application rejects a longer body, under any server.
        """
        if int(environ.get("CONTENT_LENGTH", 0)) > limit:
            return False
        received = bytearray()
        is_whole = False
        try:
            async with asyncio.timeout(self.body_timeout) as connection.body_wait:
                while not is_whole and len(received) <= limit:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise EOFError  # noqa: TRY301, handled like a timeout
                    received += message["body"]
                    is_whole = not message["more_body"]
                    #  asyncio may deliver a part that comes at the timeout, and not raise then.
                    if connection.body_wait.expired() and not is_whole:
                        raise TimeoutError  # noqa: TRY301
        except (TimeoutError, EOFError) as error:
            cause = EOFError if connection.client_has_closed else type(error)
            environ["wsgi.input"] = IncompleteBody(received, cause)
        else:
            environ["wsgi.input"] = BytesIO(received)
        finally:
            connection.body_wait = None
        return is_whole

    async def _respond(
        self, environ: WSGIEnvironment, handling: Handling
    ) -> tuple[int, list[Any], bytes]:
        """Call the application in the event loop or in a thread, and return what `_call` does.

        If the thread is overloaded, the application writes an error, which takes little time.
        """
        body = environ["wsgi.input"].getvalue()
        thread = handling.thread_for(environ["PATH_INFO"], environ["QUERY_STRING"], body)
        executor = self.threads[thread] if thread else self.others
        if executor is None:
            return self._call(environ)
        environ[PAUSE] = executor.pause
        try:
            return await executor.call(self._call, environ)
        except OverloadedError:
            environ[OVERLOADED] = True
            return self._call(environ)

    def _call(self, environ: WSGIEnvironment) -> tuple[int, list[Any], bytes]:
        """Return the status, the headers and the body of the response."""
        status = ""
        headers: HeaderFields = []
        parts: list[bytes] = []

        def start_response(line: str, fields: HeaderFields, *_: object) -> Callable[[bytes], None]:
            nonlocal status, headers
            status = line
            headers = fields
            return parts.append

        body = self.app(environ, start_response)
        try:
            parts += body
        finally:
            if hasattr(body, "close"):
                body.close()
        encoded = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]
        return int(status[:3]), encoded, b"".join(parts)


def _environ(scope: Message) -> WSGIEnvironment:
    """Return the WSGI environment of a request (PEP 3333): strings are bytes read as Latin-1."""
    path: bytes = scope["raw_path"]
    if not path.startswith(b"/"):
        path = _SCHEME_AND_HOST.sub(b"", path) or b"/"
    path = unquote_to_bytes(path)
    host, port = scope["server"] or ("", 0)
    client, _ = scope["client"] or ("", 0)  # no address if the client has disconnected
    environ = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": path.decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": host,
        "SERVER_PORT": str(port),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": client,
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": BytesIO(),
        "wsgi.input_terminated": True,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for name, value in scope["headers"]:
        key = _key(name)
        text = value.decode("latin-1")
        if key in environ:
            text = f"{environ[key]},{text}"
        environ[key] = text
    return environ


@lru_cache(maxsize=1024)
def _key(name: bytes) -> str:
    key = name.decode("latin-1").upper().replace("-", "_")
    if key in ("CONTENT_TYPE", "CONTENT_LENGTH"):
        return key
    return f"HTTP_{key}"
