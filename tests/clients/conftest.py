"""The fixtures: a server, and a proxy that imitates its next minor version."""

from collections.abc import Iterator

import pytest

from tests.next_version import next_version_of
from tests.server import Server, running


@pytest.fixture(scope="package")
def server() -> Iterator[Server]:
    """Run one server for all tests."""
    with running(WEB_CONCURRENCY="1", LOG_LEVEL="warning") as server:
        yield server


@pytest.fixture
def origin(server: Server) -> str:
    """Return the URL of the server."""
    return f"http://127.0.0.1:{server.port}"


@pytest.fixture
def later(server: Server) -> Iterator[str]:
    """Run a proxy that imitates the next minor version of the server; yield its URL."""
    with next_version_of(server.port) as port:
        yield f"http://127.0.0.1:{port}"
