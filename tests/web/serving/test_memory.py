"""What a request held is gone with its connection, without a garbage collection."""

import asyncio
import tracemalloc
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pytest

from best_move.web.api.handling import MAX_BYTES, MAX_PLAYER_BYTES
from tests.raw_requests import CLOSE, GET, IN_CHUNKS, LARGE, POST, batch_of, chunked, posted
from tests.web.serving.virtual import Client, Do, VirtualWorker

#  Bytes per connection, so that 1,000 leave at most 10 MB more than those of good requests. These
#  leave 5 kB each, most of it in the test itself.
MAX_LEFT = 15_000
LAST_TIMER = 100  # seconds: all timers, also canceled ones, are shorter

BLANKS = b" " * MAX_BYTES
TOO_MUCH = b" " * 200_000
LONG = b"X: " + b"a" * 4_000 + b"\r\n"  # a header
PLAYER = b'{"side":"X"}'.ljust(MAX_PLAYER_BYTES)
A_PLAYER = posted(PLAYER, path=b"/player-review")
PART = A_PLAYER[:-1]
PART_IN_CHUNKS = IN_CHUNKS.replace(b"/best-move", b"/player-review") + chunked(PLAYER)[:-5]
ILLEGAL = b'{"board":"XX.......","played":[2]}' + b" " * 600
BATCH = posted(batch_of(ILLEGAL, 100), path=b"/best-moves")
CALL = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"best_move"}}'
UPGRADE = b"Connection: Upgrade\r\nUpgrade: websocket\r\n"
WEBSOCKET = b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: %b==\r\n\r\n" % (b"A" * 22)

#  What a client does -> its steps.
CLIENTS: dict[str, Sequence[bytes | Do]] = {
    "asks": [A_PLAYER],
    "is late": [PART],
    "is late with a chunk": [PART_IN_CHUNKS],
    "is late with headers": [GET + LONG * 14],
    "is cut off": [PART, Do.SHUT],
    "is cut off in a chunk": [PART_IN_CHUNKS, Do.SHUT],
    "is cut off in headers": [GET + LONG * 14, Do.SHUT],
    "leaves": [PART, Do.LEAVE],
    "leaves before it reads": [LARGE * 5, Do.LEAVE],
    "reads nothing": [LARGE * 5, Do.NOT_READ],
    "sends on after its last request": [GET + CLOSE + b"\r\n" + TOO_MUCH],
    "sends too long a body": [posted(TOO_MUCH)],
    "sends too many chunks": [IN_CHUNKS + chunked(BLANKS, BLANKS)],
    "sends too long a line": [b"GET /" + TOO_MUCH],
    "sends too long a header": [GET + b"X: " + TOO_MUCH],
    "sends too many headers": [GET + LONG * 60 + b"\r\n"],
    "sends no JSON": [posted(BLANKS)],
    "sends an invalid request": [posted(b"{}".ljust(MAX_BYTES))],
    "sends illegal boards": [BATCH],
    "sends a message without JSON": [posted(b" " * 16_000, path=b"/mcp")],
    "calls a tool wrongly": [posted(CALL.ljust(16_000), path=b"/mcp")],
    "asks for an unknown path": [posted(BLANKS, path=b"/nowhere")],
    "uses a wrong method": [posted(BLANKS).replace(b"POST", b"PATCH")],
    "sends no HTTP": [b"no HTTP\r\n\r\n" + TOO_MUCH],
    "sends a chunk without a number": [IN_CHUNKS + b"zz\r\n" + TOO_MUCH],
    "wants a WebSocket": [GET + UPGRADE + WEBSOCKET + TOO_MUCH],
    "wants a coding": [POST + b"Transfer-Encoding: a\r\n\r\n" + TOO_MUCH],
    "meets a bug": [posted(BLANKS, path=b"/bug")],
}


@pytest.fixture
def tracing() -> Iterator[None]:
    """Trace the memory that Python allocates in a test."""
    tracemalloc.start()
    yield
    tracemalloc.stop()


@pytest.mark.usefixtures("no_collection", "tracing")
@pytest.mark.parametrize("name", CLIENTS)
def test_a_connection_leaves_nothing_in_memory(virtual: VirtualWorker, name: str) -> None:
    """Whatever a client does, the memory of the worker is then as before."""
    application = virtual.application

    def application_with_a_bug(environ: Any, start_response: Any) -> Iterable[bytes]:
        if environ["PATH_INFO"] == "/bug":
            raise RuntimeError
        return application(environ, start_response)

    virtual.serves(application_with_a_bug)

    async def traced() -> int:
        await Client(virtual).events(CLIENTS[name])
        await asyncio.sleep(LAST_TIMER)
        virtual.log.reset_mock()
        return tracemalloc.get_traced_memory()[0]

    async def story() -> int:
        first = await traced()  # which has filled caches
        return await traced() - first

    assert virtual.run(story) < MAX_LEFT
