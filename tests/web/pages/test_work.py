"""The work of a page: little, whatever the request's URL and headers are.

A page is rendered in the event loop, where other requests wait for it. The work is the number of
calls, because a time would depend on the machine.
"""

import sys
from wsgiref.types import WSGIApplication

import pytest
from werkzeug.test import create_environ, run_wsgi_app

from best_move.web.serving.server import Server
from best_move.web.settings import Settings
from tests.web.pages.served import BROWSER, PAGES

MAX_CALLS = 40_000  # 5 ms on a slow machine; the largest page has 5,000

QUERY = 64_000  # bytes, almost as many as gunicorn accepts
QUERIES = {
    "many names": "&".join(f"{number:x}=1" for number in range(QUERY // 8)),
    "a name many times": "board&" * (QUERY // 6),
    "many moves": "played=" + "0," * (QUERY // 2),
    "moves many times": "played=0&" * (QUERY // 9),
    "a path of many moves": "board=.........&node=" + "0," * (QUERY // 3),
    "escapes": "board=" + "%3C" * (QUERY // 3),
}
FIELD = 4_000  # bytes, almost as many as gunicorn accepts
FIELDS = {
    "Host": "a" * FIELD,
    "X-Forwarded-Prefix": "\xff" * FIELD,
    "Accept": "text/html," + "a/b;q=0.1," * (FIELD // 10),
    "Accept-Encoding": "gzip;q=0," * (FIELD // 9),
    "If-None-Match": '"a",' * (FIELD // 4),
    "Cookie": "a=b;" * (FIELD // 4),
}


@pytest.fixture(scope="module")
def served() -> WSGIApplication:
    """Return the application as a server loads it."""
    return Server(Settings()).load().app


def calls(app: WSGIApplication, path: str, query: str = "", **fields: str) -> int:
    """Return how many calls of functions a browser's GET takes."""
    environ = create_environ(path, query_string=query, headers=BROWSER)
    environ |= {f"HTTP_{name.upper().replace('-', '_')}": text for name, text in fields.items()}
    count = 0

    def note(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    sys.setprofile(note)
    try:
        run_wsgi_app(app, environ, buffered=True)
    finally:
        sys.setprofile(None)
    return count


def test_the_first_request_of_a_page_takes_little_work(served: WSGIApplication) -> None:
    """Templates are compiled, and the reference is rendered, before the workers start."""
    assert max(calls(served, path) for path in [*PAGES, "/nowhere"]) < MAX_CALLS


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("path", [*PAGES, "/nowhere"])
def test_a_page_takes_little_work_whatever_the_headers_are(
    served: WSGIApplication, path: str, field: str
) -> None:
    """Each header may be as long as the server accepts."""
    assert calls(served, path, **{field: FIELDS[field]}) < MAX_CALLS


@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize("path", PAGES)
def test_a_page_takes_little_work_whatever_the_query_is(
    served: WSGIApplication, path: str, query: str
) -> None:
    """A query that is longer than that of any position is not read."""
    assert calls(served, path, QUERIES[query]) < MAX_CALLS
