"""The fixtures: a service, nginx in front of it, and nginx in front of a stand-in for it."""

from collections.abc import Iterator

import pytest

from tests.deploy.nginx import Nginx, nginx
from tests.deploy.origin import Origin, origin
from tests.server import Server


@pytest.fixture(scope="session")
def service(server: Server) -> Server:
    """Return the service behind nginx."""
    return server


@pytest.fixture(scope="module")
def front(service: Server) -> Iterator[Nginx]:
    """Run nginx in front of the service."""
    with nginx(service.port) as front:
        yield front


@pytest.fixture
def stood_in() -> Iterator[tuple[Origin, Nginx]]:
    """Run nginx in front of a stand-in for the service; yield the stand-in and nginx."""
    with origin() as stand_in, nginx(stand_in.port) as front:
        yield stand_in, front
