"""How gunicorn serves the oracle; each setting has its reason."""

import shutil
import signal
import socket
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from gunicorn.glogging import Logger
from gunicorn.util import close_graceful
from gunicorn.workers.gthread import ThreadWorker

# gunicorn looks first in the folder that it was started in, where the sources of what is installed may lie, uncompiled.
if Path(sys.path[0]).resolve() == Path.cwd():
    sys.path.append(sys.path.pop(0))

import service
from service.web import logs
from service.web.settings import SettingError, Settings, keep_metrics_in, metrics_folder

if TYPE_CHECKING:
    from gunicorn.arbiter import Arbiter
    from gunicorn.workers.base import Worker
    from gunicorn.workers.gthread import TConn

try:
    settings = Settings.from_environment()
except SettingError as error:
    sys.exit(str(error))

# Memory, where there is such a folder: it is there on a read-only disk, and is never waited for.
_memory = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108, shared memory is no temporary folder
_metrics = metrics_folder() or tempfile.mkdtemp(prefix="best-move-metrics-", dir=_memory)  # a reload finds it there
keep_metrics_in(_metrics)


class ClosingWorker(ThreadWorker):
    """gunicorn's worker with threads, but that it is a thread that waits for a client to close its end too.

    gunicorn waits in its main thread, up to two seconds for each such client, and all the others wait with it.
    """

    def handle(self, conn: "TConn") -> object:
        """Handle a request; if it was the last of its connection, see that nobody has to wait for its client."""
        is_kept = super().handle(conn)
        if not is_kept:
            with suppress(OSError):  # the client is gone
                close_graceful(conn.sock.dup())
                conn.sock.shutdown(socket.SHUT_RD)  # nothing is left to wait for when the main thread closes it
        return is_kept


class ErrorLog(Logger):
    """gunicorn's log of its own affairs: with a logconfig_dict it would log each request too, whatever accesslog is."""

    access_log_enabled = False


wsgi_app = "service.web.app:create_app()"
bind = settings.bind

# What is imported here is what is served, whichever folder the server was started in.
chdir = str(Path(service.__file__).parents[1])

# The application is read once and shared by all workers: less memory, and a broken one ends the start, not a worker.
preload_app = True

# A worker a core, since a search needs one. In it, threads, so that a client that is slow to send or to read holds a
# thread, which costs little, and not the worker.
worker_class = ClosingWorker
workers = settings.workers
threads = settings.threads

# Connections that wait between requests hold no thread, so they may stay: a new one costs more than a request.
keepalive = 15

# A worker that has not been heard of for this long is replaced. The slowest search takes milliseconds.
timeout = 30

# After SIGTERM, requests under way may end. A client that sends no further must not delay the restart for long.
graceful_timeout = 10

# The longest sensible request line is a fifth of this, and no caller needs a hundred headers.
limit_request_line = 2048
limit_request_fields = 50
limit_request_field_size = 4096

# The heartbeat of the workers.
worker_tmp_dir = _memory

# Nothing talks to it, and it would be a file in somebody's home.
control_socket_disable = True

# The service writes its own access lines, with the request's id.
logger_class = ErrorLog
logconfig_dict = logs.configuration(settings.log_level)


def on_starting(server: "Arbiter") -> None:
    """End in one line if the port is taken, where gunicorn would try again and again."""
    if server.master_pid:
        return  # a new master takes over the port of the old one
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((settings.host, settings.port))
        except OSError as error:
            shutil.rmtree(_metrics, ignore_errors=True)
            sys.exit(f"Cannot listen on {settings.bind}: {error.strerror}. Set HOST or PORT, as in: make run PORT=8001")


def post_fork(server: "Arbiter", worker: "Worker") -> None:  # noqa: ARG001, gunicorn's signature
    """Let a worker that is told to stop while it starts do so: it has gunicorn's handler yet, which would forget it."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def child_exit(server: "Arbiter", worker: "Worker") -> None:  # noqa: ARG001, gunicorn's signature
    """Tell the metrics that a worker has died; what it had counted stays."""
    from prometheus_client import multiprocess  # noqa: PLC0415, it must not be imported before its folder is chosen

    multiprocess.mark_process_dead(worker.pid)


def on_exit(server: "Arbiter") -> None:  # noqa: ARG001, gunicorn's signature
    """Remove the folder of the metrics."""
    shutil.rmtree(_metrics, ignore_errors=True)
