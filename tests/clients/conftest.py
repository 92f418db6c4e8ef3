"""The fixtures: the URL of a server, and of one that imitates its next minor version."""

from collections.abc import Iterator

import pytest

from tests.next_version import next_version
from tests.server import Server


@pytest.fixture(scope="package")
def origin(server: Server) -> str:
    """Return the URL of the server."""
    return f"http://127.0.0.1:{server.port}"


@pytest.fixture
def later() -> Iterator[str]:
    """Run a service that imitates the next minor version; yield its URL."""
    with next_version() as port:
        yield f"http://127.0.0.1:{port}"
