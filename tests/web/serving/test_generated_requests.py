"""Generated requests: no target and no header causes a failure."""

import re
import socket
from collections.abc import Callable
from random import Random

import pytest

from tests.fuzzing import EXAMPLES
from tests.readme import section
from tests.server import Server
from tests.web.serving.virtual import VirtualWorker, receive_all

METHODS = [b"GET", b"HEAD", b"POST", b"OPTIONS", b"CONNECT"]
#  How targets begin, and what follows: delimiters, names, valid and invalid escapes and characters.
BEGINNINGS = [b"/", b"http://", b"s:", b"*", b"?", b""]
PARTS = [
    *(b"/", b"//", b"://", b":", b"@", b"*", b"?", b"&", b"=", b"#", b"..", b";", b"|", b"\\"),
    *(b"[", b"]", b"[::1]", b"[v1.a]", b"localhost", b":80", b":99999", b"static/", b"best-move"),
    *(b"%", b"%zz", b"%2F", b"%3F", b"%00", b"%0D%0A", b"%E2%98%83", b"%FF", b"\xff", b"\0", b" "),
]

#  The statuses with which gunicorn rejects requests, by the deployment guide.
[_LISTED] = re.findall(r"\(([45]\d\d, [^)]*)\)", section("Limits and timeouts").text)
REJECTIONS = _LISTED.split(", ")

#  Headers that gunicorn reads, with values that it acts on; and values that any header may have.
HEADERS = {
    b"Host": [b"box"],
    b"Connection": [b"close", b"keep-alive", b"upgrade"],
    b"Upgrade": [b"websocket", b"h2c"],
    b"HTTP2-Settings": [b"AAMAAABk"],
    b"Sec-WebSocket-Version": [b"13"],
    b"Sec-WebSocket-Key": [b"dGhlIHNhbXBsZSBub25jZQ=="],
    b"Expect": [b"100-continue"],
    b"Content-Type": [b"application/json"],
    b"Content-Length": [b"0", b"1"],
    b"Transfer-Encoding": [b"chunked", b"gzip, chunked", b"identity"],
    b"X-Forwarded-Proto": [b"https", b"http"],
    b"X-Forwarded-Protocol": [b"ssl"],
    b"X-Forwarded-Ssl": [b"on"],
    b"SCRIPT_NAME": [b"/box"],
}
ODD_VALUES = [b"", b",", b"-1", b"\xff", b"a" * 5_000]


def request_with_target(random: Random) -> bytes:
    """Return a request with a generated target."""
    parts = random.choices(PARTS, k=random.randrange(6))
    target = random.choice(BEGINNINGS) + b"".join(parts)
    line = b"%b %b HTTP/1.1\r\n" % (random.choice(METHODS), target)
    return line + b"Host: box\r\nConnection: close\r\n\r\n"


def request_with_headers(random: Random) -> bytes:
    """Return a request with generated headers, some of them repeated, and no body."""
    method = random.choice([b"GET", b"POST"])
    request = b"%b / HTTP/1.%d\r\n" % (method, random.randrange(2))
    for name in random.choices([*HEADERS], k=random.randrange(10)):
        values = HEADERS[name] if random.random() < 0.9 else ODD_VALUES
        request += b"%b: %b\r\n" % (name, random.choice(values))
    return request + b"\r\n"


def assert_no_failure(request: bytes, response: bytes) -> None:
    """Check that a response is the application's, which has an ID, or one of gunicorn's errors."""
    status = int(response.split()[1])
    if b"\r\nX-Request-ID: " in response:
        assert status < 500, request
    else:
        assert str(status) in REJECTIONS, request


@pytest.mark.parametrize(
    "generate", [request_with_target, request_with_headers], ids=["target", "headers"]
)
def test_no_request_causes_a_failure(
    virtual: VirtualWorker, generate: Callable[[Random], bytes]
) -> None:
    """Each generated request gets a response, and causes no exception in the worker.

    Its clients are on Unix sockets, which gunicorn trusts as it trusts a proxy.
    """
    random = Random(1)  # noqa: S311, the same requests in each run

    async def story() -> None:
        for _ in range(20 * EXAMPLES):
            request = generate(random)
            client = await virtual.connect(request)
            client.shutdown(socket.SHUT_WR)
            assert_no_failure(request, await receive_all(client))
            assert not virtual.failures, request
            client.close()

    virtual.run(story)
    virtual.log.exception.assert_not_called()


def test_no_header_causes_an_error_in_the_log(server: Server) -> None:
    """A real server responds to generated headers; its fixture finds errors in its log."""
    random = Random(2)  # noqa: S311, the same headers in each run
    for _ in range(5 * EXAMPLES):
        request = request_with_headers(random)
        with server.open(request) as client, client.makefile("rb") as response:
            client.shutdown(socket.SHUT_WR)
            assert_no_failure(request, response.read())
