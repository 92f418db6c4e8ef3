"""The house: who may import whom, held by reading every import."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MODULES = sorted((ROOT / "service").rglob("*.py"))

LIBRARIES_OF_THE_ENGINE = {
    "collections.abc",
    "dataclasses",
    "itertools",
    "librt.vecs",
    "mypy_extensions",
    "operator",
    "random",
    "typing",
}
ENGINE_WORDS = {
    "service.engine",
    "service.engine.choice",
    "service.engine.position",
    "service.engine.reason",
    "service.engine.score",
    "service.engine.search_tree",
    "service.engine.search_tree_text",
}


def imports(path: Path) -> Iterator[str]:
    """Yield every module that a file imports, by its full name."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            assert node.module
            for name in node.names:
                inner = f"{node.module}.{name.name}"
                is_module = (ROOT / inner.replace(".", "/")).with_suffix(".py").exists()
                yield inner if is_module else node.module


def under(path: Path) -> str:
    """Return the part of the house that a file is in: engine, oracle, web, a command of the terminal or the root."""
    parts = path.relative_to(ROOT / "service").with_suffix("").parts
    return parts[0] if parts[0] != "__init__" else "root"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_run_one_way(path: Path) -> None:
    """Web and console import the oracle, the oracle the engine, the engine nothing; and no one an algorithm."""
    for name in imports(path):
        if not name.startswith("service"):
            continue
        match under(path):
            case "engine":
                allowed = name.startswith("service.engine")
            case "oracle":
                allowed = name.startswith("service.engine")
            case "web":
                allowed = name in ENGINE_WORDS | {"service", "service.oracle"} or name.startswith("service.web")
            case "__main__":
                allowed = name in {"service.console", "service.tree", "service.web.server", "service.web.settings"}
            case "console" | "tree" | "search_options":
                allowed = name in ENGINE_WORDS | {"service", "service.oracle", "service.search_options"}
            case _:
                allowed = False
        assert allowed, f"{path.relative_to(ROOT)} imports {name}"


#  The way of a request through the web layer: each room may use those before it, and none those after it.
WAY = ("names", "questions", "problems", "answers", "openapi", "routes", "app")


@pytest.mark.parametrize("room", WAY)
def test_the_web_layer_has_one_direction(room: str) -> None:
    """Of the rooms that a request goes through, none uses one that comes later."""
    used = {name.removeprefix("service.web.") for name in imports(ROOT / f"service/web/{room}.py")}
    assert used.isdisjoint(WAY[WAY.index(room) :])


@pytest.mark.parametrize("leaf", ["lean_flask", "logs", "processors"])
def test_a_leaf_uses_no_other_room(leaf: str) -> None:
    """What every room may use uses none itself."""
    assert not any(name.startswith("service") for name in imports(ROOT / f"service/web/{leaf}.py"))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_each_library_has_its_place(path: Path) -> None:
    """Flask and Pydantic are in the web alone, and what goes around requests needs neither; few see the environment.

    A log line is written by Pydantic's core, as JSON is everywhere.
    """
    where = path.relative_to(ROOT / "service").as_posix()
    names = set(imports(path))
    libraries = {name.partition(".")[0] for name in names}
    if not where.startswith("web/"):
        assert not libraries & {"flask", "werkzeug", "pydantic", "pydantic_core", "yaml"}
    if where in {"web/middleware.py", "web/metrics.py", "web/logs.py", "web/settings.py"}:
        assert not libraries & {"flask", "werkzeug", "pydantic"}
        assert "pydantic_core" not in libraries or where == "web/logs.py"
    if where.startswith("engine/"):
        assert {name for name in names if not name.startswith("service")} <= LIBRARIES_OF_THE_ENGINE
    if where not in {"web/settings.py", "console.py", "build.py"}:
        assert not re.search(r"from os import|os\.(environ|getenv)", path.read_text(encoding="utf-8"))


def test_the_package_itself_is_the_version_alone() -> None:
    """The root of the package states the version, nothing else."""
    statements = ast.parse((ROOT / "service/__init__.py").read_text(encoding="utf-8")).body
    assert [type(statement) for statement in statements] == [ast.Expr, ast.ImportFrom, ast.AnnAssign]


def test_every_module_is_described_in_a_sentence() -> None:
    """Every module, of the service and of its tests, begins with a docstring whose first line is a sentence."""
    for path in [*MODULES, *sorted((ROOT / "tests").rglob("*.py"))]:
        docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
        assert docstring, path
        assert docstring.splitlines()[0].endswith("."), path


def test_every_module_of_the_service_is_tested() -> None:
    """Each module has a test module of its name, in the folder of the same name; but for what puts others together."""
    without = {"__init__.py", "engine/__init__.py", "web/__init__.py", "web/app.py", "web/names.py"}
    rooms = {path.relative_to(ROOT / "service") for path in MODULES} - set(map(Path, without))
    tests = {room: ROOT / "tests" / room.with_name(f"test_{room.stem.strip('_')}.py") for room in rooms}
    assert [room for room, test in tests.items() if not test.exists()] == []
