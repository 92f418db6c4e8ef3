"""The board in a chat, in Chromium, inside the host side of MCP Apps: played by clicks and by keys, at any width."""

import re
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import Browser, Frame, Locator, Page, expect

from tests.browser.test_accessibility import violations
from tests.clients.tools import installed, run
from tests.server import Server

PROGRAM = Path(__file__).with_name("app_host.js")
HTML = """<!doctype html>
<title>host</title>
<style>iframe { width: 100%; border: 0 }</style>
<script type="module" src="host.js"></script>
"""
OVERFLOW = "document.documentElement.scrollWidth - innerWidth"
HEIGHT = "document.documentElement.getBoundingClientRect().height"
MILLISECONDS = 10_000


class Quiet(SimpleHTTPRequestHandler):
    """Serves files without a log."""

    def log_message(self, *_: object) -> None:
        """Write nothing."""


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory, server: Server) -> Iterator[str]:
    """Serve the page of the host; return its URL."""
    folder = tmp_path_factory.mktemp("host")
    bundler = installed("esbuild")
    (folder / "node_modules").symlink_to(bundler.parents[1])
    (folder / PROGRAM.name).write_text(PROGRAM.read_text(encoding="utf-8"), encoding="utf-8")
    run(bundler, PROGRAM.name, "--bundle", "--format=esm", "--outfile=host.js", folder=folder)
    (folder / "index.html").write_text(HTML)
    files = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    Thread(target=files.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{files.server_port}/?mcp=http://127.0.0.1:{server.port}/mcp"
    files.shutdown()
    files.server_close()


class Chat:
    """A page of the host, and the board in it."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def show(self, tool: str, theme: str = "light", **arguments: object) -> None:
        """Call a tool as a model does, and wait until the board shows its result."""
        self.page.evaluate("([tool, sent, theme]) => show(tool, sent, theme)", [tool, arguments, theme])
        self.wait()

    def wait(self) -> None:
        """Wait until the board waits for no response."""
        expect(self.frame.locator("#game")).to_have_attribute("aria-busy", "false")

    @property
    def frame(self) -> Frame:
        """The frame of the board."""
        return self.page.frames[-1]

    def cell(self, number: int) -> Locator:
        """Return the button of a cell."""
        return self.frame.get_by_role("grid").get_by_role("button").nth(number)

    def button(self, name: str) -> Locator:
        """Return a button by its name."""
        return self.frame.get_by_role("button", name=name, exact=True)

    def expect(self, status: str, sentence: str) -> None:
        """Wait until the board shows a status and a sentence."""
        expect(self.frame.locator("#status")).to_have_text(status)
        expect(self.frame.locator("#said")).to_have_text(re.compile(f"^{re.escape(sentence)}"))

    def seen(self, name: str) -> Any:
        """Return what the host has seen."""
        return self.page.evaluate(f"seen.{name}")


@pytest.fixture
def chat(browser: Browser, host: str) -> Iterator[Chat]:
    """Return a fresh page of the host; at the end neither it nor the board has failed or loaded anything else."""
    context = browser.new_context(viewport={"width": 420, "height": 600}, reduced_motion="reduce")
    context.set_default_timeout(MILLISECONDS)
    failures: list[str] = []
    context.on("weberror", lambda error: failures.append(str(error.error)))
    context.on("console", lambda message: failures.append(message.text) if "Refused" in message.text else None)
    page = context.new_page()
    page.goto(host)
    page.wait_for_function("'show' in window")
    yield Chat(page)
    context.close()
    assert failures == []


def test_a_game_is_played_by_clicks(chat: Chat) -> None:
    """A click plays, the oracle replies through the same tool, the model is informed, and the end has a verdict."""
    chat.show("best_move", played=[0], you="O", difficulty="perfect")
    chat.expect("Your turn with X.", "O plays 4, the center, the cell on the most lines.")
    for cell, sentence in (
        (8, "O plays 1, the top side, and leaves X no fork."),
        (7, "O plays 6, the bottom-left corner"),
    ):
        chat.cell(cell).click()
        chat.expect("Your turn with X.", sentence)
    chat.cell(3).click()
    chat.expect("You lost: O won.", "X's 3 at move 7 decided the game: it turned a draw into a loss. Best: 2.")
    sent = {"starts": "X", "you": "O", "difficulty": "perfect"}
    assert chat.seen("calls")[:2] == [{**sent, "played": [0, 4, 8]}, {**sent, "played": [0, 4, 8, 1, 7]}]
    assert "Played so far: [0, 4, 8, 1, 7, 6, 3, 2]" in chat.seen("contexts")[-1]
    chat.button("Play again").click()
    chat.expect("X to move.", "Choose a cell, or let the oracle start.")


def test_a_game_is_played_by_keys(chat: Chat) -> None:
    """Arrow keys, digits, Tab and Enter reach everything; the oracle may start, and its level may be chosen."""
    chat.show("best_move", played=[0, 4])
    chat.frame.get_by_label("Level").select_option("Easy")
    chat.button("New game").press("Enter")
    chat.button("Let it start").press("Enter")
    expect(chat.frame.locator("#status")).to_have_text("Your turn with O.")
    (played,) = chat.seen("contexts")
    (start,) = re.findall(r"Played so far: \[(\d)\]", played)
    chat.frame.locator(":focus").press("Home")
    free = (int(start) + 1) % 9
    chat.page.keyboard.press(str(free))
    expect(chat.cell(free)).to_have_accessible_name(re.compile(", O$"))
    chat.wait()
    assert [call["difficulty"] for call in chat.seen("calls")] == ["easy", "easy"]
    chat.page.keyboard.press(str(free))
    expect(chat.frame.locator("#announcement")).to_contain_text("is taken.")


def test_a_judged_game_is_shown_and_played_on(chat: Chat) -> None:
    """The result of judge_move shows the game and the judgment; either side may play on."""
    chat.show("judge_move", played=[0, 1])
    chat.expect("X to move.", "O plays 1, the top side. This is a mistake: it turns a draw into a loss.")
    chat.button("Let it move").click()
    chat.expect("Your turn with O.", "X plays")
    assert chat.seen("calls") == [{"played": [0, 1], "starts": "X", "you": "X", "difficulty": "perfect"}]


def test_a_failed_call_can_be_repeated(chat: Chat) -> None:
    """The service's words, or the client's, are shown; Try again repeats the call, and the game goes on."""
    chat.show("best_move", played=[0])
    chat.page.evaluate("seen.changed = { played: [0, 0] }")
    chat.cell(8).click()
    chat.expect("The call failed.", "Move 2 plays cell 0, but X took it at move 1. Free cells: 1, 2, 3, 4, 5, 6, 7, 8.")
    chat.page.evaluate("seen.changed = {}; seen.broken = 'The server is not connected.'")
    chat.button("Try again").click()
    chat.expect("The call failed.", "The server is not connected.")
    chat.page.evaluate("seen.broken = null")
    chat.button("Try again").click()
    chat.expect("Your turn with X.", "O plays 1, the top side")
    assert len({str(call) for call in chat.seen("calls")}) == 1
    chat.show("best_move", played=[4, 4])
    chat.expect("The call failed.", "Move 2 plays cell 4, but X took it at move 1.")
    expect(chat.button("New game").last).to_be_visible()


def test_the_board_fits_any_chat(chat: Chat) -> None:
    """At most 500 pixels high at any width, without scrollbars; axe finds nothing, light or dark; cells are large."""
    for theme in ("light", "dark"):
        chat.show("best_move", theme=theme, played=[0, 4, 8, 1, 7, 6, 3])
        for width in (280, 420, 760):
            chat.page.set_viewport_size({"width": width + 16, "height": 600})
            assert chat.frame.evaluate(HEIGHT) <= 500
            assert chat.frame.evaluate(OVERFLOW) == 0
            box = chat.cell(0).bounding_box()
            assert box
            assert min(box["width"], box["height"]) >= 44
        assert violations(chat.frame) == []  # type: ignore[arg-type]
        scheme = chat.frame.evaluate("getComputedStyle(document.documentElement).colorScheme")
        assert scheme == theme
    assert chat.seen("heights")
    chat.page.evaluate("bridge.setHostContext({ theme: 'light' })")
    expect(chat.frame.locator("html")).to_have_css("color-scheme", "light")
