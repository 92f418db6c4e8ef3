"""Words of the search page that name nodes: they and their nodes in the tree mark each other."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.elements import box, button, card, expect_step, node


def word(page: Page, text: str) -> Locator:
    """Return the first word of the lesson with a text."""
    return card(page).get_by_role("button", name=text, exact=True).first


@pytest.mark.smoke
def test_a_word_marks_its_node_by_pointer_and_by_keyboard(page: Page) -> None:
    """A click or the space bar keeps the mark, and announces the node; a second one removes it."""
    page.goto("/search?lesson=6")
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


def test_the_tree_scrolls_to_the_node_of_a_word(page: Page) -> None:
    """A node that stands for its mirror images is marked for each of them."""
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("/search?lesson=7&step=433")
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
