"""Benchmark of the server: its cost beside two others, and a client's times beside others.

The others are a bare Flask route on gunicorn's threads, and the same answers by FastAPI on uvicorn;
each has as many workers as the service. The service and the other alternate in one run, so that a
machine that slows down slows both.
"""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from tests.benchmarks.requests import BATCH
from tests.engine.positions import EVERY_POSITION
from tests.load import Request, Result, ask, get, post, under_load
from tests.server import BIN, Server, running

SECONDS = 3
ROUNDS = 5
CONNECTIONS = 16
REQUESTS = 1_000
SLOW_CLIENTS = 900

HERE = Path(__file__).parent
OPTIONS = f"--threads 64 --keep-alive 15 --no-control-socket --chdir {HERE}"
GUNICORN = ["sh", "-c", f"exec {BIN}/gunicorn --bind 127.0.0.1:$PORT {OPTIONS} bare:app"]
LEAN = f"--loop uvloop --http httptools --log-level warning --no-access-log --app-dir {HERE}"
UVICORN = ["sh", "-c", f"exec {sys.executable} -m uvicorn --port $PORT {LEAN} with_fastapi:app"]
#  Installed for a run of this benchmark; Pydantic is the one that the service uses.
FASTAPI = [
    f"pydantic=={version('pydantic')}",
    "fastapi==0.165.0",
    "starlette==1.10.0",
    "uvicorn==0.54.0",
]
FASTAPI += ["uvloop==0.23.0", "httptools==0.9.0"]
HEADERS = "Content-Type", "Cache-Control", "ETag"
PATH = "/best-move?board=X...O...."
HALF_HEADERS = b"GET /best-move HTTP/1.1\r\nHost: localhost\r\n"
HALF_BODY = b"POST /best-move HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"


@dataclass(frozen=True)
class Row:
    """A request to measure, and the log level of the service that gets it."""

    name: str
    path: str
    body: object = None
    level: str = "warning"  # because the bare route logs no requests
    reuses_connections: bool = True
    """Whether requests share connections; otherwise each request opens a new connection."""


ROWS = [
    Row("GET, the default search", PATH),
    Row("POST, the default search", "/best-move", {"board": "X...O...."}),
    Row("GET, each on a new connection", PATH, reuses_connections=False),
]
MORE_ROWS = [
    Row("GET, with the access log", PATH, level="info"),
    Row(
        "POST, 100 positions in a batch",
        "/best-moves",
        {
            "requests": [
                {"board": position.board}
                for position in EVERY_POSITION[:: len(EVERY_POSITION) // 100][:100]
            ]
        },
    ),
]


def wrk(server: Server, row: Row) -> tuple[float, float]:
    """Return the requests per second, and the workers' CPU time per request in microseconds."""
    with tempfile.NamedTemporaryFile("w", suffix=".lua", encoding="utf-8") as script:
        if row.body is not None:
            script.write('wrk.method = "POST"\nwrk.headers["Content-Type"] = "application/json"\n')
            script.write(f"wrk.body = [[{json.dumps(row.body)}]]\n")
            script.flush()
        url = f"http://127.0.0.1:{server.port}{row.path}"
        command = ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{SECONDS}s", "-s", script.name, url]
        if not row.reuses_connections:
            command += ["-H", "Connection: close"]
        before = cpu_time(server)
        printed = subprocess.check_output(command, text=True, timeout=SECONDS + 30)
        seconds = cpu_time(server) - before
    if "Non-2xx" in printed:
        raise RuntimeError(f"{row.name}: not every response was a 200\n{printed}")
    rate, requests = (
        re.search(r"Requests/sec:\s+([\d.]+)", printed),
        re.search(r"(\d+) requests in", printed),
    )
    if not (rate and requests):
        raise RuntimeError(f"The output of wrk cannot be parsed:\n{printed}")
    return float(rate[1]), seconds / int(requests[1]) * 1e6


def cpu_time(server: Server) -> float:
    """Return the CPU time that the workers have taken so far, in seconds."""
    stats = [
        Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        for pid in server.workers()
    ]
    return sum(int(stat[11]) + int(stat[12]) for stat in stats) / os.sysconf("SC_CLK_TCK")


def costs(name: str, other: Server, rows: Sequence[Row], path: str | None = None) -> str:
    """Return a Markdown table of the cost and the rate of each request, by median ratios.

    The other server, which the name describes, gets the same requests or, if there is a path, GETs
    of this path.
    """
    text = f"| request | µs | {name} | times as cheap | requests/s | {name} | times as many |\n"
    text += "| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n"
    with running(LOG_LEVEL="warning") as quiet, running(LOG_LEVEL="info") as logging:
        for row in rows:
            server = logging if row.level == "info" else quiet
            others = replace(row, path=path, body=None) if path else row
            rounds = [(*wrk(other, others), *wrk(server, row)) for _ in range(ROUNDS)]
            other_rate, other_cost, rate, cost = (
                median(values) for values in zip(*rounds, strict=True)
            )
            cheaper = median(other_cost / cost for _, other_cost, _, cost in rounds)
            more = median(rate / other_rate for other_rate, _, rate, _ in rounds)
            text += f"| {row.name} | {cost:,.0f} | {other_cost:,.0f} | {cheaper:.2f} "
            text += f"| {rate:,.0f} | {other_rate:,.0f} | {more:.2f} |\n"
    return text


def comparison_with_fastapi() -> str:
    """Return the table of costs beside FastAPI's, or that it cannot be installed."""
    with tempfile.TemporaryDirectory() as folder:
        install = [
            sys.executable,
            "-m",
            "pip",
            "install",
            "-qq",
            "--disable-pip-version-check",
            "--target",
            folder,
        ]
        if subprocess.run([*install, *FASTAPI], check=False).returncode:
            return "FastAPI cannot be installed, so it is not measured.\n"
        with (
            running(UVICORN, PYTHONPATH=folder) as fastapi,
            running(LOG_LEVEL="warning") as service,
        ):
            for row in ROWS:
                if answered(fastapi, row) != answered(service, row):
                    raise RuntimeError(f"{row.name}: FastAPI's response differs from the service's")
            return costs("FastAPI", fastapi, ROWS)


def answered(server: Server, row: Row) -> tuple[int, dict[str, str | None], Any]:
    """Return the status, the headers of an answer and the body, without the time of the search."""
    connection = server.connect()
    body = None if row.body is None else json.dumps(row.body)
    connection.request(
        "GET" if body is None else "POST", row.path, body, {"Content-Type": "application/json"}
    )
    response = connection.getresponse()
    found = json.load(response)
    connection.close()
    return (
        response.status,
        {name: response.headers[name] for name in HEADERS},
        found | {"elapsed_ms": None},
    )


def waits() -> str:
    """Return a Markdown table of one client's times for a response, alone and beside others."""
    text = "| beside | p50 ms | p99 ms | max ms |\n| --- | ---: | ---: | ---: |\n"
    batch = post(200, "/best-moves", **BATCH)
    batch = replace(
        batch, headers={**batch.headers, "Connection": "close"}
    )  # so that they reach both workers
    with running(LOG_LEVEL="warning") as server:
        server.wait_for_workers()
        text += f"| no other client | {latency(server)} |\n"
        with slow_clients(server):
            slow = f"{SLOW_CLIENTS} clients that are silent or stop within a request"
            text += f"| {slow} | {latency(server)} |\n"
        with under_load(server, [batch]):
            time.sleep(1)
            batches = "8 clients with batches of 100 of the most expensive searches"
            text += f"| {batches} | {latency(server)} |\n"
    return text


@contextmanager
def slow_clients(server: Server) -> Iterator[None]:
    """Hold open connections: a third each are silent or stop within the headers or the body."""
    with ExitStack() as stack:
        for part in (b"", HALF_HEADERS, HALF_BODY) * (SLOW_CLIENTS // 3):
            connection = stack.enter_context(socket.create_connection(("127.0.0.1", server.port)))
            connection.sendall(part)
        yield


def latency(server: Server) -> str:
    """Return the median, 99th percentile and maximum of the times of sequential requests in ms.

    Half of the requests are for a move, which the event loop computes, and half for a tree, which a
    thread computes.
    """
    move, tree = get(200, board="X...O...."), Request("GET", "/search-tree?board=X.O.O.X..", 200)
    results: list[Result] = []
    for _ in range(
        CONNECTIONS
    ):  # because a worker keeps its connections, and may be less busy than the other
        connection = server.connect()
        results += [ask(connection, each) for each in [move, tree] * (REQUESTS // CONNECTIONS // 2)]
        connection.close()
    if any(result.status != 200 for result in results):
        raise RuntimeError("not every response was a 200")
    milliseconds = sorted(result.seconds * 1000 for result in results)
    percentiles = quantiles(milliseconds, n=100)
    return " | ".join(
        f"{value:.1f}" for value in (percentiles[49], percentiles[98], milliseconds[-1])
    )


if __name__ == "__main__":
    if shutil.which("wrk") is None:
        sys.exit("wrk is not installed, so serving is not measured. On Debian: apt install wrk")
    with running(GUNICORN) as bare:
        sys.stdout.write(f"{costs('a bare route', bare, ROWS + MORE_ROWS, '/bare')}\n")
    sys.stdout.write(f"{comparison_with_fastapi()}\n{waits()}")
