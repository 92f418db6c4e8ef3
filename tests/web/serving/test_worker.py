"""The worker: slow clients delay no other client and no stop; connections are limited."""

import asyncio
import errno
import inspect
import json
import os
import re
import resource
import signal
import socket
import statistics
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from gunicorn.asgi.protocol import ASGIProtocol
from gunicorn.workers.gasgi import ASGIWorker

from best_move.engine import COMPILED
from best_move.web.api.reading import MAX_BYTES
from best_move.web.serving import worker
from best_move.web.serving.server import Server as Gunicorn
from best_move.web.serving.worker import Connection, Timeouts, Worker
from best_move.web.settings import Settings
from tests.load import (
    BODY,
    GET,
    HALF_BODY,
    LARGE,
    MOVES,
    POST,
    assert_that_it_serves,
    post,
    send,
    under_load,
)
from tests.processes import SECONDS_TO_WAIT
from tests.server import SERVE, Server, open_files, received, running
from tests.web.serving.conftest import SERVE_WITH_SHORT_GRACE, VirtualWorker

SLOW = "........." if COMPILED else "X...O...."  # takes milliseconds to search
HALF_CHUNK = POST + b"Transfer-Encoding: chunked\r\n\r\n5\r\n{"


@contextmanager
def held(server: Server, *parts: bytes) -> Iterator[list[socket.socket]]:
    """Yield connections on which parts of requests were sent, with small receive buffers."""
    with ExitStack() as stack:
        connections = []
        for part in parts:
            connection = stack.enter_context(socket.socket())
            connection.settimeout(SECONDS_TO_WAIT)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.connect(("127.0.0.1", server.port))
            connection.sendall(part)
            connections.append(connection)
        yield connections


def test_slow_clients_do_not_delay_other_clients(server: Server) -> None:
    """While 900 clients send nothing or only a part of a request, other clients are served."""
    with held(server, *[b"", GET, HALF_BODY] * 300):
        assert_that_it_serves(server)


@pytest.mark.parametrize(
    ("sent", "status", "seconds"),
    [
        (b"", None, Timeouts.headers),
        (GET, 408, Timeouts.headers),
        (HALF_BODY, 408, Timeouts.body),
        (HALF_CHUNK, 408, Timeouts.body),
    ],
    ids=["silent", "half headers", "half body", "half chunk"],
)
def test_a_slow_client_is_disconnected(
    virtual: VirtualWorker, sent: bytes, status: int | None, seconds: float
) -> None:
    """The client is disconnected at a deadline, with a 408 if it has sent a part of a request."""

    async def story() -> None:
        client = await virtual.connect(sent)
        response = await virtual.receive_all(client)
        assert response.startswith(b"HTTP/1.1 %d " % status if status else b"")
        assert bool(response) == bool(status)
        assert b"Connection: close" in response or not status
        assert seconds <= virtual.now <= seconds + 1

    virtual.run(story)


@pytest.mark.parametrize("seconds", [15, 90])
def test_the_keepalive_time_starts_at_the_last_response(
    virtual: VirtualWorker, seconds: int
) -> None:
    """The connection is closed when the time limit after the last response ends."""
    virtual.worker.cfg = Gunicorn(Settings(workers=1, keep_alive=seconds)).cfg

    async def story() -> None:
        client = await virtual.connect()
        for _ in range(3):
            client.sendall(GET + b"\r\n")
            assert (await virtual.receive(client)).startswith(b"HTTP/1.1 200 ")
            await asyncio.sleep(seconds - 1)
        assert await virtual.receive(client) == b""
        assert 3 * (seconds - 1) + 1 <= virtual.now <= 3 * (seconds - 1) + 2

    virtual.run(story)


def test_a_client_that_stops_reading_is_disconnected(virtual: VirtualWorker) -> None:
    """A client that reads slowly stays connected; one that stops is disconnected in two minutes."""

    async def story() -> None:
        client = await virtual.connect(LARGE * 100)
        for _ in range(3):
            await asyncio.sleep(Timeouts.reading - 1)
            assert await virtual.receive(client)
            assert virtual.worker.connections
        await asyncio.sleep(2 * Timeouts.reading + 2)
        assert not virtual.worker.connections

    virtual.run(story)


def test_a_client_that_reads_late_gets_time_to_close(virtual: VirtualWorker) -> None:
    """The time to close starts when the client has read what was unread at the last response."""

    async def large(_scope: object, _receive: object, send: Any) -> None:
        (connection,) = virtual.worker.connections
        await send({"type": "http.response.start", "status": 200, "headers": []})
        while not connection.transport.get_write_buffer_size():
            await send({"type": "http.response.body", "body": b" " * 9_000, "more_body": True})
        await send({"type": "http.response.body", "body": b""})

    virtual.worker.asgi = large

    async def story() -> None:
        client = await virtual.connect(GET + b"\r\n")
        await asyncio.sleep(virtual.worker.cfg.keepalive + Timeouts.closing + 2)
        assert virtual.worker.connections
        assert await virtual.receive_all(client)
        await asyncio.sleep(Timeouts.closing - 0.1)
        assert virtual.worker.connections
        await asyncio.sleep(1)
        assert not virtual.worker.connections

    virtual.run(story)


def test_a_client_that_reads_nothing_of_the_last_response_is_disconnected(
    virtual: VirtualWorker,
) -> None:
    """The timeout for reading applies even if writing was paused before the connection closed."""

    async def endless(_scope: object, _receive: object, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        while True:
            await send({"type": "http.response.body", "body": b" " * 9_000, "more_body": True})

    virtual.worker.asgi = endless

    async def story() -> None:
        client = await virtual.connect(HALF_CHUNK)
        await asyncio.sleep(Timeouts.reading / 2)
        client.sendall(b"no chunk")
        await asyncio.sleep(Timeouts.reading / 2 - 1)
        assert virtual.worker.connections
        await asyncio.sleep(Timeouts.reading + 2)
        assert not virtual.worker.connections

    virtual.run(story)


HEAD = b"HEAD /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
#  The first three have responses without a body.
PIPELINED = [
    HEAD,
    b"OPTIONS /best-move HTTP/1.1\r\nHost: localhost\r\n\r\n",
    LARGE.removesuffix(b"\r\n") + b"If-None-Match: *\r\n\r\n",
    GET + b"\r\n",
    LARGE,
    b"GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n",
    POST + b"Expect: 100-continue\r\nContent-Length: %d\r\n\r\n" % len(BODY) + BODY,
]
LAST = [b"", GET, HALF_BODY, HALF_CHUNK, b"no HTTP\r\n\r\n"]
MAX_BUFFERED = 150_000  # 64 KiB, and the largest response


def pipelined(random: Random) -> bytes:
    """Return up to 1,000 requests of one to three kinds, and perhaps a part of another."""
    kinds = random.choices(PIPELINED, k=random.randint(1, 3))
    number = random.choice([10, 300, 1_000])
    return b"".join(random.choices(kinds, k=number)) + random.choice(LAST)


def test_a_client_that_pipelines_and_reads_nothing_is_disconnected(virtual: VirtualWorker) -> None:
    """Whatever it sends, the worker buffers little of the responses and ends the connection."""
    random = Random(1)  # noqa: S311, the same requests in each run
    sent = [HEAD * 200, *(kind * 1_000 for kind in PIPELINED), *(pipelined(random) for _ in LAST)]

    async def story() -> None:
        tasks = asyncio.all_tasks()
        for requests in sent:
            await virtual.connect(requests)
        while virtual.worker.connections:
            for connection in virtual.worker.connections:
                assert connection.transport.get_write_buffer_size() < MAX_BUFFERED
            assert virtual.now < virtual.worker.cfg.keepalive + Timeouts.reading + 2
            await asyncio.sleep(1)
        await asyncio.sleep(4)  # in which gunicorn ends its tasks
        assert asyncio.all_tasks() == tasks

    virtual.run(story)


def test_a_client_that_still_sends_gets_time_to_read(virtual: VirtualWorker) -> None:
    """For two seconds after the last response, the worker reads and ignores further data.

    It does so even if gunicorn has paused reading, because much data came before the response.
    """
    application = virtual.worker.asgi

    async def late(*args: Any) -> None:
        await asyncio.sleep(1)
        await application(*args)

    virtual.worker.asgi = late

    async def story() -> None:
        client = await virtual.connect(POST + b"Content-Length: 10000000\r\n\r\n")
        await asyncio.get_running_loop().sock_sendall(client, b" " * 300_000)
        assert (await virtual.receive_all(client)).startswith(b"HTTP/1.1 413 ")
        start = virtual.now
        while virtual.worker.connections:
            client.sendall(b" " * 50_000)
            await asyncio.sleep(0.1)
        assert Timeouts.closing <= virtual.now - start <= Timeouts.closing + 1.1

    virtual.run(story)


def test_a_half_closed_client_is_disconnected_after_its_response(virtual: VirtualWorker) -> None:
    """A half-closed connection stays open until the response is complete, and is then closed."""

    async def slow(_scope: object, _receive: object, send: Any) -> None:
        await asyncio.sleep(1)
        await send(
            {"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]}
        )
        await send({"type": "http.response.body", "body": b"ok"})

    virtual.worker.asgi = slow

    async def story() -> None:
        client = await virtual.connect(GET + b"\r\n")
        client.shutdown(socket.SHUT_WR)
        assert (await virtual.receive_all(client)).endswith(b"\r\n\r\nok")
        assert virtual.now == pytest.approx(1)

    virtual.run(story)


@pytest.mark.parametrize(
    ("body", "status"), [(BODY, 200), (BODY[:-1], 400)], ids=["whole", "incomplete"]
)
def test_an_end_of_input_within_a_body_makes_the_body_incomplete(
    virtual: VirtualWorker, body: bytes, status: int
) -> None:
    """A body is incomplete only if the input ends within it, not with its last byte."""

    async def story() -> None:
        client = await virtual.connect()
        (connection,) = virtual.worker.connections
        connection.data_received(POST + b"Content-Length: %d\r\n\r\n" % len(BODY) + body)
        assert connection.eof_received()
        assert (await virtual.receive_all(client)).startswith(b"HTTP/1.1 %d " % status)

    virtual.run(story)


def test_requests_are_handled_in_the_task_of_their_connection(virtual: VirtualWorker) -> None:
    """No task is created per request, because that would cost a tenth of the request's time."""
    tasks = []
    application = virtual.worker.asgi

    async def noting(*args: Any) -> None:
        tasks.append(asyncio.current_task())
        await application(*args)

    virtual.worker.asgi = noting

    async def story() -> None:
        client = await virtual.connect()
        for _ in range(2):
            client.sendall(GET + b"\r\n")
            await virtual.receive(client)

    virtual.run(story)
    assert tasks[0]
    assert tasks[0] is tasks[1]


def test_pipelined_requests_do_not_delay_other_clients(virtual: VirtualWorker) -> None:
    """Between pipelined requests of one client, the worker handles those of other clients."""
    handled: list[bytes] = []
    application = virtual.worker.asgi

    async def noting(scope: Any, *args: Any) -> None:
        handled.append(dict(scope["headers"])[b"x-request-id"])
        await application(scope, *args)

    virtual.worker.asgi = noting

    async def story() -> None:
        many = await virtual.connect((GET + b"X-Request-ID: many\r\n\r\n") * 20)
        await virtual.connect(GET + b"X-Request-ID: one\r\n\r\n")
        many.shutdown(socket.SHUT_WR)
        await virtual.receive_all(many)

    virtual.run(story)
    assert handled.count(b"many") == 20
    assert handled.index(b"one") < 10


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
            response = await virtual.receive(client)
            await asyncio.sleep(Timeouts.closing + 1)
            is_closed = not virtual.worker.connections
            assert is_closed == (b"\r\nConnection: close\r\n" in response), parts[0]
            ends[is_closed] += 1
            client.close()
            await asyncio.sleep(1)
        assert min(ends[True], ends[False]) > 20

    virtual.run(story)


UPGRADE = GET + b"Connection: Upgrade\r\nUpgrade: websocket\r\n"
#  Requests that gunicorn itself rejects, and the status of each.
REJECTED = {
    "not HTTP": (b"no HTTP\r\n\r\n", 400),
    "half headers": (GET, 408),
    "a long line": (b"GET /" + b"a" * 66_000 + b" HTTP/1.1\r\n\r\n", 414),
    "a WebSocket without version": (UPGRADE + b"\r\n", 426),
    "a long header": (GET + b"X: " + b"a" * 5_000 + b"\r\n\r\n", 431),
    "an unknown transfer coding": (POST + b"Transfer-Encoding: a\r\n\r\n", 501),
}


@pytest.mark.parametrize(("sent", "status"), REJECTED.values(), ids=REJECTED)
def test_an_invalid_request_is_logged(virtual: VirtualWorker, sent: bytes, status: int) -> None:
    """Gunicorn itself rejects such a request, and no metric counts it."""

    async def story() -> None:
        client = await virtual.connect(sent)
        assert (await virtual.receive_all(client)).startswith(b"HTTP/1.1 %d " % status)

    virtual.run(story)
    virtual.log.warning.assert_called_once()
    assert "Invalid request" in virtual.log.warning.call_args.args[0]


def test_a_failure_is_logged_once(virtual: VirtualWorker) -> None:
    """Gunicorn itself logs the exception of an application that fails."""

    async def failing(*_: object) -> None:
        raise ValueError

    virtual.worker.asgi = failing

    async def story() -> None:
        client = await virtual.connect(GET + b"\r\n")
        assert (await virtual.receive_all(client)).startswith(b"HTTP/1.1 500 ")

    virtual.run(story)
    virtual.log.exception.assert_called_once()
    virtual.log.warning.assert_not_called()


#  Connection limits.


@pytest.mark.parametrize(("files", "connections"), [(1, 1), (34, 2), (128, 96), (1_048_576, 1_000)])
def test_the_connection_limit_leaves_files_for_the_worker(
    monkeypatch: pytest.MonkeyPatch, files: int, connections: int
) -> None:
    """The limit is the smaller of gunicorn's and the number of unreserved files, at least 1."""
    monkeypatch.setattr(resource, "getrlimit", lambda _: (files, files))
    virtual = VirtualWorker()
    virtual.worker.tmp.close()
    assert virtual.worker.worker_connections == connections


@contextmanager
def listening(virtual: VirtualWorker) -> Iterator[socket.socket]:
    """Make a worker listen on the loopback; yield its socket."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setblocking(False)  # noqa: FBT003, its only parameter
        virtual.worker.sockets = [listener]
        yield listener


def test_further_connections_wait_until_one_closes(virtual: VirtualWorker) -> None:
    """At the limit, connections wait until one closes; the log has one warning per minute."""
    virtual.worker.worker_connections = 3

    async def story(listener: socket.socket) -> None:
        with ExitStack() as stack:
            clients = [
                stack.enter_context(socket.create_connection(listener.getsockname()))
                for _ in range(12)
            ]
            accepted = set(virtual.worker.connections)
            for closed, client in enumerate(clients[:8]):
                await asyncio.sleep(0.1)
                accepted |= virtual.worker.connections
                assert len(virtual.worker.connections) == 3
                assert len(accepted) == 3 + closed
                client.close()
            reasons = [call.args[1] for call in virtual.log.warning.call_args_list]
            assert reasons == ["connection limit reached"]
        await asyncio.sleep(70)
        with ExitStack() as stack:
            for _ in range(12):
                stack.enter_context(socket.create_connection(listener.getsockname()))
            await asyncio.sleep(5)
        assert virtual.log.warning.call_count == 2

    with listening(virtual) as listener:
        virtual.run(lambda: story(listener))


def test_a_worker_at_its_limit_tries_once_per_second(virtual: VirtualWorker) -> None:
    """The worker starts to accept as rarely after 20 connections were replaced as before."""
    virtual.worker.worker_connections = 3
    attempts: list[float] = []
    resume_accepting = virtual.worker.resume_accepting

    def noting() -> None:
        attempts.append(virtual.now)
        resume_accepting()

    virtual.worker.resume_accepting = noting  # type: ignore[method-assign]

    async def story(listener: socket.socket) -> None:
        with ExitStack() as stack:
            clients = [
                stack.enter_context(socket.create_connection(listener.getsockname()))
                for _ in range(30)
            ]
            for client in clients[:20]:
                await asyncio.sleep(0.01)
                client.close()
            await asyncio.sleep(1)
            attempts.clear()
            await asyncio.sleep(5)
            assert len(attempts) == pytest.approx(5, abs=1)

    with listening(virtual) as listener:
        virtual.run(lambda: story(listener))


def test_a_worker_accepts_a_connection_after_a_failed_attempt(virtual: VirtualWorker) -> None:
    """If the system cannot accept a connection, the worker logs why and waits for a second."""
    failures = [OSError(errno.EMFILE, "Too many open files"), ConnectionAbortedError()]

    class Listener(socket.socket):
        def accept(self) -> tuple[socket.socket, Any]:
            if failures:
                raise failures.pop(0)
            return super().accept()

    async def story(listener: socket.socket) -> None:
        with socket.create_connection(listener.getsockname()):
            await asyncio.sleep(0.5)
            assert not virtual.worker.connections
            await asyncio.sleep(1)
            assert virtual.worker.connections
        assert "Too many open files" in virtual.log.warning.call_args.args[1]

    with listening(virtual) as listener, Listener(fileno=os.dup(listener.fileno())) as failing:
        virtual.worker.sockets = [failing]
        virtual.run(lambda: story(failing))


def test_a_worker_leaves_some_connections_for_other_workers(virtual: VirtualWorker) -> None:
    """A worker accepts a few connections per ms; it replaces closed connections at once."""

    async def story(listener: socket.socket) -> None:
        with ExitStack() as stack:
            few = worker.BUCKET_SIZE
            clients = [
                stack.enter_context(socket.create_connection(listener.getsockname()))
                for _ in range(4 * few)
            ]
            await asyncio.sleep(worker.SECONDS_PER_REFILL / 2)
            for turn in range(1, 3):
                assert len(virtual.worker.connections) == turn * few
                await asyncio.sleep(worker.SECONDS_PER_REFILL)
            assert len(virtual.worker.connections) == 3 * few
            for client in clients[:few]:
                client.close()
            await asyncio.sleep(worker.SECONDS_PER_REFILL / 10)
            assert len(virtual.worker.connections) == 3 * few, (
                "those that were closed are replaced at once"
            )

    with listening(virtual) as listener:
        virtual.run(lambda: story(listener))


def test_both_workers_accept_a_share_of_the_connections() -> None:
    """In most of five rounds, each of two workers accepts at least 4 of 16 connections."""
    smaller_shares = []
    with running() as server, ExitStack() as stack:
        server.wait_for_workers()
        for _ in range(5):
            before = {pid: open_files(pid) for pid in server.workers()}
            for connection in stack.enter_context(held(server, *[GET + b"\r\n"] * 16)):
                assert connection.recv(1)
            shares = [open_files(pid) - count for pid, count in before.items()]
            smaller_shares.append(min(shares))
    assert statistics.median(smaller_shares) >= 4, smaller_shares


def test_a_shortage_of_file_descriptors_ends_no_worker() -> None:
    """With few file descriptors, further clients wait: no worker exits, and each logs a warning."""
    with running(["sh", "-c", 'ulimit -n 64 && exec "$@"', "sh", *SERVE]) as server:
        server.wait_for_workers()
        workers = server.workers()
        with held(server, *[b""] * 200):
            server.log.wait_for("New connections have to wait: connection limit reached", times=2)
        assert_that_it_serves(server)
        assert server.workers() == workers
        entries = [json.loads(line) for line in server.stop()]
    assert Counter(line["level"] for line in entries)["WARNING"] == 2  # one per worker
    assert not [line for line in entries if line["level"] in {"ERROR", "CRITICAL"}]


def test_clients_that_never_read_do_not_delay_other_clients(server: Server) -> None:
    """While 200 clients request 100 large responses each and read none, others are served."""
    with held(server, *[LARGE * 100] * 200):
        assert_that_it_serves(server)
    assert_that_it_serves(server)


def test_batches_do_not_block_single_requests(server: Server) -> None:
    """While all workers handle the slowest batches without a pause, single requests are served."""
    batch = post(200, "/best-moves", requests=[{"board": SLOW, "algorithm": "minimax"}] * 10)
    with under_load(server, [batch]) as load:
        load.wait_for(1)
        results = [result for _ in range(3) for result in send(server, MOVES, 20)]
    assert {result.status for result in results} == {200}
    assert {result.status for results in load.results for result in results} == {200}


def test_a_body_over_the_limit_gets_no_100_continue(server: Server) -> None:
    """The client gets the 413 at once, before it sends the body."""
    headers = POST + b"Content-Length: 65537\r\nExpect: 100-continue\r\n\r\n"
    with held(server, headers) as (connection,):
        assert received(connection).startswith(b"HTTP/1.1 413 ")


def test_a_client_that_sends_too_much_can_read_the_error(server: Server) -> None:
    """The client gets the 413 even if the body is larger than the buffers."""
    size = 4 * 1024 * 1024
    with held(server, POST + b"Content-Length: %d\r\n\r\n" % size + b" " * size) as (connection,):
        response = received(connection)
    assert response.startswith(b"HTTP/1.1 413 ")
    assert json.loads(response.partition(b"\r\n\r\n")[2])["code"] == "body_too_large"


@pytest.mark.parametrize(
    ("protocol", "headers", "status"),
    [
        (b"h2c", b"HTTP2-Settings: AAMAAABk\r\n", 200),
        (
            b"websocket",
            b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n",
            403,
        ),
    ],
    ids=["HTTP/2", "WebSocket"],
)
def test_no_upgrade_of_the_protocol_is_accepted(
    server: Server, protocol: bytes, headers: bytes, status: int
) -> None:
    """A request to switch to HTTP/2 gets a response in HTTP/1.1; a WebSocket is rejected."""
    upgrade = b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: %b\r\n" % protocol
    assert server.send(GET + upgrade + headers + b"\r\n").startswith(b"HTTP/1.1 %d " % status)


@pytest.mark.parametrize(
    "name", [b"SCRIPT_NAME", b"SCRIPT-NAME", b"PATH_INFO", b"REMOTE_USER", b"X-Forwarded-Prefix"]
)
def test_no_header_changes_the_path_of_the_application(server: Server, name: bytes) -> None:
    """No request header changes the path, even if the request comes from this machine."""
    response = server.send(GET + name + b": /elsewhere\r\n\r\n")
    assert response.startswith(b"HTTP/1.1 200 OK\r\n")
    assert b"elsewhere" not in response


#  Stop and reload.

UNFINISHED = {
    "silent": b"",
    "idle": GET + b"\r\n",
    "half headers": GET,
    "half body": HALF_BODY,
    "half chunk": HALF_CHUNK,
    "never reads": LARGE * 100,
}


@pytest.mark.parametrize("name", UNFINISHED)
def test_a_stop_ends_within_the_grace_period(virtual: VirtualWorker, name: str) -> None:
    """A worker exits within its grace period, and earlier if no request is pending."""
    is_pending = name in {"half body", "half chunk", "never reads"}
    seconds = Timeouts.grace if is_pending else Timeouts.idle_grace + Timeouts.closing

    async def story(listener: socket.socket) -> None:
        with socket.create_connection(listener.getsockname()) as client:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.setblocking(False)  # noqa: FBT003, its only parameter
            client.sendall(UNFINISHED[name])
            await asyncio.sleep(0.5)
            virtual.worker.handle_exit_signal()
            start = virtual.now
            await virtual.serving
            assert virtual.now - start == pytest.approx(seconds, abs=0.2)

    with listening(virtual) as listener:
        virtual.run(lambda: story(listener))


def test_a_request_during_a_stop_is_the_last_of_its_connection(virtual: VirtualWorker) -> None:
    """During a stop, the next request on a connection gets a response that closes it."""

    async def story() -> None:
        client = await virtual.connect(GET + b"\r\n")
        assert b"Connection: close" not in await virtual.receive(client)
        virtual.worker.handle_exit_signal()
        client.sendall(GET + b"\r\n")
        response = await virtual.receive_all(client)
        assert response.startswith(b"HTTP/1.1 200 ")
        assert b"\r\nConnection: close\r\n" in response

    virtual.run(story)


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "SIGINT"])
def test_a_stopped_server_exits_whatever_its_clients_do(stop: signal.Signals) -> None:
    """With incomplete requests and unread responses, a stopped server exits without a kill."""
    with running(SERVE_WITH_SHORT_GRACE) as server:
        server.wait_for_workers()
        with held(server, *list(UNFINISHED.values()) * 10):
            server.process.send_signal(stop)
            assert server.process.wait(SECONDS_TO_WAIT) == 0
        assert {json.loads(line)["level"] for line in server.log.read()} == {"INFO"}, (
            "a worker was killed"
        )


def test_a_stop_lets_a_batch_finish() -> None:
    """A batch that a worker has begun to read gets its complete response before the end."""
    body = json.dumps({"requests": [{"board": SLOW, "algorithm": "minimax"}] * 10}).encode()
    headers = POST.replace(
        b"/best-move", b"/best-moves"
    ) + b"Content-Length: %d\r\nExpect: 100-continue\r\n\r\n" % len(body)
    with running(WEB_CONCURRENCY="1") as server:
        with held(server, headers) as (connection,):
            assert connection.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
            server.process.send_signal(signal.SIGTERM)
            server.log.wait_for("Handling signal: term")
            connection.sendall(body)
            response = received(connection)
        assert server.process.wait(SECONDS_TO_WAIT) == 0
    assert b"\r\nConnection: close\r\n" in response
    assert len(json.loads(response.partition(b"\r\n\r\n")[2])["results"]) == 10


def test_a_reload_under_load_loses_no_request() -> None:
    """During three reloads each request gets its response, and is counted."""
    with running() as server:
        server.wait_for_workers()
        with under_load(server, MOVES) as load:
            for _ in range(3):
                load.wait_for(200)
                old = server.workers()
                server.process.send_signal(signal.SIGHUP)
                server.wait_for_others(old)
            load.wait_for(200)
        metrics = server.send(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
    counted = re.findall(
        rb'^best_move_requests_total{.*route="/best-move".*} (\d+)', metrics, re.MULTILINE
    )
    assert sum(map(int, counted)) == sum(map(len, load.results))
    assert {
        (result.status, str(result.error)) for results in load.results for result in results
    } == {(200, "None")}


#  Dependencies on gunicorn's internals.

README = Path(__file__).parents[3] / "service/best_move/web/serving/README.md"


@pytest.mark.parametrize(("ours", "theirs"), [(Connection, ASGIProtocol), (Worker, ASGIWorker)])
def test_overridden_methods_exist_in_gunicorn(ours: type, theirs: type) -> None:
    """The README lists exactly the overridden methods; gunicorn's have the same parameters."""
    rows = rf"^\| `{ours.__name__}\.(\w+)` \|.*\| `(\w+)` \|$"
    listed = dict(re.findall(rows, README.read_text(encoding="utf-8"), re.MULTILINE))
    assert set(listed.values()) <= set(globals())
    overridden = {
        name for name in vars(ours) if not name.startswith("__") and hasattr(theirs, name)
    }
    assert overridden == set(listed)
    for name in overridden:
        parameters = [
            list(inspect.signature(getattr(of, name)).parameters) for of in (ours, theirs)
        ]
        assert parameters[0] == parameters[1], name


def test_attributes_that_a_connection_reads_exist_in_gunicorn(virtual: VirtualWorker) -> None:
    """Each attribute and method that a connection uses from gunicorn's class exists there."""
    protocol = ASGIProtocol(virtual.worker)
    assert set(Connection.__annotations__) <= set(vars(protocol))
    assert hasattr(protocol, "_handle_http_request")
