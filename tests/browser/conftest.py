"""Fixtures: a server, a browser profile, and a page that logs and requests nothing unexpected."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, ViewportSize

from tests.processes import SECONDS_TO_WAIT
from tests.server import running

EMPTY = "about:blank"
SIZE: ViewportSize = {"width": 1280, "height": 800}

#  Paths of the requests that tests make fail on purpose.
REFUSED = {"/best-move", "/board.png", "/game-review", "/health", "/nowhere", "/search-tree"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of this folder as thorough, because a browser takes much CPU time."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker("thorough")


@pytest.fixture(scope="session")
def origin(browser: Browser) -> Iterator[str]:
    """Run one server for all tests; return its URL."""
    assert browser.is_connected()
    with running(
        WEB_CONCURRENCY="1", LOG_LEVEL="warning"
    ) as server:  # a full pipe of log lines would block the server
        yield f"http://127.0.0.1:{server.port}"


class Profile:
    """A browser profile that records the console messages and the requests of its pages."""

    def __init__(self, browser: Browser, origin: str) -> None:
        self.context = browser.new_context(base_url=origin, viewport=SIZE, reduced_motion="reduce")
        self.context.set_default_timeout(SECONDS_TO_WAIT * 1000)
        self._origin = origin
        self._complaints: list[str] = []
        self._asked: set[str] = set()
        self.context.on("console", lambda message: self._complaints.extend(complaint(message)))
        self.context.on("weberror", lambda error: self._complaints.append(str(error.error)))
        self.context.on("request", lambda request: self._asked.add(request.url))

    def check(self) -> None:
        """Assert that no page has logged anything or called another server since the last check."""
        complaints, others = (
            [*self._complaints],
            {url for url in self._asked if not self._is_own(url)},
        )
        self._complaints.clear()
        self._asked.clear()
        assert complaints == []
        assert others == set()

    def _is_own(self, url: str) -> bool:
        return url.startswith((f"{self._origin}/", "data:"))


@pytest.fixture
def context(browser: Browser, origin: str) -> Iterator[BrowserContext]:
    """Return a new browser profile for one test."""
    profile = Profile(browser, origin)
    yield profile.context
    profile.context.close()
    profile.check()


@pytest.fixture(scope="module")
def _kept(browser: Browser, origin: str) -> Iterator[tuple[Profile, Page]]:
    profile = Profile(browser, origin)
    yield profile, profile.context.new_page()
    profile.context.close()


@pytest.fixture
def page(request: pytest.FixtureRequest) -> Iterator[Page]:
    """Return an empty page, in a new profile if the test uses `context`, else one that is shared.

    Sharing halves the time, but a changed clock, a permission or an init script cannot be undone.
    """
    if "context" in request.fixturenames:
        yield request.getfixturevalue("context").new_page()
        return
    profile, page = request.getfixturevalue("_kept")
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
    profile.check()


def complaint(message: ConsoleMessage) -> Iterator[str]:
    """Yield a console message as text, unless it reports a request that a test blocked."""
    is_refused = (
        urlsplit(message.location["url"]).path in REFUSED
        and "Failed to load resource" in message.text
    )
    if not is_refused and "ERR_INTERNET_DISCONNECTED" not in message.text:
        yield f"{message.type}: {message.text} ({message.location['url']})"
