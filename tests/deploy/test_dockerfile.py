"""The commands of the Dockerfile, run without an image."""

import json
import os
import re
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.processes import SECONDS_TO_WAIT, completed
from tests.readme import ROOT

DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
EVERY_ADDRESS = "0.0.0.0"  # noqa: S104, which a container listens on


def command(pattern: str) -> list[str]:
    """Return the words of the only command that follows a pattern."""
    (found,) = re.findall(rf"{pattern} (\[.*\])$", DOCKERFILE, re.MULTILINE)
    words: list[str] = json.loads(found)
    return words


@pytest.mark.parametrize(
    ("given", "host"),
    [({}, EVERY_ADDRESS), ({"HOST": ""}, EVERY_ADDRESS), ({"HOST": "::1"}, "::1")],
    ids=["unset", "empty", "set"],
)
def test_a_container_listens_on_every_address_by_default(
    tmp_path: Path, given: dict[str, str], host: str
) -> None:
    """The default also applies if HOST is empty, as in some Compose files."""
    stand_in = tmp_path / "best-move"
    stand_in.write_text('#!/bin/sh\necho "$1 on $HOST"\n', encoding="ascii")
    stand_in.chmod(0o755)
    variables = {"PATH": f"{tmp_path}:{os.environ['PATH']}"} | given
    started = completed(command("^CMD"), env=variables, check=True)
    assert started.stdout == f"serve on {host}\n"


@pytest.mark.parametrize(
    ("answer", "status"),
    [(b"HTTP/1.1 200 OK\r\n", 0), (b"HTTP/1.1 500 Internal Server Error\r\n", 1), (b"", 1)],
    ids=["healthy", "an error", "silence"],
)
def test_the_health_check_succeeds_only_on_status_200(answer: bytes, status: int) -> None:
    """The health check fails if the response is an error or if there is no response."""
    with socket.create_server(("127.0.0.1", 0)) as listener, ThreadPoolExecutor(1) as thread:
        listener.settimeout(SECONDS_TO_WAIT)
        checked = thread.submit(check, str(listener.getsockname()[1]))
        connection, _ = listener.accept()
        with connection:
            assert connection.recv(1000).startswith(b"GET /health HTTP/1.1\r\nHost: localhost\r\n")
            connection.sendall(answer)
        assert checked.result().returncode == status


def test_the_health_check_accepts_an_empty_port() -> None:
    """With an empty PORT the health check uses the default port."""
    assert "ValueError" not in check("").stderr


def check(port: str) -> subprocess.CompletedProcess[str]:
    """Run the health check with a value of PORT; return the completed process."""
    words = [sys.executable, *command(r"HEALTHCHECK.*\\\n *CMD")[1:]]
    return completed(words, env={"PORT": port})
