"""The text of the search page is true: Node.js runs its scripts, and textbook searches check their output."""

import itertools
import json
import os
import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from itertools import product
from math import inf, log
from pathlib import Path
from typing import Any, Final

import pytest
from flask import Flask
from flask.testing import FlaskClient

from best_move.engine.search_tree import DEFAULT_NODES, levels_within
from best_move.web.pages.files import STATIC
from tests.clients.tools import installed
from tests.truth import referee
from tests.truth.textbook import Event, Order, Search, TableSearch

PROGRAM: Final = Path(__file__).with_name("search_page.mjs")
ORDERS: Final[tuple[Order, ...]] = ("cells", "best_first", "worst_first")

#  A number of a sentence, even with a hyphen for a minus sign or with decimals, which the page never writes.
NUMBER: Final = re.compile(r"[+\u2212-]?\d+(?:[.,]\d+)*")
LOWEST_WIN: Final = 91  # with the ninth mark; an estimate is closer to 0

#  Finished boards; then unfinished boards, each with every side that can be to move. Only the trees of LARGE have
#  collapsed nodes.
OVER: Final = [("XXX.OO...", "O"), ("OOO.XX...", "X"), ("XXOOOXXOX", "O")]
OPEN: Final = sorted(
    (board, mark) for board, mark in referee.reachable() if not referee.is_over(board)
)
SMALL: Final = [each for each in OPEN if each[0].count(".") in (1, 2, 4, 5)]
LARGE: Final = [("X...O....", "X"), ("X...O...X", "O"), ("XO.X.....", "O")]

#  Every mode of a search: its scoring, its order and its depth limit.
MODES: Final = [*product(("outcome", "distance"), ORDERS, (9, 3, 2, 1))]
SEARCHES: Final = [
    *((SMALL[31 * index % len(SMALL)], mode) for index, mode in enumerate(16 * MODES)),
    *((position, mode) for position, mode in product(LARGE, (MODES[0], MODES[12], MODES[14]))),
    *(
        (position, (scoring, "cells", 9))
        for position in OVER
        for scoring in ("outcome", "distance")
    ),
]


def run(name: str, items: list[Any]) -> list[Any]:
    """Return the page's texts of a kind about each item."""
    option = "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON"
    done = subprocess.run(
        [installed("node"), option, PROGRAM, STATIC, name],
        input=json.dumps(items),
        check=True,
        capture_output=True,
        text=True,
        env=os.environ,
    )
    found: list[Any] = json.loads(done.stdout)
    return found


def query_of(search: Any) -> dict[str, Any]:
    """Return a search as the parameters of a request."""
    (board, to_move), (scoring, order, depth) = search
    position = {"board": board, "starts": referee.starter(board, to_move)}
    return position | {"scoring": scoring, "order": order, "max_depth": depth}


def unit_of(board: str, scoring: str, depth: int) -> int:
    """Return the score that the page writes as 1: that of a win if there are only wins, draws and losses."""
    return 100 if scoring == "outcome" and depth >= board.count(".") else 1


def shown(score: float | None, unit: int) -> str:
    """Return a score as the page writes it."""
    if score is None:
        return "none"
    if abs(score) == inf:
        return "+\u221e" if score > 0 else "\u2212\u221e"
    amount = score / unit
    return f"{amount:+g}".replace("-", "\u2212") if amount else "0"


def numbers(event: Event, search: Search, board: str, unit: int) -> list[str]:
    """Return the numbers that the page must show at an event."""
    if search.sizes[event.path] == 1:
        return ["End of the game" if referee.is_over(board) else "Depth limit"]
    mover = search.maximizer if event.side == "MAX" else referee.opponent(search.maximizer)
    window = f"\u03b1 {shown(event.alpha, unit)}\u2003\u03b2 {shown(event.beta, unit)}"
    return [
        f"{event.side} ({mover}) is to move",
        *([window] if search.prunes else []),
        f"best so far {shown(event.best, unit)}",
    ]


def sentences(search: Search, unit: int, *, is_limited: bool) -> Iterator[tuple[list[str], str]]:
    """Yield, for each event, the numbers in the sentence about it, and the score drawn at the node or the child.

    The numbers are moves, scores and counts of nodes, in this order: those of the child, then those compared with it.
    """
    best: dict[tuple[int, ...], float | None] = {}
    child: tuple[int, ...] = ()
    for event in search.events:
        path, before = event.path, best.get(event.path)
        score = shown(search.scores[path], unit)
        match event.kind:
            case "enter":
                yield [*map(str, path[-1:])], ""
            case "leaf":
                below = search.sizes[path] - 1
                yield [*([f"{below:,}"] if below else []), score], score
            case "back":
                returned = shown(search.scores[child], unit)
                yield (
                    [
                        str(child[-1]),
                        returned,
                        *([] if event.best != before else [shown(before, unit)]),
                    ],
                    returned,
                )
            case "cut":
                elsewhere = event.beta if event.side == "MAX" else event.alpha
                window = [event.best, elsewhere] if event.side == "MAX" else [elsewhere, event.best]
                estimates = [
                    each
                    for each in (elsewhere, event.best)
                    if is_limited and abs(each or 0) < LOWEST_WIN
                ]
                yield (
                    [
                        *(shown(each, unit) for each in window + estimates),
                        *map(str, search.pruned[path]),
                    ],
                    "",
                )
            case "end":
                yield [str(search.best_move), score], score
        best[path], child = event.best, path


def board_at(board: str, to_move: str, path: tuple[int, ...]) -> str:
    """Return the board after the moves of a path."""
    for ply, cell in enumerate(path):
        board = referee.play(board, referee.opponent(to_move) if ply % 2 else to_move, cell)
    return board


def read(path: str) -> tuple[int, ...]:
    """Return the moves of a path, which the page writes as cells separated by commas."""
    return tuple(map(int, path.split(","))) if path else ()


@pytest.fixture(scope="module")
def said(app: Flask) -> list[Any]:
    """Return the page's texts about all searches."""
    client = app.test_client()

    def ask(search: Any, algorithm: str) -> Any:
        query = query_of(search) | {"algorithm": algorithm}
        return client.get("/search-tree", query_string=query).json

    pairs = [[ask(each, "minimax"), ask(each, "alphabeta")] for each in SEARCHES]
    return run("searches", pairs)


def test_every_number_is_that_of_the_search(said: list[Any]) -> None:
    """At each step and for each node the page shows the values of the search; a node that is never visited has none."""
    steps, unvisited = 0, 0
    for ((board, to_move), (scoring, order, depth)), texts in zip(SEARCHES, said, strict=True):
        levels = levels_within(DEFAULT_NODES, board.count("."))
        counts = scoring == "distance"
        unit = unit_of(board, scoring, depth)
        for algorithm, text in texts.items():
            search = Search(
                *(board, to_move),
                prunes=algorithm == "alphabeta",
                counts_plies=counts,
                depth=depth,
                order=order,
                levels=levels,
            )
            expected = [
                (
                    event.kind,
                    event.path,
                    numbers(event, search, board_at(board, to_move, event.path), unit),
                )
                for event in search.events
            ]
            spoken = [(NUMBER.findall(each["sentence"]), each["label"]) for each in text["steps"]]
            assert spoken == list(sentences(search, unit, is_limited=depth < board.count(".")))
            assert [
                (each["kind"], read(each["path"]), each["numbers"]) for each in text["steps"]
            ] == expected
            start = (
                "The game is over."
                if referee.is_over(board)
                else f"The search starts: {to_move} is to move."
            )
            assert text["steps"][0]["sentence"] == start
            assert text["steps"][-1]["visited"] == search.sizes[()]
            steps += len(expected)
            last = {path: known for kind, path, known in expected}
            for path, (known, sentence) in text["nodes"].items():
                node = read(path)
                unvisited += node not in search.visits
                assert known == last.get(node, []), (board, path)
                check_summary(sentence, node, search, unit)
    assert steps > 10_000
    assert unvisited > 1_000


def check_summary(sentence: str, path: tuple[int, ...], search: Search, unit: int) -> None:
    """Assert that a sentence about a node has its visit number, size and score, and names the pruned moves."""
    if path not in search.visits:
        assert sentence == "Alpha-beta never visits this node."
        return
    size = search.sizes[path]
    start = f"Visit {search.visits[path]:,}" + (
        f", {size:,} nodes in this subtree" if size > 1 else ""
    )
    assert sentence.startswith(f"{start}: score {shown(search.scores[path], unit)}"), (
        sentence,
        start,
    )
    pruned = [int(cell) for cell in re.findall(r"[XO] (\d)", sentence.partition("Pruned: ")[2])]
    if len(path) < search.levels:
        assert pruned == search.pruned.get(path, [])


def test_every_score_and_bound_agrees_with_minimax(said: list[Any]) -> None:
    """For both algorithms, an exact score equals the node's minimax value, and a bound is on the correct side of it."""
    bounds = 0
    for ((board, to_move), (scoring, _, depth)), texts in zip(SEARCHES, said, strict=True):
        truth = Search(
            board, to_move, prunes=False, counts_plies=scoring == "distance", depth=depth
        ).scores
        for text in texts.values():
            for path, (_, sentence) in text["nodes"].items():
                found = re.search(r"score ([+\u2212]?\d+)( or more| or less)?", sentence)
                if not found:
                    continue
                score = amount(found[1], unit_of(board, scoring, depth))
                exact = truth[read(path)]
                bounds += found[2] is not None
                is_true = {
                    " or more": exact >= score,
                    " or less": exact <= score,
                    None: exact == score,
                }
                assert is_true[found[2]], (board, path, sentence)
    assert bounds > 500


def test_one_node_is_a_node(said: list[Any]) -> None:
    """Sentences write `1 node`, and `nodes` after all other numbers."""
    sentences = [
        each["sentence"] for texts in said for text in texts.values() for each in text["steps"]
    ]
    sentences += [
        sentence
        for texts in said
        for text in texts.values()
        for _, sentence in text["nodes"].values()
    ]
    counted = {pair for sentence in sentences for pair in re.findall(r"(\d+) (nodes?)", sentence)}
    assert {word for number, word in counted if number == "1"} == {"node"}
    assert {word for number, word in counted if number != "1"} == {"nodes"}


def test_the_textbook_agrees_with_the_referee() -> None:
    """The searches that check the page find the values of an independent solver."""
    for board, to_move in SMALL[::7]:
        result, plies = referee.grade(board, to_move, 9, counts_plies=True)
        won_at = 9 - board.count(".") + abs(plies)
        for prunes in (False, True):
            assert Search(board, to_move, prunes=prunes).scores[()] == result * (100 - won_at)


def amount(text: str, unit: int) -> int:
    """Return the score at the start of a text as the search counts it, given the score that the page writes as 1."""
    found = re.match(r"[+\u2212]?\d+", text)
    assert found, text
    return int(found[0].replace("\u2212", "-")) * unit


def first_beyond(scores: list[int], event: Event) -> int:
    """Return how many of the moves with these scores alpha-beta tries, given the window on entry."""
    for index, score in enumerate(scores, 1):
        if score >= event.beta if event.side == "MAX" else score <= event.alpha:
            return index
    return len(scores)


def pruned_first(node: Event, below: list[list[int]]) -> tuple[int, int] | None:
    """Return the indices of the first pruned move two plies down, or None if no such move is pruned."""
    alpha, beta = node.alpha, node.beta
    pick, unpick = (max, min) if node.side == "MAX" else (min, max)
    for index, scores in enumerate(below):
        reply = node._replace(side="MIN" if node.side == "MAX" else "MAX", alpha=alpha, beta=beta)
        tried = first_beyond(scores, reply)
        if tried < len(scores):
            return index, tried
        score = unpick(scores)
        alpha, beta = (
            (pick(alpha, score), beta) if node.side == "MAX" else (alpha, pick(beta, score))
        )
    return None


Truth = dict[tuple[int, ...], int]


def right_moves(question: Any, enter: Event, truth: Truth, unit: int) -> list[Any]:
    """Return the moves that are pruned with the question's scores, or ["none"]. The scores must be minimax's."""
    moves = [choice["value"] for choice in question["choices"][:-1]]
    scores = [
        amount(choice["text"].partition(": ")[2], unit) for choice in question["choices"][:-1]
    ]
    assert scores == [truth[*enter.path, move] for move in moves]
    return moves[first_beyond(scores, enter) :] or ["none"]


def right_first(question: Any, enter: Event, truth: Truth, unit: int) -> list[Any]:
    """Return the path of the first pruned move two plies down with the question's scores, or ["none"].

    The scores must be minimax's.
    """
    paths = [read(choice["value"]) for choice in question["choices"][:-1]]
    scores = [
        amount(choice["text"].partition(": ")[2], unit) for choice in question["choices"][:-1]
    ]
    assert scores == [truth[path] for path in paths]
    given = re.findall(r"After [XO] (\d) .*?: (.*?)\.(?: |$)", question["facts"])
    ended = {int(cell): amount(text, unit) for cell, text in given}
    children = [path[-1] for path in truth if path[:-1] == enter.path and path]
    assert {path[-2] for path in paths} | ended.keys() == set(children)
    assert paths == [path for path in truth if path[:-2] == enter.path and len(path) > 1]
    replies = {cell: [path for path in paths if path[-2] == cell] for cell in children}
    below = [
        [ended[cell]] if cell in ended else [truth[path] for path in replies[cell]]
        for cell in children
    ]
    found = pruned_first(enter, below)
    if found is None:
        return ["none"]
    cell, index = children[found[0]], found[1]
    return [",".join(map(str, replies[cell][index]))]


def right_window(question: Any, enter: Event, unit: int) -> list[Any]:
    """Return the window after the move in the question. The score of a move is a bound if it is outside the window."""
    found = re.search(r"returned (.*?)\. The search came here with (.*)\.", question["facts"])
    assert found
    score = amount(found[1], unit)
    written = f"\u03b1 {shown(enter.alpha, unit)}\u2003\u03b2 {shown(enter.beta, unit)}"
    assert found[2] == written
    is_max = enter.side == "MAX"
    window = (
        (max(enter.alpha, score), enter.beta) if is_max else (enter.alpha, min(enter.beta, score))
    )
    return [f"\u03b1 {shown(window[0], unit)}\u2003\u03b2 {shown(window[1], unit)}"]


def right_score(question: Any, enter: Event, truth: Truth, unit: int) -> list[Any]:
    """Return the node's score: the best of its moves' scores, with "or more" or "or less" if it is a bound."""
    found = re.findall(r"(\d): ([+\u2212]?\d+)( or more| or less)?", question["facts"])
    pick = max if enter.side == "MAX" else min
    best = pick(amount(score, unit) for _, score, _ in found)
    bounds = [bound for _, score, bound in found if amount(score, unit) == best]
    beyond = " or more" if enter.side == "MAX" else " or less"
    bound = beyond if beyond in bounds else "" if "" in bounds else bounds[0]
    exact = truth[enter.path]
    assert {" or more": exact >= best, " or less": exact <= best, "": exact == best}[bound], (
        "not minimax's"
    )
    for cell, score, child in found:
        value, given = truth[*enter.path, int(cell)], amount(score, unit)
        assert {" or more": value >= given, " or less": value <= given, "": value == given}[
            child
        ], "not minimax's"
    if question["type"] == "text":
        assert not bound
        return [best]
    return [shown(best, unit) + bound]


def right(question: Any, enter: Event, truth: Truth, unit: int) -> list[Any]:
    """Return the right answer to a question at a node that the search enters."""
    if question["text"].startswith("With which \u03b1 and \u03b2"):
        return right_window(question, enter, unit)
    judge = {
        "Which of these moves will be pruned?": right_moves,
        "Which of these moves is pruned first?": right_first,
        "What does the search return for this node?": right_score,
    }[question["text"]]
    return judge(question, enter, truth, unit)


def reason(question: Any, enter: Event, steps: list[Any], unit: int) -> str:
    """Return the start of the reason for the right answer: for a cutoff, the sentence of its step."""
    changes, beyond, extreme, beyond_limit = {
        "MAX": (
            "raises \u03b1",
            "above \u03b1",
            "highest",
            f"\u2265 \u03b2 {shown(enter.beta, unit)}",
        ),
        "MIN": (
            "lowers \u03b2",
            "below \u03b2",
            "lowest",
            f"\u2264 \u03b1 {shown(enter.alpha, unit)}",
        ),
    }[enter.side]
    match question["kind"].split()[0]:
        case "cutoff" | "tie" | "first":
            assert steps[question["answered"]]["kind"] == "cut"
            return str(steps[question["answered"]]["sentence"])
        case "no":
            return f"No cutoff: no score before the last is {beyond_limit}, and after the last no move is left."
        case "nothing":
            return "No cutoff: \u03b1 is below \u03b2 as long as a reply is left."
        case "window":
            return f"{enter.side} {changes} to {returned(question, unit)}."
        case "same":
            return f"{returned(question, unit)} is not {beyond}, so neither changes."
    (score,) = question["right"]
    return f"{enter.side} takes the {extreme}: {shown(score, unit) if question['type'] == 'text' else score}."


def returned(question: Any, unit: int) -> str:
    """Return the score that a question says a move returned, without `or more` or `or less`."""
    return shown(amount(question["facts"].partition(" returned ")[2], unit), unit)


def test_the_answer_to_every_question_is_correct(said: list[Any]) -> None:
    """The page's answer to every question follows from the scores that the question shows, which agree with minimax.

    So does the reason that the page gives. In each search, a question about a cutoff beyond the window precedes all
    questions about cutoffs at its limit.
    """
    kinds: Counter[str] = Counter()
    positions = set()
    for ((board, to_move), (scoring, order, depth)), texts in zip(SEARCHES, said, strict=True):
        counts = scoring == "distance"
        unit = unit_of(board, scoring, depth)
        truth = Search(
            board, to_move, prunes=False, counts_plies=counts, depth=depth, order=order
        ).scores
        for algorithm, text in texts.items():
            search = Search(
                *(board, to_move),
                prunes=algorithm == "alphabeta",
                counts_plies=counts,
                depth=depth,
                order=order,
            )
            enters = {event.path: event for event in search.events if event.kind == "enter"}
            for question in text["questions"]:
                path = read(question["path"])
                assert question["right"] == right(question, enters[path], truth, unit), (
                    board,
                    question,
                )
                assert question["why"].startswith(
                    reason(question, enters[path], text["steps"], unit)
                ), (
                    board,
                    question,
                )
                values = [choice["value"] for choice in question["choices"]]
                assert len(set(values)) == len(values)
                assert question["type"] == "text" or set(question["right"]) <= set(values)
                kinds[question["kind"]] += 1
            ordered = [question["kind"].split()[0] for question in text["questions"]]
            assert "tie" not in ordered or "cutoff" in ordered[: ordered.index("tie")]
        if any(text["questions"] for text in texts.values()):
            positions.add((board, to_move))
    assert len(positions) >= 350
    assert min(kinds.values()) >= 5, kinds
    assert kinds.keys() == {
        *(
            "cutoff at once",
            "cutoff later",
            "tie at once",
            "tie later",
            "no cutoff",
            "first pruned",
            "nothing pruned",
        ),
        *("window", "same window", "typed score", "chosen score", "bound"),
    }


ALGORITHMS: Final = (
    *("minimax", "alphabeta", "ordered_alphabeta"),
    *("transposition_table", "iterative_deepening"),
)
NAMES: Final = (
    *("top-left corner", "top side", "top-right corner", "left side", "center"),
    *("right side", "bottom-left corner", "bottom side", "bottom-right corner"),
)
LIMITS: Final = [*product(("outcome", "distance"), ("cells",), (9, 4, 3, 2, 1))]
FEW: Final = [each for each in OPEN if each[0].count(".") <= 6]
COMPARED: Final = [
    *((FEW[17 * index % len(FEW)], limit) for index, limit in enumerate(50 * LIMITS)),
    *product([*OVER, *LARGE], LIMITS),
]


def costs(search: Any) -> list[int]:
    """Return the number of nodes that each algorithm visits."""
    position, (scoring, _, depth) = search
    options: Any = {"counts_plies": scoring == "distance", "depth": depth}
    return [
        Search(*position, prunes=False, **options).sizes[()],
        Search(*position, prunes=True, **options).sizes[()],
        Search(*position, prunes=True, order="guessed", **options).sizes[()],
        TableSearch(*position, deepens=False, **options).nodes,
        TableSearch(*position, deepens=True, **options).nodes,
    ]


def conclusion(search: Any, visited: list[int]) -> str:
    """Return the sentences below the comparison."""
    (board, to_move), (scoring, _, depth) = search
    if referee.is_over(board):
        return "The game is over: there is one node to visit."
    options: Any = {"counts_plies": scoring == "distance", "depth": depth}
    move = Search(board, to_move, prunes=False, **options).best_move
    found = f"All find the same move, {to_move} {move}, the {NAMES[move]}."
    if max(visited) < 50 * min(visited):
        return found
    return f"{found} The bars are as long as the logarithms of the nodes."


def test_the_comparison_is_that_of_textbook_searches(client: FlaskClient) -> None:
    """The nodes, the bars, the least of five times and the sentences are those of other searches."""
    queries = [[query_of(each) | {"algorithm": name} for name in ALGORITHMS] for each in COMPARED]
    for each in itertools.chain(*queries):
        del each["order"]
    answers: list[list[dict[str, Any]]] = [
        [json.loads(client.get("/best-move", query_string=each).data) for each in query]
        for query in queries
    ]
    times = [0.0234, 0.4, 0.0171, 1.02, 0.022]
    runs = [
        [[answer | {"elapsed_ms": time} for time in times] for answer in each] for each in answers
    ]
    scales = set()
    for search, answer, shown in zip(COMPARED, answers, run("comparisons", runs), strict=True):
        visited = costs(search)
        note = conclusion(search, visited)
        size = log if "logarithms" in note else float
        shares = [size(each) / size(max(visited)) for each in visited]
        assert [each["nodes"] for each in shown["costs"]] == [f"{each:,}" for each in visited]
        assert [each["share"] for each in shown["costs"]] == pytest.approx(shares)
        assert {each["time"] for each in shown["costs"]} == {"0.017 ms"}
        assert len({each["move"] for each in answer}) == 1
        assert shown["note"] == note
        scales.add(size)
    assert scales == {log, float}
