"""A rolling update: nginx forwards requests to two versions of the service at the same time."""

import re
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
from tests.deploy.nginx import nginx, two_replicas
from tests.deploy.origin import origin
from tests.server import SERVE, Server, ask, free_port, running, serve_with

ANOTHER_URL: Final = "/static/0123456789ab/"

#  The command that runs the service as another version, whose static files have other URLs.
ANOTHER_VERSION: Final = serve_with("best_move.web.pages.files", "STATIC_URL", ANOTHER_URL)


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


def test_no_request_is_lost_while_workers_of_both_replicas_die(folder: Path) -> None:
    """A replica that lost a connection still gets requests if the other has lost one, too."""
    place = folder / "dying"
    with origin() as one, origin() as two, nginx(place, one.port, two_replicas(two.port)) as front:
        one.lost = two.lost = 1
        assert [ask(front, "/health").status for _ in range(10)] == [200] * 10
        assert one.lost == two.lost == 0


def statuses_until(end: Event, front: Server) -> list[int]:
    """Send requests until an event is set; return the statuses of the responses."""
    statuses = []
    while not end.is_set():
        for path in ("/search", "/best-move?board=.........&tie_break=random"):
            statuses.append(ask(front, path).status)
            time.sleep(0.02)
    return statuses
