"""What goes around every request: its id, the origins that may read the answer, its line in the log."""

import logging
import re

import pytest
from flask.testing import FlaskClient

from service.web.app import create_app
from service.web.logs import ACCESS
from service.web.settings import Settings

QUERY = "/best-move?board=X...O...."


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


def test_only_the_named_origins_may_read_the_answer() -> None:
    """With origins in the settings, each of them is allowed by name, no other, and caches are told so."""
    app = create_app(Settings(cors_origins=("https://a.example", "http://b.example:8080")))
    for origin in ("https://a.example", "http://b.example:8080"):
        headers = app.test_client().get(QUERY, headers={"Origin": origin}).headers
        assert (headers["Access-Control-Allow-Origin"], headers["Vary"]) == (origin, "Origin")
    for other in ("https://evil.example", "https://a.example.evil.example", "null", ""):
        headers = app.test_client().get(QUERY, headers={"Origin": other}).headers
        assert "Access-Control-Allow-Origin" not in headers
        assert headers["Vary"] == "Origin"


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
