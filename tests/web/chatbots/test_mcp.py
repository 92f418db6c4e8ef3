"""The oracle for chatbots: both ways to speak the protocol, and what a wrong message is told."""

import base64
from typing import Any

import pytest
from flask.testing import FlaskClient
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from werkzeug.test import TestResponse

from service.web.app import create_app
from service.web.chatbots.tools import TOOLS
from service.web.settings import Settings
from tests.web.chatbots.chatbot import INITIALIZE, META, REVISION, handshaken, send, stateless
from tests.web.conftest import problem


@pytest.mark.parametrize("asked", [*HANDSHAKE_PROTOCOL_VERSIONS, REVISION, "1999-01-01"])
def test_a_handshake_agrees_on_a_revision_that_has_one(client: FlaskClient, asked: str) -> None:
    """Initialize answers the revision asked for, or the last that begins with a handshake."""
    result = handshaken(client, "initialize", INITIALIZE | {"protocolVersion": asked})["result"]
    assert result["protocolVersion"] == (asked if asked in HANDSHAKE_PROTOCOL_VERSIONS else "2025-11-25")
    assert result["capabilities"] == {"tools": {}}
    assert result["serverInfo"]["name"] == "best-move"
    assert "Ask before each move" in result["instructions"]


def test_a_ping_is_answered_by_nothing(client: FlaskClient) -> None:
    """Clients of the first revisions refuse a ping's answer that holds anything."""
    assert handshaken(client, "ping")["result"] == {}


def test_a_discovery_tells_what_is_served(client: FlaskClient) -> None:
    """Where requests name their revision, discovery takes the place of the handshake, and may be kept."""
    result = stateless(client, "server/discover").get_json()["result"]
    assert result["supportedVersions"] == [REVISION]
    assert (result["resultType"], result["cacheScope"], result["ttlMs"]) == ("complete", "public", 86_400_000)
    assert result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "best-move"


def test_both_ways_list_the_same_tools(client: FlaskClient) -> None:
    """The tools are those of the registry, in its order; a host of today may keep the list for a day."""
    tools = handshaken(client, "tools/list")["result"]["tools"]
    result = stateless(client, "tools/list").get_json()["result"]
    assert tools == result["tools"]
    assert [tool["name"] for tool in tools] == list(TOOLS) == ["best_move", "judge_move"]
    assert (result["cacheScope"], result["ttlMs"]) == ("public", 86_400_000)


def test_no_answer_is_kept_on_the_way(client: FlaskClient) -> None:
    """What is posted is not for caches, answered or not; an answer ends with a newline, for terminals."""
    answered = stateless(client, "tools/list")
    taken = send(client, {"jsonrpc": "2.0", "method": "notifications/initialized"})
    refused = client.post("/mcp", data=b"{", content_type="application/json")
    assert {response.headers["Cache-Control"] for response in (answered, taken, refused)} == {"no-store"}
    assert answered.text.endswith("}\n")


def error(response: TestResponse, status: int, code: int) -> dict[str, Any]:
    """Assert that the response is a JSON-RPC error of a status and code; return the error."""
    assert response.status_code == status
    assert response.mimetype == "application/json"
    found: dict[str, Any] = response.get_json()
    assert found["jsonrpc"] == "2.0"
    assert found["error"]["code"] == code
    assert found["error"]["message"].endswith(".")
    return found


NO_MESSAGES = {
    "no JSON": (b"{", -32700),
    "deep nesting": (b"[" * 50_000, -32700),
    "several messages": (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600),
    "another version of JSON-RPC": (b'{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600),
    "a null id": (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600),
    "an answer": (b'{"jsonrpc":"2.0","id":1,"result":{}}', -32600),
    "parameters in a list": (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', -32600),
    "parameters that are null": (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":null}', -32600),
    "a name that stands twice": (b'{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', -32600),
}


@pytest.mark.parametrize(("body", "code"), NO_MESSAGES.values(), ids=NO_MESSAGES)
def test_what_is_no_message_is_an_error_without_an_id(client: FlaskClient, body: bytes, code: int) -> None:
    """A body that is not one message is a 400, answered to nobody in particular."""
    response = client.post("/mcp", data=body, content_type="application/json")
    assert error(response, 400, code)["id"] is None


def test_a_wrong_request_after_a_handshake_is_an_ordinary_answer(client: FlaskClient) -> None:
    """Before requests named their revision, an error had no status of its own."""
    assert handshaken(client, "prompts/list")["error"]["code"] == -32601
    assert handshaken(client, "tools/call", {})["error"]["code"] == -32602
    assert handshaken(client, "tools/call", {"name": "fly"})["error"]["message"].endswith("best_move, judge_move.")


def test_a_method_that_is_not_there_is_a_404(client: FlaskClient) -> None:
    """Where requests name their revision, what is unknown in it is a 404, the handshake too."""
    error(stateless(client, "prompts/list"), 404, -32601)
    error(stateless(client, "initialize", INITIALIZE), 404, -32601)


MISMATCHES = {
    "no revision": {"MCP_Protocol_Version": ""},
    "another revision": {"MCP_Protocol_Version": "2025-11-25"},
    "another method": {"Mcp_Method": "tools/list"},
    "another tool": {"Mcp_Name": "judge_move"},
    "a name that cannot be decoded": {"Mcp_Name": "=?base64?!?="},
}


@pytest.mark.parametrize("headers", MISMATCHES.values(), ids=MISMATCHES)
def test_headers_repeat_the_body(client: FlaskClient, headers: dict[str, str]) -> None:
    """A header that differs from the body is a 400: who routes by the one must not be deceived by the other."""
    call = {"name": "best_move", "arguments": {"played": []}}
    error(stateless(client, "tools/call", call, **headers), 400, -32020)


def test_a_header_may_come_in_base64(client: FlaskClient) -> None:
    """A name that would not survive in a header comes encoded."""
    encoded = f"=?base64?{base64.b64encode(b'best_move').decode()}?="
    response = stateless(client, "tools/call", {"name": "best_move", "arguments": {"played": []}}, Mcp_Name=encoded)
    assert response.status_code == 200


def test_a_request_without_its_revision_or_of_another_is_refused(client: FlaskClient) -> None:
    """What a request must say of itself is named, and the revisions that are served are listed."""
    bare = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    refused = error(send(client, bare, MCP_Protocol_Version=REVISION, Mcp_Method="tools/list"), 400, -32602)
    assert "clientCapabilities" in refused["error"]["message"]
    meta = META | {"io.modelcontextprotocol/protocolVersion": "2027-01-01"}
    refused = error(stateless(client, "tools/list", {"_meta": meta}, MCP_Protocol_Version="2027-01-01"), 400, -32022)
    assert refused["error"]["data"] == {"supported": [REVISION], "requested": "2027-01-01"}


def test_a_notification_is_taken_and_not_answered(client: FlaskClient) -> None:
    """A message without an id is a 202 without a body."""
    response = send(client, {"jsonrpc": "2.0", "method": "notifications/initialized"})
    assert (response.status_code, response.data) == (202, b"")


@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_there_is_no_stream_and_no_session(client: FlaskClient, method: str) -> None:
    """Only POST is served: there is nothing to listen to, and nothing to end."""
    problem(client.open("/mcp", method=method), 405, "method_not_allowed")


def test_pages_of_other_origins_may_not_call() -> None:
    """With named origins a page of another is refused; who is no page says none."""
    client = create_app(Settings(cors_origins=("https://play.example",))).test_client()
    ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    problem(send(client, ping, Origin="https://evil.example"), 403, "origin_not_allowed")
    assert send(client, ping, Origin="https://play.example").status_code == 200
    assert send(client, ping).status_code == 200


def test_where_any_origin_may_read_any_may_call(client: FlaskClient) -> None:
    """Without named origins the pages of all may call."""
    ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    assert send(client, ping, Origin="https://play.example").status_code == 200


def test_a_preflight_lets_the_headers_of_the_protocol_through(client: FlaskClient) -> None:
    """A page may send the headers that the protocol asks for."""
    allowed = client.options("/mcp").headers["Access-Control-Allow-Headers"]
    assert {"MCP-Protocol-Version", "Mcp-Method", "Mcp-Name"} <= set(allowed.split(", "))
