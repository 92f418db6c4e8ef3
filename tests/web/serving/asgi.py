"""Requests to an ASGI application, without a server."""

import asyncio
from typing import Any

from best_move.web.serving.asgi import WsgiAdapter
from tests.web.serving.loops import run

SCOPE = {
    "type": "http",
    "http_version": "1.1",
    "method": "POST",
    "scheme": "http",
    "raw_path": b"/there",
    "query_string": b"a=%20b&c\xff",
    "headers": [],
    "server": ("127.0.0.1", 80),
    "client": ("192.0.2.1", 1234),
}


def call(adapter: WsgiAdapter, *parts: bytes | None, **scope: object) -> list[dict[str, Any]]:
    """Send a request; return the response messages.

    A part that is empty or ends with a period is the last one; None means that the client
    disconnects.
    """
    messages: list[dict[str, Any]] = [
        {"type": "http.disconnect"}
        if part is None
        else {
            "type": "http.request",
            "body": part,
            "more_body": bool(part) and not part.endswith(b"."),
        }
        for part in parts
    ]
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return messages.pop(0) if messages else await asyncio.Future[dict[str, Any]]()

    async def send(message: Any) -> None:
        sent.append(message)

    run(adapter({**SCOPE, **scope}, receive, send))
    return sent
