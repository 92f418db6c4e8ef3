"""A worker in virtual time, in this process, and a client whose events are noted."""

import asyncio
import os
import re
import selectors
import socket
from collections.abc import Callable, Coroutine, Iterable
from concurrent.futures import Executor, Future
from contextlib import suppress
from enum import Enum, auto
from functools import partial
from itertools import groupby
from typing import Any, TypeVar
from unittest.mock import Mock
from wsgiref.types import WSGIApplication

from gunicorn.glogging import Logger

from best_move.web.api.handling import MAX_WAITING, WAITING, handling_of
from best_move.web.app import create_app
from best_move.web.serving.asgi import WsgiAdapter
from best_move.web.serving.bounded_executor import BoundedExecutor
from best_move.web.serving.connection import Connection
from best_move.web.serving.server import Server
from best_move.web.serving.timeouts import Timeouts
from best_move.web.serving.worker import Worker
from best_move.web.settings import Settings
from tests.readme import section
from tests.web.serving.loops import run

MAX_SECONDS = 1_000  # limit of virtual time per test
MAX_READ = 1_000_000

Found = TypeVar("Found")


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


class VirtualThread(Executor):
    """A thread in virtual time, in which each call takes some seconds."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._is_free = asyncio.Lock()
        self._calls: set[asyncio.Task[None]] = set()
        self.executed = 0

    def submit(self, call: Callable[..., Any], /, *args: Any, **options: Any) -> Future[Any]:
        """Return the result of a call, which waits until those before it have ended."""
        future: Future[Any] = Future()
        task = asyncio.create_task(self._execute(future, partial(call, *args, **options)))
        self._calls.add(task)
        task.add_done_callback(self._calls.discard)
        return future

    async def _execute(self, future: Future[Any], call: Callable[[], Any]) -> None:
        async with self._is_free:
            if future.set_running_or_notify_cancel():
                await asyncio.sleep(self._seconds)
                self.executed += 1
                try:
                    future.set_result(call())
                except Exception as error:  # noqa: BLE001, as a real executor does
                    future.set_exception(error)
        del future  # to which the traceback of the error leads


class VirtualWorker:
    """A worker in this process that runs in virtual time, with clients on socket pairs."""

    serving: asyncio.Task[None]

    def __init__(self) -> None:
        gunicorn = Server(Settings(workers=1))
        self.log = Mock(spec=Logger, access_log_enabled=False)
        self.worker = Worker(1, os.getppid(), [], gunicorn, 30, gunicorn.cfg, self.log)
        self.serves(create_app())
        self.time = VirtualTime()
        self._clients: list[socket.socket] = []
        self.failures: list[dict[str, Any]] = []  # exceptions that asyncio reports

    def serves(
        self,
        application: WSGIApplication,
        others: Executor | None = None,
        slow: Executor | None = None,
    ) -> None:
        """Let the worker serve an application.

        Slow requests are called in the executor `slow`, by default in no time, and all others in
        `others` or, if it is None, in the event loop.
        """
        self.application = application
        thread = slow or VirtualThread(0)
        self.worker.asgi = WsgiAdapter(
            application,
            handling_of=handling_of,
            body_timeout=Timeouts.body,
            threads={
                name: BoundedExecutor(thread, Timeouts.thread, most)
                for name, most in WAITING.items()
            },
            others=BoundedExecutor(others, Timeouts.thread, MAX_WAITING) if others else None,
        )

    def run(self, story: Callable[[], Coroutine[Any, Any, Found]]) -> Found:
        """Run a coroutine beside the worker, and return its result.

        Fail if asyncio reports an exception.
        """
        result = run(self._serve(story), self._new_loop)
        assert not self.failures
        return result

    def _new_loop(self) -> asyncio.AbstractEventLoop:
        loop = asyncio.SelectorEventLoop(self.time)
        self.worker.loop = loop
        loop.time = lambda: self.time.now  # type: ignore[method-assign]
        loop.set_exception_handler(lambda _, failure: self.failures.append(failure))
        return loop

    async def _serve(self, story: Callable[[], Coroutine[Any, Any, Found]]) -> Found:
        self.serving = asyncio.create_task(self.worker.serve())
        try:
            async with asyncio.timeout(MAX_SECONDS):
                return await story()
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


async def receive(client: socket.socket) -> bytes:
    """Return the next bytes received, or no bytes if the worker has closed the connection."""
    return await asyncio.get_running_loop().sock_recv(client, MAX_READ)


async def receive_all(client: socket.socket) -> bytes:
    """Return all bytes received until the worker closes the connection."""
    received = b""
    while part := await receive(client):
        received += part
    return received


#  The statuses of responses before the application, according to the deployment guide.
_GUIDE = " ".join(section("Limits and timeouts").text.split())
_FORM = "without a request ID, in plain text or without a body"
[_LISTED] = re.findall(rf"rejected before the application \((.*?)\): {_FORM}", _GUIDE)
BEFORE_THE_APPLICATION = {int(status) for status in _LISTED.split(", ")}


def is_documented(status: int, headers: bytes) -> bool:
    """Return whether an error response has the form that the texts promise.

    An error of the application is a problem or a JSON-RPC error, and has a request ID. An error
    before it has a status of the guide, no request ID, and plain text or no body.
    """
    found = re.search(rb"\r\nContent-Type: ([^\r;]+)", headers)
    media_type = found[1].decode() if found else ""
    if status < 400:
        return True
    if b"\r\nX-Request-ID: " in headers:
        return media_type in {"application/problem+json", "application/json"}
    return status in BEFORE_THE_APPLICATION and media_type in {"text/plain", ""}


class Do(Enum):
    """A step of a client other than to send bytes or to wait some seconds."""

    NOT_READ = auto()  # from now on; at first, the client reads at any time
    READ = auto()  # from now on
    READ_SOME = auto()  # what the system has buffered
    SHUT = auto()  # closes its own side
    LEAVE = auto()  # closes the connection
    STOP = auto()  # the worker gets the signal to stop
    QUIT = auto()  # the worker gets the signal to stop without waiting for requests


Step = bytes | float | Do


class Client:
    """A client of a worker, which notes the events of its connection."""

    def __init__(self, virtual: VirtualWorker) -> None:
        self._virtual = virtual
        self._events: list[tuple[int, str]] = []
        self._is_released = asyncio.Event()
        virtual.log.warning.side_effect = lambda *_: self._note("logged")
        virtual.log.exception.side_effect = lambda *_: self._note("exception")
        self._release = virtual.worker.release
        virtual.worker.release = self._note_release  # type: ignore[method-assign]

    def _note(self, event: str) -> None:
        second = int(self._virtual.time.now + 0.001)  # the sum of many short waits is inexact
        self._events.append((second, event))

    def _note_release(self, connection: Connection) -> None:
        self._release(connection)
        loop = asyncio.get_running_loop()
        loop.call_later(0.002, self._note, "released")  # then the client has read the end
        loop.call_later(0.002, self._is_released.set)

    async def events(self, steps: Iterable[Step]) -> str:
        """Take the steps, then wait until the worker has released the connection, or has exited.

        Return the events by their seconds.
        """
        client = await self._virtual.connect()
        self._reading = asyncio.create_task(self._read(client))
        for step in steps:
            await asyncio.sleep(0)
            await self._take(step, client)
        is_stopping = self._virtual.worker.is_stopping
        await (self._virtual.serving if is_stopping else self._is_released.wait())
        await asyncio.sleep(0.05)
        self._reading.cancel()
        by_second = groupby(self._events, key=lambda event: event[0])
        return " | ".join(
            f"{second}: " + ", ".join(name for _, name in events) for second, events in by_second
        )

    async def _take(self, step: Step, client: socket.socket) -> None:
        match step:
            case bytes():
                with suppress(OSError):  # the worker has closed the connection
                    await asyncio.get_running_loop().sock_sendall(client, step)
                await asyncio.sleep(0)
            case Do.READ_SOME:
                client.recv(MAX_READ)
            case Do.READ:
                self._reading = asyncio.create_task(self._read(client))
            case Do.NOT_READ:
                self._reading.cancel()
            case Do.SHUT:
                with suppress(OSError):
                    client.shutdown(socket.SHUT_WR)
            case Do.LEAVE:
                self._reading.cancel()
                await asyncio.sleep(0)
                client.close()
            case Do.STOP | Do.QUIT:
                await asyncio.sleep(0.01)
                worker = self._virtual.worker
                (worker.stop if step is Do.STOP else worker.quit)()
                self._virtual.serving.add_done_callback(lambda _: self._note("exit"))
            case seconds:
                await asyncio.sleep(seconds)

    async def _read(self, client: socket.socket) -> None:
        while part := await receive(client):
            pattern = rb"HTTP/1.1 (\d+) [^\r]*((?:\r\n[^\r]+)*)(\r\n\r\n)?"
            for status, headers, end in re.findall(pattern, part):
                closes = " close" * (b"\r\nConnection: close" in headers)
                undocumented = " undocumented" * bool(
                    end and not is_documented(int(status), headers)
                )
                self._note(status.decode() + closes + undocumented)
        self._note("end")
        client.shutdown(socket.SHUT_RDWR)  # also ends a step that sends
