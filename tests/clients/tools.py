"""The tools of others: found on the path, and run to their end."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

CONTRACT = Path(__file__).parents[2] / "openapi.yaml"
SECONDS_TO_RUN = 300


def installed(command: str) -> Path:
    """Return where a command is, or skip where there is none, unless CLIENTS_REQUIRED says that there must be."""
    found = shutil.which(command)
    if found is None:
        reason = f"{command} is not installed"
        if os.environ.get("CLIENTS_REQUIRED") == "1":
            pytest.fail(f"CLIENTS_REQUIRED is set, but {reason}")
        pytest.skip(reason)
    return Path(found)


def run(command: Path, *arguments: object, folder: Path) -> str:
    """Run a command in a folder; return what it printed, once it has ended well."""
    done = subprocess.run(
        [command, *map(str, arguments)], cwd=folder, check=False, timeout=SECONDS_TO_RUN, capture_output=True, text=True
    )
    assert done.returncode == 0, f"{command.name}:\n{done.stdout}\n{done.stderr}"
    return done.stdout
