"""The pages behind nginx with a path prefix."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.elements import cell, expect_board, expect_status
from tests.deploy.nginx import PREFIXED, nginx
from tests.server import running


@pytest.fixture(scope="module")
def origin(browser: Browser) -> Iterator[str]:
    """Run a service behind nginx with a prefix; return its URL.

    A page's request outside the prefix fails the test.
    """
    assert browser.is_connected()
    with (
        running(WEB_CONCURRENCY="1", LOG_LEVEL="warning") as service,
        nginx(service.port, PREFIXED) as front,
    ):
        yield f"http://127.0.0.1:{front.port}/ttt"


@pytest.mark.smoke
def test_the_pages_work_below_a_prefix(page: Page, origin: str) -> None:
    """A game, its search and the reference work, and links stay within the prefix."""
    page.goto(f"{origin}/?played=0,4&difficulty=perfect&tie_break=first&view=explain")
    expect_status(page, "Your turn (X).")
    page.get_by_role("link", name="See how the search found this").click()
    expect(page.get_by_role("treeitem").first).to_be_visible()
    page.go_back()
    expect_status(page, "Your turn (X).")
    cell(page, 8).click()
    expect_board(page, "XO..O...X")
    page.get_by_role("link", name="API", exact=True).click()
    form = page.get_by_role("form", name="Try GET /best-move", exact=True)
    form.get_by_role("button", name="Send").click()
    expect(form.get_by_role("region", name="Response")).to_contain_text('"outcome": "win"')
    page.get_by_role("link", name="Play", exact=True).click()
    expect_status(page, "You move first (X).")
