"""The fixtures: a service, nginx in front of it, and nginx in front of a stand-in for it."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.deploy.nginx import NGINX, nginx
from tests.deploy.origin import Origin, origin
from tests.server import Server, running


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """Return a folder for nginx.

    Without nginx skip the test, or fail it if NGINX_REQUIRED is set.
    """
    if NGINX is None:
        if os.environ.get("NGINX_REQUIRED") == "1":
            pytest.fail("nginx is required, and not installed")
        pytest.skip("nginx is not installed")
    with tempfile.TemporaryDirectory() as path:
        yield Path(path)


@pytest.fixture(scope="module")
def service(folder: Path) -> Iterator[Server]:  # noqa: ARG001, skips without nginx
    """Run a service of one worker."""
    with running(WEB_CONCURRENCY="1", LOG_LEVEL="warning") as service:
        yield service


@pytest.fixture(scope="module")
def front(folder: Path, service: Server) -> Iterator[Server]:
    """Run nginx in front of the service."""
    with nginx(folder / "front", service.port) as front:
        yield front


@pytest.fixture
def stood_in(folder: Path) -> Iterator[tuple[Origin, Server]]:
    """Run nginx in front of a stand-in for the service; yield the stand-in and nginx."""
    with (
        tempfile.TemporaryDirectory(dir=folder) as place,
        origin() as stand_in,
        nginx(Path(place), stand_in.port) as n,
    ):
        yield stand_in, n
