"""The pictures of trees of numbers: they show each leaf and each node, and give no values away."""

import re
from collections import Counter
from random import Random
from xml.etree import ElementTree as ET

import pytest
from flask.testing import FlaskClient

from best_move.web.api.number_pictures import draw
from best_move.web.api.responses import FOR_A_DAY
from tests.truth.number_trees import any_tree, leaves
from tests.truth.textbook import Numbers, NumberSearch

SVG = "{http://www.w3.org/2000/svg}"
SIZE = (600, 315)


def numbers(text: str) -> list[float]:
    """Return the numbers in an attribute."""
    return [float(number) for number in re.findall(r"-?\d*\.?\d+", text)]


def check_picture(tree: list[Numbers], *, is_max: bool) -> None:
    """Assert that a picture has a square for each leaf, and the triangle of each other node."""
    root = ET.fromstring(draw(tree, is_max=is_max))  # noqa: S314, the service's own
    search = NumberSearch(tree, prunes=False, root="max" if is_max else "min")
    inner = [path for path in search.paths if search.leaf(path) is None]
    triangles = [each for each in root.iter(f"{SVG}path") if each.get("fill") == "#fff"]
    up = Counter(numbers(each.attrib["d"])[3] > 0 for each in triangles)
    assert up == Counter(search.is_max(path) for path in inner)
    squares = [each for each in root.iter(f"{SVG}rect") if each.get("fill") == "#fff"]
    assert len(squares) == len(search.paths) - len(inner) == leaves(tree)
    edges = [each for each in root.iter(f"{SVG}path") if "L" in each.attrib["d"]]
    assert len(edges) == len(search.paths) - 1
    right = 0.0
    for square in sorted(squares, key=lambda each: float(each.attrib["x"])):
        x, y, width, height = (float(square.attrib[name]) for name in ("x", "y", "width", "height"))
        assert right < x
        right = x + width
        assert 0 < y < y + height < SIZE[1]
    assert right < SIZE[0]
    drawn = [len(each.findall(f"{SVG}path")) for each in root.iter(f"{SVG}g")][1:]
    written = [len(str(search.leaf(path))) for path in search.paths if path not in inner]
    assert Counter(drawn) == Counter(written)


@pytest.mark.parametrize("is_max", [True, False], ids=["MAX", "MIN"])
def test_a_picture_has_each_leaf_and_each_node(
    is_max: bool,  # noqa: FBT001, it is in the table
) -> None:
    """In generated trees no leaf overlaps another or leaves the picture."""
    dice = Random(1)  # noqa: S311, the same trees in each run
    trees: list[list[Numbers]] = [[3], [[[[[[[[3]]]]]]]], [list(range(10)) for _ in range(10)]]
    for tree in (*trees, *(any_tree(dice) for _ in range(60))):
        check_picture(tree, is_max=is_max)


def test_each_digit_has_a_form_of_its_own() -> None:
    """No two characters of numbers are drawn alike."""
    svg = draw([123, 456, 789, -12, 0], is_max=True)
    forms = set(re.findall(r'<path d="([^"]+)" transform', svg))
    assert len(forms) == 11


def test_the_png_has_the_size_of_link_previews(client: FlaskClient) -> None:
    """The PNG has 600 by 315 pixels, depends on tree and root, and may be cached for a day."""
    queries = ("tree=[3,[5,2]]", "tree=[3,[5,2]]&root=min", "tree=(3 (5 2))&root=max")
    responses = [client.get(f"/tree.png?{query}") for query in queries]
    assert {response.headers["Cache-Control"] for response in responses} == {FOR_A_DAY}
    first, second, again = (response.data for response in responses)
    assert first[:8] == b"\x89PNG\r\n\x1a\n"
    assert tuple(int.from_bytes(first[start : start + 4]) for start in (16, 20)) == SIZE
    assert len(first) < 20_000
    assert first == again != second


@pytest.mark.parametrize("query", ["", "tree=[3,x]", "tree=[3]&root=X", "tree=[3]&cut=above"])
def test_an_invalid_tree_gets_a_problem(client: FlaskClient, query: str) -> None:
    """Only the tree and its root are parameters, and errors are those of the search."""
    response = client.get(f"/tree.png?{query}")
    assert response.status_code in (400, 422)
    assert response.mimetype == "application/problem+json"
    assert response.headers["Cache-Control"] == "no-store"
