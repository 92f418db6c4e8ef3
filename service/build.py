"""The build: the engine is compiled where there is a C compiler, and left as it is where there is none."""

import os
import shlex
import subprocess
import sysconfig
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from hatch_mypyc.plugin import MypycBuildHook

#  A recursion calls nothing that another library might replace, and gains from being unrolled into itself, for which
#  what mypyc makes of it is a little long by the compiler's usual measure. The first two are Python's own, which
#  setuptools replaces by these.
CFLAGS: Final = "-DNDEBUG -fwrapv -fno-semantic-interposition --param max-inline-insns-auto=200"

UNCOMPILED: Final = "No C compiler with the headers of Python: the engine runs uncompiled, some fifty times slower."


class EngineBuildHook(MypycBuildHook):
    """Compiles with the engine's own flags, or not at all, and leaves nothing beside the sources."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the engine for a wheel."""
        if can_compile():
            os.environ["CFLAGS"] = CFLAGS
            super().initialize(version, build_data)
        elif self.target_name == "wheel":
            self.app.display_warning(UNCOMPILED)
            tell_the_terminal(UNCOMPILED)

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the compiled modules, which the wheel has: beside a source one would outlive the next edit."""
        super().finalize(version, build_data, artifact_path)
        self.clean([version])


def get_build_hook() -> type[MypycBuildHook]:
    """Return the hook to run, as Hatch asks for it."""
    return EngineBuildHook


def can_compile() -> bool:
    """Return whether the C compiler that setuptools will call takes the flags and finds the headers of Python."""
    compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")
    headers = f"-I{sysconfig.get_path('include')}"
    command = [*compiler, *shlex.split(CFLAGS), headers, "-fsyntax-only", "-xc", "-"]
    with suppress(OSError):
        probe = subprocess.run(command, input=b"#include <Python.h>\n", capture_output=True, check=False)  # noqa: S603, what setuptools runs too
        return probe.returncode == 0
    return False


def tell_the_terminal(line: str) -> None:
    """Write a line to the terminal, if there is one: what a build prints, pip keeps to itself."""
    with suppress(OSError), Path("/dev/tty").open("w", encoding="utf-8") as terminal:
        terminal.write(f"\n{line}\n")
