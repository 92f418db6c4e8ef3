"""Regenerate the pictures of the playground and of a search: `make picture`."""

from typing import Final

from playwright.sync_api import Browser

from best_move.web.pages.files import STATIC
from tests.browser import search_picture
from tests.browser.chromium import browsing
from tests.browser.elements import expect_board, expect_status
from tests.server import running

WIDTH: Final = 1280  # in pixels, of the picture of the playground; its height is half of that

#  O replied to the corner with a side, which was a mistake: now X has winning, drawing and losing
#  moves.
ADDRESS: Final = "/?played=0,1,3,6&analysis=true&view=explain"


def take(browser: Browser, origin: str) -> None:
    """Save the picture of a game, with the outcome of each move."""
    page = browser.new_page(
        viewport={"width": WIDTH, "height": WIDTH // 2}, reduced_motion="reduce"
    )
    page.goto(f"{origin}{ADDRESS}")
    expect_board(page, "XO.X..O..")
    expect_status(page, "Your turn (X).")
    page.screenshot(path=STATIC / "preview.png")


def renew() -> None:
    """Regenerate all pictures with the installed service."""
    with running(WEB_CONCURRENCY="1") as server, browsing() as browser:
        origin = f"http://127.0.0.1:{server.port}"
        drawn = search_picture.draw(browser, origin)
        search_picture.FILE.write_text(drawn, encoding="utf-8")
        take(browser, origin)


if __name__ == "__main__":
    renew()
