"""A service that simulates the next minor version, which clients must accept.

Each object in its responses has a new field, and each field that may get new values has a new
value.
"""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any, Final
from wsgiref.types import StartResponse, WSGIEnvironment

from werkzeug.serving import make_server
from werkzeug.wrappers import Response

from best_move.web.app import create_app

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
def next_version() -> Iterator[int]:
    """Serve the next minor version; yield its port."""
    app = create_app()

    def changed(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        environ.pop("HTTP_ACCEPT_ENCODING", None)  # because compressed JSON cannot be changed
        response = Response.from_app(app, environ, buffered=True)
        if response.is_json:
            response.set_data(json.dumps(later(response.get_json())))
        return response(environ, start_response)

    server = make_server("127.0.0.1", 0, changed, threaded=True)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield server.server_port
    server.shutdown()
    thread.join()
    server.server_close()
