"""Fixtures: a browser, a server, and a page that may log no errors."""

from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, ViewportSize

from tests.server import running

MILLISECONDS = 10_000
SIZE: ViewportSize = {"width": 1280, "height": 800}

#  Paths whose requests tests let fail.
REFUSED = {"/best-move", "/health", "/nowhere"}


@pytest.fixture(scope="session")
def origin(browser: Browser) -> Iterator[str]:
    """Run one server for all tests; return its address."""
    assert browser.is_connected()
    with running(WEB_CONCURRENCY="1", LOG_LEVEL="warning") as server:  # a full pipe of log lines would block it
        yield f"http://127.0.0.1:{server.port}"


@contextmanager
def profile(browser: Browser, origin: str) -> Iterator[BrowserContext]:
    """Open a fresh browser profile; afterwards no page may have logged an error or requested another host."""
    context = browser.new_context(base_url=origin, viewport=SIZE, reduced_motion="reduce")
    context.set_default_timeout(MILLISECONDS)
    complaints: list[str] = []
    asked: set[str] = set()
    context.on("console", lambda message: complaints.extend(complaint(message)))
    context.on("weberror", lambda error: complaints.append(str(error.error)))
    context.on("request", lambda request: asked.add(request.url))
    yield context
    context.close()
    assert complaints == []
    assert {url for url in asked if not url.startswith((f"{origin}/", "data:"))} == set()


@pytest.fixture
def context(browser: Browser, origin: str) -> Iterator[BrowserContext]:
    """Return a browser profile for one test."""
    with profile(browser, origin) as context:
        yield context


@pytest.fixture(scope="module")
def _kept_page(browser: Browser, origin: str) -> Iterator[Page]:
    with profile(browser, origin) as context:
        yield context.new_page()


@pytest.fixture
def shared_page(_kept_page: Page) -> Page:
    """Return a page for tests that only look at what they load, because a fresh one takes twice as long."""
    _kept_page.set_viewport_size(SIZE)
    return _kept_page


@pytest.fixture
def page(context: BrowserContext) -> Page:
    """Return an empty page."""
    return context.new_page()


def complaint(message: ConsoleMessage) -> Iterator[str]:
    """Yield a console message unless it reports an expected failure of a request."""
    is_refused = urlsplit(message.location["url"]).path in REFUSED and "Failed to load resource" in message.text
    if not is_refused and "ERR_INTERNET_DISCONNECTED" not in message.text:
        yield f"{message.type}: {message.text} ({message.location['url']})"
