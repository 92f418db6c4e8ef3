"""A gunicorn worker with connection limits and timeouts."""

import asyncio
import os
import resource
import socket
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

from gunicorn.asgi.protocol import ASGIProtocol
from gunicorn.workers.gasgi import ASGIWorker

RESERVED_FILES = 32  # files that a worker may open in addition to its connections
#  Bytes of responses that the kernel buffers per client; Linux's default is megabytes.
SEND_BUFFER = 128 * 1024

#  The token bucket of a worker: a connection costs a token. Without tokens, a worker pauses until
#  the refill, so that the other workers accept the next connections. A refill tops the bucket up to
#  its size. A closed connection returns its token, so that a new one can take its place at once.
#  The bucket of a worker that accepts nothing would thus grow beyond its size; each check in
#  `_serve` empties it.
BUCKET_SIZE = 4
SECONDS_PER_REFILL = 0.001
SECONDS_BETWEEN_WARNINGS = 60
SECONDS_BETWEEN_CHECKS = 0.125  # of deadlines, and of whether the worker is to stop


class Timeouts:
    """Seconds that a worker waits for its clients."""

    headers = 10.0  # from the connection to the end of the first request's headers
    body = 10.0  # in asgi.py: from the end of a request's headers to the end of its body
    reading = 60.0  # while the client reads nothing of a response
    closing = 2.0  # from the end of the last response until the client closes the connection
    grace = 4.0  # from the signal to stop to the end of pending requests
    idle_grace = 1.0  # from the signal to stop until idle connections are closed


class Connection(ASGIProtocol):
    """A client connection with a timeout for every wait."""

    #  gunicorn's own attributes.
    worker: "Worker"
    transport: asyncio.Transport
    _body_receiver: Any
    _callback_parser: Any
    _closed: bool
    _current_request: Any
    _flow_control: Any
    _request_ready: asyncio.Event

    def __init__(self, worker: "Worker") -> None:
        super().__init__(worker)
        self._deadline = float("inf")
        self._on_timeout: Callable[[], object]  # set with the first deadline
        self._client_has_sent = False
        self._client_has_closed = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Start to wait for the headers of the first request."""
        super().connection_made(transport)
        self.worker.connections.add(self)
        self._wait(Timeouts.headers, self._end_wait_for_headers)

    def data_received(self, data: bytes) -> None:
        """Process data from the client; ignore data after the last response."""
        if not self._closed:
            self._client_has_sent = True
            super().data_received(data)

    def eof_received(self) -> bool:
        """Record that the client has closed its side.

        Return whether a pending response keeps the connection open.
        """
        self._client_has_closed = True
        if self._closed or self._current_request is None:
            return False
        if not self._body_is_complete():
            #  Ends the wait for the rest of the body, which will not come. There is a receiver: a
            #  request without one was rejected, which sets _closed.
            self._body_receiver.signal_disconnect()
        return True

    def pause_writing(self) -> None:
        """Start to wait for the client to read."""
        super().pause_writing()
        self._wait_for_reader()

    def resume_writing(self) -> None:
        """After the last response, start to wait for the client to close the connection."""
        super().resume_writing()
        if self._closed:
            self._wait(Timeouts.closing, self.transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        """Release the connection, so that another connection can take its place."""
        super().connection_lost(exc)
        self.worker.release(self)

    def _body_is_complete(self) -> bool:
        #  gunicorn creates no receiver for a request whose headers it rejects.
        receiver = self._body_receiver
        return receiver is not None and bool(receiver._complete)  # noqa: SLF001, not public

    def close_if_idle(self) -> None:
        """Close the connection if no request is pending."""
        if self._current_request is None:
            self._close_transport()
            self._request_ready.set()  # wakes the connection's task, so that it ends

    def check_deadline(self, now: float) -> None:
        """Call the function of the current wait if its deadline has passed."""
        if now >= self._deadline:
            self._deadline = float("inf")
            self._on_timeout()

    def _wait(self, seconds: float, on_timeout: Callable[[], object]) -> None:
        """Call a function after some seconds, unless another wait begins before then.

        Nothing else ends a wait: once its event has come, `on_timeout` does nothing, or the
        connection is gone.
        """
        self._deadline = self.worker.loop.time() + seconds
        self._on_timeout = on_timeout

    def _wait_for_reader(self, unread_before: int | None = None) -> None:
        """Disconnect the client if it reads nothing for a whole timeout."""
        unread = self.transport.get_write_buffer_size()
        if unread == unread_before:
            self.transport.abort()
        elif unread:
            self._wait(Timeouts.reading, partial(self._wait_for_reader, unread))

    def _end_wait_for_headers(self) -> None:
        """Close the connection if no request has arrived, with a 408 if a part of one has."""
        if self._current_request is None and self._client_has_sent:
            self._send_error_response(408, "The request took too long")
        self.close_if_idle()

    #  Methods that gunicorn calls, but does not document; see serving/README.md.

    def _arm_keepalive_timer(self) -> None:
        """After a response, start to wait for the next request; close if none can come."""
        if self._client_has_closed:
            self.close_if_idle()
        else:
            self._wait(self.worker.cfg.keepalive, self.close_if_idle)

    async def _serve_http_request(
        self, request: object, sockname: object, peername: object
    ) -> bool:
        """Handle the request in the connection's task; return whether the connection stays open.

        gunicorn's method creates a task per request, which takes a tenth of the request's time.
        """
        handle = self._handle_http_request  # type: ignore[attr-defined]
        keeps_open = await handle(request, sockname, peername)
        if keeps_open:
            #  gunicorn waits for the client to read only after a response with a body.
            await self._flow_control.drain()
        if self._callback_parser.remaining():
            await asyncio.sleep(0)  # other connections get a turn between pipelined requests
        return bool(keeps_open)

    def _will_close(self, request: object, response_requires_close: object) -> bool:
        """Return whether the connection closes after this response; gunicorn announces that."""
        if not self._body_is_complete():
            return True  # the rest of the body would look like the next request
        return bool(super()._will_close(request, response_requires_close))  # type: ignore[misc]

    def _send_error_response(self, status: int, message: str, extra_headers: Any = ()) -> None:
        if self._closed:
            return
        if status != 500:  # gunicorn itself logs the exception that caused a 500
            peer = self.transport.get_extra_info("peername")
            address = peer[0] if peer else None
            self.log.warning("Invalid request from ip=%s: %s", address, message)
        super()._send_error_response(status, message, extra_headers)  # type: ignore[misc]

    def _close_transport(self) -> None:
        """Close the connection, or half-close it if the client may still send.

        Unread input would reset a closed connection. A half-closed one is aborted if the client
        does not close it in time.
        """
        if self._closed:
            return
        self._closed = True
        request = self._current_request
        asked_to_close = request is not None and request.should_close()
        client_is_done = self._client_has_closed or (asked_to_close and self._body_is_complete())
        if client_is_done:
            self.transport.close()
        else:
            with suppress(OSError):  # the client has disconnected
                self.transport.write_eof()
            self.transport.resume_reading()  # to discard the input; gunicorn may have paused it
        if self.transport.get_write_buffer_size():
            #  The limit 0 makes asyncio call pause_writing now, which starts the wait for the
            #  reader, and resume_writing when all is sent, which starts the wait for the client to
            #  close. If writing was paused before, the wait for the reader is still running: no
            #  other wait begins while writing is paused.
            self.transport.set_write_buffer_limits(0)
        else:
            self._wait(Timeouts.closing, self.transport.abort)


class Worker(ASGIWorker):
    """gunicorn's ASGI worker with a connection limit and a bounded shutdown."""

    #  gunicorn's own attributes.
    loop: asyncio.AbstractEventLoop
    _quick_shutdown: bool  # after SIGINT or SIGQUIT

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = min(self.cfg.worker_connections, files - RESERVED_FILES)
        self.worker_connections = max(1, most)
        self.connections: set[Connection] = set()
        self.slot = 0  # in the shared counts of the metrics
        self._opening: set[asyncio.Task[object]] = set()
        self._tokens = 0
        self._next_refill = 0.0
        self._next_warning = 0.0
        self._resumption: asyncio.TimerHandle | None = None

    def release(self, connection: Connection) -> None:
        """Return a closed connection's token, so that a new connection takes its place."""
        self.connections.discard(connection)
        self._tokens += 1
        self.resume_accepting()

    def resume_accepting(self) -> None:
        """Accept connections from now on, unless the worker is to stop."""
        if self.alive:
            for listener in self.sockets:
                self.loop.add_reader(listener, self._accept_some, listener)

    def _accept_some(self, listener: socket.socket) -> None:
        """Accept a connection for each token; if the bucket is empty, pause until the refill."""
        now = self.loop.time()
        if now >= self._next_refill:
            self._tokens = max(self._tokens, BUCKET_SIZE)
            self._next_refill = now + SECONDS_PER_REFILL
        while self._tokens and self._accept(listener):
            self._tokens -= 1
        if not self._tokens:
            self._pause_accepting(SECONDS_PER_REFILL)

    def _pause_accepting(self, seconds: float) -> None:
        for listener in self.sockets:
            self.loop.remove_reader(listener)
        if self._resumption:  # release() may have resumed earlier
            self._resumption.cancel()
        self._resumption = self.loop.call_later(seconds, self.resume_accepting)

    def _accept(self, listener: socket.socket) -> bool:
        """Accept a connection; return whether that succeeded."""
        if len(self.connections) + len(self._opening) >= self.worker_connections:
            self._pause_with_warning("connection limit reached")
            return False
        try:
            client, _ = listener.accept()
        except (BlockingIOError, ConnectionAbortedError):
            return False
        except OSError as error:
            self._pause_with_warning(str(error))
            return False
        connecting = self.loop.connect_accepted_socket(partial(Connection, self), client)
        opening = self.loop.create_task(connecting)
        self._opening.add(opening)
        opening.add_done_callback(self._opening.discard)
        return True

    def _pause_with_warning(self, reason: str) -> None:
        self._pause_accepting(1)
        now = self.loop.time()
        if now >= self._next_warning:
            self._next_warning = now + SECONDS_BETWEEN_WARNINGS
            self.log.warning("New connections have to wait: %s", reason)

    async def _serve(self) -> None:
        """Serve until the worker is to stop; this replaces gunicorn's method."""
        for listener in self.sockets:
            #  Connections inherit the option.
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        self.resume_accepting()
        while self.alive and self.ppid == os.getppid():
            self._check_deadlines()
            #  Tokens of closed connections pile up: an idle worker would use them to accept all of
            #  the next connections.
            self._tokens = 0
            await asyncio.sleep(SECONDS_BETWEEN_CHECKS)
        self.alive = False  # also if the parent has ended; each response then closes its connection
        await self._end()

    def _check_deadlines(self) -> None:
        """Report to gunicorn that the worker is alive, and end each wait that is too long."""
        self.notify()
        now = self.loop.time()
        for connection in [*self.connections]:
            connection.check_deadline(now)

    async def _end(self) -> None:
        """Accept the last connections, stop listening, and finish pending requests.

        This takes no longer than the grace period. After SIGINT or SIGQUIT, pending requests are
        dropped.
        """
        for listener in self.sockets:
            #  If this pauses, resume_accepting does nothing, because alive is False.
            while self._accept(listener):
                pass
        for listener in self.sockets:
            self.loop.remove_reader(listener)
            listener.close()
        start = self.loop.time()
        while self._opening or self.connections:
            seconds = self.loop.time() - start
            #  gunicorn cancels all tasks when this returns, and nothing closes the socket of a
            #  canceled opening. So wait for openings, which end at once.
            if not self._opening and (seconds >= Timeouts.grace or self._quick_shutdown):
                return
            if seconds > Timeouts.idle_grace:
                for connection in [*self.connections]:
                    connection.close_if_idle()
            await asyncio.sleep(0.02)
            self._check_deadlines()
