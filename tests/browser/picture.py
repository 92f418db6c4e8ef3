"""Renew the picture of the page: `make picture`."""

from typing import Final

from service.web.pages import STATIC
from tests.browser.chromium import browsing
from tests.browser.playground import expect_board, expect_status
from tests.server import running

WIDTH: Final = 1280  # of the picture, which is half as high

#  O has answered a corner with an edge, which loses: there are winning, drawing and losing moves to show.
ADDRESS: Final = "/?played=0,1,3,6&analysis=true&view=explain"


def take() -> None:
    """Take the picture of a game in progress, with what each cell leads to."""
    with running(WEB_CONCURRENCY="1") as server, browsing() as browser:
        page = browser.new_page(viewport={"width": WIDTH, "height": WIDTH // 2}, reduced_motion="reduce")
        page.goto(f"http://127.0.0.1:{server.port}{ADDRESS}")
        expect_board(page, "XO.X..O..")
        expect_status(page, "Your turn with X.")
        page.screenshot(path=STATIC / "preview.png")


if __name__ == "__main__":
    take()
