"""Renew the picture of the page: `make picture`."""

from typing import Final

from service.web.pages import STATIC
from tests.browser.chromium import browsing
from tests.browser.playground import expect_board, expect_status
from tests.server import running

WIDTH: Final = 1280  # of the picture, which is half as high

#  As much of the page as shows the board whole; the picture is a reduction of it.
SHOWN: Final = 1800

#  O has answered a corner with an edge, which loses: there are winning, drawing and losing moves to show.
ADDRESS: Final = "/?board=XO.......&to_move=X&moves=01"


def take() -> None:
    """Take the picture of a game in progress, with what each cell is worth."""
    with running(WEB_CONCURRENCY="1") as server, browsing() as browser:
        page = browser.new_page(
            viewport={"width": SHOWN, "height": SHOWN // 2},
            device_scale_factor=WIDTH / SHOWN,
            reduced_motion="reduce",
        )
        page.goto(f"http://127.0.0.1:{server.port}{ADDRESS}")
        page.get_by_role("button", name="middle left").click()
        expect_board(page, "XO.X..O..")
        expect_status(page, "Your move with X.")
        page.mouse.move(0, 0)
        page.evaluate("scrollTo(0, 0)")
        page.screenshot(path=STATIC / "preview.png")


if __name__ == "__main__":
    take()
