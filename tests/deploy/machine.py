"""A stand-in for a machine on which the guide's commands install the service under systemd."""

import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path

import best_move
from tests.processes import completed

PACKAGES = Path(best_move.__file__).parents[1]

#  Makes an environment that finds the tested packages behind its own, of which it keeps only pip.
MAKE_ENVIRONMENT = f"""
{sys.executable} "$@"
cd "$3"/lib/python*/site-packages
rm -rf setuptools*
echo {PACKAGES} > tested.pth
"""
#  The commands of the machine: git prints the version, and systemd starts nothing.
COMMANDS = {"python3": MAKE_ENVIRONMENT, "git": 'echo "$VERSION"', "systemctl": ":"}


class Machine:
    """A folder that stands in for `/`."""

    def __init__(self, root: Path) -> None:
        self.root = root
        (root / "etc/systemd/system").mkdir(parents=True)
        (root / "opt").mkdir()
        (root / "bin").mkdir()
        for name, script in COMMANDS.items():
            path = root / "bin" / name
            path.write_text(f"#!/bin/sh -e\n{script}\n", encoding="utf-8")
            path.chmod(0o755)

    @property
    def serve(self) -> Sequence[str]:
        """The command of the unit."""
        unit = self.root / "etc/systemd/system/best-move.service"
        (command,) = re.findall("ExecStart=/(.*)\n", unit.read_text(encoding="utf-8"))
        return f"{self.root}/{command}".split()

    def run(self, commands: str, clone: Path, version: str = "") -> None:
        """Run commands of the guide in a clone; pip compiles nothing and downloads nothing."""
        variables = {
            "PATH": f"{self.root}/bin:{os.environ['PATH']}",
            "CC": "false",
            "PIP_NO_INDEX": "1",
            "VERSION": version,
        }
        commands = re.sub("/(opt|etc)/", rf"{self.root}/\1/", commands)
        completed(["sh", "-ec", commands], cwd=clone, env=os.environ | variables, check=True)

    def install(self, clone: Path, version: str, commands: str) -> Path:
        """Install a version by the guide, with the engine that was compiled for the tests.

        Return the folder of its package.
        """
        self.run(commands, clone, version)
        (folder,) = self.root.glob(f"opt/best-move-{version}/lib/python*/site-packages/best_move")
        for module in PACKAGES.glob("best_move/engine/*.so"):
            (folder / "engine" / module.name).symlink_to(module)
        return folder
