"""The installed Chromium, driven by Playwright."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

#  These options stop update requests, and let Chromium run in a container and as root.
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]

# The headless shell comes first because it takes two thirds of the CPU time.
COMMANDS = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"]


def installed() -> str | None:
    """Return the path of the installed Chromium, or None."""
    return next(filter(None, map(shutil.which, COMMANDS)), None)


@contextmanager
def browsing() -> Iterator[Browser]:
    """Run the installed Chromium; yield it."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=installed(), args=ARGUMENTS)
        yield browser
        browser.close()
