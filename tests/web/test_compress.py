"""The step of the build that compresses the files of the pages."""

import gzip
from pathlib import Path
from typing import Any

from service.web.compress import COMPRESSED, STATIC, CompressedFiles

ROOT = Path(__file__).parents[2]


def test_every_text_gets_a_smaller_twin() -> None:
    """The wheel gets a `.gz` beside each script, style and drawing; the folder of the sources gets nothing."""
    nothing: Any = None
    step = CompressedFiles(str(ROOT), {}, nothing, nothing, "", "wheel")
    build_data: dict[str, Any] = {"force_include": {}}
    step.initialize("standard", build_data)
    made = {Path(target).name: Path(source).read_bytes() for source, target in build_data["force_include"].items()}
    step.finalize("standard", build_data, "")
    files = [path for path in (ROOT / STATIC).iterdir() if path.suffix in COMPRESSED]
    assert set(made) == {f"{path.name}.gz" for path in files}
    for path in files:
        assert gzip.decompress(made[f"{path.name}.gz"]) == path.read_bytes()
        assert len(made[f"{path.name}.gz"]) < path.stat().st_size
    assert not any(Path(source).exists() for source in build_data["force_include"])
    assert not list((ROOT / STATIC).glob("*.gz"))
