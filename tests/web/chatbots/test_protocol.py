"""The protocol: both of its forms, and the errors for invalid messages."""

from typing import Any

import pytest
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from best_move.web.chatbots.protocol import exchange
from best_move.web.chatbots.tools import TOOLS
from tests.web.chatbots.messages import (
    INITIALIZE,
    META,
    REVISION,
    handshaken,
    message,
    naming_revision,
    result_of,
    send,
)


@pytest.mark.parametrize("asked", [*HANDSHAKE_PROTOCOL_VERSIONS, REVISION, "1999-01-01"])
def test_a_handshake_agrees_on_a_revision_that_has_one(asked: str) -> None:
    """Initialize returns the revision asked for, or the last that starts with a handshake."""
    result = handshaken("initialize", INITIALIZE | {"protocolVersion": asked})["result"]
    assert result["protocolVersion"] == (asked if asked in HANDSHAKE_PROTOCOL_VERSIONS else "2025-11-25")
    assert "tools" in result["capabilities"]
    assert result["serverInfo"]["name"] == "best-move"
    assert "Call it before every move" in result["instructions"]


def test_the_result_of_a_ping_is_empty() -> None:
    """Clients of the first revisions reject a ping's result that holds anything."""
    assert handshaken("ping")["result"] == {}


def test_discovery_returns_what_is_supported() -> None:
    """If requests name their revision, discovery replaces the handshake and may be cached."""
    result = result_of("server/discover")
    assert result["supportedVersions"] == [REVISION]
    assert (result["resultType"], result["cacheScope"], result["ttlMs"]) == ("complete", "public", 86_400_000)
    assert result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "best-move"


def test_both_forms_list_the_same_tools() -> None:
    """The tools are those of the registry, in its order; a client of today may cache the list for a day."""
    tools = handshaken("tools/list")["result"]["tools"]
    result = result_of("tools/list")
    assert tools == result["tools"]
    assert [tool["name"] for tool in tools] == list(TOOLS) == ["best_move", "judge_move"]
    assert (result["cacheScope"], result["ttlMs"]) == ("public", 86_400_000)


def test_a_notification_has_no_response() -> None:
    """A message without an id is accepted without a response."""
    assert exchange(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}') == (202, None)


INVALID = {
    "no JSON": (b"{", -32700, "The message is not JSON"),
    "deep nesting": (b"[" * 50_000, -32700, "The message is not JSON"),
    "a batch": (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600, "Send each message alone: batches are not"),
    "another version of JSON-RPC": (b'{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600, "jsonrpc: Input should be"),
    "a null id": (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600, "id."),
    "a response": (b'{"jsonrpc":"2.0","id":1,"result":{}}', -32600, "method: Field required"),
    "parameters in a list": (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', -32600, "params: "),
    "parameters that are null": (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":null}', -32600, "params is null"),
    "a repeated name": (b'{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', -32600, "The message repeats id."),
}


@pytest.mark.parametrize(("body", "code", "text"), INVALID.values(), ids=INVALID)
def test_an_invalid_message_is_an_error_without_an_id(body: bytes, code: int, text: str) -> None:
    """What is not one message is a 400 whose id is null."""
    status, answer = send(body)
    assert (status, answer["id"], answer["error"]["code"]) == (400, None, code)
    assert text in answer["error"]["message"]
    assert answer["error"]["message"].endswith(".")


def test_after_a_handshake_an_error_has_status_200() -> None:
    """Before requests named their revision, errors had no status of their own."""
    assert handshaken("prompts/list")["error"]["code"] == -32601
    assert handshaken("tools/call", {})["error"]["code"] == -32602
    assert handshaken("tools/call", {"name": "fly"})["error"]["message"].endswith("best_move, judge_move.")


def error(sent: object, status: int, code: int, agreed: str = REVISION) -> dict[str, Any]:
    """Assert that the response to a message is an error of a status and code; return the error."""
    found, answer = send(sent, agreed)
    assert (found, answer["error"]["code"]) == (status, code)
    failure: dict[str, Any] = answer["error"]
    return failure


def test_an_unknown_method_is_a_404() -> None:
    """If requests name their revision, methods that it does not have are a 404, the handshake too."""
    error(naming_revision("prompts/list"), 404, -32601)
    error(naming_revision("initialize", INITIALIZE), 404, -32601)


def test_an_unknown_revision_is_named() -> None:
    """A revision that is not supported is named, in the body or in the header, with those that are."""
    meta = META | {"io.modelcontextprotocol/protocolVersion": "2027-01-01"}
    for sent in (message("tools/list", {"_meta": meta}), message("tools/list")):
        failure = error(sent, 400, -32022, "2027-01-01")
        assert failure["message"].startswith("Revision 2027-01-01 is not supported. Use 2026-07-28, or start with")
        assert failure["data"] == {"supported": [REVISION], "requested": "2027-01-01"}


def test_a_request_that_lacks_its_revision_is_invalid() -> None:
    """A request must name its revision and what its client is capable of; what it lacks is named."""
    assert "clientCapabilities" in error(message("tools/list"), 400, -32602)["message"]
