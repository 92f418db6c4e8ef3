"""The route of the search tree: the engine's tree as JSON, its errors and its caching."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qsl, urljoin, urlsplit

import pytest
from flask.testing import FlaskClient

from best_move.engine.position import Position
from best_move.engine.search_tree import Node, TreeQuestion, search_tree
from best_move.engine.search_tree_text import cut_text
from best_move.web.api.responses import FOR_A_DAY

PATH = "/search-tree"
BOARDS = (
    "X.O.O.X..",
    "XX.OO....",
    "X.X.O.O.X",
    "XO.......",
    "XOXXO.O..",
    "....X....",
    "XX.OOO.X.",
    "XOXXOOOXX",
)

Json = dict[str, Any]


def ask(client: FlaskClient, **fields: object) -> Json:
    """Return the JSON of the response to a query; assert that the status is 200."""
    response = client.get(PATH, query_string=fields)
    assert response.status_code == 200, response.text
    found: Json = response.get_json()
    return found


def walk(node: Json) -> Iterator[Json]:
    """Yield a node and its descendants, the children in order."""
    yield node
    for child in node["children"]:
        yield from walk(child)


def described(node: Node) -> Json:
    """Return a node of the engine's tree as responses describe it, but without the `href`."""
    names = "move side visit depth alpha beta score bound nodes"
    cut = None
    if node.pruned:
        by = node.children[-1].move
        cut = {"by": by, "pruned": node.pruned, "text": cut_text(node)}
    return {name: getattr(node, name) for name in names.split()} | {
        **node.assessment._asdict(),
        "board": node.position.board,
        "cut": cut,
        "best": node.best_child.move if node.best_child else None,
        "children": [described(child) for child in node.children],
    }


def without(name: str, node: Json) -> Json:
    """Return a node and its descendants, without one of their fields."""
    children = [without(name, child) for child in node["children"]]
    return {key: value for key, value in node.items() if key != name} | {"children": children}


OPTIONS = (
    "algorithm=minimax",
    "algorithm=alphabeta&max_depth=4&levels=1",
    "order=worst_first&scoring=outcome",
    "order=best_first&maximizer=O",
    "alpha=-5&beta=93&maximizer=X",
)


@pytest.mark.parametrize("query", OPTIONS)
@pytest.mark.parametrize("board", BOARDS)
def test_the_tree_is_that_of_the_engine(client: FlaskClient, board: str, query: str) -> None:
    """The response is the engine's tree node by node, with the options of its question."""
    sent: Json = dict(parse_qsl(query))
    options: Json = {
        name: int(text) if text.strip("-").isdigit() else text for name, text in sent.items()
    }
    found = ask(client, board=board, **sent)
    root = search_tree(TreeQuestion(Position.parse(board), **options))
    assert without("href", found.pop("tree")) == described(root)
    of_root = {"levels": root.question.kept_levels, "nodes": root.nodes}
    of_root["maximizer"] = options.get("maximizer", root.to_move)
    names = ("algorithm", "scoring", "max_depth", "order", "alpha", "beta")
    assert found == {name: getattr(root.question, name) for name in names} | of_root


@pytest.mark.parametrize("scoring", ["distance", "outcome"])
@pytest.mark.parametrize("levels", [0, 1, 3])
@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta"])
def test_the_href_of_a_collapsed_node_returns_its_subtree(
    client: FlaskClient, algorithm: str, levels: int, scoring: str
) -> None:
    """The subtree at the `href` is the same as in the whole tree."""
    query: Json = {"board": "X.O.O.X..", "algorithm": algorithm, "scoring": scoring}
    query["order"] = "worst_first"
    whole = {node["visit"]: node for node in walk(ask(client, **query)["tree"])}
    assert {node["href"] for node in whole.values()} == {None}
    collapsed = [node for node in walk(ask(client, **query, levels=levels)["tree"]) if node["href"]]
    assert collapsed
    for node in collapsed:
        check_subtree(client, node, whole[node["visit"]])
        assert ("levels=" in node["href"]) == (levels > 0)


def check_subtree(client: FlaskClient, node: Json, expected: Json) -> None:
    """Assert that a collapsed node has no children, and its `href` those of the expected node."""
    assert node["nodes"] > 1
    assert (node["children"], node["best"]) == ([], None)
    shown = client.get(urljoin(PATH, node["href"])).get_json()
    assert shown["tree"]["children"]
    fields = dict(parse_qsl(urlsplit(node["href"]).query))
    fields.pop("levels", None)
    below = ask(client, **fields)
    assert below["nodes"] == node["nodes"]
    moved = placeless(expected, node["visit"])
    assert placeless(below["tree"], 1) == moved | {"move": None}


def placeless(node: Json, first: int) -> Json:
    """Return a node and its descendants, with `first` subtracted from their visit numbers."""
    children = [placeless(child, first) for child in node["children"]]
    return node | {"visit": node["visit"] - first, "children": children}


def test_a_tree_may_be_cached(client: FlaskClient) -> None:
    """A tree may be cached for a day, and another tree has another weak ETag."""
    one, other = (
        client.get(f"{PATH}?board=X.O.O.X..{more}") for more in ("", "&algorithm=minimax")
    )
    assert one.headers["ETag"].startswith('W/"')
    assert one.headers["ETag"] != other.headers["ETag"]
    assert one.headers["Cache-Control"] == FOR_A_DAY
    assert one.content_length == len(one.data)
