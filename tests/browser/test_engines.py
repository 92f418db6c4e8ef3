"""Pages in WebKit and Firefox; the other tests of this folder run in Chromium."""

import json
import os
import shutil
from collections.abc import Iterator
from itertools import combinations

import pytest

from tests.browser import webdriver
from tests.server import free_port, running

#  The visible parts of the first screen, which must not overlap.
PARTS = (
    ".brand, .masthead nav a, .toolbar .field, .toolbar p, .toolbar label:has(input), "
    ".toolbar button, .status, "
    ".board, .bubble, .actions button, .tabs button, .starts svg, .starts a, .starts small, summary"
)


@pytest.fixture(scope="module")
def origin() -> Iterator[str]:
    """Run one server for all tests; return its URL."""
    with running(WEB_CONCURRENCY="1", LOG_LEVEL="warning") as server:
        yield f"http://127.0.0.1:{server.port}"


@pytest.fixture(scope="module", params=sorted(webdriver.PROGRAMS))
def browser(request: pytest.FixtureRequest) -> Iterator[webdriver.Browser]:
    """Run each browser; without its programs skip its tests, or fail if BROWSER_REQUIRED."""
    needed = webdriver.PROGRAMS[request.param]
    if missing := [program for program in needed if not shutil.which(program)]:
        reason = f"{' and '.join(missing)} is not installed"
        if os.environ.get("BROWSER_REQUIRED"):
            pytest.fail(f"BROWSER_REQUIRED is set, but {reason}")
        pytest.skip(reason)
    with webdriver.browsing(request.param, free_port()) as browser:
        browser.resize(1366, 650)
        yield browser


def expect_status(browser: webdriver.Browser, text: str) -> None:
    """Wait until the status above the board has a text and no request is pending."""
    browser.wait_for(
        f"document.getElementById('status')?.textContent === {json.dumps(text)}"
        " && document.getElementById('game').ariaBusy === 'false'"
    )


def test_the_first_screen_fits_into_the_window_without_overlaps(
    browser: webdriver.Browser, origin: str
) -> None:
    """At 1366 by 650 pixels nothing scrolls or overlaps."""
    browser.go(origin)
    expect_status(browser, "You move first (X).")
    parts: dict[str, list[float]] = browser.run(
        """
        const parts = [...document.querySelectorAll(arguments[0])]
            .filter((part) => part.checkVisibility());
        const text = (part) => part.textContent.trim().slice(0, 20);
        const name = (part) => `${part.localName}.${part.className} ${text(part)}`;
        const edges = ({ left, top, right, bottom }) => [left, top, right, bottom];
        return Object.fromEntries(parts.map((part, index) =>
          [`${index} ${name(part)}`, edges(part.getBoundingClientRect())]));
        """,
        PARTS,
    )
    assert len(parts) > 30
    for (one, (left, top, right, bottom)), (other, (start, above, end, below)) in combinations(
        parts.items(), 2
    ):
        is_apart = right <= start + 1 or end <= left + 1 or bottom <= above + 1 or below <= top + 1
        assert is_apart, f"{one} overlaps {other}"
    assert browser.run("return document.documentElement.scrollHeight") <= 650


def test_no_page_scrolls_sideways_on_a_phone(browser: webdriver.Browser, origin: str) -> None:
    """At 390 pixels no page is wider than the window."""
    browser.resize(390, 844)
    try:
        for path in ("", "?view=explain", "search?lesson=6", "docs"):
            browser.go(f"{origin}/{path}")
            assert browser.run("return document.documentElement.scrollWidth - innerWidth") <= 0
    finally:
        browser.resize(1366, 650)


def test_a_game_can_be_played(browser: webdriver.Browser, origin: str) -> None:
    """Clicks make moves, the oracle wins, and the drawn mistake leads to its explanation."""
    browser.go(f"{origin}/?difficulty=perfect&tie_break=first")
    for cell, told in ((1, "Your turn (X)."), (7, "Your turn (X)."), (3, "You lost: O won.")):
        browser.click(
            f".board [role=row]:nth-child({cell // 3 + 1}) > :nth-child({cell % 3 + 1}) button"
        )
        expect_status(browser, told)
    browser.wait_for("document.querySelectorAll('#mistake svg').length === 2")
    browser.click("#mistake a")
    browser.wait_for("document.querySelector('#explanation .strip')")


def test_a_search_can_be_stepped_through(browser: webdriver.Browser, origin: str) -> None:
    """URLs open a lesson and a step, and a button goes to the next step."""
    step = "document.querySelector('#drawing svg') && document.getElementById('step').value"
    browser.go(f"{origin}/search?lesson=6")
    browser.wait_for(f"{step} > 0")
    browser.go(f"{origin}/search?board=X.O.O.X..&algorithm=minimax&step=19")
    browser.wait_for(f"{step} === '19'")
    browser.click("#step-forward")
    browser.wait_for(f"{step} === '20'")


def test_an_exercise_can_be_answered(browser: webdriver.Browser, origin: str) -> None:
    """A score is typed into a tree, a branch is cut, and mistakes are shown at their places."""
    browser.go(f"{origin}/search?tree=[[3,12,8],[2,4,6],[14,5,2]]&predict=true&at_once=true")
    field = "[aria-label^='Score of B']"
    browser.wait_for(
        f"""document.querySelector("{field}") && document.querySelector("#drawing svg[width]")"""
    )
    browser.run(
        f"const field = document.querySelector(\"{field}\"); field.focus(); field.value = '3';"
        " field.dispatchEvent(new Event('input'));"
    )
    browser.click("[aria-label='Cut the branch to I']")
    browser.click("#exercise-check")
    browser.wait_for("document.getElementById('exercise-reveal').checkVisibility()")
    browser.click("#exercise-reveal")
    browser.wait_for(f"document.querySelector(\"{field}\").dataset.verdict === 'right'")
    apart = """
        const place = (each) => each.getBoundingClientRect();
        const fields = [...document.querySelectorAll(".field.value")];
        const cards = [...document.querySelectorAll("#drawing path.card")];
        const middle = ({ left, right, top, bottom }) => [(left + right) / 2, (top + bottom) / 2];
        return fields.map((field) => {
            const [x, y] = middle(place(field));
            return Math.min(...cards.map((card) => {
                const [u, v] = middle(place(card));
                return Math.hypot(x - u, y - v);
            }));
        });
    """
    assert max(browser.run(apart)) < 12, "each field is in its triangle"
    browser.click("#exercise-reasons a")
    browser.wait_for("document.querySelector('#exercise-back a').checkVisibility()")
    browser.click("#exercise-back a")
    browser.wait_for(f"document.querySelector(\"{field}\")?.value === '3'")


def test_parts_of_the_search_page_are_loaded_when_the_connection_is_back(
    browser: webdriver.Browser,
) -> None:
    """Without a connection, each button whose script is not loaded yet says so."""
    port = free_port()
    error = "This part of the page cannot be loaded."

    def press(buttons: tuple[str, ...], place: str, text: str) -> None:
        for each in buttons:
            browser.click(each)
        browser.wait_for(f"document.getElementById('{place}').textContent.startsWith('{text}')")

    with running(port=port, WEB_CONCURRENCY="1", LOG_LEVEL="warning"):
        browser.go(f"http://127.0.0.1:{port}/search?lesson=6")
        browser.wait_for("document.querySelector('#drawing svg')")
    press(("#share summary", "#save-tree"), "shared", error)
    for each in ("#comparing", "#predicting"):
        press((each,), "moment-sentence", error)
    browser.wait_for("location.search === '?lesson=6'")
    with running(port=port, WEB_CONCURRENCY="1", LOG_LEVEL="warning"):
        press(("#share summary", "#save-tree"), "shared", "Saved.")
        press(("#comparing",), "comparison-note", "All find the same move")
        press(("#costs button", "#predicting"), "exercise-task", "Type the score")


def test_a_request_is_sent_from_the_reference(browser: webdriver.Browser, origin: str) -> None:
    """A link fills in a request and scrolls to it, and a button sends the request."""
    browser.go(f"{origin}/docs?board=X.O.O.X..&algorithm=minimax#getBestMove")
    call = "section:has(#getBestMove) .call"
    browser.wait_for(
        f"document.querySelector('{call} .code pre').textContent.includes('algorithm=minimax')"
    )
    top = browser.run("return document.getElementById('getBestMove').getBoundingClientRect().top")
    assert 0 <= top < 32  # the margin above a heading
    browser.click(f"{call} .primary")
    browser.wait_for(
        f"document.querySelector('{call} .sending .note').textContent.startsWith('200')"
    )
    shown = browser.run(f"return document.querySelector('{call} > pre').textContent")
    assert json.loads(shown)["nodes"] == 174
