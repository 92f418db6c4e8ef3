"""Requests as bytes, whole and in part, and the paths that can be read."""

from best_move.web.api.openapi import document

QUERY = "board=X...O....&played=1"
QUERIES = dict.fromkeys(("/number-tree", "/tree.png"), "tree=[[3,5],[2,9]]")

#  Path -> the path with a query, for each operation with the method GET.
READS = {
    path: f"{path}?{QUERIES.get(path, QUERY)}" if "parameters" in methods["get"] else path
    for path, methods in document()["paths"].items()
    if "get" in methods
}

HOST = b" HTTP/1.1\r\nHost: localhost\r\n"
CLOSE = b"Connection: close\r\n"
EXPECT = b"Expect: 100-continue\r\n"

#  These two lack the empty line after their headers.
GET = b"GET /best-move?board=X...O...." + HOST
POST = b"POST /best-move" + HOST + b"Content-Type: application/json\r\n"

BODY = b'{"board":"X...O...."}'
IN_CHUNKS = POST + b"Transfer-Encoding: chunked\r\n\r\n"


def posted(body: bytes, headers: bytes = b"", path: bytes = b"/best-move") -> bytes:
    """Return a POST with a body."""
    start = POST.replace(b"/best-move", path)
    return start + headers + b"Content-Length: %d\r\n\r\n" % len(body) + body


def batch_of(request: bytes, times: int) -> bytes:
    """Return the body of a batch that has a request so many times."""
    return b'{"requests":[%b]}' % b",".join([request] * times)


def chunked(*chunks: bytes) -> bytes:
    """Return chunks in HTTP's chunked encoding."""
    return b"".join(b"%x\r\n%b\r\n" % (len(chunk), chunk) for chunk in (*chunks, b""))


BATCH = batch_of(BODY, 1)
ASK = GET + b"\r\n"
ASK_AND_CLOSE = GET + CLOSE + b"\r\n"
HEAD = b"HEAD /health" + HOST + b"\r\n"
OPTIONS = b"OPTIONS /best-move" + HOST + b"\r\n"
UNCHANGED = b"GET /openapi.json" + HOST + b"If-None-Match: *\r\n\r\n"
LARGE = b"GET /openapi.json" + HOST + b"\r\n"  # has a large response
HALF_BODY = POST + b"Content-Length: 100\r\n\r\n{"
HALF_CHUNK = IN_CHUNKS + b"5\r\n{"

#  What a client sends that then waits, and reads nothing.
UNFINISHED = {
    "silent": b"",
    "idle": ASK,
    "half a line": b"GET /best-mo",
    "half headers": GET,
    "half body": HALF_BODY,
    "half chunk": HALF_CHUNK,
    "never reads": LARGE * 100,
    "asks to close": ASK_AND_CLOSE,
    "HTTP/1.0": b"GET /health HTTP/1.0\r\n\r\n",
}

TO_MINIMAX = b'{"board":".........","algorithm":"minimax"}'

_TOOL_CALL = (
    b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":'
    b'{"name":"best_move","arguments":{"played":[],"starts":"X","difficulty":"easy"}}}'
)

#  One of each kind of request that is called in a thread.
SLOW = {
    "minimax by GET": ASK.replace(b"X...O....", b".........&algorithm=minimax"),
    "minimax by POST": posted(TO_MINIMAX),
    "batch": posted(batch_of(TO_MINIMAX, 1), path=b"/best-moves"),
    "search tree": ASK.replace(b"/best-move?board=X...O....", b"/search-tree?board=........."),
    "player review": posted(b'{"side":"X"}', path=b"/player-review"),
    "tablebase": ASK.replace(b"/best-move?board=X...O....", b"/tablebase.csv"),
    "PNG": ASK.replace(b"/best-move", b"/board.png"),
    "page": ASK.replace(b"/best-move", b"/search"),
    "long query": ASK.replace(b"?", b"?played=" + 2_000 * b"+" + b"1&"),
    "long body": posted(BODY + 2_000 * b" "),
    "tool call": posted(
        _TOOL_CALL, b"Accept: application/json, text/event-stream\r\n", path=b"/mcp"
    ),
}
