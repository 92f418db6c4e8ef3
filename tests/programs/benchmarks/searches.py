"""Benchmark of the searches: compiled, uncompiled, and minimax in C."""

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
from tests.processes import completed

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


def uncompiled() -> dict[str, Runs]:
    """Return the measurements of a process that runs the uncompiled sources."""
    environment = os.environ | {"PYTHONPATH": str(ROOT / "service")}
    command = [sys.executable, "-m", "tests.programs.benchmarks.searches", "--raw"]
    found: dict[str, Runs] = json.loads(subprocess.check_output(command, env=environment, cwd=ROOT))
    return found


def print_tables(fast: dict[str, Runs]) -> None:
    """Print the measurements; the columns with a slash compare the fastest runs."""
    slow = uncompiled()
    for title, runs in fast.items():
        print(f"Searching {title}, {'compiled' if COMPILED else 'uncompiled'}:\n")
        print("| algorithm | nodes | / alphabeta | uncompiled / compiled | ms |")
        print("| --- | ---: | ---: | ---: | ---: |")
        for name, (nodes, seconds) in runs.items():
            beside = seconds / runs["alphabeta"][1]
            ratio = slow[title][name][1] / seconds
            print(f"| `{name}` | {nodes:,} | {beside:.3f} | {ratio:.0f} | {1000 * seconds:.3f} |")
        print()


def print_beside_c(seconds: float) -> None:
    """Compare the seconds of minimax on the empty board with those of C."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "minimax"
        source = Path(__file__).with_name("minimax.c")
        completed(["cc", "-O3", "-o", program, source], check=True)
        nodes, ms = completed([program], check=True).stdout.split()
    assert int(nodes) == 549_946
    ratio = 1000 * seconds / float(ms)
    print(f"Minimax on the empty board takes {ratio:.2f} times as long as in C at -O3.\n")


if __name__ == "__main__":
    found = {title: measure(positions) for title, positions in POSITIONS.items()}
    if "--raw" in sys.argv:
        json.dump(found, sys.stdout)
    else:
        print_tables(found)
        if shutil.which("cc") is None:
            print("No C compiler (cc) to compare with.\n")
        else:
            print_beside_c(found["the empty board"]["minimax"][1])
