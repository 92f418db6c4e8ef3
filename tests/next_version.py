"""A proxy that simulates the next minor version of the service, which clients must accept.

Each object in its responses has a new field, and each field that may get new values has a new
value.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler
from typing import Any, Final

from typing_extensions import override

from tests.processes import SECONDS_TO_WAIT, handled_by

WORD: Final = "added_later"
OPEN: Final = {
    "against_perfect",
    "best_outcome",
    "code",
    "missed",
    "outcome",
    "reason",
    "status",
}  # may get new values


def later(sent: Any) -> Any:
    """Return JSON from the service as a later minor version could send it."""
    if isinstance(sent, list):
        return [later(each) for each in sent]
    if not isinstance(sent, dict):
        return sent
    fields = {
        name: WORD if name in OPEN and isinstance(value, str) else later(value)
        for name, value in sent.items()
    }
    return fields | {WORD: {"since": [2, 1]}}


@contextmanager
def next_version_of(port: int) -> Iterator[int]:
    """Run the proxy in front of the service on a port; yield the proxy's port."""

    class Proxy(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            connection = HTTPConnection("127.0.0.1", port, timeout=SECONDS_TO_WAIT)
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            headers = {"Content-Type": "application/json"} if body else {}
            connection.request(self.command, self.path, body, headers)
            response = connection.getresponse()
            content = response.read()
            media_type = response.headers["Content-Type"]
            connection.close()
            if media_type.endswith("json"):
                content = json.dumps(later(json.loads(content))).encode()
            self.send_response(response.status)
            self.send_header("Content-Type", media_type)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_POST = do_GET  # noqa: N815, as the base class calls it

        @override
        def log_message(self, *_: object) -> None:
            pass

    with handled_by(Proxy) as proxy:
        yield proxy
