"""The exercise, in which the user predicts events of a search."""

import re
from typing import Final

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.playground import button, radio, style
from tests.browser.search_page import ascii_text, expect_step, node, numbers, sentence
from tests.browser.test_accessibility import box, violations

#  The first exercise, which has every kind of question except one.
BOARD: Final = "O.X.X.O.."
PREDICT: Final = f"/search?board={BOARD}&starts=X&scoring=outcome&predict=true"


def question(page: Page) -> Locator:
    """Return the question shown, whose text is its accessible name."""
    return page.locator("#predict").get_by_role("group")


def score(page: Page) -> Locator:
    """Return the text with the numbers of the question and of right answers."""
    return page.locator("#predict-score")


def told(page: Page) -> Locator:
    """Return the feedback on the answer."""
    return page.locator("#predict-feedback")


def choose(page: Page, *texts: str) -> None:
    """Choose the answers that start with these texts, and submit them."""
    for text in texts:
        question(page).locator("label").filter(has_text=re.compile(f"^{re.escape(text)}")).click()
    button(page, "Answer").click()


def test_an_exercise_is_answered_to_its_end(page: Page) -> None:
    """At the end the score counts all right answers, and links lead to another position."""
    page.goto(PREDICT)
    right = 0
    for place in range(1, 11):
        field = question(page).get_by_role("textbox")
        if field.count():
            field.fill("0")
        else:
            question(page).get_by_role("radio").or_(page.get_by_role("checkbox")).last.check()
        button(page, "Answer").click()
        right += told(page).inner_text().startswith("Right. ")
        expect(score(page)).to_have_text(f"Question {place} of 10 · {right} of {place} right")
        if place < 10:
            button(page, "Next question").click()
    assert 0 < right < 10
    expect(button(page, "Next question")).to_be_hidden()
    expect(page.get_by_role("link", name="Lessons", exact=True).last).to_be_visible()
    page.get_by_role("link", name="Another position").click()
    expect(score(page)).to_have_text("Question 1 of 10")
    assert "board=X...O.OX." in page.url
    expect(page.get_by_role("link", name="Another position")).to_be_hidden()


def tops(page: Page) -> list[float]:
    """Return the vertical positions of the drawing, the choices and the button."""
    return [
        box(page.locator(part))["top"] for part in ("#drawing", "#predict-choices", "#predict-go")
    ]


def test_the_question_before_a_cutoff_does_not_show_its_answer(page: Page) -> None:
    """No sentence is shown, a node shows only known numbers."""
    page.goto(PREDICT)
    expect(question(page)).to_have_accessible_name("Which of these moves will be pruned?")
    expect(page.locator("#steps")).to_have_attribute("inert", "")
    expect(page.locator(".path [aria-current], .path a")).not_to_have_count(0)
    assert sentence(page) == ""
    expect(node(page, "1,5,7")).to_have_attribute("data-outcome", "win")
    expect(node(page, "1,5,7")).to_have_accessible_name("X 7: +1, a win for X, given")
    assert violations(page) == []
    node(page, "3").click()
    assert (numbers(page), sentence(page)) == ("", "X 3: not visited yet.")
    node(page, "1").click()
    assert numbers(page) == "MIN (O) is to move, alpha -infinity beta -1, best so far -1"
    node(page, "1,5").click()
    assert numbers(page) == "MAX (X) is to move, alpha -infinity beta -1"


def test_an_answer_moves_no_control(page: Page) -> None:
    """The feedback has the reason, the drawing shows the cutoff, and the right moves are marked."""
    page.goto(PREDICT)
    expect(question(page)).to_be_visible()
    before = tops(page)
    choose(page, "X 3", "X 8")
    assert ascii_text(told(page).inner_text()).startswith("Wrong. Cutoff: alpha 0 >= beta -1.")
    expect(told(page)).to_contain_text("Pruned: X 7, X 8.")
    assert tops(page) == before
    expect(score(page)).to_have_text("Question 1 of 10 · 0 of 1 right")
    expect(question(page).locator("label.right")).to_have_text([re.compile("7"), re.compile("8")])
    expect(page.locator("#drawing .edge.cut[data-state=never]")).not_to_have_count(0)
    expect(question(page).get_by_role("checkbox").first).to_be_disabled()


def test_the_moves_are_numbered_in_the_order_in_which_they_are_tried(page: Page) -> None:
    """The choices are in one column, and "None of them" has no number."""
    page.goto(PREDICT)
    expect(question(page)).to_be_visible()
    choices = page.locator("#predict-choices li")
    assert choices.all_inner_texts() == ["X 3: 0", "X 7: +1", "X 8: \u22121", "None of them"]
    styles = [style(choice, "listStyleType") for choice in choices.all()]
    assert styles == ["decimal", "decimal", "decimal", "none"]
    assert len({box(choice)["left"] for choice in choices.all()}) == 1


def test_an_empty_answer_is_not_accepted(page: Page) -> None:
    """An answer needs a choice or a score, which may have a hyphen or a minus sign."""
    page.goto(PREDICT)
    button(page, "Answer").click()
    expect(told(page)).to_have_text("Choose an answer.")
    for typed, verdict in ((" +0 ", "Right."), ("-1", "Wrong."), ("\u22121", "Wrong.")):
        page.goto(f"{PREDICT}&step=201")
        field = question(page).get_by_role("textbox", name="Score")
        for wrong in ("", "a win"):
            field.fill(wrong)
            button(page, "Answer").click()
            expect(told(page)).to_have_text("Type a score, such as 0 or \u22121.")
        field.fill(typed)
        button(page, "Answer").click()
        expect(told(page)).to_have_text(f"{verdict} MAX takes the highest: 0.")
        expect(page.get_by_role("link", name="Another position")).to_be_focused()


@pytest.mark.smoke
def test_the_exercise_is_done_with_the_keyboard_alone(page: Page) -> None:
    """Space chooses, Enter answers and continues, and the focus moves to the next control.

    One of two right moves is a wrong answer.
    """
    page.goto(PREDICT.replace("&predict=true", ""))
    expect_step(page, 0)
    button(page, "Predict").press("Space")
    choice = question(page).get_by_role("checkbox", name=re.compile("^X 7: "))
    choice.focus()
    page.keyboard.press("Space")
    expect(choice).to_be_checked()
    page.keyboard.press("Enter")
    expect(told(page)).to_contain_text("Wrong.")
    expect(button(page, "Next question")).to_be_focused()
    page.keyboard.press("Enter")
    expect(score(page)).to_have_text("Question 2 of 10 · 0 of 1 right")
    expect(question(page).locator("input").first).to_be_focused()


def test_the_url_names_the_question(page: Page) -> None:
    """Only later questions are asked and counted, and the button Predict ends an exercise."""
    page.goto(PREDICT)
    choose(page, "X 7", "X 8")
    page.wait_for_url("**predict=true&step=5")
    button(page, "Next question").click()
    page.wait_for_url("**predict=true&step=45")
    text = question(page).inner_text()
    page.reload()
    expect(score(page)).to_have_text("Question 1 of 9")
    assert question(page).inner_text() == text
    radio(page, "Algorithm", "Minimax").check()
    expect(score(page)).to_contain_text("Question ")
    expect(question(page)).not_to_have_accessible_name(re.compile("pruned"))
    button(page, "Predict").click()
    expect(page.locator("#predict")).to_be_hidden()
    expect(page.locator("#steps")).not_to_have_attribute("inert", "")
    page.wait_for_url(re.compile(r"^((?!predict).)*$"))


def test_a_search_without_questions_is_reported_on_the_page(page: Page) -> None:
    """The steps stay usable, and a link leads to another exercise."""
    page.goto("/search?board=XOXOOX.XO&starts=X&predict=true")
    expect(told(page)).to_have_text("There is nothing to predict: all moves have the same score.")
    expect(button(page, "Answer")).to_be_hidden()
    expect(page.get_by_role("link", name="Another position")).to_be_visible()
    expect(page.locator("#steps")).not_to_have_attribute("inert", "")
