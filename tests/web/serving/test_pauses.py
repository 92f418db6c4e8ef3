"""Pauses: what the event loop has to do comes before a thread's next search."""

import asyncio
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count, pairwise
from statistics import median

import pytest

from best_move.engine import COMPILED
from best_move.web.serving import event_loop
from best_move.web.serving.bounded_executor import BoundedExecutor
from best_move.web.serving.event_loop import EventLoop
from tests.load import crowd
from tests.processes import wait_until
from tests.raw_requests import ASK, TO_MINIMAX, batch_of, posted
from tests.server import Server, running
from tests.web.serving.loops import run


@dataclass(frozen=True)
class Beside:
    """A thread that searches, and a file that an event loop reads again and again meanwhile."""

    thread: BoundedExecutor
    calls: int
    searches: int  # per call

    def events(self, reads: int) -> list[str]:
        """Return what happens, if the file is read so many times unless all calls end before."""
        return run(self._events(reads), EventLoop)

    async def _events(self, reads: int) -> list[str]:
        events: list[str] = []
        loop = asyncio.get_running_loop()
        readable, other = socket.socketpair()

        def read() -> None:
            if len(events) > reads:
                loop.remove_reader(readable)
            else:
                events.append("read")

        def search(_: None) -> None:
            for number in range(self.searches):
                if number:
                    self.thread.pause()
                events.append("search")
                other.send(b"which is never received")
                time.sleep(0.005)

        with readable, other:
            loop.add_reader(readable, read)
            await asyncio.gather(*(self.thread.call(search, None) for _ in range(self.calls)))
            loop.remove_reader(readable)
        return events


@pytest.fixture(params=[(1, 2), (2, 1)], ids=["within a call", "between calls"])
def beside(request: pytest.FixtureRequest) -> Iterator[Beside]:
    """Yield a thread that searches twice."""
    with ThreadPoolExecutor(1) as executor:
        yield Beside(BoundedExecutor(executor, 10, 100), *request.param)


def test_a_thread_pauses_until_the_loop_is_idle(
    beside: Beside, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a search that takes long, all else is done before the next one."""
    clock = count(step=10)
    monkeypatch.setattr(event_loop, "monotonic", lambda: next(clock))
    assert beside.events(reads=30_000) == ["search", *["read"] * 30_000, "search"]


def test_a_thread_goes_on_if_the_loop_is_never_idle(beside: Beside) -> None:
    """The next search comes long before the event loop has nothing to do."""
    events = beside.events(reads=1_000_000)
    assert events.count("search") == 2
    assert events.count("read") < 1_000_000


def test_short_calls_add_up_to_a_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """Calls that are too short for a pause are paused for together."""
    pauses: list[threading.Event] = []

    def note(_: EventLoop, is_idle: threading.Event) -> None:
        pauses.append(is_idle)
        is_idle.set()

    async def call_often(thread: BoundedExecutor) -> None:
        for _ in range(100):
            await thread.call(time.sleep, 0.001)

    monkeypatch.setattr(EventLoop, "set_when_idle", note)
    with ThreadPoolExecutor(1) as executor:
        run(call_often(BoundedExecutor(executor, 10, 100)), EventLoop)
    assert pauses


def searches(server: Server) -> float:
    """Return how many minimax searches the service has counted when a new client is answered."""
    return server.total("best_move_searches_total", algorithm="minimax")


@pytest.mark.skipif(not COMPILED, reason="every request has a thread, and a search takes a second")
def test_a_newcomer_waits_for_few_searches() -> None:
    """A batch delays neither a crowd nor a new client by a search for each of their requests."""
    clients = {ASK: 100, posted(batch_of(TO_MINIMAX, 100), path=b"/best-moves"): 1}
    with running(WEB_CONCURRENCY="1", LOG_LEVEL="warning") as server:
        with crowd(server.port, clients):
            wait_until(lambda: searches(server) > 0, "the batch is being executed")
            seen = [searches(server) for _ in range(8)]
        server.stop()
    assert median(later - earlier for earlier, later in pairwise(seen)) < 25
