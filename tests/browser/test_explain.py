"""The search of the position on the board, drawn as a tree."""

import json
from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.playground import cell, expect_status, open_tab, radio

BOARD: Final = "X.O.O.X.."
ADDRESS: Final = f"/?board={BOARD}&you=both&view=explain"


def ask_tree(origin: str, board: str, algorithm: str) -> dict[str, Any]:
    """Ask the service itself for the search of a position."""
    query = urlencode({"board": board, "algorithm": algorithm})
    with urlopen(f"{origin}/search-tree?{query}") as response:  # noqa: S310, the address is the tests' own
        answer: dict[str, Any] = json.load(response)
    return answer


def outcomes(node: dict[str, Any], path: tuple[int, ...] = ()) -> Iterator[tuple[str, str]]:
    """Yield the path of each node of a tree, as moves, and what it is worth."""
    yield ",".join(map(str, path)), node["outcome"]
    for child in node["children"]:
        yield from outcomes(child, (*path, child["move"]))


def drawn(page: Page, *, state: str = "") -> Locator:
    """Return the nodes drawn, or those in a state."""
    return page.locator(f"#drawing .node[data-state={state}]" if state else "#drawing .node")


def node(page: Page, path: str) -> Locator:
    """Return the node that a path of moves leads to."""
    return page.locator(f"#drawing .node[data-path='{path}']")


@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta"])
def test_the_drawing_is_the_search(page: Page, origin: str, algorithm: str) -> None:
    """What an algorithm visited is drawn with what it found there, and the rest of minimax's tree as never visited."""
    page.goto(f"{ADDRESS}&tree={algorithm}")
    answer = ask_tree(origin, BOARD, algorithm)
    expect(page.locator("#tree-count")).to_have_text(str(answer["nodes"]))
    expect(drawn(page)).to_have_count(174)
    expect(drawn(page, state="never")).to_have_count(174 - answer["nodes"])
    shown = drawn(page, state="done").evaluate_all(
        "nodes => Object.fromEntries(nodes.map(node => [node.dataset.path, node.dataset.outcome]))"
    )
    assert shown == dict(outcomes(answer["tree"]))
    chosen = page.locator(".node.chosen").evaluate_all("nodes => nodes.map(node => node.dataset.path)")
    assert chosen == ["", "3"]


def test_one_switch_turns_one_search_into_the_other(page: Page) -> None:
    """The switch fills in what alpha-beta left out, on the same drawing, and takes away the marks of its cuts."""
    page.goto(ADDRESS)
    expect(page.locator("#tree-count")).to_have_text("42")
    expect(page.locator("#drawing .edge.cut")).to_have_count(21)
    drawing = page.locator("#drawing svg").element_handle()
    radio(page, "Searched by", "Minimax").check()
    expect(page.locator("#tree-count")).to_have_text("174")
    expect(page.locator("#drawing .edge.cut")).to_have_count(0)
    expect(drawn(page, state="never")).to_have_count(0)
    assert drawing.evaluate("svg => svg.isConnected")
    page.reload()
    expect(radio(page, "Searched by", "Minimax")).to_be_checked()
    expect(page.locator("#tree-count")).to_have_text("174")


def test_what_is_left_out_is_asked_for(page: Page) -> None:
    """Of a large tree the first plies are drawn; a click on one of the last draws what is below it."""
    page.goto("/?you=both&view=explain")
    expect(page.locator("#tree-count")).to_have_text("20,866")
    expect(drawn(page)).to_have_count(82)
    with page.expect_response("**/search-tree?*algorithm=alphabeta*") as answered:
        node(page, "0,1").click()
    below = answered.value.json()["tree"]
    expect(node(page, "0,1,2")).to_have_attribute("data-outcome", below["children"][0]["outcome"])
    expect(drawn(page, state="never").and_(page.locator("[data-path^='0,1,']"))).not_to_have_count(0)
    expect(page.locator("#tree-count")).to_have_text("20,866")


def test_the_drawing_follows_the_game(page: Page) -> None:
    """A move draws the search of the new position; a finished game has none, nor has any other tab."""
    page.goto(ADDRESS)
    expect(page.locator("#tree-count")).to_have_text("42")
    cell(page, 1).click()
    expect(page.locator("#tree-count")).to_have_text("17")
    expect(page.locator("#tree-sides")).to_have_text("O is to move and is MAX, X is MIN.")
    open_tab(page, "Compare")
    expect(page.locator("#search")).to_be_hidden()
    page.goto("/?played=0,4,8,1,3,7&view=explain")
    expect_status(page, "You lost: O won.")
    expect(page.locator("#search")).to_be_hidden()


@pytest.mark.parametrize("width", [390, 1280])
def test_the_drawing_is_scrolled_in_its_frame(page: Page, width: int) -> None:
    """However wide the tree, the page is not; its root is in sight."""
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(ADDRESS)
    expect(node(page, "")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    frame, root = page.locator("#drawing").bounding_box(), node(page, "").bounding_box()
    assert frame
    assert root
    assert frame["x"] < root["x"] < root["x"] + root["width"] < frame["x"] + frame["width"]
