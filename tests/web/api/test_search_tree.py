"""The routes of search trees: approved trees, subtrees on request, and caching."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urljoin, urlsplit

import pytest
from flask.testing import FlaskClient

from best_move.web.api.responses import FOR_A_DAY
from tests.plays import Shown, check_play

PATH = "/search-tree"

Json = dict[str, Any]


def ask(client: FlaskClient, **fields: object) -> Json:
    """Return the JSON of the response to a query; assert that the status is 200."""
    return ask_at(PATH, client, fields)


def ask_at(path: str, client: FlaskClient, fields: Mapping[str, object]) -> Json:
    """Return the JSON of the response of a path, as `ask` does."""
    response = client.get(path, query_string=fields)
    assert response.status_code == 200, response.text
    found: Json = response.get_json()
    return found


def told(fields: Json, children: list[Json]) -> Iterator[str]:
    """Yield a line with the fields that are not null, and the indented lines of each child."""
    given = {name: value for name, value in fields.items() if value is not None}
    yield ", ".join(f"{name} {json.dumps(value)}" for name, value in given.items()).replace('"', "")
    for child in children:
        yield from (f"  {line}" for line in told(child, child.pop("children")))


@pytest.mark.parametrize(
    ("path", "play"), [(PATH, "search_tree.txt"), ("/number-tree", "number_tree.txt")]
)
def test_the_trees_are_those_that_were_approved(client: FlaskClient, path: str, play: str) -> None:
    """Each has the options of the search, and each node what the search did there."""

    def get(actions: list[str]) -> Shown:
        tree = ask_at(path, client, dict(parse_qsl(actions[0].removeprefix("get "))))
        return Shown([], {}, {"tree": "\n".join(told(tree, [tree.pop("tree")]))})

    check_play(Path(__file__).with_name(play), get)


def walk(node: Json) -> Iterator[Json]:
    """Yield a node and its descendants, the children in order."""
    yield node
    for child in node["children"]:
        yield from walk(child)


def placeless(node: Json, first: int) -> Json:
    """Return a node and its descendants, with `first` subtracted from their visit numbers."""
    children = [placeless(child, first) for child in node["children"]]
    return node | {"visit": node["visit"] - first, "children": children}


@pytest.mark.parametrize("scoring", ["distance", "outcome"])
@pytest.mark.parametrize("plies", [0, 1, 3])
@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta"])
def test_the_href_of_a_collapsed_node_returns_its_subtree(
    client: FlaskClient, algorithm: str, plies: int, scoring: str
) -> None:
    """The subtree at the `href` is the same as in the whole tree."""
    query: Json = {"board": "X.O.O.X..", "algorithm": algorithm, "scoring": scoring}
    query["order"] = "worst_first"
    whole = {node["visit"]: node for node in walk(ask(client, **query)["tree"])}
    assert {node["href"] for node in whole.values()} == {None}
    collapsed = [node for node in walk(ask(client, **query, plies=plies)["tree"]) if node["href"]]
    assert collapsed
    for node in collapsed:
        assert node["nodes"] > 1
        assert (node["children"], node["best"]) == ([], None)
        assert ("plies=" in node["href"]) == (plies > 0)
        assert client.get(urljoin(PATH, node["href"])).get_json()["tree"]["children"]
        fields = dict(parse_qsl(urlsplit(node["href"]).query))
        below = ask(client, **fields | {"plies": 9})
        assert below["nodes"] == node["nodes"]
        expected = placeless(whole[node["visit"]], node["visit"])
        assert placeless(below["tree"], 1) == expected | {"move": None}


def test_a_tree_may_be_cached(client: FlaskClient) -> None:
    """A tree may be cached for a day, and another tree has another weak ETag."""
    one, other = (
        client.get(f"{PATH}?board=X.O.O.X..{more}") for more in ("", "&algorithm=minimax")
    )
    assert one.headers["ETag"].startswith('W/"')
    assert one.headers["ETag"] != other.headers["ETag"]
    assert one.headers["Cache-Control"] == FOR_A_DAY
    assert one.content_length == len(one.data)
