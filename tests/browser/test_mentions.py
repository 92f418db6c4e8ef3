"""Words of the search page that name nodes: they and their nodes in the tree mark each other."""

import re
from typing import Final

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.playground import button
from tests.browser.search_page import card, expect_step, node
from tests.browser.test_accessibility import box

#  Points at each visible word and at each of its nodes. Returns the number of words, and the words
#  that do not mark exactly their nodes and the edges to these, or that one of the nodes does not
#  mark. The edge to a node ends at its top.
MISMARKED: Final = """() => {
    const nodes = [...document.querySelectorAll("#drawing .node")];
    const words = [...document.querySelectorAll("#search [data-paths]")]
        .filter((word) => word.checkVisibility());
    const point = (place) =>
        place.dispatchEvent(new PointerEvent("pointerover", { bubbles: true }));
    const isMarked = (each) => each.matches(".marked");
    const pathOf = ({ dataset: { path } }) => path;
    const endOf = (way) => {
        const end = way.getPointAtLength(way.getTotalLength());
        const { x, y } = end.matrixTransform(way.getScreenCTM());
        return nodes.find((each) => {
            const { left, right, top } = each.querySelector(".card").getBoundingClientRect();
            return Math.abs((left + right) / 2 - x) < 3 && Math.abs(top - y) < 6;
        });
    };
    const wrong = words.filter((word) => {
        const named = JSON.parse(word.dataset.paths).sort();
        point(word);
        const found = nodes.filter(isMarked).map(pathOf).sort();
        const edges = [...document.querySelectorAll("#drawing .edge.marked .way")];
        const ends = edges.map(endOf).map(pathOf).sort();
        return String(found) !== String(named)
            || String(ends) !== String(named.filter((path) => path))
            || !isMarked(word)
            || named.some((path) => {
                point(document.getElementById("search"));
                const before = isMarked(word);
                point(nodes.find((each) => pathOf(each) === path));
                return before || !isMarked(word);
            });
    });
    point(document.getElementById("search"));
    return [words.length, wrong.map(({ textContent }) => textContent)];
}"""

GO: Final = """step => {
    const slider = document.getElementById("step");
    slider.value = step;
    slider.dispatchEvent(new Event("input"));
}"""


def linked(page: Page) -> int:
    """Assert that each word on the page and its nodes mark each other; return how many words."""
    words, wrong = page.evaluate(MISMARKED)
    assert wrong == []
    return int(words)


def word(page: Page, text: str) -> Locator:
    """Return the first word of the lesson with a text."""
    return card(page).get_by_role("button", name=text, exact=True).first


@pytest.mark.parametrize(("width", "height"), [(1366, 768), (390, 844), (320, 568)])
def test_the_words_of_each_lesson_mark_their_nodes(page: Page, width: int, height: int) -> None:
    """All of them are drawn at once, in a narrow window too."""
    page.set_viewport_size({"width": width, "height": height})
    for lesson in (*range(1, 11), "10&board=.O.X.O..."):
        page.goto(f"/search?lesson={lesson}&merge=false")
        expect(page.locator("#drawing")).to_have_attribute("aria-busy", "false")
        assert linked(page) >= (lesson != 9)


@pytest.mark.parametrize(
    "query", ["lesson=3", "lesson=5&whole=true", "board=X...O....&max_depth=3"]
)
def test_the_words_of_each_step_mark_their_nodes(page: Page, query: str) -> None:
    """They do so throughout a search."""
    page.goto(f"/search?{query}&step=0")
    expect_step(page, 0)
    last = int(page.locator("#step").get_attribute("max") or 0)
    words = 0
    for step in range(0, last + 1, 1 + last // 60):
        page.evaluate(GO, step)
        words += linked(page)
    assert words > 40


def test_the_words_of_each_question_mark_their_nodes(page: Page) -> None:
    """The answers do so, too, and an answer that is chosen stays marked."""
    page.goto("/search?board=O.X.X.O..&starts=X&scoring=outcome&predict=true")
    expect(page.locator("#predict-text")).to_be_visible()
    words = 0
    for _ in range(10):
        words += linked(page)
        choices = page.locator("#predict-choices input")
        if choices.first.get_attribute("type") == "text":
            choices.fill("0")
        else:
            choices.first.check()
        page.mouse.move(0, 0)
        named = page.locator("#predict-choices label[data-paths]").count()
        expect(page.locator("#drawing .node.marked")).to_have_count(min(named, 1))
        button(page, "Answer").click()
        if button(page, "Next question").is_visible():
            button(page, "Next question").click()
    assert words > 20


@pytest.mark.smoke
def test_a_word_marks_its_node_by_pointer_and_by_keyboard(page: Page) -> None:
    """A click or the space bar keeps the mark, and announces the node; a second one removes it."""
    page.goto("/search?lesson=5")
    expect_step(page, 19)
    marked = page.locator("#drawing .node.marked")
    word(page, "O 5").hover()
    expect(marked).to_have_attribute("data-path", "1,3,7,5")
    page.mouse.move(0, 0)
    expect(marked).to_have_count(0)
    node(page, "1,3,7,8").hover()
    expect(page.locator(".mention.marked")).to_have_text(["O 8", "O 8"])
    page.mouse.move(0, 0)
    word(page, "X 3").focus()
    page.keyboard.press("Tab")
    expect(word(page, "X 1")).not_to_be_focused()
    expect(marked).to_have_attribute("data-path", "1")
    page.keyboard.press("Space")
    expect(page.locator("#announcement")).to_have_text("X 1: being searched")
    page.keyboard.press("Tab")
    assert [each.get_attribute("data-path") for each in marked.all()] == ["1", "1,3"]
    button(page, "Step back").click()
    expect(marked).to_have_attribute("data-path", "1")
    page.locator(".mention[aria-pressed=true]").click()
    page.mouse.move(0, 0)
    expect(marked).to_have_count(0)
    node(page, "1,3,5").click()
    page.mouse.move(0, 0)
    expect(card(page).locator(".marked")).to_have_text("5")
    page.get_by_role("link", name="Next", exact=True).click()
    expect(marked).to_have_count(0)


def test_the_branch_of_a_word_is_drawn(page: Page) -> None:
    """If a lesson leaves it out, a click on the word draws the whole tree and marks the node."""
    page.goto("/search?lesson=5&step=29")
    expect_step(page, 29)
    expect(node(page, "1,5,3")).to_have_count(0)
    page.locator("#moment-sentence").get_by_role("button", name="X plays 3").click()
    expect(node(page, "1,5,3")).to_have_class(re.compile("marked"))


def test_the_tree_scrolls_to_the_node_of_a_word(page: Page) -> None:
    """A node that stands for its mirror images is marked for each of them."""
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("/search?lesson=6&step=433")
    expect_step(page, 433)
    page.mouse.move(0, 0)
    frame = box(page.locator("#drawing"))
    first = node(page, "2,7")
    assert box(first)["right"] < frame["left"]
    card(page).get_by_role("button", name="7").first.focus()
    assert frame["left"] < box(first)["left"] < box(first)["right"] < frame["right"]
    page.goto("/search?board=.........&starts=X&step=99&merge=true")
    page.locator("#moment-sentence").get_by_role("button", name="X plays 8").hover()
    expect(page.locator("#drawing .node.marked")).to_have_attribute("data-path", "0")
