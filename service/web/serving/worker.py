"""A worker: gunicorn's event loop, with bounds to what its clients can take of it."""

import asyncio
import os
import resource
import socket
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, Final

from gunicorn.asgi.parser import CallbackRequest, PythonProtocol
from gunicorn.asgi.protocol import ASGIProtocol, BodyReceiver
from gunicorn.workers.gasgi import ASGIWorker

MAX_CONNECTIONS: Final = 1000  # of a worker
FILES_FOR_ITSELF: Final = 32  # that a worker has open besides
MAX_UNREAD: Final = 128 * 1024  # bytes that a system keeps for a client; by itself it might keep megabytes

SECONDS_FOR_HEAD: Final = 10  # from the connection to the end of the first request's headers
SECONDS_TO_READ: Final = 60  # for a client that reads nothing of what is left for it
SECONDS_TO_CLOSE: Final = 2  # for a client that has had its last answer

#  Once it is told to stop: for requests under way, and for those that may be, over a connection that was kept.
SECONDS_OF_GRACE: Final = 4
SECONDS_TO_LINGER: Final = 1

SECONDS_TO_GIVE_WAY: Final = 0.001  # to the other workers after each connection, so that all get their share
SECONDS_BETWEEN_WARNINGS: Final = 60


class Connection(ASGIProtocol):
    """A client's connection. Wherever a client can make it wait, it waits for so long and no longer."""

    #  gunicorn's own, which it does not tell the type of
    worker: "Worker"
    transport: asyncio.Transport
    _closed: bool
    _current_request: CallbackRequest | None
    _body_receiver: BodyReceiver | None
    _callback_parser: PythonProtocol | None
    _keepalive: float
    _keepalive_handle: asyncio.TimerHandle | None

    def __init__(self, worker: "Worker") -> None:
        super().__init__(worker)
        self._deadline: asyncio.TimerHandle | None = None
        self._has_sent = False
        self._has_sent_all = False
        self._idle_since = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin to wait for a request."""
        super().connection_made(transport)
        self.worker.connections.add(self)
        self._wait(SECONDS_FOR_HEAD, self._miss_head)

    def data_received(self, data: bytes) -> None:
        """Read on, but let go by what comes after the last answer."""
        if not self._closed:
            self._has_sent = True
            super().data_received(data)

    def eof_received(self) -> bool:
        """Keep the connection open while the client, which sends no more, has an answer to come."""
        self._has_sent_all = True
        if self._closed or self._current_request is None:
            return False
        receiver = self._body_receiver
        if receiver and not receiver._complete:  # type: ignore[attr-defined]  # noqa: SLF001, nothing public tells
            receiver.signal_disconnect()
        return True

    def pause_writing(self) -> None:
        """Begin to wait for the client to read."""
        super().pause_writing()
        self._wait_for_reader()

    def resume_writing(self) -> None:
        """Go on with the answer."""
        if not self._closed:
            self._wait_no_more()
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """Make room for another."""
        self._wait_no_more()
        super()._cancel_keepalive_timer()  # type: ignore[misc]
        super().connection_lost(exc)
        self.worker.connections.discard(self)
        self.worker.accept_again()

    def close_if_idle(self) -> None:
        """Close the connection if no request is under way."""
        if self._current_request is None:
            super()._keepalive_timeout()  # type: ignore[misc]

    def _wait(self, seconds: float, action: Callable[[], object]) -> None:
        self._wait_no_more()
        self._deadline = asyncio.get_running_loop().call_later(seconds, action)

    def _wait_no_more(self) -> None:
        if self._deadline:
            self._deadline.cancel()

    def _wait_for_reader(self, left_before: int | None = None) -> None:
        left = self.transport.get_write_buffer_size()
        if left == left_before or (self._closed and not left):
            self.transport.abort()
        else:
            self._wait(SECONDS_TO_READ, partial(self._wait_for_reader, left))

    def _miss_head(self) -> None:
        if self.req_count < 2 and self._current_request is None:
            if self._has_sent:
                self._send_error_response(408, "The request took too long")
            self.close_if_idle()

    #  From here on: what gunicorn calls, but does not document. The tests of faults hold it.

    def _arm_keepalive_timer(self) -> None:
        if self._has_sent_all:
            self.close_if_idle()
            return
        self._idle_since = asyncio.get_running_loop().time()
        if not self._keepalive_handle:
            super()._arm_keepalive_timer()  # type: ignore[misc]

    def _cancel_keepalive_timer(self) -> None:
        """Let the timer run on, for the next wait: to set one for each request would cost more than to read it."""

    def _keepalive_timeout(self) -> None:
        self._keepalive_handle = None
        left = self._idle_since + self._keepalive - asyncio.get_running_loop().time()
        if left <= 0:
            self.close_if_idle()
        else:
            self._keepalive_handle = asyncio.get_running_loop().call_later(left, self._keepalive_timeout)

    async def _serve_http_request(self, request: CallbackRequest, *addresses: object) -> bool:
        """Answer in the task of the connection: the application has nothing left to do after its answer.

        Between requests that came at once, others have their turn.
        """
        keeps_open: bool = await self._handle_http_request(request, *addresses)  # type: ignore[attr-defined]
        if self._callback_parser and self._callback_parser.remaining():
            await asyncio.sleep(0)
        return keeps_open

    def _will_close(self, request: CallbackRequest, *why: bool) -> bool:
        return self.worker.is_stopping or super()._will_close(request, *why)  # type: ignore[misc]

    def _is_websocket_upgrade(self, _: object) -> bool:
        return False

    def _send_error_response(self, status: int, message: str, extra_headers: tuple[tuple[str, str], ...] = ()) -> None:
        if self._closed:
            return
        if status < 500:  # the others gunicorn logs itself
            peer = self.transport.get_extra_info("peername")
            self.log.warning("Invalid request from ip=%s: %s", peer and peer[0], message)
        super()._send_error_response(status, message, extra_headers)  # type: ignore[misc]

    def _close_transport(self) -> None:
        """Say that nothing more comes, and leave the client time to read: a close with input unread is a reset."""
        if self._closed:
            return
        self._closed = True
        if self._has_sent_all:
            self.transport.close()
        else:
            with suppress(OSError):  # the client is gone
                self.transport.write_eof()
            self.transport.resume_reading()
        if self.transport.get_write_buffer_size():
            self._wait_for_reader()
        else:
            self._wait(SECONDS_TO_CLOSE, self.transport.abort)


class Worker(ASGIWorker):
    """gunicorn's worker with an event loop, which takes only so many connections, and ends in time."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.connections: set[Connection] = set()
        """Those that are open."""
        self.slot = 0
        """Where it counts."""
        self.has_ended = False
        """Whether it has nothing left to do."""
        self._opening: set[asyncio.Task[None]] = set()
        self._is_accepting = False
        self._told = asyncio.Event()
        self._grace: float = SECONDS_OF_GRACE
        self._next_warning = 0.0

    def run(self) -> None:
        """Serve until told to stop."""
        with asyncio.Runner(loop_factory=lambda: self.loop) as runner:  # type: ignore[arg-type, return-value]
            runner.run(self._serve())
        self.has_ended = True

    @property
    def is_stopping(self) -> bool:
        """Whether each answer is to be the last of its connection."""
        return self._told.is_set()

    def handle_exit_signal(self) -> None:
        """Stop, once the requests under way are answered.

        Until then the worker is alive for gunicorn, which would close connections before it has told their clients.
        """
        self._told.set()

    def handle_quit_signal(self) -> None:
        """Stop at once."""
        self._grace = 0
        self._told.set()
        super().handle_quit_signal()

    def accept_again(self) -> None:
        """Take connections, where there is room for one more."""
        if not self.is_stopping and not self._is_accepting and len(self.connections) < _most_connections():
            self._is_accepting = True
            for listener in self.sockets:
                asyncio.get_running_loop().add_reader(listener.fileno(), self._accept, listener)

    def _accept_no_more(self) -> None:
        self._is_accepting = False
        for listener in self.sockets:
            asyncio.get_running_loop().remove_reader(listener.fileno())

    def _accept(self, listener: socket.socket) -> bool:
        """Take the connection that has waited longest; return whether there was one, and room for it."""
        try:
            client, _ = listener.accept()
        except (BlockingIOError, ConnectionAbortedError):
            return False
        except OSError as error:
            self._wait_for_room(str(error))
            return False
        client.setblocking(False)  # noqa: FBT003, as it is
        client.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, MAX_UNREAD)
        opening = asyncio.get_running_loop().create_task(self._open(client))
        self._opening.add(opening)
        opening.add_done_callback(self._opening.discard)
        if len(self.connections) + len(self._opening) >= _most_connections():
            self._wait_for_room("as many connections as there may be")
            return False
        self._accept_no_more()
        asyncio.get_running_loop().call_later(SECONDS_TO_GIVE_WAY, self.accept_again)
        return True

    async def _open(self, client: socket.socket) -> None:
        await asyncio.get_running_loop().connect_accepted_socket(partial(Connection, self), client)

    def _wait_for_room(self, reason: str) -> None:
        self._accept_no_more()
        loop = asyncio.get_running_loop()
        loop.call_later(1, self.accept_again)
        if loop.time() >= self._next_warning:
            self._next_warning = loop.time() + SECONDS_BETWEEN_WARNINGS
            self.log.warning("New connections have to wait: %s", reason)

    async def _serve(self) -> None:
        self.accept_again()
        while not self.is_stopping:
            self.notify()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._told.wait(), 1)
            if self.ppid != os.getppid():
                self._told.set()
        await self._end()

    async def _end(self) -> None:
        """Answer those who have come so far, and leave."""
        for listener in self.sockets:
            while self._accept(listener):
                pass
        self._accept_no_more()
        for listener in self.sockets:
            listener.close()
        loop = asyncio.get_running_loop()
        start = loop.time()
        while self._opening or (self.connections and loop.time() - start < self._grace):
            if loop.time() - start > SECONDS_TO_LINGER:
                for connection in [*self.connections]:
                    connection.close_if_idle()
            await asyncio.sleep(0.02)
            self.notify()


def _most_connections() -> int:
    """Return how many connections a worker may have: fewer where it may not open so many files."""
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return max(1, min(MAX_CONNECTIONS, files - FILES_FOR_ITSELF))
