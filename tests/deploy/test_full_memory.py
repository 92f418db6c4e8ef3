"""A full /dev/shm: nginx cannot store responses."""

import shutil
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from tests.deploy.configuration import CACHED, LARGE_TREES
from tests.deploy.nginx import nginx
from tests.deploy.reply import eventually
from tests.processes import completed
from tests.server import Reply, Server, ask

#  Runs a command that sees 16 MiB of memory in a folder.
WITH_OWN_MEMORY = 'mount -t tmpfs -o size=16m tmpfs "$0" && exec "$@"'
PATHS = [*CACHED.values(), *LARGE_TREES[:20]]


@pytest.fixture
def own_mounts(tmp_path: Path) -> list[str]:
    """Return a command that runs another with mounts of its own; skip the test if it may not."""
    unshare = [shutil.which("unshare") or "", "--mount"]
    tried = [*unshare, "sh", "-c", WITH_OWN_MEMORY, tmp_path, "true"]
    if not unshare[0] or completed(tried).returncode:
        pytest.skip("only root may mount, and not in every container")
    return unshare


def test_clients_get_all_responses_while_the_memory_of_the_cache_is_full(
    folder: Path, service: Server, own_mounts: list[str]
) -> None:
    """Each response is complete, and none is stored; once there is room, responses are stored."""
    place = folder / "full"
    within = [*own_mounts, "sh", "-c", WITH_OWN_MEMORY, f"{place}/memory"]
    with nginx(place, service.port, within=within) as front:
        filling = Path(f"/proc/{front.process.pid}/root{place}/memory/filling")
        fill(filling)
        for path in PATHS:
            expected = without_time(ask(service, path))
            for _ in range(2):
                reply = ask(front, path)
                assert (reply.status, reply.cache) == (200, "MISS")
                assert without_time(reply) == expected
        filling.unlink()
        for path in CACHED.values():
            assert eventually(partial(ask, front, path), "HIT").status == 200


def fill(file: Path) -> None:
    """Write to a file until its file system has no byte left."""
    with file.open("wb", buffering=0) as stream:
        for size in (65_536, 1):
            with suppress(OSError):
                while True:
                    stream.write(bytes(size))


def without_time(reply: Reply) -> bytes:
    """Return a body without the time of its search."""
    return reply.body.partition(b'"elapsed_ms"')[0]
