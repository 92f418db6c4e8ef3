"""Fixtures for the tests of the server and the worker: a server, a worker in virtual time."""

from collections.abc import Iterator

import pytest

from tests.server import Server, running
from tests.web.serving.virtual import VirtualWorker


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """Yield one server for all tests that do not change it; fail if it logs an error."""
    with running() as server:
        server.wait_for_workers()
        yield server
        entries = server.stop()
    assert not [entry for entry in entries if entry["level"] in {"ERROR", "CRITICAL"}]


@pytest.fixture
def virtual() -> Iterator[VirtualWorker]:
    """Yield a worker in virtual time."""
    virtual = VirtualWorker()
    yield virtual
    virtual.worker.tmp.close()
