"""The unit of systemd, which is checked but not started."""

import os
import re
import socket
from pathlib import Path

import pytest

from best_move.web.serving.server import configuration
from best_move.web.settings import Settings
from tests.processes import SECONDS_TO_WAIT, completed, program
from tests.readme import ROOT, block
from tests.server import running

UNIT = (ROOT / "service/deploy/best-move.service").read_text(encoding="utf-8")


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


def test_systemd_accepts_the_unit_and_its_confinement(tmp_path: Path) -> None:
    """The unit has no errors, and systemd rates its exposure as at most 1.5 of 10."""
    analyze = program("systemd-analyze", "SYSTEMD_REQUIRED")
    command = tmp_path / "opt/best-move/bin/best-move"
    command.parent.mkdir(parents=True)
    command.touch(0o755)
    unit = tmp_path / "best-move.service"
    unit.write_text(UNIT.replace("/opt/", f"{tmp_path}/opt/"), encoding="utf-8")
    verified = completed([analyze, "verify", "--man=no", unit])
    assert (verified.returncode, verified.stderr) == (0, "")
    security = [analyze, "security", "--offline=true", "--no-pager", "--threshold=15", unit]
    rated = completed(security)
    assert rated.returncode == 0, rated.stdout


@pytest.mark.thorough
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
