"""Messages of chat clients, with and without a handshake, and their responses."""

import json
from typing import Any

from best_move.web.chatbots.protocol import DEFAULT_REVISION, exchange

REVISION = "2026-07-28"
META = {
    "io.modelcontextprotocol/protocolVersion": REVISION,
    "io.modelcontextprotocol/clientCapabilities": {},
}
INITIALIZE = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}

Json = dict[str, Any]


def message(method: str, params: Json | None = None) -> Json:
    """Return a JSON-RPC request with the id 7."""
    return {"jsonrpc": "2.0", "id": 7, "method": method, "params": params or {}}


def naming_revision(method: str, params: Json | None = None) -> Json:
    """Return a JSON-RPC request that has the id 7 and names its revision."""
    return message(method, {"_meta": META, **(params or {})})


def send(sent: object, revision: str = DEFAULT_REVISION) -> tuple[int, Json]:
    """Send a message; return the status and the response."""
    status, response = exchange(json.dumps(sent).encode(), revision)
    assert response is not None
    assert response["jsonrpc"] == "2.0"
    return status, response


def handshaken(method: str, params: Json | None = None) -> Json:
    """Send a request as after a handshake; return the response, whose status must be 200."""
    status, response = send(message(method, params))
    assert (status, response["id"]) == (200, 7)
    return response


def result_of(method: str, params: Json | None = None) -> Json:
    """Send a request that names its revision; return the result; the status must be 200."""
    status, response = send(naming_revision(method, params))
    assert status == 200, response
    result: Json = response["result"]
    return result


def called(name: str, **arguments: object) -> Json:
    """Call a tool; return its result."""
    return result_of("tools/call", {"name": name, "arguments": arguments})
