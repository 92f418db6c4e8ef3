"""The picture of a search in the README."""

import re
from xml.etree import ElementTree as ET

import pytest
from playwright.sync_api import Browser

from tests.browser.search_picture import FILES, SVG, draw, pruned, search
from tests.readme import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
MOST_BYTES = 150_000


def tree(picture: str) -> ET.Element:
    """Return the tree in a picture, without title and legend."""
    found = ET.fromstring(picture).findall(f"{SVG}g")  # noqa: S314, the project's own
    return found[0]


@pytest.mark.parametrize("scheme", FILES)
def test_the_picture_has_every_node_and_every_pruned_move(scheme: str) -> None:
    """A node that alpha-beta never visits is dashed, and each pruned move has a tick."""
    drawn = tree(FILES[scheme].read_text(encoding="utf-8"))
    nodes = list(drawn.iter(f"{SVG}rect"))
    assert len(nodes) == search("minimax").nodes
    assert sum("stroke-dasharray" not in node.attrib for node in nodes) == search("alphabeta").nodes
    ticks = [path for path in drawn.iter(f"{SVG}path") if path.attrib["d"].endswith("l8-5")]
    assert len(ticks) == pruned(search("alphabeta"))


@pytest.mark.parametrize("scheme", FILES)
def test_the_picture_equals_the_drawing_of_the_page(
    browser: Browser, origin: str, scheme: str
) -> None:
    """Shapes, positions and texts equal those that `make picture` would save now."""
    kept, now = (
        [
            (shape.get("d"), shape.get("transform"), (shape.text or "").strip())
            for shape in tree(picture).iter()
        ]
        for picture in (FILES[scheme].read_text(encoding="utf-8"), draw(browser, origin, scheme))
    )
    assert kept == now


def test_the_pictures_are_small_files() -> None:
    """Each file is smaller than `MOST_BYTES`."""
    assert all(file.stat().st_size < MOST_BYTES for file in FILES.values())


def test_the_readme_has_the_numbers_of_the_picture() -> None:
    """The README has the number of nodes of each search, and both searches find the same move."""
    found = re.search(
        r"minimax visits (\d+) nodes and alpha-beta (\d+), for the same\s+move", README
    )
    assert found
    minimax, alphabeta = search("minimax"), search("alphabeta")
    assert [*map(int, found.groups())] == [minimax.nodes, alphabeta.nodes]
    assert minimax.best_child
    assert alphabeta.best_child
    assert minimax.best_child.move == alphabeta.best_child.move
    assert all(str(file.relative_to(ROOT)) in README for file in FILES.values())
