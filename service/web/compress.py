"""A step of the build: the files of the pages are compressed once, so that no request has to."""

import gzip
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

STATIC: Final = Path("service/web/static")
COMPRESSED: Final = (".js", ".css", ".svg")  # a PNG is compressed by itself


class CompressedFiles(BuildHookInterface[BuilderConfig]):
    """Puts a `.gz` beside each file in the wheel, and leaves the folder of the sources as it is."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002, the interface is Hatch's
        """Compress the files before the wheel is built."""
        self._folder = TemporaryDirectory()
        for path in sorted(Path(self.root, STATIC).iterdir()):
            if path.suffix in COMPRESSED:
                compressed = Path(self._folder.name, f"{path.name}.gz")
                compressed.write_bytes(gzip.compress(path.read_bytes(), mtime=0))
                build_data["force_include"][str(compressed)] = str(STATIC / compressed.name)

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Tidy up after it."""
        self._folder.cleanup()
