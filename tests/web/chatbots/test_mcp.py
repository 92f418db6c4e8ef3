"""MCP over HTTP: statuses, headers and origins."""

import base64
import re

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from best_move.web.api.openapi import document
from best_move.web.app import create_app
from best_move.web.chatbots.tools import TOOLS
from best_move.web.settings import Settings
from tests.web.chatbots.messages import REVISION, message, naming_revision
from tests.web.conftest import problem

PING = message("ping")
CALL = naming_revision(
    "tools/call", {"name": "best_move", "arguments": {"played": [], "starts": "X"}}
)
HEADERS = {"MCP-Protocol-Version": REVISION, "Mcp-Method": "tools/call", "Mcp-Name": "best_move"}


def send(client: FlaskClient, body: object, **headers: str) -> TestResponse:
    """Send a message, with underscores for hyphens in the headers' names; return the response."""
    return client.post(
        "/mcp", json=body, headers={name.replace("_", "-"): text for name, text in headers.items()}
    )


@pytest.mark.parametrize("path", ["/mcp", "/mcp/"])
def test_a_tool_call_gets_a_result(client: FlaskClient, path: str) -> None:
    """The result must not be cached, and ends with a newline, for terminals."""
    response = client.post(path, json=CALL, headers=HEADERS)
    assert (response.status_code, response.mimetype) == (200, "application/json")
    assert response.get_json()["result"]["structuredContent"]["move"] == 0
    assert response.headers["Cache-Control"] == "no-store"
    assert response.text.endswith("}\n")


def test_the_messages_to_paste_get_results(client: FlaskClient) -> None:
    """Those in the OpenAPI document list the tools and call one."""
    body = document()["paths"]["/mcp"]["post"]["requestBody"]["content"]["application/json"]
    listed, called = [
        send(client, example["value"]).get_json()["result"] for example in body["examples"].values()
    ]
    assert {tool["name"] for tool in listed["tools"]} == {*TOOLS}
    assert "isError" not in called
    assert called["structuredContent"]["played"]


def test_an_invalid_message_gets_a_json_rpc_error(client: FlaskClient) -> None:
    """An invalid message gets a JSON-RPC error, a body that is not JSON a problem of the API."""
    response = client.post("/mcp", data=b"{", content_type="application/json")
    assert (response.status_code, response.mimetype) == (400, "application/json")
    assert response.get_json()["error"]["code"] == -32700
    problem(
        client.post("/mcp", data=b"{}", content_type="text/plain"), 415, "unsupported_media_type"
    )


def test_a_notification_is_accepted_without_content(client: FlaskClient) -> None:
    """A notification gets a 202 without a body or a Content-Type."""
    response = send(client, {"jsonrpc": "2.0", "method": "notifications/initialized"})
    assert (response.status_code, response.data) == (202, b"")
    assert "Content-Type" not in response.headers
    assert response.headers["Cache-Control"] == "no-store"


def test_a_header_may_repeat_the_agreed_revision(client: FlaskClient) -> None:
    """A header may name the revision of the handshake; an unknown one gets an error."""
    assert send(client, PING, MCP_Protocol_Version="2025-06-18").get_json()["result"] == {}
    response = send(client, PING, MCP_Protocol_Version="2099-01-01")
    assert (response.status_code, response.get_json()["error"]["code"]) == (400, -32022)


MISMATCHES: dict[str, dict[str, str]] = {
    "no revision": {"MCP-Protocol-Version": ""},
    "another revision": {"MCP-Protocol-Version": "2025-11-25"},
    "another method": {"Mcp-Method": "tools/list"},
    "another tool": {"Mcp-Name": "judge_move"},
    "a name that cannot be decoded": {"Mcp-Name": "=?base64?!?="},
}


@pytest.mark.parametrize("headers", MISMATCHES.values(), ids=MISMATCHES)
def test_headers_that_differ_from_the_body_are_rejected(
    client: FlaskClient, headers: dict[str, str]
) -> None:
    """The headers and the body must agree, so that proxies may rely on the headers.

    A client that sends the header that the error demands gets a result.
    """
    response = client.post("/mcp", json=CALL, headers=HEADERS | headers)
    assert response.status_code == 400
    error = response.get_json()["error"]
    assert error["code"] == -32020
    demand = re.search("([A-Za-z]+-[A-Za-z-]+) .*`(.*)`", error["message"])
    assert demand
    name, value = demand.groups()
    corrected = HEADERS | headers | {name: value}
    assert client.post("/mcp", json=CALL, headers=corrected).status_code == 200


def test_a_header_may_be_in_base64(client: FlaskClient) -> None:
    """A name in a header may be encoded in Base64."""
    encoded = f"=?base64?{base64.b64encode(b'best_move').decode()}?="
    assert (
        client.post("/mcp", json=CALL, headers=HEADERS | {"Mcp-Name": encoded}).status_code == 200
    )


def test_a_header_that_only_ends_like_base64_is_not_decoded(client: FlaskClient) -> None:
    """A name that ends like an encoded name, but does not begin like one, is compared as it is."""
    name = "best_move?="
    call = naming_revision("tools/call", {"name": name})
    response = client.post("/mcp", json=call, headers=HEADERS | {"Mcp-Name": name})
    error = response.get_json()["error"]
    assert error["code"] == -32602
    assert f"`{name}`" in error["message"]


def test_origins_that_the_settings_do_not_name_are_rejected() -> None:
    """If the settings name origins, pages of others are rejected; no origin is accepted."""
    client = create_app(Settings(cors_origins=("https://play.example",))).test_client()
    problem(send(client, PING, Origin="https://evil.example"), 403, "origin_not_allowed")
    assert send(client, PING, Origin="https://play.example").status_code == 200
    assert send(client, PING).status_code == 200


def test_by_default_pages_of_every_origin_may_send_messages(client: FlaskClient) -> None:
    """If the settings name no origins, pages of any origin may send messages."""
    assert send(client, PING, Origin="https://play.example").status_code == 200
