"""Build hooks: compile the engine if possible, and describe the package."""

import os
import re
import shlex
import subprocess
import sysconfig
from pathlib import Path
from typing import Any

from hatch_mypyc.plugin import MypycBuildHook
from hatchling.metadata.plugin.interface import MetadataHookInterface

#  The first two flags are Python's own: CFLAGS replaces Python's flags, so it repeats them. The
#  third makes calls direct, which is safe because no other library replaces functions of the
#  engine. The last raises the compiler's limit for inlining: the recursive functions that mypyc
#  generates are longer than the default limit, and faster if inlined.
CFLAGS = "-DNDEBUG -fwrapv -fno-semantic-interposition --param max-inline-insns-auto=200"

UNCOMPILED = (
    "No C compiler with the Python headers: the engine runs uncompiled, about fifty times slower."
)


class BuildHook(MypycBuildHook):
    """Compiles the engine if there is a C compiler; leaves no compiled modules in the sources."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the engine for a wheel."""
        if can_compile():
            os.environ["CFLAGS"] = CFLAGS
            super().initialize(version, build_data)
        elif self.target_name == "wheel":
            self.app.display_warning(UNCOMPILED)

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove compiled modules from the sources, where they would shadow edits."""
        super().finalize(version, build_data, artifact_path)
        self.clean([version])


class MetadataHook(MetadataHookInterface):
    """Makes the README the description of the package; an sdist already has one."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the description and, if SOURCE is set, the URL of the repository."""
        path = Path(self.root, "README.md")
        text = path.read_text(encoding="utf-8")
        if source := os.environ.get("SOURCE"):
            metadata.setdefault("urls", {"Source": source})
            text = with_absolute_links(text, source, f"v{metadata['version']}")
        metadata.setdefault("readme", {"content-type": "text/markdown", "text": text})


def get_build_hook() -> type[MypycBuildHook]:
    """Return the build hook; Hatch calls this."""
    return BuildHook


def with_absolute_links(text: str, source: str, tag: str) -> str:
    """Return the README with links to the repository, whose URL is `source`, that work anywhere.

    GitHub and GitLab serve the files of a tag under `blob`, and pictures under `raw`.
    """
    raw = f"{source}/raw/{tag}/"
    blob = f"{source}/blob/{tag}/"
    text = re.sub(r'(!\[[^]]*\]\(|src="|srcset=")(?!https?:)', rf"\g<1>{raw}", text)
    text = re.sub(r"\]\((?=#)", f"]({blob}README.md", text)
    return re.sub(r"\]\((?!https?:)", f"]({blob}", text)


def can_compile() -> bool:
    """Return whether the C compiler of setuptools accepts the flags and finds the headers."""
    compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")
    headers = f"-I{sysconfig.get_path('include')}"
    command = [*compiler, *shlex.split(CFLAGS), headers, "-fsyntax-only", "-xc", "-"]
    try:
        probe = subprocess.run(  # noqa: S603, the command that setuptools runs
            command, input=b"#include <Python.h>\n", capture_output=True, check=False
        )
    except OSError:
        return False
    return probe.returncode == 0
