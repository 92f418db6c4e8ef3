"""Benchmark of nginx as a cache."""

import re
import shutil
import statistics
import sys
import tempfile
from pathlib import Path

from tests.deploy.configuration import CONFIGURATION
from tests.deploy.nginx import nginx
from tests.engine.positions import EVERY_POSITION, started_by_x
from tests.programs.benchmarks.wrk import wrk
from tests.server import Server, running

# The folder of the cache: /dev/shm, as in nginx.conf, or None for the default folder of temporary
# files.
SHARED = "/dev/shm"  # noqa: S108, shared memory is no temporary folder
MEMORY = SHARED if Path(SHARED).is_dir() else None
ROUNDS = 3

ONE = ["/best-move?board=X...O...."]
#  As many as the cache holds, less a margin.
MANY = [f"/best-move?board={each.board}" for each in EVERY_POSITION if started_by_x(each)][:5_000]

# Because all requests come from one address.
UNLIMITED = re.sub(r"\n *limit_req .*", "", CONFIGURATION)

# name -> paths and a body. The order matters: the third load gets what the second has cached.
LOADS: dict[str, tuple[list[str], object]] = {
    "GET, one position, a hit": (ONE, None),
    f"GET, {len(MANY):,} positions in random order, cold": (MANY, None),
    "the same again, mostly hits": (MANY, None),
    "POST, never cached": (["/best-move"], {"board": "X...O...."}),
}


def rate(server: Server, name: str) -> float:
    """Return the requests per second of a load."""
    paths, body = LOADS[name]
    return wrk(server.port, paths, "-t2", "-c64", body=body)[0]


def ratios() -> dict[str, float]:
    """Return the rate of each load with nginx, whose cache is empty at first, and without."""
    with (
        tempfile.TemporaryDirectory(dir=MEMORY) as folder,
        running(LOG_LEVEL="warning") as service,
        nginx(Path(folder), service.port, UNLIMITED) as front,
    ):
        return {name: rate(front, name) / rate(service, name) for name in LOADS}


def main() -> None:
    """Print the median ratios as a table; without wrk or nginx exit with an error."""
    missing = [name for name in ("wrk", "nginx") if shutil.which(name) is None]
    if missing:
        names = " ".join(missing)
        sys.exit(f"nginx is not measured. On Debian: apt install {names}")
    rounds = [ratios() for _ in range(ROUNDS)]
    sys.stdout.write("| requests | with nginx / without |\n| --- | ---: |\n")
    for name in LOADS:
        median = statistics.median(found[name] for found in rounds)
        sys.stdout.write(f"| {name} | {median:.1f} |\n")


if __name__ == "__main__":
    main()
