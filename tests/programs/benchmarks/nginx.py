"""Benchmark of nginx as a cache."""

import json
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from operator import truediv
from pathlib import Path

from tests.deploy.nginx import CONFIGURATION, NGINX, access_log, incomplete, nginx
from tests.engine.positions import EVERY_POSITION, started_by_x
from tests.server import Server, running

WRK = shutil.which("wrk")
# The folder of the cache: /dev/shm, as in nginx.conf, or None for the default folder of temporary
# files.
SHARED = "/dev/shm"  # noqa: S108, shared memory is no temporary folder
MEMORY = SHARED if Path(SHARED).is_dir() else None
SECONDS = 3
ROUNDS = 3
CONNECTIONS = 64
SLOW_CLIENTS = 200

ONE = ["/best-move?board=X...O...."]
#  As many as the cache holds, less a margin.
MANY = [f"/best-move?board={each.board}" for each in EVERY_POSITION if started_by_x(each)][:5_000]
UNLIMITED = re.sub(
    r"\n *limit_req .*", "", CONFIGURATION
)  # because all requests come from one address
INCOMPLETE = b"GET /best-move HTTP/1.1\r\nHost: localhost\r\n"

# Each thread of wrk draws paths at random from a file; with a body, it sends POST requests.
DRAW = """\
local paths, body = {{}}, {body}
for path in io.lines("{paths}") do paths[#paths + 1] = path end
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
    """GET random `paths` or POST a `body`, while `slow_clients` requests are incomplete."""

    name: str
    paths: list[str]
    body: str | None = None
    slow_clients: int = 0


# The order matters: the second load starts with one cached response, the third with those that the
# second cached.
LOADS = [
    Load("GET, one path", ONE),
    Load(f"GET, {len(MANY):,} positions in random order, cold cache", MANY),
    Load("the same again, warm cache", MANY),
    Load("POST, one body", ["/best-move"], body='{"board":"X...O...."}'),
    Load(
        f"GET, one path, beside {SLOW_CLIENTS} incomplete requests", ONE, slow_clients=SLOW_CLIENTS
    ),
]


def rate(port: int, load: Load) -> float:
    """Return the requests per second under a load; raise RuntimeError for an error status."""
    with tempfile.TemporaryDirectory() as folder, incomplete(port, load.slow_clients, INCOMPLETE):
        paths, script = Path(folder, "paths"), Path(folder, "draw.lua")
        paths.write_text("\n".join(load.paths), encoding="utf-8")
        body = "nil" if load.body is None else f"'{load.body}'"
        script.write_text(DRAW.format(paths=paths, body=body), encoding="utf-8")
        options = ["--threads", "2", "--connections", str(CONNECTIONS), "--duration", f"{SECONDS}s"]
        printed = subprocess.run(
            [str(WRK), *options, "--script", str(script), f"http://127.0.0.1:{port}"],
            capture_output=True,
            text=True,
            timeout=SECONDS + 30,
            check=True,
        ).stdout
    if failed := re.search(r"Non-2xx or 3xx responses: \d+", printed):
        raise RuntimeError(f"{load.name}: {failed[0]}")
    found = re.search(r"Requests/sec: +([\d.]+)", printed)
    assert found
    return float(found[1])


@contextmanager
def both() -> Iterator[tuple[Server, Server, Path]]:
    """Run a service behind nginx with an empty cache; yield both and nginx's folder."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=MEMORY)))
        service = stack.enter_context(running(LOG_LEVEL="warning"))
        front = stack.enter_context(nginx(folder, service.port, UNLIMITED))
        yield service, front, folder


def measure() -> Iterator[str]:
    """Yield the lines of a table: for each load the median rates and the share of hits."""
    direct: dict[str, list[float]] = {load.name: [] for load in LOADS}
    through: dict[str, list[float]] = {load.name: [] for load in LOADS}
    statuses: dict[str, Counter[str]] = {load.name: Counter() for load in LOADS}
    for _ in range(ROUNDS):
        with both() as (service, front, folder), access_log(folder).open(encoding="utf-8") as log:
            for load in LOADS:
                direct[load.name].append(rate(service.port, load))
                through[load.name].append(rate(front.port, load))
                time.sleep(1.5)  # nginx writes its log once a second
                statuses[load.name].update(json.loads(line)["cache"] for line in log)
    yield "| requests | ratio | direct to the service | through nginx | cache hits |"
    yield "| --- | ---: | ---: | ---: | ---: |"
    for load in LOADS:
        before, after = direct[load.name], through[load.name]
        ratio = f"{statistics.median(map(truediv, after, before)):.1f}" if all(before) else "∞"
        hits = statuses[load.name]["HIT"] / statuses[load.name].total()
        rates = " | ".join(f"{statistics.median(rates):,.0f}/s" for rates in (before, after))
        yield f"| {load.name} | {ratio} | {rates} | {hits:.0%} |"


def main() -> None:
    """Print the tables; without wrk or nginx exit with an error."""
    missing = [name for name, path in (("wrk", WRK), ("nginx", NGINX)) if path is None]
    if missing:
        sys.exit(
            f"Not measured: {' and '.join(missing)} not installed. On Debian: apt install "
            f"{' '.join(missing)}"
        )
    with running() as service:
        connection = service.connect()
        connection.request("GET", "/health")
        engine = json.load(connection.getresponse())["engine"]
        connection.close()
    sys.stdout.write(
        f"{CONNECTIONS} connections, {ROUNDS} times {SECONDS} s each, the engine {engine}.\n\n"
    )
    for line in measure():
        sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main()
