"""Fixtures: the application, a test client, a server, and a browser."""

import gc
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from best_move.engine import COMPILED
from best_move.web.cpus import usable_cpus
from tests.installed import SOURCES, TESTED, differing

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient
    from playwright.sync_api import Browser

    from tests.server import Server

#  So that a play, a judge or a story that fails shows the difference.
pytest.register_assert_rewrite(
    "tests.plays", "tests.web.error_judge", "tests.web.pages", "tests.web.serving"
)

settings.register_profile(
    "untimed", deadline=None
)  # because a test must not fail on a busy machine
settings.load_profile("untimed")


@pytest.hookimpl(tryfirst=True)  # before xdist starts its processes
def pytest_sessionstart() -> None:
    """Refuse to test an installed package that is not the sources, or to approve its texts."""
    if TESTED == SOURCES:
        #  An absolute path, for the processes that tests start in other folders.
        os.environ["PYTHONPATH"] = f"{SOURCES.parent}:{os.environ.get('PYTHONPATH', '')}"
    elif files := differing():
        others = f" and {len(files) - 3} more" if len(files) > 3 else ""
        raise pytest.UsageError(
            f"The installed package differs from the sources: {', '.join(files[:3])}{others}. "
            "Run `make .venv/service`, or set PYTHONPATH=service to test the uncompiled sources."
        )


def pytest_report_header() -> str:
    """Return a line that says which service is tested, and whether its engine is compiled."""
    engine = "compiled" if COMPILED else "uncompiled"
    return f"service: {TESTED}, engine {engine}"


@pytest.hookimpl(optionalhook=True)  # a hook of a plugin that may be disabled
def pytest_xdist_auto_num_workers() -> int:
    """Return the number of test processes: one per usable CPU."""
    return usable_cpus()


def pytest_make_parametrize_id(val: object) -> str | None:
    """Return an ID for a case to which pytest would only give a number: how its value begins."""
    is_long = isinstance(val, str | bytes) and len(val) > 100
    text = ascii(val)
    if (is_long or isinstance(val, dict | list | tuple)) and " at 0x" not in text:
        return text[:80]
    return None


def pytest_collection_finish() -> None:
    """Make garbage collections rare, because each one would scan all objects of the tests."""
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)


@pytest.fixture(scope="session")
def app() -> "Flask":
    """Return the application that is served."""
    from best_move.web.app import create_app

    return create_app()


@pytest.fixture
def client(app: "Flask") -> "FlaskClient":
    """Return a client of the application."""
    return app.test_client()


@pytest.fixture(scope="session")
def server() -> "Iterator[Server]":
    """Yield one server for all tests that do not change it; fail if it logs an error."""
    from tests.server import running

    with running() as server:
        server.wait_for_workers()
        yield server
        entries = server.stop()
    assert not [entry for entry in entries if entry["level"] in {"ERROR", "CRITICAL"}]


@pytest.fixture(scope="session")
def browser() -> "Iterator[Browser]":
    """Yield one browser for all tests; without it, skip the test or fail it if BROWSER_REQUIRED."""
    from playwright.sync_api import expect

    from tests.browser.chromium import browsing, installed
    from tests.processes import SECONDS_TO_WAIT

    if not installed():
        reason = "no Chromium is installed"
        if os.environ.get("BROWSER_REQUIRED"):
            pytest.fail(f"BROWSER_REQUIRED is set, but {reason}")
        pytest.skip(reason)
    expect.set_options(timeout=SECONDS_TO_WAIT * 1000)
    with browsing() as browser:
        yield browser
