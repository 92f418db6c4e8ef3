"""The exercise in the tree of a search: its fields, the keyboard, and narrow windows."""

import re
from typing import Final

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.browser.elements import box, button, expect_fitted, expect_step

#  The first exercise, node by node, and with all fields.
BOARD: Final = "O.X.X.O.."
EXERCISE: Final = f"/search?board={BOARD}&starts=X&scoring=outcome&predict=true"
WHOLE: Final = f"{EXERCISE}&at_once=true"
LESSON: Final = "/search?lesson=6&predict=true&at_once=true"
NUMBERS: Final = (
    "/search?tree=[[[3,5],[6,9],7],[[1,2],[0,-1]],4]&predict=true&at_once=true&windows=true"
)
WIDTHS: Final = (320, 390, 768, 1280, 1920)


def fields(page: Page) -> Locator:
    """Return the visible fields of the exercise, in the order of the Tab key."""
    return page.locator(".fields > :visible")


#  Returns the fields that overlap others or a node, and those that are not on their branch or
#  beside their node.
MISPLACED: Final = """() => {
    const place = (each) => each.getBoundingClientRect();
    const meet = (one, other) => one.left + 1 < other.right && other.left + 1 < one.right
        && one.top + 1 < other.bottom && other.top + 1 < one.bottom;
    const fields = [...document.querySelectorAll(".fields > :not([hidden])")];
    const cards = [...document.querySelectorAll("#drawing .node .card")];
    const count = (field, others) =>
        others.filter((other) => other !== field && meet(place(field), place(other))).length;
    const ownCards = (field) => (field.matches(".within.value") ? 1 : 0); // in its triangle
    const isCovered = (field) => count(field, cards) !== ownCards(field);
    const ticks = [...document.querySelectorAll("#drawing .tick")].map(place);
    const middle = ({ left, right, top, bottom }) => [(left + right) / 2, (top + bottom) / 2];
    const isOnBranch = (field) => ticks.some((tick) => {
        const [[x, y], [u, v]] = [middle(place(field)), middle(tick)];
        return Math.hypot(x - u, y - v) < 3;
    });
    const isApart = (field) => count(field, fields) === 0;
    return fields
        .filter((each) => (each.matches("button") ? !isOnBranch(each) : isCovered(each)))
        .concat(fields.filter((each) => !isApart(each)))
        .map(({ ariaLabel }) => ariaLabel);
}"""


@pytest.mark.parametrize("query", [WHOLE, f"{WHOLE}&windows=true", LESSON, NUMBERS])
def test_each_field_is_at_its_node_or_on_its_branch(page: Page, query: str) -> None:
    """At five widths no field covers another one or a node, and the rule is above the tree."""
    page.goto(query)
    expect(fields(page).first).to_be_visible()
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        expect_fitted(page)
        assert page.evaluate(MISPLACED) == [], width
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
        rule = page.locator("#exercise-rule")
        expect(rule).to_have_text("A cutoff if \u03b1 \u2265 \u03b2")
        assert box(rule)["bottom"] <= box(page.locator("#drawing"))["top"], width
        if width < 768:
            for field in fields(page).all():
                target = box(field)
                sides = sorted([target["width"], target["height"]])
                assert sides[0] >= 31.9, width
                assert sides[1] >= 43.9, width


def test_fields_stay_at_their_nodes_while_the_drawing_is_zoomed_and_scrolled(page: Page) -> None:
    """The root does not move beside its fields."""
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{WHOLE}&windows=true")
    expect(fields(page).first).to_be_visible()
    button(page, "Zoom in").click()
    page.locator("#drawing").evaluate("frame => frame.scrollTo(0, 0)")
    expect_fitted(page)
    assert page.evaluate(MISPLACED) == []


def test_an_answer_moves_no_control(page: Page) -> None:
    """The feedback has the reason, and the drawing shows the cutoff."""
    page.goto(EXERCISE)
    expect(fields(page).first).to_be_visible()
    parts = [
        page.locator(part) for part in ("#drawing", "#exercise-check", ".fields > :first-child")
    ]
    before = [box(part) for part in parts]
    button(page, "Check").click()
    expect(page.locator("#exercise-result")).to_have_text(re.compile("Right|Wrong"))
    assert [box(part)["top"] for part in parts] == [place["top"] for place in before]
    expect(page.locator("#exercise-score")).to_have_text(
        re.compile("^Question 1 of 7 \u00b7 [01] of 1 right")
    )
    expect(page.locator("#exercise-reasons a")).to_have_text(re.compile("Step"))


@pytest.mark.smoke
def test_the_exercise_is_done_with_the_keyboard_alone(page: Page) -> None:
    """Space cuts a branch, Enter answers and continues, and the focus moves to the next control."""
    page.goto(EXERCISE.replace("&predict=true", ""))
    expect_step(page, 0)
    button(page, "Exercise").press("Space")
    expect(page.locator("#exercise-score")).to_have_text("Question 1 of 7")
    branch = fields(page).first
    branch.focus()
    page.keyboard.press("Space")
    expect(branch).to_have_attribute("aria-pressed", "true")
    button(page, "Check").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#exercise-result")).to_have_text(re.compile("Right|Wrong"))
    expect(button(page, "Next")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#exercise-score")).to_contain_text("Question 2 of 7")
    expect(fields(page).first).to_be_focused()
    page.keyboard.type("0")
    page.keyboard.press("Enter")
    expect(page.locator("#exercise-result")).to_have_text(re.compile("Right|Wrong"))


def test_the_tab_key_goes_through_a_tree_as_the_search_does(page: Page) -> None:
    """Nodes come before the nodes above them, and a branch before what is below it."""
    page.goto("/search?lesson=5&predict=true&at_once=true")
    fields(page).first.focus()
    names = []
    for _ in range(fields(page).count()):
        names.append(page.evaluate("document.activeElement.ariaLabel"))
        page.keyboard.press("Tab")
    assert names == [
        "Score of X 5, O 6 (MAX)",
        "Cut the branch to X 5, O 7",
        "Score of X 5, O 7 (MAX)",
        "Score of X 5 (MIN)",
        "Cut the branch to X 6",
        "Cut the branch to X 6, O 7",
        "Score of X 6, O 7 (MAX)",
        "Score of X 6 (MIN)",
        "Cut the branch to X 7",
        "Score of the root (MAX)",
    ]


def test_forced_colors_tell_the_verdicts_apart(page: Page) -> None:
    """A right, a wrong and a following answer differ in their borders."""
    page.emulate_media(forced_colors="active")
    answers = "5.6v1_5.7v1_5v1_6.7v0_6v-1_v1"
    page.goto(f"/search?lesson=5&predict=true&at_once=true&answers={answers}&graded=all")
    borders = {
        verdict: page.locator(f"input[data-verdict={verdict}]").first.evaluate(
            "each => getComputedStyle(each).borderTopStyle + getComputedStyle(each).borderTopWidth"
        )
        for verdict in ("right", "wrong", "follows")
    }
    assert len({*borders.values()}) == 3


def test_leaves_cannot_be_changed_during_an_exercise(page: Page) -> None:
    """Their numbers are drawn; after the exercise each leaf is a field again."""
    page.goto(NUMBERS)
    expect(fields(page).first).to_be_visible()
    leaves = page.locator(".leaf:visible")
    expect(leaves.and_(page.locator("input"))).to_have_count(0)
    expect(page.locator("#editing")).to_be_hidden()
    expect(page.locator("#position-cost")).to_have_text("\u00a0")
    button(page, "Exercise").click()
    field = page.get_by_label("Leaf J", exact=True)
    field.fill("9")
    expect(page.locator("#position-cost")).to_contain_text("of 10 leaves")
    page.wait_for_url("**tree=[[[9,5]*")
    button(page, "Exercise").click()
    page.get_by_label("Score of E (MAX)").fill("9")
    expect(page.get_by_label("Score of E (MAX)")).to_have_value("9")


def test_text_may_be_twice_as_large(page: Page, context: BrowserContext) -> None:
    """With text at 200% no field covers another one, and no page is wider than the phone."""
    context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": 32}})
    for query in (EXERCISE, NUMBERS):
        for width in (320, 390):
            page.set_viewport_size({"width": width, "height": 844})
            page.goto(query)
            expect(fields(page).first).to_be_visible()
            expect_fitted(page)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
            assert page.evaluate(MISPLACED) == [], width
