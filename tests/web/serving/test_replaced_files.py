"""An update in place: the files of a running service are replaced, and it sends its own files."""

import json
import re
import shutil
import signal
import sys
from functools import partial
from pathlib import Path

import best_move
from best_move.web.chatbots import board
from best_move.web.pages.files import STATIC, STATIC_URL
from tests.raw_requests import READS
from tests.server import Server, ask, running

PACKAGE = Path(best_move.__file__).parent

#  The paths of all files, pages and requests by GET.
FILES = [
    f"{STATIC_URL}{path.relative_to(STATIC).as_posix()}" for path in sorted(STATIC.rglob("*.*"))
]
PAGES = ("/", "/search", "/docs", "/mcp", "/nothing")
REQUESTS = [target for path, target in READS.items() if path not in {"/metrics", "/mcp"}]
READ_BOARD = json.dumps(
    {"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": board.URI}}
).encode()
VARYING = re.compile(rb'"elapsed_ms":[\d.]+')


def responses(service: Server) -> dict[tuple[str, str], tuple[int, str, str, bytes]]:
    """Return the responses of a service to all requests, with and without compression."""
    found = {}
    for encoding in ("identity", "gzip"):
        get = partial(ask, service, Host="example.org", Accept_Encoding=encoding)
        replies = {path: get(path) for path in FILES + REQUESTS}
        for path in PAGES:
            replies[f"{path} in a browser"] = get(path, Accept="text/html")
        replies["the board in a chat"] = get(
            "/mcp", "POST", READ_BOARD, Content_Type="application/json"
        )
        for name, reply in replies.items():
            caching = str(reply.headers["Cache-Control"])
            encoded = str(reply.headers["Content-Encoding"])
            body = VARYING.sub(b"", reply.body)
            found[name, encoding] = (reply.status, caching, encoded, body)
    return found


def test_a_running_service_sends_only_its_own_files(tmp_path: Path) -> None:
    """Files that become longer, shorter or disappear change no response, also of new workers."""
    package = tmp_path / "best_move"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    contents = {path: path.read_bytes() for path in package.rglob("*.*")}
    command = (sys.executable, "-m", "best_move", "serve")
    with running(
        command, PYTHONPATH=str(tmp_path), WEB_CONCURRENCY="1", LOG_LEVEL="warning"
    ) as service:
        expected = responses(service)
        for change in ("longer", "shorter", "gone"):
            for path, content in contents.items():
                path.unlink()  # as pip does
                if change != "gone":
                    size = len(content)
                    path.write_bytes(content * 2 if change == "longer" else content[: size // 2])
            assert responses(service) == expected, change
            workers = service.workers()
            service.process.send_signal(signal.SIGHUP)
            service.wait_for_others(workers, 1)
            assert responses(service) == expected, change
