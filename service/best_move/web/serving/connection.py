"""A client connection: limits and timeouts around gunicorn's protocol.

It stands between asyncio's transport and gunicorn's protocol, and passes on the calls of each to
the other: the methods of `asyncio.BufferedProtocol` and `asyncio.Transport`.
"""

import asyncio
import sys
from collections.abc import Callable
from contextlib import suppress
from contextvars import ContextVar
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, cast

from gunicorn.glogging import Logger

from best_move.web.serving.timeouts import Timeouts

if TYPE_CHECKING:
    from gunicorn.asgi.protocol import ASGIProtocol


#  Bytes of a client that are read per turn of the event loop. If each chunk of a body has one byte,
#  it takes up to 2 ms to parse and to receive so many.
MAX_READ = 1024
#  All connections share it, because what is read is processed before the next part is read.
_BUFFER = memoryview(bytearray(MAX_READ))


class Owner(Protocol):
    """What a connection needs of its worker."""

    log: Logger
    is_stopping: bool

    def release(self, connection: "Connection") -> None:
        """Let another connection take the place of one that is closed."""


class Observer:
    """What the application's adapter tells about its requests; this class ignores it."""

    is_closed = False
    client_has_closed = False
    """Whether the client can send no more."""
    body_wait: asyncio.Timeout | None = None
    """The time limit of the adapter while it waits for a body."""

    def begin_request(self) -> None:
        """Start to handle a request."""

    async def begin_response(self, *, is_last: bool) -> bool:
        """Wait until a response can be sent; return whether it is the last of its connection."""
        return is_last

    def end_request(self) -> None:
        """End the handling of a request, after its response."""


#  The connection of a task. gunicorn's tasks inherit it, because a task starts with a copy of the
#  context in which it is created. Under gunicorn's own worker, there is none.
CURRENT: ContextVar["Connection"] = ContextVar("connection")


class Outlet:
    """The transport as gunicorn's protocol sees it."""

    def __init__(self, connection: "Connection", transport: asyncio.Transport) -> None:
        self._transport = transport
        self.close = connection.close
        self.write = connection.write
        self.resume_reading = connection.resume_reading

    def __getattr__(self, name: str) -> Any:
        """Return an attribute of the transport that the connection does not replace."""
        return getattr(self._transport, name)

    def can_write_eof(self) -> bool:
        """Return False, because `close` decides whether the connection is half-closed."""
        return False


class Connection(asyncio.BufferedProtocol, Observer):
    """A client connection with a timeout for every wait.

    gunicorn itself ends the wait for the next request, by its setting `keepalive`.
    """

    transport: asyncio.Transport

    def __init__(self, worker: Owner, gunicorn: "ASGIProtocol") -> None:
        self._worker = worker
        self._gunicorn = gunicorn
        self._deadline = float("inf")
        self._on_timeout: Callable[[], object]  # set with the first deadline
        self._is_writable = asyncio.Event()  # unless the client has much to read
        self._is_writable.set()
        self._client_has_sent = False
        self.client_has_closed = False
        self._is_pending = False  # whether the application handles a request
        self._is_responding = False
        self._is_last = False  # whether the response announces that it is the last one
        self._rejection = b""  # gunicorn's own response to an invalid request
        self.is_closed = False

    #  Methods that asyncio calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Start to wait for the headers of the first request."""
        self.transport = cast("asyncio.Transport", transport)
        CURRENT.set(self)
        outlet = Outlet(self, self.transport)
        self._gunicorn.connection_made(cast("asyncio.Transport", outlet))
        self._wait(Timeouts.headers, self._end_wait_for_headers)

    def get_buffer(self, sizehint: int) -> memoryview:  # noqa: ARG002, the name is asyncio's
        """Return the buffer for what is read from the client in this turn of the event loop."""
        return _BUFFER

    def buffer_updated(self, nbytes: int) -> None:
        """Process data from the client; ignore data after the last response."""
        if not self.is_closed:
            self._client_has_sent = True
            self._gunicorn.data_received(bytes(_BUFFER[:nbytes]))

    def eof_received(self) -> bool:
        """Record that the client has closed its side.

        Return whether the connection stays open, because responses may be pending.
        """
        self.client_has_closed = True
        self._wait_until_settled()
        return not self.is_closed

    def pause_writing(self) -> None:
        """Start to wait for the client to read."""
        self._is_writable.clear()
        self._gunicorn.pause_writing()
        self._wait_for_reader()

    def resume_writing(self) -> None:
        """After the last response, start to wait for the client to close the connection."""
        self._is_writable.set()
        self._gunicorn.resume_writing()
        if self.is_closed:
            self._wait(Timeouts.closing, self.transport.abort)
        else:
            self._wait_until_settled()

    def connection_lost(self, exc: Exception | None) -> None:
        """Release the connection, so that another connection can take its place."""
        if not self.is_closed:
            self.is_closed = True
            self._detach(exc)
        del self._on_timeout  # refers to this connection
        self._is_writable.set()
        self._worker.release(self)

    #  Methods that gunicorn's protocol calls as those of its transport.

    def write(self, data: bytes) -> None:
        """Send a part of a response, which is gunicorn's own if the application sends none."""
        if self.is_closed:
            return
        is_interim = data.startswith(b"HTTP/1.1 1")
        if not self._is_responding and not is_interim:
            self._rejection += data
        self.transport.write(data)

    def resume_reading(self) -> None:
        """Resume reading a body of which gunicorn has passed on a part.

        gunicorn also resumes reading after each response; `_settle` does so later, once all that
        was read is answered. Otherwise a client that pipelines requests would fill the memory,
        because an answered request is shorter than what is read instead.
        """
        if self._is_pending:
            self.transport.resume_reading()

    def close(self) -> None:
        """Close the connection, or half-close it if the client may still send.

        Unread input would reset a closed connection. A half-closed one is aborted if the client
        does not close it in time.
        """
        if self.is_closed:
            return
        self.is_closed = True
        asyncio.get_running_loop().call_soon(self._detach, None)
        self._log_rejection()
        client_may_send = self._is_last or self._rejection or not self.transport.is_reading()
        if client_may_send and not self.client_has_closed:
            with suppress(OSError):  # the client has disconnected
                self.transport.write_eof()
            self.transport.resume_reading()  # to discard the input
        else:
            self.transport.close()
        if self.transport.get_write_buffer_size():
            #  The limit 0 makes asyncio call pause_writing now, which starts the wait for the
            #  reader, and resume_writing when all is sent, which starts the wait for the client to
            #  close. If writing was paused before, the wait for the reader is still running: no
            #  other wait begins while writing is paused.
            self.transport.set_write_buffer_limits(0)
        else:
            self._wait(Timeouts.closing, self.transport.abort)

    #  Methods that the application's adapter calls.

    def begin_request(self) -> None:
        """End the wait for a request."""
        self._is_pending = True
        if self._is_writable.is_set():
            self._deadline = float("inf")
        self._wait_until_settled()

    async def begin_response(self, *, is_last: bool) -> bool:
        """Wait until the client has read the earlier responses; return whether this is the last.

        gunicorn waits for the client to read only after a response with a body.
        """
        if not self._is_writable.is_set():
            await self._is_writable.wait()
        self._is_responding = True
        self._is_last = is_last or self._worker.is_stopping
        return self._is_last

    def end_request(self) -> None:
        """Close the connection after the last response; otherwise, wait for the next request."""
        self._is_pending = False
        self._is_responding = False
        if self._is_last:
            self.close()
        else:
            self._wait_until_settled()

    #  Methods that the worker calls.

    def close_if_idle(self) -> None:
        """Close the connection if no request is pending."""
        if not self._is_pending:
            self.close()

    def check_deadline(self, now: float) -> None:
        """Call the function of the current wait if its deadline has passed."""
        if now >= self._deadline:
            self._deadline = float("inf")
            self._on_timeout()

    def _wait(self, seconds: float, on_timeout: Callable[[], object]) -> None:
        """Call a function after some seconds, unless a request or another wait begins before then.

        Nothing else ends a wait: once its event has come, `on_timeout` does nothing, or the
        connection is gone.
        """
        self._deadline = asyncio.get_running_loop().time() + seconds
        self._on_timeout = on_timeout

    def _wait_for_reader(self, unread_before: int | None = None) -> None:
        """Disconnect the client if it reads nothing for a whole timeout."""
        unread = self.transport.get_write_buffer_size()
        if unread == unread_before:
            self.transport.abort()
        elif unread:
            self._wait(Timeouts.reading, partial(self._wait_for_reader, unread))

    def _wait_until_settled(self) -> None:
        """If nothing more can come, wait until gunicorn has processed what was received.

        It calls the application for a request two turns of the event loop after it was received
        and the one before was answered. The worker checks the deadline some turns later, even on a
        busy machine. If the application is called before then, the wait ends.
        """
        is_receiving = self.transport.is_reading() and not self.client_has_closed
        if not is_receiving and self._is_writable.is_set() and not self.is_closed:
            self._wait(0, self._settle)

    def _settle(self) -> None:
        """Read on, or if the client can send no more, end the wait for a body or a request."""
        if not self.client_has_closed:
            if self.body_wait or not self._is_pending:
                self.transport.resume_reading()
        elif not self.body_wait:
            self.close_if_idle()
        elif not self.body_wait.expired():
            self.body_wait.reschedule(0)  # a time in the past: ends the wait now

    def _end_wait_for_headers(self) -> None:
        """Close the connection if no request has arrived, with a 408 if a part of one has."""
        if self._client_has_sent and not self._is_pending:
            text = b"The request took too long"
            head = b"HTTP/1.1 408 Request Timeout\r\nContent-Type: text/plain\r\n"
            self.write(head + b"Content-Length: %d\r\nConnection: close\r\n\r\n" % len(text) + text)
        self.close_if_idle()

    def _detach(self, exc: Exception | None) -> None:
        """Let gunicorn end its tasks for this connection, then free what its protocol has received.

        The parts of the protocol refer to each other, so that they would stay in memory until a
        full garbage collection, which is rare. Initialized again, it holds nothing, and its tasks
        can still end.
        """
        gunicorn = self._gunicorn
        gunicorn.connection_lost(exc)
        initialize: Callable[..., None] = type(gunicorn).__init__
        asyncio.get_running_loop().call_soon(initialize, gunicorn, self._worker)

    def _log_rejection(self) -> None:
        if not self._rejection:
            return
        error = sys.exception()
        if error:  # that of the client; its traceback leads to it again, and to what was received
            error.with_traceback(None)
        head, _, message = self._rejection.decode("latin-1").partition("\r\n\r\n")
        status = head.partition("\r\n")[0].partition(" ")[2]
        if not status.startswith("500"):  # gunicorn logs the exception behind a 500
            self._worker.log.warning("Invalid request: %s: %s", status, message)
