"""What the scripts of the search page say is true: textbook searches check it.

The texts of some searches are approved in search_texts.txt. In those of many others each number is
checked, and each word that names a node.
"""

import random
import re
from collections.abc import Mapping, Sequence
from pathlib import Path as File
from typing import Any, Final
from urllib.parse import parse_qsl

import pytest
from flask import Flask
from flask.testing import FlaskClient

from best_move.web.pages.files import FILES
from tests.plays import Shown, check_play
from tests.truth import golden
from tests.truth.textbook import Path
from tests.web.pages.drawn_tree import moves_in
from tests.web.pages.page import running
from tests.web.pages.searches import Case, any_case, check_step, check_summary, is_true

PLAY: Final = File(__file__).with_name("search_texts.txt")


def texts_of(client: FlaskClient, queries: Sequence[Mapping[str, Any]]) -> list[Any]:
    """Return what the scripts say about searches; search_texts.mjs tells which texts."""
    searches = []
    for query in queries:
        names = {"board", "starts", "scoring", "order", "max_depth"} & query.keys()
        asked = {name: query[name] for name in names}
        both = [asked | {"algorithm": name} for name in ("minimax", "alphabeta")]
        trees = [client.get("/search-tree", query_string=each).json for each in both]
        searches.append({**query, "trees": trees})
    with running("search_texts.mjs") as scripts:
        scripts.write(searches)
        found: list[Any] = scripts.read()
    return found


def marked(sentence: list[Any]) -> str:
    """Return a sentence with brackets around the words that name nodes."""
    return "".join(f"[{each['text']}]" if "paths" in each else each["text"] for each in sentence)


def test_the_texts_are_those_that_were_approved(client: FlaskClient) -> None:
    """They tell each step and each node of a search."""

    def do(actions: list[str]) -> Shown:
        names, query = actions[0].removeprefix("visit ").split(" of ")
        (texts,) = texts_of(client, [dict(parse_qsl(query))])
        rows: dict[str, list[list[str]]] = {"steps": [], "nodes": []}
        for step in texts["steps"]:
            rows["steps"].append([marked(step["sentence"]), *step["lines"]])
        for node in texts["nodes"]:
            rows["nodes"].append([node["name"], marked(node["sentence"]), *node["lines"]])
        told = {name: "\n".join(map(" | ".join, rows[name])) for name in names.split(", ")}
        return Shown([], told, {})

    check_play(PLAY, do)


def plain(sentence: list[Any]) -> str:
    """Return a sentence as text."""
    return "".join(each["text"] for each in sentence)


#  Searches of small trees; of large ones, which have collapsed nodes; and of finished games.
SEEDS: Final = 150
LARGE: Final = [("X...O....", "X"), ("X...O...X", "O"), ("XO.X.....", "O")]
OVER: Final = [("XXX.OO...", "O"), ("OOO.XX...", "X"), ("XXOOOXXOX", "O")]

Said = list[tuple[Case, Any]]


@pytest.fixture(scope="module")
def said(app: Flask) -> Said:
    """Return what the scripts say about many searches."""
    dice = random.Random(1)  # noqa: S311, the tests need no secret numbers
    cases = [any_case(dice, [1, 2, 4, 5]) for _ in range(SEEDS)]
    cases += [Case(*each) for each in [*LARGE, *OVER]]
    cases += [Case(*each, "outcome", algorithm="minimax") for each in [*LARGE, *OVER]]
    queries = [case.query | {"algorithm": case.algorithm} for case in cases]
    return [*zip(cases, texts_of(app.test_client(), queries), strict=True)]


def test_each_step_is_that_of_the_textbook_with_its_numbers(said: Said) -> None:
    """The events, the numbers and the sentences are those of a search from the rules alone."""
    for case, texts in said:
        steps = texts["steps"]
        events = case.search.events
        assert [(each["kind"], moves_in(each["path"])) for each in steps] == [
            (event.kind, event.path) for event in events
        ]
        for number, step in enumerate(steps):
            assert step["lines"] == case.lines(events[number])
            check_step(case, number, plain(step["sentence"]))
            check_words(case, step["sentence"], events[number].path)


def test_each_node_has_its_numbers(said: Said) -> None:
    """At the end of the search a node has its score, its visit number and its size."""
    for case, texts in said:
        search = case.search
        for node in texts["nodes"]:
            path = moves_in(node["path"])
            is_visited = path in search.visits
            check_summary(case, path, plain(node["sentence"]))
            check_words(case, node["sentence"], path)
            assert node["lines"] == case.lines(search.last.get(path))
            assert node["state"] == ("done" if is_visited else "never")
            assert node["score"] == (case.shown(search.scores[path]) if is_visited else "")
            is_cut = path != () and path[-1] in search.pruned.get(path[:-1], [])
            assert node.get("isCut", False) == is_cut
            if is_visited:
                assert is_true(node["bound"], case.truth.scores[path], search.scores[path])


#  What the words after a node's name say that its score is.
SCORE: Final = re.compile(r"[^\d+\u2212]*([+\u2212]?\d+)( or more| or less|)")
BOUNDS: Final = {" or more": "at_least", " or less": "at_most", "": ""}


def check_words(case: Case, sentence: list[Any], near: Path) -> None:
    """Assert that words name and mark a node near another one, and that its score follows, if any.

    The sentence names no other moves.
    """
    moves = []
    for part, after in zip(sentence, [*sentence[1:], {"text": ""}], strict=True):
        if "paths" not in part:
            continue
        (path,) = map(moves_in, part["paths"])
        assert part["marked"] == part["paths"]
        assert near in (path, path[:-1]), part
        moves.append(f"{case.mover(path[:-1])} {path[-1]}")
        assert part["text"].replace(" plays", "") == moves[-1]
        found = SCORE.match(after["text"])
        if found:
            truth = case.truth.scores[path]
            score = case.search.scores.get(path, truth)
            assert found[1] == case.shown(score), (part, after)
            assert is_true(BOUNDS[found[2]], truth, score)
    assert re.findall(r"[XO](?: plays)? \d", plain(sentence)) == [
        part["text"] for part in sentence if re.search(r"\d", part["text"]) and "paths" in part
    ]


def test_the_reasons_below_the_comparison_have_true_numbers() -> None:
    """They are the golden numbers of games, nodes, boards and classes."""
    script = FILES["search/comparison.js"].decode()
    reasons = script.partition("<h3>Why</h3>")[2].partition("</ul>")[0]
    told = {int(number) for number in re.findall(r"\d{3,}", reasons.replace(",", ""))}
    assert told == {
        sum(golden.GAMES.values()),
        golden.NODES["minimax", "distance"],
        golden.BOARDS,
        golden.STARTED_BY_X,
        sum(golden.CLASSES),
    }
