"""A worker in virtual time."""

from collections.abc import Iterator

import pytest

from tests.web.serving.virtual import VirtualWorker


@pytest.fixture
def virtual() -> Iterator[VirtualWorker]:
    """Yield a worker in virtual time."""
    virtual = VirtualWorker()
    yield virtual
    virtual.worker.tmp.close()
