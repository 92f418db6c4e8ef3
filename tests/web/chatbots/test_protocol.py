"""The protocol: its forms with and without a handshake, and the errors for invalid messages."""

from base64 import b64encode
from typing import Any, get_args

import pytest
from flask.testing import FlaskClient
from mcp_types import methods
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from best_move.web.chatbots import board
from best_move.web.chatbots.protocol import DEFAULT_REVISION, exchange
from best_move.web.chatbots.tools import TOOLS
from best_move.web.pages.files import STATIC
from tests.web.chatbots.messages import (
    INITIALIZE,
    META,
    REVISION,
    Json,
    handshaken,
    message,
    naming_revision,
    result_of,
    send,
)


@pytest.mark.parametrize("requested", [*HANDSHAKE_PROTOCOL_VERSIONS, REVISION, "1999-01-01"])
def test_a_handshake_agrees_on_a_revision(requested: str) -> None:
    """`initialize` returns the requested revision, or else the last one with a handshake."""
    result = handshaken("initialize", INITIALIZE | {"protocolVersion": requested})["result"]
    assert result["protocolVersion"] == (
        requested if requested in HANDSHAKE_PROTOCOL_VERSIONS else "2025-11-25"
    )
    assert "tools" in result["capabilities"]
    assert result["serverInfo"]["name"] == "best-move"
    assert "Call it before each of your moves" in result["instructions"]


def test_the_result_of_a_ping_is_empty() -> None:
    """The result of a ping is empty, because clients of the first revisions reject any content."""
    assert handshaken("ping")["result"] == {}


def test_discovery_returns_the_supported_revisions() -> None:
    """Discovery lists the only revision that needs no handshake, and its result may be cached."""
    result = result_of("server/discover")
    assert result["supportedVersions"] == [REVISION]
    assert (result["resultType"], result["cacheScope"], result["ttlMs"]) == (
        "complete",
        "public",
        86_400_000,
    )
    assert result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "best-move"


def test_the_tools_are_the_same_with_and_without_a_handshake() -> None:
    """The tools are those of the registry, in its order, and may be cached for a day."""
    tools = handshaken("tools/list")["result"]["tools"]
    result = result_of("tools/list")
    assert tools == result["tools"]
    assert [tool["name"] for tool in tools] == list(TOOLS)
    assert (result["cacheScope"], result["ttlMs"]) == ("public", 86_400_000)


def test_a_notification_gets_no_response() -> None:
    """A message without an id is accepted without a response."""
    assert exchange(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}') == (202, None)


#  Method -> its required parameters.
OF_ALL_REVISIONS: dict[str, Json] = {
    "tools/list": {},
    "tools/call": {"name": "best_move"},
    "resources/list": {},
    "resources/templates/list": {},
    "resources/read": {"uri": board.URI},
    "prompts/list": {},
    "prompts/get": {"name": "play"},
}
WITH_HANDSHAKE = OF_ALL_REVISIONS | {"initialize": INITIALIZE, "ping": {}}
NAMING_REVISION = OF_ALL_REVISIONS | {"server/discover": {}}


@pytest.mark.parametrize(
    ("method", "meta", "revision"),
    [
        *((method, {}, DEFAULT_REVISION) for method in WITH_HANDSHAKE),
        *((method, {"_meta": META}, REVISION) for method in NAMING_REVISION),
    ],
)
def test_no_value_of_an_optional_member_makes_the_service_fail(
    method: str, meta: Json, revision: str
) -> None:
    """Null counts as omitted; a value of a wrong type gets an error or is ignored."""
    required = (WITH_HANDSHAKE | NAMING_REVISION)[method]
    omitted = send(message(method, required | meta), revision)
    assert "result" in omitted[1]
    if not required | meta:
        sent = message(method)
        assert send(sent | {"params": None}, revision) == omitted
        del sent["params"]
        assert send(sent, revision) == omitted

    annotation: Any = methods.MONOLITH_REQUESTS[method].model_fields["params"].annotation
    model = (get_args(annotation) or [annotation])[0]
    names = {field.alias or name for name, field in model.model_fields.items()}
    for name in names - required.keys() - meta.keys():
        sent = message(method, required | meta | {name: None})
        assert send(sent, revision) == omitted, sent
        if name != "_meta":
            for value in (True, 7, "text", [1], {"a": 1}):
                sent["params"][name] = value
                _, response = send(sent, revision)
                assert response["id"] == 7
                assert "result" in response or response["error"]["code"] == -32602, sent


@pytest.mark.parametrize("method", WITH_HANDSHAKE)
def test_all_revisions_with_a_handshake_get_the_same_results(method: str) -> None:
    """Standard input has no header, so its messages are answered by the default revision."""
    sent = message(method, WITH_HANDSHAKE[method])
    if method == "tools/call":
        sent["params"] = sent["params"] | {"arguments": {"played": [0], "starts": "X"}}
    results = [send(sent, revision) for revision in HANDSHAKE_PROTOCOL_VERSIONS]
    assert "result" in results[0][1]
    assert [each for each in results if each != results[0]] == []


def error(sent: object, status: int, code: int, revision: str = REVISION) -> dict[str, Any]:
    """Return the error that a message gets, which must have this status and this code."""
    found, response = send(sent, revision)
    assert (found, response["error"]["code"]) == (status, code)
    failure: dict[str, Any] = response["error"]
    return failure


def test_an_unknown_method_gets_a_404() -> None:
    """A request that names its revision may use only the methods of that revision."""
    error(naming_revision("completion/complete"), 404, -32601)
    error(naming_revision("initialize", INITIALIZE), 404, -32601)


def test_an_error_quotes_a_long_name_in_part() -> None:
    """An error quotes at most 40 characters of an unknown method, tool, prompt or resource."""
    long = "x" * 100_000
    for sent in (
        message(long),
        message("tools/call", {"name": long}),
        message("prompts/get", {"name": long}),
        message("resources/read", {"uri": long}),
    ):
        assert f"`{'x' * 39}…`" in send(sent)[1]["error"]["message"]


def test_the_prompt_starts_a_game() -> None:
    """The only prompt makes the model ask for the side, the starter and the level."""
    (prompt,) = result_of("prompts/list")["prompts"]
    assert (prompt["name"], prompt["title"]) == ("play", "Play tic-tac-toe")
    (sent,) = result_of("prompts/get", {"name": "play", "arguments": {}})["messages"]
    text = (
        "Play tic-tac-toe with me. Ask me which side I want, X or O, who moves first, and how well "
        "you should play: perfect, hard, medium, easy. Then we take turns."
    )
    assert sent == {"role": "user", "content": {"type": "text", "text": text}}


def test_the_icon_needs_no_request() -> None:
    """The icon is that of the pages as a data URL; only results on the server have it."""
    described = result_of("server/discover")["_meta"]["io.modelcontextprotocol/serverInfo"]
    assert handshaken("initialize", INITIALIZE)["result"]["serverInfo"] == described
    icon = b64encode((STATIC / "icon.svg").read_bytes()).decode()
    assert described.pop("icons") == [
        {"src": f"data:image/svg+xml;base64,{icon}", "mimeType": "image/svg+xml", "sizes": ["any"]}
    ]
    for method in ("tools/list", "resources/list"):
        assert result_of(method)["_meta"]["io.modelcontextprotocol/serverInfo"] == described


def test_an_unknown_revision_is_named() -> None:
    """The error for an unsupported revision names that revision and the supported one."""
    meta = META | {"io.modelcontextprotocol/protocolVersion": "2027-01-01"}
    for sent in (message("tools/list", {"_meta": meta}), message("tools/list")):
        failure = error(sent, 400, -32022, "2027-01-01")
        assert failure["data"] == {"supported": [REVISION], "requested": "2027-01-01"}


#  Values that are no revision and no name, each with the text that quotes it.
NO_TEXTS: list[tuple[object, str]] = [
    (None, "null"),
    (True, "true"),
    (7, "7"),
    ([None, "a"], '[null, "a"]'),
    ({"a": None}, '{"a": ...}'),
    (float("inf"), "Infinity"),
]


@pytest.mark.parametrize(("value", "text"), NO_TEXTS, ids=[text for _, text in NO_TEXTS])
def test_an_error_quotes_a_value_that_is_no_text_as_json(
    client: FlaskClient, value: object, text: str
) -> None:
    """The error quotes it as the client sent it, and holds it nowhere else."""
    meta = META | {"io.modelcontextprotocol/protocolVersion": value}
    found = error(message("tools/list", {"_meta": meta}), 400, -32602)
    assert f" {text}." in found.pop("message")
    assert found == {"code": -32602}
    headers = {
        "MCP-Protocol-Version": REVISION,
        "Mcp-Method": "tools/call",
        "Mcp-Name": "best_move",
    }
    call = message("tools/call", {"_meta": META, "name": value})
    demand = client.post("/mcp", json=call, headers=headers).get_json()["error"]["message"]
    assert demand.endswith(f" `{text}`.")


def test_a_header_that_contradicts_the_body_is_reported_before_its_unknown_revision(
    client: FlaskClient,
) -> None:
    """The conformance suite demands this order of the two errors."""
    meta = META | {"io.modelcontextprotocol/protocolVersion": "2027-01-01"}
    response = client.post(
        "/mcp", json=message("tools/list", {"_meta": meta}), headers={"Mcp-Method": "tools/list"}
    )
    assert (response.status_code, response.get_json()["error"]["code"]) == (400, -32020)
