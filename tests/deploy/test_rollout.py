"""A rolling update: nginx forwards requests to two versions of the service at the same time."""

import os
import re
import signal
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from threading import Event
from typing import Final

import pytest

from best_move.web.pages.files import STATIC, STATIC_URL
from tests.deploy.nginx import CONFIGURATION, nginx
from tests.deploy.reply import ask
from tests.load import CLIENTS
from tests.server import SERVE, Server, free_port, running, serve_with

ANOTHER_URL: Final = "/static/0123456789ab/"

#  The command that runs the service as another version, whose static files have other URLs.
ANOTHER_VERSION: Final = serve_with("best_move.web.pages.files", "STATIC_URL", ANOTHER_URL)


def two_replicas(other: int) -> str:
    """Return nginx's configuration with a second replica, which listens on another port."""
    (lines,) = re.findall("(?:^ *server 127.*\n)+", CONFIGURATION, re.MULTILINE)
    return CONFIGURATION.replace(lines, lines + lines.replace("8000", str(other)))


def replica(
    command: Sequence[str] = SERVE, port: int | None = None
) -> AbstractContextManager[Server]:
    """Run one version of the service with one worker."""
    return running(command, port=port, WEB_CONCURRENCY="1", LOG_LEVEL="warning")


@pytest.fixture(scope="module")
def front(folder: Path, service: Server) -> Iterator[Server]:
    """Run nginx in front of two replicas: the service and another version of it."""
    with (
        tempfile.TemporaryDirectory(dir=folder) as place,
        replica(ANOTHER_VERSION) as another,
        nginx(Path(place), service.port, two_replicas(another.port)) as front,
    ):
        yield front


@pytest.mark.parametrize("path", ["/", "/search", "/docs"])
def test_pages_of_two_versions_get_all_their_files(front: Server, path: str) -> None:
    """Each page comes from either version, and either replica sends its files."""
    versions = set()
    for _ in range(10):
        page = ask(front, path).body.decode()
        files = set(re.findall(r'(?:href|src)="\.(/static/[^"]+)"', page))
        assert len(files) > 2
        for url in files:
            versions.add(url[: len(STATIC_URL)])
            reply = ask(front, url)
            file = STATIC / url[len(STATIC_URL) :]
            assert (reply.status, reply.body) == (200, file.read_bytes())
    assert versions == {STATIC_URL, ANOTHER_URL}


def test_an_update_of_one_replica_after_the_other_loses_no_request(folder: Path) -> None:
    """While each replica is replaced by another version, clients get all their responses."""
    place = folder / "updated"
    place.mkdir()
    ports = (free_port(), free_port())
    with ExitStack() as stack:
        slots = [stack.enter_context(ExitStack()) for _ in ports]
        for slot, port in zip(slots, ports, strict=True):
            slot.enter_context(replica(port=port))
        front = stack.enter_context(nginx(place, ports[0], two_replicas(ports[1])))
        pool = stack.enter_context(ThreadPoolExecutor(2))
        updated = Event()
        stack.callback(updated.set)
        clients = [pool.submit(statuses_until, updated, front) for _ in range(2)]
        for slot, port in zip(slots, ports, strict=True):
            slot.close()
            slot.enter_context(replica(ANOTHER_VERSION, port))
        updated.set()
        for client in clients:
            assert set(client.result()) == {200}


@pytest.mark.thorough
def test_no_request_is_lost_while_workers_of_both_replicas_die(folder: Path) -> None:
    """A replica that lost a connection still gets requests if the other has lost one, too.

    A request can be lost if each worker that gets it dies, so the median of three runs counts.
    """
    place = folder / "dying"
    place.mkdir()
    with (
        running(LOG_LEVEL="warning") as one,
        running(LOG_LEVEL="warning") as two,
        nginx(place, one.port, two_replicas(two.port)) as front,
    ):
        lost = [lost_while_workers_die((one, two), front) for _ in range(3)]
        assert sorted(lost)[1] == 0, lost


def lost_while_workers_die(replicas: Sequence[Server], front: Server) -> int:
    """Kill a worker of each replica per second, for five seconds; return the number of errors."""
    end = Event()
    with ThreadPoolExecutor(CLIENTS) as pool:
        clients = [pool.submit(statuses_until, end, front) for _ in range(CLIENTS)]
        try:
            for server in [*replicas] * 5:
                killed = min(server.workers())
                os.kill(killed, signal.SIGKILL)
                time.sleep(1 / len(replicas))
                server.wait_for_others({killed})
        finally:
            end.set()
        statuses = [status for client in clients for status in client.result()]
    assert statuses.count(200) > 100
    return len(statuses) - statuses.count(200)


def statuses_until(end: Event, front: Server) -> list[int]:
    """Send requests until an event is set; return the statuses of the responses."""
    statuses = []
    while not end.is_set():
        for path in ("/search", "/best-move?board=.........&tie_break=random"):
            statuses.append(ask(front, path).status)
            time.sleep(0.02)
    return statuses
