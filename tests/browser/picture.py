"""Regenerate the pictures of the READMEs with the installed service: `make picture`."""

from tests.browser.chromium import browsing
from tests.browser.elements import expect_board, expect_status, expect_step
from tests.readme import ROOT
from tests.server import running

#  O replied to the corner with a side, which was a mistake: now X has winning, drawing and losing
#  moves.
GAME = "/?played=0,1,3,6&analysis=true&view=explain"
#  The last step of a search whose tree is drawn whole, with a win, and cutoffs on three plies.
SEARCH = "/search?board=X.O.O.X..&starts=X&step=112"


def renew() -> None:
    """Save the pictures of a game, with the outcome of each move, and of a search."""
    with running(WEB_CONCURRENCY="1") as server, browsing() as browser:
        origin = f"http://127.0.0.1:{server.port}"
        page = browser.new_page(viewport={"width": 1280, "height": 640}, reduced_motion="reduce")
        page.goto(f"{origin}{GAME}")
        expect_board(page, "XO.X..O..")
        expect_status(page, "Your turn (X).")
        page.screenshot(path=ROOT / "service/best_move/web/pages/static/preview.png")
        page = browser.new_page(viewport={"width": 1280, "height": 800}, device_scale_factor=2)
        page.goto(f"{origin}{SEARCH}")
        expect_step(page, 112)
        page.locator("#share").get_by_text("Share").click()
        with page.expect_download() as download:
            page.get_by_role("button", name="Save as SVG").click()
        page.set_content(download.value.path().read_text(encoding="utf-8"))
        page.locator("svg").screenshot(path=ROOT / "service/search-tree.png")


if __name__ == "__main__":
    renew()
