"""The guide's section "Update and go back", executed while clients send requests."""

import json
import os
import re
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Event
from typing import Final

import pytest

from best_move import __version__
from best_move.web.pages import files
from tests.deploy.configuration import PURGE, two_replicas
from tests.deploy.machine import Machine
from tests.deploy.nginx import nginx
from tests.load import CLIENTS
from tests.processes import completed, wait_until
from tests.readme import ROOT, block, rows
from tests.server import Reply, Server, ask, free_port, running

pytestmark = pytest.mark.thorough

REQUESTS: Final = int(os.environ.get("UPDATE_REQUESTS", "1000"))
NEW: Final = "9.9.9"
STEPS: Final = 6  # two replicas run the old version, the new one, and the old one again
GUIDE: Final = {name: (update, back) for name, update, back in rows("Update and go back")}
RESTART: Final = "`systemctl restart best-move`"


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


class Visitors:
    """Clients that open pages with all their files, and request moves, and check each response."""

    def __init__(self, front: Server) -> None:
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
                html = self._get(page).body.decode()
                urls = set(re.findall(r'(?:href|src)="\.(/static/[^"]+)"', html))
                assert len(urls) > 2
                for url in urls:
                    self._check_file(url)
                assert b'"move":1,' in self._get("/best-move?board=X...O....").body
                self._get("/best-move?board=.........&tie_break=random")

    def _check_file(self, url: str) -> None:
        file = self._get(url)
        folder, name = url[: len(files.STATIC_URL)], url[len(files.STATIC_URL) :]
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


@contextmanager
def visited(visitors: Visitors) -> Iterator[None]:
    """Let visitors send requests while the block runs; raise their errors."""
    with ThreadPoolExecutor(CLIENTS) as pool:
        clients = [pool.submit(visitors.visit) for _ in range(CLIENTS)]
        try:
            yield
        finally:
            visitors.have_left.set()
        for client in clients:
            client.result()


def test_an_update_and_the_way_back_lose_no_request(folder: Path, tmp_path: Path) -> None:
    """Each response comes, and each file is that of the version in its URL, or is not stored."""
    place = folder / "updated-by-the-guide"
    machine = Machine(tmp_path / "machine")
    install = block("systemd", "sh")
    link = install.index("ln ")
    old = machine.install(ROOT, __version__, install)
    update, back = GUIDE["systemd"]
    (go_back,) = re.findall("`(ln [^`]+)`", back)
    ports = (free_port(), free_port())
    with ExitStack() as stack:
        slots = [stack.enter_context(ExitStack()) for _ in ports]

        def restart(slot: ExitStack, port: int) -> None:
            slot.close()
            variables = {"WEB_CONCURRENCY": "1", "LOG_LEVEL": "warning"}
            slot.enter_context(running(machine.serve, port=port, **variables))

        for slot, port in zip(slots, ports, strict=True):
            restart(slot, port)
        front = stack.enter_context(nginx(place, ports[0], two_replicas(ports[1])))
        visitors = Visitors(front)
        visitors.add(old)
        with visited(visitors):
            visitors.wait_for_more()
            visitors.wait_for_more()

            assert "up to `ln`" in update
            assert RESTART in update
            clone = another_version(tmp_path / "clone")
            up_to_the_link = install[: install.index("\n", link)]
            visitors.add(machine.install(clone, NEW, up_to_the_link))
            for slot, port in zip(slots, ports, strict=True):
                restart(slot, port)
                visitors.wait_for_more()
            empty_the_cache(place)
            assert version_of(front) == NEW

            assert RESTART in back
            machine.run(go_back.replace("OLD", __version__), ROOT)
            for slot, port in zip(slots, ports, strict=True):
                restart(slot, port)
                visitors.wait_for_more()
            empty_the_cache(place)
            assert version_of(front) == __version__


def empty_the_cache(place: Path) -> None:
    """Run the guide's command for the cache of the nginx in a folder."""
    command = PURGE.replace("/dev/shm", f"{place}/memory")  # noqa: S108, the guide's
    completed(["sh", "-c", command], check=True)


def version_of(front: Server) -> str:
    """Return the version that both replicas report."""
    (version,) = {json.loads(ask(front, "/health").body)["version"] for _ in range(4)}
    assert isinstance(version, str)
    return version
