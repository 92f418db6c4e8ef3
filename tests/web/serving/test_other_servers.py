"""The application under other servers: it is plain WSGI, and needs no special worker."""

import json
from pathlib import Path

import pytest

from best_move.web.api.handling import MAX_BYTES
from best_move.web.api.openapi import document
from tests.programs.openapi import examples, untimed
from tests.raw_requests import IN_CHUNKS, chunked
from tests.server import BIN, ask, running


@pytest.mark.parametrize("worker", ["--worker-class sync", "--worker-class gthread --threads 2"])
def test_the_application_runs_under_plain_gunicorn(worker: str) -> None:
    """With gunicorn's workers, example requests get their responses, and errors are problems."""
    #  Outside the project's folder, where Python would import the sources.
    options = f"--bind 127.0.0.1:$PORT --no-control-socket --chdir {Path(__file__).parent}"
    command = f"exec {BIN}/gunicorn {options} {worker} 'best_move.web.app:create_app()'"
    json_type = {"Content_Type": "application/json"}
    with running(["sh", "-c", command], WEB_CONCURRENCY="1") as server:
        for status, sent, example in examples(document()):
            if status == "200":
                body = json.dumps(sent.json).encode() if sent.json else None
                reply = ask(server, sent.path, sent.method, body, **json_type)
                assert reply.status == 200
                assert untimed(json.loads(reply.body)) == example["value"], sent
        in_chunks = server.send(IN_CHUNKS + chunked(b'{"board":', b'"X...O...."}'))
        unknown = ask(server, "/nowhere")
        too_long = ask(server, "/best-move", "POST", b" " * (MAX_BYTES + 1), **json_type)
    assert (in_chunks.status, json.loads(in_chunks.body)["move"]) == (200, 1)
    assert (unknown.status, json.loads(unknown.body)["code"]) == (404, "not_found")
    assert (too_long.status, json.loads(too_long.body)["code"]) == (413, "body_too_large")
