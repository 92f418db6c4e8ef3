"""Benchmark of nginx as a cache."""

import json
import re
import shutil
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.deploy.nginx import CONFIGURATION, access_log, nginx
from tests.engine.positions import EVERY_POSITION, started_by_x
from tests.programs.benchmarks.wrk import wrk
from tests.server import Server, running

# The folder of the cache: /dev/shm, as in nginx.conf, or None for the default folder of temporary
# files.
SHARED = "/dev/shm"  # noqa: S108, shared memory is no temporary folder
MEMORY = SHARED if Path(SHARED).is_dir() else None
ROUNDS = 3
CONNECTIONS = 64

ONE = ["/best-move?board=X...O...."]
#  As many as the cache holds, less a margin.
MANY = [f"/best-move?board={each.board}" for each in EVERY_POSITION if started_by_x(each)][:5_000]
UNLIMITED = re.sub(
    r"\n *limit_req .*", "", CONFIGURATION
)  # because all requests come from one address

# Each thread of wrk draws paths at random; with a body, it sends POST requests.
DRAW = """\
local paths, body = {{{paths}}}, {body}
local headers = {{}}
if body then headers["Content-Type"] = "application/json" end
local threads = 0
function setup(thread) threads = threads + 1; thread:set("seed", threads) end
function init() math.randomseed(seed) end
function request()
  return wrk.format(body and "POST" or "GET", paths[math.random(#paths)], headers, body)
end
"""


@dataclass(frozen=True)
class Load:
    """GET random `paths`, or POST a `body`."""

    name: str
    paths: list[str]
    body: str | None = None


# The order matters: the second load starts with one cached response, the third with those that the
# second cached.
LOADS = [
    Load("GET, one path", ONE),
    Load(f"GET, {len(MANY):,} positions in random order, cold cache", MANY),
    Load("the same again, warm cache", MANY),
    Load("POST, one body", ["/best-move"], body='{"board":"X...O...."}'),
]


def rate(port: int, load: Load) -> float:
    """Return the requests per second under a load."""
    body = "nil" if load.body is None else f"'{load.body}'"
    script = DRAW.format(paths=", ".join(map(repr, load.paths)), body=body)
    return wrk(f"http://127.0.0.1:{port}", script, "-t2", f"-c{CONNECTIONS}")[0]


@contextmanager
def both() -> Iterator[tuple[Server, Server, Path]]:
    """Run a service behind nginx with an empty cache; yield both and nginx's folder."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=MEMORY)))
        service = stack.enter_context(running(LOG_LEVEL="warning"))
        front = stack.enter_context(nginx(folder, service.port, UNLIMITED))
        yield service, front, folder


def measure() -> Iterator[str]:
    """Yield the lines of a table: the median ratio of rates and the share of hits per load."""
    ratios: dict[str, list[float]] = {load.name: [] for load in LOADS}
    statuses: dict[str, Counter[str]] = {load.name: Counter() for load in LOADS}
    for _ in range(ROUNDS):
        with both() as (service, front, folder), access_log(folder).open(encoding="utf-8") as log:
            for load in LOADS:
                direct = rate(service.port, load)
                ratios[load.name].append(rate(front.port, load) / direct)
                time.sleep(1.5)  # nginx writes its log once a second
                statuses[load.name].update(json.loads(line)["cache"] for line in log)
    yield "| requests | with nginx / without | cache hits |"
    yield "| --- | ---: | ---: |"
    for name, found in ratios.items():
        hits = statuses[name]["HIT"] / statuses[name].total()
        yield f"| {name} | {statistics.median(found):.1f} | {hits:.0%} |"


def main() -> None:
    """Print the table; without wrk or nginx exit with an error."""
    missing = [name for name in ("wrk", "nginx") if shutil.which(name) is None]
    if missing:
        sys.exit(
            f"Not measured: {' and '.join(missing)} not installed. On Debian: apt install "
            f"{' '.join(missing)}"
        )
    for line in measure():
        sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main()
