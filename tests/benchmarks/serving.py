"""What serving costs, each request beside a bare Flask route: `make bench` prints it.

Both servers run under the same gunicorn settings. Each row alternates with the bare route, so that a machine that slows
down slows both, and the ratio is the median over the rounds.
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from service.engine import ALGORITHMS
from tests.engine.positions import EVERY_POSITION
from tests.server import BIN, Server, running

SECONDS = 3
ROUNDS = 3
CONNECTIONS = 16


@dataclass(frozen=True)
class Row:
    """A request to measure."""

    name: str
    path: str
    body: object = None
    positions: int = 1


GET = "/best-move?board=X...O...."
ROWS = [
    Row("GET, the default search", GET),
    Row("POST, the default search", "/best-move", {"board": "X...O...."}),
    *(Row(f"GET, `{name}`", f"{GET}&algorithm={name}") for name in ALGORITHMS),
    *(Row(f"POST, `{name}`", "/best-move", {"board": "X...O....", "algorithm": name}) for name in ALGORITHMS),
    Row("GET, the default search of the empty board", "/best-move?board=........."),
    Row("GET, `difficulty=medium`", f"{GET}&difficulty=medium"),
    Row("GET, `tie_break=random`", f"{GET}&tie_break=random"),
    Row("GET, `tie_break=trap`", f"{GET}&tie_break=trap"),
    Row("GET, `analysis=true`", f"{GET}&analysis=true"),
    Row(
        "POST, 100 positions in a batch",
        "/best-moves",
        {"requests": [{"board": position.board} for position in EVERY_POSITION[:: len(EVERY_POSITION) // 100][:100]]},
        positions=100,
    ),
]


def wrk(server: Server, row: Row) -> tuple[float, float, float]:
    """Return requests per second, and the 50th and 99th percentile of the latency in milliseconds."""
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "request.lua"
        if row.body is not None:
            script.write_text(
                'wrk.method = "POST"\nwrk.headers["Content-Type"] = "application/json"\n'
                f"wrk.body = [[{json.dumps(row.body)}]]\n",
                encoding="utf-8",
            )
        else:
            script.write_text("", encoding="utf-8")
        url = f"http://127.0.0.1:{server.port}{row.path}"
        command = ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{SECONDS}s", "--latency", "-s", str(script), url]
        said = subprocess.check_output(command, text=True, timeout=SECONDS + 30)
    if "Non-2xx" in said:
        raise RuntimeError(f"{row.name}: not every answer was a 200\n{said}")
    rate = re.search(r"Requests/sec:\s+([\d.]+)", said)
    p50, p99 = (re.search(rf"{percent}%\s+([\d.]+)(us|ms|s)\b", said) for percent in (50, 99))
    if not (rate and p50 and p99):
        raise RuntimeError(f"wrk said what cannot be read:\n{said}")
    units = {"us": 0.001, "ms": 1.0, "s": 1000.0}
    return float(rate[1]), float(p50[1]) * units[p50[2]], float(p99[1]) * units[p99[2]]


def table(rows: list[Row]) -> str:
    """Return the measurements as Markdown."""
    text = "| request | / bare route | positions/s | p50 ms | p99 ms |\n| --- | ---: | ---: | ---: | ---: |\n"
    folder = str(Path(__file__).parent)
    # A bare route writes no access log, so neither server does; a row of its own says what the log costs.
    with (
        running([str(BIN / "gunicorn"), "--threads", "64", "--chdir", folder, "bare:app"]) as bare,
        running(LOG_LEVEL="warning") as oracle,
        running(LOG_LEVEL="info") as logging_oracle,
    ):
        base = Row("a bare Flask route", "/bare")
        measured = [(oracle, row) for row in rows] + [(logging_oracle, Row("GET, with the access log", GET))]
        bare_rates = []
        for server, row in measured:
            rounds = [(wrk(bare, base), wrk(server, row)) for _ in range(ROUNDS)]
            ratio = median(mine[0] / theirs[0] for theirs, mine in rounds)
            rate, p50, p99 = (median(mine[i] for _, mine in rounds) for i in range(3))
            bare_rates += [theirs for theirs, _ in rounds]
            text += (
                f"| {row.name} | {ratio * row.positions:.2f} | {rate * row.positions:,.0f} | {p50:.1f} | {p99:.1f} |\n"
            )
        rate, p50, p99 = (median(theirs[i] for theirs in bare_rates) for i in range(3))
    return text + f"| {base.name} | 1.00 | {rate:,.0f} | {p50:.1f} | {p99:.1f} |\n"


if __name__ == "__main__":
    if shutil.which("wrk") is None:
        sys.exit("wrk is not installed, so serving is not measured. On Debian: apt install wrk")
    sys.stdout.write(table(ROWS[:2] if "--short" in sys.argv else ROWS))
