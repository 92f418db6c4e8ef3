"""Benchmark of the searches: compiled, interpreted, and minimax in C."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import process_time

from best_move.engine import ALGORITHMS, COMPILED
from best_move.engine.position import Mark, Position
from best_move.engine.search import Search
from best_move.player import review_player
from tests.engine.positions import EVERY_POSITION
from tests.programs import levels
from tests.truth.minimal_tree import to_prove_the_value
from tests.truth.players import (
    SIDES,
    Frequencies,
    Moves,
    Walk,
    frequencies_of,
    own,
    perfect,
    random_player,
    rule_follower,
)

ROOT = Path(__file__).parents[3]
#  Times are CPU times, and the algorithms alternate, so that other load on the machine affects all
#  of them alike.
ROUNDS = 5
REVIEWS = 20  # per player
SECONDS = 0.2  # per algorithm and round; at least one run

POSITIONS = {
    "the empty board": [Position.parse(".........")],
    "all 10,956 positions": EVERY_POSITION,
}

#  algorithm -> nodes, and the seconds of each run
Runs = dict[str, tuple[int, list[float]]]


def measure(positions: list[Position]) -> Runs:
    """Search all positions with each algorithm for a fixed time; return the nodes and times."""
    found: Runs = {name: (0, []) for name in ALGORITHMS}
    for name in [*ALGORITHMS] * ROUNDS:
        algorithm = ALGORITHMS[name]
        seconds: list[float] = []
        while sum(seconds) < SECONDS:
            search = Search("distance")
            start = process_time()
            for position in positions:
                algorithm(search, position.own, position.opponent, 9)
            seconds.append(process_time() - start)
        found[name] = (int(search.nodes), found[name][1] + seconds)
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
        text += "| algorithm | nodes | / alphabeta | interpreted / compiled "
        text += "| min ms | median ms | max ms |\n"
        text += "| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n"
        for name, (nodes, seconds) in runs.items():
            beside = min(seconds) / min(runs["alphabeta"][1])
            ratio = min(slow[title][name][1]) / min(seconds)
            times = " | ".join(f"{1000 * figure(seconds):.3f}" for figure in (min, median, max))
            text += f"| `{name}` | {nodes:,} | {beside:.3f} | {ratio:.0f} | {times} |\n"
        least = sum(
            to_prove_the_value((position.board, position.to_move)) for position in POSITIONS[title]
        )
        text += f"| the least possible | {least:,} | | | | | |\n\n"
    text += reviews()
    if c_seconds is None:
        return text + "No C compiler (cc) to compare with.\n"
    beside = min(fast["the empty board"]["minimax"][1]) / c_seconds
    return text + f"Minimax on the empty board takes {beside:.2f} times as long as in C at -O3.\n"


def reviews() -> str:
    """Return a Markdown table of what a complete review of each player costs."""
    text = "| the review of a player | boards | mistakes | min ms | max ms |\n"
    text += "| --- | ---: | ---: | ---: | ---: |\n"
    always = {
        "perfect": perfect(),
        "rules": rule_follower((0, 2, 6, 8)),
        "any moves": random_player(0),
    }
    players: list[tuple[str, Mark, Moves, Frequencies]] = [
        *(
            (name, side, {board: moves[board] for board in Walk(side, moves).met}, {})
            for name, moves in always.items()
            for side in SIDES
        ),
        *(
            ("moves at random", side, {}, own(side, frequencies_of(levels.random_moves)))
            for side in SIDES
        ),
    ]
    for name, side, moves, frequencies in players:
        seconds = []
        for _ in range(REVIEWS):
            start = process_time()
            found = review_player(side, moves, frequencies).review
            seconds.append(process_time() - start)
        times = " | ".join(f"{1000 * figure(seconds):.2f}" for figure in (min, max))
        mistakes = len(found.mistakes) if found else 0
        text += f"| {name}, {side} | {len(moves) + len(frequencies)} | {mistakes} | {times} |\n"
    return text + "\n"


if __name__ == "__main__":
    if "--raw" in sys.argv:
        json.dump(both(), sys.stdout)
    else:
        sys.stdout.write(tables())
