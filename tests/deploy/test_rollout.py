"""A rolling update: nginx forwards requests to two versions of the service at the same time."""

import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from best_move.web.pages.files import STATIC, STATIC_URL
from tests.deploy.configuration import two_replicas
from tests.deploy.nginx import nginx
from tests.deploy.origin import origin
from tests.server import Server, ask, running, serve_with

ANOTHER_URL: Final = "/static/0123456789ab/"

#  The command that runs the service as another version, whose static files have other URLs.
ANOTHER_VERSION: Final = serve_with("best_move.web.pages.files", "STATIC_URL", ANOTHER_URL)


@pytest.fixture(scope="module")
def front(folder: Path, service: Server) -> Iterator[Server]:
    """Run nginx in front of two replicas: the service and another version of it."""
    with (
        tempfile.TemporaryDirectory(dir=folder) as place,
        running(ANOTHER_VERSION, WEB_CONCURRENCY="1", LOG_LEVEL="warning") as another,
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


def test_no_request_is_lost_while_workers_of_both_replicas_die(folder: Path) -> None:
    """A replica that lost a connection still gets requests if the other has lost one, too."""
    place = folder / "dying"
    with origin() as one, origin() as two, nginx(place, one.port, two_replicas(two.port)) as front:
        one.lost = two.lost = 1
        assert [ask(front, "/health").status for _ in range(10)] == [200] * 10
        assert one.lost == two.lost == 0
