"""Judges of a connection: what holds for generated clients, in virtual time."""

import asyncio
import re
import socket
from collections import Counter
from collections.abc import Iterable
from random import Random
from typing import Any

from best_move.web.api.handling import MAX_BYTES
from best_move.web.serving.timeouts import Timeouts
from tests.raw_requests import (
    ASK,
    BODY,
    EXPECT,
    GET,
    HALF_BODY,
    HALF_CHUNK,
    HEAD,
    HOST,
    LARGE,
    OPTIONS,
    POST,
    UNCHANGED,
    posted,
)
from tests.web.serving.virtual import VirtualThread, VirtualWorker, receive, receive_all

PIPELINED = [
    *(HEAD, OPTIONS, UNCHANGED),  # the responses have no body
    *(ASK, LARGE, b"GET /nowhere" + HOST + b"\r\n", posted(BODY, EXPECT)),
]
LAST = [b"", GET, HALF_BODY, HALF_CHUNK, b"no HTTP\r\n\r\n"]
MAX_UNSENT = 150_000  # bytes: asyncio's limit of 64 KiB, and the largest response
MAX_UNANSWERED = 1_000_000  # bytes of requests that the worker or the system holds


def pipelined(random: Random) -> bytes:
    """Return up to 1,000 requests of one to three kinds, and perhaps a part of another."""
    kinds = random.choices(PIPELINED, k=random.randint(1, 3))
    number = random.choice([10, 300, 1_000])
    return b"".join(random.choices(kinds, k=number)) + random.choice(LAST)


def test_a_client_that_pipelines_and_reads_nothing_is_disconnected(virtual: VirtualWorker) -> None:
    """Whatever it sends, the worker buffers little of the responses and ends the connection."""
    random = Random(1)  # noqa: S311, the same requests in each run
    next_request = max(virtual.worker.cfg.keepalive, Timeouts.body)  # the longest wait for the rest
    sent = [HEAD * 200, *(kind * 1_000 for kind in PIPELINED), *(pipelined(random) for _ in LAST)]

    async def story() -> None:
        tasks = asyncio.all_tasks()
        for requests in sent:
            await virtual.connect(requests)
        while virtual.worker.connections:
            for connection in virtual.worker.connections:
                assert connection.transport.get_write_buffer_size() < MAX_UNSENT
            assert virtual.time.now < next_request + Timeouts.reading + 2
            await asyncio.sleep(1)
        await asyncio.sleep(4)  # in which gunicorn ends its tasks
        assert asyncio.all_tasks() == tasks

    virtual.run(story)


def test_pipelined_requests_do_not_delay_other_clients(virtual: VirtualWorker) -> None:
    """Between pipelined requests of one client, the worker handles those of other clients."""
    handled: list[str] = []
    application = virtual.application

    def noting(environ: Any, start_response: Any) -> Iterable[bytes]:
        handled.append(environ["HTTP_X_REQUEST_ID"])
        return application(environ, start_response)

    virtual.serves(noting)

    async def story() -> None:
        many = await virtual.connect((GET + b"X-Request-ID: many\r\n\r\n") * 20)
        await virtual.connect(GET + b"X-Request-ID: one\r\n\r\n")
        many.shutdown(socket.SHUT_WR)
        await receive_all(many)

    virtual.run(story)
    assert handled.count("many") == 20
    assert handled.index("one") < 10


def test_a_client_that_pipelines_without_end_waits_for_its_responses(
    virtual: VirtualWorker,
) -> None:
    """The worker reads on only when it has answered, however many requests the client sends."""
    sent = 0

    async def send(client: socket.socket) -> None:
        nonlocal sent
        loop = asyncio.get_running_loop()
        for _ in range(400):
            await loop.sock_sendall(client, ASK * 1_000)
            sent += 1_000 * len(ASK)

    async def story() -> None:
        client = await virtual.connect()
        sending = asyncio.create_task(send(client))
        answers = 0
        while answers < 2_000:
            answers += (await receive(client)).count(b"HTTP/1.1 200 ")
            assert sent - answers * len(ASK) < MAX_UNANSWERED
        sending.cancel()

    virtual.run(story)


def test_pipelined_requests_get_their_responses_in_order(virtual: VirtualWorker) -> None:
    """So do those that the worker reads after a pause, because more came than it holds."""
    large = b" " * 30_000
    ids = [b"%d" % number for number in range(120)]
    requests = b""
    for number in ids:
        named = b"X-Request-ID: %b\r\n" % number
        is_large = int(number) % 3 > 0
        requests += posted(large, named) if is_large else GET + named + b"\r\n"

    async def story() -> None:
        client = await virtual.connect()
        sending = asyncio.create_task(asyncio.get_running_loop().sock_sendall(client, requests))
        received = b""
        while received.count(b"\r\n\r\n") < len(ids):
            part = await receive(client)
            assert part
            received += part
        assert re.findall(rb"\r\nX-Request-ID: (\d+)\r\n", received) == ids
        await sending

    virtual.serves(virtual.application, VirtualThread(1))
    virtual.run(story)


#  Lengths of bodies around the limits, and of the parts in which they are sent.
LENGTHS = [0, 1, MAX_BYTES - 1, MAX_BYTES, MAX_BYTES + 1, 2 * MAX_BYTES]
SIZES = [1_000, 16_384, 2 * MAX_BYTES]


def parts_of_a_post(random: Random) -> list[bytes]:
    """Return a POST in parts, with a body of any length in one of both framings, or most of it."""
    body = b" " * random.choice(LENGTHS)
    size = random.choice(SIZES)
    parts = [body[start : start + size] for start in range(0, len(body), size)]
    framing = b"Content-Length: %d" % len(body)
    if random.random() < 0.5:
        parts = [b"%x\r\n%b\r\n" % (len(part), part) for part in [*parts, b""]]
        framing = b"Transfer-Encoding: chunked"
    is_whole = random.random() < 0.7
    return [POST + framing + b"\r\n\r\n", *(parts if is_whole else parts[:-1])]


def test_a_response_announces_whether_its_connection_is_closed(virtual: VirtualWorker) -> None:
    """After a response to any body, the connection is closed if and only if the response says so.

    Otherwise a client would send its next request on a closed connection, or wait for the end.
    """
    random = Random(1)  # noqa: S311, the same bodies in each run

    async def story() -> None:
        ends = Counter[bool]()
        for _ in range(100):
            parts = parts_of_a_post(random)
            client = await virtual.connect()
            for part in [b"".join(parts)] if random.random() < 0.5 else parts:
                await asyncio.get_running_loop().sock_sendall(client, part)
            response = await receive(client)
            await asyncio.sleep(Timeouts.closing + 1)
            is_closed = not virtual.worker.connections
            assert is_closed == (b"\r\nConnection: close\r\n" in response), parts[0]
            ends[is_closed] += 1
            client.close()
            await asyncio.sleep(1)
        assert min(ends[True], ends[False]) > 20

    virtual.run(story)
