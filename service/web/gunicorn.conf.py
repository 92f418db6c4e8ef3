"""How gunicorn serves the oracle; each setting has its reason."""

import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import service
from service.web.config import Config, SettingError

if TYPE_CHECKING:
    from gunicorn.arbiter import Arbiter

try:
    settings = Config.from_environment()
except SettingError as error:
    sys.exit(str(error))

wsgi_app = "service.web:create_app()"
bind = settings.bind

# What is imported here is what is served, whichever folder the server was started in.
chdir = str(Path(service.__file__).parents[1])

# Threads let a worker answer while others of its clients are slow to send or to read.
worker_class = "gthread"
workers = settings.workers
threads = 16

# Memory, so that the heartbeat works on a read-only disk and never waits for one.
worker_tmp_dir = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108, shared memory is no temporary folder

# Nothing talks to it, and a file less is written.
control_socket_disable = True


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
            sys.exit(f"Cannot listen on {settings.bind}: {error.strerror}. Set HOST or PORT, as in: make run PORT=8001")
