"""The text of the search page is true: textbook searches check the output of its scripts."""

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
from tests.truth import golden, referee
from tests.truth.textbook import Event, Order, Search, TableSearch

PROGRAM: Final = Path(__file__).with_name("search_page.mjs")
ORDERS: Final[tuple[Order, ...]] = ("cells", "best_first", "worst_first")

#  A number of a sentence, also with a hyphen or decimals, which the page never writes.
NUMBER: Final = re.compile(r"[+\u2212-]?\d+(?:[.,]\d+)*")
LOWEST_WIN: Final = 91  # with the ninth mark; an estimate is closer to 0

#  Finished boards; then unfinished boards, each with every side that can be to move. Only the
#  trees of LARGE have collapsed nodes.
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
    """Return the score that the page writes as 1: a win's if no score is an estimate."""
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
    """Yield, for each event, the numbers in the sentence about it, and the score drawn there.

    The numbers are moves, scores and counts of nodes, in this order: those of the child, then those
    compared with it.
    """
    best: dict[tuple[int, ...], float | None] = {}
    child: tuple[int, ...] = ()
    for event in search.events:
        path = event.path
        score = shown(search.scores[path], unit)
        match event.kind:
            case "enter":
                yield [*map(str, path[-1:])], ""
            case "leaf":
                below = search.sizes[path] - 1
                yield [*([f"{below:,}"] if below else []), score], score
            case "back":
                returned = shown(search.scores[child], unit)
                before = best.get(path)
                compared = [shown(before, unit)] if event.best == before else []
                yield [str(child[-1]), returned, *compared], returned
            case "cut":
                numbers = window_at(event, unit, is_limited=is_limited)
                yield [*numbers, *map(str, search.pruned[path])], ""
            case "end":
                yield [str(search.best_move), score], score
        best[path], child = event.best, path


def window_at(event: Event, unit: int, *, is_limited: bool) -> list[str]:
    """Return the numbers of a cutoff: alpha and beta, and those that are estimates again."""
    elsewhere = event.beta if event.side == "MAX" else event.alpha
    reasons = [elsewhere, event.best or 0]
    window = reasons[::-1] if event.side == "MAX" else reasons
    estimates = [each for each in reasons if is_limited and abs(each) < LOWEST_WIN]
    return [shown(each, unit) for each in window + estimates]


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


def searched(search: Any, algorithm: str, **options: Any) -> Search:
    """Return a textbook search like the page's."""
    position, (scoring, order, depth) = search
    return Search(
        *position,
        prunes=algorithm == "alphabeta",
        counts_plies=scoring == "distance",
        depth=depth,
        order=order,
        **options,
    )


def test_every_number_is_that_of_the_search(said: list[Any]) -> None:
    """At each step and for each node the page shows the values of the search."""
    steps, unvisited = 0, 0
    for search, texts in zip(SEARCHES, said, strict=True):
        (board, _), (scoring, _, depth) = search
        levels = levels_within(DEFAULT_NODES, board.count("."))
        unit = unit_of(board, scoring, depth)
        for algorithm, text in texts.items():
            found = searched(search, algorithm, levels=levels)
            check_steps(text["steps"], found, board, unit, is_limited=depth < board.count("."))
            steps += len(found.events)
            last = {read(step["path"]): step["numbers"] for step in text["steps"]}
            for name, (known, sentence, drawn) in text["nodes"].items():
                path = read(name)
                assert known == last.get(path, [])
                check_summary(sentence, path, found, unit)
                check_drawn(drawn, path, found, unit)
                unvisited += path not in found.visits
    assert steps > 10_000
    assert unvisited > 1_000


def check_steps(
    steps: list[Any], search: Search, board: str, unit: int, *, is_limited: bool
) -> None:
    """Assert that the steps are the events of a search, with its numbers and sentences."""
    to_move = search.maximizer
    spoken = [(NUMBER.findall(each["sentence"]), each["label"]) for each in steps]
    assert spoken == list(sentences(search, unit, is_limited=is_limited))
    for step, event in zip(steps, search.events, strict=True):
        assert (step["kind"], read(step["path"])) == (event.kind, event.path)
        after = board_at(board, to_move, event.path)
        assert step["numbers"] == numbers(event, search, after, unit)
    start = f"The search starts: {to_move} is to move."
    assert steps[0]["sentence"] == ("The game is over." if referee.is_over(board) else start)
    assert steps[-1]["visited"] == search.sizes[()]


def check_drawn(drawn: Any, path: tuple[int, ...], search: Search, unit: int) -> None:
    """Assert that a node is drawn as visited or never visited, with its score and its cutoff."""
    is_visited = path in search.visits
    assert drawn["state"] == ("done" if is_visited else "never")
    assert drawn.get("isCut", False) == (path[-1:] in [(each,) for each in cut_at(path, search)])
    if is_visited:
        assert drawn["score"] == shown(search.scores[path], unit)


def cut_at(path: tuple[int, ...], search: Search) -> list[int]:
    """Return the pruned moves of a node's parent, none for the root."""
    return search.pruned.get(path[:-1], []) if path else []


def check_summary(sentence: str, path: tuple[int, ...], search: Search, unit: int) -> None:
    """Assert that a sentence has a node's visit number, size and score, and its pruned moves."""
    if path not in search.visits:
        assert sentence == "Alpha-beta never visits this node."
        return
    size = search.sizes[path]
    subtree = f", {size:,} nodes in this subtree" if size > 1 else ""
    start = f"Visit {search.visits[path]:,}{subtree}: score {shown(search.scores[path], unit)}"
    assert sentence.startswith(start)
    pruned = [int(cell) for cell in re.findall(r"[XO] (\d)", sentence.partition("Pruned: ")[2])]
    if len(path) < search.levels:
        assert pruned == search.pruned.get(path, [])


def is_true(bound: str, exact: float, given: float) -> bool:
    """Return whether a score may be given with a bound: ` or more`, ` or less` or none."""
    return {" or more": exact >= given, " or less": exact <= given, "": exact == given}[bound]


def test_every_score_and_bound_agrees_with_minimax(said: list[Any]) -> None:
    """An exact score is the node's minimax value, and a bound is on the correct side of it."""
    bounds = 0
    for search, texts in zip(SEARCHES, said, strict=True):
        (board, _), (scoring, _, depth) = search
        truth = searched(search, "minimax").scores
        for text in texts.values():
            for path, (_, sentence, _) in text["nodes"].items():
                found = re.search(r"score ([+\u2212]?\d+)( or more| or less|)", sentence)
                if found:
                    score = amount(found[1], unit_of(board, scoring, depth))
                    assert is_true(found[2], truth[read(path)], score), (board, path, sentence)
                    bounds += bool(found[2])
    assert bounds > 500


def test_one_node_is_a_node(said: list[Any]) -> None:
    """Sentences write `1 node`, and `nodes` after all other numbers."""
    each_text = [text for texts in said for text in texts.values()]
    sentences = [step["sentence"] for text in each_text for step in text["steps"]]
    sentences += [sentence for text in each_text for _, sentence, _ in text["nodes"].values()]
    counted = {pair for sentence in sentences for pair in re.findall(r"(\d+) (nodes?)", sentence)}
    assert {word for number, word in counted if number == "1"} == {"node"}
    assert {word for number, word in counted if number != "1"} == {"nodes"}


def amount(text: str, unit: int) -> int:
    """Return the score at the start of a text, in the unit of the search."""
    found = re.match(r"[+\u2212]?\d+", text)
    assert found, text
    return int(found[0].replace("\u2212", "-")) * unit


Truth = dict[tuple[int, ...], int]


def scores_of(question: Any, unit: int) -> list[int]:
    """Return the scores that the choices name; the last choice names none."""
    texts = [choice["text"].partition(": ")[2] for choice in question["choices"][:-1]]
    return [amount(text, unit) for text in texts]


def right_moves(question: Any, enter: Event, search: Search, truth: Truth, unit: int) -> list[Any]:
    """Return the moves that the search prunes; the question's scores must be minimax's."""
    moves = [choice["value"] for choice in question["choices"][:-1]]
    assert scores_of(question, unit) == [truth[*enter.path, move] for move in moves]
    return search.pruned.get(enter.path, ["none"])


def right_first(question: Any, enter: Event, search: Search, truth: Truth, unit: int) -> list[Any]:
    """Return the path of the first move that the search prunes two plies down.

    The question's scores must be minimax's.
    """
    paths = [read(choice["value"]) for choice in question["choices"][:-1]]
    assert scores_of(question, unit) == [truth[path] for path in paths]
    assert paths == [path for path in truth if path[:-2] == enter.path and len(path) > 1]
    ended = re.findall(r"After [XO] (\d) .*?: (.*?)\.(?: |$)", question["facts"])
    parents = {path[:-1] for path in paths}
    leaves = [path for path in truth if path[:-1] == enter.path and path and path not in parents]
    assert [int(cell) for cell, _ in ended] == [path[-1] for path in leaves]
    assert [amount(text, unit) for _, text in ended] == [truth[path] for path in leaves]
    first = [path for path in paths if path[-1:] == tuple(search.pruned.get(path[:-1], [])[:1])]
    return [",".join(map(str, path)) for path in first[:1]] or ["none"]


def right_window(question: Any, enter: Event, unit: int) -> list[Any]:
    """Return the window after the move in the question."""
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
    """Return the node's score: the best of its moves' scores, with its bound."""
    found = re.findall(r"(\d): ([+\u2212]?\d+)( or more| or less)?", question["facts"])
    pick = max if enter.side == "MAX" else min
    best = pick(amount(score, unit) for _, score, _ in found)
    bounds = [bound for _, score, bound in found if amount(score, unit) == best]
    beyond = " or more" if enter.side == "MAX" else " or less"
    bound = beyond if beyond in bounds else "" if "" in bounds else bounds[0]
    assert is_true(bound, truth[enter.path], best)
    for cell, score, child in found:
        assert is_true(child, truth[*enter.path, int(cell)], amount(score, unit))
    if question["type"] == "text":
        assert not bound
        return [best]
    return [shown(best, unit) + bound]


def right(question: Any, enter: Event, search: Search, truth: Truth, unit: int) -> list[Any]:
    """Return the right answer to a question at a node that the search enters."""
    if question["text"].startswith("With which \u03b1 and \u03b2"):
        return right_window(question, enter, unit)
    if question["text"] == "What does the search return for this node?":
        return right_score(question, enter, truth, unit)
    judge = {
        "Which of these moves will be pruned?": right_moves,
        "Which of these moves is pruned first?": right_first,
    }[question["text"]]
    return judge(question, enter, search, truth, unit)


def reason(question: Any, enter: Event, steps: list[Any], unit: int) -> str:
    """Return the start of the reason for the right answer: for a cutoff, its step's sentence."""
    limit = shown(enter.beta if enter.side == "MAX" else enter.alpha, unit)
    changes, beyond, extreme, reaches = {
        "MAX": ("raises \u03b1", "above \u03b1", "highest", "\u2265 \u03b2"),
        "MIN": ("lowers \u03b2", "below \u03b2", "lowest", "\u2264 \u03b1"),
    }[enter.side]
    match question["kind"].split()[0]:
        case "cutoff" | "tie" | "first":
            assert steps[question["answered"]]["kind"] == "cut"
            return str(steps[question["answered"]]["sentence"])
        case "no":
            start = f"No cutoff: no score before the last is {reaches} {limit}"
            return f"{start}, and after the last no move is left."
        case "nothing":
            return "No cutoff: \u03b1 is below \u03b2 as long as a reply is left."
        case "window":
            return f"{enter.side} {changes} to {returned(question, unit)}."
        case "same":
            return f"{returned(question, unit)} is not {beyond}, so neither changes."
    (score,) = question["right"]
    best = shown(score, unit) if question["type"] == "text" else score
    return f"{enter.side} takes the {extreme}: {best}."


def returned(question: Any, unit: int) -> str:
    """Return the score that a question says a move returned, without `or more` or `or less`."""
    return shown(amount(question["facts"].partition(" returned ")[2], unit), unit)


def test_the_answer_to_every_question_is_correct(said: list[Any]) -> None:
    """The answer and the reason follow from the scores in the question, which are minimax's.

    In each search, a question about a cutoff beyond the window precedes those at its limit.
    """
    kinds: Counter[str] = Counter()
    positions = set()
    for search, texts in zip(SEARCHES, said, strict=True):
        position, (scoring, _, depth) = search
        unit = unit_of(position[0], scoring, depth)
        truth = searched(search, "minimax").scores
        for algorithm, text in texts.items():
            found = searched(search, algorithm)
            for question in text["questions"]:
                check_question(question, found, truth, text["steps"], unit)
                positions.add(position)
            asked = [question["kind"] for question in text["questions"]]
            kinds.update(asked)
            ordered = [kind.split()[0] for kind in asked]
            assert "tie" not in ordered or "cutoff" in ordered[: ordered.index("tie")]
    assert len(positions) >= 350
    assert min(kinds.values()) >= 5, kinds
    assert kinds.keys() == KINDS


KINDS: Final = {
    *("cutoff at once", "cutoff later", "tie at once", "tie later", "no cutoff"),
    *("first pruned", "nothing pruned", "window", "same window"),
    *("typed score", "chosen score", "bound"),
}


def check_question(
    question: Any, search: Search, truth: Truth, steps: list[Any], unit: int
) -> None:
    """Assert that the right answer and its reason are right, and that no choice is repeated."""
    path = read(question["path"])
    enter = next(event for event in search.events if event.path == path)
    assert question["right"] == right(question, enter, search, truth, unit), question
    assert question["why"].startswith(reason(question, enter, steps, unit)), question
    values = [choice["value"] for choice in question["choices"]]
    assert len(set(values)) == len(values)
    assert question["type"] == "text" or set(question["right"]) <= set(values)


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
    """The nodes, the bars, the least time and the sentences are those of other searches."""
    times = [0.0234, 0.4, 0.0171, 1.02, 0.022]

    def ask(search: Any, algorithm: str) -> list[dict[str, Any]]:
        query = query_of(search) | {"algorithm": algorithm}
        del query["order"]
        answer = json.loads(client.get("/best-move", query_string=query).data)
        return [answer | {"elapsed_ms": time} for time in times]

    runs = [[ask(search, name) for name in ALGORITHMS] for search in COMPARED]
    sizes = set()
    for search, answers, said in zip(COMPARED, runs, run("comparisons", runs), strict=True):
        visited = costs(search)
        note = conclusion(search, visited)
        size = log if "logarithms" in note else float
        sizes.add(size)
        assert said["note"] == note
        assert len({answer["move"] for answer, *_ in answers}) == 1
        for cost, nodes in zip(said["costs"], visited, strict=True):
            assert (cost["nodes"], cost["time"]) == (f"{nodes:,}", "0.017 ms")
            assert cost["share"] == pytest.approx(size(nodes) / size(max(visited)))
    assert sizes == {log, float}


def test_the_reasons_below_the_comparison_have_true_numbers(client: FlaskClient) -> None:
    """They are the golden numbers of games, nodes, boards and classes."""
    reasons = client.get("/search").text.partition("<h3>Why</h3>")[2].partition("</ul>")[0]
    told = {int(number) for number in re.findall(r"\d{3,}", reasons.replace(",", ""))}
    games, visited = sum(golden.GAMES.values()), golden.NODES["minimax", "distance"]
    assert told == {games, visited, golden.BOARDS, golden.STARTED_BY_X, sum(golden.CLASSES)}
