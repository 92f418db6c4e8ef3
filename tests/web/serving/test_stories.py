"""Stories: what a client does, and what the worker does then, in virtual time.

A row has the client's steps and the events that follow, grouped by their seconds, counted from the
connection: the status of a response (with `close` if it announces the end), a line of the log,
`end` when the client reads the end of the connection, and `released` when the worker forgets it.
The deployment guide says what to expect.
"""

import asyncio
import re
import socket
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum, auto
from itertools import groupby
from typing import Any
from wsgiref.types import WSGIApplication

import pytest

from best_move.web.api.reading import MAX_BYTES
from tests.load import BODY, GET, HALF_BODY, HALF_CHUNK, HEAD, LARGE, POST
from tests.web.serving.conftest import Late, VirtualWorker


class Do(Enum):
    """A step of a client other than to send bytes or to wait some seconds."""

    NOT_READ = auto()  # from now on; otherwise, the client reads at any time
    READ_SOME = auto()  # what the system has buffered
    READ = auto()  # until nothing more comes
    SHUT = auto()  # closes its own side
    LEAVE = auto()  # closes the connection
    STOP = auto()  # the worker gets the signal to stop


Step = bytes | float | Do


@dataclass(frozen=True)
class Story:
    """The steps of a client, the events that follow, and the application if it is not ours."""

    steps: Sequence[Step]
    events: str
    application: WSGIApplication | None = None
    is_late: bool = False  # whether the response comes after a second


ASK = GET + b"\r\n"
POSTED = POST + b"Content-Length: %d\r\n\r\n" % len(BODY) + BODY
ASK_AND_CLOSE = GET + b"Connection: close\r\n\r\n"
OPTIONS = b"OPTIONS /best-move HTTP/1.1\r\nHost: localhost\r\n\r\n"
UNCHANGED = LARGE.removesuffix(b"\r\n") + b"If-None-Match: *\r\n\r\n"
HUGE = POST + b"Content-Length: 10000000\r\n"
EXPECT = b"Expect: 100-continue\r\n\r\n"
UPGRADE = GET + b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: "
WEBSOCKET = b"websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: %b\r\n\r\n" % (
    b"A" * 22 + b"=="
)


def posted(size: int) -> bytes:
    """Return a POST with this number of blanks as its body."""
    return POST + b"Content-Length: %d\r\n\r\n" % size + b" " * size


def chunked(size: int) -> bytes:
    """Return a POST with this number of blanks as its only chunk."""
    return POST + b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%b\r\n0\r\n\r\n" % (size, b" " * size)


def large(_: object, start_response: Any) -> list[bytes]:
    """Respond with more than the system buffers."""
    start_response("200 OK", [])
    return [b" " * 900_000]


def failing(*_: object) -> list[bytes]:
    """Fail."""
    raise ValueError


SLOW_CLIENTS: dict[str, Story] = {
    "sends nothing": Story([], "10: end, released"),
    "half headers": Story([GET], "10: logged, 408 close, end, released"),
    "half headers, then more": Story([GET, 9, b"A: b\r\n"], "10: logged, 408 close, end, released"),
    "half body": Story([HALF_BODY], "10: 408 close, end, released"),
    "half chunk": Story([HALF_CHUNK], "10: 408 close, end, released"),
    "one request": Story([ASK], "0: 200 | 15: end, released"),
    "half of a second request": Story([ASK, 9, GET], "0: 200 | 15: end, released"),
    "a request every 14 s": Story(
        [ASK, 14, ASK, 14, ASK], "0: 200 | 14: 200 | 28: 200 | 43: end, released"
    ),
    "leaves after a response": Story([ASK, 1, Do.LEAVE], "0: 200 | 1: released"),
    "leaves before its response": Story([ASK, Do.LEAVE], "1: released", is_late=True),
    "asks to close": Story([ASK_AND_CLOSE], "0: 200 close, end, released"),
    "asks to close, stays": Story([ASK_AND_CLOSE, Do.NOT_READ, 9], "0: released"),
}
GREEDY_CLIENTS: dict[str, Story] = {
    "reads nothing": Story([LARGE * 100, Do.NOT_READ, 300], "60: released"),
    "reads slowly, then nothing": Story(
        [LARGE * 100, Do.NOT_READ, 59, Do.READ_SOME, 59, Do.READ_SOME, 59, Do.READ_SOME, 300],
        "237: released",
    ),
    "reads a large response late": Story([ASK, Do.NOT_READ, 50, Do.READ, 9], "65: released", large),
    "pipelines": Story(
        [ASK + UNCHANGED + HEAD + OPTIONS + HALF_BODY],
        "0: 200, 304, 200, 200 | 10: 408 close, end, released",
    ),
    "a body at the limit": Story([posted(MAX_BYTES)], "0: 400 | 15: end, released"),
    "a body over the limit": Story([posted(MAX_BYTES + 1)], "0: 413 close, end, released"),
    "chunks at the limit": Story([chunked(MAX_BYTES)], "0: 400 | 15: end, released"),
    "chunks over the limit": Story([chunked(2 * MAX_BYTES)], "0: 413 | 15: end, released"),
    "asks to send too much": Story([HUGE + EXPECT], "0: 413 close, end, released"),
    "sends on after an error": Story(
        [HUGE + b"\r\n", Do.NOT_READ, *(b" " * 50_000, 0.1) * 60], "2: released"
    ),
    "reads an error while it sends": Story(
        [HUGE + b"\r\n" + b" " * 150_000], "0: 413 close, end, released"
    ),
}
HALF_CLOSED: dict[str, Story] = {
    "after a request": Story([ASK, Do.SHUT], "0: 200, end, released"),
    "after three requests": Story([ASK * 3, Do.SHUT], "0: 200, 200, 200, end, released"),
    "before a late response": Story([ASK, Do.SHUT], "1: 200, end, released", is_late=True),
    "after a response": Story([ASK, 1, Do.SHUT], "0: 200 | 1: end, released"),
    "reads late": Story([ASK, Do.SHUT, Do.NOT_READ, 50, Do.READ, 9], "50: released", large),
    "within headers": Story([GET, Do.SHUT], "0: end, released"),
    "within a body": Story([HALF_BODY, Do.SHUT], "0: 400 close, end, released"),
    "within a body, later": Story([HALF_BODY, 1, Do.SHUT], "1: 400 close, end, released"),
    "within a body, just before its timeout": Story(
        [HALF_BODY, 9.8, Do.SHUT], "10: 400 close, end, released"
    ),
    "after a body": Story([POSTED, Do.SHUT], "0: 200, end, released"),
    "after chunks over the limit": Story(
        [chunked(2 * MAX_BYTES), Do.SHUT], "0: 413, end, released"
    ),
}
REJECTED: dict[str, Story] = {
    "no HTTP": Story([b"no HTTP\r\n\r\n"], "0: logged, 400 close, end, released"),
    "a long line": Story(
        [b"GET /" + b"a" * 66_000 + b" HTTP/1.1\r\n\r\n"], "0: logged, 414 close, end, released"
    ),
    "a long header": Story(
        [GET + b"X: " + b"a" * 5_000 + b"\r\n\r\n"], "0: logged, 431 close, end, released"
    ),
    "a coding": Story(
        [POST + b"Transfer-Encoding: a\r\n\r\n"], "0: logged, 501 close, end, released"
    ),
    "after a response": Story(
        [ASK + b"no HTTP\r\n\r\n"], "0: logged, 200, 400 close, end, released"
    ),
    "HTTP/2": Story(
        [UPGRADE + b"h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n"], "0: 200 | 15: end, released"
    ),
    "a WebSocket": Story([UPGRADE + WEBSOCKET], "0: logged, 403 close, end, released"),
    "half a WebSocket": Story(
        [UPGRADE + b"websocket\r\n\r\n"], "0: logged, 426 close, end, released"
    ),
    "an application that fails": Story([ASK], "0: exception, 500 close, end, released", failing),
}
#  At a stop, idle connections get a second, and pending requests get four.
STOPPED: dict[str, Story] = {
    "nothing sent": Story([Do.STOP], "1: end, released, exit"),
    "idle": Story([ASK, 1, Do.STOP], "0: 200 | 2: end, released, exit"),
    "half headers": Story([GET, Do.STOP], "1: end, released, exit"),
    "half body": Story([HALF_BODY, Do.STOP], "4: exit"),
    "half chunk": Story([HALF_CHUNK, Do.STOP], "4: exit"),
    "reads nothing": Story([LARGE * 100, Do.NOT_READ, 1, Do.STOP, 99], "5: exit"),
    "another request": Story([ASK, Do.STOP, ASK], "0: 200, 200 close, end, released, exit"),
    "a late response": Story([ASK, Do.STOP], "1: 200 close, end, released, exit", is_late=True),
    "pipelines": Story([ASK, Do.STOP, ASK * 2], "0: 200, 200 close, end, released, exit"),
}

CHAPTERS: dict[str, dict[str, Story]] = {
    "slow": SLOW_CLIENTS,
    "greedy": GREEDY_CLIENTS,
    "half-closed": HALF_CLOSED,
    "rejected": REJECTED,
    "stopped": STOPPED,
}
STORIES = {
    f"{chapter}: {name}": story
    for chapter, stories in CHAPTERS.items()
    for name, story in stories.items()
}


@pytest.mark.parametrize("name", STORIES)
def test_a_client_is_answered_and_released_in_time(virtual: VirtualWorker, name: str) -> None:
    """The events of each story are those in its row."""
    story = STORIES[name]
    slow = {"/best-move": Late()} if story.is_late else {}
    virtual.serves(story.application or virtual.application, slow)
    client = Client(virtual)
    virtual.run(lambda: client.act(story.steps))
    assert client.story() == story.events


class Client:
    """A client of a worker in virtual time, which notes the events of its connection."""

    def __init__(self, virtual: VirtualWorker) -> None:
        self._virtual = virtual
        self._events: list[tuple[int, str]] = []
        self._is_reading = True
        virtual.log.warning.side_effect = lambda *_: self._note("logged")
        virtual.log.exception.side_effect = lambda *_: self._note("exception")

    def story(self) -> str:
        """Return the events by their seconds."""
        by_second = groupby(self._events, key=lambda event: event[0])
        return " | ".join(
            f"{second}: " + ", ".join(name for _, name in events) for second, events in by_second
        )

    def _note(self, event: str) -> None:
        second = int(self._virtual.now + 0.001)  # the sum of many short waits is inexact
        self._events.append((second, event))

    async def act(self, steps: Iterable[Step]) -> None:
        """Take the steps; then wait until the worker has released the connection, or exited."""
        socket = await self._virtual.connect()
        reading = asyncio.create_task(self._read(socket))
        released = asyncio.create_task(self._wait_for_release())
        for step in steps:
            await self._take(step, socket)
        await asyncio.wait({released, self._virtual.serving}, return_when=asyncio.FIRST_COMPLETED)
        if self._virtual.worker.is_stopping:
            await self._virtual.serving
        await asyncio.sleep(0.05)
        for task in (reading, released):
            task.cancel()

    async def _take(self, step: Step, client: socket.socket) -> None:
        await asyncio.sleep(0)
        match step:
            case bytes():
                with suppress(OSError):  # the worker has closed the connection
                    await asyncio.get_running_loop().sock_sendall(client, step)
                await asyncio.sleep(0)
            case Do.READ_SOME:
                client.recv(1_000_000)
            case Do.READ:
                with suppress(BlockingIOError):
                    while client.recv(1_000_000):  # noqa: ASYNC110, no event tells of bytes
                        await asyncio.sleep(0.01)
            case Do.NOT_READ:
                self._is_reading = False
            case Do.SHUT:
                client.shutdown(socket.SHUT_WR)
            case Do.LEAVE:
                self._is_reading = False
                client.close()
            case Do.STOP:
                await asyncio.sleep(0.01)
                self._virtual.worker.stop()
                self._virtual.serving.add_done_callback(lambda _: self._note("exit"))
            case seconds:
                await asyncio.sleep(seconds)

    async def _read(self, client: socket.socket) -> None:
        while self._is_reading:
            try:
                part = client.recv(1_000_000)
            except BlockingIOError:
                await asyncio.sleep(0.001)
                continue
            for status, headers in re.findall(rb"HTTP/1.1 (\d+) [^\r]*((?:\r\n[^\r]+)*)", part):
                closes = " close" * (b"\r\nConnection: close" in headers)
                self._note(status.decode() + closes)
            if not part:
                self._note("end")
                client.close()
                return

    async def _wait_for_release(self) -> None:
        while self._virtual.worker.connections:  # noqa: ASYNC110, no event tells of the release
            await asyncio.sleep(0.001)
        await asyncio.sleep(0.002)  # in which the client reads the end
        self._note("released")
