"""Fixtures: a server, a browser profile, and a page that logs and requests nothing unexpected."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, ViewportSize

from tests.processes import SECONDS_TO_WAIT
from tests.server import Server

EMPTY = "about:blank"
SIZE: ViewportSize = {"width": 1280, "height": 800}

#  Paths of the requests that tests make fail on purpose.
REFUSED = {
    *("/best-move", "/board.png", "/game-review", "/health", "/nowhere"),
    *("/number-tree", "/search-tree"),
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of this folder as thorough, because a browser takes much CPU time."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker("thorough")


@pytest.fixture(scope="session")
def origin(server: Server) -> str:
    """Return the URL of the server."""
    return f"http://127.0.0.1:{server.port}"


@contextmanager
def profile(browser: Browser, origin: str) -> Iterator[tuple[BrowserContext, list[str]]]:
    """Open a browser profile; yield it, and a list of what its pages log and ask other servers."""
    context = browser.new_context(base_url=origin, viewport=SIZE, reduced_motion="reduce")
    context.set_default_timeout(SECONDS_TO_WAIT * 1000)
    found: list[str] = []
    own = (f"{origin}/", "data:")
    context.on("console", lambda message: found.extend(complaint(message)))
    context.on("weberror", lambda error: found.append(str(error.error)))
    context.on(
        "request",
        lambda request: None if request.url.startswith(own) else found.append(request.url),
    )
    yield context, found
    context.close()


@pytest.fixture
def context(browser: Browser, origin: str) -> Iterator[BrowserContext]:
    """Return a new browser profile for one test."""
    with profile(browser, origin) as (context, found):
        yield context
    assert found == []


@pytest.fixture(scope="module")
def _kept(browser: Browser, origin: str) -> Iterator[tuple[Page, list[str]]]:
    with profile(browser, origin) as (context, found):
        yield context.new_page(), found


@pytest.fixture
def page(request: pytest.FixtureRequest) -> Iterator[Page]:
    """Return an empty page, in a new profile if the test uses `context`, else one that is shared.

    Sharing halves the time, but a changed clock, a permission or an init script cannot be undone.
    """
    if "context" in request.fixturenames:
        yield request.getfixturevalue("context").new_page()
        return
    page, found = request.getfixturevalue("_kept")
    yield page
    page.unroute_all(behavior="ignoreErrors")
    if page.url != EMPTY:
        page.evaluate("sessionStorage.clear()")
    page.goto(EMPTY)
    page.mouse.move(0, 0)
    page.emulate_media(
        media="null", color_scheme="null", forced_colors="null", reduced_motion="reduce"
    )
    page.set_viewport_size(SIZE)
    complaints = [*found]
    found.clear()
    assert complaints == []


def complaint(message: ConsoleMessage) -> Iterator[str]:
    """Yield a console message as text, unless it reports a request that a test blocked."""
    is_refused = (
        urlsplit(message.location["url"]).path in REFUSED
        and "Failed to load resource" in message.text
    )
    if not is_refused and "ERR_INTERNET_DISCONNECTED" not in message.text:
        yield f"{message.type}: {message.text} ({message.location['url']})"
