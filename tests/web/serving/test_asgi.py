"""The adapter from ASGI to WSGI: it follows PEP 3333 and sends complete responses."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any
from wsgiref.validate import validator

import pytest

from best_move.web.api.handling import Handling
from best_move.web.serving.asgi import WsgiAdapter
from tests.web.serving.asgi import call

MAX_BODY = 10
CHUNKED = [(b"transfer-encoding", b"chunked")]


class Body(list[bytes]):
    """A response body that records whether it was closed."""

    closed = False

    def close(self) -> None:
        """Record the call."""
        self.closed = True


class Application:
    """A WSGI application that records its environment."""

    def __init__(self) -> None:
        self.environ: dict[str, Any] = {}
        self.read = b""
        self.error: type[Exception] | None = None
        self.body = Body([b"whole ", b"response"])

    def __call__(
        self, environ: dict[str, Any], start_response: Callable[..., object]
    ) -> Iterable[bytes]:
        """Record the request; return the body of the response."""
        self.environ = environ
        size = int(environ.get("CONTENT_LENGTH", MAX_BODY + 1))
        try:
            while part := environ["wsgi.input"].read(size - len(self.read)):
                self.read += part
        except (TimeoutError, EOFError) as error:
            self.error = type(error)
        start_response("201 Made", [("X-Name", "na\xefve")])
        return self.body


def call_application(
    application: Callable[..., Iterable[bytes]],
    *parts: bytes | None,
    headers: Sequence[tuple[bytes, bytes]] = CHUNKED,
    **scope: object,
) -> list[dict[str, Any]]:
    """Send a request to the adapter of an application; return the response messages."""
    adapter = WsgiAdapter(
        application, handling_of=lambda _: Handling(MAX_BODY), body_timeout=0.01, threads={}
    )
    return call(adapter, *parts, headers=headers, **scope)


def test_the_environment_is_that_of_pep_3333() -> None:
    """For example, the values of a repeated header are joined with commas."""
    application = Application()
    headers = [
        (b"host", b"box"),
        (b"x-many", b"1"),
        (b"content-type", b"text/plain"),
        (b"x-many", b"\xff"),
    ]
    call_application(application, headers=headers, scheme="https")
    expected = {
        "REQUEST_METHOD": "POST",
        "SCRIPT_NAME": "",
        "PATH_INFO": "/there",
        "QUERY_STRING": "a=%20b&c\xff",
        "CONTENT_TYPE": "text/plain",
        "HTTP_HOST": "box",
        "HTTP_X_MANY": "1,\xff",
        "SERVER_NAME": "127.0.0.1",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "192.0.2.1",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "https",
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
        "wsgi.input_terminated": True,
    }
    assert expected.items() <= application.environ.items()


def test_the_adapter_follows_pep_3333() -> None:
    """The standard library's validator accepts the adapter's environment and calls."""

    def application(_: object, start_response: Callable[..., object]) -> list[bytes]:
        start_response("200 OK", [("Content-Type", "text/plain")])
        return [b"valid"]

    _, body = call_application(validator(application), headers=[(b"host", b"box")])
    assert body["body"] == b"valid"


def test_a_websocket_is_rejected() -> None:
    """The adapter rejects the handshake of a WebSocket, and does not call the application."""
    application = Application()
    assert call_application(application, type="websocket") == [{"type": "websocket.close"}]
    assert application.environ == {}


def test_missing_addresses_become_empty_strings() -> None:
    """Without the addresses of server and client, the environment has empty strings and port 0."""
    application = Application()
    call_application(application, headers=[], server=None, client=None)
    expected = {"SERVER_NAME": "", "SERVER_PORT": "0", "REMOTE_ADDR": ""}
    assert expected.items() <= application.environ.items()


@pytest.mark.parametrize(
    ("raw", "path"),
    [
        (b"/", "/"),
        (b"//best-move", "//best-move"),
        (b"/a%20b", "/a b"),
        (b"/%E2%98%83", "/\xe2\x98\x83"),
        (b"/%ff%2f", "/\xff/"),
        (b"http://box:80/best-move", "/best-move"),
        (b"http://box", "/"),
        (b"http://[/best-move", "/best-move"),
        (b"http://box/a://b", "/a://b"),
        (b"*", "*"),
    ],
    ids=[
        "root",
        "two slashes",
        "escape",
        "snowman",
        "not UTF-8",
        "absolute URL",
        "absolute URL without path",
        "absolute URL with a bad host",
        "absolute URL with a URL in its path",
        "asterisk",
    ],
)
def test_a_path_is_decoded_as_latin_1(raw: bytes, path: str) -> None:
    """Percent-encoding is decoded, an absolute URL loses its host, and nothing else changes."""
    application = Application()
    call_application(application, headers=[], raw_path=raw)
    assert application.environ["PATH_INFO"] == path


def test_the_complete_response_is_sent_unchanged() -> None:
    """The status, the headers and the body's parts are sent unchanged, and the body is closed."""
    application = Application()
    start, body = call_application(application, headers=[])
    assert start == {
        "type": "http.response.start",
        "status": 201,
        "headers": [(b"X-Name", b"na\xefve")],
    }
    assert body == {"type": "http.response.body", "body": b"whole response"}
    assert application.body.closed


def test_written_data_precedes_the_returned_body() -> None:
    """The callable that start_response returns writes a part of the body (PEP 3333)."""

    def application(
        _: object, start_response: Callable[..., Callable[[bytes], object]]
    ) -> list[bytes]:
        start_response("200 OK", [])(b"written, ")
        return [b"returned"]

    _, body = call_application(application, headers=[])
    assert body["body"] == b"written, returned"


def test_a_body_that_fails_is_closed() -> None:
    """A response body is closed even if reading it fails."""

    class BrokenBody(Body):
        def __iter__(self) -> Iterator[bytes]:
            yield b"first"
            raise OSError("the rest is gone")

    application = Application()
    application.body = BrokenBody()
    with pytest.raises(OSError, match="the rest is gone"):
        call_application(application, headers=[])
    assert application.body.closed


@pytest.mark.parametrize(
    ("parts", "headers", "read", "error"),
    [
        ([], [], b"", None),
        ([b"one", b"two."], CHUNKED, b"onetwo.", None),
        ([b"one."], [(b"content-length", b"4")], b"one.", None),
        ([b"123456789."], CHUNKED, b"123456789.", None),
        ([b"123456789."], [(b"content-length", b"10")], b"123456789.", None),
        ([b"1234567890", b"."], CHUNKED, b"1234567890.", None),
        ([b"123456789", b"012345"], CHUNKED, b"12345678901", None),
        ([], [(b"content-length", b"11")], b"", None),
        ([b"one", None], CHUNKED, b"one", EOFError),
        ([b"one"], CHUNKED, b"one", TimeoutError),
    ],
    ids=[
        "none",
        "parts",
        "length",
        "at the limit",
        "length at the limit",
        "one beyond",
        "beyond",
        "length beyond",
        "incomplete",
        "too slow",
    ],
)
def test_a_body_is_read_up_to_the_limit(
    parts: list[bytes | None],
    headers: Sequence[tuple[bytes, bytes]],
    read: bytes,
    error: type[Exception] | None,
) -> None:
    """The application can read one byte beyond the limit, and what arrived of a body."""
    application = Application()
    call_application(application, *parts, headers=headers)
    assert application.read == read
    assert application.error == error
