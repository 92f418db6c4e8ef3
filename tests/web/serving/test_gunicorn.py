"""The service uses what gunicorn documents, and serves without what it may lack."""

import ast
import json
import re
import sys
from collections.abc import Iterator
from inspect import getsource
from pathlib import Path

import pytest
from gunicorn.workers import base, gasgi

from best_move.web import serving
from tests.server import ask, running

FILES = sorted(Path(serving.__path__[0]).glob("*.py"))


def is_private(name: str) -> bool:
    """Return whether a name begins with an underscore, and is none of the language's own."""
    return name.startswith("_") and not name.endswith("__")


def private_names(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield each private name that is read from an object or imported, and where from."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and is_private(node.attr):
            yield ast.unparse(node.value), node.attr
        elif isinstance(node, ast.ImportFrom):
            for name in [*(node.module or "").split("."), *(each.name for each in node.names)]:
                if is_private(name):
                    yield str(node.module), name


def own_names(tree: ast.AST) -> set[str]:
    """Return the names of the functions of a module, and of the attributes that it assigns."""
    functions = {
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    assigned = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
    }
    return functions | assigned


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_private_name_of_another_package_is_used(path: Path) -> None:
    """A private name belongs to `self` and is defined in the module, and gunicorn has no such."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    gunicorns = set(re.findall(r"\b_\w+", getsource(base) + getsource(gasgi)))
    for owner, name in private_names(tree):
        assert (owner, name in own_names(tree)) == ("self", True), f"{owner}.{name}"
        assert name not in gunicorns, name


LACKS = {
    "the protocol": "del protocol.ASGIProtocol",
    "the worker": (
        "gasgi.Renamed = gasgi.ASGIWorker; del gasgi.ASGIWorker; "
        "workers.SUPPORTED_WORKERS['asgi'] = 'gunicorn.workers.gasgi.Renamed'"
    ),
}


@pytest.mark.parametrize("change", LACKS.values(), ids=LACKS)
def test_a_gunicorn_without_a_class_serves_with_a_warning(change: str) -> None:
    """The service then runs gunicorn's own worker; its responses and metrics are right."""
    program = f"""
from gunicorn import workers
from gunicorn.asgi import protocol
from gunicorn.workers import gasgi
{change}
from best_move.__main__ import main
main(["serve"])
"""
    with running([sys.executable, "-P", "-c", program]) as server:
        server.wait_for_workers()
        for _ in range(40):
            move = ask(server, "/best-move?board=XX.OO....&starts=X")
            assert json.loads(move.body)["move"] == 2
        metrics = ask(server, "/metrics").body.decode()
        entries = server.stop()
    assert re.search(r'_requests_total{.*route="/best-move".*} 40\.0$', metrics, re.MULTILINE)
    (warning,) = [entry for entry in entries if entry["level"] not in {"INFO", "DEBUG"}]
    assert "too new for this version" in warning["message"]
    assert "requirements.lock" in warning["message"]
