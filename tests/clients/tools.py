"""Functions that find and run other projects' tools."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import NoReturn

import pytest

from tests.processes import SECONDS_TO_BUILD

DOCUMENT = Path(__file__).parents[2] / "openapi.yaml"

#  Variables that save time: Java optimizes less, and all commands share compiled code and mypy's
#  cache.
QUICKLY = {
    "JAVA_TOOL_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "NODE_COMPILE_CACHE": str(Path(tempfile.gettempdir()) / "node-compile-cache"),
    "MYPY_CACHE_DIR": str(Path(tempfile.gettempdir()) / "best-move-mypy-cache"),
}


def installed(command: str) -> Path:
    """Return the path of a command; without it, skip the test or fail it if CLIENTS_REQUIRED."""
    found = shutil.which(command)
    if found is None:
        lack(command)
    return Path(found)


def lack(tool: str) -> NoReturn:
    """Skip a test that lacks a tool, or fail it if CLIENTS_REQUIRED is set."""
    reason = f"{tool} is not installed"
    if os.environ.get("CLIENTS_REQUIRED") == "1":
        pytest.fail(f"CLIENTS_REQUIRED is set, but {reason}")
    pytest.skip(reason)


def run(command: Path, *arguments: object, folder: Path) -> str:
    """Run a command in a folder; return its output; fail the test if the command fails."""
    done = subprocess.run(
        [command, *map(str, arguments)],
        cwd=folder,
        env=os.environ | QUICKLY,
        check=False,
        timeout=SECONDS_TO_BUILD,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, f"{command.name}:\n{done.stdout}\n{done.stderr}"
    return done.stdout
