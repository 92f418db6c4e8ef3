"""The unit of systemd, which is checked but not started."""

import os
import re
import shutil
import socket
from pathlib import Path

import pytest

import best_move
from best_move.web.serving.server import configuration
from best_move.web.settings import Settings
from tests.deploy.machine import Machine
from tests.processes import SECONDS_TO_WAIT, completed
from tests.readme import ROOT, block
from tests.server import running

pytestmark = pytest.mark.thorough  # because it installs the service

UNIT = (ROOT / "service/deploy/best-move.service").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    """Return a machine on which the guide's commands have installed the service."""
    machine = Machine(tmp_path_factory.mktemp("root"))
    machine.install(ROOT, best_move.__version__)
    return machine


@pytest.fixture(scope="module")
def unit(machine: Machine) -> Path:
    """Return the unit that the guide's commands install, with the paths of the machine."""
    installed = machine.root / "etc/systemd/system/best-move.service"
    installed.write_text(UNIT.replace("/opt/", f"{machine.root}/opt/"), encoding="utf-8")
    return installed


def test_the_unit_runs_the_command_that_the_guide_installs(machine: Machine, unit: Path) -> None:
    """The command prints its version, which is that of the sources."""
    assert f"ExecStart={' '.join(machine.serve)}\n" in unit.read_text(encoding="utf-8")
    printed = completed([machine.serve[0], "--version"], check=True)
    assert best_move.__version__ in printed.stdout


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a clone to another user")
def test_root_may_install_from_a_clone_of_another_user(tmp_path: Path) -> None:
    """Each version has a folder of its own, whose name has the commit."""
    commit = "git init -q && git -c user.name=a -c user.email=a commit -q --allow-empty -m a"
    completed(["sh", "-ec", commit], cwd=tmp_path, check=True)
    os.chown(tmp_path / ".git", 1, 1)
    os.chown(tmp_path, 1, 1)
    (folder,) = re.findall("^new=.*", block("systemd", "sh"), re.MULTILINE)
    variables = {"PATH": os.environ["PATH"], "HOME": "/nowhere"}
    named = completed(["sh", "-ec", f'{folder}; echo "$new"'], cwd=tmp_path, env=variables)
    assert re.fullmatch(r"/opt/best-move-[0-9a-f]{7,}\n", named.stdout), named.stderr


def test_systemd_accepts_the_unit_and_its_confinement(unit: Path) -> None:
    """The unit has no errors, and systemd rates its exposure as at most 1.5 of 10."""
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        if os.environ.get("SYSTEMD_REQUIRED") == "1":
            pytest.fail("systemd is required, and not installed")
        pytest.skip("systemd is not installed")
    verified = completed([analyze, "verify", "--man=no", unit])
    assert (verified.returncode, verified.stderr) == (0, "")
    security = [analyze, "security", "--offline=true", "--no-pager", "--threshold=15", unit]
    rated = completed(security)
    assert rated.returncode == 0, rated.stdout


def test_the_service_tells_systemd_when_it_is_ready(tmp_path: Path) -> None:
    """A unit of the type `notify` counts as started after this message."""
    assert "\nType=notify\n" in UNIT
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.settimeout(SECONDS_TO_WAIT)
        with running(WEB_CONCURRENCY="1", NOTIFY_SOCKET=str(tmp_path / "notify")):
            assert manager.recv(100).startswith(b"READY=1\n")


def test_systemd_waits_until_the_service_has_stopped() -> None:
    """It kills the service only some time after gunicorn has stopped its workers."""
    (seconds,) = re.findall(r"TimeoutStopSec=(\d+)\n", UNIT)
    assert int(seconds) > configuration(Settings())["graceful_timeout"] + 2
