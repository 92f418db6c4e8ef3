"""gunicorn, set up to serve the oracle; each setting has its reason."""

import gc
import os
import signal
import socket
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count
from typing import Any, Final

from gunicorn.app.base import BaseApplication
from gunicorn.arbiter import Arbiter
from gunicorn.glogging import Logger

from service.engine import COMPILED
from service.web import logs, metrics
from service.web.api.questions import MAX_BYTES
from service.web.app import create_app
from service.web.serving.asgi import EventLoopAdapter
from service.web.serving.worker import Worker
from service.web.settings import Settings

STOPS: Final = (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT)

MEMORY: Final = "/dev/shm"  # noqa: S108, a folder in memory: writable where the disk is read-only, and never slow


class ErrorLog(Logger):
    """gunicorn's log of its own affairs: with a logconfig_dict it would log each request too, whatever accesslog is."""

    access_log_enabled = False


class Server(BaseApplication):
    """gunicorn, set up by the service's settings alone: by no file, no command line and no variable of its own."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        super().__init__()

    def load_config(self) -> None:
        """Set gunicorn up; it asks for that when it starts and when it is reloaded."""
        for name, value in configuration(self._settings).items():
            self.cfg.set(name, value)
        self.cfg.set("on_starting", self._on_starting)
        self.cfg.set("when_ready", self._when_ready)

    def load(self) -> EventLoopAdapter:
        """Return the application, as an event loop calls it.

        Batches and trees are called in a thread, one at a time: searches do not run side by side in one process.
        Uncompiled, one search may take a second, so every request is called in a thread.
        """
        batches = ThreadPoolExecutor(1, "batches")
        others = None if COMPILED else ThreadPoolExecutor(8, "requests")
        return EventLoopAdapter(
            create_app(self._settings),
            MAX_BYTES,
            {"/best-moves": batches, "/search-tree": batches, "/tablebase.csv": batches},
            others,
        )

    def _on_starting(self, arbiter: Arbiter) -> None:
        """End in one line if the port is taken, where gunicorn would try again and again."""
        if arbiter.master_pid:
            return  # a new master takes over the port of the old one
        family = socket.AF_INET6 if ":" in self._settings.host else socket.AF_INET
        with socket.socket(family) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((self._settings.host, self._settings.port))
            except OSError as error:
                sys.exit(
                    f"Cannot listen on {self._settings.bind}: {error.strerror}. "
                    "Set HOST or PORT, as in: PORT=8001 best-move serve"
                )

    def _when_ready(self, arbiter: Arbiter) -> None:  # noqa: ARG002, gunicorn's signature
        """Tell a user at a terminal which URL to open, since the log is for programs."""
        if sys.stderr.isatty():
            sys.stderr.write(f"Open {self._settings.url} in a browser. Press Ctrl-C to stop.\n")


def serve(settings: Settings) -> None:
    """Serve until a signal ends it."""
    _heed_signals_in_forks()
    Server(settings).run()


def configuration(settings: Settings) -> dict[str, Any]:
    """Return gunicorn's settings."""
    return {
        "bind": settings.bind,
        # The application is read once and shared by all workers: less memory, and a broken one ends the start, not a
        # worker.
        "preload_app": True,
        # A worker a core, since a search needs one. In it, an event loop, so that a client that is slow to send or to
        # read holds a connection and nothing else.
        "worker_class": Worker,
        "workers": settings.workers,
        "asgi_loop": "asyncio",
        # A new connection costs more than a request.
        "keepalive": 15,
        # A worker that has not been heard of for this long is replaced. The slowest search takes milliseconds.
        "timeout": 30,
        # After SIGTERM, requests under way may end. A worker gives up before, and is killed after that.
        "graceful_timeout": 5,
        # A query may be as long as a body, so that the service itself says what is wrong with it.
        "limit_request_line": MAX_BYTES,
        # No client needs more headers.
        "limit_request_fields": 50,
        "limit_request_field_size": 4096,
        # No header of a client says where the application stands, wherever that client is.
        "forwarder_headers": "",
        # The heartbeat of the workers.
        "worker_tmp_dir": MEMORY if os.access(MEMORY, os.W_OK) else None,
        # Nothing talks to it, and it would be a file in somebody's home.
        "control_socket_disable": True,
        # The service writes its own access lines, with the request's id.
        "logger_class": ErrorLog,
        "logconfig_dict": logs.configuration(settings.log_level),
        "pre_fork": _pre_fork,
        "worker_exit": _worker_exit,
    }


def _pre_fork(arbiter: Arbiter, worker: Worker) -> None:
    """Give a new worker the first slot for its counts that no living one has, and no garbage to look for in the rest.

    While the collector goes through all that workers share, it looks for their own garbage so rarely that they grow.
    """
    taken = {sibling.slot for sibling in arbiter.WORKERS.values() if isinstance(sibling, Worker)}
    worker.slot = next(slot for slot in count() if slot not in taken)
    metrics.COUNTS.take(worker.slot)
    gc.freeze()
    gc.collect()


def _worker_exit(arbiter: Arbiter, worker: Worker) -> None:  # noqa: ARG001, gunicorn's signature
    """End a worker that is done at once: to take Python apart first would cost more time than a thousand requests."""
    if worker.has_ended:
        os._exit(0)


def _heed_signals_in_forks() -> None:
    """Have a worker that is told to stop while it starts do so: gunicorn's handler, which it inherits, forgets it."""
    os.register_at_fork(
        before=partial(signal.pthread_sigmask, signal.SIG_BLOCK, STOPS),
        after_in_parent=partial(signal.pthread_sigmask, signal.SIG_UNBLOCK, STOPS),
        after_in_child=_take_signals_as_they_are,
    )


def _take_signals_as_they_are() -> None:
    for stop in STOPS:
        signal.signal(stop, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)
