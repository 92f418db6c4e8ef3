"""What goes around every request: its id, its line in the log, the counts, the origins that may read the answer."""

import logging
import re

import pytest
from flask.testing import FlaskClient

from service.web.app import create_app
from service.web.logs import ACCESS
from service.web.settings import Settings
from tests.web.conftest import QUERY, Count


@pytest.mark.parametrize("path", [QUERY, "/best-move?board=bad", "/nowhere"])
def test_every_answer_has_an_id(client: FlaskClient, path: str) -> None:
    """Without an id of the client's, each request gets a new one."""
    ids = [client.get(path).headers["X-Request-ID"] for _ in range(2)]
    assert all(re.fullmatch("[0-9a-f]{16}", found) for found in ids)
    assert ids[0] != ids[1]


@pytest.mark.parametrize("given", ["abc", "1-2_3.4:5/6+7=", "x" * 64])
def test_a_sound_id_is_given_back(client: FlaskClient, given: str) -> None:
    """An id that the client or a proxy sends comes back as it is."""
    assert client.get(QUERY, headers={"X-Request-ID": given}).headers["X-Request-ID"] == given


@pytest.mark.parametrize("given", ["", "x" * 65, "a b", 'a"b', "é", "<script>"])
def test_an_unsound_id_is_replaced(client: FlaskClient, given: str) -> None:
    """An id that is too long, or has characters that a log might trip over, is replaced by a new one."""
    assert re.fullmatch("[0-9a-f]{16}", client.get(QUERY, headers={"X-Request-ID": given}).headers["X-Request-ID"])


@pytest.mark.parametrize(
    ("path", "methods"), [("/best-move", "GET, HEAD, OPTIONS, POST"), ("/health", "GET, HEAD, OPTIONS")]
)
def test_a_preflight_is_answered(client: FlaskClient, path: str, methods: str) -> None:
    """A browser that asks before a call from another origin is told which methods and headers it may use."""
    asked = {"Origin": "https://example.org", "Access-Control-Request-Method": "POST"}
    response = client.options(path, headers=asked)
    assert (response.status_code, response.data) == (204, b"")
    assert response.headers["Allow"] == methods
    assert response.headers["Access-Control-Allow-Origin"] == "*"
    assert response.headers["Access-Control-Allow-Methods"] == methods
    assert set(response.headers["Access-Control-Allow-Headers"].split(", ")) == {
        *("Content-Type", "If-None-Match", "Authorization", "X-Request-ID", "traceparent", "tracestate"),
        *("MCP-Protocol-Version", "Mcp-Method", "Mcp-Name", "Mcp-Session-Id", "Last-Event-ID"),
    }
    assert response.headers["Access-Control-Max-Age"] == "86400"
    assert "Content-Type" not in response.headers


@pytest.mark.parametrize("path", [QUERY, "/best-move?board=bad", "/nowhere"])
def test_any_origin_may_read_the_answer(client: FlaskClient, path: str) -> None:
    """Answers and problems alike may be read by pages of any origin, with the headers that matter."""
    headers = client.get(path).headers
    assert headers["Access-Control-Allow-Origin"] == "*"
    assert headers["Access-Control-Expose-Headers"] == "ETag, Server-Timing, X-Request-ID"


def test_only_the_named_origins_may_read_the_answer() -> None:
    """With origins in the settings, each of them is allowed by name, no other, and caches are told so."""
    app = create_app(Settings(cors_origins=("https://a.example", "http://b.example:8080")))
    for origin in ("https://a.example", "http://b.example:8080"):
        headers = app.test_client().get(QUERY, headers={"Origin": origin}).headers
        assert (headers["Access-Control-Allow-Origin"], headers["Vary"]) == (origin, "Origin")
        assert headers["Access-Control-Expose-Headers"] == "ETag, Server-Timing, X-Request-ID"
    for other in ("https://evil.example", "https://a.example.evil.example", "null", ""):
        headers = app.test_client().get(QUERY, headers={"Origin": other}).headers
        assert "Access-Control-Allow-Origin" not in headers
        assert headers["Vary"] == "Origin"


ROUTES = {
    "/": "/",
    QUERY: "/best-move",
    "/static/main.js": "/static/<path:file>",
    "/static/nothing.js": "/static/<path:file>",
    "/static/a/b/../c": "/static/<path:file>",
    "/static": "other",
    "/static/<path:file>": "/static/<path:file>",
    "/nowhere": "other",
    "/best-move/x": "other",
}


@pytest.mark.parametrize(("path", "route"), ROUTES.items(), ids=ROUTES)
def test_a_request_is_counted_under_its_route(client: FlaskClient, count: Count, path: str, route: str) -> None:
    """All the files of the pages share a route; what has no route is counted as `other`."""
    status = client.get(path, buffered=True).status_code
    labels = {"route": route, "method": "GET", "status": str(status)}
    before = count("best_move_requests_total", **labels)
    client.get(path, buffered=True)
    assert count("best_move_requests_total", **labels) == before + 1


def test_a_request_is_one_line_in_the_log(client: FlaskClient, caplog: pytest.LogCaptureFixture) -> None:
    """At level info a request is logged with method, path, status, time and id; with no query, body or header."""
    with caplog.at_level(logging.INFO, ACCESS):
        client.post("/best-move?secret=1", data=b"{}", content_type="application/json", headers={"X-Request-ID": "me"})
    (record,) = caplog.records
    said = record.__dict__
    assert (said["method"], said["path"], said["status"], said["request_id"]) == ("POST", "/best-move", 400, "me")
    assert said["ms"] > 0
    assert "secret" not in str(said)


def test_above_info_requests_are_not_logged(client: FlaskClient, caplog: pytest.LogCaptureFixture) -> None:
    """At level warning a request leaves no line."""
    with caplog.at_level(logging.WARNING, ACCESS):
        client.get(QUERY)
    assert not caplog.records


TRACE, SPAN = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
PARENTS = {
    "sampled": (f"00-{TRACE}-{SPAN}-01", "01"),
    "not sampled": (f"00-{TRACE}-{SPAN}-00", "00"),
    "a version to come": (f"cc-{TRACE}-{SPAN}-03", "03"),
    "a version to come, with more": (f"cc-{TRACE}-{SPAN}-03-what-it-adds", "03"),
}


@pytest.mark.parametrize(("parent", "flags"), PARENTS.values(), ids=PARENTS)
def test_a_request_is_logged_with_its_trace(
    client: FlaskClient, caplog: pytest.LogCaptureFixture, parent: str, flags: str
) -> None:
    """The trace in a W3C `traceparent` is logged under OpenTelemetry's names for it."""
    with caplog.at_level(logging.INFO, ACCESS):
        client.get(QUERY, headers={"traceparent": parent})
    (record,) = caplog.records
    said = record.__dict__
    assert (said["trace_id"], said["span_id"], said["trace_flags"]) == (TRACE, SPAN, flags)


@pytest.mark.parametrize(
    "parent",
    {
        "nothing": "",
        "a word": "trace",
        "no flags": f"00-{TRACE}-{SPAN}",
        "a trace of zeros": f"00-{'0' * 32}-{SPAN}-01",
        "a span of zeros": f"00-{TRACE}-{'0' * 16}-01",
        "capitals": f"00-{TRACE.upper()}-{SPAN}-01",
        "the version that none may have": f"ff-{TRACE}-{SPAN}-01",
        "more than the version has": f"00-{TRACE}-{SPAN}-01-more",
        "a short trace": f"00-{TRACE[1:]}-{SPAN}-01",
        "a space": f" 00-{TRACE}-{SPAN}-01 ",
        "a new line": f"00-{TRACE}-{SPAN}-01\n",
        "no dash before more": f"cc-{TRACE}-{SPAN}-01more",
    }.items(),
    ids=lambda parent: parent[0],
)
def test_a_trace_that_is_none_is_ignored(
    client: FlaskClient, caplog: pytest.LogCaptureFixture, parent: tuple[str, str]
) -> None:
    """A `traceparent` that breaks the rules of its version is as good as none."""
    with caplog.at_level(logging.INFO, ACCESS):
        assert client.get(QUERY, environ_overrides={"HTTP_TRACEPARENT": parent[1]}).status_code == 200
    (record,) = caplog.records
    assert not {"trace_id", "span_id", "trace_flags"} & set(record.__dict__)
