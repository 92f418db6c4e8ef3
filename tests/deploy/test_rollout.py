"""A rolling update: nginx forwards requests to two versions of the service at the same time."""

import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from best_move.web.pages.files import STATIC, STATIC_URL
from tests.deploy.nginx import CONFIGURATION, nginx
from tests.deploy.reply import ask
from tests.server import Server, running

ANOTHER_URL: Final = "/static/0123456789ab/"

#  The command that runs the service as another version, whose static files have other URLs.
ANOTHER_VERSION: Final = (
    sys.executable,
    "-c",
    f"""
from best_move.web.pages import files
files.STATIC_URL = {ANOTHER_URL!r}
from best_move.__main__ import main
main(["serve"])
""",
)


@pytest.fixture(scope="module")
def front(folder: Path, service: Server) -> Iterator[Server]:
    """Run nginx in front of two replicas: the service and another version of it."""
    with (
        tempfile.TemporaryDirectory(dir=folder) as place,
        running(ANOTHER_VERSION, WEB_CONCURRENCY="1", LOG_LEVEL="warning") as another,
    ):
        line = "    server 127.0.0.1:8000;"
        replicas = f"{line}\n    server 127.0.0.1:{another.port};"
        with nginx(Path(place), service.port, CONFIGURATION.replace(line, replicas)) as front:
            yield front


@pytest.mark.parametrize("path", ["/", "/search", "/docs"])
def test_pages_of_two_versions_get_all_their_files(front: Server, path: str) -> None:
    """Each page comes from either version, and whichever replica gets the request sends the file."""
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
