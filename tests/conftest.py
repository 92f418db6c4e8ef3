"""The fixtures: the application and a client of it."""

from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import settings

import service
from service.engine import COMPILED
from service.web.app import create_app

settings.register_profile("untimed", deadline=None)  # a busy machine is no fault
settings.load_profile("untimed")


def pytest_report_header() -> str:
    """Say which service is tested, and in which form."""
    return f"service: {Path(service.__file__).parent}, engine {'compiled' if COMPILED else 'interpreted'}"


@pytest.fixture(scope="session")
def app() -> Flask:
    """Return the application, as it is served."""
    return create_app()


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """Return a client of the application."""
    return app.test_client()
