"""The lessons on the page: navigation, and what a lesson hides and shows."""

import re
from typing import Final

from playwright.sync_api import Browser, Page, expect

from best_move.web.pages.previews import LESSONS
from tests.browser.playground import button
from tests.browser.search_page import card, heading, place, words
from tests.readme import section

TITLES: Final = {number: lesson.title for number, lesson in LESSONS.items()}


def test_next_and_back_lead_through_the_lessons(page: Page) -> None:
    """Each lesson has a URL and three or four sentences, and the last leads to an exercise."""
    page.goto("/search")
    for number, title in TITLES.items():
        expect(heading(page)).to_have_text(title)
        expect(place(page)).to_have_text(f"Lesson {number} of {len(TITLES)}")
        expect(page.locator(".path [aria-current]")).to_have_text(f"{number}")
        assert page.title().startswith(f"{title} · Lesson {number} of ")
        assert 3 <= len(re.findall(r"\.(?: |$)", words(page).inner_text())) <= 4
        card(page).get_by_role("link", name=re.compile("^(Next|Exercise)$")).click()
    expect(page.locator("#predict-text")).to_be_visible()
    expect(words(page)).to_be_hidden()
    page.go_back()
    expect(heading(page)).to_have_text(TITLES[10])
    page.get_by_role("link", name="Back", exact=True).click()
    page.wait_for_url("**?lesson=9")
    button(page, "Step back").click()
    page.wait_for_url("**?lesson=9&step=230")
    expect(heading(page)).to_have_text(TITLES[9])


def test_the_names_of_the_sides_are_hidden_until_a_lesson_explains_them(page: Page) -> None:
    """The drawing of the first lesson names neither MAX nor MIN."""
    for lesson in (1, 2):
        page.goto(f"/search?lesson={lesson}")
        expect(page.locator(".names text").first).to_be_visible()
        expect(page.locator(".names .side").first).to_be_visible(visible=lesson > 1)


def test_the_links_of_the_readme_open_the_pages_that_they_name(page: Page) -> None:
    """They lead to the first lesson, and to the exercise after the last lesson."""
    first, questions = re.findall(r"<http://localhost:8000([^>]+)>", section("Learn minimax").text)
    page.goto(first)
    expect(heading(page)).to_have_text(TITLES[1])
    page.goto(questions)
    expect(page.locator("#predict-text")).to_be_visible()
    page.goto("/search?lesson=10")
    page.get_by_role("link", name="Exercise", exact=True).click()
    assert page.url.endswith(questions)


def test_the_lessons_can_be_read_without_scripts(browser: Browser, origin: str) -> None:
    """Without JavaScript all lessons are shown, one below the other, and no empty controls."""
    with browser.new_page(java_script_enabled=False) as page:
        page.goto(f"{origin}/search")
        headings = page.locator("#lesson").get_by_role("heading")
        assert headings.all_inner_texts() == [*TITLES.values()]
        expect(page.get_by_text("Each node is a position")).to_be_visible()
        expect(page.locator("main").get_by_role("button")).to_have_count(0)
