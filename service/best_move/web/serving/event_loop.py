"""An event loop that comes first: threads pause while it is busy.

A compiled search keeps Python's global lock until it ends, and the loop gives up the lock in each
system call. Without pauses, the loop would wait for a search several times per request, and one
client with a batch would delay all others.
"""

import asyncio
import selectors
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

MAX_PAUSE = 2  # times as long as the thread has worked, which thus gets a third of the time
#  Seconds. Shorter pauses add up, because each would cost cheap batches more than it gives others.
MIN_PAUSE = 0.005


class IdleSelector(selectors.DefaultSelector):
    """A selector that sets events when the event loop has nothing to do."""

    def __init__(self) -> None:
        super().__init__()
        self.waiting: set[threading.Event] = set()

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Return the files that are ready; wait for one if there is none."""
        if not self.waiting or timeout == 0:
            return super().select(timeout)
        ready = super().select(0)
        if ready:
            return ready
        while self.waiting:
            self.waiting.pop().set()
        return super().select(timeout)


class EventLoop(asyncio.SelectorEventLoop):
    """asyncio's event loop, for which threads can wait until it is idle."""

    def __init__(self) -> None:
        selector = IdleSelector()
        super().__init__(selector)
        self._waiting = selector.waiting

    def set_when_idle(self, event: threading.Event) -> None:
        """Set an event as soon as the loop has nothing to do; any thread can call this."""
        try:
            self.call_soon_threadsafe(self._waiting.add, event)
        except RuntimeError:  # the loop is closed
            event.set()


class Pauses(threading.local):
    """The pauses of each thread, which last until the event loop is idle.

    A pause is at most twice as long as the work before, so that a thread goes on even if the loop
    is never idle.
    """

    def __init__(self) -> None:
        self._loop: EventLoop | None = None
        self._is_idle = threading.Event()
        self._start = 0.0
        self._end_of_pause = 0.0

    @contextmanager
    def between_calls(self, loop: asyncio.AbstractEventLoop) -> Iterator[None]:
        """Pause for the call before, then note how long the block takes.

        There is no pause if the loop cannot tell when it is idle.
        """
        self._loop = loop if isinstance(loop, EventLoop) else None
        self._wait()
        try:
            yield
        finally:
            self._note()

    def pause(self) -> None:
        """Pause within a call, for what it has done since its start or its last pause."""
        self._note()
        self._wait()

    def _note(self) -> None:
        now = monotonic()
        self._end_of_pause = now + MAX_PAUSE * (now - self._start)

    def _wait(self) -> None:
        seconds = max(0, self._end_of_pause - monotonic())
        if self._loop and seconds >= MIN_PAUSE:
            self._is_idle.clear()
            self._loop.set_when_idle(self._is_idle)
            self._is_idle.wait(seconds)
            seconds = 0
        #  A pause that was too short is made up for later.
        self._start = monotonic() - seconds / MAX_PAUSE
