"""Bodies that break off: each operation answers them as the OpenAPI document says."""

import json
import socket

import pytest

from best_move.web.api.openapi import document
from tests.raw_requests import HALF_BODY, HALF_CHUNK, POST, posted
from tests.server import Server, reply_on

DOCUMENT = document()
POSTS = [path for path, methods in DOCUMENT["paths"].items() if "post" in methods]

#  What a client sends that then sends no more.
BROKEN = {
    "no body": POST + b"\r\n",
    "empty body": posted(b""),
    "half body": HALF_BODY,
    "half chunk": HALF_CHUNK,
    "no UTF-8": posted(b"\xff\xfe"),
    "half of the JSON": posted(b'{"jsonrpc": "2.0", "id": 7'),
    "compressed": posted(b"{}", b"Content-Encoding: gzip\r\n"),
}


@pytest.mark.parametrize("path", POSTS)
@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_body_gets_a_documented_response(server: Server, path: str, kind: str) -> None:
    """The status and the media type are those of the operation, and the content says why."""
    request = BROKEN[kind].replace(b"/best-move", path.encode(), 1)
    with server.open(request) as connection:
        connection.shutdown(socket.SHUT_WR)
        reply = reply_on(connection)
    responses = DOCUMENT["paths"][path]["post"]["responses"]
    response = responses[str(reply.status)]
    if "$ref" in response:
        response = DOCUMENT["components"]["responses"][response["$ref"].rpartition("/")[2]]
    assert reply.headers["Content-Type"] in response["content"]
    fields = json.loads(reply.body)
    assert fields["error"]["message"] if "error" in fields else fields["detail"]
