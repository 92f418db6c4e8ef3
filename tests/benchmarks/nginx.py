"""Benchmark of nginx as a cache: requests per second with and without it, and the cost of caching every response."""

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
from http.client import HTTPConnection
from operator import truediv
from pathlib import Path

from tests.benchmarks.space import POSITIONS, QUESTIONS, SECONDS_A_DAY, every_position, sample
from tests.deploy.nginx import NGINX, access_log, incomplete, nginx
from tests.server import Server, running

WRK = shutil.which("wrk")
# The path of the cache in nginx.conf.
MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108, shared memory is no temporary folder
SECONDS = 3
ROUNDS = 3
CONNECTIONS = 64
SLOW_CLIENTS = 200
SAMPLE = 5_000

ONE = ["/best-move?board=X...O...."]
INCOMPLETE = b"GET /best-move HTTP/1.1\r\nHost: localhost\r\n"

# Each thread of wrk draws paths at random from a file; with a body the request is a POST.
DRAW = """\
local paths, body = {{}}, {body}
for path in io.lines("{paths}") do paths[#paths + 1] = path end
local headers = {{}}
if body then headers["Content-Type"] = "application/json" end
local threads = 0
function setup(thread) threads = threads + 1; thread:set("seed", threads) end
function init() math.randomseed(seed) end
function request() return wrk.format(body and "POST" or "GET", paths[math.random(#paths)], headers, body) end
"""


@dataclass(frozen=True)
class Load:
    """GET requests drawn from paths, or one POST body; `slow_clients` other clients never finish their requests."""

    name: str
    paths: list[str]
    body: str | None = None
    slow_clients: int = 0


# The order matters: the second load starts with one response in the cache, the third with those of the second.
LOADS = [
    Load("GET, one question", ONE),
    Load("GET, every position by chance, the cache empty", every_position()),
    Load("the same once more", every_position()),
    Load("POST, one question", ["/best-move"], body='{"board":"X...O...."}'),
    Load(f"GET, one question, beside {SLOW_CLIENTS} incomplete ones", ONE, slow_clients=SLOW_CLIENTS),
]


def rate(port: int, load: Load) -> float:
    """Return the requests per second under a load."""
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
    if refused := re.search(r"Non-2xx or 3xx responses: \d+", printed):
        raise RuntimeError(f"{load.name}: {refused[0]}")
    found = re.search(r"Requests/sec: +([\d.]+)", printed)
    assert found
    return float(found[1])


@contextmanager
def both() -> Iterator[tuple[Server, Server, Path]]:
    """Run a service behind nginx with an empty cache; yield both and nginx's folder."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=MEMORY)))
        service = stack.enter_context(running(LOG_LEVEL="warning"))
        front = stack.enter_context(nginx(folder, service.port))
        yield service, front, folder


def measure() -> Iterator[str]:
    """Yield the lines of a table: for each load the median rate without nginx and with it."""
    straight: dict[str, list[float]] = {load.name: [] for load in LOADS}
    through: dict[str, list[float]] = {load.name: [] for load in LOADS}
    statuses: dict[str, Counter[str]] = {load.name: Counter() for load in LOADS}
    for _ in range(ROUNDS):
        with both() as (service, front, folder), access_log(folder).open(encoding="utf-8") as log:
            for load in LOADS:
                straight[load.name].append(rate(service.port, load))
                through[load.name].append(rate(front.port, load))
                time.sleep(1.5)  # nginx writes its log once a second
                statuses[load.name].update(json.loads(line)["cache"] for line in log)
    yield "| requests | ratio | straight to the service | through nginx | answered by the cache |"
    yield "| --- | ---: | ---: | ---: | ---: |"
    for load in LOADS:
        before, after = straight[load.name], through[load.name]
        ratio = f"{statistics.median(map(truediv, after, before)):.1f}" if all(before) else "∞"
        hits = statuses[load.name]["HIT"] / statuses[load.name].total()
        rates = " | ".join(f"{statistics.median(rates):,.0f}/s" for rates in (before, after))
        yield f"| {load.name} | {ratio} | {rates} | {hits:.0%} |"


def bytes_of(connection: HTTPConnection, path: str) -> int:
    """Return the size of a response in bytes, headers included."""
    connection.request("GET", path)
    response = connection.getresponse()
    head = sum(len(f"{name}: {value}\r\n") for name, value in response.getheaders())
    return len(f"HTTP/1.1 200 OK\r\n{response.read().decode()}\r\n") + head


def figures() -> Iterator[str]:
    """Yield the lines of a table: the cost of storing, filling and refreshing a cache of every response."""
    yield "| questions | how many | each | all | asked once each | asked once a day each |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: |"
    with running(LOG_LEVEL="warning") as service:
        for name, count, paths in (
            ("every position, all else left out", POSITIONS, every_position()),
            ("every question", QUESTIONS, sample(SAMPLE)),
        ):
            connection = service.connect()
            mean = statistics.mean(bytes_of(connection, path) for path in paths)
            connection.close()
            asked = statistics.median(rate(service.port, Load(name, paths)) for _ in range(ROUNDS))
            daily = count / SECONDS_A_DAY
            filling = f"{count / asked:,.0f} s at {asked:,.0f}/s"
            renewing = f"{daily:.2f}/s, {100 * daily / asked:.1g} % of that"
            yield f"| {name} | {count:,} | {mean:.0f} bytes | {mean * count / 1e6:,.0f} MB | {filling} | {renewing} |"


def main() -> None:
    """Print the tables, or say what is missing."""
    missing = [name for name, path in (("wrk", WRK), ("nginx", NGINX)) if path is None]
    if missing:
        sys.exit(f"Not measured: {' and '.join(missing)} not installed. On Debian: apt install {' '.join(missing)}")
    with running() as service:
        connection = service.connect()
        connection.request("GET", "/health")
        engine = json.load(connection.getresponse())["engine"]
        connection.close()
    sys.stdout.write(f"{CONNECTIONS} connections, {ROUNDS} times {SECONDS} s each, the engine {engine}.\n\n")
    for table in (measure(), figures()):
        for line in table:
            sys.stdout.write(f"{line}\n")
        sys.stdout.write("\n")


if __name__ == "__main__":
    main()
