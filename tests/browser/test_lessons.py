"""The lessons on the page: navigation, and what a lesson hides and shows."""

import re
from typing import Final

from playwright.sync_api import Browser, Page, expect

from best_move.web.pages.previews import LESSONS
from tests.browser.playground import button, choice
from tests.browser.search_page import (
    card,
    drawn,
    expect_count,
    expect_step,
    heading,
    node,
    place,
    words,
)
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


def test_the_first_lesson_hides_what_later_lessons_teach(page: Page) -> None:
    """It has neither options nor the names MAX and MIN, and its legend has no bounds."""
    page.goto("/search?lesson=1")
    expect_count(page, 11, 11)
    expect(page.locator("#drawing .node .grid")).to_have_count(11)
    for part in page.locator("main [data-from]").all():
        expect(part).to_be_hidden()
    expect(page.locator(".names .side").first).to_be_hidden()
    signs = " win for X draw loss for X best play not visited yet being searched"
    expect(page.locator("#legend")).to_have_text(signs)
    page.goto("/search?lesson=2")
    expect(page.locator(".names .side").first).to_be_visible()
    page.goto("/search?lesson=10")
    for part in page.locator("main [data-from]").all():
        expect(part).to_be_visible()


def test_the_terms_of_a_step_link_to_the_lessons_that_explain_them(page: Page) -> None:
    """Each link has the meaning as its title, and the browser's history leads back to the step."""
    for term, title in (("MIN", TITLES[2]), ("\u03b1", TITLES[3]), ("\u03b2", TITLES[3])):
        page.goto("/search?lesson=5&step=18")
        link = page.locator("#moment-numbers").get_by_role("link", name=term, exact=True)
        assert link.get_attribute("title")
        link.click()
        expect(heading(page)).to_have_text(title)
        page.go_back()
        expect_step(page, 18)


def test_a_lesson_on_a_larger_tree_draws_one_branch(page: Page) -> None:
    """The whole tree is drawn by a button, and by a click on a node whose children are left out."""
    page.goto("/search?lesson=5")
    expect_count(page, 10, 42)
    assert drawn(page).count() == page.locator("#drawing .node .grid").count() < 30
    node(page, "3").click()
    button(page, "Whole tree").click()
    expect(drawn(page)).to_have_count(174)
    page.wait_for_url("**whole=true*")
    button(page, "Whole tree").click()
    node(page, "1,8").click()
    expect(drawn(page)).to_have_count(174)
    button(page, "Step back").click()
    expect(page.locator("#drawing .edge.cut")).to_have_count(0)


def test_the_lesson_on_move_order_changes_with_the_order(page: Page) -> None:
    """The page counts the nodes in each order that the lesson names."""
    page.goto("/search?lesson=9")
    for name, nodes in (("By number", 89), ("Best first", 47), ("Worst first", 217)):
        choice(page, "Order").select_option(label=name)
        expect_count(page, nodes, nodes)
    page.wait_for_url("**order=worst_first*")


def test_the_lesson_on_depth_limits_has_a_second_board(page: Page) -> None:
    """Links lead there and back, and its URL opens the lesson with the text for this board."""
    page.goto("/search?lesson=10")
    page.get_by_role("link", name="What lies beyond the limit").click()
    for depth, move in ((2, 0), (4, 2)):
        choice(page, "Depth").select_option(f"{depth}")
        expect(page.locator("#moment-sentence")).to_contain_text(f"X plays {move}: score")
    last = page.locator("#step").get_attribute("max")
    page.wait_for_url(f"**lesson=10&board=.O.X.O...*max_depth=4*&step={last}")
    page.reload()
    expect(page.locator("#moment-sentence")).to_contain_text("X plays 2: score")
    expect(words(page)).to_contain_text("horizon effect")
    page.get_by_role("link", name="Back to the empty board").click()
    expect_step(page, 235)
    expect(words(page)).to_contain_text("Most games")


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


def test_an_unknown_lesson_opens_the_first_lesson(page: Page) -> None:
    """A URL with neither a position nor a known lesson shows the first lesson."""
    for query in ("lesson=11", "step=x&algorithm=table"):
        page.goto(f"/search?{query}")
        expect(place(page)).to_have_text(f"Lesson 1 of {len(LESSONS)}")
        expect_step(page, 26)
