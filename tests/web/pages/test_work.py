"""The work of a page: little, whatever the request's URL and headers are.

While a page is rendered, others wait: those of its thread, or all requests if it is rendered in the
event loop. The work is the number of calls, because a time would depend on the machine.
"""

import sys
from wsgiref.types import WSGIApplication

import pytest
from werkzeug.test import create_environ, run_wsgi_app

from best_move.web.serving.server import Server
from best_move.web.settings import Settings
from tests.web.pages.served import BROWSER, PAGES

MAX_CALLS = 40_000  # 5 ms on a slow machine; the largest page has 5,000

#  Queries and fields of almost as many bytes as gunicorn accepts.
QUERIES = {
    "none": "",
    "many names": "&".join(f"{number:x}=1" for number in range(8_000)),
    "a name many times": "board&" * 10_000,
    "many moves": "played=" + "0," * 32_000,
    "moves many times": "played=0&" * 7_000,
    "a path of many moves": "board=.........&node=" + "0," * 21_000,
    "escapes": "board=" + "%3C" * 21_000,
}
FIELDS = {
    "none": {},
    "Host": {"Host": "a" * 4_000},
    "X-Forwarded-Prefix": {"X-Forwarded-Prefix": "\xff" * 4_000},
    "Accept": {"Accept": "text/html," + "a/b;q=0.1," * 400},
    "Accept-Encoding": {"Accept-Encoding": "gzip;q=0," * 400},
    "If-None-Match": {"If-None-Match": '"a",' * 1_000},
    "Cookie": {"Cookie": "a=b;" * 1_000},
}


@pytest.fixture(scope="module")
def served() -> WSGIApplication:
    """Return the application as a server loads it."""
    return Server(Settings()).load().app


@pytest.mark.parametrize(
    ("query", "fields"),
    [*((query, "none") for query in QUERIES), *(("none", name) for name in FIELDS)],
)
@pytest.mark.parametrize("path", [*PAGES, "/nowhere"])
def test_a_page_takes_little_work(
    served: WSGIApplication, path: str, query: str, fields: str
) -> None:
    """A query that is longer than that of any position is not read.

    Templates are compiled, and the reference is rendered, before the workers start.
    """
    headers = BROWSER | FIELDS[fields]
    environ = create_environ(path, query_string=QUERIES[query], headers=headers)
    count = 0

    def note(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    sys.setprofile(note)
    try:
        run_wsgi_app(served, environ, buffered=True)
    finally:
        sys.setprofile(None)
    assert count < MAX_CALLS
