"""The build: what is tested is what was built from these sources, compiled as a whole or not at all."""

import sys
from pathlib import Path

import service
import service.engine
from service.engine import COMPILED

SOURCES = Path(__file__).parents[1] / "service"
BUILT = Path(service.__file__).parent


def test_what_is_tested_was_built_from_these_sources() -> None:
    """Every file of the package that is tested, the pages' too, is the one in this folder; `make run` renews it."""
    for source in SOURCES.rglob("*.*"):
        if source.suffix == ".pyc":
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
