"""A chatbot's host, as it speaks to the service in each way that the protocol has."""

from typing import Any

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

REVISION = "2026-07-28"
META = {
    "io.modelcontextprotocol/protocolVersion": REVISION,
    "io.modelcontextprotocol/clientCapabilities": {},
}
INITIALIZE = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}


def send(client: FlaskClient, message: object, **headers: str) -> TestResponse:
    """Send a message, with headers whose names have underscores for hyphens."""
    return client.post("/mcp", json=message, headers={name.replace("_", "-"): text for name, text in headers.items()})


def handshaken(client: FlaskClient, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
    """Send a request as clients do that have begun with a handshake; return the answer, which is a 200."""
    response = send(client, {"jsonrpc": "2.0", "id": 7, "method": method, "params": params or {}})
    answer: dict[str, Any] = response.get_json()
    assert response.status_code == 200
    assert (answer["jsonrpc"], answer["id"]) == ("2.0", 7)
    return answer


def stateless(client: FlaskClient, method: str, params: dict[str, Any] | None = None, **headers: str) -> TestResponse:
    """Send a request that names its revision, with the headers that repeat what is in it."""
    params = {"_meta": META, **(params or {})}
    repeated = {"MCP_Protocol_Version": REVISION, "Mcp_Method": method}
    if "name" in params:
        repeated["Mcp_Name"] = params["name"]
    return send(client, {"jsonrpc": "2.0", "id": "a", "method": method, "params": params}, **(repeated | headers))


def called(client: FlaskClient, name: str, **arguments: object) -> dict[str, Any]:
    """Call a tool; return its result."""
    response = stateless(client, "tools/call", {"name": name, "arguments": arguments})
    assert response.status_code == 200
    result: dict[str, Any] = response.get_json()["result"]
    return result
