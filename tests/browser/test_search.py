"""The search page: steps, announcements, sharing, saving, and what cannot be loaded."""

from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from best_move.web.pages.lessons import LESSONS
from tests.browser.axe import in_each_scheme, violations
from tests.browser.elements import button, expect_step, node, radio, style

BOARD: Final = "X.O.O.X.."
ADDRESS: Final = f"/search?board={BOARD}&starts=X"
CUTOFF: Final = f"{ADDRESS}&step=19"


def test_the_mark_of_a_move_has_the_color_of_its_side(page: Page) -> None:
    """It differs from the marks that were there before."""
    page.goto("/search?lesson=6&step=112")
    places = (("1", ".last"), ("1,3", ".last"), ("1", ".mark"))
    marks = [node(page, path).locator(mark).first for path, mark in places]
    expect(marks[0]).to_be_visible()
    assert len({style(mark, "stroke") for mark in marks}) == 3


def test_keys_move_through_the_steps(page: Page) -> None:
    """The URL names the step, and a control that uses a key itself keeps it."""
    page.goto(CUTOFF)
    expect_step(page, 19)
    for pressed, step in (("ArrowLeft", 18), ("Home", 0), ("End", 112), ("ArrowLeft", 111)):
        page.keyboard.press(pressed)
        expect_step(page, step)
    page.wait_for_url("**step=111")
    radio(page, "Scores", "Quick wins").focus()
    page.keyboard.press("ArrowLeft")
    expect(radio(page, "Scores", "\u22121 0 +1")).to_be_checked()
    expect_step(page, 111)


def test_a_step_is_announced_once(page: Page) -> None:
    """Exactly one live region announces each step."""
    page.goto(ADDRESS)
    expect_step(page, 0)
    page.evaluate(
        """window.spoken = [];
        const live = "[role=status], [role=alert], output";
        const regionOf = ({ target }) =>
            (target.nodeType === 1 ? target : target.parentElement).closest(live);
        new MutationObserver((records) => {
            for (const region of new Set(records.map(regionOf))) {
                const text = region?.textContent.trim();
                if (text) { window.spoken.push(text); }
            }
        }).observe(document.body, { subtree: true, childList: true, characterData: true })"""
    )
    page.locator("#step").focus()
    page.keyboard.press("ArrowRight")
    expect_step(page, 1)
    assert page.evaluate("window.spoken") == ["X plays 1, the top side."]
    expect(page.locator("#step")).to_have_attribute("aria-valuetext", "1 of 112")


def test_a_part_of_the_page_that_cannot_be_loaded_is_reported(
    page: Page, context: BrowserContext
) -> None:
    """The script of a button is loaded by a later click; nodes that cannot be loaded, too."""
    page.goto("/search?board=.........&starts=X&step=9999")
    expect_step(page, 117)
    context.set_offline(offline=True)
    message = page.locator("#moment-sentence")
    page.locator("#share").get_by_text("Share").click()
    for name, told in (
        ("Save as SVG", page.locator("#shared")),
        ("Exercise", message),
        ("Compare", message),
    ):
        button(page, name).click()
        expect(told).to_contain_text("This part of the page cannot be loaded.")
    node(page, "0,1").click()
    expect(message).to_contain_text("The service is not responding.")
    context.set_offline(offline=False)
    node(page, "0,1").click()
    expect(node(page, "0,1,2")).to_be_visible()
    button(page, "Exercise").click()
    expect(page.locator("#exercise-result")).to_contain_text("There is nothing to answer")


#  Queries of the search page in each of its states.
STATES: Final = [
    *("lesson=2", "lesson=4", "lesson=4&predict=true", "lesson=11&board=.O.X.O..."),
    *("board=XXX......", "board=XOXOOX.XO&predict=true", "played=0,4&merge=true&step=99"),
    "lesson=5&predict=true&at_once=true&windows=true&answers=5.7v1_5v1_6a0_6.7v0&graded=all",
    *("lesson=1", "tree=[[[3,5],[6,9],7],[[1,2],[0,-1]],4]&root=min&step=20", "tree=[3,"),
    "tree=[[3,12,8],[2,4,6],[14,5,2]]&predict=true&at_once=true&windows=true",
]


@pytest.mark.parametrize("query", STATES)
def test_axe_finds_no_violations_on_the_search_page(page: Page, query: str) -> None:
    """Colors are light, dark or, on a small phone, forced; a word and its node are marked."""
    page.goto(f"/search?{query}")
    expect(page.locator("#drawing :is(svg, [role=alert])").first).to_be_visible()
    for word in page.locator(".mention[role]:visible").all()[:1]:
        word.click()
    for scheme in in_each_scheme(page):
        assert violations(page) == [], scheme
    page.emulate_media(forced_colors="active")
    page.set_viewport_size({"width": 320, "height": 800})
    assert violations(page) == []


def test_forced_colors_keep_the_drawing_visible(page: Page) -> None:
    """The drawing, the algorithm's current line and the current lesson stand out."""
    page.emulate_media(forced_colors="active")
    page.goto("/search?lesson=6")
    expect(node(page, "").locator(".card")).to_be_visible()

    def paint(selector: str, name: str) -> str:
        return style(page.locator(selector).first, name)

    ground = paint("#drawing", "backgroundColor")
    assert paint("#step-play", "backgroundColor") == paint("#comparing", "backgroundColor")
    assert paint(".node[data-outcome=loss] .sign", "fill") != ground
    assert paint(".edge.current .way", "stroke") != ground
    assert paint(".node .mark", "stroke") != ground
    assert paint("#algorithm [aria-current]", "backgroundColor") != paint(
        "#algorithm li", "backgroundColor"
    )
    assert paint(".path [aria-current]", "backgroundColor") != paint(
        ".path li:first-child a", "backgroundColor"
    )


@pytest.mark.usefixtures("context")
def test_the_share_menu_copies_a_link_and_code_to_embed_the_search(page: Page) -> None:
    """The code embeds the step, and Escape closes the menu."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(ADDRESS)
    expect_step(page, 0)
    button(page, "Next cutoff").click()
    page.locator("#share").get_by_text("Share").click()
    button(page, "Copy link").click()
    expect(page.locator("#shared")).to_have_text("Copied.")
    assert page.evaluate("navigator.clipboard.readText()").endswith(CUTOFF)
    button(page, "Copy embed code").click()
    expect(page.locator("#embed-code")).to_be_visible()
    code = page.locator("#embed-code").inner_text()
    is_copied = "async (code) => await navigator.clipboard.readText() === code"
    page.wait_for_function(is_copied, arg=code)
    frame = ET.fromstring(code)  # noqa: S314, the page's own
    assert frame.tag == "iframe"
    assert frame.attrib["src"].endswith(CUTOFF)
    assert frame.attrib["allow"] == "clipboard-write"
    page.keyboard.press("Escape")
    expect(button(page, "Copy link")).to_be_hidden()


def test_each_lesson_fits_into_the_frame_of_an_embedded_search(page: Page) -> None:
    """It shows the step without a masthead; the steps are one row, and no line of code wraps."""
    page.goto(CUTOFF)
    expect_step(page, 19)
    page.locator("#share").get_by_text("Share").click()
    button(page, "Copy embed code").click()
    expect(page.locator("#embed-code")).to_be_visible()  # its script is loaded first
    code = page.locator("#embed-code").inner_text()
    frame = ET.fromstring(code).attrib  # noqa: S314, the page's own
    height = int(frame["height"])
    page.set_viewport_size({"width": int(frame["width"]) + 50, "height": height})
    page.route("**/elsewhere", lambda route: route.fulfill(content_type="text/html", body=code))
    page.goto("/elsewhere")
    embedded = page.frame_locator("iframe")
    expect(embedded.locator("#step-number")).to_have_text("19 / 112")
    expect(embedded.locator(".masthead")).to_be_hidden()
    for lesson in LESSONS:
        embedded.get_by_role("link", name=f"Lesson {lesson}: ").click()
        shown = embedded.locator("#lesson .place span:visible")
        expect(shown).to_have_text(f"Lesson {lesson} of {len(LESSONS)}")
        expect(embedded.locator("#drawing")).to_have_attribute("aria-busy", "false")
        assert embedded.locator("html").evaluate("page => page.scrollHeight") <= height, lesson
        top = "lesson => lesson.getBoundingClientRect().top"
        assert embedded.locator("#lesson").evaluate(top) < 50
        rows = embedded.locator("#algorithm li, #steps").evaluate_all(
            "all => all.map(each => each.offsetHeight)"
        )
        assert max(rows[1:]) < 25
        assert rows[0] < 50


def test_a_page_on_a_disk_embeds_a_search(browser: Browser, origin: str, tmp_path: Path) -> None:
    """A browser frames the search page in a page of a course that was opened as a file."""
    course = tmp_path / "course.html"
    course.write_text(f'<iframe src="{origin}{CUTOFF}"></iframe>', encoding="utf-8")
    with browser.new_page() as page:
        page.goto(course.as_uri())
        expect(page.frame_locator("iframe").locator("#step-number")).to_have_text("19 / 112")


def test_the_drawing_is_saved_as_an_svg_file(page: Page) -> None:
    """The whole drawing is in light colors, and needs no styles."""
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto("/search?lesson=6&whole=true")
    expect_step(page, 19)
    page.locator("#share").get_by_text("Share").click()
    with page.expect_download() as saved:
        button(page, "Save as SVG").click()
    text = saved.value.path().read_text(encoding="utf-8")
    assert "class=" not in text
    assert "stroke-dasharray=" in text
    button(page, "Fit").click()
    assert f'transform="{node(page, "").get_attribute("transform")}"' in text
    picture = ET.fromstring(text)  # noqa: S314, the page's own
    areas = [each.get("fill") for each in picture.iter("{http://www.w3.org/2000/svg}rect")]
    assert areas[0] == "rgb(255, 255, 255)"
    assert len(areas) == 2 * 174 + 2 + 1  # two of each node and of two in the key, and the ground


def test_the_comparison_has_bars_to_scale(page: Page) -> None:
    """Escape closes it, and its URL opens it."""
    page.goto("/search?lesson=10&compare=true")
    expect(page.locator("#comparison-note")).to_have_text(
        "All find the same move, X 4, the center."
    )
    rows = page.locator("#comparison tbody tr")
    assert violations(page) == []
    widths = rows.locator("i").evaluate_all(
        "all => all.map(bar => bar.getBoundingClientRect().width)"
    )
    counts = [int(text) for text in rows.locator("b").all_inner_texts()]
    scale = widths[0] / counts[0]
    assert widths == pytest.approx([scale * count for count in counts], abs=1)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.wait_for_url("**?lesson=10")
