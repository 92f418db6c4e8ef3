"""The middleware for CORS: preflight requests, and the origins whose pages may read responses."""

import pytest
from flask.testing import FlaskClient

from best_move.web.app import create_app
from best_move.web.settings import Settings
from tests.web.conftest import QUERY


@pytest.mark.parametrize(
    ("path", "methods"),
    [("/best-move", "GET, HEAD, OPTIONS, POST"), ("/health", "GET, HEAD, OPTIONS")],
)
def test_a_preflight_gets_the_allowed_methods_and_headers(
    client: FlaskClient, path: str, methods: str
) -> None:
    """A preflight response names the methods and headers that pages of other origins may send."""
    headers = {"Origin": "https://example.org", "Access-Control-Request-Method": "POST"}
    response = client.options(path, headers=headers)
    assert (response.status_code, response.data) == (200, b"")
    assert set(response.allow) == set(methods.split(", "))
    assert response.headers["Access-Control-Allow-Origin"] == "*"
    assert response.headers["Access-Control-Allow-Methods"] == response.headers["Allow"]
    assert response.headers["Access-Control-Allow-Headers"] == (
        "Content-Type, If-None-Match, Authorization, X-Request-ID, traceparent, tracestate, "
        "MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID"
    )
    assert response.headers["Access-Control-Max-Age"] == "86400"


@pytest.mark.parametrize("path", [QUERY, "/best-move?board=bad", "/nowhere"])
def test_any_origin_may_read_a_response(client: FlaskClient, path: str) -> None:
    """Pages of any origin may read moves, problems, ETag, Server-Timing and X-Request-ID."""
    headers = client.get(path).headers
    assert headers["Access-Control-Allow-Origin"] == "*"
    assert headers["Access-Control-Expose-Headers"] == "ETag, Server-Timing, X-Request-ID"


def test_only_named_origins_may_read_a_response() -> None:
    """If origins are set, only their pages may read responses, and `Vary` contains `Origin`."""
    app = create_app(Settings(cors_origins=("https://a.example", "http://b.example:8080")))
    for origin in ("https://a.example", "http://b.example:8080"):
        headers = app.test_client().get(QUERY, headers={"Origin": origin}).headers
        assert (headers["Access-Control-Allow-Origin"], headers["Vary"]) == (origin, "Origin")
        assert headers["Access-Control-Expose-Headers"] == "ETag, Server-Timing, X-Request-ID"
    for other in ("https://evil.example", "https://a.example.evil.example", "null", ""):
        headers = app.test_client().get(QUERY, headers={"Origin": other}).headers
        assert "Access-Control-Allow-Origin" not in headers
        assert headers["Vary"] == "Origin"
