"""Updates: nginx forwards requests to two versions, and to those that the guide installs."""

import json
import os
import re
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from threading import Event
from typing import Final

import pytest

from best_move import __version__
from best_move.web.pages import files
from best_move.web.pages.files import STATIC, STATIC_URL
from tests.deploy.machine import Machine
from tests.deploy.nginx import Nginx, nginx, two_replicas
from tests.deploy.origin import origin
from tests.processes import wait_until
from tests.readme import ROOT, block, rows
from tests.server import Reply, Server, ask, free_port, running, serve_after

ANOTHER_URL: Final = "/static/0123456789ab/"
ANOTHER_VERSION: Final = serve_after(
    f"from best_move.web.pages import files\nfiles.STATIC_URL = {ANOTHER_URL!r}"
)
FILE: Final = r'(?:href|src)="\.(/static/[^"]+)"'
NEW: Final = "9.9.9"
REQUESTS: Final = int(os.environ.get("UPDATE_REQUESTS", "1000"))
VISITORS: Final = 4
STEPS: Final = 5  # before the update, and after each of four restarts


@pytest.fixture(scope="module")
def front(service: Server) -> Iterator[Nginx]:
    """Run nginx in front of two replicas: the service and another version of it."""
    with (
        running(ANOTHER_VERSION, WEB_CONCURRENCY="1", LOG_LEVEL="warning") as another,
        nginx(service.port, two_replicas(another.port)) as front,
    ):
        yield front


@pytest.mark.parametrize("path", ["/", "/search", "/docs"])
def test_pages_of_two_versions_get_all_their_files(front: Nginx, path: str) -> None:
    """Each page comes from either version, and either replica sends its files."""
    versions = set()
    for _ in range(10):
        urls = set(re.findall(FILE, ask(front, path).body.decode()))
        assert len(urls) > 2
        for url in urls:
            versions.add(url[: len(STATIC_URL)])
            reply = ask(front, url)
            file = STATIC / url[len(STATIC_URL) :]
            assert (reply.status, reply.body) == (200, file.read_bytes())
    assert versions == {STATIC_URL, ANOTHER_URL}


def test_no_request_is_lost_while_workers_of_both_replicas_die() -> None:
    """A replica that lost a connection still gets requests if the other has lost one, too."""
    with origin() as one, origin() as two, nginx(one.port, two_replicas(two.port)) as front:
        one.lost = two.lost = 1
        assert [ask(front, "/health").status for _ in range(10)] == [200] * 10
        assert one.lost == two.lost == 0


class Visitors:
    """Clients that open pages with all their files, and request moves, and check each response."""

    def __init__(self, front: Nginx) -> None:
        self.front = front
        self.have_left = Event()
        self.sent: list[str] = []
        self.files: dict[str, dict[str, bytes]] = {}
        """The static files of each version, by name, by the folder in their URLs."""

    def add(self, package: Path) -> None:
        """Add the files of a version, given the folder of its package."""
        found = files.read(package / "web/pages/static")
        self.files[f"/static/{files.digest(found)}/"] = found

    def wait_for_more(self) -> None:
        """Wait until a share of all requests has been sent."""
        enough = len(self.sent) + REQUESTS / STEPS
        wait_until(lambda: len(self.sent) >= enough, "enough requests are sent")

    def visit(self) -> None:
        """Send requests until the visitors have left."""
        while not self.have_left.is_set():
            for page in ("/", "/search", "/docs"):
                self.have_left.wait(0.5)  # because the installation takes long
                urls = set(re.findall(FILE, self._get(page).body.decode()))
                assert len(urls) > 2
                for url in urls:
                    self._check_file(url)
                assert b'"move":1,' in self._get("/best-move?board=X...O....").body
                self._get("/best-move?board=.........&tie_break=random")

    def _check_file(self, url: str) -> None:
        file = self._get(url)
        folder, name = url[: len(STATIC_URL)], url[len(STATIC_URL) :]
        if "immutable" in file.headers["Cache-Control"]:
            assert file.body == self.files[folder][name], url
        else:
            assert file.headers["Cache-Control"] == "no-store"
            assert file.body in [version[name] for version in self.files.values()], url

    def _get(self, path: str) -> Reply:
        reply = ask(self.front, path)
        assert reply.status == 200, path
        self.sent.append(path)
        return reply


@pytest.mark.thorough
def test_an_update_and_the_way_back_lose_no_request(tmp_path: Path) -> None:
    """Each response comes, and each file is that of the version in its URL, or is not stored."""
    install = block("systemd", "sh")
    up_to_the_link = install[: install.index("\n", install.index("ln "))]
    ((_, update, back),) = [row for row in rows("Update and go back") if row[0] == "systemd"]
    assert "up to `ln`" in update
    assert "`systemctl restart best-move`" in update
    assert "`systemctl restart best-move`" in back
    (go_back,) = re.findall("`(ln [^`]+)`", back)
    machine = Machine(tmp_path / "machine")
    old = machine.install(ROOT, __version__, install)
    one, two = free_port(), free_port()
    with ExitStack() as stack:
        replicas = {port: stack.enter_context(ExitStack()) for port in (one, two)}
        front = stack.enter_context(nginx(one, two_replicas(two)))
        pool = stack.enter_context(ThreadPoolExecutor(VISITORS))
        visitors = Visitors(front)

        def restart(version: str) -> None:
            for port, replica in replicas.items():
                replica.close()
                variables = {"WEB_CONCURRENCY": "1", "LOG_LEVEL": "warning"}
                replica.enter_context(running(machine.serve, port=port, **variables))
                if visitors.sent:
                    visitors.wait_for_more()
            front.purge()
            found = {json.loads(ask(front, "/health").body)["version"] for _ in range(4)}
            assert found == {version}

        visitors.add(old)
        restart(__version__)
        clients = [pool.submit(visitors.visit) for _ in range(VISITORS)]
        stack.callback(visitors.have_left.set)
        visitors.wait_for_more()

        clone = another_version(tmp_path / "clone")
        visitors.add(machine.install(clone, NEW, up_to_the_link))
        restart(NEW)

        machine.run(go_back.replace("OLD", __version__), ROOT)
        restart(__version__)

        visitors.have_left.set()
        for client in clients:
            client.result()


def another_version(clone: Path) -> Path:
    """Make a clone of another version, each of whose scripts and styles has another length."""
    shutil.copytree(ROOT / "service", clone / "service")
    for name in ("openapi.yaml", "pyproject.toml", "README.md", "requirements.lock"):
        shutil.copy(ROOT / name, clone)
    module = clone / "service/best_move/__init__.py"
    module.write_text(module.read_text(encoding="utf-8").replace(__version__, NEW), "utf-8")
    for path in (clone / "service/best_move/web/pages/static").rglob("*.?s*"):
        if path.suffix in {".js", ".css"}:
            path.write_text(f"/* {NEW} */\n{path.read_text(encoding='utf-8')}", "utf-8")
    return clone
