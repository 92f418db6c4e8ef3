"""The fixtures: a server for all clients, and its address."""

from collections.abc import Iterator

import pytest

from tests.server import Server, running


@pytest.fixture(scope="package")
def server() -> Iterator[Server]:
    """Run one server for all tests."""
    with running(WEB_CONCURRENCY="1", LOG_LEVEL="warning") as server:
        yield server


@pytest.fixture
def origin(server: Server) -> str:
    """Return the address of the server."""
    return f"http://127.0.0.1:{server.port}"
