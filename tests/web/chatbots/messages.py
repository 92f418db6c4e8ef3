"""Messages of chat clients in both forms of the protocol, with and without a handshake, and their responses."""

import json
from typing import Any

from best_move.web.chatbots.protocol import FIRST_REVISION, exchange

REVISION = "2026-07-28"
META = {
    "io.modelcontextprotocol/protocolVersion": REVISION,
    "io.modelcontextprotocol/clientCapabilities": {},
}
INITIALIZE = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}

Json = dict[str, Any]


def message(method: str, params: Json | None = None) -> Json:
    """Return a request."""
    return {"jsonrpc": "2.0", "id": 7, "method": method, "params": params or {}}


def naming_revision(method: str, params: Json | None = None) -> Json:
    """Return a request that names its revision."""
    return message(method, {"_meta": META, **(params or {})})


def send(sent: object, agreed: str = FIRST_REVISION) -> tuple[int, Json]:
    """Send a message, given as bytes or as an object to encode; return the status and the response."""
    status, answer = exchange(sent if isinstance(sent, bytes) else json.dumps(sent).encode(), agreed)
    assert answer is not None
    assert answer["jsonrpc"] == "2.0"
    return status, answer


def handshaken(method: str, params: Json | None = None) -> Json:
    """Send a request as clients do after a handshake; return the response and assert that its status is 200."""
    status, answer = send(message(method, params))
    assert (status, answer["id"]) == (200, 7)
    return answer


def result_of(method: str, params: Json | None = None) -> Json:
    """Send a request that names its revision; return its result."""
    status, answer = send(naming_revision(method, params))
    assert status == 200, answer
    result: Json = answer["result"]
    return result


def called(name: str, **arguments: object) -> Json:
    """Call a tool; return its result."""
    return result_of("tools/call", {"name": name, "arguments": arguments})
