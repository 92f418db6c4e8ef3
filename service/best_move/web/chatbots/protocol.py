"""The Model Context Protocol: a function that returns the response to a JSON-RPC message.

It has no state and no transport. Source: the protocol's specification, revision 2026-07-28, in
which every request names its revision, and the earlier revisions, which start with a handshake.
Both kinds of revisions are supported, as the specification allows.
"""

from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable
from typing import Any, Final

import mcp_types as types
from mcp_types import jsonrpc, methods
from mcp_types.version import (
    HANDSHAKE_PROTOCOL_VERSIONS,
    LATEST_HANDSHAKE_VERSION,
    MODERN_PROTOCOL_VERSIONS,
)
from pydantic import MISSING, ValidationError
from pydantic_core import from_json

from best_move import __version__
from best_move.engine.choice import RATES
from best_move.web.api.strict_json import DuplicateFieldError, Json, MalformedJsonError, decode
from best_move.web.api.validation import InvalidRequestError, describe_errors, fields_of, quoted
from best_move.web.chatbots import board
from best_move.web.chatbots.arguments import PlayArguments, read_arguments
from best_move.web.chatbots.tools import TOOLS
from best_move.web.pages.files import STATIC

REVISION_HEADER: Final = "MCP-Protocol-Version"
FIRST_REVISION: Final = (
    types.DEFAULT_NEGOTIATED_VERSION
)  # assumed if a client does not send the agreed revision
_CACHED: Final[Json] = {"ttl_ms": 86_400_000, "cache_scope": "public"}  # for a day, in milliseconds

INSTRUCTIONS: Final = (
    "This server plays tic-tac-toe perfectly. Cells are numbered 0 to 8, row by row from the top "
    "left. To play, keep one list of the moves in order. Append the user's move, call best_move "
    "with the list as `played`, your side as `you` and, if O moved first, `starts`, report its "
    "move, show the board, and continue with the list that it returns. Call it before every move: "
    "never compute moves or edit boards yourself."
)
_ICON: Final = f"data:image/svg+xml;base64,{b64encode((STATIC / 'icon.svg').read_bytes()).decode()}"
SERVER: Final = types.Implementation(
    name="best-move",
    title="Best Move",
    version=__version__,
    icons=[types.Icon(src=_ICON, mime_type="image/svg+xml", sizes=["any"])],
)
_SERVER_INFO: Final = SERVER.model_dump(by_alias=True, exclude_none=True)
_SERVER_META: Final = {
    types.SERVER_INFO_META_KEY: {
        name: value for name, value in _SERVER_INFO.items() if name != "icons"
    }
}
_CAPABILITIES: Final = types.ServerCapabilities(
    tools=types.ToolsCapability(),
    resources=types.ResourcesCapability(),
    prompts=types.PromptsCapability(),
    extensions={"io.modelcontextprotocol/ui": {"mimeTypes": [board.MEDIA_TYPE]}},
)
#  Without a content security policy, clients let the board load nothing, and it needs nothing.
_BOARD_META: Final[Any] = {"ui": {"prefersBorder": True}}
_BOARD: Final = types.Resource(
    uri=board.URI,
    name="board",
    title="Tic-tac-toe board",
    description="A board that shows the game of a tool result and lets the user play on.",
    mime_type=board.MEDIA_TYPE,
    _meta=_BOARD_META,
)

_PROMPT: Final = types.Prompt(
    name="play",
    title="Play tic-tac-toe",
    description="Starts a game of tic-tac-toe against the oracle.",
    arguments=[
        types.PromptArgument(name=name, description=field["description"], required=False)
        for name, field in fields_of(PlayArguments).items()
    ],
)

#  method -> the parameter that the header Mcp-Name repeats.
_NAMED: Final = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}


class MessageError(ValueError):
    """Raised for a message whose response is a JSON-RPC error.

    `data` has the details that a program can read.
    """

    def __init__(
        self, message: str, code: int = jsonrpc.INVALID_REQUEST, data: Json | None = None
    ) -> None:
        super().__init__(message)
        self.error: Final = jsonrpc.ErrorData(code=code, message=message, data=data)


def exchange(
    body: bytes,
    agreed: str = FIRST_REVISION,
    header: Callable[[str], str | None] | None = None,
    report: Callable[[str, bool], object] | None = None,
) -> tuple[int, Json | None]:
    """Return the HTTP status and the JSON-RPC response; the response to a notification is None.

    `agreed` is the revision on which client and server agreed in a handshake. `header` returns the
    value of an HTTP header; it is None for transports without headers. If a request names its
    revision, HTTP headers must repeat parts of the body, and an error has the status 400 or 404;
    for other requests, an error has the status 200. For a body that is no valid message, the status
    is always 400. `report` is called for a tool call with the name of the tool, or `other` if the
    tool is unknown, and with true if the call failed.
    """
    try:
        call = _read(body)
    except MessageError as error:
        return 400, _error(id_of(body), error)
    if call is None:
        return 202, None
    names_revision = (
        types.PROTOCOL_VERSION_META_KEY in _meta(call) or agreed not in HANDSHAKE_PROTOCOL_VERSIONS
    )
    status = 200
    try:
        revision = _named_revision(call, agreed, header) if names_revision else agreed
        answer: Json = {"jsonrpc": "2.0", "id": call.id, "result": _result(call, revision)}
    except MessageError as error:
        answer = _error(call.id, error)
        if names_revision:
            status = 404 if error.error.code == jsonrpc.METHOD_NOT_FOUND else 400
    if report and call.method == "tools/call":
        name = str((call.params or {}).get("name"))
        report(
            name if name in TOOLS else "other",
            "error" in answer or answer["result"].get("isError", False),
        )
    return status, answer


def _read(body: bytes) -> jsonrpc.JSONRPCRequest | None:
    """Return the request in a body, None for a notification; else raise MessageError."""
    try:
        message = decode(body)
    except MalformedJsonError as error:
        raise MessageError(
            f"The message is not JSON: {error}. Send one JSON object.", jsonrpc.PARSE_ERROR
        ) from None
    except DuplicateFieldError as error:
        raise MessageError(f"The message repeats {error.args[-1]}. Send each name once.") from None
    if isinstance(message, list):
        raise MessageError(
            "The message is a list. Send each message alone: batches are not supported."
        )
    try:
        if isinstance(message, dict) and "id" not in message:
            jsonrpc.JSONRPCNotification.model_validate(message)
            return None
        return jsonrpc.JSONRPCRequest.model_validate(message)
    except ValidationError as error:
        raise MessageError(
            f"The message is not a JSON-RPC 2.0 request or notification: {_first(error)}."
        ) from None


def id_of(body: bytes) -> jsonrpc.RequestId | None:
    """Return the id of a message, even of an invalid one; None if it has no valid id."""
    try:
        found = from_json(body)["id"]
    except (ValueError, TypeError, KeyError):
        return None
    return found if type(found) in (int, str) else None


def _meta(call: jsonrpc.JSONRPCRequest) -> Json:
    meta = (call.params or {}).get("_meta")
    return meta if isinstance(meta, dict) else {}


def _named_revision(
    call: jsonrpc.JSONRPCRequest, agreed: str, header: Callable[[str], str | None] | None
) -> str:
    """Return a request's revision.

    Raise MessageError if it is unknown, or if `_meta` or a header is invalid.
    """
    meta = _meta(call)
    revision = meta.get(types.PROTOCOL_VERSION_META_KEY, agreed)
    missing = [
        key
        for key in (types.PROTOCOL_VERSION_META_KEY, types.CLIENT_CAPABILITIES_META_KEY)
        if key not in meta
    ]
    if missing and revision in MODERN_PROTOCOL_VERSIONS:
        raise MessageError(f"params._meta lacks {' and '.join(missing)}.", jsonrpc.INVALID_PARAMS)
    if header and not missing:
        _check_headers(call, revision, header)
    if revision not in MODERN_PROTOCOL_VERSIONS:
        supported = [*MODERN_PROTOCOL_VERSIONS]
        raise MessageError(
            f"Revision {quoted(revision)} is not supported. Use {' or '.join(supported)}, "
            "or start with initialize.",
            jsonrpc.UNSUPPORTED_PROTOCOL_VERSION,
            {"supported": supported, "requested": revision},
        )
    return str(revision)


def _check_headers(
    call: jsonrpc.JSONRPCRequest, revision: str, header: Callable[[str], str | None]
) -> None:
    """Raise MessageError if a header differs from the part of the body that it repeats."""
    params = call.params or {}
    repeated = {REVISION_HEADER: revision, "Mcp-Method": call.method}
    if _NAMED.get(call.method) in params:
        repeated["Mcp-Name"] = params[_NAMED[call.method]]
    for name, value in repeated.items():
        if _decoded(header(name)) != value:
            raise MessageError(
                f"The header {name} must match the body: {quoted(value)}.",
                jsonrpc.HEADER_MISMATCH,
            )


def _result(call: jsonrpc.JSONRPCRequest, revision: str) -> Json:
    """Return a request's result as its revision demands; raise MessageError if it is invalid."""
    handlers = _BY_REVISION if revision in MODERN_PROTOCOL_VERSIONS else _AFTER_HANDSHAKE
    if call.method not in handlers:
        raise MessageError(
            f"Unknown method: {quoted(call.method)}. The methods are {', '.join(handlers)}.",
            jsonrpc.METHOD_NOT_FOUND,
        )
    try:
        params = methods.parse_client_request(call.method, revision, call.params).params
    except ValidationError as error:
        raise MessageError(
            f"The parameters are invalid: {_first(error)}.", jsonrpc.INVALID_PARAMS
        ) from None
    handler = handlers[call.method]
    result = handler(params) if callable(handler) else handler
    if revision in MODERN_PROTOCOL_VERSIONS:
        result = result.model_copy(update={"meta": result.meta or _SERVER_META})
    return methods.serialize_server_result(
        call.method, revision, result.model_dump(by_alias=True, exclude_none=True)
    )


def _initialize(params: types.InitializeRequestParams) -> types.InitializeResult:
    revision = params.protocol_version
    if revision not in HANDSHAKE_PROTOCOL_VERSIONS:
        revision = LATEST_HANDSHAKE_VERSION
    return types.InitializeResult(
        protocol_version=revision,
        capabilities=_CAPABILITIES,
        server_info=SERVER,
        instructions=INSTRUCTIONS,
    )


def _call_tool(params: types.CallToolRequestParams) -> types.CallToolResult:
    tool = TOOLS.get(params.name)
    if not tool:
        raise _unknown("tool", params.name, TOOLS)
    return tool.call(params.arguments or {})


def _read_resource(params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
    if params.uri != board.URI:
        raise _unknown("resource", params.uri, [board.URI])
    contents = types.TextResourceContents(
        uri=board.URI, mime_type=board.MEDIA_TYPE, text=board.html(), _meta=_BOARD_META
    )
    return types.ReadResourceResult(contents=[contents], **_CACHED)


def _get_prompt(params: types.GetPromptRequestParams) -> types.GetPromptResult:
    if params.name != _PROMPT.name:
        raise _unknown("prompt", params.name, [_PROMPT.name])
    try:
        sent = read_arguments(PlayArguments, params.arguments or {})
    except InvalidRequestError as error:
        raise MessageError(describe_errors(error)[0], jsonrpc.INVALID_PARAMS) from None
    side = f"I play {sent.side}."
    if sent.side is MISSING:
        side = "Ask me which side I want, X or O."
    level = f"Play at the level {sent.level}."
    if sent.level is MISSING:
        level = f"Ask me how well you should play: {', '.join(RATES)}."
    text = f"Play tic-tac-toe with me. {side} Ask me who moves first. {level} Then we take turns."
    message = types.PromptMessage(role="user", content=types.TextContent(text=text))
    return types.GetPromptResult(description=_PROMPT.description, messages=[message])


def _unknown(what: str, name: str, known: Iterable[str]) -> MessageError:
    return MessageError(
        f"Unknown {what}: {quoted(name)}. Known {what}s: {', '.join(known)}.",
        jsonrpc.INVALID_PARAMS,
    )


#  method -> its result, or the function that returns it for the parameters.
Handlers = dict[str, types.Result | Callable[[Any], types.Result]]

_ALWAYS: Final[Handlers] = {
    "tools/list": types.ListToolsResult(
        tools=[tool.definition for tool in TOOLS.values()], **_CACHED
    ),
    "tools/call": _call_tool,
    "resources/list": types.ListResourcesResult(resources=[_BOARD], **_CACHED),
    "resources/templates/list": types.ListResourceTemplatesResult(resource_templates=[], **_CACHED),
    "resources/read": _read_resource,
    "prompts/list": types.ListPromptsResult(prompts=[_PROMPT], **_CACHED),
    "prompts/get": _get_prompt,
}
_DISCOVERED: Final = types.DiscoverResult(
    supported_versions=list(MODERN_PROTOCOL_VERSIONS),
    capabilities=_CAPABILITIES,
    instructions=INSTRUCTIONS,
    _meta={types.SERVER_INFO_META_KEY: _SERVER_INFO},
    **_CACHED,
)
_BY_REVISION: Final[Handlers] = {"server/discover": _DISCOVERED, **_ALWAYS}
_AFTER_HANDSHAKE: Final[Handlers] = {
    "initialize": _initialize,
    "ping": types.EmptyResult(),
    **_ALWAYS,
}


def _error(call_id: jsonrpc.RequestId | None, error: MessageError) -> Json:
    return {"jsonrpc": "2.0", "id": call_id, "error": error.error.model_dump(exclude_none=True)}


def _first(error: ValidationError) -> str:
    """Return the first error of a message as a phrase, in which types have JSON's names."""
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    message = first["msg"].replace("a valid dictionary", "an object")
    return f"{'.'.join(map(str, first['loc'])) or 'it'}: {message}"


def _decoded(value: str | None) -> str | None:
    """Return a header's value, decoded if it is in Base64; None if that is invalid or missing."""
    if value is None or not (value.startswith("=?base64?") and value.endswith("?=")):
        return value
    try:
        return b64decode(value[9:-2], validate=True).decode()
    except ValueError:
        return None
