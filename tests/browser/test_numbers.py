"""Trees of numbers in Chromium: typing, fields in their places, late answers, and phones."""

import re
from typing import Final

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.elements import box, button

FIGURE: Final = "/search?tree=[[3,12,8],[2,4,6],[14,5,2]]"
UNEVEN: Final = "/search?tree=[[[3,5],[6,9],7],[[1,2],[0,-1]],4]"


def shown(page: Page) -> str:
    """Return the scores of the inner nodes, from the root on."""
    return " ".join(page.locator("#drawing .score").all_text_contents())


def told(page: Page) -> str:
    """Return the tree in the URL, without blanks."""
    page.wait_for_timeout(400)  # the URL follows
    return re.sub(r".*tree=([^&]*).*", r"\1", page.url)


@pytest.mark.smoke
def test_numbers_are_typed_into_leaves_one_after_the_other(page: Page) -> None:
    """A click or the Tab key selects a number, keys replace it, and the values follow.

    The Enter key leaves the focus where it is; the Escape key moves it to the leaf in the tree.
    """
    page.goto(FIGURE)
    expect(page.get_by_label("Leaf H")).to_have_value("2")
    assert shown(page) == "3 3 \u2264 2 2"
    page.get_by_label("Leaf H").click()
    page.keyboard.type("-12")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Leaf H")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.type("9")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.type("4")
    expect(page.get_by_label("Leaf K")).to_be_focused()
    expect(page.locator("#position-cost")).to_contain_text("Never evaluated: I (9), J (6).")
    assert told(page) == "[[3,12,8],[-12,9,6],[4,5,2]]"
    assert shown(page) == "3 3 \u2264 \u221212 2"
    page.keyboard.press("ArrowUp")
    expect(page.get_by_label("Leaf K")).to_have_value("5")
    page.keyboard.press("Escape")
    expect(page.get_by_role("treeitem", name="K: 5, leaf")).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Leaf L")).to_be_focused()
    for tree in ("[[3,12,8],[-12,9,6],[14,5,2]]", "[[3,12,8],[-12,4,6],[14,5,2]]"):
        button(page, "Undo").click()
        assert told(page) == tree


@pytest.mark.parametrize(
    ("address", "first"),
    [(FIGURE, "Leaf E"), (f"{FIGURE}&predict=true&at_once=true", "Cut the branch to F")],
)
def test_a_skip_link_leads_to_the_fields_of_the_tree(page: Page, address: str, first: str) -> None:
    """The Tab key goes on to the selected node, and from there to the first field."""
    page.goto(address)
    expect(page.get_by_label(first)).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(page.get_by_text("Skip to the tree")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_role("treeitem", name=re.compile("^A: "))).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_label(first)).to_be_focused()


def test_one_request_is_sent_after_the_last_key_and_a_late_answer_never_wins(page: Page) -> None:
    """The last answer stays meanwhile; that to an earlier number arrives last, and is ignored."""
    page.goto(FIGURE)
    expect(page.get_by_label("Leaf H")).to_have_value("2")
    held: list[Route] = []
    page.route("**/number-tree?*", lambda route: held.append(route))  # noqa: PLW0108, Playwright names the handler
    page.get_by_label("Leaf H").click()
    page.keyboard.type("777", delay=20)
    page.wait_for_timeout(300)
    page.keyboard.type("7")  # more digits than a leaf may have
    expect(page.locator("#edited")).to_have_text("A leaf is a whole number from \u2212999 to 999.")
    page.keyboard.press("Backspace")
    page.keyboard.press("Backspace")
    page.wait_for_timeout(300)
    assert ["777" in held[0].request.url, "77%2C4" in held[1].request.url] == [True, True]
    assert len(held) == 2
    assert shown(page) == "3 3 \u2264 2 2"
    held[1].continue_()
    expect(page.locator("#drawing .leaf", has_text="77")).to_be_visible()
    held[0].continue_()
    page.wait_for_timeout(200)
    expect(page.locator("#drawing .leaf", has_text="777")).to_have_count(0)
    expect(page.get_by_label("Leaf H")).to_have_value("77")
    expect(page.get_by_label("Leaf H")).to_be_focused()


#  Returns the fields that are not over their leaves, or that another field or the frame covers.
MISPLACED: Final = """() => [...document.querySelectorAll(".layer .leaf")].filter((field) => {
    const [path] = JSON.parse(field.dataset.paths);
    const node = document.querySelector(`.node[data-path="${path}"] .card`);
    const [at, on] = [field, node].map((each) => each.getBoundingClientRect());
    const middle = [on.x + on.width / 2, on.y + on.height / 2];
    field.scrollIntoView({ block: "center", inline: "center" });
    const now = node.getBoundingClientRect();
    const hit = document.elementFromPoint(now.x + now.width / 2, now.y + now.height / 2);
    return Math.hypot(at.x + at.width / 2 - middle[0], at.y + at.height / 2 - middle[1]) > 2 ||
        at.width < on.width * 0.9 || hit !== field;
}).map((field) => field.ariaLabel)"""


@pytest.mark.parametrize("address", [FIGURE, UNEVEN, "/search?tree=random(4,3,1)", "/search"])
def test_each_field_is_over_its_leaf(page: Page, address: str) -> None:
    """It is at five widths, zoomed in, and after a branch was added; a click on a leaf hits it."""
    page.goto(address)
    for width in (320, 390, 768, 1366, 1920):
        page.set_viewport_size({"width": width, "height": 844})
        expect(page.locator(".layer .leaf").first).to_be_visible()
        page.wait_for_timeout(100)
        assert page.evaluate(MISPLACED) == [], width
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
    button(page, "Zoom in").click()
    page.wait_for_timeout(100)
    assert page.evaluate(MISPLACED) == []
    if button(page, "Add a branch").is_visible():
        count = page.locator(".layer .leaf").count()
        page.get_by_role("treeitem", name=re.compile("^B: ")).press("Enter")
        button(page, "Add a branch").click()
        expect(page.locator(".layer .leaf")).to_have_count(count + 1)
        page.wait_for_timeout(100)
        assert page.evaluate(MISPLACED) == []


@pytest.mark.parametrize("width", [320, 390])
def test_the_first_lesson_fits_a_phone(page: Page, width: int) -> None:
    """Its whole tree is visible without scrolling sideways, and its numbers have ten pixels."""
    page.set_viewport_size({"width": width, "height": 844})
    page.goto("/search")
    frame = page.locator("#drawing")
    expect(frame.locator("svg")).to_be_visible()
    assert frame.evaluate("place => place.scrollWidth <= place.clientWidth")
    for number in frame.locator(".value").all():
        assert box(number)["height"] >= 10


def test_the_lesson_leads_on_to_boards_and_back(page: Page) -> None:
    """The tree of numbers and its controls give way to a board, and return as they were."""
    page.goto("/search")
    page.get_by_label("Leaf K").fill("1")
    expect(page.locator("#drawing .edge.cut")).to_have_count(4)
    page.get_by_role("link", name="Next").click()
    expect(page.locator("#moment-board")).to_be_visible()
    expect(page.locator("#drawing .grid").first).to_be_visible()
    expect(page.locator(".layer, .of-numbers:visible")).to_have_count(0)
    page.go_back()
    expect(page.get_by_label("Leaf K")).to_have_value("1")
    expect(page.locator("#moment-board")).to_be_hidden()
    expect(page.locator("#drawing .edge.cut")).to_have_count(4)
