"""Benchmark of the searches: compiled, interpreted, and minimax in C."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from time import process_time

from best_move.engine import ALGORITHMS, COMPILED
from best_move.engine.position import Position
from best_move.engine.search import Search
from tests.engine.positions import EVERY_POSITION

ROOT = Path(__file__).parents[3]
#  Times are CPU times, and the algorithms alternate, so that other load on the machine affects all
#  of them alike.
ROUNDS = 5
SECONDS = 0.2  # per algorithm and round; at least one run

POSITIONS = {
    "the empty board": [Position.parse(".........")],
    "all 10,956 positions": EVERY_POSITION,
}

#  algorithm -> nodes, and the seconds of the fastest run
Runs = dict[str, tuple[int, float]]


def measure(positions: list[Position]) -> Runs:
    """Search all positions with each algorithm for a fixed time; return the nodes and times."""
    found: Runs = {}
    for name in [*ALGORITHMS] * ROUNDS:
        algorithm = ALGORITHMS[name]
        seconds = [found[name][1]] if name in found else []
        end = process_time() + SECONDS
        while process_time() < end:
            search = Search("distance")
            start = process_time()
            for position in positions:
                algorithm(search, position.own, position.opponent, 9)
            seconds.append(process_time() - start)
        found[name] = (int(search.nodes), min(seconds))
    return found


def interpreted() -> dict[str, Runs]:
    """Return the measurements of a process that runs the uncompiled sources."""
    environment = os.environ | {"PYTHONPATH": str(ROOT / "service")}
    command = [sys.executable, "-m", "tests.programs.benchmarks.searches", "--raw"]
    found: dict[str, Runs] = json.loads(subprocess.check_output(command, env=environment, cwd=ROOT))
    return found


def both() -> dict[str, Runs]:
    """Return the measurements of the empty board and of all legal positions."""
    return {title: measure(positions) for title, positions in POSITIONS.items()}


def in_c() -> float | None:
    """Return the seconds of minimax in C on the empty board, or None without a C compiler."""
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
    """Return the measurements as Markdown; the columns with a slash compare the fastest runs."""
    slow = interpreted()
    c_seconds = in_c()
    fast = both()
    text = ""
    for title, runs in fast.items():
        text += f"Searching {title}, {'compiled' if COMPILED else 'interpreted'}:\n\n"
        text += "| algorithm | nodes | / alphabeta | interpreted / compiled | ms |\n"
        text += "| --- | ---: | ---: | ---: | ---: |\n"
        for name, (nodes, seconds) in runs.items():
            beside = seconds / runs["alphabeta"][1]
            ratio = slow[title][name][1] / seconds
            text += (
                f"| `{name}` | {nodes:,} | {beside:.3f} | {ratio:.0f} | {1000 * seconds:.3f} |\n"
            )
        text += "\n"
    if c_seconds is None:
        return text + "No C compiler (cc) to compare with.\n"
    beside = fast["the empty board"]["minimax"][1] / c_seconds
    return text + f"Minimax on the empty board takes {beside:.2f} times as long as in C at -O3.\n"


if __name__ == "__main__":
    if "--raw" in sys.argv:
        json.dump(both(), sys.stdout)
    else:
        sys.stdout.write(tables())
