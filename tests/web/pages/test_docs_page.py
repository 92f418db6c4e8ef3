"""The reference: docs.txt tells what it shows, and its code means the requests that it shows."""

import json
import random
import shlex
from collections.abc import Iterator
from email.message import Message
from io import BytesIO
from pathlib import Path
from typing import Any, Final, NamedTuple, Self
from unittest.mock import patch
from urllib import request
from urllib.error import HTTPError
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from flask import Flask

from best_move.web.api.openapi import document
from tests.fuzzing import EXAMPLES
from tests.web.pages.page import Element, Moment, Page, pages, text
from tests.web.pages.plays import Shown, check_play

PLAY: Final = Path(__file__).with_name("docs.txt")
LONGEST: Final = 60  # letters of a response that are told
LANGUAGES: Final = ("curl", "Python", "JavaScript")

#  What code does with a response, by its media type; a file of any other type is saved.
READ: Final = {"application/json": "json", "text/plain": "text"}


@pytest.fixture(scope="module")
def page(app: Flask) -> Iterator[Page]:
    """Run the scripts of the page."""
    with pages(app) as page:
        yield page


class Call:
    """A request as the page shows it: its fields, its code and its response."""

    def __init__(self, element: Element, moment: Moment) -> None:
        code = only(element, "div[@class='code']/pre")
        name = code.get("aria-label", "").removeprefix("Code of ")
        self.name: Final = name
        self.method, self.path = name.split() if "/" in name else ("GET", "/best-move")
        operation = document()["paths"][self.path][self.method.lower()]
        self.identifier: Final[str] = operation["operationId"]
        self.media: Final = next(iter(operation["responses"]["200"]["content"]))
        self.code: Final = "".join(code.itertext())
        self.language: Final = only(element, "div[@class='code']/select").get("live-value", "")
        self.written = element.get("data-text", "")
        self.parts: dict[str, str] = {}
        if element.tag == "form":
            note, status = element.iterfind(".//*[@class='note']")
            answer, picture = only(element, "pre"), only(element, "img")
            self.written = only(element, ".//textarea").get("live-value", "").strip()
            self.answer: Final = "".join(answer.itertext())
            self.parts |= {
                "text": self.written,
                "code": self.code,
                "note": text(note),
                "status": text(status),
                "response": text(answer)[:LONGEST].strip() if moment.is_visible(answer) else "",
                "picture": picture.get("src", "") if moment.is_visible(picture) else "",
            }


def only(element: Element, path: str) -> Element:
    """Return the only element at a path."""
    (found,) = element.iterfind(path)
    return found


def calls(moment: Moment) -> list[Call]:
    """Return all requests that a page shows."""
    return [Call(each, moment) for each in moment.body.iterfind(".//*[@class='call']")]


def test_the_play_is_performed_as_it_is_written(page: Page) -> None:
    """After each of the user's actions the page shows what docs.txt tells."""
    stage = Stage(page)
    check_play(PLAY, stage.perform)


class Stage:
    """The reference in a play, which tells of the requests that actions name or links lead to."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._named: set[str] = set()  # since the last visit

    def perform(self, actions: list[str]) -> Shown:
        """Perform actions, and judge what the page shows; return what it shows of requests."""
        done = self._page.do(*actions)
        if actions[0].startswith("visit "):
            self._named = set()
        parts = {"selected": done.selected}
        for call in calls(done.last):
            is_named = any(f" in Try {call.name}" in action for action in actions)
            if is_named or call.identifier == done.last.seen:
                self._named.add(call.name)
            if call.name in self._named:
                check_code(self._page, call)
                parts |= {f"{call.name} {name}": told for name, told in call.parts.items()}
            if f"click Send in Try {call.name}" in actions:
                check_response(self._page, call)
        events = {
            "in view": done.last.seen,
            "copied": "".join(done.copied),
            "sent": " ".join(done.urls),
            "left": done.last.left,
        }
        return Shown([], parts, events)


def test_the_code_of_each_request_means_the_request(page: Page) -> None:
    """In each language it sends the same URL and body, and treats the response as its type says."""
    page.do("visit /docs")
    for language in LANGUAGES:
        found = calls(page.do(f"choose Language in Try GET /best-move: {language}").last)
        assert len(found) > 14
        for call in found:
            assert call.language == language.lower()
            check_code(page, call)


def test_the_code_of_any_query_means_the_query(page: Page) -> None:
    """Names may be repeated, and values may contain any characters."""
    visited = page.do("visit /docs")
    names = [call.name for call in calls(visited.last) if call.parts and call.method == "GET"]
    for language in LANGUAGES:
        page.do(f"choose Language in Try GET /best-move: {language}")
        for seed in range(EXAMPLES // len(names)):
            dice = random.Random(seed)  # noqa: S311, the tests need no secret numbers
            queries = {name: any_query(dice) for name in names}
            written = [f"type Query in Try {name}: {query}" for name, query in queries.items()]
            for call in calls(page.do(*written).last):
                if call.name in names:
                    assert call.written == queries[call.name]
                    check_code(page, call)


def any_query(dice: random.Random) -> str:
    """Return a query with any names and values."""
    names = dice.choices(["board", "starts", "played", "seed"], k=dice.randrange(5))
    values = ["", "0", "0,4", "X...O....", "'\"\\ \u00e9"]
    query = urlencode([(name, dice.choice(values)) for name in names], safe=",'\\")
    return query + dice.choice(["", "?", "#a"])


#  The judge.


class Sent(NamedTuple):
    """A request, and what is done with its response: "json", "text" or "blob", a file."""

    path: str
    query: list[tuple[str, str]]
    body: Any
    read: str


def sent(url: str, body: Any, read: str) -> Sent:
    """Return a request to a URL."""
    parts = urlsplit(url)
    assert (parts.scheme, parts.netloc) == ("http", "localhost")
    return Sent(parts.path, parse_qsl(parts.query, keep_blank_values=True), body, read)


def check_code(page: Page, call: Call) -> None:
    """Assert that the code of a request means the request."""
    read = READ.get(call.media, "blob")
    url = f"http://localhost{call.path}"
    if call.method == "GET":
        right = sent(f"{url}?{call.written}", None, read)
    else:
        try:
            right = sent(url, json.loads(call.written), read)
        except json.JSONDecodeError:
            assert call.language == "curl" or call.code == "The body is not valid JSON."
            return
    match call.language:
        case "curl":
            found = sent_by_curl(call.code)
            assert (found.read == "blob") == (read == "blob")
            found = found._replace(read=read)
        case "python":
            found = Requested(call.code).sent()
        case "javascript":
            found = sent_by_javascript(page, call)
    assert found == right, call.code


def check_response(page: Page, call: Call) -> None:
    """Assert that the page shows the service's response."""
    is_get = call.method == "GET"
    url = f"{call.path}?{call.written}" if is_get else call.path
    response = page.respond(url, call.method, None if is_get else call.written)
    if call.parts["status"][:3] == response["status"] and call.parts["response"]:
        right = json.loads(response["body"])
        assert json.loads(call.answer) | {"elapsed_ms": 0} == right | {"elapsed_ms": 0}
        assert call.answer.startswith('{\n  "')


def sent_by_curl(code: str) -> Sent:
    """Return what a command sends."""
    words = shlex.split(code.replace("\\\n", ""))
    (url,) = (word for word in words if word.startswith("http"))
    body = json.loads(words[words.index("-d") + 1]) if "-d" in words else None
    assert ("Content-Type: application/json" in words) == (body is not None)
    return sent(url, body, "blob" if "-O" in words else "")


def sent_by_javascript(page: Page, call: Call) -> Sent:
    """Return what code in JavaScript sends."""
    ran = page.do(f'run [aria-label="Code of {call.name}"]').ran
    assert ran.get("method", "GET") == call.method
    if "body" in ran:
        assert ran["headers"] == {"Content-Type": "application/json"}
    return sent(ran["url"], json.loads(ran.get("body", "null")), ran["printed"])


class Requested:
    """What code in Python sends: it runs with this in the place of the standard library's."""

    def __init__(self, code: str) -> None:
        self.url = ""
        self.catches = "except HTTPError" in code
        self.body: Any = None
        self.file = ""
        self.read_as = ""
        with (
            patch.object(request, "urlopen", self._open),
            patch.object(request, "urlretrieve", self._save),
            patch("builtins.print", self._print),
        ):
            exec(compile(code, "code", "exec"), {})  # noqa: S102, the page's own code

    def sent(self) -> Sent:
        """Return the request."""
        if self.file:
            assert self.file == urlsplit(self.url).path.strip("/")
        return sent(self.url, self.body, "blob" if self.file else self.read_as)

    def _open(self, target: str | request.Request) -> Self:
        if isinstance(target, request.Request):
            assert target.headers == {"Content-type": "application/json"}
            assert isinstance(target.data, bytes)
            self.url, self.body = target.full_url, json.loads(target.data)
        else:
            self.url = target
        if self.catches:
            raise HTTPError(self.url, 400, "", Message(), BytesIO(b'{"detail": {}}'))
        return self

    def _save(self, url: str, file: str) -> None:
        self.url, self.file = url, file

    def _print(self, response: object) -> None:
        self.read_as = "text" if isinstance(response, str) else "json"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def read(self) -> bytes:
        """Return a response that is JSON as well as a text."""
        return b"{}"
