"""The oracle for chatbots: the Model Context Protocol over HTTP, a message a POST, and nothing kept between two.

Source: the protocol's specification, revision 2026-07-28, in which every request names its revision, and the revisions
before it, which begin with a handshake. One route serves both, as the specification allows.
"""

import base64
from collections.abc import Callable
from typing import Any, Final

import mcp_types as types
from flask import Blueprint, Response, request
from mcp_types import jsonrpc, methods
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, LATEST_HANDSHAKE_VERSION, MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError
from pydantic_core import to_json
from werkzeug.datastructures import Headers
from werkzeug.exceptions import Forbidden

from service import __version__
from service.web.api.answers import JSON, NOT_STORED
from service.web.api.questions import MalformedJsonError, decode, read_bytes
from service.web.chatbots.tools import TOOLS
from service.web.settings import ANY_ORIGIN

Json = dict[str, Any]

REVISION_HEADER: Final = "MCP-Protocol-Version"
ONE_DAY: Final = 86_400_000  # in milliseconds

INSTRUCTIONS: Final = (
    "This server plays tic-tac-toe perfectly. Cells are numbered 0 to 8, row by row from the top left. To play a whole "
    "game, keep the list of the moves so far, in order, and nothing else. Append the cell that the person plays, call "
    "best_move with the list as `played`, tell the person its move, show the board it draws, go on with the list it "
    "returns. Ask before each move: do not work out moves, and do not edit boards yourself."
)
_SERVER: Final = types.Implementation(name="best-move", title="Best Move", version=__version__)
_CAPABILITIES: Final = types.ServerCapabilities(tools=types.ToolsCapability())

#  The parameter that the header Mcp-Name repeats, by method.
_NAMED: Final = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}


class MessageError(ValueError):
    """Raised for a message whose answer is a JSON-RPC error; `data` is for the client's program."""

    def __init__(self, code: int, message: str, data: Json | None = None) -> None:
        super().__init__(message)
        self.error: Final = jsonrpc.ErrorData(code=code, message=message, data=data)


def mcp(origins: tuple[str, ...]) -> Blueprint:
    """Return the route of chatbots' hosts, for pages of some origins; who names none is no page."""
    routes = Blueprint("mcp", __name__)

    @routes.post("/mcp")
    def post_message() -> Response:
        """Answer a message."""
        if origins != ANY_ORIGIN and request.headers.get("Origin", origins[0]) not in origins:
            raise Forbidden
        status, answer = exchange(read_bytes(), request.headers)
        if answer is None:
            return Response(status=status, headers=[NOT_STORED])
        return Response(to_json(answer) + b"\n", status, [JSON, NOT_STORED])

    return routes


def exchange(body: bytes, headers: Headers) -> tuple[int, Json | None]:
    """Return the HTTP status and the JSON-RPC message that answer a body; a notification has no message for an answer.

    Where requests name their revision, the specification gives errors an HTTP status. Before, errors are a 200 too.
    """
    try:
        call = _read(body)
    except MessageError as fault:
        return 400, _error(None, fault)
    if call is None:
        return 202, None
    names_revision = _names_revision(call, headers)
    try:
        revision = _named_revision(call, headers) if names_revision else _agreed_revision(headers)
        result = _answer(call, revision)
    except MessageError as fault:
        status = 404 if fault.error.code == jsonrpc.METHOD_NOT_FOUND else 400
        return status if names_revision else 200, _error(call.id, fault)
    return 200, jsonrpc.JSONRPCResponse(jsonrpc="2.0", id=call.id, result=result).model_dump()


def _read(body: bytes) -> jsonrpc.JSONRPCRequest | None:
    """Return the request in a body, None for a notification, which asks for nothing."""
    try:
        message = decode(body)
    except MalformedJsonError as error:
        raise MessageError(jsonrpc.PARSE_ERROR, f"The body is not JSON: {error}. Send one message.") from None
    try:
        if isinstance(message, dict) and message.get("params", {}) is None:  # the types take null for none
            raise MessageError(jsonrpc.INVALID_REQUEST, "params is null. Send an object, or leave it out.")
        if isinstance(message, dict) and "id" not in message:
            jsonrpc.JSONRPCNotification.model_validate(message)
            return None
        return jsonrpc.JSONRPCRequest.model_validate(message)
    except ValidationError as error:
        raise MessageError(
            jsonrpc.INVALID_REQUEST, f"The body is not one JSON-RPC 2.0 request or notification: {_first(error)}."
        ) from None


def _names_revision(call: jsonrpc.JSONRPCRequest, headers: Headers) -> bool:
    meta = (call.params or {}).get("_meta")
    return (isinstance(meta, dict) and types.PROTOCOL_VERSION_META_KEY in meta) or (
        headers.get(REVISION_HEADER, LATEST_HANDSHAKE_VERSION) not in HANDSHAKE_PROTOCOL_VERSIONS
    )


def _named_revision(call: jsonrpc.JSONRPCRequest, headers: Headers) -> str:
    """Return the revision that a request names; refuse one whose headers say otherwise, or that is not served."""
    params = call.params or {}
    meta = params.get("_meta")
    fields: Json = meta if isinstance(meta, dict) else {}
    missing = [
        key for key in (types.PROTOCOL_VERSION_META_KEY, types.CLIENT_CAPABILITIES_META_KEY) if key not in fields
    ]
    if missing:
        raise MessageError(jsonrpc.INVALID_PARAMS, f"params._meta lacks {' and '.join(missing)}.")
    revision = fields[types.PROTOCOL_VERSION_META_KEY]
    repeated = {REVISION_HEADER: revision, "Mcp-Method": call.method}
    if _NAMED.get(call.method) in params:
        repeated["Mcp-Name"] = params[_NAMED[call.method]]
    for name, value in repeated.items():
        if _decoded(headers.get(name)) != value:
            raise MessageError(jsonrpc.HEADER_MISMATCH, f"The header {name} should repeat what the body says: {value}.")
    if revision not in MODERN_PROTOCOL_VERSIONS:
        raise MessageError(
            jsonrpc.UNSUPPORTED_PROTOCOL_VERSION,
            f"Revision {revision} is not served. Name {' or '.join(MODERN_PROTOCOL_VERSIONS)}, or begin by initialize.",
            {"supported": list(MODERN_PROTOCOL_VERSIONS), "requested": revision},
        )
    return str(revision)


def _agreed_revision(headers: Headers) -> str:
    """Return the revision that a handshake has agreed on; the first ones do not repeat it."""
    return headers.get(REVISION_HEADER, types.DEFAULT_NEGOTIATED_VERSION)


def _answer(call: jsonrpc.JSONRPCRequest, revision: str) -> Json:
    """Return the result of a request, as its revision has it."""
    handlers = _BY_REVISION if revision in MODERN_PROTOCOL_VERSIONS else _AFTER_HANDSHAKE
    if call.method not in handlers:
        raise MessageError(
            jsonrpc.METHOD_NOT_FOUND, f"There is no method {call.method}. The methods are {', '.join(handlers)}."
        )
    try:
        methods.validate_client_request(call.method, revision, call.params)
    except ValidationError as error:
        raise MessageError(jsonrpc.INVALID_PARAMS, f"The parameters are wrong: {_first(error)}.") from None
    result = handlers[call.method](call.params or {})
    if revision in MODERN_PROTOCOL_VERSIONS:
        result.meta = {types.SERVER_INFO_META_KEY: _SERVER.model_dump(by_alias=True, exclude_none=True)}
    return methods.serialize_server_result(call.method, revision, result.model_dump(by_alias=True, exclude_none=True))


def _discover(_: Json) -> types.DiscoverResult:
    return types.DiscoverResult(
        supported_versions=list(MODERN_PROTOCOL_VERSIONS),
        capabilities=_CAPABILITIES,
        instructions=INSTRUCTIONS,
        ttl_ms=ONE_DAY,
        cache_scope="public",
    )


def _initialize(params: Json) -> types.InitializeResult:
    asked = params["protocolVersion"]
    return types.InitializeResult(
        protocol_version=asked if asked in HANDSHAKE_PROTOCOL_VERSIONS else LATEST_HANDSHAKE_VERSION,
        capabilities=_CAPABILITIES,
        server_info=_SERVER,
        instructions=INSTRUCTIONS,
    )


def _ping(_: Json) -> types.EmptyResult:
    return types.EmptyResult()


def _list_tools(_: Json) -> types.ListToolsResult:
    tools = [tool.definition for tool in TOOLS.values()]
    return types.ListToolsResult(tools=tools, ttl_ms=ONE_DAY, cache_scope="public")


def _call_tool(params: Json) -> types.CallToolResult:
    name = params["name"]
    if name not in TOOLS:
        raise MessageError(jsonrpc.INVALID_PARAMS, f"There is no tool {name}. The tools are {', '.join(TOOLS)}.")
    return TOOLS[name].call(params.get("arguments", {}))


Handlers = dict[str, Callable[[Json], types.Result]]

_OF_TOOLS: Final[Handlers] = {"tools/list": _list_tools, "tools/call": _call_tool}
_BY_REVISION: Final[Handlers] = {"server/discover": _discover, **_OF_TOOLS}
_AFTER_HANDSHAKE: Final[Handlers] = {"initialize": _initialize, "ping": _ping, **_OF_TOOLS}


def _error(call_id: jsonrpc.RequestId | None, fault: MessageError) -> Json:
    message = jsonrpc.JSONRPCError(jsonrpc="2.0", id=call_id, error=fault.error)
    return {**message.model_dump(exclude_none=True), "id": call_id}  # null where the request had none that can be read


def _first(error: ValidationError) -> str:
    """Return the first fault of a message in a phrase."""
    fault = error.errors(include_url=False, include_input=False, include_context=False)[0]
    return f"{'.'.join(map(str, fault['loc'])) or 'it'}: {fault['msg']}"


def _decoded(value: str | None) -> str | None:
    """Return a header's value as the body would have it: what is not plain ASCII comes as `=?base64?…?=`."""
    if value is None or not (value.startswith("=?base64?") and value.endswith("?=")):
        return value
    try:
        return base64.b64decode(value[9:-2], validate=True).decode()
    except ValueError:
        return None
