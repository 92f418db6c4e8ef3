"""The middleware around a request: its ID, its line in the access log, and its counts."""

import logging
import re
from typing import Any

import pytest
from flask.testing import FlaskClient

from best_move.web.middleware import observed
from best_move.web.observability.logs import ACCESS
from tests.web.chatbots.messages import message
from tests.web.conftest import QUERY, Count


@pytest.mark.parametrize("path", [QUERY, "/best-move?board=bad", "/nowhere"])
def test_every_response_has_an_id(client: FlaskClient, path: str) -> None:
    """The response to each request without an ID has a new ID."""
    ids = [client.get(path).headers["X-Request-ID"] for _ in range(2)]
    assert all(re.fullmatch("[0-9a-f]{16}", found) for found in ids)
    assert ids[0] != ids[1]


@pytest.mark.parametrize("given", ["abc", "1-2_3.4:5/6+7=", "x" * 64])
def test_a_valid_id_is_returned(client: FlaskClient, given: str) -> None:
    """The response has the ID that the client or a proxy sent."""
    response = client.get(QUERY, headers={"X-Request-ID": given})
    assert response.headers["X-Request-ID"] == given


@pytest.mark.parametrize("given", ["", "x" * 65, "a b", 'a"b', "é", "<script>"])
def test_an_invalid_id_is_replaced(client: FlaskClient, given: str) -> None:
    """An ID that is empty or too long, or contains unsafe characters, is replaced by a new ID."""
    response = client.get(QUERY, headers={"X-Request-ID": given})
    assert re.fullmatch("[0-9a-f]{16}", response.headers["X-Request-ID"])


ROUTES = {
    "/": "/",
    QUERY: "/best-move",
    "/static/main.js": "/static/<version>/<path:name>",
    "/static/nothing.js": "/static/<version>/<path:name>",
    "/static/a/b/../c": "/static/<version>/<path:name>",
    "/static": "other",
    "/static/<version>/<path:name>": "/static/<version>/<path:name>",
    "/nowhere": "other",
    "/best-move/x": "other",
}


@pytest.mark.parametrize(("path", "route"), ROUTES.items(), ids=ROUTES)
def test_a_request_is_counted_under_its_route(
    client: FlaskClient, count: Count, path: str, route: str
) -> None:
    """All static files share a route; paths without a route are counted as `other`."""
    status = client.get(path, buffered=True).status_code
    labels = {"route": route, "method": "GET", "status": str(status)}
    before = count("best_move_requests_total", **labels)
    client.get(path, buffered=True)
    assert count("best_move_requests_total", **labels) == before + 1


def test_a_request_is_one_line_in_the_log(
    client: FlaskClient, caplog: pytest.LogCaptureFixture
) -> None:
    """A logged request has method, path, status, time and ID, but no query, body or headers."""
    with caplog.at_level(logging.INFO, ACCESS):
        client.post(
            "/best-move?secret=1",
            data=b"{}",
            content_type="application/json",
            headers={"X-Request-ID": "me"},
        )
    fields = logged(caplog)
    expected = {"method": "POST", "path": "/best-move", "status": 400, "request_id": "me"}
    assert expected.items() <= fields.items()
    assert fields["ms"] > 0
    assert "secret" not in str(fields)


def test_log_and_metrics_agree_on_the_time(
    client: FlaskClient,
    count: Count,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The log has the time of a request in ms, and the metrics have it in seconds."""
    before = count("best_move_request_seconds_sum", route="/best-move")
    with caplog.at_level(logging.INFO, ACCESS), monkeypatch.context() as clock:
        clock.setattr(observed, "perf_counter", iter([10.0, 10.2345678]).__next__)
        client.get(QUERY)
    seconds = count("best_move_request_seconds_sum", route="/best-move") - before
    assert seconds == pytest.approx(0.2345678)
    assert logged(caplog)["ms"] == 234.568


def logged(caplog: pytest.LogCaptureFixture) -> dict[str, Any]:
    """Return the fields of the only line in the log."""
    (record,) = caplog.records
    return record.__dict__


@pytest.mark.parametrize("accept", ["*/*", "text/html"])
def test_a_problem_is_logged_with_its_code(
    client: FlaskClient, caplog: pytest.LogCaptureFixture, accept: str
) -> None:
    """The log line of a problem has its code, even beside a page; other lines have no code."""
    for path, code in (("/best-move?board=bad", "invalid_request"), ("/nowhere", "not_found")):
        caplog.clear()
        with caplog.at_level(logging.INFO, ACCESS):
            client.get(path, headers={"Accept": accept})
        assert logged(caplog)["problem"] == code
    caplog.clear()
    with caplog.at_level(logging.INFO, ACCESS):
        client.get(QUERY)
    assert not {"problem", "tool", "tool_error"} & set(logged(caplog))


@pytest.mark.parametrize(("played", "is_error"), [([0], False), ([0, 0], True)])
def test_a_tool_call_is_logged_with_its_tool(
    client: FlaskClient,
    caplog: pytest.LogCaptureFixture,
    played: list[int],
    is_error: bool,  # noqa: FBT001, a parameter
) -> None:
    """The log line of a tool call has the tool and whether it failed."""
    call = message(
        "tools/call", {"name": "best_move", "arguments": {"played": played, "starts": "X"}}
    )
    with caplog.at_level(logging.INFO, ACCESS):
        assert client.post("/mcp", json=call).status_code == 200
    fields = logged(caplog)
    assert (fields["path"], fields["tool"], fields["tool_error"]) == ("/mcp", "best_move", is_error)


def test_requests_are_not_logged_above_level_info(
    client: FlaskClient, caplog: pytest.LogCaptureFixture
) -> None:
    """At level warning the log has no line for a request."""
    with caplog.at_level(logging.WARNING, ACCESS):
        client.get(QUERY)
    assert not caplog.records


TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
SPAN = "00f067aa0ba902b7"
#  A `traceparent` -> its flags; None if it breaks the rules of its version.
PARENTS = {
    f"00-{TRACE}-{SPAN}-00": "00",
    f"cc-{TRACE}-{SPAN}-03": "03",
    f"cc-{TRACE}-{SPAN}-03-what-it-adds": "03",
    "": None,
    f"00-{TRACE}-{SPAN}": None,
    f"00-{'0' * 32}-{SPAN}-01": None,
    f"00-{TRACE}-{'0' * 16}-01": None,
    f"00-{TRACE.upper()}-{SPAN}-01": None,
    f"ff-{TRACE}-{SPAN}-01": None,
    f"00-{TRACE}-{SPAN}-01-more": None,
    f"00-{TRACE[1:]}-{SPAN}-01": None,
    f"00-{TRACE}-{SPAN}-01\n": None,
    f"cc-{TRACE}-{SPAN}-01more": None,
}


def test_a_request_is_logged_with_its_valid_trace(
    client: FlaskClient, caplog: pytest.LogCaptureFixture
) -> None:
    """A valid W3C `traceparent` is logged in fields with OpenTelemetry's names."""
    for parent, flags in PARENTS.items():
        caplog.clear()
        with caplog.at_level(logging.INFO, ACCESS):
            client.get(QUERY, environ_overrides={"HTTP_TRACEPARENT": parent})
        fields = logged(caplog)
        found = [fields.get(name) for name in ("trace_id", "span_id", "trace_flags")]
        assert found == ([TRACE, SPAN, flags] if flags else [None] * 3), parent
