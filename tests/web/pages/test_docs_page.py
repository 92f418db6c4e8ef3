"""The reference: docs.txt tells what it shows, and its code means the requests that it shows."""

import json
import random
import shlex
from email.message import Message
from io import BytesIO
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch
from urllib import request
from urllib.error import HTTPError
from urllib.parse import parse_qsl, urlencode, urlsplit

from flask.testing import FlaskClient

from best_move.web.api.openapi import document
from tests.fuzzing import EXAMPLES
from tests.plays import Shown, check_play
from tests.web.pages.page import Element, Moment, Page, only, text

PLAY: Final = Path(__file__).with_name("docs.txt")
LONGEST: Final = 60  # letters of a response that are told
LANGUAGES: Final = ("curl", "Python", "JavaScript")

#  What code does with a response, by its media type; a file of any other type is saved.
READ: Final = {"application/json": "json", "text/plain": "text"}


class Call:
    """A request as the page shows it: its fields, its code and its response."""

    def __init__(self, element: Element, moment: Moment) -> None:
        code = only(element, "div[@class='code']/pre")
        self.name: Final = code.get("aria-label", "").removeprefix("Code of ")
        is_named = "/" in self.name  # unlike the first request
        self.method, self.path = self.name.split() if is_named else ("GET", "/best-move")
        operation = document()["paths"][self.path][self.method.lower()]
        media = next(iter(operation["responses"]["200"]["content"]))
        self.read: Final = READ.get(media, "blob")
        self.identifier: Final[str] = operation["operationId"]
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


def calls(moment: Moment) -> list[Call]:
    """Return all requests that a page shows."""
    return [Call(each, moment) for each in moment.body.iterfind(".//*[@class='call']")]


def test_the_play_is_performed_as_it_is_written(page: Page) -> None:
    """After each of the user's actions the page shows what docs.txt tells.

    It tells of the requests that actions name or links lead to, since the last visit.
    """
    named: set[str] = set()

    def perform(actions: list[str]) -> Shown:
        done = page.do(*actions)
        if actions[0].startswith("visit "):
            named.clear()
        parts = {"selected": done.selected}
        for call in calls(done.last):
            is_named = any(f" in Try {call.name}" in action for action in actions)
            if is_named or call.identifier == done.last.seen:
                named.add(call.name)
            if call.name in named:
                check_code(page, call)
                parts |= {f"{call.name} {name}": told for name, told in call.parts.items()}
            if f"click Send in Try {call.name}" in actions:
                check_response(page, call)
        events = {
            "in view": done.last.seen,
            "copied": "".join(done.copied),
            "sent": " ".join(done.urls),
            "left": done.last.left,
        }
        return Shown([], parts, events)

    check_play(PLAY, perform)


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
    dice = random.Random(1)  # noqa: S311, the tests need no secret numbers
    for language in LANGUAGES * (EXAMPLES // 20):
        queries = {}
        for name in names:
            chosen = dice.choices(["board", "starts", "played", "seed"], k=dice.randrange(5))
            values = ["", "0", "0,4", "X...O....", "'\"\\ \u00e9"]
            query = urlencode([(each, dice.choice(values)) for each in chosen], safe=",'\\")
            queries[name] = query + dice.choice(["", "?", "#a"])
        actions = [f"type Query in Try {name}: {query}" for name, query in queries.items()]
        actions.append(f"choose Language in Try GET /best-move: {language}")
        for call in calls(page.do(*actions).last):
            if call.name in names:
                assert call.written == queries[call.name]
                check_code(page, call)


def test_a_request_cannot_be_sent_before_the_script_runs(client: FlaskClient) -> None:
    """The buttons are disabled, because a click would submit the form."""
    page = client.get("/docs", headers={"Accept": "text/html"}).text
    assert page.count("<form") == page.count("disabled>Send</button>") > 6


#  The judge.


#  A request, and what is done with its response: its path, its query, its body, and "json", "text"
#  or "blob", a file.
Sent = tuple[str, list[tuple[str, str]], Any, str]


def sent(url: str, body: Any, read: str) -> Sent:
    """Return a request to a URL."""
    parts = urlsplit(url)
    assert (parts.scheme, parts.netloc) == ("http", "localhost")
    return parts.path, parse_qsl(parts.query, keep_blank_values=True), body, read


def check_code(page: Page, call: Call) -> None:
    """Assert that the code of a request means the request."""
    url, body = f"http://localhost{call.path}", None
    if call.method == "GET":
        url += f"?{call.written}"
    else:
        try:
            body = json.loads(call.written)
        except json.JSONDecodeError:
            assert call.language == "curl" or call.code == "The body is not valid JSON."
            return
    match call.language:
        case "curl":
            found = sent_by_curl(call)
        case "python":
            found = sent_by_python(call)
        case "javascript":
            found = sent_by_javascript(page, call)
    assert found == sent(url, body, call.read), call.code


def check_response(page: Page, call: Call) -> None:
    """Assert that the page shows the service's response."""
    is_get = call.method == "GET"
    url = f"{call.path}?{call.written}" if is_get else call.path
    response = page.respond(url, call.method, None if is_get else call.written)
    if call.parts["status"][:3] == response["status"] and call.parts["response"]:
        right = json.loads(response["body"])
        assert json.loads(call.answer) | {"elapsed_ms": 0} == right | {"elapsed_ms": 0}
        assert call.answer.startswith('{\n  "')


def sent_by_curl(call: Call) -> Sent:
    """Return what a command sends."""
    words = shlex.split(call.code.replace("\\\n", ""))
    (url,) = (word for word in words if word.startswith("http"))
    body = json.loads(words[words.index("-d") + 1]) if "-d" in words else None
    assert ("Content-Type: application/json" in words) == (body is not None)
    assert ("-O" in words) == (call.read == "blob")
    return sent(url, body, call.read)


def sent_by_javascript(page: Page, call: Call) -> Sent:
    """Return what code in JavaScript sends."""
    ran = page.do(f'run [aria-label="Code of {call.name}"]').ran
    assert ran.get("method", "GET") == call.method
    if "body" in ran:
        assert ran["headers"] == {"Content-Type": "application/json"}
    return sent(ran["url"], json.loads(ran.get("body", "null")), ran["printed"])


def sent_by_python(call: Call) -> Sent:
    """Return what code in Python sends: it runs with other functions in the place of urllib's."""
    is_error = "except HTTPError" in call.code
    error = HTTPError("", 400, "", Message(), BytesIO(b'{"detail": {}}'))
    with (
        patch.object(
            request, "urlopen", side_effect=[error if is_error else BytesIO(b"{}")]
        ) as asked,
        patch.object(request, "urlretrieve") as saved,
        patch("builtins.print") as printed,
    ):
        exec(compile(call.code, "code", "exec"), {})  # noqa: S102, the page's own code
    if saved.called:
        url, file = saved.call_args.args
        assert file == call.path.strip("/")
        return sent(url, None, "blob")
    (target,), (result,) = asked.call_args.args, printed.call_args.args
    assert result in ({}, "{}")
    read = "json" if result == {} else "text"
    if isinstance(target, str):
        return sent(target, None, read)
    assert target.headers == {"Content-type": "application/json"}
    return sent(target.full_url, json.loads(target.data), read)
