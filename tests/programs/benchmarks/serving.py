"""Benchmark of the server: its cost, waiting times, the shares of the workers, and nginx.

The cost is compared with that of a bare Flask route on gunicorn's threads, with as many workers as
the service. The two alternate in one run, so that a machine that slows down slows both.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from statistics import median, quantiles

from tests.deploy.nginx import CONFIGURATION, nginx
from tests.engine.positions import EVERY_POSITION
from tests.load import crowd, post, under_load
from tests.processes import open_files
from tests.programs.benchmarks.requests import BATCH
from tests.raw_requests import ASK, GET, HALF_BODY, HEAD, SLOW, posted
from tests.server import BIN, Server, ask, running

ROUNDS = 5
CONNECTIONS = 16
SECONDS = 3
SLOW_CLIENTS = 900
CROWD = 100

# Each thread of wrk draws paths at random; with a body, it sends POST requests.
SCRIPT = """\
local paths, body = {{{paths}}}, {body}
local headers = {{}}
if body then headers["Content-Type"] = "application/json" end
if {closes} then headers["Connection"] = "close" end
local threads = 0
function setup(thread) threads = threads + 1; thread:set("seed", threads) end
function init() math.randomseed(seed) end
function request()
  return wrk.format(body and "POST" or "GET", paths[math.random(#paths)], headers, body)
end
"""

OPTIONS = f"--threads 64 --keep-alive 15 --no-control-socket --chdir {Path(__file__).parent}"
GUNICORN = ["sh", "-c", f"exec {BIN}/gunicorn --bind 127.0.0.1:$PORT {OPTIONS} bare:app"]
PATH = "/best-move?board=X...O...."
BODY = {"board": "X...O...."}
SOME_POSITIONS = EVERY_POSITION[:: len(EVERY_POSITION) // 100][:100]
POSITIONS = {"requests": [{"board": position.board} for position in SOME_POSITIONS]}

# name -> path, body and whether each request is on a new connection
ROWS: dict[str, tuple[str, object, bool]] = {
    "GET, the default search": (PATH, None, False),
    "POST, the default search": ("/best-move", BODY, False),
    "GET, each on a new connection": (PATH, None, True),
    "POST, 100 positions in a batch": ("/best-moves", POSITIONS, False),
}

# As many as the cache of nginx holds, less a margin.
MANY = [f"/best-move?board={each.board}" for each in EVERY_POSITION if each.starts == "X"][:5_000]

# name -> paths and body. The order matters: the third load gets what the second has cached.
LOADS: dict[str, tuple[Sequence[str], object]] = {
    "GET, one position, a hit": ([PATH], None),
    f"GET, {len(MANY):,} positions in random order, cold": (MANY, None),
    "the same again, mostly hits": (MANY, None),
    "POST, never cached": (["/best-move"], BODY),
}


def wrk(
    server: Server, paths: Sequence[str], body: object, *options: str, closes: bool = False
) -> tuple[float, int]:
    """GET random paths, or POST a body as JSON; return the requests per second and in all.

    With `closes`, each request is on a new connection. Raise RuntimeError if not every response is
    a success.
    """
    paths_in_lua = ", ".join(map(repr, paths))
    body_in_lua = "nil" if body is None else f"[==[{json.dumps(body)}]==]"
    with tempfile.NamedTemporaryFile("w", suffix=".lua", encoding="utf-8") as file:
        file.write(SCRIPT.format(paths=paths_in_lua, body=body_in_lua, closes=str(closes).lower()))
        file.flush()
        url = f"http://127.0.0.1:{server.port}"
        command = ["wrk", f"-d{SECONDS}s", "-s", file.name, *options, url]
        printed = subprocess.check_output(command, text=True, timeout=SECONDS + 30)
    rate = re.search(r"Requests/sec:\s+([\d.]+)", printed)
    requests = re.search(r"(\d+) requests in", printed)
    if "Non-2xx" in printed or not (rate and requests):
        raise RuntimeError(f"No results:\n{printed}")
    return float(rate[1]), int(requests[1])


def measured(server: Server, path: str, body: object, *, closes: bool) -> tuple[float, float]:
    """Return the requests per second, and the CPU time of all workers per request in µs."""
    before = cpu_time(server)
    rate, requests = wrk(server, [path], body, "-t1", f"-c{CONNECTIONS}", closes=closes)
    return rate, (cpu_time(server) - before) / requests * 1e6


def cpu_time(server: Server) -> float:
    """Return the CPU time that the workers have taken so far, in seconds."""
    stats = [
        Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        for pid in server.workers()
    ]
    return sum(int(stat[11]) + int(stat[12]) for stat in stats) / os.sysconf("SC_CLK_TCK")


def print_costs() -> None:
    """Print the cost and the rate of each request, beside a bare route.

    Each ratio is the median of the rounds.
    """
    print("| request | CPU / a bare route | requests/s | / a bare route |")
    print("| --- | ---: | ---: | ---: |")
    #  The level, because the bare route logs no requests.
    with running(GUNICORN) as bare, running(LOG_LEVEL="warning") as server:
        for name, (path, body, closes) in ROWS.items():
            rounds = []
            for _ in range(ROUNDS):
                bare_rate, bare_cost = measured(bare, "/bare", None, closes=closes)
                rate, cost = measured(server, path, body, closes=closes)
                rounds.append((bare_rate, bare_cost, rate, cost))
            cpu = median(cost / bare_cost for _, bare_cost, _, cost in rounds)
            rate = median(rate for _, _, rate, _ in rounds)
            more = median(rate / bare_rate for bare_rate, _, rate, _ in rounds)
            print(f"| {name} | {cpu:.2f} | {rate:,.0f} | {more:.2f} |")


def print_waits() -> None:
    """Print the time that a client waits, alone and beside others."""
    batch = post(200, "/best-moves", **BATCH)
    batch.headers["Connection"] = "close"  # so that the batches reach both workers
    parts = (b"", GET, HALF_BODY) * (SLOW_CLIENTS // 3)
    print("\n| beside | 99% of requests within ms |\n| --- | ---: |")
    with running(LOG_LEVEL="warning") as server:
        server.wait_for_workers()
        print(f"| no other client | {latency(server):.1f} |")
        with server.holding(parts):
            name = f"{SLOW_CLIENTS} clients that are silent or stop within a request"
            print(f"| {name} | {latency(server):.1f} |")
        with under_load(server.port, [batch]):
            time.sleep(1)
            name = "8 clients with batches of 100 of the most expensive searches"
            print(f"| {name} | {latency(server):.1f} |")


def waited(server: Server) -> float:
    """Return the seconds that a new client waits for /health."""
    start = time.perf_counter()
    assert ask(server, "/health").status == 200
    return time.perf_counter() - start


def print_crowds() -> None:
    """Print how long a new client waits for /health, beside many that ask for slow requests."""
    batch = posted(json.dumps(BATCH).encode(), path=b"/best-moves")
    fields = ASK.replace(b"?", b"?" + 6_000 * b"played=1&")
    crowds: dict[str, Mapping[bytes, int]] = {
        f"{CROWD}: the default GET": {ASK: CROWD},
        **{
            f"{CROWD}: {name}": {request: CROWD}
            for name, request in {**SLOW, "batch": batch, "6,000 fields": fields}.items()
        },
        f"{CROWD}: the default GET, and 1: batch": {ASK: CROWD, batch: 1},
        f"{CROWD}: the default GET, and {CROWD}: minimax": {
            ASK: CROWD,
            SLOW["minimax by GET"]: CROWD,
        },
    }
    print("\n| beside | /health of a new client, median in ms |\n| --- | ---: |")
    for name, clients in crowds.items():
        with running(LOG_LEVEL="warning", WEB_CONCURRENCY="1") as server:
            server.wait_for_workers(1)
            with crowd(server.port, clients):
                time.sleep(1)
                times = [waited(server) for _ in range(20)]
        print(f"| {name} | {1000 * median(times):.0f} |")


def latency(server: Server) -> float:
    """Return the 99th percentile of the times of sequential requests, in ms.

    Half of the requests are for a move, which the event loop computes, and half for a tree, which a
    thread computes.
    """
    times = []
    #  Several connections, because a worker keeps its own and may be less busy than the other.
    for _ in range(CONNECTIONS):
        with closing(server.connect()) as connection:
            for path in (PATH, "/search-tree?board=X.O.O.X..") * 31:
                start = time.perf_counter()
                connection.request("GET", path)
                response = connection.getresponse()
                response.read()
                times.append(time.perf_counter() - start)
                assert response.status == 200
    return 1000 * quantiles(times, n=100)[98]


def print_share() -> None:
    """Print what part of the connections that come at once the less busy of two workers accepts.

    It is the median of the rounds, and depends on how the system schedules the workers.
    """
    accepted = []
    with running(LOG_LEVEL="warning") as server, ExitStack() as stack:
        server.wait_for_workers()
        for _ in range(ROUNDS):
            before = {pid: open_files(pid) for pid in server.workers()}
            for connection in stack.enter_context(server.holding([HEAD] * CONNECTIONS)):
                connection.recv(1)
            accepted.append(min(open_files(pid) - count for pid, count in before.items()))
    number = median(accepted)
    print(f"\nOf {CONNECTIONS} connections at once, the less busy of two workers accepts {number}.")


def print_nginx() -> None:
    """Print the rate of each load with nginx, whose cache is empty at first, and without."""
    memory = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108, as in nginx.conf
    #  No limits, because all requests come from one address.
    text = re.sub(r"\n *limit_req .*", "", CONFIGURATION)
    ratios: dict[str, list[float]] = {name: [] for name in LOADS}
    for _ in range(3):
        with (
            running(LOG_LEVEL="warning") as service,
            nginx(service.port, text, parent=memory) as front,
        ):
            for name, (paths, body) in LOADS.items():
                rates = [wrk(each, paths, body, "-t2", "-c64")[0] for each in (front, service)]
                ratios[name].append(rates[0] / rates[1])
    print("\n| requests | with nginx / without |\n| --- | ---: |")
    for name, rounds in ratios.items():
        print(f"| {name} | {median(rounds):.1f} |")


if __name__ == "__main__":
    missing = [name for name in ("wrk", "nginx") if shutil.which(name) is None]
    if missing:
        sys.exit(f"Serving is not measured. On Debian: apt install {' '.join(missing)}")
    print_costs()
    print_waits()
    print_crowds()
    print_share()
    print_nginx()
