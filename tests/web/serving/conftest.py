"""Fixtures for the tests of the server and the worker: a server, a worker in virtual time."""

import asyncio
import json
import os
import selectors
import socket
import sys
from collections.abc import Callable, Coroutine, Iterator, Mapping
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Any
from unittest.mock import Mock
from wsgiref.types import WSGIApplication

import pytest
from gunicorn.glogging import Logger

from best_move.web.api.reading import max_bytes
from best_move.web.app import create_app
from best_move.web.serving.asgi import WsgiAdapter
from best_move.web.serving.server import Server as Gunicorn
from best_move.web.serving.timeouts import Timeouts
from best_move.web.serving.worker import Worker
from best_move.web.settings import Settings
from tests.processes import SECONDS_TO_WAIT
from tests.server import Server, running

#  Serves with a short grace period, but lets workers be late, as they may be on a busy machine.
#  With -P, Python imports the installed service, not the folder of its sources.
SHORT_GRACE = f"""
from best_move.web.serving import server, timeouts
from best_move.web.settings import Settings
configured = server.configuration
server.configuration = lambda *given: configured(*given) | {{"graceful_timeout": {SECONDS_TO_WAIT}}}
timeouts.Timeouts.grace, timeouts.Timeouts.idle_grace = 1, 0.2
server.serve(Settings.from_environment())
"""
SERVE_WITH_SHORT_GRACE = (sys.executable, "-P", "-c", SHORT_GRACE)


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """Yield one server for all tests that do not change it; fail if it logs an error."""
    with running() as server:
        server.wait_for_workers()
        yield server
        entries = [json.loads(line) for line in server.stop()]
    assert not [entry for entry in entries if entry["level"] in {"ERROR", "CRITICAL"}]


MAX_SECONDS = 1_000  # limit of virtual time per test


class VirtualTime(selectors.DefaultSelector):
    """A selector that skips the time in which nothing happens."""

    now = 0.0
    turns = 0  # of the event loop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Return the events that are ready; if there are none, advance the time by the timeout."""
        self.turns += 1
        ready = super().select(0)
        self.now += 0 if ready else timeout or 0
        return ready


class Late(Executor):
    """Calls what is submitted after a second."""

    def submit(self, call: Callable[..., Any], /, *args: Any, **options: Any) -> Future[Any]:
        """Return the result in a second."""
        future: Future[Any] = Future()
        loop = asyncio.get_running_loop()
        loop.call_later(1, lambda: future.set_result(call(*args, **options)))
        return future


class VirtualWorker:
    """A worker in this process that runs in virtual time, with clients on socket pairs."""

    def __init__(self) -> None:
        gunicorn = Gunicorn(Settings(workers=1))
        self.log = Mock(spec=Logger, access_log_enabled=False)
        self.worker = Worker(1, os.getppid(), [], gunicorn, 30, gunicorn.cfg, self.log)
        self.serves(create_app())
        self._time = VirtualTime()
        self._clients: list[socket.socket] = []
        self.failures: list[dict[str, Any]] = []  # exceptions that asyncio reports

    def serves(self, application: WSGIApplication, slow: Mapping[str, Executor] = {}) -> None:
        """Let the worker serve an application."""
        self.application = application
        self.worker.asgi = WsgiAdapter(
            application, max_body=max_bytes, body_timeout=Timeouts.body, slow=slow
        )

    @property
    def now(self) -> float:
        """The virtual seconds that have passed."""
        return self._time.now

    @property
    def turns(self) -> int:
        """How often the worker's event loop has taken a turn."""
        return self._time.turns

    def run(self, story: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Run a coroutine beside the worker; fail if asyncio reports an exception.

        It runs in a new thread because browser tests leave an event loop in this one.
        """
        with ThreadPoolExecutor(1) as thread:
            thread.submit(self._run, story).result()
        assert not self.failures

    def _run(self, story: Callable[[], Coroutine[Any, Any, None]]) -> None:
        loop = asyncio.SelectorEventLoop(self._time)
        self.worker.loop = loop
        loop.time = lambda: self._time.now  # type: ignore[method-assign]
        loop.set_exception_handler(lambda _, failure: self.failures.append(failure))
        with asyncio.Runner(loop_factory=lambda: loop) as runner:
            runner.run(self._serve(story))

    async def _serve(self, story: Callable[[], Coroutine[Any, Any, None]]) -> None:
        self.serving = asyncio.create_task(self.worker.serve())
        try:
            async with asyncio.timeout(MAX_SECONDS):
                await story()
        finally:
            self.worker.quit()
            await self.serving
            for client in self._clients:
                client.close()
            for connection in [*self.worker.connections]:
                connection.transport.abort()
            await asyncio.sleep(4)  # in which gunicorn ends its tasks

    async def connect(self, sent: bytes = b"") -> socket.socket:
        """Return a new connection on which bytes were sent."""
        client, accepted = socket.socketpair()
        self._clients.append(client)
        client.setblocking(False)  # noqa: FBT003, its only parameter
        await self.worker.open(accepted)
        client.sendall(sent)
        return client

    async def receive(self, client: socket.socket) -> bytes:
        """Return the next bytes received, or no bytes if the worker has closed the connection."""
        return await asyncio.get_running_loop().sock_recv(client, 1_000_000)

    async def receive_all(self, client: socket.socket) -> bytes:
        """Return all bytes received until the worker closes the connection."""
        received = b""
        while part := await self.receive(client):
            received += part
        return received


@pytest.fixture
def virtual() -> Iterator[VirtualWorker]:
    """Yield a worker in virtual time."""
    virtual = VirtualWorker()
    yield virtual
    virtual.worker.tmp.close()
