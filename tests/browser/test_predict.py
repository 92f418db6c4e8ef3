"""The exercise on a search: to predict what it does next."""

import re
from itertools import takewhile
from typing import Final

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.playground import button, radio
from tests.browser.test_accessibility import violations
from tests.browser.test_explain import BOARD, drawn, moment, node

PREDICT: Final = f"/search?board={BOARD}&predict=true"


def question(page: Page) -> Locator:
    """Return the question asked, which has its text as its name."""
    return page.locator("#predict").get_by_role("group")


def score(page: Page) -> Locator:
    """Return which question is asked, and how many answers were right."""
    return page.locator("#predict-score")


def told(page: Page) -> Locator:
    """Return what is said of the answer."""
    return page.locator("#predict-told")


def number(text: str) -> int:
    """Return the number that a text begins with."""
    found = re.match(r"[+-]?\d+", text)
    assert found, text
    return int(found[0])


def answer(page: Page) -> str:
    """Answer a question from what can be read of it alone; return the kind of the question."""
    expect(button(page, "Answer")).to_be_visible()
    numbers, _ = moment(page)
    side, *window = numbers.split(" · ")
    is_max = side.startswith("MAX")
    labels = question(page).locator("label")
    texts = [text.replace("\u2212", "-") for text in labels.all_inner_texts()]
    if question(page).get_by_role("radio").count():
        scores = [number(text) for text in texts]
        labels.nth(scores.index(max(scores) if is_max else min(scores))).click()
        kind = "value"
    else:
        limit = number(window[is_max].split()[1])
        scores = [number(text.split(": ")[1]) for text in texts]
        tried = 1 + len(list(takewhile(lambda each: each < limit if is_max else each > limit, scores)))
        for index in range(tried, len(texts)):
            labels.nth(index).click()
        kind = "none" if tried >= len(texts) else "cut"
    button(page, "Answer").click()
    return kind


def test_a_value_is_predicted(page: Page) -> None:
    """Before a node is backed up, what it comes to is asked; the answer says whether that was right, and why."""
    page.goto(PREDICT)
    expect(question(page)).to_have_accessible_name("What does this position come to?")
    expect(score(page)).to_have_text("Question 1 of 10")
    expect(page.locator("#steps")).to_be_hidden()
    expect(node(page, "1,3")).to_have_attribute("data-state", "open")
    assert moment(page) == ("MAX (X) · alpha -infinity · beta +infinity", "")
    question(page).get_by_role("radio", name="0, a draw for X").check()
    button(page, "Answer").click()
    expect(told(page)).to_have_text(
        "Right. MAX takes the highest. O 3 comes to 0, a draw for X, the best for O so far."
    )
    expect(score(page)).to_have_text("Question 1 of 10 · 1 of 1 right")
    expect(node(page, "1,3")).to_have_attribute("data-outcome", "draw")
    expect(question(page).get_by_role("radio").first).to_be_disabled()


def test_a_cut_is_predicted(page: Page) -> None:
    """Before moves are cut, it is asked which; a wrong choice counts as wrong, and the right one is shown."""
    page.goto(f"{PREDICT}&step=50")
    expect(question(page)).to_have_accessible_name("Which of O's moves will be cut, if this is what they are worth?")
    expect(node(page, "5,1")).to_have_attribute("data-outcome", "win")
    expect(node(page, "5,1")).to_have_accessible_name("O 1: not visited yet")
    question(page).get_by_role("checkbox", name="3: ").check()
    button(page, "Answer").click()
    expect(told(page)).to_contain_text("Not so. Cut: X already has a quicker win elsewhere;")
    expect(told(page)).to_contain_text("Never tried: 3, 7, 8.")
    expect(score(page)).to_contain_text("0 of 1 right")
    assert [text[0] for text in question(page).locator("label.right").all_inner_texts()] == ["3", "7", "8"]
    expect(page.locator("#drawing .edge.cut[data-state=never]")).not_to_have_count(0)


@pytest.mark.parametrize(
    ("address", "kinds"),
    [
        (f"board={BOARD}", {"value", "cut"}),
        (f"board={BOARD}&algorithm=minimax", {"value"}),
        ("board=XO.X..O..&scoring=outcome", {"value", "cut", "none"}),
        ("board=XOX...O..&max_depth=3", {"value", "cut", "none"}),
    ],
    ids=["alpha-beta", "minimax", "outcomes", "estimates"],
)
def test_who_knows_the_rules_is_right(page: Page, address: str, kinds: set[str]) -> None:
    """MAX takes the highest, MIN the lowest, and a move that leaves the window cuts those after it: that is all."""
    page.goto(f"/search?{address}&predict=true")
    asked = set()
    for place in range(1, 11):
        expect(score(page)).to_contain_text(f"Question {place} of 10")
        asked.add(answer(page))
        expect(score(page)).to_have_text(f"Question {place} of 10 · {place} of {place} right")
        if place < 10:
            button(page, "Next question").click()
    assert asked == kinds
    button(page, "Begin again").click()
    expect(score(page)).to_have_text("Question 1 of 10")


def test_an_answer_has_to_be_chosen(page: Page) -> None:
    """Without a value chosen there is no answer; that no move is cut is one."""
    page.goto(PREDICT)
    button(page, "Answer").click()
    expect(told(page)).to_have_text("Choose one of them.")
    expect(score(page)).to_have_text("Question 1 of 10")
    page.goto(f"{PREDICT}&step=50")
    expect(question(page).get_by_role("checkbox").first).to_be_visible()
    button(page, "Answer").click()
    expect(told(page)).to_contain_text("Not so.")


def test_the_exercise_is_done_with_the_keyboard_alone(page: Page) -> None:
    """Space begins, arrows choose, Enter answers and goes on, and the focus is always where one goes on."""
    page.goto(PREDICT.replace("&predict=true", ""))
    expect(page.locator("#tree-count")).to_have_text("42")
    button(page, "Predict").press("Space")
    first = question(page).get_by_role("radio").first
    first.focus()
    page.keyboard.press("Space")
    expect(first).to_be_checked()
    page.keyboard.press("Enter")
    expect(told(page)).to_contain_text("Right.")
    expect(button(page, "Next question")).to_be_focused()
    page.keyboard.press("Enter")
    expect(score(page)).to_have_text("Question 2 of 10 · 1 of 1 right")
    expect(question(page).locator("input").first).to_be_focused()


def test_nothing_is_given_away(page: Page) -> None:
    """A node that is looked at tells how it stands at the question, and nothing that is still to come."""
    page.goto(PREDICT)
    node(page, "5").click()
    expect(page.locator("#moment-sentence")).to_have_text("X 5: not visited yet.")
    node(page, "1,3").click()
    expect(page.locator("#moment-sentence")).to_have_text("O 3: being searched.")
    expect(page.locator("#moment-numbers")).not_to_contain_text("best so far")


def test_a_question_stands_in_the_address(page: Page) -> None:
    """A question can be linked to, each search has its own, and where the exercise ends, the steps come back."""
    page.goto(PREDICT)
    answer(page)
    page.wait_for_url("**predict=true&step=26")
    button(page, "Next question").click()
    page.wait_for_url("**predict=true&step=28")
    text = question(page).inner_text()
    page.reload()
    expect(score(page)).to_have_text("Question 2 of 10")
    assert question(page).inner_text() == text
    radio(page, "Searched by", "Minimax").check()
    expect(score(page)).to_have_text("Question 1 of 10")
    button(page, "Predict").click()
    expect(page.locator("#predict")).to_be_hidden()
    expect(page.locator("#steps")).to_be_visible()
    assert "predict" not in page.url


def test_there_may_be_nothing_to_predict(page: Page) -> None:
    """Where there is but one move left, this is said, and the steps stay."""
    page.goto("/search?board=XOXOOX.XO&predict=true")
    expect(told(page)).to_have_text("There is nothing to predict: every move leads to the same.")
    expect(button(page, "Answer")).to_be_hidden()
    expect(page.locator("#step-number")).to_have_text("4 of 4")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_axe_finds_nothing(page: Page, width: int, scheme: str) -> None:
    """The checker axe-core finds nothing on a question, nor on its answer; neither makes the page wider."""
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page.goto(f"{PREDICT}&step=50")
    expect(drawn(page)).to_have_count(174)
    expect(question(page)).to_be_visible()
    assert violations(page) == []
    answer(page)
    expect(told(page)).to_contain_text("Right.")
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
