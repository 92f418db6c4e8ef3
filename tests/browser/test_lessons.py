"""The lessons on the page: what a browser shows of them, also without scripts."""

import re

from playwright.sync_api import Browser, Page, expect

from best_move.web.pages.lessons import LESSONS
from tests.browser.elements import card
from tests.readme import section


def test_the_names_of_the_sides_are_hidden_until_a_lesson_explains_them(page: Page) -> None:
    """The drawing of the first lesson on a board names neither MAX nor MIN."""
    for lesson in (2, 3):
        page.goto(f"/search?lesson={lesson}")
        expect(page.locator(".names text").first).to_be_visible()
        expect(page.locator(".names .side").first).to_be_visible(visible=lesson > 2)


def test_the_links_of_the_readme_open_the_pages_that_they_name(page: Page) -> None:
    """They lead to the first lesson, the exercise after the last lesson, and trees of numbers."""
    links = re.findall(r"<http://localhost:8000([^>]+)>", section("Learn minimax").text)
    first, questions, *trees = links
    for tree, leaves in zip(trees, (9, 9), strict=True):
        page.goto(tree)
        expect(page.locator("#drawing .leaf.value")).to_have_count(leaves)
    page.goto(first)
    expect(card(page).get_by_role("heading")).to_have_text(LESSONS[1].title)
    page.goto("/search?lesson=11")
    page.get_by_role("link", name="Exercise", exact=True).click()
    expect(page.locator("#exercise-task")).to_be_visible()
    assert page.url.endswith(questions)


def test_the_lessons_can_be_read_without_scripts(browser: Browser, origin: str) -> None:
    """Without JavaScript all lessons are shown, one below the other, and no empty controls."""
    with browser.new_page(java_script_enabled=False) as page:
        page.goto(f"{origin}/search")
        headings = page.locator("#lesson").get_by_role("heading")
        assert headings.all_inner_texts() == [lesson.title for lesson in LESSONS.values()]
        expect(page.get_by_text("Each node is a position")).to_be_visible()
        expect(page.locator("main").get_by_role("button")).to_have_count(0)
