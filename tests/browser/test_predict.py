"""The exercise on a search: to predict what it does next."""

import re
from itertools import takewhile
from typing import Final

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.playground import button, radio
from tests.browser.search_page import ascii_text, expect_step, node, numbers, sentence
from tests.browser.test_accessibility import box

#  A position of which no lesson has spoken; the last lesson leads to it.
PREDICT: Final = "/search?board=X.O.O...X&to_move=X&predict=true"


def question(page: Page) -> Locator:
    """Return the question asked, which has its text as its name."""
    return page.locator("#predict").get_by_role("group")


def score(page: Page) -> Locator:
    """Return which question is asked, and how many answers were right."""
    return page.locator("#predict-score")


def told(page: Page) -> Locator:
    """Return what is said of the answer."""
    return page.locator("#predict-told")


def scores(text: str) -> list[int]:
    """Return the scores in a text such as `The scores are 3: +93, 5: 0 or less`."""
    return [int(found) for found in re.findall(r": ([+-]?\d+)", ascii_text(text))]


def answer(page: Page) -> str:
    """Answer a question from what can be read of it alone; return the kind of the question."""
    expect(button(page, "Answer")).to_be_visible()
    side, window = numbers(page).split(", ")[:2] if "alpha" in numbers(page) else (numbers(page), "")
    is_max = side.startswith("MAX")
    labels = question(page).locator("label")
    texts = [ascii_text(text) for text in labels.all_inner_texts()]
    if question(page).get_by_role("checkbox").count():
        limit = float(window.split()[3 if is_max else 1].replace("infinity", "inf"))
        values = [scores(text)[0] for text in texts]
        tried = 1 + len(list(takewhile(lambda each: each < limit if is_max else each > limit, values)))
        for index in range(tried, len(texts)):
            labels.nth(index).click()
        kind = "no cutoff" if tried >= len(texts) else "cutoff at once" if tried == 1 else "later cutoff"
    else:
        best = (max if is_max else min)(scores(page.locator("#predict-given").inner_text()))
        if question(page).get_by_role("textbox").count():
            question(page).get_by_role("textbox").fill(f"{best}")
            kind = "typed score"
        else:
            values = [int(re.match(r"[+-]?\d+", text)[0]) for text in texts]  # type: ignore[index]
            labels.nth(values.index(best)).click()
            kind = "chosen score"
    button(page, "Answer").click()
    return kind


SCORES: Final = {"typed score", "chosen score"}
CUTOFFS: Final = {"no cutoff", "cutoff at once", "later cutoff"}


@pytest.mark.parametrize(
    ("address", "kinds"),
    [
        (PREDICT, SCORES | CUTOFFS),
        ("/search?board=X.O.O.X..&to_move=X&algorithm=minimax&predict=true", SCORES),
        ("/search?board=XO.X..O..&to_move=X&scoring=outcome&predict=true", SCORES | CUTOFFS),
        ("/search?board=XOX...O..&to_move=X&max_depth=3&predict=true", {"typed score", "no cutoff", "cutoff at once"}),
    ],
    ids=["alpha-beta", "minimax", "outcomes", "estimates"],
)
def test_the_rules_answer_every_question(page: Page, address: str, kinds: set[str]) -> None:
    """MAX takes the highest, MIN the lowest, and a score outside the window prunes the moves after it: that is all.

    The answers vary: a blind guess is sometimes wrong.
    """
    page.goto(address)
    asked = set()
    expect(score(page)).to_contain_text("Question 1 of ")
    count = int(score(page).inner_text().split()[3])
    for place in range(1, count + 1):
        expect(score(page)).to_contain_text(f"Question {place} of {count}")
        asked.add(answer(page))
        expect(score(page)).to_have_text(f"Question {place} of {count} · {place} of {place} right")
        if place < count:
            button(page, "Next question").click()
    assert asked >= kinds
    button(page, "Start again").click()
    expect(score(page)).to_have_text(f"Question 1 of {count}")


def test_a_cutoff_is_predicted(page: Page) -> None:
    """Before moves are pruned the question is which; a wrong answer counts, and the reason comes with its numbers.

    Nothing is given away before, and nothing moves.
    """
    page.goto(PREDICT)
    expect(question(page)).to_have_accessible_name("Given these scores, which of X's moves will be pruned?")
    expect(score(page)).to_have_text("Question 1 of 10")
    expect(page.locator("#steps")).to_have_attribute("inert", "")
    assert numbers(page) == "MAX (X) is to move, alpha -infinity beta -92"
    assert sentence(page) == ""
    expect(node(page, "1,5,3")).to_have_attribute("data-outcome", "loss")
    expect(node(page, "1,5,3")).to_have_accessible_name("X 3: not visited yet")
    node(page, "3").click()
    assert sentence(page) == "X 3: not visited yet."
    places = [box(page.locator(part)) for part in ("#drawing", "#predict-choices", "#predict-go")]
    question(page).get_by_role("checkbox").last.check()
    button(page, "Answer").click()
    expect(told(page)).to_contain_text("Wrong. Cutoff: \u03b1 \u221292 \u2265 \u03b2 \u221292.")
    expect(told(page)).to_contain_text("Pruned: X 6, X 7.")
    now = [box(page.locator(part)) for part in ("#drawing", "#predict-choices", "#predict-go")]
    assert [each["top"] for each in now] == [each["top"] for each in places]
    expect(score(page)).to_have_text("Question 1 of 10 · 0 of 1 right")
    assert [text[0] for text in question(page).locator("label.right").all_inner_texts()] == ["6", "7"]
    expect(page.locator("#drawing .edge.cut[data-state=never]")).not_to_have_count(0)
    expect(question(page).get_by_role("checkbox").first).to_be_disabled()


def test_an_answer_has_to_be_given(page: Page) -> None:
    """Without a score there is no answer. Any keyboard's signs may be typed. That no move is pruned is an answer."""
    page.goto(PREDICT)
    answer(page)
    button(page, "Next question").click()
    button(page, "Answer").click()
    expect(told(page)).to_have_text("Choose one of them.")
    for _ in range(2):
        answer(page)
        button(page, "Next question").click()
    field = question(page).get_by_role("textbox", name="Score")
    for wrong in ("", "a win"):
        field.fill(wrong)
        button(page, "Answer").click()
        expect(told(page)).to_have_text("Type a score, such as 0 or \u22121.")
    field.fill(" +93 ")
    button(page, "Answer").click()
    expect(told(page)).to_have_text("Right. MAX takes the highest: +93.")


def test_the_exercise_is_done_with_the_keyboard_alone(page: Page) -> None:
    """Space starts, arrows choose, Enter answers and goes on, and the focus is always where one goes on."""
    page.goto(PREDICT.replace("&predict=true", ""))
    expect_step(page, 0)
    button(page, "Predict").press("Space")
    first = question(page).get_by_role("checkbox").first
    first.focus()
    page.keyboard.press("Space")
    expect(first).to_be_checked()
    page.keyboard.press("Enter")
    expect(told(page)).to_contain_text("Wrong.")
    expect(button(page, "Next question")).to_be_focused()
    page.keyboard.press("Enter")
    expect(score(page)).to_have_text("Question 2 of 10 · 0 of 1 right")
    expect(question(page).locator("input").first).to_be_focused()


def test_a_question_stands_in_the_url(page: Page) -> None:
    """A question can be linked to, each search has its own, and when the exercise ends the steps come back."""
    page.goto(PREDICT)
    answer(page)
    page.wait_for_url("**predict=true&step=26")
    button(page, "Next question").click()
    page.wait_for_url(re.compile(r"predict=true&step=(?!26)\d+$"))
    text = question(page).inner_text()
    page.reload()
    expect(score(page)).to_have_text("Question 2 of 10")
    assert question(page).inner_text() == text
    radio(page, "Algorithm", "Minimax").check()
    expect(score(page)).to_contain_text("Question ")
    expect(question(page)).not_to_have_accessible_name(re.compile("pruned"))
    button(page, "Predict").click()
    expect(page.locator("#predict")).to_be_hidden()
    expect(page.locator("#steps")).not_to_have_attribute("inert", "")
    page.wait_for_url(re.compile(r"^((?!predict).)*$"))


def test_there_may_be_nothing_to_predict(page: Page) -> None:
    """If there is but one move left, the page says so, and the steps stay."""
    page.goto("/search?board=XOXOOX.XO&to_move=X&predict=true")
    expect(told(page)).to_have_text("There is nothing to predict: all moves have the same score.")
    expect(button(page, "Answer")).to_be_hidden()
    expect(page.locator("#steps")).not_to_have_attribute("inert", "")
