"""Stories: what a client does, and what the worker does then, in virtual time.

A row has the client's steps and the events that follow, grouped by their seconds, counted from the
connection: the status of a response (with `close` if it announces the end), a line of the log,
`end` when the client reads the end of the connection, and `released` when the worker forgets it.
The deployment guide says what to expect.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from wsgiref.types import WSGIApplication

import pytest

from best_move.web.api.handling import MAX_BYTES, MAX_PLAYER_BYTES
from tests.raw_requests import (
    ASK,
    ASK_AND_CLOSE,
    BODY,
    EXPECT,
    GET,
    HALF_BODY,
    HALF_CHUNK,
    HEAD,
    HOST,
    IN_CHUNKS,
    LARGE,
    OPTIONS,
    POST,
    UNCHANGED,
    chunked,
    posted,
)
from tests.web.serving.virtual import Client, Do, Step, VirtualThread, VirtualWorker


@dataclass(frozen=True)
class Story:
    """The steps of a client, the events that follow, and the application if it is not ours."""

    steps: Sequence[Step]
    events: str
    application: WSGIApplication | None = None
    is_late: bool = False  # whether the response comes after a second


HUGE = POST + b"Content-Length: 10000000\r\n"
UPGRADE = GET + b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: "
WEBSOCKET = b"websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: %b==\r\n\r\n"
BLANKS = b" " * MAX_BYTES
PLAYER = b'{"side":"X"}'.ljust(MAX_PLAYER_BYTES)
CHUNKED_PLAYER = IN_CHUNKS.replace(b"/best-move", b"/player-review")


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
    "HTTP/1.0, stays": Story([b"GET /health HTTP/1.0\r\n\r\n", Do.NOT_READ, 9], "0: released"),
    "no HTTP, stays": Story([b"no HTTP\r\n\r\n", Do.NOT_READ, 9], "0: logged | 2: released"),
}
GREEDY_CLIENTS: dict[str, Story] = {
    "reads nothing": Story([LARGE * 100, Do.NOT_READ, 300], "60: released"),
    "reads slowly, then nothing": Story(
        [LARGE * 100, Do.NOT_READ, 59, Do.READ_SOME, 59, Do.READ_SOME, 59, Do.READ_SOME, 300],
        "237: released",
    ),
    "reads a large response late": Story(
        [ASK, Do.NOT_READ, 50, Do.READ, 9], "50: 200 | 65: end, released", large
    ),
    "pipelines": Story(
        [ASK + UNCHANGED + HEAD + OPTIONS + HALF_BODY],
        "0: 200, 304, 200, 200 | 10: 408 close, end, released",
    ),
    "pipelines on after its last": Story(
        [ASK * 2 + ASK_AND_CLOSE + ASK], "0: 200, 200, 200 close, end, released"
    ),
    "a body at the limit": Story([posted(BLANKS)], "0: 400 | 15: end, released"),
    "a body over the limit": Story([posted(BLANKS + b" ")], "0: 413 close, end, released"),
    "chunks at the limit": Story([IN_CHUNKS + chunked(BLANKS)], "0: 400 | 15: end, released"),
    "chunks over the limit": Story(
        [IN_CHUNKS + chunked(BLANKS, b" ")], "0: 413 | 15: end, released"
    ),
    "a long player": Story([CHUNKED_PLAYER + chunked(PLAYER)], "0: 200 | 15: end, released"),
    "a longer player": Story(
        [CHUNKED_PLAYER + chunked(PLAYER, b" ")], "0: 413 | 15: end, released"
    ),
    "a long query": Story(
        [b"GET /best-move?board=" + b"." * 60_000 + HOST + b"\r\n"], "0: 400 | 15: end, released"
    ),
    "a length of 4,000 digits": Story(
        [POST + b"Content-Length: " + b"9" * 4_000 + b"\r\n\r\n"], "0: 413 close, end, released"
    ),
    "asks to send too much": Story([HUGE + EXPECT + b"\r\n"], "0: 413 close, end, released"),
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
    "reads late": Story(
        [ASK, Do.SHUT, Do.NOT_READ, 50, Do.READ, 9], "50: 200, end, released", large
    ),
    "within headers": Story([GET, Do.SHUT], "0: end, released"),
    "within a body": Story([HALF_BODY, Do.SHUT], "0: 400 close, end, released"),
    "within a body, later": Story([HALF_BODY, 1, Do.SHUT], "1: 400 close, end, released"),
    "within a body, just before its timeout": Story(
        [HALF_BODY, 9.8, Do.SHUT], "10: 400 close, end, released"
    ),
    "after a body": Story([posted(BODY), Do.SHUT], "0: 200, end, released"),
    "after chunks over the limit": Story(
        [IN_CHUNKS + chunked(BLANKS * 2), Do.SHUT], "0: 413 close, end, released"
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
    "a header without end": Story(
        [GET + b"X: " + b"a" * 300_000], "0: logged, 431 close, end, released"
    ),
    "60 headers": Story([GET + b"X: 1\r\n" * 60 + b"\r\n"], "0: logged, 431 close, end, released"),
    "a chunk without a number": Story(
        [IN_CHUNKS + b"zz\r\n{}\r\n0\r\n\r\n"], "0: logged, 400 close, end, released"
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
    "a WebSocket": Story(
        [UPGRADE + WEBSOCKET % (b"A" * 22)], "0: logged, 403 close, end, released"
    ),
    "half a WebSocket": Story(
        [UPGRADE + b"websocket\r\n\r\n"], "0: logged, 426 close, end, released"
    ),
    "an application that fails": Story(
        [ASK], "0: exception, 500 close undocumented, end, released", failing
    ),
}
#  At a stop, idle connections get a second, and pending requests get four.
STOPPED: dict[str, Story] = {
    "nothing sent": Story([Do.STOP], "1: end, released, exit"),
    "idle": Story([ASK, 1, Do.STOP], "0: 200 | 2: end, released, exit"),
    "half headers": Story([GET, Do.STOP], "1: end, released, exit"),
    "half body": Story([HALF_BODY, Do.STOP], "4: exit"),
    "half chunk": Story([HALF_CHUNK, Do.STOP], "4: exit"),
    "the rest of a body": Story(
        [HALF_BODY, Do.STOP, b" " * 99], "1: 400 close, end, released, exit", is_late=True
    ),
    "half body, in a hurry": Story([HALF_BODY, Do.QUIT], "0: exit"),
    "a late response, in a hurry": Story([ASK, Do.QUIT], "0: exit", is_late=True),
    "reads nothing": Story([LARGE * 100, Do.NOT_READ, 1, Do.STOP, 99], "5: exit"),
    "reads late": Story(
        [ASK, Do.NOT_READ, Do.STOP, 2, Do.READ], "2: 200, end, released, exit", large
    ),
    "reads late, its side closed": Story(
        [ASK, Do.NOT_READ, Do.SHUT, Do.STOP, 2, Do.READ], "2: 200, end, released, exit", large
    ),
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
#  With dashes, because `-k` finds no words that are separated by blanks.
STORIES = {
    re.sub(r"\W+", "-", f"{chapter} {name}"): story
    for chapter, stories in CHAPTERS.items()
    for name, story in stories.items()
}


@pytest.mark.parametrize("name", STORIES)
def test_a_client_is_answered_and_released_in_time(virtual: VirtualWorker, name: str) -> None:
    """The events of each story are those in its row."""
    story = STORIES[name]
    others = VirtualThread(1) if story.is_late else None
    virtual.serves(story.application or virtual.application, others)
    assert virtual.run(lambda: Client(virtual).events(story.steps)) == story.events
