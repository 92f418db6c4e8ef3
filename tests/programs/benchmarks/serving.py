"""Benchmark of the server: its cost, a client's waiting times, and the shares of the workers.

The cost is compared with that of a bare Flask route on gunicorn's threads, with as many workers as
the service. The two alternate in one run, so that a machine that slows down slows both.
"""

import os
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median, quantiles

from tests.engine.positions import EVERY_POSITION
from tests.load import Request, Result, ask, get, post, under_load
from tests.processes import open_files
from tests.programs.benchmarks.requests import BATCH
from tests.programs.benchmarks.wrk import wrk
from tests.raw_requests import GET, HALF_BODY, HEAD
from tests.server import BIN, Server, running

ROUNDS = 5
CONNECTIONS = 16
REQUESTS = 1_000
SLOW_CLIENTS = 900

HERE = Path(__file__).parent
OPTIONS = f"--threads 64 --keep-alive 15 --no-control-socket --chdir {HERE}"
GUNICORN = ["sh", "-c", f"exec {BIN}/gunicorn --bind 127.0.0.1:$PORT {OPTIONS} bare:app"]
PATH = "/best-move?board=X...O...."

SOME_POSITIONS = EVERY_POSITION[:: len(EVERY_POSITION) // 100][:100]
POSITIONS = {"requests": [{"board": position.board} for position in SOME_POSITIONS]}


@dataclass(frozen=True)
class Row:
    """A request to measure."""

    name: str
    path: str
    body: object = None
    reuses_connections: bool = True
    """Whether requests share connections; otherwise each request opens a new connection."""


ROWS = [
    Row("GET, the default search", PATH),
    Row("POST, the default search", "/best-move", {"board": "X...O...."}),
    Row("GET, each on a new connection", PATH, reuses_connections=False),
    Row("POST, 100 positions in a batch", "/best-moves", POSITIONS),
]


def measured(server: Server, row: Row) -> tuple[float, float]:
    """Return the requests per second, and the CPU time of all workers per request in µs."""
    options = ["-t1", f"-c{CONNECTIONS}"]
    if not row.reuses_connections:
        options += ["-H", "Connection: close"]
    before = cpu_time(server)
    rate, requests = wrk(server.port, [row.path], *options, body=row.body)
    return rate, (cpu_time(server) - before) / requests * 1e6


def cpu_time(server: Server) -> float:
    """Return the CPU time that the workers have taken so far, in seconds."""
    stats = [
        Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        for pid in server.workers()
    ]
    return sum(int(stat[11]) + int(stat[12]) for stat in stats) / os.sysconf("SC_CLK_TCK")


def costs(bare: Server) -> str:
    """Return a Markdown table of the cost and the rate of each request, beside a bare route.

    Each ratio is the median of the rounds.
    """
    text = "| request | CPU / a bare route | requests/s | / a bare route |\n"
    text += "| --- | ---: | ---: | ---: |\n"
    with running(LOG_LEVEL="warning") as server:  # because the bare route logs no requests
        for row in ROWS:
            bare_row = replace(row, path="/bare", body=None)
            rounds = [(*measured(bare, bare_row), *measured(server, row)) for _ in range(ROUNDS)]
            cpu = median(cost / bare_cost for _, bare_cost, _, cost in rounds)
            rate = median(rate for _, _, rate, _ in rounds)
            more = median(rate / bare_rate for bare_rate, _, rate, _ in rounds)
            text += f"| {row.name} | {cpu:.2f} | {rate:,.0f} | {more:.2f} |\n"
    return text


def waits() -> str:
    """Return a Markdown table of the time that a client waits, alone and beside others."""
    text = "| beside | 99% of requests within ms |\n| --- | ---: |\n"
    batch = post(200, "/best-moves", **BATCH)
    closing = {**batch.headers, "Connection": "close"}  # so that the batches reach both workers
    batch = replace(batch, headers=closing)
    with running(LOG_LEVEL="warning") as server:
        server.wait_for_workers()
        text += f"| no other client | {latency(server)} |\n"
        with slow_clients(server):
            text += f"| {SLOW_CLIENTS} clients that are silent or stop within a request "
            text += f"| {latency(server)} |\n"
        with under_load(server.port, [batch]):
            time.sleep(1)
            text += "| 8 clients with batches of 100 of the most expensive searches "
            text += f"| {latency(server)} |\n"
    return text


def share() -> str:
    """Return what part of the connections that come at once the less busy of two workers accepts.

    It is the median of the rounds, and depends on how the system schedules the workers.
    """
    accepted = []
    with running(LOG_LEVEL="warning") as server, ExitStack() as stack:
        server.wait_for_workers()
        for _ in range(ROUNDS):
            before = {pid: open_files(pid) for pid in server.workers()}
            connections = [server.open(HEAD) for _ in range(CONNECTIONS)]
            for connection in connections:
                stack.enter_context(connection)
                connection.recv(1)
            accepted.append(min(open_files(pid) - count for pid, count in before.items()))
    text = f"Of {CONNECTIONS} connections that come at once, the less busy of two workers "
    return text + f"accepts {median(accepted)}.\n"


@contextmanager
def slow_clients(server: Server) -> Iterator[None]:
    """Hold open connections.

    A third are silent, a third stop within the headers, and a third within the body.
    """
    with ExitStack() as stack:
        for part in (b"", GET, HALF_BODY) * (SLOW_CLIENTS // 3):
            stack.enter_context(server.open(part))
        yield


def latency(server: Server) -> str:
    """Return the 99th percentile of the times of sequential requests, in ms.

    Half of the requests are for a move, which the event loop computes, and half for a tree, which a
    thread computes.
    """
    move = get(200, board="X...O....")
    tree = Request("GET", "/search-tree?board=X.O.O.X..", 200)
    results: list[Result] = []
    #  Several connections, because a worker keeps its own and may be less busy than the other.
    for _ in range(CONNECTIONS):
        connection = server.connect()
        results += [ask(connection, each) for each in [move, tree] * (REQUESTS // CONNECTIONS // 2)]
        connection.close()
    if any(result.status != 200 for result in results):
        raise RuntimeError("not every response was a 200")
    return f"{1000 * quantiles([result.seconds for result in results], n=100)[98]:.1f}"


if __name__ == "__main__":
    if shutil.which("wrk") is None:
        sys.exit("wrk is not installed, so serving is not measured. On Debian: apt install wrk")
    with running(GUNICORN) as bare:
        sys.stdout.write(f"{costs(bare)}\n")
    sys.stdout.write(f"{waits()}\n{share()}")
