"""The build: engine and oracle are compiled where there is a C compiler, and the files of the pages are compressed."""

import gzip
import os
import shlex
import subprocess
import sysconfig
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from hatch_mypyc.plugin import MypycBuildHook

#  A recursion calls nothing that another library might replace, and gains from being unrolled into itself, for which
#  what mypyc makes of it is a little long by the compiler's usual measure. The first two are Python's own, which
#  setuptools replaces by these.
CFLAGS: Final = "-DNDEBUG -fwrapv -fno-semantic-interposition --param max-inline-insns-auto=200"

STATIC: Final = Path("service/web/pages/static")
TEXTS: Final = (".js", ".css", ".svg")  # a PNG is compressed by itself

UNCOMPILED: Final = "No C compiler with the headers of Python: the engine runs uncompiled, some fifty times slower."


class BuildHook(MypycBuildHook):
    """Compiles engine and oracle with their own flags, or not at all, and leaves nothing beside the sources."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile engine and oracle, and compress the files of the pages, for a wheel."""
        self._compressed = TemporaryDirectory()
        build_data["force_include"] |= compress_into(Path(self._compressed.name), Path(self.root))
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
        self._compressed.cleanup()


def get_build_hook() -> type[MypycBuildHook]:
    """Return the hook to run, as Hatch asks for it."""
    return BuildHook


def compress_into(folder: Path, root: Path) -> dict[str, str]:
    """Compress the texts among the files of the pages into a folder; return where in the wheel each belongs."""
    placed = {}
    for path in sorted((root / STATIC).rglob("*")):
        if path.suffix in TEXTS:
            inside = path.relative_to(root).with_name(f"{path.name}.gz")
            compressed = folder / inside
            compressed.parent.mkdir(parents=True, exist_ok=True)
            compressed.write_bytes(gzip.compress(path.read_bytes(), mtime=0))
            placed[str(compressed)] = str(inside)
    return placed


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
