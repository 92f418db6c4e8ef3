"""The scripts of the pages, run by programs in Node.js that read and write lines of JSON."""

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from best_move.web.pages.files import STATIC
from tests.clients.tools import installed

FOLDER: Final = Path(__file__).parent


class Scripts:
    """A running program."""

    def __init__(self, node: "subprocess.Popen[str]") -> None:
        self._node = node

    def write(self, message: object) -> None:
        """Write a line."""
        assert self._node.stdin
        self._node.stdin.write(f"{json.dumps(message)}\n")
        self._node.stdin.flush()

    def read(self) -> Any:
        """Return the next line that the program writes."""
        assert self._node.stdout
        return json.loads(self._node.stdout.readline())


@contextmanager
def running(program: str, *arguments: str) -> Iterator[Scripts]:
    """Run a program of this folder."""
    command: list[Path | str] = [
        installed("node"),
        "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON",
        FOLDER / program,
        STATIC,
        *arguments,
    ]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=os.environ
    ) as node:
        yield Scripts(node)
