"""The Model Context Protocol over standard input and output: one message per line."""

import logging
import signal
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress

from mcp_types import jsonrpc
from pydantic_core import to_json

from best_move.web.api.strict_json import Json
from best_move.web.chatbots.protocol import exchange, id_of

log = logging.getLogger(__name__)  # writes warnings and errors to standard error

_HINT = (
    "A chat client starts this command and writes messages of the Model Context Protocol to it, "
    "one per line. Press Ctrl-D to end it. For a server over HTTP, run best-move serve."
)


def main() -> None:
    """Answer messages until the input ends, the output has no reader, or a signal to stop comes."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: sys.exit())
    if sys.stdin is None or sys.stdout is None:
        sys.exit(
            "Standard input or output is closed. "
            "Start this command from a chat client, which opens both."
        )
    if sys.stdin.isatty():
        print(_HINT, file=sys.stderr)  # noqa: T201, for a user at a terminal
    with suppress(BrokenPipeError):
        serve(sys.stdin.buffer, _write)


def serve(lines: Iterable[bytes], write: Callable[[bytes], object]) -> None:
    """Write the response to each message, or an error for a line that is not a message."""
    for line in lines:
        if not line.strip():
            continue
        answer = _answer(line)
        if answer is not None:
            write(to_json(answer) + b"\n")


def _answer(line: bytes) -> Json | None:
    try:
        #  The default is a revision with a handshake. The agreed one is not kept, because all
        #  revisions with a handshake have the same results: mcp_types has one schema for them.
        return exchange(line)[1]
    except Exception:
        log.exception("unhandled exception")
        error = {
            "code": jsonrpc.INTERNAL_ERROR,
            "message": "This is a bug in the service; it has been logged.",
        }
        return {"jsonrpc": "2.0", "id": id_of(line), "error": error}


def _write(line: bytes) -> None:
    sys.stdout.buffer.write(line)
    sys.stdout.buffer.flush()
