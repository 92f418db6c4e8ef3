"""gunicorn configuration and startup."""

import errno
import gc
import itertools
import logging
import math
import os
import signal
import socket
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import gunicorn
from gunicorn.app.base import BaseApplication
from gunicorn.arbiter import Arbiter
from gunicorn.glogging import Logger
from gunicorn.workers.base import Worker as BaseWorker

from best_move.engine import COMPILED
from best_move.web.api.handling import MAX_BYTES, MAX_CONNECTIONS, MAX_WAITING, WAITING, handling_of
from best_move.web.app import create_app, render_pages
from best_move.web.observability import counts, logs
from best_move.web.serving.asgi import WsgiAdapter
from best_move.web.serving.bounded_executor import BoundedExecutor
from best_move.web.serving.timeouts import Timeouts
from best_move.web.settings import Settings

STOPS = (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT)

#  A folder in memory: writable where the disk is read-only, and never slow.
MEMORY_FOLDER = "/dev/shm"  # noqa: S108, gunicorn creates its files there safely


class ErrorLog(Logger):
    """gunicorn's logger without its access log.

    Otherwise `logconfig_dict` would enable the access log even if `accesslog` is not set.
    """

    access_log_enabled = False


class Server(BaseApplication):
    """gunicorn, configured only by the service's settings."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        super().__init__()

    def load_config(self) -> None:
        """Configure gunicorn, which calls this at startup and at each reload."""
        for name, value in configuration(self._settings).items():
            self.cfg.set(name, value)

    def load(self) -> WsgiAdapter:
        """Return the application as an ASGI application.

        Slow requests run in threads. If the engine is not compiled, all others do, too, because a
        search may take a second.
        """
        app = create_app(self._settings)
        render_pages(app)
        #  Slots for the workers, those that replace them in a reload, and those that SIGTTIN adds.
        slots = 2 * self._settings.workers + 17
        counts.COUNTS.reserve(slots)
        counts.COUNTS.take(slots - 1)  # for this process, whose lines of the log are counted, too
        #  Each thread starts with its first request, thus after the fork.
        threads = {name: _bounded(1, name, most) for name, most in WAITING.items()}
        return WsgiAdapter(
            app,
            handling_of=handling_of,
            body_timeout=Timeouts.body,
            threads=threads,
            others=None if COMPILED else _bounded(8, "requests", MAX_WAITING),
        )


def _bounded(threads: int, name: str, max_waiting: int) -> BoundedExecutor:
    return BoundedExecutor(ThreadPoolExecutor(threads, name), Timeouts.thread, max_waiting)


def serve(settings: Settings) -> None:
    """Serve until a signal stops the server.

    Exit with a one-line error if the address cannot be bound.
    """
    logging.raiseExceptions = False  # no traceback for each line if the log has no reader
    _try_to_bind(settings)
    _reset_stop_signals_in_workers()
    Server(settings).run()


def _try_to_bind(settings: Settings) -> None:
    """Exit with a one-line error if the address cannot be bound.

    gunicorn would try again several times.
    """
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((settings.host, settings.port))
        except (OSError, TypeError) as error:  # TypeError if the name cannot be encoded
            advice = _address_advice(error)
            sys.exit(f"Cannot listen on {settings.bind}: {error.args[-1]}. {advice}")


def _address_advice(error: OSError | TypeError) -> str:
    invalid_host = (errno.EADDRNOTAVAIL, errno.EINVAL)
    if isinstance(error, socket.gaierror | TypeError) or error.errno in invalid_host:
        return (
            "Set --host or HOST to an address of this machine, such as 127.0.0.1, "
            "or to 0.0.0.0 for all of them"
        )
    example = "--port or PORT, as in: best-move serve --port 8001, or make run PORT=8001"
    if error.errno == errno.EADDRINUSE:
        return f"An earlier server may still run: stop it. Or set {example}"
    return f"Set {example}"


def _worker_class() -> type[BaseWorker] | None:
    """Return the own worker class, or None if gunicorn lacks a class that it needs."""
    try:
        from best_move.web.serving.worker import Worker  # noqa: PLC0415, may fail
    except ImportError:
        return None
    return Worker


def configuration(settings: Settings) -> dict[str, Any]:
    """Return gunicorn's settings."""
    return {
        "bind": settings.bind,
        # Load the application once, before the workers start: this saves memory, and startup fails
        # if loading fails.
        "preload_app": True,
        # By default there is one worker per CPU, because a search keeps a CPU busy. In the event
        # loop of a worker, a client that is slow to send or to read occupies a connection, but
        # delays no other client.
        "worker_class": _worker_class() or "asgi",
        "workers": settings.workers,
        "worker_connections": MAX_CONNECTIONS,
        "asgi_disconnect_grace_period": 0,  # nothing to clean up when a client has disconnected
        "asgi_loop": "asyncio",
        "asgi_lifespan": "off",  # the application handles no events of this kind
        "http_parser": "python",  # even if gunicorn's parser in C is installed
        "keepalive": settings.keep_alive,
        "timeout": 30,  # seconds without a report, after which a worker is replaced
        # Workers that outlive their grace period are killed.
        "graceful_timeout": math.ceil(Timeouts.grace + 1),
        # A query may be as long as a body, so that the service, not gunicorn, reports errors in
        # long queries.
        "limit_request_line": MAX_BYTES,
        "limit_request_fields": 50,  # no client needs more or longer headers
        "limit_request_field_size": 4096,
        # The folder of the heartbeat files.
        "worker_tmp_dir": MEMORY_FOLDER if os.access(MEMORY_FOLDER, os.W_OK) else None,
        "control_socket_disable": True,  # an unused socket, a file in the user's home
        "logger_class": ErrorLog,
        "logconfig_dict": logs.configuration(settings.log_level),
        "when_ready": _when_ready,
        "pre_fork": _pre_fork,
        "post_fork": _post_fork,
        "post_worker_init": partial(_show_url, settings),
    }


def _when_ready(arbiter: Arbiter) -> None:
    """Warn if the own worker is missing; at a terminal, let SIGHUP stop the server.

    Closing the window sends SIGHUP. Elsewhere it reloads the server.
    """
    if not _worker_class():
        logging.getLogger("gunicorn.error").warning(
            "gunicorn %s is too new for this version of the service: connections have no limit, and"
            " headers no timeout. Put nginx in front, or install what requirements.lock lists",
            gunicorn.__version__,
        )
    if sys.stderr.isatty():
        signal.signal(signal.SIGHUP, lambda _, frame: arbiter.signal(signal.SIGTERM, frame))


def _pre_fork(arbiter: Arbiter, worker: Any) -> None:
    """Assign a free metrics slot to the worker, and freeze shared objects.

    The garbage collector skips frozen objects; CPython's documentation recommends freezing them
    before a fork.
    """
    siblings: Iterable[Any] = arbiter.WORKERS.values()
    taken = {each.slot for each in siblings}
    worker.slot = next(slot for slot in itertools.count() if slot not in taken)
    gc.freeze()
    #  The more old objects CPython counts, the less often it runs a full collection. Freezing does
    #  not change this count, so a worker would seldom run one, and its memory would grow. A full
    #  collection counts again, without the frozen objects.
    gc.collect()


def _post_fork(_: Arbiter, worker: Any) -> None:
    """Count in the slot of the worker, in its process."""
    counts.COUNTS.take(worker.slot)


def _show_url(settings: Settings, worker: Any) -> None:
    """Show a user at a terminal which URL to open, after the log lines of the first workers."""
    is_last_of_first = worker.age == settings.workers  # age: how many workers have started
    if is_last_of_first and sys.stderr.isatty():
        sys.stderr.write(f"Open {settings.url} in a browser. Press Ctrl-C to stop.\n")


def _reset_stop_signals_in_workers() -> None:
    """At each fork, let stop signals end the worker while it starts.

    gunicorn's inherited signal handler would ignore them.
    """
    os.register_at_fork(  # the signals are blocked during the fork, so that none is lost
        before=partial(signal.pthread_sigmask, signal.SIG_BLOCK, STOPS),
        after_in_parent=partial(signal.pthread_sigmask, signal.SIG_UNBLOCK, STOPS),
        after_in_child=_reset_stop_signals,
    )


def _reset_stop_signals() -> None:
    for stop in STOPS:
        signal.signal(stop, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)
