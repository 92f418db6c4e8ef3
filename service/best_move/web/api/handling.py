"""How requests are handled: how long a body may be, and in which thread a request runs."""

import re
from typing import Literal, NamedTuple
from urllib.parse import unquote_to_bytes

Thread = Literal["batches", "searches", "drawing", "writing"]

MAX_BYTES = 64 * 1024  # in a body, and in a request line (see server.py)
#  Enough for X's 2,423 boards, each with nine numbers in full precision (0 for a taken cell).
MAX_PLAYER_BYTES = 320 * 1024
#  In a chat client's message, because a malicious one costs as much as many calls.
MAX_MESSAGE_BYTES = 16 * 1024

MAX_CONNECTIONS = 1000  # per worker
#  Requests that may wait for a thread, as many as nginx lets one address send at once. Fewer would
#  let most of a hundred clients ask again at once, and their rejections would delay others more
#  than their searches do. A request may belong to a client that has left, because a closed
#  connection cannot be told from a half-closed one: so this limit also bounds the work for nobody.
MAX_WAITING = 100
#  Requests that may wait for each thread. A page and a chat message take 2 ms at most.
WAITING: dict[Thread, int] = {
    "batches": MAX_WAITING,
    "searches": MAX_WAITING,
    "drawing": MAX_WAITING,
    "writing": MAX_CONNECTIONS,
}

#  Key in the WSGI environment of a request that is rejected because too many others wait.
OVERLOADED = "best_move.overloaded"
#  Key of a function that a view in a thread calls between two searches, to let others come first.
PAUSE = "best_move.pause"

#  A longer request has a thread, because a kilobyte of short fields takes up to 0.3 ms to read.
MAX_QUICK_BYTES = 1024

#  A search for one move can take more than a millisecond only if the query or the body has one of
#  these words. A backslash in a body can stand for a letter.
_SLOW_SEARCH = re.compile(rb"minimax|trap|best_odds|\\", re.IGNORECASE)


class Handling(NamedTuple):
    """How requests to a path are handled.

    A body may have `max_bytes`. The application is called in the thread, or in the event loop if it
    is None, or if there is a pattern `slow` that is not found in the request. A long request is
    always called in a thread: `writing` if the path has none.
    """

    max_bytes: int = MAX_BYTES
    thread: Thread | None = None
    slow: re.Pattern[bytes] | None = None

    def thread_for(self, path: str, query: str, body: bytes) -> Thread | None:
        """Return the thread for a request, or None for the event loop."""
        if len(path) + len(query) + len(body) > MAX_QUICK_BYTES:
            return self.thread or "writing"
        if self.slow and not self.slow.search(unquote_to_bytes(query) + body):
            return None
        return self.thread


_DEFAULT = Handling()
#  Searches, reviews of players and the tablebase share a thread, because a process runs one of them
#  at a time. Batches have another, because they can take ten times as long. Pages and chat messages
#  have a third, because they take two milliseconds at most and need not wait for searches.
_BY_PATH = {
    "": Handling(thread="writing"),
    "/search": Handling(thread="writing"),
    "/best-move": Handling(thread="searches", slow=_SLOW_SEARCH),
    "/best-moves": Handling(thread="batches"),
    "/board.png": Handling(thread="drawing"),
    "/tree.png": Handling(thread="drawing"),
    "/mcp": Handling(MAX_MESSAGE_BYTES, "writing"),
    "/player-review": Handling(MAX_PLAYER_BYTES, "searches"),
    "/search-tree": Handling(thread="searches"),
    "/number-tree": Handling(thread="searches"),
    "/tablebase.csv": Handling(thread="searches"),
}


def handling_of(path: str) -> Handling:
    """Return how requests to a path are handled."""
    return _BY_PATH.get(path.rstrip("/"), _DEFAULT)  # / is "", and /mcp/ is a path, too
