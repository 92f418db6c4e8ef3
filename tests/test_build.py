"""The build: the tested package matches these sources."""

import gzip
import os
import shutil
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path

import best_move
import best_move.engine
from best_move.engine import COMPILED
from tests.readme import block

SOURCES = Path(__file__).parents[1] / "service/best_move"
PICTURES = {*SOURCES.glob("engine/*.svg")}  # which only READMEs show
BUILT = Path(best_move.__file__).parent


def test_the_tested_package_was_built_from_these_sources() -> None:
    """Each installed file equals its source; `make .venv/service` rebuilds the package."""
    for source in {*SOURCES.rglob("*")} - PICTURES:
        if source.is_dir() or source.suffix == ".pyc" or source.name == "build.py":
            continue
        assert (BUILT / source.relative_to(SOURCES)).read_bytes() == source.read_bytes(), source
    assert (BUILT / "web/api/openapi.yaml").read_bytes() == (SOURCES.parents[1] / "openapi.yaml").read_bytes()


def test_the_pictures_of_the_readmes_are_not_installed() -> None:
    """The pictures that only READMEs show are not in the package."""
    assert len(PICTURES) == 3
    assert not [picture for picture in PICTURES if (BUILT / picture.relative_to(SOURCES)).exists()]


def test_no_compiled_module_lies_beside_its_source() -> None:
    """The sources contain no compiled module, which would shadow an edited source."""
    assert not [*SOURCES.rglob("*.so"), *SOURCES.rglob("*.pyd")]


def test_the_engine_is_compiled_as_a_whole_or_not_at_all() -> None:
    """All modules of the engine are compiled if COMPILED is true, and none otherwise."""
    modules = {name: module for name, module in sys.modules.items() if name.startswith("best_move.engine")}
    assert len(modules) > 10
    for name, module in modules.items():
        assert module.__file__, name
        assert module.__file__.endswith(".py") != COMPILED, name


def test_a_folder_of_the_caller_does_not_hide_the_package(tmp_path: Path) -> None:
    """A program can import and run `best_move` even if its folder contains a package named `service`."""
    (tmp_path / "service").mkdir()
    (tmp_path / "service/__init__.py").write_text("raise ImportError", encoding="utf-8")
    program = (
        "from best_move import Position, Question, consult\nprint(consult(Question(Position.parse('XX.OO....'))).move)"
    )
    for arguments in (["-c", program], ["-m", "best_move", "tablebase"]):
        command = [sys.executable, *arguments]
        ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
        assert ended.stderr == ""
        assert ended.stdout.startswith(("2\n", "board,"))


def test_the_package_is_typed(tmp_path: Path) -> None:
    """A program that uses the installed package passes mypy, which infers the type of the move."""
    program = block("Use it in process", "python") + "reveal_type(answer.move)\n"
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", os.devnull, "-c", program]
    checked = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert 'Revealed type is "int | None"' in checked.stdout
    assert checked.stdout.endswith("Success: no issues found in 1 source file\n"), checked.stdout


def test_the_package_includes_the_license() -> None:
    """The installed package names the MIT license and includes its text."""
    installed = distribution("best-move")
    assert installed.metadata["Author"] == "The developers of Best Move"
    assert installed.metadata["License-Expression"] == "MIT"
    assert installed.metadata.get_all("License-File") == ["service/LICENSE"]
    text = installed.read_text("licenses/service/LICENSE")
    assert text == (SOURCES.parent / "LICENSE").read_text(encoding="utf-8")
    assert text.startswith("MIT License\n\nCopyright (c) 2026 The developers of Best Move\n")


def test_without_a_compiler_the_engine_is_installed_uncompiled(tmp_path: Path) -> None:
    """With a C compiler that fails, pip installs the sources alone, and says so with --verbose."""
    project, site = tmp_path / "project", tmp_path / "site"
    shutil.copytree(SOURCES.parent, project / "service")
    for name in ("openapi.yaml", "pyproject.toml", "README.md"):
        shutil.copy(SOURCES.parents[1] / name, project)
    install = [sys.executable, "-m", "pip", "install", "--verbose", "--no-deps", "--no-build-isolation"]
    installed = subprocess.run(
        [*install, "--target", str(site), str(project)],
        env=os.environ | {"CC": "false"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
        check=True,
    )
    assert "the engine runs uncompiled" in installed.stdout
    assert not [*site.rglob("*.so")]
    program = "from best_move.engine import COMPILED; print(COMPILED)"
    printed = subprocess.check_output([sys.executable, "-c", program], cwd=site, text=True, timeout=60)
    assert printed == "False\n"


def test_static_text_files_are_compressed() -> None:
    """The installed package has a `.gz` beside each script, style and drawing; the sources have none."""
    static = BUILT / "web/pages/static"
    texts = [path for path in static.rglob("*") if path.suffix in {".js", ".css", ".svg"}]
    assert len(texts) > 10
    for path in texts:
        compressed = path.with_name(f"{path.name}.gz").read_bytes()
        assert gzip.decompress(compressed) == path.read_bytes()
        assert len(compressed) < path.stat().st_size
    assert not [*SOURCES.rglob("*.gz")]
