"""What the search page says is true: its scripts run in Node.js, and the textbook's searches judge them."""

import json
import os
import re
import subprocess
from itertools import product
from math import inf
from pathlib import Path
from typing import Any, Final

import pytest
from flask import Flask
from flask.testing import FlaskClient

from best_move.engine.search_tree import DEFAULT_NODES, levels_within
from best_move.web.pages.files import STATIC
from tests import referee
from tests.clients.tools import installed
from tests.textbook import Event, Order, Search

PROGRAM: Final = Path(__file__).with_name("search_page.mjs")
ORDERS: Final[tuple[Order, ...]] = ("cells", "best_first", "worst_first")

#  Open boards with both sides to move; in the trees of large ones, nodes are collapsed.
OPEN: Final = sorted((board, mark) for board, mark in referee.reachable() if not referee.is_over(board))
SMALL: Final = [each for each in OPEN if each[0].count(".") <= 5]
LARGE: Final = [("X...O....", "X"), ("X...O...X", "O"), ("XO.X.....", "O")]

#  Every mode of a search: its scoring, its order and its depth limit.
MODES: Final = [*product(("outcome", "distance"), ORDERS, (9, 3, 2, 1))]
SEARCHES: Final = [
    *((SMALL[31 * index % len(SMALL)], mode) for index, mode in enumerate(4 * MODES)),
    *((position, mode) for position, mode in product(LARGE, (MODES[0], MODES[12], MODES[14]))),
    (("XXX.OO...", "O"), MODES[0]),
]


def run(client: FlaskClient, searches: list[Any]) -> list[Any]:
    """Return what the page says of searches, each by both algorithms."""
    pairs = []
    for (board, to_move), (scoring, order, depth) in searches:
        query = {"board": board, "to_move": to_move, "scoring": scoring, "order": order, "max_depth": depth}
        algorithms = ("minimax", "alphabeta")
        pairs.append([client.get("/search-tree", query_string=query | {"algorithm": name}).json for name in algorithms])
    done = subprocess.run(
        [installed("node"), "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON", PROGRAM, STATIC],
        input=json.dumps(pairs),
        check=True,
        capture_output=True,
        text=True,
        env=os.environ,
    )
    found: list[Any] = json.loads(done.stdout)
    return found


def shown(score: float | None, scoring: str) -> str:
    """Return a score as the page writes it."""
    if score is None:
        return "none"
    if abs(score) == inf:
        return "+\u221e" if score > 0 else "\u2212\u221e"
    amount = score / 100 if scoring == "outcome" else score
    return f"{amount:+g}".replace("-", "\u2212") if amount else "0"


def numbers(event: Event, search: Search, board: str, scoring: str) -> list[str]:
    """Return the numbers that are true at an event."""
    if search.sizes[event.path] == 1:
        return ["End of the game" if referee.is_over(board) else "Depth limit"]
    mover = search.maximizer if event.side == "MAX" else referee.opponent(search.maximizer)
    window = f"\u03b1 {shown(event.alpha, scoring)}\u2003\u03b2 {shown(event.beta, scoring)}"
    return [
        f"{event.side} ({mover}) is to move",
        *([window] if search.prunes else []),
        f"best so far {shown(event.best, scoring)}",
    ]


def board_at(board: str, to_move: str, path: tuple[int, ...]) -> str:
    """Return the board that moves lead to."""
    for ply, cell in enumerate(path):
        board = referee.play(board, referee.opponent(to_move) if ply % 2 else to_move, cell)
    return board


def read(path: str) -> tuple[int, ...]:
    """Return a path of the page as moves."""
    return tuple(map(int, path.split(","))) if path else ()


@pytest.fixture(scope="module")
def said(app: Flask) -> list[Any]:
    """Return what the page says of all searches."""
    return run(app.test_client(), SEARCHES)


def test_every_number_is_the_searchs(said: list[Any]) -> None:
    """At each step and for each node the page shows what the search knows there; of a node never visited, nothing.

    A node left shows what was known last; at a leaf nobody is to move. Positions are small and large, in all modes.
    """
    steps, unvisited = 0, 0
    for ((board, to_move), (scoring, order, depth)), answers in zip(SEARCHES, said, strict=True):
        levels = levels_within(DEFAULT_NODES, board.count("."))
        counts = scoring == "distance"
        for algorithm, answer in answers.items():
            search = Search(
                *(board, to_move),
                prunes=algorithm == "alphabeta",
                counts_plies=counts,
                depth=depth,
                order=order,
                levels=levels,
            )
            expected = [
                (event.kind, event.path, numbers(event, search, board_at(board, to_move, event.path), scoring))
                for event in search.events
            ]
            assert [(each["kind"], read(each["path"]), each["numbers"]) for each in answer["steps"]] == expected
            assert answer["steps"][-1]["visited"] == search.sizes[()]
            steps += len(expected)
            last = {path: known for kind, path, known in expected}
            for path, (known, sentence) in answer["nodes"].items():
                node = read(path)
                unvisited += node not in search.visits
                assert known == last.get(node, []), (board, path)
                check_summary(sentence, node, search, scoring)
    assert steps > 10_000
    assert unvisited > 1_000


def check_summary(sentence: str, path: tuple[int, ...], search: Search, scoring: str) -> None:
    """Assert that a sentence on a node has its place, its size and its score, and names the moves pruned."""
    if path not in search.visits:
        assert sentence == "Alpha-beta never visits this node."
        return
    size = search.sizes[path]
    start = f"Visit {search.visits[path]:,}" + (f", {size:,} nodes in this subtree" if size > 1 else "")
    assert sentence.startswith(f"{start}: score {shown(search.scores[path], scoring)}"), (sentence, start)
    pruned = [int(cell) for cell in re.findall(r"[XO] (\d)", sentence.partition("Pruned: ")[2])]
    if len(path) < search.levels:
        assert pruned == search.pruned.get(path, [])


def test_every_score_and_bound_is_minimaxs(said: list[Any]) -> None:
    """An exact score is the node's true one, and a bound is on the right side of it, for both algorithms."""
    bounds = 0
    for ((board, to_move), (scoring, _, depth)), answers in zip(SEARCHES, said, strict=True):
        truth = Search(board, to_move, prunes=False, counts_plies=scoring == "distance", depth=depth).scores
        for answer in answers.values():
            for path, (_, sentence) in answer["nodes"].items():
                found = re.search(r"score ([+\u2212]?\d+(?:\.\d+)?)( or more| or less)?", sentence)
                if not found:
                    continue
                score = round(float(found[1].replace("\u2212", "-")) * (100 if scoring == "outcome" else 1))
                exact = truth[read(path)]
                bounds += found[2] is not None
                is_true = {" or more": exact >= score, " or less": exact <= score, None: exact == score}
                assert is_true[found[2]], (board, path, sentence)
    assert bounds > 500


def test_the_textbook_agrees_with_the_referee() -> None:
    """The searches that judge the page find the values of a solver written another way."""
    for board, to_move in SMALL[::7]:
        result, plies = referee.grade(board, to_move, 9, counts_plies=True)
        won_at = 9 - board.count(".") + abs(plies)
        for prunes in (False, True):
            assert Search(board, to_move, prunes=prunes).scores[()] == result * (100 - won_at)
