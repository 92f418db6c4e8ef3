"""The application: it logs a warning if its engine is not compiled."""

import logging

import pytest

from best_move.web import app
from best_move.web.settings import Settings


@pytest.mark.parametrize(("engine", "warnings"), [("compiled", 0), ("interpreted", 1)])
def test_an_interpreted_engine_logs_a_warning(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, engine: str, warnings: int
) -> None:
    """The warning says what to install."""
    monkeypatch.setattr(app, "COMPILED", engine == "compiled")
    with caplog.at_level(logging.WARNING):
        app.create_app(Settings())
    assert len(caplog.records) == warnings
    assert all("install a C compiler" in record.message for record in caplog.records)
