"""The WSGI application called from an event loop: at once, or in a thread where it may take long."""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from concurrent.futures import Executor
from functools import lru_cache
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote_to_bytes, urlsplit

if TYPE_CHECKING:
    from wsgiref.types import WSGIApplication, WSGIEnvironment

Message = MutableMapping[str, Any]
Answer = tuple[int, list[tuple[bytes, bytes]], bytes]

SECONDS_FOR_BODY: Final = 10


class IncompleteBody:
    """The body of a request that did not come to its end; whoever reads it learns why."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    def read(self, size: int = -1) -> bytes:  # noqa: ARG002, as every file's
        """Raise TimeoutError if the body took too long, EOFError if it broke off."""
        raise self._error


class EventLoopAdapter:
    """An ASGI application that calls a WSGI application, once it has the whole request.

    What may take long is called in the threads of the executor that its path has in `slow`, or of the one for all other
    paths; without one, it is called in the event loop, which everybody else waits for.
    """

    def __init__(
        self, app: "WSGIApplication", max_body: int, slow: Mapping[str, Executor], others: Executor | None = None
    ) -> None:
        self._app = app
        self._max_body = max_body
        self._slow = slow
        self._others = others

    async def __call__(
        self, scope: Message, receive: Callable[[], Awaitable[Message]], send: Callable[[Message], Awaitable[None]]
    ) -> None:
        """Answer a request."""
        environ = _environ(scope)
        is_whole = True
        if "CONTENT_LENGTH" in environ or "HTTP_TRANSFER_ENCODING" in environ:
            is_whole = await self._read_body(environ, receive)
        executor = self._slow.get(environ["PATH_INFO"], self._others)
        if executor is None:
            status, headers, body = self._call(environ)
        else:
            status, headers, body = await asyncio.get_running_loop().run_in_executor(executor, self._call, environ)
        if not is_whole:
            headers.append((b"Connection", b"close"))  # the rest of the body would be taken for the next request
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    async def _read_body(self, environ: "WSGIEnvironment", receive: Callable[[], Awaitable[Message]]) -> bool:
        """Read the body, or so much of it that it is too long; return whether that was all."""
        received = bytearray()
        if int(environ.get("CONTENT_LENGTH", 0)) > self._max_body:
            return False  # the application refuses it unread
        try:
            async with asyncio.timeout(SECONDS_FOR_BODY):
                while len(received) <= self._max_body:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        environ["wsgi.input"] = IncompleteBody(EOFError("the body broke off"))
                        return False
                    received += message["body"]
                    if not message["more_body"]:
                        environ["wsgi.input"] = BytesIO(received)
                        return True
        except TimeoutError as error:
            environ["wsgi.input"] = IncompleteBody(error)
        else:
            environ["wsgi.input"] = BytesIO(received)
        return False

    def _call(self, environ: "WSGIEnvironment") -> Answer:
        status = ""
        headers: list[tuple[str, str]] = []
        parts: list[bytes] = []

        def start_response(line: str, fields: list[tuple[str, str]], *_: object) -> Callable[[bytes], None]:
            nonlocal status, headers
            status, headers = line, fields
            return parts.append

        answer = self._app(environ, start_response)
        try:
            parts += answer
        finally:
            if close := getattr(answer, "close", None):
                close()
        encoded = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]
        return int(status[:3]), encoded, b"".join(parts)


def _environ(scope: Message) -> "WSGIEnvironment":
    """Return the environment of a request, after PEP 3333: texts are bytes, read as Latin-1."""
    path: bytes = scope["raw_path"]
    if not path.startswith(b"/"):
        path = urlsplit(path).path or b"/"  # a client may name the host there too
    host, port = scope["server"] or ("", 0)
    environ = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": (unquote_to_bytes(path) if b"%" in path else path).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": host,
        "SERVER_PORT": str(port),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": scope["client"][0] if scope["client"] else "",  # a client that has left already has none
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
        key, text = _key(name), value.decode("latin-1")
        environ[key] = f"{environ[key]},{text}" if key in environ else text
    return environ


@lru_cache(maxsize=1024)
def _key(name: bytes) -> str:
    """Return the key of a header in the environment."""
    key = name.decode("latin-1").upper().replace("-", "_")
    return key if key in {"CONTENT_TYPE", "CONTENT_LENGTH"} else f"HTTP_{key}"
