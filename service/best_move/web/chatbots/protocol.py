"""The Model Context Protocol: a function that returns the response to a JSON-RPC message.

It has no state and no transport. Source: the protocol's specification, revision 2026-07-28, in
which every request names its revision, and the earlier revisions, which start with a handshake.
Both kinds of revisions are supported, as the specification allows.
"""

import re
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable

from mcp_types import (
    CLIENT_CAPABILITIES_META_KEY,
    DEFAULT_NEGOTIATED_VERSION,
    PROTOCOL_VERSION_META_KEY,
    SERVER_INFO_META_KEY,
    methods,
)
from mcp_types.jsonrpc import (
    HEADER_MISMATCH,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    PARSE_ERROR,
    UNSUPPORTED_PROTOCOL_VERSION,
    JSONRPCNotification,
    JSONRPCRequest,
    RequestId,
)
from mcp_types.version import (
    HANDSHAKE_PROTOCOL_VERSIONS,
    LATEST_HANDSHAKE_VERSION,
    MODERN_PROTOCOL_VERSIONS,
)
from pydantic import ValidationError
from pydantic_core import from_json

from best_move import __version__
from best_move.engine.choice import RATES
from best_move.quoting import quoted, shown
from best_move.web.api.strict_json import DuplicateFieldError, Json, MalformedJsonError, decode
from best_move.web.chatbots import board
from best_move.web.chatbots.tools import TOOLS
from best_move.web.pages.files import STATIC

REVISION_HEADER = "MCP-Protocol-Version"
DEFAULT_REVISION = DEFAULT_NEGOTIATED_VERSION  # of a request without this header

INSTRUCTIONS = (
    "This server plays tic-tac-toe, by default perfectly. Cells are numbered 0 to 8, row by row "
    "from the top left. To play, keep one list of the moves in order. Append the user's move, call "
    "best_move with the list as `played`, the side that moved first as `starts`, your side as "
    "`you` and the level as `difficulty`, report its move, show the board, and continue with the "
    "list that it returns. Call it before each of your moves: never compute moves or edit boards "
    "yourself. For a hint, call it without `difficulty`, with the user's side as `you`, and keep "
    "your own list, because the hint is not played."
)

#  Parts of results.
_CACHEABLE = {"ttlMs": 86_400_000, "cacheScope": "public"}  # for a day, in milliseconds
_ICON = b64encode((STATIC / "icon.svg").read_bytes()).decode()
_SERVER = {"name": "best-move", "title": "Best Move", "version": __version__}
_SERVER_WITH_ICON = {
    **_SERVER,
    "icons": [
        {"src": f"data:image/svg+xml;base64,{_ICON}", "mimeType": "image/svg+xml", "sizes": ["any"]}
    ],
}
_SERVER_META = {SERVER_INFO_META_KEY: _SERVER}
_CAPABILITIES = {
    "tools": {},
    "resources": {},
    "prompts": {},
    "extensions": {"io.modelcontextprotocol/ui": {"mimeTypes": [board.MEDIA_TYPE]}},
}
#  Without a content security policy, clients let the board load nothing, and it needs nothing.
_BOARD_META = {"ui": {"prefersBorder": True}}
_BOARD = {
    "uri": board.URI,
    "name": "board",
    "title": "Tic-tac-toe board",
    "description": "A board that shows the game of a tool result and lets the user play on.",
    "mimeType": board.MEDIA_TYPE,
    "_meta": _BOARD_META,
}
_PROMPT = {
    "name": "play",
    "title": "Play tic-tac-toe",
    "description": "Starts a game of tic-tac-toe against the oracle.",
}
_PROMPT_TEXT = (
    "Play tic-tac-toe with me. Ask me which side I want, X or O, who moves first, and how well you "
    f"should play: {', '.join(RATES)}. Then we take turns."
)

#  Method -> the parameter that the header Mcp-Name repeats.
_NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}

Header = Callable[[str], str | None]  # returns the value of an HTTP header


class MessageError(ValueError):
    """Raised for a message whose response is a JSON-RPC error.

    `content` is the `error` of the response. Its member `data`, if given, has details for programs.
    """

    def __init__(self, message: str, code: int = INVALID_REQUEST, **members: Json) -> None:
        super().__init__(message)
        self.code = code
        self.content = {"code": code, "message": message, **members}


def exchange(
    body: bytes,
    header_revision: str = DEFAULT_REVISION,
    header: Header | None = None,
    report: Callable[..., object] | None = None,
) -> tuple[int, Json | None]:
    """Return the HTTP status and the JSON-RPC response; the response to a notification is None.

    `header_revision` is the revision in the header MCP-Protocol-Version, or the default. `header`
    returns the value of an HTTP header as it was sent; it is None for transports without headers.
    For a body that is not a valid message, the status is 400. `report` is called for a tool call
    with the name of the tool as `tool`, or `other` if the tool is unknown, and with whether the
    call failed as `tool_error`.
    """
    try:
        call = _read(body)
    except MessageError as error:
        return 400, _error(id_of(body), error)
    if call is None:
        return 202, None
    status, answer = _answer(call, header_revision, header)
    if report and call.method == "tools/call":
        params = call.params or {}
        name = str(params.get("name"))
        tool = name if name in TOOLS else "other"
        failed = "error" in answer or answer["result"].get("isError", False)
        report(tool=tool, tool_error=failed)
    return status, answer


def _answer(call: JSONRPCRequest, header_revision: str, header: Header | None) -> tuple[int, Json]:
    """Return the HTTP status and the response to a request.

    There was a handshake, or this is one, if the header has a revision with a handshake and `_meta`
    has no revision. Then the status of an error is 200. Without a handshake, it is 404 for an
    unknown method, else 400, and HTTP headers must repeat parts of the body.
    """
    had_handshake = (
        header_revision in HANDSHAKE_PROTOCOL_VERSIONS
        and PROTOCOL_VERSION_META_KEY not in _meta(call)
    )
    try:
        revision = header_revision
        if not had_handshake:
            revision = _revision_without_handshake(call, header_revision, header)
        result = _result(call, revision)
    except MessageError as error:
        status = 404 if error.code == METHOD_NOT_FOUND else 400
        return (200 if had_handshake else status), _error(call.id, error)
    return 200, {"jsonrpc": "2.0", "id": call.id, "result": result}


def _error(call_id: RequestId | None, error: MessageError) -> Json:
    return {"jsonrpc": "2.0", "id": call_id, "error": error.content}


def _read(body: bytes) -> JSONRPCRequest | None:
    """Return the request in a body, None for a notification; else raise MessageError."""
    try:
        message = decode(body)
    except MalformedJsonError as error:
        raise MessageError(
            f"The message is not JSON: {error}. Send one JSON object.", PARSE_ERROR
        ) from None
    except DuplicateFieldError as error:
        raise MessageError(f"The message repeats {error.name}. Send each name once.") from None
    if isinstance(message, list):
        raise MessageError(
            "The message is a list. Send each message alone: batches are not supported."
        )
    if not isinstance(message, dict):
        raise MessageError(f"The message is {shown(message)}. Send one JSON object.")
    if "id" in message and not _is_id(message["id"]):
        raise MessageError("The id must be an integer or a string.")
    try:
        if "id" not in message:
            JSONRPCNotification.model_validate(message)
            return None
        return JSONRPCRequest.model_validate(message)
    except ValidationError as error:
        raise MessageError(
            f"The message is not a JSON-RPC 2.0 request or notification: {_first_error(error)}."
        ) from None


def id_of(body: bytes) -> RequestId | None:
    """Return the id of a message, even of an invalid one; None if it has no valid id."""
    try:
        message = from_json(body)
        found = message["id"]
    except (ValueError, TypeError, KeyError):
        return None
    return found if _is_id(found) else None


def _is_id(value: object) -> bool:
    return type(value) in (int, str)  # a boolean is no integer here


def _meta(call: JSONRPCRequest) -> Json:
    """Return the metadata of a request, empty if it has none."""
    params = call.params or {}
    meta = params.get("_meta")
    if isinstance(meta, dict):
        return meta
    return {}


def _revision_without_handshake(
    call: JSONRPCRequest, header_revision: str, header: Header | None
) -> str:
    """Return the revision in `_meta`, which a request without a handshake must have.

    Raise MessageError if it is missing or unknown, or if `_meta` or a header is invalid.
    """
    meta = _meta(call)
    #  Without the key, the header's revision has no handshake, as `_answer` has checked. It then
    #  only decides on the error below: an unknown revision, or missing keys.
    revision = meta.get(PROTOCOL_VERSION_META_KEY, header_revision)
    if not isinstance(revision, str):
        text = f"The revision in params._meta must be a string, not {shown(revision)}."
        raise MessageError(text, INVALID_PARAMS)
    required = [PROTOCOL_VERSION_META_KEY, CLIENT_CAPABILITIES_META_KEY]
    missing = [key for key in required if key not in meta]
    #  If no key is missing, headers that contradict the body are reported first. Otherwise they are
    #  not checked: a client of an unknown revision may send neither the keys nor the headers, and
    #  needs the list of supported revisions.
    if header and not missing:
        _check_headers(call, revision, header)
    if revision not in MODERN_PROTOCOL_VERSIONS:
        supported = [*MODERN_PROTOCOL_VERSIONS]
        raise MessageError(
            f"Revision {quoted(revision)} is not supported. Use {' or '.join(supported)}, "
            "or start with initialize.",
            UNSUPPORTED_PROTOCOL_VERSION,
            data={"supported": supported, "requested": revision},
        )
    if missing:
        lacking = " and ".join(missing)
        raise MessageError(f"params._meta lacks {lacking}.", INVALID_PARAMS)
    return revision


def _check_headers(call: JSONRPCRequest, revision: str, header: Header) -> None:
    """Raise MessageError if a header differs from the part of the body that it repeats."""
    params = call.params or {}
    repeated = {REVISION_HEADER: revision, "Mcp-Method": call.method}
    parameter = _NAMED.get(call.method)
    if parameter and parameter in params:
        repeated["Mcp-Name"] = params[parameter]
    for name, value in repeated.items():
        if _decoded(header(name)) != value:
            message = f"The header {name} must match the body: {quoted(value)}."
            raise MessageError(message, HEADER_MISMATCH)


def _result(call: JSONRPCRequest, revision: str) -> Json:
    """Return a request's result as its revision demands; raise MessageError if it is invalid."""
    is_modern = revision in MODERN_PROTOCOL_VERSIONS
    handlers = _MODERN if is_modern else _WITH_HANDSHAKE
    if call.method not in handlers:
        raise _unknown("method", call.method, handlers, METHOD_NOT_FOUND)
    try:
        methods.validate_client_request(call.method, revision, call.params)
    except ValidationError as error:
        message = f"The parameters are invalid: {_first_error(error)}."
        raise MessageError(message, INVALID_PARAMS) from None

    handler = handlers[call.method]
    result = handler(call.params or {}) if callable(handler) else handler
    if is_modern:
        #  A result's own `_meta` replaces this one.
        result = {"resultType": "complete", "_meta": _SERVER_META, **result}
    #  This drops what the revision does not have, such as _CACHEABLE before 2026-07-28.
    return methods.serialize_server_result(call.method, revision, result)


def _initialize(params: Json) -> Json:
    """Return the requested revision, or else the last one with a handshake."""
    revision = params["protocolVersion"]
    if revision not in HANDSHAKE_PROTOCOL_VERSIONS:
        revision = LATEST_HANDSHAKE_VERSION
    return {
        "protocolVersion": revision,
        "capabilities": _CAPABILITIES,
        "serverInfo": _SERVER_WITH_ICON,
        "instructions": INSTRUCTIONS,
    }


def _call_tool(params: Json) -> Json:
    name = params["name"]
    if name not in TOOLS:
        raise _unknown("tool", name, TOOLS)
    return TOOLS[name].call(params.get("arguments") or {})


def _read_resource(params: Json) -> Json:
    uri = params["uri"]
    if uri != board.URI:
        raise _unknown("resource", uri, [board.URI])
    contents = {
        "uri": board.URI,
        "mimeType": board.MEDIA_TYPE,
        "text": board.html(),
        "_meta": _BOARD_META,
    }
    return {"contents": [contents], **_CACHEABLE}


def _get_prompt(params: Json) -> Json:
    name = params["name"]
    if name != _PROMPT["name"]:
        raise _unknown("prompt", name, [_PROMPT["name"]])
    if params.get("arguments"):
        raise MessageError(f"The prompt {quoted(name)} has no arguments.", INVALID_PARAMS)
    content = {"type": "text", "text": _PROMPT_TEXT}
    return {
        "description": _PROMPT["description"],
        "messages": [{"role": "user", "content": content}],
    }


def _unknown(
    what: str, name: str, known: Iterable[str], code: int = INVALID_PARAMS
) -> MessageError:
    names = ", ".join(known)
    return MessageError(f"Unknown {what}: {quoted(name)}. Known {what}s: {names}.", code)


#  Method -> its result, or a function of its parameters. First those of all revisions, then those
#  of each kind.
Handlers = dict[str, Json | Callable[[Json], Json]]

_IN_BOTH: Handlers = {
    "tools/list": {"tools": [tool.definition for tool in TOOLS.values()], **_CACHEABLE},
    "tools/call": _call_tool,
    "resources/list": {"resources": [_BOARD], **_CACHEABLE},
    "resources/templates/list": {"resourceTemplates": [], **_CACHEABLE},
    "resources/read": _read_resource,
    "prompts/list": {"prompts": [_PROMPT], **_CACHEABLE},
    "prompts/get": _get_prompt,
}
_DISCOVERED = {
    "supportedVersions": [*MODERN_PROTOCOL_VERSIONS],
    "capabilities": _CAPABILITIES,
    "instructions": INSTRUCTIONS,
    "_meta": {SERVER_INFO_META_KEY: _SERVER_WITH_ICON},
    **_CACHEABLE,
}
_MODERN: Handlers = {"server/discover": _DISCOVERED, **_IN_BOTH}
_WITH_HANDSHAKE: Handlers = {"initialize": _initialize, "ping": {}, **_IN_BOTH}


def _first_error(error: ValidationError) -> str:
    """Return the first error of a message as a phrase that says "object", not "dictionary"."""
    first = error.errors(include_url=False)[0]
    place = ".".join(map(str, first["loc"]))
    message = re.sub(r"a valid dictionary( or instance of \w+)?", "an object", first["msg"])
    return f"{place}: {message}"


def _decoded(value: str | None) -> str | None:
    """Return a header's value, decoded if it is in Base64; None if that is invalid or missing."""
    found = re.fullmatch(r"=\?base64\?(.*)\?=", value or "")
    if not found:
        return value
    try:
        return b64decode(found[1], validate=True).decode()
    except ValueError:
        return None
