"""A gunicorn worker with connection limits and a bounded shutdown."""

import asyncio
import os
import resource
import signal
import socket
from typing import Any

from gunicorn.asgi.protocol import ASGIProtocol
from gunicorn.workers.gasgi import ASGIWorker

from best_move.web.serving.connection import Connection
from best_move.web.serving.event_loop import EventLoop
from best_move.web.serving.timeouts import Timeouts

RESERVED_FILES = 32  # files that a worker may open in addition to its connections
#  Bytes of responses that the kernel buffers per client; Linux's default is megabytes.
SEND_BUFFER = 128 * 1024

MAX_ACCEPTED_PER_TURN = 2  # connections; more would be faster, and shared less evenly
SECONDS_BETWEEN_ATTEMPTS = 1  # to accept a connection, after one that failed
SECONDS_BETWEEN_WARNINGS = 60
SECONDS_BETWEEN_CHECKS = 0.125  # of deadlines, and of whether the worker is to stop


class Worker(ASGIWorker):
    """gunicorn's ASGI worker with a connection limit and a bounded shutdown."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = min(self.cfg.worker_connections, files - RESERVED_FILES)
        self.worker_connections = max(1, most)
        self.connections: set[Connection] = set()
        self.slot = 0  # in the shared counts of the metrics
        self.is_stopping = False
        self._is_hurried = False  # after SIGINT or SIGQUIT
        self._opening: set[asyncio.Task[object]] = set()
        self._next_warning = 0.0
        self._resumption: asyncio.TimerHandle | None = None

    def run(self) -> None:
        """Serve until the worker is to stop; gunicorn calls this in the worker's process."""
        asyncio.get_event_loop().close()  # gunicorn's own, with its signal handlers
        with asyncio.Runner(loop_factory=EventLoop) as runner:
            loop = self.loop = runner.get_loop()
            self.init_signals()
            #  With its own handlers, gunicorn would close connections without announcing it.
            loop.add_signal_handler(signal.SIGTERM, self.stop)
            loop.add_signal_handler(signal.SIGINT, self.quit)
            loop.add_signal_handler(signal.SIGQUIT, self.quit)
            runner.run(self.serve())

    async def serve(self) -> None:
        """Serve until the worker is to stop."""
        for listener in self.sockets:
            #  Connections inherit the option.
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        self._resume_accepting()
        while not self.is_stopping and self.ppid == os.getppid():
            await self._check_deadlines(SECONDS_BETWEEN_CHECKS)
        self.stop()  # also if the parent has ended
        await self._end()

    def stop(self) -> None:
        """Stop within the grace period; each response then closes its connection."""
        self.is_stopping = True

    def quit(self) -> None:
        """Stop without waiting for pending requests."""
        self._is_hurried = True
        self.stop()

    def release(self, connection: Connection) -> None:
        """Let another connection take the place of one that is closed."""
        self.connections.discard(connection)
        if self._resumption:
            self._resume_accepting()

    def _resume_accepting(self) -> None:
        """Accept connections from now on, unless the worker is to stop."""
        if self._resumption:
            self._resumption.cancel()
            self._resumption = None
        if not self.is_stopping:
            loop = asyncio.get_running_loop()
            for listener in self.sockets:
                loop.add_reader(listener, self._accept_some, listener)

    def _accept_some(self, listener: socket.socket) -> None:
        """Accept a few connections per turn of the event loop, and leave some to other workers.

        Otherwise, a worker that the system lets run first would accept all that wait.
        """
        for _ in range(MAX_ACCEPTED_PER_TURN):
            if not self._accept(listener):
                return
        if self.cfg.workers > 1:
            os.sched_yield()

    def _accept(self, listener: socket.socket) -> bool:
        """Accept a connection; return whether that succeeded."""
        if len(self.connections) >= self.worker_connections:
            self._pause_accepting("connection limit reached")
            return False
        try:
            client, _ = listener.accept()
        except (BlockingIOError, ConnectionAbortedError):
            return False
        except OSError as error:
            self._pause_accepting(str(error))
            return False
        opening = self.open(client)
        self._opening.add(opening)
        opening.add_done_callback(self._opening.discard)
        return True

    def open(self, client: socket.socket) -> asyncio.Task[None]:
        """Return a task that starts to serve the client of an accepted connection."""
        connection = Connection(self, ASGIProtocol(self))
        self.connections.add(connection)
        return asyncio.create_task(self._connect(connection, client))

    async def _connect(self, connection: Connection, client: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        try:
            await loop.connect_accepted_socket(lambda: connection, client)
        except OSError:  # the client has disconnected
            client.close()
            self.release(connection)

    def _pause_accepting(self, reason: str) -> None:
        """Accept no connection until one closes or a second has passed; log why."""
        loop = asyncio.get_running_loop()
        for listener in self.sockets:
            loop.remove_reader(listener)
        self._resumption = loop.call_later(SECONDS_BETWEEN_ATTEMPTS, self._resume_accepting)
        now = loop.time()
        if now >= self._next_warning:
            self._next_warning = now + SECONDS_BETWEEN_WARNINGS
            self.log.warning("New connections have to wait: %s", reason)

    async def _check_deadlines(self, seconds: float) -> None:
        """Wait some seconds, then end each wait whose deadline had passed before.

        The event loop has thus taken some turns since each deadline, and gunicorn has called the
        application for what had come.
        """
        self.notify()  # tells gunicorn that the worker is alive
        now = asyncio.get_running_loop().time()
        await asyncio.sleep(seconds)
        for connection in [*self.connections]:
            connection.check_deadline(now)

    async def _end(self) -> None:
        """Accept the last connections, stop listening, and finish pending requests.

        This takes no longer than the grace period. After SIGINT or SIGQUIT, pending requests are
        dropped.
        """
        loop = asyncio.get_running_loop()
        for listener in self.sockets:
            #  If this pauses, _resume_accepting does nothing, because the worker is to stop.
            while self._accept(listener):
                pass
        for listener in self.sockets:
            loop.remove_reader(listener)
            listener.close()
        start = loop.time()
        while self.connections:
            seconds = loop.time() - start
            #  The tasks are canceled when this returns, and nothing closes the socket of a
            #  canceled opening. So wait for openings, which end at once.
            if not self._opening and (seconds >= Timeouts.grace or self._is_hurried):
                return
            if seconds > Timeouts.idle_grace:
                for connection in [*self.connections]:
                    connection.close_if_idle()
            await self._check_deadlines(0.02)
