"""The route of the search tree: the engine's tree as JSON, its errors and its caching."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qsl, urljoin, urlsplit

import pytest
from flask.testing import FlaskClient

from best_move.engine.position import Position
from best_move.engine.search_tree import MAX_NODES, Node, TracedAlgorithm, TreeQuestion, search_tree
from best_move.engine.search_tree_text import cut_text
from best_move.web.api.responses import CACHEABLE
from tests.web.conftest import problem

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
    by = node.children[-1].move if node.pruned else None
    names = (
        "move",
        "side",
        "visit",
        "depth",
        "alpha",
        "beta",
        "score",
        "bound",
        "value",
        "outcome",
        "distance",
    )
    return {name: getattr(node, name) for name in (*names, "nodes")} | {
        "board": node.position.board,
        "cut": None if by is None else {"by": by, "pruned": node.pruned, "text": cut_text(node)},
        "best": node.best_child.move if node.best_child else None,
        "children": [described(child) for child in node.children],
    }


def without(name: str, node: Json) -> Json:
    """Return a node and its descendants, without one of their fields."""
    children = [without(name, child) for child in node["children"]]
    return {key: value for key, value in node.items() if key != name} | {"children": children}


@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta"])
@pytest.mark.parametrize("board", BOARDS)
def test_the_tree_is_that_of_the_engine(
    client: FlaskClient, board: str, algorithm: TracedAlgorithm
) -> None:
    """The response is the engine's tree node by node; its `nodes` is that of /best-move."""
    options: Json = {"algorithm": algorithm, "max_depth": 4}
    found = ask(client, board=board, **options)
    root = search_tree(TreeQuestion(Position.parse(board), **options))
    assert without("href", found.pop("tree")) == described(root)
    assert found == {
        "algorithm": algorithm,
        "scoring": "distance",
        "max_depth": 4,
        "order": "cells",
        "levels": root.question.kept_levels,
        "maximizer": root.to_move,
        "alpha": None,
        "beta": None,
        "nodes": root.nodes,
    }
    assert (
        client.get("/best-move", query_string={"board": board, **options}).get_json()["nodes"]
        == root.nodes
    )


def test_a_cutoff_names_its_move_and_the_pruned_moves(client: FlaskClient) -> None:
    """A cutoff names its move, the pruned moves and the reason; the score is then a bound."""
    found = ask(client, board="X.O.O.X..")
    (node,) = (node for node in walk(found["tree"]) if node["visit"] == 9)
    (leaf,) = node.pop("children")
    assert node == {
        "move": 7,
        "board": "XXOOO.XX.",
        "side": "min",
        "visit": 9,
        "depth": 6,
        "alpha": 0,
        "beta": None,
        "score": -92,
        "bound": "at_most",
        "value": -1.0,
        "outcome": "loss",
        "distance": 1,
        "nodes": 2,
        "cut": {
            "by": 5,
            "pruned": [8],
            "text": "X already has a draw elsewhere; here O wins, so X will not come here.",
        },
        "best": 5,
        "href": None,
    }
    assert (leaf["move"], leaf["distance"], leaf["cut"], leaf["best"]) == (5, 0, None, None)


@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta"])
def test_a_small_tree_has_no_collapsed_node(client: FlaskClient, algorithm: str) -> None:
    """With up to five empty cells the response has all visited nodes, without any `href`."""
    found = ask(client, board="X.O.O.X..", algorithm=algorithm)
    nodes = list(walk(found["tree"]))
    assert [node["visit"] for node in nodes] == list(range(1, found["nodes"] + 1))
    assert {node["href"] for node in nodes} == {None}


@pytest.mark.parametrize("scoring", ["distance", "outcome"])
@pytest.mark.parametrize("levels", [0, 1, 3])
@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta"])
def test_the_href_of_a_collapsed_node_returns_its_subtree(
    client: FlaskClient, algorithm: str, levels: int, scoring: str
) -> None:
    """The subtree at the `href` is the same as in the whole tree."""
    query = {"board": "X.O.O.X..", "algorithm": algorithm, "scoring": scoring}
    whole = {node["visit"]: node for node in walk(ask(client, **query)["tree"])}
    collapsed = [node for node in walk(ask(client, **query, levels=levels)["tree"]) if node["href"]]
    assert collapsed
    for node in collapsed:
        assert node["nodes"] > 1
        assert node["children"] == []
        assert node["best"] is None
        fields = dict(parse_qsl(urlsplit(node["href"]).query))
        assert ("levels" in fields) == (levels > 0)
        fields.pop("levels", None)
        below = ask(client, **fields)
        assert below["nodes"] == node["nodes"]
        assert placeless(below["tree"], 1) == placeless(whole[node["visit"]], node["visit"]) | {
            "move": None
        }
        assert client.get(urljoin("/search-tree", node["href"])).get_json()["tree"]["children"]


def test_the_order_determines_the_number_of_nodes(client: FlaskClient) -> None:
    """Every order finds the same score with its own number of nodes."""
    trees = [
        ask(client, board="XO.X..O..", order=order, levels=1)
        for order in ("best_first", "cells", "worst_first")
    ]
    assert [found["nodes"] for found in trees] == [47, 89, 217]
    assert {(found["tree"]["score"], found["order"]) for found in trees} == {
        (93, "best_first"),
        (93, "cells"),
        (93, "worst_first"),
    }
    collapsed = next(node for node in walk(trees[2]["tree"]) if node["href"])
    below = client.get(urljoin("/search-tree", collapsed["href"])).get_json()
    assert (below["order"], below["nodes"]) == ("worst_first", collapsed["nodes"])


def placeless(node: Json, first: int) -> Json:
    """Return a node and its descendants, with `first` subtracted from their visit numbers."""
    children = [placeless(child, first) for child in node["children"]]
    return node | {"visit": node["visit"] - first, "children": children}


def test_the_side_that_is_not_to_move_may_be_max(client: FlaskClient) -> None:
    """All scores are from MAX's point of view, whichever side is to move."""
    own, others = (ask(client, board="XX.OO....", starts="X", maximizer=side) for side in "XO")
    assert (own["tree"]["side"], own["tree"]["value"], own["tree"]["outcome"]) == ("max", 1, "win")
    assert (others["tree"]["side"], others["tree"]["value"], others["tree"]["outcome"]) == (
        "min",
        -1,
        "loss",
    )
    assert (own["maximizer"], others["maximizer"]) == ("X", "O")


@pytest.mark.parametrize("board", [".........", "X........", "XO.......", "XOX......"])
def test_a_tree_has_at_most_2000_nodes(client: FlaskClient, board: str) -> None:
    """However many levels are requested, a response has at most 2,000 nodes."""
    found = ask(client, board=board, levels=9, max_depth=6)
    assert sum(1 for _ in walk(found["tree"])) <= MAX_NODES
    assert found["levels"] < 9


@pytest.mark.parametrize("board", ["XX.OOO.X.", "XOXXOOOXX"], ids=["a win", "a draw"])
def test_a_finished_board_is_a_leaf(client: FlaskClient, board: str) -> None:
    """If the game is over, the tree is only its root."""
    found = ask(client, board=board)
    tree = found["tree"]
    assert (found["nodes"], tree["children"], tree["distance"], tree["best"], tree["href"]) == (
        1,
        [],
        0,
        None,
        None,
    )


INVALID = {
    "an algorithm that has no tree": (
        "algorithm=ordered_alphabeta",
        "#/algorithm",
        "wrong_value",
        'must be `minimax` or `alphabeta`, not "ordered_alphabeta".',
    ),
    "an unknown order": (
        "order=random",
        "#/order",
        "wrong_value",
        '`cells`, `best_first` or `worst_first`, not "random".',
    ),
    "levels below 0": ("levels=-1", "#/levels", "wrong_value", "an integer from 0 to 9"),
    "levels above 9": ("levels=10", "#/levels", "wrong_value", "an integer from 0 to 9"),
    "half a level": ("levels=1.5", "#/levels", "wrong_type", "an integer from 0 to 9"),
    "an alpha out of range": (
        "alpha=-101",
        "#/alpha",
        "wrong_value",
        "an integer from -100 to 100",
    ),
    "a beta out of range": ("beta=101", "#/beta", "wrong_value", "an integer from -100 to 100"),
    "a beta that is not a number": (
        "beta=null",
        "#/beta",
        "wrong_type",
        'an integer from -100 to 100, not "null".',
    ),
    "an invalid side": (
        "maximizer=max",
        "#/maximizer",
        "wrong_value",
        'must be `X` or `O`, not "max".',
    ),
    "a field of another request": (
        "analysis=true",
        "#/analysis",
        "unknown_field",
        "The fields are board, starts, played",
    ),
    "a misspelled field": ("Levels=2", "#/Levels", "unknown_field", "Did you mean `levels`?"),
    "a field that is repeated": (
        "levels=2&levels=3",
        "#/levels",
        "repeated_field",
        "Send it once.",
    ),
}


@pytest.mark.parametrize(("query", "pointer", "code", "advice"), INVALID.values(), ids=INVALID)
def test_a_tree_request_that_does_not_match_the_schema_is_rejected(
    client: FlaskClient, query: str, pointer: str, code: str, advice: str
) -> None:
    """The 400 names the error and says what to send."""
    found = problem(client.get(f"{PATH}?board=X...O....&{query}"), 400, "invalid_request")
    assert [(error["pointer"], error["code"]) for error in found["errors"]] == [(pointer, code)]
    assert advice in found["detail"]


WINDOWS = {
    "equal bounds": ("alpha=0&beta=0", "#/alpha", "empty_window", "0 is not below 0."),
    "alpha above beta": ("alpha=95&beta=-95", "#/alpha", "empty_window", "95 is not below -95."),
    "a window for minimax": (
        "algorithm=minimax&beta=0",
        "#/algorithm",
        "unused_window",
        "Minimax has no window",
    ),
}


@pytest.mark.parametrize(("query", "pointer", "code", "advice"), WINDOWS.values(), ids=WINDOWS)
def test_an_invalid_window_is_rejected(
    client: FlaskClient, query: str, pointer: str, code: str, advice: str
) -> None:
    """The 422 says what to change."""
    found = problem(client.get(f"{PATH}?board=X...O....&{query}"), 422, "invalid_window")
    assert [(error["pointer"], error["code"]) for error in found["errors"]] == [(pointer, code)]
    assert advice in found["detail"]


def test_an_impossible_position_gets_a_422(client: FlaskClient) -> None:
    """The 422 is the same as from /best-move."""
    query = "board=XX......."
    here, there = (client.get(f"{path}?{query}") for path in (PATH, "/best-move"))
    assert problem(here, 422, "illegal_position") == there.get_json()


def test_a_tree_may_be_cached(client: FlaskClient) -> None:
    """A tree may be cached for a day, and its weak ETag gets a 304."""
    url = f"{PATH}?board=X.O.O.X.."
    response = client.get(url)
    etag = response.headers["ETag"]
    assert etag.startswith('W/"')
    assert response.headers["Cache-Control"] == CACHEABLE
    assert response.content_length == len(response.data)
    assert response.text.endswith("}\n")
    unchanged = client.get(url, headers={"If-None-Match": etag})
    assert (unchanged.status_code, unchanged.data, unchanged.headers["ETag"]) == (304, b"", etag)
    other = client.get(f"{url}&algorithm=minimax", headers={"If-None-Match": etag})
    assert (other.status_code, other.headers["ETag"] != etag) == (200, True)
    head = client.head(url)
    assert (head.status_code, head.data, head.headers["ETag"]) == (200, b"", etag)


def test_a_tree_is_counted_as_a_request(client: FlaskClient) -> None:
    """The metrics count a request for a tree under its route."""
    ask(client, board="X.O.O.X..")
    assert f'route="{PATH}"' in client.get("/metrics").text
