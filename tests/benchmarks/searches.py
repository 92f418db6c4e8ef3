"""What the searches cost, compiled beside interpreted beside C: `make bench` prints it."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter

from service.engine import ALGORITHMS, COMPILED
from service.engine.position import Position
from service.engine.search import Search
from tests.engine.positions import EVERY_POSITION

ROOT = Path(__file__).parents[2]
SECONDS = 1.0  # for each measurement, at the least one run

#  algorithm -> nodes, and the seconds of each run
Runs = dict[str, tuple[int, list[float]]]


def measure(positions: list[Position]) -> Runs:
    """Search all the positions with each algorithm, over and over for a while."""
    found: Runs = {}
    for name, algorithm in ALGORITHMS.items():
        seconds: list[float] = []
        while sum(seconds) < SECONDS:
            search = Search("distance")
            start = perf_counter()
            for position in positions:
                algorithm(search, position.own, position.opponent, 9)
            seconds.append(perf_counter() - start)
            nodes = int(search.nodes)
        found[name] = (nodes, seconds)
    return found


def interpreted() -> dict[str, Runs]:
    """Measure in a process that runs the sources as they are."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "tests.benchmarks.searches", "--raw"]
    found: dict[str, Runs] = json.loads(subprocess.check_output(command, env=environment, cwd=ROOT))
    return found


def both() -> dict[str, Runs]:
    """Measure the empty board and all legal positions."""
    return {"the empty board": measure([Position.parse(".........")]), "all 10,956 positions": measure(EVERY_POSITION)}


def in_c() -> float | None:
    """Return the seconds that minimax takes in C, None without a C compiler."""
    compiler = shutil.which("cc")
    if compiler is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "minimax"
        source = Path(__file__).with_name("minimax.c")
        subprocess.run([compiler, "-O3", "-o", str(program), str(source)], check=True)
        nodes, ms = subprocess.check_output([str(program)], text=True).split()
    assert int(nodes) == 549_946
    return float(ms) / 1000


def tables() -> str:
    """Return the measurements as Markdown."""
    slow = interpreted()
    c_seconds = in_c()
    fast = both()
    text = ""
    for title, runs in fast.items():
        text += f"Searching {title}, {'compiled' if COMPILED else 'interpreted'}:\n\n"
        text += "| algorithm | interpreted / compiled | nodes | min ms | median ms | max ms | million nodes/s |\n"
        text += "| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n"
        for name, (nodes, seconds) in runs.items():
            times = " | ".join(f"{1000 * figure(seconds):.3f}" for figure in (min, median, max))
            ratio = min(slow[title][name][1]) / min(seconds)
            rate = nodes / min(seconds) / 1e6
            text += f"| `{name}` | {ratio:.0f} | {nodes:,} | {times} | {rate:.0f} |\n"
        text += "\n"
    if c_seconds is None:
        return text + "No C compiler (cc) to compare with.\n"
    least = min(fast["the empty board"]["minimax"][1])
    return text + f"Minimax on the empty board takes {least / c_seconds:.2f} times what it takes in C at -O3.\n"


if __name__ == "__main__":
    if "--raw" in sys.argv:
        json.dump(both(), sys.stdout)
    else:
        sys.stdout.write(tables())
