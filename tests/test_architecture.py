"""The architecture: which module may import which, checked by parsing every import."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import pytest

from best_move.web.settings import Settings

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "service/best_move"
MODULES = sorted(PACKAGE.rglob("*.py"))

LIBRARIES_OF_THE_ENGINE = {
    "collections.abc",
    "dataclasses",
    "functools",
    "itertools",
    "librt.vecs",
    "mypy_extensions",
    "operator",
    "random",
    "typing",
}
ENGINE_WORDS = {
    "best_move.engine",
    "best_move.engine.choice",
    "best_move.engine.solved",
    "best_move.engine.number_tree",
    "best_move.engine.position",
    "best_move.engine.question",
    "best_move.engine.random_number_tree",
    "best_move.engine.reason",
    "best_move.engine.score",
    "best_move.engine.search",
    "best_move.engine.search_tree",
    "best_move.engine.search_tree_text",
    "best_move.engine.text",
    "best_move.engine.tree_node",
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
                is_module = (PACKAGE.parent / inner.replace(".", "/")).with_suffix(".py").exists()
                yield inner if is_module else node.module


#  A pattern of modules -> the modules of the service that they may import, as patterns; the first
#  match applies.
ALLOWED = {
    r"__init__": {"ENGINE", "oracle", "player"},
    r"engine/.*": {r"engine(\..*)?"},
    r"oracle": {r"engine(\..*)?"},
    r"quoting": set(),
    r"player": {"ENGINE", "quoting"},
    r"tablebase": {"ENGINE", r"engine\.symmetry"},
    r"terminal/.*": {"ENGINE", "", "oracle", "player", r"terminal\..*"},
    r"__main__": {"", "tablebase", r"web\.chatbots\.stdio"},
    r"web/cpus": set(),
    r"web/settings": {r"web\.cpus"},
    r"web/header_fields": set(),
    r"web/observability/.*": {"ENGINE", "", "quoting", r"web\.observability\..*"},
    r"web/middleware/observed": {r"web\.observability\..*", r"web\.header_fields"},
    r"web/middleware/cors": {r"web\.(header_fields|settings)"},
    r"web/counted_oracle": {"", "oracle", r"web\.observability\.counts"},
    r"web/app": {"engine", r"web\.(api|pages|chatbots|middleware|settings).*"},
    r"web/api/.*": {
        "ENGINE",
        "",
        "oracle",
        "player",
        "quoting",
        "tablebase",
        r"web\.(api|observability)\..*",
        r"web\.(counted_oracle|header_fields)",
    },
    r"web/pages/.*": {"ENGINE", "", r"web\.(api|pages)\..*"},
    r"web/chatbots/.*": {
        "ENGINE",
        "",
        "oracle",
        "quoting",
        r"web\.(api|chatbots|observability)\..*",
        r"web\.(counted_oracle|settings)",
        r"web\.pages\.files",
    },
    r"web/serving/.*": {
        "engine",
        r"web\.(serving|observability)\..*",
        r"web\.(app|header_fields|settings)",
        r"web\.api\.handling",
    },
}


def place(path: Path) -> str:
    """Return the path of a module in the service, such as `web/api/routes`."""
    return path.relative_to(PACKAGE).with_suffix("").as_posix()


@pytest.mark.parametrize("path", MODULES, ids=place)
def test_each_module_imports_only_lower_layers(path: Path) -> None:
    """Each module imports only modules that `ALLOWED` lists for it."""
    patterns = next(
        (allowed for where, allowed in ALLOWED.items() if re.fullmatch(where, place(path))), set()
    )
    for name in imports(path):
        if name.partition(".")[0] == "best_move":
            inner = name.removeprefix("best_move").removeprefix(".")
            is_engine_word = "ENGINE" in patterns and name in ENGINE_WORDS
            assert is_engine_word or any(re.fullmatch(pattern, inner) for pattern in patterns), name


#  The modules of the API: each may import earlier modules, but no later module.
ORDER = (
    "strict_json",
    "handling",
    "problem_types",
    "number_text",
    "request_model",
    "validation_errors",
    "reading",
    "requests",
    "problems",
    "responses",
    "pictures",
    "number_pictures",
    "compression",
    "openapi",
    "routes",
    "fast_path",
)


@pytest.mark.parametrize("module", ORDER)
def test_modules_of_the_api_import_only_earlier_modules(module: str) -> None:
    """No module of the API imports a later module in `ORDER`."""
    used = {
        name.removeprefix("best_move.web.api.")
        for name in imports(PACKAGE / f"web/api/{module}.py")
    }
    assert used.isdisjoint(ORDER[ORDER.index(module) :])


@pytest.mark.parametrize("path", MODULES, ids=place)
def test_libraries_are_imported_only_where_allowed(path: Path) -> None:
    """Flask and Pydantic are imported by the web service alone, and not by what is around it."""
    where = place(path)
    names = set(imports(path))
    libraries = {name.partition(".")[0] for name in names}
    if not where.startswith("web/"):
        assert not libraries & {"flask", "werkzeug", "pydantic", "pydantic_core", "yaml"}
    if not where.startswith("web/serving/"):
        assert "gunicorn" not in libraries
    if where.startswith(("web/middleware/", "web/observability/")) or where == "web/settings":
        assert not libraries & {"flask", "werkzeug", "pydantic"}
        assert "pydantic_core" not in libraries or where == "web/observability/logs"
    if where.startswith("engine/"):
        assert {
            name for name in names if not name.startswith("best_move")
        } <= LIBRARIES_OF_THE_ENGINE
    if where not in {"web/settings", "terminal/screen"}:
        assert not re.search(
            r"from os import|os\.(environ|getenv)", path.read_text(encoding="utf-8")
        )


def test_the_service_reads_each_setting() -> None:
    """A setting that nothing reads would have no effect."""
    sources = "".join(path.read_text(encoding="utf-8") for path in MODULES)
    read = re.findall(r"\bsettings\.(\w+)", sources)
    unread = {*asdict(Settings())} - {*read}
    assert not unread, "Read each setting where it applies, as `settings.NAME`."


def test_files_of_other_folders_are_reached_by_imports() -> None:
    """Only one module builds a path upward, to the OpenAPI document; folders are imported."""
    upward = [
        place(path)
        for path in MODULES
        if re.search(r"__file__.*\.parent", path.read_text(encoding="utf-8"))
    ]
    assert upward == ["web/api/openapi"]


def test_the_truth_says_what_it_takes_from_the_service() -> None:
    """The docstring of a module that tests compare with names the service if it imports it."""
    modules = {*(ROOT / "tests/truth").glob("*.py")}
    for path in modules - {*(ROOT / "tests/truth").glob("test_*.py")}:
        text = path.read_text(encoding="utf-8")
        docstring = ast.get_docstring(ast.parse(text)) or ""
        if "from best_move" in text:
            assert re.search("service|engine's", docstring), path.name


def test_tests_import_no_private_names() -> None:
    """A private name of the service may be renamed without a change of tests."""
    imported = re.compile(r"^from best_move[\w.]* import (\([^)]*\)|.*)", re.MULTILINE)
    private = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in (ROOT / "tests").rglob("*.py")
        for names in imported.findall(path.read_text(encoding="utf-8"))
        for name in re.findall(r"\b_(?!_)\w+", names)
    }
    assert private == set()


def test_the_root_module_defines_only_the_version() -> None:
    """The root module of the package defines the version and imports every other public name."""
    statements = ast.parse((PACKAGE / "__init__.py").read_text(encoding="utf-8")).body
    assert {type(statement) for statement in statements} == {
        ast.Expr,
        ast.ImportFrom,
        ast.Assign,
        ast.AnnAssign,
    }
    assert sum(isinstance(statement, ast.AnnAssign) for statement in statements) == 1


def test_every_match_of_the_engine_has_a_default() -> None:
    """In compiled code, a value that no case matches would end the process."""
    for path in (PACKAGE / "engine").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Match):
                pattern = node.cases[-1].pattern
                assert isinstance(pattern, ast.MatchAs), path
                assert pattern.pattern is None, path


def test_all_that_the_tests_define_is_used() -> None:
    """A function, a class or a constant whose name is said once proves nothing."""
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("*.py")]
    words = Counter(re.findall(r"\w+", " ".join(texts)))
    unused = set()
    for statement in (each for text in texts for each in ast.parse(text).body):
        match statement:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                decorators = " ".join(ast.unparse(each) for each in statement.decorator_list)
                if name.startswith(("test_", "pytest_")) or "." in decorators:
                    continue  # pytest or Schemathesis calls it
            case ast.ClassDef(name=name) | ast.AnnAssign(target=ast.Name(id=name)):
                pass
            case ast.Assign(targets=[ast.Name(id=name)]):
                pass
            case _:
                continue
        if words[name] == 1:
            unused.add(name)
    assert unused == set()
