"""The effects of requests: how a response is sent, what is counted, and where it is computed."""

import re
from pathlib import Path
from typing import Final

from flask.testing import FlaskClient

from best_move.web.api.handling import OVERLOADED, handling_of
from best_move.web.api.openapi import document
from best_move.web.api.responses import FOR_A_DAY
from best_move.web.observability.counts import COUNTS, LATENCY
from best_move.web.pages.files import STATIC_URL
from tests.plays import Shown, check_play

EFFECTS: Final = Path(__file__).with_name("effects.txt")

#  Counted with each request, or with each search.
EXPECTED: Final = {"best_move_requests", LATENCY, "best_move_nodes", "best_move_search_seconds"}
#  Headers of all responses, and those that the effects tell in other words.
USUAL: Final = {
    "Content-Type",
    "Content-Length",
    "Content-Encoding",
    "Cache-Control",
    "ETag",
    "X-Request-ID",
    "Access-Control-Allow-Origin",
    "Access-Control-Expose-Headers",
}
CACHING: Final = {FOR_A_DAY: "stored for a day", "": "nothing on caching"}


def effects_of(client: FlaskClient, action: str) -> Shown:
    """Send a request that accepts gzip: `POST /path (Header: value) body`; return its effects."""
    found = re.fullmatch(r"(\S+) (\S+)((?: \([^)]*\))*)(?: (.*))?", action)
    assert found, action
    method, target, options, text = found.groups(default="")
    headers = {"Accept-Encoding": "gzip", "Accept": "*/*"}
    headers |= dict(re.findall(r"\(([\w-]+): ([^)]*)\)", options))
    if method == "POST":
        headers["Content-Type"] = "application/json"
    overrides: dict[str, object] = {OVERLOADED: True} if "(too many wait)" in options else {}
    target = target.replace("/static/VERSION/", STATIC_URL)
    before = COUNTS.sums()
    response = client.open(
        target, method=method, data=text, headers=headers, environ_overrides=overrides
    )
    after = COUNTS.sums()
    kind = f"{response.status_code} {response.mimetype or 'without a body'}"
    caching = response.headers.get("Cache-Control", "")
    sent = [CACHING.get(caching, caching)]
    sent += ["ETag"] if "ETag" in response.headers else []
    sent += ["gzip"] if response.content_encoding == "gzip" else []
    sent += sorted(set(response.headers.keys()) - USUAL)
    path, _, query = target.partition("?")
    counted = [
        f"{' '.join(key).removeprefix('best_move_')} {count - before.get(key, 0):g}"
        for key, count in sorted(after.items())
        if key[0] not in EXPECTED and count != before.get(key, 0)
    ]
    thread = handling_of(path).thread_for(path, query, text.encode())
    where = [f"thread {thread}"] if thread else []
    return Shown([], {}, {kind: "; ".join([", ".join(sent), *counted, *where])})


def test_the_effects_are_those_that_are_approved(client: FlaskClient) -> None:
    """Each request has the effects below it."""
    check_play(EFFECTS, lambda actions: effects_of(client, "; ".join(actions)))


def test_each_operation_has_its_effects() -> None:
    """The play has a request for each operation of the OpenAPI document."""
    told = re.findall(r"^([A-Z]+) (/[^ ?\n]*)", EFFECTS.read_text(encoding="utf-8"), re.MULTILINE)
    paths = document()["paths"]
    operations = {(method.upper(), path) for path in paths for method in paths[path]}
    assert operations <= {*told}, "Add a request for the operation to effects.txt."
