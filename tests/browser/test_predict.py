"""The exercise, in which the user predicts events of a search."""

import re
from typing import Final

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.elements import box, button, expect_step, style

#  The first exercise, which has every kind of question except one.
BOARD: Final = "O.X.X.O.."
PREDICT: Final = f"/search?board={BOARD}&starts=X&scoring=outcome&predict=true"


def question(page: Page) -> Locator:
    """Return the question shown, whose text is its accessible name."""
    return page.locator("#predict").get_by_role("group")


def test_an_answer_moves_no_control(page: Page) -> None:
    """The feedback has the reason, the drawing shows the cutoff, and the right moves are marked."""
    page.goto(PREDICT)
    expect(question(page)).to_be_visible()
    parts = [page.locator(part) for part in ("#drawing", "#predict-choices", "#predict-go")]
    before = [box(part)["top"] for part in parts]
    for move in ("X 3", "X 8"):
        question(page).locator("label").filter(has_text=re.compile(f"^{move}")).click()
    button(page, "Answer").click()
    expect(page.locator("#predict-feedback")).to_contain_text("Pruned: X 7, X 8.")
    assert [box(part)["top"] for part in parts] == before
    expect(page.locator("#predict-score")).to_have_text("Question 1 of 10 · 0 of 1 right")
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
    expect(page.locator("#predict-feedback")).to_contain_text("Wrong.")
    expect(button(page, "Next question")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#predict-score")).to_have_text("Question 2 of 10 · 0 of 1 right")
    expect(question(page).locator("input").first).to_be_focused()
