"""The protocol: its forms with and without a handshake, and the errors for invalid messages."""

import json
from base64 import b64encode
from collections.abc import Callable, Iterator
from typing import Any, get_args

import pytest
from flask.testing import FlaskClient
from mcp_types import methods
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from best_move.web.chatbots import board, stdio
from best_move.web.chatbots.protocol import _MODERN, _WITH_HANDSHAKE, exchange
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


#  Messages, each with the id, the code and a part of the text of its error.
INVALID = """
{ -> null -32700 The message is not JSON
[{"jsonrpc": "2.0", "id": 1, "method": "ping"}] -> null -32600 Send each message alone: batches
"ping" -> null -32600 The message is "ping". Send one JSON object.
5 -> null -32600 The message is 5. Send one JSON object.
{"jsonrpc": "1.0", "id": 1, "method": "ping"} -> 1 -32600 jsonrpc: Input should be
{"jsonrpc": "2.0", "id": null, "method": "ping"} -> null -32600 an integer or a string.
{"jsonrpc": "2.0", "id": true, "method": "ping"} -> null -32600 an integer or a string.
{"jsonrpc": "2.0", "id": "a", "result": {}} -> "a" -32600 method: Field required
{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": []} -> 1 -32600 \
params: Input should be an object.
{"jsonrpc": "2.0", "id": 1, "method": "ping", "method": "ping"} -> 1 -32600 repeats method.
"""


@pytest.mark.parametrize("line", INVALID.strip().splitlines())
def test_an_invalid_message_gets_an_error_with_its_id(line: str) -> None:
    """The error has the id of the message, or null if the id cannot be read."""
    body, expected = line.split(" -> ")
    call_id, code, text = expected.split(" ", 2)
    status, response = send(body.encode())
    assert (status, response["id"]) == (400, json.loads(call_id))
    assert response["error"]["code"] == int(code)
    assert text in response["error"]["message"]
    assert response["error"]["message"].endswith(".")


#  The required parameters of the methods that have any.
REQUIRED: dict[str, Json] = {
    "initialize": INITIALIZE,
    "prompts/get": {"name": "play"},
    "resources/read": {"uri": board.URI},
    "tools/call": {"name": "best_move"},
}


def over_http(client: FlaskClient, sent: Json) -> Json:
    """Send a message over HTTP, with headers if it names a revision; return the response."""
    params = sent.get("params") or {}
    headers = (
        {"MCP-Protocol-Version": REVISION, "Mcp-Method": sent["method"]}
        if params.get("_meta") == META
        else {}
    )
    name = params.get("uri", params.get("name"))
    response = client.post(
        "/mcp", json=sent, headers=headers | ({"Mcp-Name": name} if headers and name else {})
    )
    found: Json = response.get_json()
    return found


def over_stdio(_: FlaskClient, sent: Json) -> Json:
    """Send a message as a line of standard input; return the response."""
    lines: list[bytes] = []
    stdio.serve([json.dumps(sent).encode()], lines.append)
    found: Json = json.loads(lines[0])
    return found


def optional(method: str) -> list[str]:
    """Return the names of a method's optional parameters, except the metadata."""
    params: Any = methods.MONOLITH_REQUESTS[method].model_fields["params"].annotation
    model = (get_args(params) or [params])[0]
    names = {field.alias or name for name, field in model.model_fields.items()}
    return sorted(names - REQUIRED.get(method, {}).keys() - {"_meta"})


def with_nulls(sent: Json) -> Iterator[Json]:
    """Yield a request in the other ways in which it can omit what is optional."""
    params = sent["params"]
    for name in {"_meta", *optional(sent["method"])} - params.keys():
        yield sent | {"params": params | {name: None}}
    if not params:
        yield sent | {"params": None}
        yield {name: sent[name] for name in ("jsonrpc", "id", "method")}


def with_wrong_values(sent: Json) -> Iterator[Json]:
    """Yield a request with values of each type in each optional parameter."""
    for name in optional(sent["method"]):
        for value in (True, 7, "text", [1], {"a": 1}):
            yield sent | {"params": sent["params"] | {name: value}}


@pytest.mark.parametrize("exchanged", [over_http, over_stdio], ids=["HTTP", "stdio"])
@pytest.mark.parametrize("named", [True, False], ids=["naming the revision", "after a handshake"])
def test_no_value_of_an_optional_member_makes_the_service_fail(
    client: FlaskClient, exchanged: Callable[[FlaskClient, Json], Json], *, named: bool
) -> None:
    """Null counts as omitted; a value of a wrong type gets an error or is ignored."""
    meta = {"_meta": META} if named else {}
    for method in _MODERN if named else _WITH_HANDSHAKE:
        sent = message(method, REQUIRED.get(method, {}) | meta)
        omitted = exchanged(client, sent)
        assert "result" in omitted
        for variant in with_nulls(sent):
            assert exchanged(client, variant) == omitted, variant
        for variant in with_wrong_values(sent):
            response = exchanged(client, variant)
            assert response["id"] == 7
            assert "result" in response or response["error"]["code"] == -32602, variant


@pytest.mark.parametrize("method", _WITH_HANDSHAKE)
def test_all_revisions_with_a_handshake_get_the_same_results(method: str) -> None:
    """Standard input has no header, so its messages are answered by the default revision."""
    sent = message(method, REQUIRED.get(method, {}))
    if method == "tools/call":
        sent["params"] |= {"arguments": {"played": [0], "starts": "X"}}
    results = [send(sent, revision) for revision in HANDSHAKE_PROTOCOL_VERSIONS]
    assert "result" in results[0][1]
    assert [each for each in results if each != results[0]] == []


def test_after_a_handshake_an_error_has_status_200() -> None:
    """Clients expect the status 200, as in earlier revisions of the protocol."""
    assert handshaken("completion/complete")["error"]["code"] == -32601
    assert handshaken("tools/call", {})["error"]["code"] == -32602
    unknown = handshaken("tools/call", {"name": "fly"})["error"]["message"]
    assert unknown.endswith(f"{', '.join(TOOLS)}.")


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


@pytest.mark.parametrize(
    ("params", "text"),
    [
        ({"name": "chess"}, "Unknown prompt: `chess`. Known prompts: play."),
        ({"name": "play", "arguments": {"side": "X"}}, "The prompt `play` has no arguments."),
    ],
    ids=["unknown", "with arguments"],
)
def test_the_error_for_a_prompt_says_what_is_known(params: Json, text: str) -> None:
    """An unknown name is quoted, with the known one, and arguments are rejected."""
    assert error(naming_revision("prompts/get", params), 400, -32602)["message"] == text


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
        assert failure["message"].startswith(
            "Revision `2027-01-01` is not supported. Use 2026-07-28, or start with"
        )
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
    expected = f"The revision in params._meta must be a string, not {text}."
    found = error(message("tools/list", {"_meta": meta}), 400, -32602)
    assert found == {"code": -32602, "message": expected}
    headers = {
        "MCP-Protocol-Version": REVISION,
        "Mcp-Method": "tools/call",
        "Mcp-Name": "best_move",
    }
    call = message("tools/call", {"_meta": META, "name": value})
    demand = client.post("/mcp", json=call, headers=headers).get_json()["error"]["message"]
    assert demand.endswith(f" must match the body: `{text}`.")


def test_a_header_that_contradicts_the_body_is_reported_before_its_unknown_revision(
    client: FlaskClient,
) -> None:
    """The conformance suite demands this order of the two errors."""
    meta = META | {"io.modelcontextprotocol/protocolVersion": "2027-01-01"}
    response = client.post(
        "/mcp", json=message("tools/list", {"_meta": meta}), headers={"Mcp-Method": "tools/list"}
    )
    assert (response.status_code, response.get_json()["error"]["code"]) == (400, -32020)


def test_a_request_without_its_metadata_is_invalid() -> None:
    """The error names the missing member."""
    assert "clientCapabilities" in error(message("tools/list"), 400, -32602)["message"]
