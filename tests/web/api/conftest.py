"""Schemathesis's plugin for pytest, which the tests of the engine start faster without."""

import pytest
from schemathesis.pytest import plugin


def pytest_configure(config: pytest.Config) -> None:
    """Register the plugin."""
    config.pluginmanager.register(plugin)
