"""A stand-in for the service, whose responses become stale after a second instead of a day."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Final

from best_move.web.api.responses import FOR_A_DAY

STALE_AFTER_A_SECOND: Final = FOR_A_DAY.replace("max-age=86400", "max-age=1")


@dataclass
class Origin:
    """A stand-in for the service, which fails unless `healthy` is true.

    It records requests and counts connections. It closes the connection of the next `lost` requests
    instead of a response, as if their workers died.
    """

    port: int = 0
    healthy: bool = True
    lost: int = 0
    asked: list[Message] = field(default_factory=list)
    connections: int = 0


@contextmanager
def origin() -> Iterator[Origin]:
    """Run the stand-in; yield it."""
    origin = Origin()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def setup(self) -> None:
            super().setup()
            origin.connections += 1

        def do_GET(self) -> None:
            origin.asked.append(self.headers)
            if origin.lost:
                origin.lost -= 1
                self.close_connection = True
                return
            is_known = self.headers["If-None-Match"] == 'W/"1"'
            status = 500 if not origin.healthy else 304 if is_known else 200
            body = b"{}" if status == 200 else b""
            self.send_response(status)
            self.send_header("ETag", 'W/"1"')
            self.send_header(
                "Cache-Control", STALE_AFTER_A_SECOND if origin.healthy else "no-store"
            )
            self.send_header("X-Request-ID", self.headers["X-Request-ID"])
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True  # because nginx keeps its connections open
        origin.port = server.server_port
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield origin
        finally:
            server.shutdown()
            thread.join()
