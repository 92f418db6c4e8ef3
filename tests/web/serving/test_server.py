"""The real server: requests that need a socket, startup, and startup errors of one line."""

import gc
import json
import os
import pty
import re
import signal
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import gunicorn
import pytest

from best_move.engine import COMPILED
from best_move.web.observability import counts
from best_move.web.observability.logs import ACCESS
from best_move.web.observability.shared_counts import MAX_COUNTS, SharedCounts
from best_move.web.serving import server as serving
from best_move.web.serving.server import MEMORY_FOLDER, configuration
from best_move.web.serving.timeouts import Timeouts
from best_move.web.serving.worker import Worker
from best_move.web.settings import Settings
from tests.processes import SECONDS_TO_WAIT, completed, next_line
from tests.raw_requests import BODY, LARGE
from tests.server import (
    HAS_IPV6,
    SERVE,
    Log,
    Server,
    ask,
    free_port,
    running,
    starting,
    wait_until_it_responds,
)
from tests.terminal.terminals import in_terminal
from tests.web.serving.asgi import call
from tests.web.serving.test_stories import STORIES


def test_the_server_runs_the_installed_engine(server: Server) -> None:
    """The server runs the installed engine even if it starts in the project's folder."""
    assert (Path.cwd() / "service").is_dir()
    engine = json.loads(ask(server, "/health").body)["engine"]
    assert engine == ("compiled" if COMPILED else "uncompiled")


def test_an_invalid_setting_stops_startup_with_its_usage() -> None:
    """The number of workers is checked before gunicorn's import, which an invalid one breaks."""
    ended = completed(SERVE, env={"WEB_CONCURRENCY": "two"})
    name = "'--workers' (env var: 'WEB_CONCURRENCY')"
    expected = f"Error: Invalid value for {name}: 'two' is not a valid integer from 1 to 256."
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.splitlines()[-1] == expected


def test_heartbeats_work_with_read_only_shared_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Heartbeats are in shared memory or, if that is read-only, where gunicorn puts them."""
    for is_writable, folder in ((True, MEMORY_FOLDER), (False, None)):
        monkeypatch.setattr(
            os,
            "access",
            lambda path, mode, yes=is_writable: yes and (path, mode) == (MEMORY_FOLDER, os.W_OK),
        )
        assert configuration(Settings())["worker_tmp_dir"] == folder


def test_a_server_at_a_terminal_names_its_url_and_outlives_the_reader_of_its_log() -> None:
    """At a terminal, standard error has the URL, and nothing if the reader of the log exits."""
    port = free_port()
    terminal, end = pty.openpty()
    variables = os.environ | {"PORT": str(port), "WEB_CONCURRENCY": "1"}
    with subprocess.Popen(
        SERVE, env=variables, stdout=subprocess.PIPE, stderr=end, text=True
    ) as process:
        os.close(end)
        assert process.stdout
        try:
            next_line(process)
            process.stdout.close()
            server = Server(port, process, Log())
            wait_until_it_responds(server)
            statuses = [ask(server, "/health").status for _ in range(3)]
            process.send_signal(signal.SIGTERM)
            assert process.wait(SECONDS_TO_WAIT) == 0
        finally:
            process.kill()  # it may wait for a reader of its terminal
    assert statuses == [200] * 3
    lines = os.read(terminal, 10_000).decode().splitlines()
    os.close(terminal)
    assert lines == [f"Open http://127.0.0.1:{port} in a browser. Press Ctrl-C to stop."]


def test_a_port_in_use_stops_startup_with_one_line(server: Server) -> None:
    """The line says what to do."""
    hint = (
        "An earlier server may still run: stop it. "
        "Or set --port or PORT, as in: best-move serve --port 8001, or make run PORT=8001"
    )
    with pytest.raises(SystemExit) as stopped:
        serving.serve(Settings(port=server.port))
    expected = f"Cannot listen on 127.0.0.1:{server.port}: Address already in use. {hint}"
    assert stopped.value.code == expected


def test_a_port_can_be_reused_right_after_a_stop() -> None:
    """A port is free right after a stop, even if a closed connection is in TIME_WAIT."""
    with socket.create_server(("127.0.0.1", 0)) as stopped:
        port = stopped.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port)) as client:
            accepted, _ = stopped.accept()
            accepted.close()
            assert client.recv(1) == b""
    with pytest.raises(OSError, match="in use"), socket.socket() as impatient:
        impatient.bind(("127.0.0.1", port))
    with running(port=port, WEB_CONCURRENCY="1"):
        pass


@pytest.mark.parametrize(
    "host",
    [
        "192.0.2.1",
        "999.1.1.1",
        "localhost:80",
        "unix:/run/box",
        "\u00e9" * 64,
        pytest.param("fe80::1%lo", marks=pytest.mark.skipif(not HAS_IPV6, reason="no IPv6")),
    ],
)
def test_a_host_that_is_no_address_of_this_machine_stops_startup_with_one_line(host: str) -> None:
    """The line names the address, which may also be invalid, and the setting to change."""
    with pytest.raises(
        SystemExit, match=rf"^Cannot listen on \[?{host}.*Set --host or HOST to an address of this"
    ) as stopped:
        serving.serve(Settings(host=host, port=free_port()))
    assert "PORT" not in str(stopped.value)
    assert "\n" not in str(stopped.value)


def test_closing_the_terminal_stops_the_server() -> None:
    """The URL is the last line at startup, and closing the terminal ends the server."""
    port = free_port()
    variables = {"PORT": str(port), "WEB_CONCURRENCY": "2"}
    with in_terminal("serve", variables=variables) as screen:
        shown = screen.until("Press Ctrl-C to stop.")
        assert len(re.findall("Booting worker", shown)) == 2
        url = f"http://127.0.0.1:{port}"
        assert shown.splitlines()[-1] == f"Open {url} in a browser. Press Ctrl-C to stop."
        #  120 if output is left that the closed terminal cannot show
        assert screen.hangs_up() in {0, 120}
    socket.create_server(("127.0.0.1", port)).close()


@pytest.mark.parametrize("is_compiled", [True, False], ids=["compiled", "uncompiled"])
@pytest.mark.parametrize(
    ("path", "thread"),
    [
        ("/best-move", None),
        ("/best-moves", "batches"),
        ("/player-review", "searches"),
        ("/search-tree", "searches"),
        ("/number-tree", "searches"),
        ("/tablebase.csv", "searches"),
        ("/board.png", "drawing"),
        ("/tree.png", "drawing"),
    ],
)
def test_slow_requests_run_in_threads(
    monkeypatch: pytest.MonkeyPatch,
    path: str,
    thread: str | None,
    is_compiled: bool,  # noqa: FBT001, it is in the table
) -> None:
    """Each kind of slow request has a thread; with an uncompiled engine, all requests have one."""
    threads: list[str] = []

    def application(_: object, start_response: Any) -> list[bytes]:
        threads.append(threading.current_thread().name)
        start_response("200 OK", [])
        return []

    monkeypatch.setattr(serving, "COMPILED", is_compiled)
    monkeypatch.setattr(serving, "create_app", lambda _: application)
    monkeypatch.setattr(serving, "render_pages", lambda _: None)
    call(serving.Server(Settings()).load(), method="GET", raw_path=path.encode())
    assert threads[0].startswith(thread or ("loop" if is_compiled else "requests"))


def test_the_sources_can_be_served_uncompiled() -> None:
    """A server with the sources on PYTHONPATH runs the uncompiled engine and returns a move."""
    with running(
        [sys.executable, "-m", "best_move", "serve"], PYTHONPATH="service", WEB_CONCURRENCY="1"
    ) as server:
        assert b'"engine":"uncompiled"' in ask(server, "/health").body
        assert b'engine="uncompiled"' in ask(server, "/metrics").body
        move = ask(server, "/best-move", "POST", BODY, Content_Type="application/json")
    assert (move.status, json.loads(move.body)["move"]) == (200, 1)


def test_a_server_listens_only_at_its_host() -> None:
    """A server can be reached at the address that it is given, and at no other address.

    The options override the variables. Variables that gunicorn itself reads may be invalid.
    """
    command = [*SERVE, "--host=127.0.0.2", "--workers=1"]
    with starting(
        command, HOST="127.0.0.1", WEB_CONCURRENCY="two", FORWARDED_ALLOW_IPS="two"
    ) as server:
        server.log.wait_for("Booting worker")
        socket.create_connection(("127.0.0.2", server.port)).close()
        with pytest.raises(ConnectionRefusedError):
            server.open()


def test_no_variable_changes_gunicorns_configuration() -> None:
    """Each variable that gunicorn may read is `*`: no number, but any address of a proxy."""
    program = """
from best_move.web.settings import Settings, set_gunicorns_variables
settings = Settings(workers=1)
set_gunicorns_variables(settings)
from best_move.web.serving.server import Server
for name, setting in Server(settings).cfg.settings.items():
    print(name, str(setting.value).partition(" at 0x")[0])
"""
    sources = [path.read_text("utf-8") for path in Path(gunicorn.__file__).parent.rglob("*.py")]
    names = set(re.findall(r"""["']([A-Z_]+)["']""", "".join(sources)))
    assert {"FORWARDED_ALLOW_IPS", "PORT", "WEB_CONCURRENCY"} <= names
    command = [sys.executable, "-P", "-c", program]
    plain, odd = (
        completed(command, env=variables, check=True).stdout
        for variables in ({}, dict.fromkeys(names, "*"))
    )
    assert odd == plain


def test_gunicorns_graceful_timeout_follows_from_the_grace_period(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Gunicorn kills a worker a second after its grace period, rounded up to whole seconds."""
    assert configuration(Settings())["graceful_timeout"] == Timeouts.grace + 1 == 5
    monkeypatch.setattr(Timeouts, "grace", 0.5)
    assert configuration(Settings())["graceful_timeout"] == 2


def test_a_reload_has_slots_for_the_counts_of_old_and_new_workers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each worker of a reloaded server gets a slot of its own, while the old workers end."""
    shared = SharedCounts()
    monkeypatch.setattr(counts, "COUNTS", shared)
    serving.Server(Settings(workers=3)).load()
    for slot in range(6):
        shared.take(slot)
        for number in range(MAX_COUNTS):
            shared.add(((f"{slot}:{number}",), 1))
    assert len(shared.sums()) == 6 * MAX_COUNTS


def test_no_line_of_the_log_names_a_client() -> None:
    """Whatever a client sends, and whether it is rejected, the log lacks its address."""
    steps = [step for story in STORIES.values() for step in story.steps]
    sent = {step for step in steps if isinstance(step, bytes) and LARGE * 2 not in step}
    client = "127.0.0.99"
    with running(WEB_CONCURRENCY="1", LOG_LEVEL="debug") as server:
        with server.holding(sent, client) as connections:
            for connection in connections:
                with suppress(OSError):  # the server has closed the connection
                    connection.shutdown(socket.SHUT_WR)
            for connection in connections:
                with suppress(OSError):
                    while connection.recv(1_000_000):
                        pass
        server.process.send_signal(signal.SIGTERM)
        lines = server.log.read()
    assert len([line for line in lines if "Invalid request" in line]) > 10
    assert len([line for line in lines if ACCESS in line]) > len(sent) / 2
    assert client not in "".join(lines)


def test_the_master_counts_in_a_slot_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """The slot of a worker stays free for the process of the worker."""
    shared = SharedCounts()
    monkeypatch.setattr(counts, "COUNTS", shared)
    configured = configuration(Settings())
    serving.Server(Settings(workers=1)).load()
    worker = Worker.__new__(Worker)
    try:
        configured["pre_fork"](SimpleNamespace(WORKERS={}), worker)
    finally:
        gc.unfreeze()
    for number in range(MAX_COUNTS):  # fills a slot
        shared.add(((f"master {number}",), 1))
    configured["post_fork"](None, worker)
    shared.add((("worker",), 1))


def test_workers_do_not_scan_objects_of_the_master() -> None:
    """Objects from before a fork are frozen, so that the collector scans only later ones."""
    pre_fork = configuration(Settings())["pre_fork"]
    try:
        pre_fork(SimpleNamespace(WORKERS={}), Worker.__new__(Worker))
        assert gc.get_freeze_count() > 10_000
        assert len(gc.get_objects()) < 1_000
    finally:
        gc.unfreeze()
