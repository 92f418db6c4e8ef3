"""The reference shows and sends what its requests mean: Node.js runs its scripts in a document."""

import ast
import json
import random
import re
import shlex
from collections.abc import Iterator
from typing import Any, Self
from urllib import request
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.fuzzing import EXAMPLES
from tests.web.pages.scripts import Scripts, running

Shown = dict[str, Any]
LANGUAGES = ("curl", "python", "javascript")


class Page:
    """The scripts of the reference in Node.js, whose requests the application answers."""

    def __init__(self, client: FlaskClient, scripts: Scripts) -> None:
        self._client = client
        self._scripts = scripts
        self.is_cut_off = False  # whether requests get no response

    def do(self, *gestures: tuple[str, Any]) -> Shown:
        """Perform actions; return what the page shows."""
        self._scripts.write(gestures)
        message: Shown = self._scripts.read()
        while "calls" not in message:
            self._scripts.write(self._ask(**message))
            message = self._scripts.read()
        return message

    def _ask(self, url: str, method: str = "GET", body: str | None = None) -> dict[str, Any] | None:
        if self.is_cut_off and url != "docs":
            return None
        media = None if body is None else "application/json"
        response = self._client.open(url, method=method, data=body, content_type=media)
        text = "" if response.mimetype == "image/png" else response.text
        return {"status": response.status_code, "type": response.content_type, "body": text}

    def index(self, name: str) -> int:
        """Return the index of the call of a request."""
        names = [call["request"] for call in self.do(("media", []))["calls"]]
        return names.index(f"Code of {name}")


@pytest.fixture(scope="module")
def program(app: Flask) -> Iterator[Page]:
    """Run the scripts of the reference."""
    with running("docs_page.mjs") as scripts:
        yield Page(app.test_client(), scripts)


@pytest.fixture
def page(program: Page) -> Page:
    """Open the reference."""
    program.is_cut_off = False
    program.do(("visit", "/docs"))
    return program


class Requested:
    """What code in Python requests: it runs with this in the place of the standard library's."""

    def __init__(self, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
        self.url = ""
        self.body: Any = None
        self.file: str | None = None
        monkeypatch.setattr(request, "urlopen", self._open)
        monkeypatch.setattr(request, "urlretrieve", self._save)
        exec(compile(code, "code", "exec"), {})  # noqa: S102, the page's own code

    def _open(self, target: str | request.Request) -> "Requested":
        if isinstance(target, request.Request):
            assert target.headers == {"Content-type": "application/json"}
            assert isinstance(target.data, bytes)
            self.url, self.body = target.full_url, json.loads(target.data)
        else:
            self.url = target
        return self

    def _save(self, url: str, file: str) -> None:
        self.url, self.file = url, file

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def read(self) -> bytes:
        """Return a response that is JSON as well as a text."""
        return b"{}"


def address(url: str) -> tuple[str, list[tuple[str, str]]]:
    """Return a URL as its path and its parameters."""
    parts = urlsplit(url)
    assert (parts.scheme, parts.netloc) == ("http", "localhost")
    return parts.path, parse_qsl(parts.query, keep_blank_values=True)


def test_the_code_of_each_request_means_the_request(
    page: Page,
    client: FlaskClient,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """In each language it sends the same URL and body, and treats the response as its type says."""
    shown = {name: page.do(("language", (3, name)))["calls"] for name in LANGUAGES}
    assert len(shown["curl"]) > 14
    for index, (curl, python, javascript) in enumerate(zip(*shown.values(), strict=True)):
        assert [each["language"] for each in (curl, python, javascript)] == [*LANGUAGES]
        name = curl["request"].removeprefix("Code of ")
        words = shlex.split(curl["code"].replace("\\\n", ""))
        url = next(word for word in words if word.startswith("http"))
        body = json.loads(words[words.index("-d") + 1]) if "-d" in words else None
        assert (name.startswith("POST")) == (body is not None)
        assert ("-H" in words) == (body is not None)
        if name != "the first request":
            assert address(url)[0] == name.split()[1]
        answer = client.post(url, json=body) if body is not None else client.get(url)
        is_json = answer.mimetype == "application/json"
        is_text = is_json or answer.mimetype == "text/plain"
        by_python = Requested(python["code"], monkeypatch)
        assert (address(by_python.url), by_python.body) == (address(url), body)
        assert (by_python.file is None) == (is_text or body is not None)
        assert by_python.file in (None, address(url)[0].strip("/"))
        assert ("-O" in words) == (by_python.file is not None)
        printed = capsys.readouterr().out
        assert printed == ("" if by_python.file else "{}\n")
        assert ("json.load(" in python["code"]) == is_json
        requested = page.do(("run", index))["requested"]
        assert address(requested["url"]) == address(url)
        assert json.loads(requested.get("body", "null")) == body
        if body is not None:
            assert requested["method"] == "POST"
            assert requested["headers"] == {"Content-Type": "application/json"}
        kind = "json" if is_json else "text" if is_text else "blob"
        assert requested.get("printed", "json" if not is_text else None) in (kind, "json", "blob")


def test_the_code_of_any_query_means_the_query(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names may be repeated, and values may contain any characters."""
    indices = [page.index("GET /best-move"), page.index("GET /board.svg")]
    for seed in range(EXAMPLES):
        dice = random.Random(seed)  # noqa: S311, the tests need no secret numbers
        names = dice.choices(["board", "starts", "played", "seed"], k=dice.randrange(5))
        fields = [(name, dice.choice(["", "0", "0,4", "X...O....", "'\"\\ é"])) for name in names]
        query = urlencode(fields, safe=dice.choice(["", ",'\\"])) + dice.choice(["", "?", "#a"])
        for index in indices:
            code = {}
            for language in LANGUAGES:
                shown = page.do(("language", (0, language)), ("text", (index, query)))
                code[language] = shown["calls"][index]["code"]
            (url,) = (word for word in shlex.split(code["curl"]) if word.startswith("http"))
            by_python = Requested(code["python"], monkeypatch)
            by_javascript = page.do(("run", index))["requested"]  # the language shown last
            assert address(by_python.url) == address(url), query
            assert address(by_javascript["url"]) == address(url), query
            assert by_python.file in (None, "board.svg")


def test_constants_are_written_as_python_writes_them(page: Page) -> None:
    """Only outside of texts."""
    index = page.index("POST /best-move")
    body = {"board": 'a "true" null', "played": None, "analysis": True, "x": [False, 1.5]}
    page.do(("language", (0, "python")))
    code = page.do(("text", (index, json.dumps(body))))["calls"][index]["code"]
    literal = code.partition("body = ")[2].partition("\nheaders")[0]
    assert ast.literal_eval(literal) == body
    broken = page.do(("text", (index, '{"board": ')))["calls"][index]
    assert broken["code"] == "The body is not valid JSON."
    quoted = page.do(("language", (0, "curl")), ("text", (index, '{"a": "it\'s"}')))
    assert shlex.split(quoted["calls"][index]["code"].replace("\\\n", ""))[-1] == '{"a": "it\'s"}'


def test_a_changed_query_is_sent_and_answered(page: Page, client: FlaskClient) -> None:
    """The response is shown with its status; a picture as a picture."""
    index = page.index("GET /best-move")
    assert page.do(("media", []))["calls"][index]["isDisabled"] is False
    first = page.do(("example", (index, 1)))["calls"][index]
    assert first["text"] in first["code"]
    changed = page.do(("text", (index, " board=XX.OO.... ")))["calls"][index]
    assert changed["example"] == "Custom"
    assert "best-move?board=XX.OO....'" in changed["code"]
    answer = page.do(("send", index))
    assert answer["urls"] == ["http://localhost/best-move?board=XX.OO...."]
    assert not answer["isLeft"]
    shown = answer["calls"][index]
    assert shown["note"] == "200 application/json"
    expected = client.get("/best-move?board=XX.OO....").get_json()
    found = json.loads(shown["answer"])
    assert found | {"elapsed_ms": 0} == expected | {"elapsed_ms": 0}
    assert shown["answer"].startswith('{\n  "')
    wrong = page.do(("text", (index, "board=X")), ("send", index))["calls"][index]
    assert wrong["note"] == "400 application/problem+json"
    assert page.do(("text", (index, "")), ("send", index))["urls"] == ["http://localhost/best-move"]
    picture = page.index("GET /board.svg")
    drawn = page.do(("send", picture))["calls"][picture]
    assert drawn["picture"].startswith("http://localhost/board.svg?")
    assert drawn["answer"] is None
    page.is_cut_off = True
    lost = page.do(("text", (picture, "board=X........")), ("send", picture))["calls"][picture]
    assert lost["note"] == "No connection: the service is not responding. Send again later."
    assert (lost["picture"], lost["answer"]) == (None, None)


def test_the_body_of_a_request_is_sent(page: Page, client: FlaskClient) -> None:
    """Its response is shown."""
    index = page.index("POST /best-move")
    shown = page.do(("example", (index, 0)), ("send", index))["calls"][index]
    expected = client.post("/best-move", json=json.loads(shown["text"])).get_json()
    assert json.loads(shown["answer"]) | {"elapsed_ms": 0} == expected | {"elapsed_ms": 0}


def test_a_link_fills_in_the_query_of_its_request(page: Page) -> None:
    """The fragment names the request, which is brought into view."""
    query = "board=X.O.O.X..&algorithm=minimax"
    shown = page.do(("visit", f"/docs?{query}#getSearchTree"))
    texts = {call["request"]: call["text"] for call in shown["calls"]}
    assert texts["Code of GET /search-tree"] == query
    assert [*texts.values()].count(query) == 1
    assert shown["seen"] == "getSearchTree"
    (call,) = (each for each in shown["calls"] if each["text"] == query)
    assert query in call["code"]


def test_a_link_leads_to_any_element(page: Page, client: FlaskClient) -> None:
    """The element, such as the target of the skip link, may be outside of all requests."""
    elements = re.findall(r'<(\w+)[^<]*\sid="(.*?)"', client.get("/docs").text)
    names = dict(elements)  # the last of each kind of element
    assert names["main"] == "reference"
    for name in names.values():
        assert page.do(("visit", f"/docs?board=X...O....#{name}"))["seen"] == name


def test_code_is_copied(page: Page) -> None:
    """A note says so for two seconds; if it is not allowed, the code is selected."""
    answer = page.do(("copy", 0), ("wait", 1_999))
    assert answer["copied"] == [answer["calls"][0]["code"]]
    assert answer["calls"][0]["copied"] == "Copied."
    assert page.do(("wait", 1))["calls"][0]["copied"] == ""
    answer = page.do(("media", ["no clipboard"]), ("copy", 0), ("wait", 0))
    assert answer["calls"][0]["copied"] == "Selected. Press Ctrl+C or \u2318C."
