"""The board of the MCP App, in Chromium, in a chat client."""

import re
import shutil
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Frame, Page, expect

from tests.browser.axe import violations
from tests.browser.chromium import ARGUMENTS
from tests.browser.chromium import installed as chromium
from tests.browser.contrast import in_winning_cell
from tests.browser.elements import button, cell
from tests.clients.tools import installed, run
from tests.processes import SECONDS_TO_WAIT

PROGRAM = Path(__file__).with_name("app_host.js")
HTML = """<!doctype html>
<title>host</title>
<style>body { margin: 0 } iframe { display: block; width: 100%; border: 0 }</style>
"""
HEIGHT = "document.documentElement.getBoundingClientRect().height"
#  The width of the scrollbar, and of the content that overflows.
OVERFLOW = """() => {
    const { clientWidth, scrollWidth } = document.documentElement;
    return [innerWidth - clientWidth, scrollWidth - clientWidth];
}"""
SETTLED = """async (width) => {
    const { documentElement: page } = document;
    const isSettled = () => {
        const { height } = page.getBoundingClientRect();
        return innerWidth === width && innerHeight === Math.ceil(height);
    };
    for (let frames = 0; frames < 300 && !isSettled(); frames++) {
        await new Promise(requestAnimationFrame);
    }
    return isSettled();
}"""

#  The moves of two games: after the next move of best_move the first game goes on, and O has won
#  the second.
IN_PLAY = [0, 4, 8, 1, 7]
LOST = [0, 4, 8, 1, 7, 6, 3]
READ_ONLY: dict[str, object] = {"updateModelContext": {"text": {}}}


class Chat:
    """The page of the chat client, and the last board in it."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def show(
        self, tool: str, options: dict[str, object] | None = None, **arguments: object
    ) -> None:
        """Call a tool as a model does, in a game that X starts; wait until the board shows it."""
        sent = {"starts": "X", **arguments}
        self.page.evaluate(
            "([tool, sent, options]) => show(tool, sent, options)", [tool, sent, options or {}]
        )
        expect(self.frame.locator("#game")).to_have_attribute("aria-busy", "false")

    def resize(self, width: int) -> None:
        """Change the width of the page, and wait until the board has its requested height."""
        self.page.set_viewport_size({"width": width, "height": 600})
        assert self.frame.evaluate(SETTLED, width)

    @property
    def frame(self) -> Frame:
        """The frame of the board."""
        return self.page.frames[-1]

    def expect(self, status: str, sentence: str) -> None:
        """Wait until the board shows this status, and a text that starts with this sentence."""
        expect(self.frame.locator("#status")).to_have_text(status)
        expect(self.frame.locator("#said")).to_have_text(re.compile(f"^{re.escape(sentence)}"))


def is_failure(message: ConsoleMessage) -> bool:
    """Return whether the console shows an error, other than that the service sends no streams.

    The client asks for a stream when it has connected, and may get the response during any test.
    """
    is_about_streams = message.location["url"].endswith("/mcp") and " 405 " in message.text
    return message.type == "error" and not is_about_streams


@pytest.fixture(scope="module")
def page(
    browser: Browser, origin: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Page, list[str]]]:
    """Return a page of the chat client for all tests, and the list of its errors.

    Its browser shows scrollbars, which Playwright hides by default.
    """
    folder = tmp_path_factory.mktemp("host")
    bundler = installed("esbuild")
    (folder / "node_modules").symlink_to(bundler.parents[1])
    shutil.copy(PROGRAM, folder)
    run(bundler, PROGRAM.name, "--bundle", "--format=esm", "--outfile=host.js", folder=folder)
    failures: list[str] = []
    launch = partial(browser.browser_type.launch, executable_path=chromium(), args=ARGUMENTS)
    with closing(launch(ignore_default_args=["--hide-scrollbars"])) as with_scrollbars:
        page = with_scrollbars.new_page(reduced_motion="reduce")
        page.set_default_timeout(SECONDS_TO_WAIT * 1000)
        page.on("pageerror", lambda error: failures.append(str(error)))
        page.on("console", lambda it: failures.extend([it.text] * is_failure(it)))
        page.goto(f"{origin}/health")  # for the origin
        page.set_content(HTML)
        page.add_script_tag(path=folder / "host.js", type="module")
        page.wait_for_function("'show' in window")
        yield page, failures


@pytest.fixture
def chat(page: tuple[Page, list[str]]) -> Iterator[Chat]:
    """Return a chat client without a board; after the test assert that it logged no error."""
    host, failures = page
    failures.clear()
    host.set_viewport_size({"width": 420, "height": 600})
    host.evaluate("reset()")
    yield Chat(host)
    assert failures == []


@pytest.mark.parametrize("redraws", [False, True], ids=["drawn once", "drawn again"])
def test_a_game_is_played_by_clicks(chat: Chat, *, redraws: bool) -> None:
    """The model is informed of each move; at the end the board names the last mistake.

    A client that draws the chat again sends the model's result again, which changes nothing.
    """
    options: dict[str, object] = {"redraws": redraws}
    chat.show("best_move", options, played=[0], you="O", difficulty="perfect")
    chat.expect("Your turn (X).", "O plays 4, the center: it is on the most lines.")
    cell(chat.frame, 8).click()
    chat.expect(
        "Your turn (X).", "O plays 1, the top side, and keeps X from threatening two lines at once."
    )
    cell(chat.frame, 7).click()
    chat.expect("Your turn (X).", "O plays 6, the bottom-left corner")
    cell(chat.frame, 3).click()
    chat.expect(
        "You lost: O won.", "Your mistake was the left side: the top-right corner would have drawn."
    )
    expect(button(chat.frame, "New game")).to_be_hidden()
    calls, contexts = chat.page.evaluate("[seen.calls, seen.contexts]")
    sides = {"starts": "X", "you": "O", "difficulty": "perfect"}
    assert calls[1] == {"played": [0, 4, 8, 1, 7], **sides}
    assert len(contexts) == 3
    assert "Played so far: [0, 4, 8, 1, 7, 6, 3, 2]" in contexts[-1]
    button(chat.frame, "Play again").click()
    chat.expect("X to move.", "Choose a cell, or let the oracle start.")


def test_the_board_shows_what_the_client_reports(chat: Chat) -> None:
    """It shows the error of a call and why a call was canceled, but not an error for the model."""
    chat.show("best_move", played=[0])
    chat.page.evaluate("seen.broken = 'The server is not connected.'")
    cell(chat.frame, 8).click()
    chat.expect("The call failed.", "The server is not connected.")
    chat.page.evaluate("seen.broken = null")
    button(chat.frame, "Try again").click()
    chat.expect("Your turn (X).", "O plays 1, the top side")
    chat.show("best_move", {"canceled": "user action"}, played=[0])
    chat.expect("The call was canceled.", "Reason: user action")
    chat.show("best_move", played=[4, 4])
    correcting = "The chat's model is correcting its call."
    assert chat.frame.locator("#game").inner_text() == correcting
    assert chat.frame.evaluate(HEIGHT) < 80


def test_without_forwarded_calls_the_board_is_read_only(chat: Chat) -> None:
    """If the client forwards no calls, the board asks the user to write moves in the chat."""
    chat.show("best_move", {"capabilities": READ_ONLY}, played=[0], you="O")
    chat.expect(
        "Your turn (X).",
        "O plays 4, the center: it is on the most lines. Write your move in the chat.",
    )
    expect(chat.frame.locator("[role=grid] button[aria-disabled=true]")).to_have_count(9)
    cell(chat.frame, 8).click(force=True)
    chat.page.keyboard.press("7")
    expect(cell(chat.frame, 8)).to_have_accessible_name("8, bottom-right corner, empty")
    expect(chat.frame.locator("button:visible, select:visible")).to_have_count(9)
    chat.show("best_move", {"capabilities": READ_ONLY}, played=LOST, you="O")
    chat.expect("You lost: O won.", "Your mistake was the left side")
    expect(chat.frame.locator("button:visible, select:visible")).to_have_count(9)


@pytest.mark.parametrize("height", [300, 360, 500])
def test_the_board_fits_a_chat_of_any_size(chat: Chat, height: int) -> None:
    """From 300 pixels of height, nothing scrolls; cells have at least 44 by 44 pixels."""
    context = {"containerDimensions": {"maxHeight": height}}
    for played in (IN_PLAY, LOST):
        chat.show("best_move", {"context": context}, played=played)
        for width in (240, 280, 320, 480, 544, 720):
            chat.resize(width)
            assert chat.frame.evaluate(OVERFLOW) == [0, 0]
            assert chat.frame.evaluate(HEIGHT) <= height
            box = cell(chat.frame, 0).bounding_box()
            assert box
            assert min(box["width"], box["height"]) >= 44


def test_the_arrow_of_the_level_is_beside_the_word(chat: Chat) -> None:
    """The longest level ends before the arrow, which needs 1.3rem."""
    chat.show("best_move", played=IN_PLAY)
    room = chat.frame.get_by_label("Level").evaluate(
        """(select) => {
            const { fontSize, fontFamily, paddingInlineStart } = getComputedStyle(select);
            const canvas = document.createElement("canvas").getContext("2d");
            canvas.font = `${fontSize} ${fontFamily}`;
            const measure = ({ text }) => canvas.measureText(text).width;
            const widths = [...select.options].map(measure);
            return select.clientWidth - Number.parseFloat(paddingInlineStart) - Math.max(...widths);
        }"""
    )
    assert room >= 1.3 * 16


def test_forced_colors_keep_a_winning_line_legible(chat: Chat) -> None:
    """If O wins, the numbers, the marks and the line have a contrast of at least 4.5:1."""
    chat.show("best_move", played=LOST)
    chat.page.emulate_media(forced_colors="active", color_scheme="light")
    light = in_winning_cell(cell(chat.frame, 2), "O", (-1, 1))
    chat.page.emulate_media(forced_colors="active", color_scheme="dark")
    dark = in_winning_cell(cell(chat.frame, 2), "O", (-1, 1))
    chat.page.emulate_media(forced_colors="null", color_scheme="null")
    assert min(*light.values(), *dark.values()) >= 4.5


def test_the_board_has_the_theme_of_the_chat(chat: Chat) -> None:
    """The board follows a change of the theme, and axe finds no violation."""
    chat.show("best_move", {"context": {"theme": "dark"}}, played=LOST)
    for theme in ("dark", "light"):
        chat.page.evaluate("(theme) => bridge.setHostContext({ theme })", theme)
        expect(chat.frame.locator("html")).to_have_css("color-scheme", theme)
        assert violations(chat.frame) == []


STYLE = {
    "theme": "dark",
    "styles": {
        "variables": {
            "--color-background-primary": "rgb(20, 60, 20)",
            "--color-text-primary": "rgb(250, 250, 200)",
            "--border-radius-md": "20px",
            "--font-sans": "Georgia, serif",
        },
        "css": {"fonts": "@font-face { font-family: Georgia; src: local('serif') }"},
    },
    "safeAreaInsets": {"top": 30, "right": 5, "bottom": 20, "left": 24},
    "containerDimensions": {"maxHeight": 440},
}


def test_the_board_has_the_style_of_the_chat(chat: Chat) -> None:
    """The board uses the client's colors, font, corners and insets, and fits its height."""
    chat.page.set_viewport_size({"width": 320, "height": 600})
    chat.show("best_move", {"context": STYLE}, played=LOST)
    body = chat.frame.locator("body")
    expect(body).to_have_css("background-color", "rgb(20, 60, 20)")
    expect(body).to_have_css("color", "rgb(250, 250, 200)")
    expect(body).to_have_css("font-family", "Georgia, serif")
    expect(cell(chat.frame, 1)).to_have_css("background-color", "rgb(20, 60, 20)")
    expect(button(chat.frame, "Play again")).to_have_css("border-radius", "20px")
    expect(chat.frame.locator("main")).to_have_css("padding", "30px 12px 20px 24px")
    assert "@font-face" in chat.frame.locator("#fonts").inner_text()
    chat.resize(320)
    assert chat.frame.evaluate(HEIGHT) <= 440
    assert chat.frame.evaluate(OVERFLOW) == [0, 0]


def test_properties_that_the_client_omits_stay_as_they_are(chat: Chat) -> None:
    """What was set stays set; what was never set, such as the bubble's color, is the board's."""
    chat.show("best_move", played=LOST)
    wash = chat.frame.locator(".bubble").evaluate("(it) => getComputedStyle(it).backgroundColor")
    chat.show("best_move", {"context": STYLE}, played=LOST)
    expect(chat.frame.locator("html")).to_have_css("color-scheme", "dark")
    chat.page.evaluate("bridge.setHostContext({ theme: 'light', styles: {} })")
    expect(chat.frame.locator("html")).to_have_css("color-scheme", "light")
    expect(chat.frame.locator(".bubble")).to_have_css("background-color", wash)
    expect(chat.frame.locator("body")).to_have_css("background-color", "rgb(20, 60, 20)")
    assert "@font-face" in chat.frame.locator("#fonts").inner_text()
