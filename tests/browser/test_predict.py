"""The exercise, in which the user predicts events of a search."""

import re
from typing import Final

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.playground import button, radio
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


#  For each question: the side and window shown, the starts of the right answers, and the reason
#  given.
ANSWERS: Final = [
    (
        "MAX (X) is to move, alpha -infinity beta -1",
        ["7", "8"],
        "Cutoff: alpha 0 >= beta -1. O already has a win",
    ),
    (
        "MIN (O) is to move, alpha -infinity beta +infinity",
        ["\u22121, a loss"],
        "MIN takes the lowest: -1.",
    ),
    (
        "MAX (X) is to move, alpha -infinity beta +infinity",
        ["\u03b1 \u22121\u2003\u03b2 +"],
        "MAX raises alpha to -1.",
    ),
    (
        "MIN (O) is to move, alpha -1 beta +infinity",
        ["None"],
        "No cutoff: no score before the last is <= alpha -1, and",
    ),
    (
        "MAX (X) is to move, alpha -1 beta +infinity",
        ["X 7, O 8"],
        "Cutoff: alpha +1 >= beta 0. X already has a win",
    ),
    (
        "MAX (X) is to move, alpha -1 beta 0",
        ["\u03b1 \u22121\u2003\u03b2 0"],
        "-1 is not above alpha, so neither changes.",
    ),
    (
        "MIN (O) is to move, alpha 0 beta +infinity",
        ["7", "8"],
        "Cutoff: alpha 0 >= beta -1. X already has a draw",
    ),
    (
        "MIN (O) is to move, alpha 0 beta +infinity",
        ["3", "5", "8"],
        "Cutoff: alpha 0 >= beta 0. Equal is enough: X",
    ),
    (
        "MAX (X) is to move, alpha 0 beta +infinity",
        ["0 or less"],
        "MAX takes the highest: 0 or less. A bound again",
    ),
    ("MAX (X) is to move, alpha -infinity beta +infinity", ["0"], "MAX takes the highest: 0."),
]


def test_an_exercise_is_answered_to_its_end(page: Page) -> None:
    """The feedback gives reasons; at the end, links lead to another position and the lessons."""
    page.goto(PREDICT)
    for place, (shown, right, why) in enumerate(ANSWERS, 1):
        expect(score(page)).to_contain_text(f"Question {place} of 10")
        assert numbers(page) == shown
        board = page.locator("#moment-board").inner_html()
        if question(page).get_by_role("textbox").count():
            question(page).get_by_role("textbox").fill(right[0])
            button(page, "Answer").click()
        else:
            choose(page, *right)
        expect(score(page)).to_have_text(f"Question {place} of 10 · {place} of {place} right")
        assert ascii_text(told(page).inner_text()).startswith(f"Right. {why}")
        assert page.locator("#moment-board").inner_html() == board
        assert numbers(page).startswith(shown.partition(",")[0])
        if place < 10:
            button(page, "Next question").click()
    expect(button(page, "Next question")).to_be_hidden()
    expect(page.get_by_role("link", name="Lessons", exact=True).last).to_be_visible()
    page.get_by_role("link", name="Another position").click()
    expect(score(page)).to_have_text("Question 1 of 10")
    assert "board=X...O.OX." in page.url
    expect(page.get_by_role("link", name="Another position")).to_be_hidden()


def test_the_question_before_a_cutoff_does_not_show_its_answer(page: Page) -> None:
    """No sentence is shown, a node shows only known numbers, and the answer moves no control."""
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
    places = [box(page.locator(part)) for part in ("#drawing", "#predict-choices", "#predict-go")]
    choose(page, "3", "8")
    assert ascii_text(told(page).inner_text()).startswith("Wrong. Cutoff: alpha 0 >= beta -1.")
    expect(told(page)).to_contain_text("Pruned: X 7, X 8.")
    now = [box(page.locator(part)) for part in ("#drawing", "#predict-choices", "#predict-go")]
    assert [each["top"] for each in now] == [each["top"] for each in places]
    expect(score(page)).to_have_text("Question 1 of 10 · 0 of 1 right")
    assert [text[0] for text in question(page).locator("label.right").all_inner_texts()] == [
        "7",
        "8",
    ]
    expect(page.locator("#drawing .edge.cut[data-state=never]")).not_to_have_count(0)
    expect(question(page).get_by_role("checkbox").first).to_be_disabled()


@pytest.mark.parametrize(
    ("step", "wrong"),
    [
        (5, ["7"]),
        (5, ["None"]),
        (5, ["7", "8", "None"]),
        (45, ["0, a draw"]),
        (47, ["5", "7"]),
        (173, ["0, a draw"]),
    ],
    ids=[
        "too few",
        "none",
        "some and none",
        "another score",
        "moves, not none",
        "a score for a bound",
    ],
)
def test_only_the_exact_answer_counts_as_right(page: Page, step: int, wrong: list[str]) -> None:
    """An answer with only some right moves is wrong, and so is a score where a bound is known."""
    page.goto(f"{PREDICT}&step={step}")
    expect(score(page)).to_contain_text("Question ")
    choose(page, *wrong)
    expect(told(page)).to_have_text(re.compile("^Wrong. "))
    expect(score(page)).to_contain_text("0 of 1 right")


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
    """Space chooses, Enter answers and continues, and the focus moves to the next control."""
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


def test_the_url_names_the_question(page: Page) -> None:
    """Each search has its own questions, and the button Predict ends an exercise."""
    page.goto(PREDICT)
    choose(page, "7", "8")
    page.wait_for_url("**predict=true&step=5")
    button(page, "Next question").click()
    page.wait_for_url("**predict=true&step=45")
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


def test_a_search_without_questions_is_reported_on_the_page(page: Page) -> None:
    """The steps stay usable, and a link leads to another exercise."""
    page.goto("/search?board=XOXOOX.XO&starts=X&predict=true")
    expect(told(page)).to_have_text("There is nothing to predict: all moves have the same score.")
    expect(button(page, "Answer")).to_be_hidden()
    expect(page.get_by_role("link", name="Another position")).to_be_visible()
    expect(page.locator("#steps")).not_to_have_attribute("inert", "")
