"""The files that a browser loads: they are few, small, and cached."""

from typing import Any

import pytest
from playwright.sync_api import Page

from best_move.web.pages.views import NEW_GAME_REQUEST
from tests.browser.elements import expect_status

NUMBERS = (
    "number-tree?tree=%5B%5B3%2C12%2C8%5D%2C%5B2%2C4%2C6%5D%2C%5B14%2C5%2C2%5D%5D"
    "&root=max&cut=at_least&order=given&algorithm=alphabeta"
)
TREE = "search-tree?board=XXOOX...O&scoring=outcome&order=cells&max_depth=9"

pytestmark = pytest.mark.usefixtures("context")  # with an empty cache


@pytest.mark.parametrize(
    ("address", "most", "requests"),
    [
        ("/", 43_000, [NEW_GAME_REQUEST]),
        ("/?view=explain", 48_000, [NEW_GAME_REQUEST, f"{NEW_GAME_REQUEST}&analysis=true"]),
        (
            "/search?lesson=2",
            60_000,
            [f"{TREE}&algorithm={name}" for name in ("alphabeta", "minimax")],
        ),
        ("/search", 62_000, [NUMBERS]),
        ("/docs", 27_000, []),
    ],
)
def test_a_page_with_its_files_is_smaller_than_its_limit(
    page: Page, address: str, most: int, requests: list[str]
) -> None:
    """The limit is in bytes on the wire, headers included.

    A page loads itself, its static files and few responses of the API.
    """
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    urls: dict[str, str] = {}
    sizes: dict[str, int] = {}

    def name(event: dict[str, Any]) -> None:
        urls[event["requestId"]] = event["response"]["url"]

    def count(event: dict[str, Any]) -> None:
        sizes[urls[event["requestId"]]] = int(event["encodedDataLength"])

    session.on("Network.responseReceived", name)
    session.on("Network.loadingFinished", count)
    page.goto(address)
    page.wait_for_load_state("networkidle")
    assert sum(sizes.values()) < most
    others = sizes.keys() - {page.url}
    assert sorted(url.rpartition("/")[2] for url in others if "/static/" not in url) == requests


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
