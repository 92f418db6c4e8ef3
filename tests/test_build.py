"""The build: the tested package matches these sources."""

import json
import os
import re
import shutil
import sys
import tomllib
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import best_move
import best_move.engine
from best_move.engine import COMPILED
from tests.processes import completed
from tests.readme import block

pytestmark = pytest.mark.thorough

PROJECT = Path(__file__).parents[1]
SOURCES = PROJECT / "service/best_move"
BUILT = Path(best_move.__file__).parent
IGNORED = shutil.ignore_patterns("__pycache__")
PYTEST = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider"]


def copy_of(*names: str, to: Path) -> None:
    """Copy files or folders of the project, and the OpenAPI document."""
    for name in (*names, "openapi.yaml"):
        if (PROJECT / name).is_dir():
            shutil.copytree(PROJECT / name, to / name, ignore=IGNORED)
        else:
            shutil.copy(PROJECT / name, to / name)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the sources, whose package `make` has installed in `site`, uncompiled."""
    copy = tmp_path_factory.mktemp("project")
    copy_of("service", "Makefile", "pyproject.toml", "README.md", "requirements.lock", to=copy)
    (copy / ".venv").mkdir()
    (copy / ".venv/python").touch()
    make(copy)
    return copy


def make(project: Path, *options: str) -> str:
    """Run `make .venv/service` in a copy of the sources; return what it prints."""
    variables = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    variables |= {"CC": "false", "PIP_TARGET": str(project / "site")}
    command = ["make", *options, f"BIN={Path(sys.executable).parent}", ".venv/service"]
    return completed(command, cwd=project, env=variables, check=True).stdout


def planned(project: Path, *options: str) -> tuple[bool, bool]:
    """Return whether `make .venv/service` would compile the engine, and install the package."""
    commands = make(project, "--dry-run", *options)
    return "> .venv/engine" in commands, "> .venv/service" in commands


def test_the_tested_package_was_built_from_these_sources(project: Path) -> None:
    """The installed files are those of a package built now; `make .venv/service` updates them."""
    tested, built = (
        {
            path.relative_to(package): path.read_bytes()
            for path in package.rglob("*")
            if path.is_file() and path.suffix not in {".so", ".pyc"}
        }
        for package in (BUILT, project / "site/best_move")
    )
    assert tested == built


@pytest.mark.skipif(not COMPILED, reason="the installed package does not show what is compiled")
def test_make_installs_what_changed_and_compiles_only_what_is_compiled(project: Path) -> None:
    """A changed file of each kind is installed if a package has it, and compiled if it is so."""
    modules = [path.relative_to(BUILT.parent) for path in BUILT.rglob("*.so")]
    compiling = {f"service/{path.parent}/{path.name.partition('.')[0]}.py" for path in modules}
    compiling |= {"service/build.py", "pyproject.toml", "requirements.lock"}
    files = [*project.glob("*.*"), *(project / "service").rglob("*.*")]
    names = [str(path.relative_to(project)) for path in files if path.is_file()]
    kinds = {(Path(name).parent, Path(name).suffix, name in compiling): name for name in names}
    assert len(kinds) > 30
    for name in kinds.values():
        place = (
            name.removeprefix("service/")
            if name != "openapi.yaml"
            else "best_move/web/api/openapi.yaml"
        )
        plan = (name in compiling, name in compiling or (BUILT.parent / place).exists())
        assert planned(project, f"--what-if={name}") == plan, name


@pytest.mark.parametrize(
    ("name", "plan"), [("engine/odds.py", (True, True)), ("web/app.py", (False, True))]
)
def test_make_installs_again_after_a_file_is_deleted(
    project: Path, name: str, plan: tuple[bool, bool]
) -> None:
    """A deleted or renamed file does not stay installed; an unchanged package is kept."""
    assert planned(project) == (False, False)
    path = project / "service/best_move" / name
    aside = path.rename(project / "aside")
    try:
        assert planned(project) == plan
    finally:
        aside.rename(path)


@pytest.mark.parametrize(
    ("name", "plan"), [("engine/odds.py", (True, True)), ("web/app.py", (False, True))]
)
def test_make_installs_an_older_file_with_another_content(
    project: Path, name: str, plan: tuple[bool, bool]
) -> None:
    """A file that is put back with its old time, as `cp -p` and rsync do, is installed again."""
    path = project / "service/best_move" / name
    before = path.read_text(encoding="utf-8")
    path.write_text(f"{before}# older\n", encoding="utf-8")
    os.utime(path, (0, 0))
    try:
        assert planned(project) == plan
    finally:
        path.write_text(before, encoding="utf-8")
        os.utime(path, (0, 0))


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Return a copy of the sources with one test, which prints what another process imports."""
    (tmp_path / "tests").mkdir()
    names = (f"tests/{name}.py" for name in ("__init__", "conftest", "installed"))
    copy_of("service", "pyproject.toml", *names, to=tmp_path)
    (tmp_path / "tests/test_import.py").write_text(TEST_OF_AN_IMPORT, encoding="utf-8")
    return tmp_path


TEST_OF_AN_IMPORT = """
import subprocess, sys
def test_print(tmp_path):
    program = "import best_move; print('imported', best_move.__path__)"
    subprocess.run([sys.executable, "-c", program], cwd=tmp_path, check=True)
"""


@pytest.mark.parametrize("processes", ["0", "2"])
@pytest.mark.parametrize(
    ("file", "content", "named"),
    [
        ("service/best_move/quoting.py", "", "quoting.py"),
        ("service/best_move/web/pages/static/base.css", None, "web/pages/static/base.css"),
        ("service/best_move/web/new.py", "", "web/new.py"),
        ("openapi.yaml", "", "web/api/openapi.yaml"),
    ],
    ids=["changed", "deleted", "new", "document"],
)
def test_an_older_copy_of_the_sources_is_not_tested(
    checkout: Path, file: str, content: str | None, named: str, processes: str
) -> None:
    """A changed, deleted or new file stops the tests of an installed package without it."""
    if content is None:
        (checkout / file).unlink()
    else:
        (checkout / file).write_text(content, encoding="utf-8")
    ended = completed([*PYTEST, "-n", processes], cwd=checkout)
    assert ended.returncode == pytest.ExitCode.USAGE_ERROR
    assert f"differs from the sources: {named}. Run `make .venv/service`" in ended.stderr


def test_the_sources_are_tested_in_all_processes(checkout: Path) -> None:
    """With PYTHONPATH=service, processes that tests start in other folders import them, too."""
    ended = completed([*PYTEST, "-s"], cwd=checkout, env=os.environ | {"PYTHONPATH": "service"})
    assert f"imported ['{checkout}/service/best_move']" in ended.stdout


def test_make_builds_another_version_in_a_built_tree(project: Path, tmp_path: Path) -> None:
    """After a change of the version alone, `make` installs a package of that version."""
    built = tmp_path / "built"
    shutil.copytree(project, built)
    module = built / "service/best_move/__init__.py"
    source = module.read_text(encoding="utf-8")
    module.write_text(source.replace(best_move.__version__, "9.9.9"), encoding="utf-8")
    shutil.rmtree(built / "site")
    make(built)
    assert [path.name for path in built.glob("site/*.dist-info")] == ["best_move-9.9.9.dist-info"]


def test_the_lock_satisfies_the_requirements() -> None:
    """Each pinned version is one that `pyproject.toml` allows."""
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())
    lock = (PROJECT / "requirements.lock").read_text()
    pins = dict(re.findall(r"^(\S+)==(\S+)", lock, re.MULTILINE))
    groups = project["dependency-groups"]
    required = project["build-system"]["requires"]
    assert required == groups["build"], "Change both lists of what a build requires."
    for line in (*project["project"]["dependencies"], *groups["build"], *groups["develop"]):
        requirement = Requirement(line)
        assert pins[requirement.name] in requirement.specifier, f"{line}: run `make lock`"


def test_no_compiled_module_lies_beside_its_source() -> None:
    """The sources contain no compiled module, which would shadow an edited source."""
    assert not [*SOURCES.rglob("*.so"), *SOURCES.rglob("*.pyd")]


def test_a_folder_of_the_caller_does_not_hide_the_package(tmp_path: Path) -> None:
    """A program can import and run `best_move` even beside a package named `service`."""
    (tmp_path / "service").mkdir()
    (tmp_path / "service/__init__.py").write_text("raise ImportError", encoding="utf-8")
    program = (
        "from best_move import Position, Question, consult\n"
        "print(consult(Question(Position.parse('XX.OO....'))).move)"
    )
    for arguments in (["-c", program], ["-m", "best_move", "tablebase"]):
        command = [sys.executable, *arguments]
        ended = completed(command, cwd=tmp_path)
        assert ended.stderr == ""
        assert ended.stdout.startswith(("2\n", "board,"))


def test_the_package_is_typed(tmp_path: Path) -> None:
    """A program that uses the installed package passes mypy, which infers the type of the move."""
    program = block("Use it in process", "python") + "reveal_type(answer.move)\n"
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", os.devnull, "-c", program]
    checked = completed(command, cwd=tmp_path)
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


def test_links_in_the_description_work_outside_the_repository() -> None:
    """With SOURCE, each leads to a file of the version's tag; else the README is unchanged."""
    source = "https://git.example.org/best-move"
    plain, project = (
        json.loads(
            completed(
                [sys.executable, "-m", "hatchling", "metadata"],
                cwd=PROJECT,
                env=os.environ | {"SOURCE": value},
                check=True,
            ).stdout
        )
        for value in ("", source)
    )
    assert plain["readme"]["text"] == (PROJECT / "README.md").read_text(encoding="utf-8")
    assert project["urls"] == {"Source": source}
    links = re.findall(r'(?:\]\(|src="|srcset=")([^)"]*)', project["readme"]["text"])
    assert len(links) > 20
    for link in links:
        found = re.match(r"https://git\.example\.org/best-move/(raw|blob)/v(.+?)/([^#]+)", link)
        assert found, link
        kind, version, path = found.groups()
        assert version == best_move.__version__
        assert (PROJECT / path).is_file()
        assert (kind == "raw") == path.endswith((".png", ".svg"))


def test_without_a_compiler_the_engine_is_installed_uncompiled(
    project: Path, tmp_path: Path
) -> None:
    """With a C compiler that fails, pip installs the sources alone, and says so with --verbose."""
    site = tmp_path / "site"
    install = [sys.executable, "-m", "pip", "install", "--verbose", "--no-build-isolation"]
    installed = completed(
        [*install, "--no-deps", "--target", site, project],
        env=os.environ | {"CC": "false"},
        check=True,
    )
    assert "the engine runs uncompiled" in installed.stdout + installed.stderr
    assert not [*site.rglob("*.so")]
    program = "from best_move.engine import COMPILED; print(COMPILED)"
    assert completed([sys.executable, "-c", program], cwd=site).stdout == "False\n"
