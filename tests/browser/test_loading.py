"""The files that a browser loads: they are few, small, and cached."""

from typing import Any

import pytest
from playwright.sync_api import Page

from best_move.web.pages.views import NEW_GAME_REQUEST
from tests.browser.elements import expect_status

pytestmark = pytest.mark.usefixtures("context")  # with an empty cache


def sizes(page: Page, address: str) -> dict[str, int]:
    """Load a page.

    Return the bytes received for it and each of its files, including headers, by URL.
    """
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    urls: dict[str, str] = {}
    loaded: dict[str, int] = {}

    def name(event: dict[str, Any]) -> None:
        urls[event["requestId"]] = event["response"]["url"]

    def count(event: dict[str, Any]) -> None:
        loaded[urls[event["requestId"]]] = int(event["encodedDataLength"])

    session.on("Network.responseReceived", name)
    session.on("Network.loadingFinished", count)
    page.goto(address)
    page.wait_for_load_state("networkidle")
    return loaded


@pytest.mark.parametrize(
    ("address", "most"),
    [("/", 43_000), ("/?view=explain", 48_000), ("/search", 60_000), ("/docs", 25_000)],
)
def test_a_page_with_its_files_is_smaller_than_its_limit(
    page: Page, address: str, most: int
) -> None:
    """The limit is in bytes on the wire, headers included."""
    assert sum(sizes(page, address).values()) < most


def test_a_new_game_makes_no_needless_requests(page: Page) -> None:
    """A new game loads only the page, its static files and one response of the API."""
    loaded = sizes(page, "/")
    expect_status(page, "You move first (X).")
    others = [url.partition(page.url)[2] for url in loaded if "/static/" not in url]
    assert sorted(others) == ["", NEW_GAME_REQUEST]


@pytest.mark.smoke
def test_static_files_are_loaded_once(page: Page) -> None:
    """A second visit sends two requests: for the page and for a move."""
    page.goto("/")
    expect_status(page, "You move first (X).")
    asked: list[str] = []
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.on(
        "Network.loadingFinished",
        lambda event: asked.append(event["requestId"]) if event["encodedDataLength"] else None,
    )
    page.goto("/?board=X...O....")
    expect_status(page, "Your turn (X).")
    page.wait_for_load_state("networkidle")
    assert len(asked) == 2
