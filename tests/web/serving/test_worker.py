"""The worker: slow clients delay no other client and no stop; connections are limited."""

import asyncio
import errno
import json
import os
import resource
import signal
import socket
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest

from best_move.engine import COMPILED
from best_move.web.serving.connection import Connection
from tests.load import MOVES, assert_that_it_serves, post, send, under_load
from tests.processes import SECONDS_TO_WAIT
from tests.raw_requests import ASK, GET, UNFINISHED, posted
from tests.server import SERVE, Server, running, serve_after
from tests.web.serving.virtual import VirtualWorker

#  Serves with a short grace period and long timeouts, and lets workers be late, as they may be on a
#  busy machine.
PATIENT = serve_after(f"""
from best_move.web.serving import server, timeouts
configured = server.configuration
server.configuration = lambda *given: configured(*given) | {{"graceful_timeout": {SECONDS_TO_WAIT}}}
limits = timeouts.Timeouts
limits.grace, limits.idle_grace = 1, 0.2
limits.headers = limits.body = limits.reading = limits.closing = 9_999
""")

SLOW = "........." if COMPILED else "X...O...."  # takes milliseconds to search


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


class Listener(socket.socket):
    """A listening socket that first fails to accept connections."""

    failures: list[OSError]

    def accept(self) -> tuple[socket.socket, Any]:
        """Fail, or accept a connection."""
        if self.failures:
            raise self.failures.pop(0)
        return super().accept()


@contextmanager
def listening(
    virtual: VirtualWorker, *failures: OSError, listeners: int = 1
) -> Iterator[Callable[..., socket.socket]]:
    """Make a worker listen on the loopback; yield a function that connects to a listener."""
    with ExitStack() as stack:
        for _ in range(listeners):
            bound = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
            listener = stack.enter_context(Listener(fileno=os.dup(bound.fileno())))
            listener.setblocking(False)  # noqa: FBT003, its only parameter
            listener.failures = [*failures]
            virtual.worker.sockets.append(listener)
        yield lambda number=0: stack.enter_context(
            socket.create_connection(virtual.worker.sockets[number].getsockname())
        )


def test_further_connections_wait_until_one_closes(virtual: VirtualWorker) -> None:
    """At the limit, connections wait until one closes; the log has one warning per minute."""
    virtual.worker.worker_connections = 3

    async def story() -> None:
        clients = [connect() for _ in range(30)]
        accepted: set[Connection] = set()
        for closed, client in enumerate(clients[:20]):
            await asyncio.sleep(0.5)
            accepted |= virtual.worker.connections
            assert len(virtual.worker.connections) == 3
            assert len(accepted) == 3 + closed
            client.close()
        reasons = [call.args[1] for call in virtual.log.warning.call_args_list]
        assert reasons == ["connection limit reached"]
        await asyncio.sleep(60)
        for _ in range(12):
            connect()
        await asyncio.sleep(1)
        assert virtual.log.warning.call_count == 2

    with listening(virtual) as connect:
        virtual.run(story)


@pytest.mark.parametrize("number", [0, 2, 9])
def test_a_worker_with_nothing_to_do_rests(virtual: VirtualWorker, number: int) -> None:
    """Below, at and beyond the limit of connections, the event loop takes few turns."""
    virtual.worker.worker_connections = 2

    async def story() -> None:
        for _ in range(number):
            connect()
        await asyncio.sleep(1)
        before = virtual.time.turns
        await asyncio.sleep(5)
        assert virtual.time.turns - before < 200

    with listening(virtual) as connect:
        virtual.run(story)


def test_a_worker_accepts_a_connection_after_a_failed_attempt(virtual: VirtualWorker) -> None:
    """If the system cannot accept a connection, the worker logs why and waits for a second."""

    async def story() -> None:
        connect()
        await asyncio.sleep(0.5)
        assert not virtual.worker.connections
        await asyncio.sleep(1)
        assert virtual.worker.connections
        assert "Too many open files" in virtual.log.warning.call_args.args[1]

    full = OSError(errno.EMFILE, "Too many open files")
    with listening(virtual, full, ConnectionAbortedError()) as connect:
        virtual.run(story)


def test_a_client_that_leaves_before_its_connection_opens_takes_no_place(
    virtual: VirtualWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some systems then fail to set an option of its socket, which the worker closes."""

    async def fail(*_: object) -> None:
        raise OSError(errno.EINVAL, "Invalid argument")

    async def story() -> None:
        with monkeypatch.context() as left:
            left.setattr(asyncio.get_running_loop(), "connect_accepted_socket", fail)
            client = connect()
            await asyncio.sleep(0.1)
        client.setblocking(False)  # noqa: FBT003, its only parameter
        assert client.recv(1) == b""
        assert not virtual.worker.connections
        connect()
        await asyncio.sleep(0.1)
        assert len(virtual.worker.connections) == 1

    with listening(virtual) as connect:
        virtual.run(story)


def test_a_worker_that_stops_serves_the_connections_that_wait(virtual: VirtualWorker) -> None:
    """It has accepted none of them yet, and they wait at different listeners."""

    async def story() -> None:
        clients = [connect(number) for number in (0, 1, 1, 1)]
        for client in clients:
            client.sendall(ASK)
        virtual.worker.stop()
        await virtual.serving
        assert [client.recv(15) for client in clients] == [b"HTTP/1.1 200 OK"] * 4

    with listening(virtual, listeners=2) as connect:
        virtual.run(story)


def test_a_worker_at_its_limit_accepts_at_no_listener(virtual: VirtualWorker) -> None:
    """Once a connection closes, it accepts at all of its listeners again."""
    virtual.worker.worker_connections = 1

    async def story() -> None:
        clients = [connect(number) for number in (0, 1, 0, 1)]
        for closed in clients:
            await asyncio.sleep(0.1)
            assert len(virtual.worker.connections) == 1
            turns = virtual.time.turns
            await asyncio.sleep(0.1)
            assert virtual.time.turns < turns + 20
            closed.close()

    with listening(virtual, listeners=2) as connect:
        virtual.run(story)


def test_a_worker_leaves_connections_to_other_workers(
    virtual: VirtualWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After every two connections that a worker accepts, it lets other processes run."""
    virtual.worker.cfg.set("workers", 2)
    accepted = []
    monkeypatch.setattr(os, "sched_yield", lambda: accepted.append(len(virtual.worker.connections)))

    async def story() -> None:
        for _ in range(7):
            connect()
        await asyncio.sleep(0.1)
        assert accepted == [2, 4, 6]
        assert len(virtual.worker.connections) == 7

    with listening(virtual) as connect:
        virtual.run(story)


def test_a_shortage_of_file_descriptors_ends_no_worker() -> None:
    """With few file descriptors, further clients wait: no worker exits, and each logs a warning."""
    with running(["sh", "-c", 'ulimit -n 64 && exec "$@"', "sh", *SERVE]) as server:
        server.wait_for_workers()
        workers = server.workers()
        with server.holding([b""] * 200):
            server.log.wait_for("New connections have to wait: connection limit reached", times=2)
        assert_that_it_serves(server.port)
        assert server.workers() == workers
        entries = server.stop()
    assert Counter(line["level"] for line in entries)["WARNING"] == 2  # one per worker
    assert not [line for line in entries if line["level"] in {"ERROR", "CRITICAL"}]


def test_single_requests_are_served_beside_batches(server: Server) -> None:
    """All workers handle the slowest batches without a pause meanwhile."""
    batch = post(200, "/best-moves", requests=[{"board": SLOW, "algorithm": "minimax"}] * 10)
    with under_load(server.port, [batch]) as load:
        load.wait_for(1)
        results = [result for _ in range(3) for result in send(server.port, MOVES, 20)]
    assert {result.status for result in results} == {200}
    assert {result.status for result in load.all_results()} == {200}


def test_a_client_that_sends_too_much_can_read_the_error(server: Server) -> None:
    """The client gets the 413 even if the body is larger than the buffers."""
    reply = server.send(posted(b" " * 4 * 1024 * 1024))
    assert (reply.status, json.loads(reply.body)["code"]) == (413, "body_too_large")


@pytest.mark.parametrize(
    "name", [b"SCRIPT_NAME", b"SCRIPT-NAME", b"PATH_INFO", b"REMOTE_USER", b"X-Forwarded-Prefix"]
)
def test_no_header_changes_the_path_of_the_application(server: Server, name: bytes) -> None:
    """No request header changes the path, even if the request comes from this machine."""
    reply = server.send(GET + name + b": /elsewhere\r\n\r\n")
    assert reply.status == 200
    assert "elsewhere" not in f"{reply.headers} {reply.body!r}"


#  Stop and reload.


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "SIGINT"])
def test_unfinished_clients_delay_neither_others_nor_a_stop(stop: signal.Signals) -> None:
    """Beside 450 of them, others are served, and a stopped server exits without killing a worker.

    They stay connected meanwhile, because the server waits for them for hours.
    """
    with running(PATIENT) as server:
        server.wait_for_workers()
        with server.holding([*UNFINISHED.values()] * 50):
            assert_that_it_serves(server.port)
            server.process.send_signal(stop)
            assert server.process.wait(SECONDS_TO_WAIT) == 0
        levels = {entry["level"] for entry in server.log.entries()}
        assert levels == {"INFO"}, "a worker was killed"


def test_a_reload_under_load_loses_no_request() -> None:
    """During two reloads each request gets its response, and is counted."""
    with running() as server:
        server.wait_for_workers()
        with under_load(server.port, MOVES) as load:
            for _ in range(2):
                load.wait_for(200)
                old = server.workers()
                server.process.send_signal(signal.SIGHUP)
                server.wait_for_others(old)
            load.wait_for(200)
        counted = server.counted(route="/best-move")
    results = load.all_results()
    assert counted == len(results)
    assert {(result.status, str(result.error)) for result in results} == {(200, "None")}
