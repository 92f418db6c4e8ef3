"""The service uses what gunicorn documents, and serves without what it may lack."""

import json
import re
from inspect import getsource
from pathlib import Path

import pytest
from gunicorn.workers import base, gasgi

from best_move.web import serving
from tests.server import ask, running, serve_after


def test_no_private_name_of_gunicorns_worker_is_used() -> None:
    """A later version may rename it. The linter finds those that are read from other objects."""
    private = re.compile(r"\b_[a-z]\w+")
    gunicorns = {*private.findall(getsource(base) + getsource(gasgi))}
    assert gunicorns
    for path in Path(serving.__path__[0]).glob("*.py"):
        assert not gunicorns & {*private.findall(path.read_text(encoding="utf-8"))}, path


LACKS = {
    "the protocol": "del protocol.ASGIProtocol",
    "the worker": (
        "gasgi.Renamed = gasgi.ASGIWorker; del gasgi.ASGIWorker; "
        "workers.SUPPORTED_WORKERS['asgi'] = 'gunicorn.workers.gasgi.Renamed'"
    ),
}


@pytest.mark.parametrize("change", LACKS.values(), ids=LACKS)
def test_a_gunicorn_without_a_class_serves_with_a_warning(change: str) -> None:
    """The service then runs gunicorn's own worker; its responses and metrics are right."""
    modules = "from gunicorn import workers\nfrom gunicorn.asgi import protocol"
    command = serve_after(f"{modules}\nfrom gunicorn.workers import gasgi\n{change}")
    with running(command) as server:
        server.wait_for_workers()
        for _ in range(40):
            move = ask(server, "/best-move?board=XX.OO....&starts=X")
            assert json.loads(move.body)["move"] == 2
        assert server.counted(route="/best-move") == 40
        entries = server.stop()
    (warning,) = [entry for entry in entries if entry["level"] not in {"INFO", "DEBUG"}]
    assert "too new for this version" in warning["message"]
    assert "requirements.lock" in warning["message"]
