"""The fixtures: the application and a client of it."""

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.web import create_app


@pytest.fixture(scope="session")
def app() -> Flask:
    """Return the application, as it is served."""
    return create_app()


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """Return a client of the application."""
    return app.test_client()
