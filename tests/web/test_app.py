"""The application: its warning about the engine, and what it computes before the first request."""

import logging
import subprocess
import sys

import pytest

from best_move.web import app
from best_move.web.settings import Settings


@pytest.mark.parametrize(("engine", "warnings"), [("compiled", 0), ("uncompiled", 1)])
def test_an_uncompiled_engine_logs_a_warning(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, engine: str, warnings: int
) -> None:
    """The warning says what to install."""
    monkeypatch.setattr(app, "COMPILED", engine == "compiled")
    with caplog.at_level(logging.WARNING):
        app.create_app(Settings())
    assert len(caplog.records) == warnings
    assert all("install a C compiler" in record.message for record in caplog.records)


COUNT_SCORES = """
from best_move.engine.solved import solve
from best_move.web.app import create_app, render_pages
render_pages(create_app())
print(solve.cache_info().currsize)
"""


def test_every_score_is_computed_before_the_first_request() -> None:
    """So no review waits for the scores, and the workers share the memory of one table."""
    printed = subprocess.run(
        [sys.executable, "-c", COUNT_SCORES], capture_output=True, check=True, text=True
    )
    assert int(printed.stdout) == 10_956
