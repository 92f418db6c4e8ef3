"""The build: what is tested is what was built from these sources, compiled as a whole or not at all."""

import sys
from importlib.metadata import distribution
from pathlib import Path

import service
import service.engine
from service.engine import COMPILED

SOURCES = Path(__file__).parents[1] / "service"
BUILT = Path(service.__file__).parent


def test_what_is_tested_was_built_from_these_sources() -> None:
    """Every file of the package that is tested, the pages' too, is the one in this folder; `make run` renews it."""
    for source in SOURCES.rglob("*"):
        if source.is_dir() or source.suffix == ".pyc":
            continue
        assert (BUILT / source.relative_to(SOURCES)).read_bytes() == source.read_bytes(), source


def test_no_compiled_module_lies_beside_its_source() -> None:
    """The folder of the sources holds no compiled module, which would win over an edited source."""
    assert not [*SOURCES.rglob("*.so"), *SOURCES.rglob("*.pyd")]


def test_the_engine_is_compiled_as_a_whole_or_not_at_all() -> None:
    """All modules of the engine have the form that /health tells of."""
    modules = {name: module for name, module in sys.modules.items() if name.startswith("service.engine")}
    assert len(modules) > 10
    for name, module in modules.items():
        assert module.__file__, name
        assert module.__file__.endswith(".py") != COMPILED, name


def test_the_licence_comes_with_the_package() -> None:
    """What is installed says that it is under the MIT licence, and has the text."""
    installed = distribution("best-move")
    assert installed.metadata["License-Expression"] == "MIT"
    assert installed.metadata.get_all("License-File") == ["service/LICENSE"]
    text = installed.read_text("licenses/service/LICENSE")
    assert text == (SOURCES / "LICENSE").read_text(encoding="utf-8")
    assert text.startswith("MIT License\n\nCopyright (c) 2026 The developers of Best Move\n")
