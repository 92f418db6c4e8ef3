"""Errors: the texts in errors/ tell all errors of the API and the tools; a judge checks them."""

import json
import re
from ast import literal_eval
from io import BytesIO
from pathlib import Path
from typing import Any, Final, NamedTuple, NoReturn

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from best_move.web.app import create_app
from best_move.web.settings import Settings
from tests.readme import rows
from tests.web.chatbots.messages import Json, called
from tests.web.conftest import problem
from tests.web.error_judge import APPROVED, check_call_error, check_problem, check_text
from tests.web.pages.plays import Shown, check_play

ORIGIN: Final = "https://play.example"  # the only one that is allowed


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    """Return a client of an application that names an origin, and that fails on one path."""
    app = create_app(Settings(cors_origins=(ORIGIN,)))

    def fail(how: str) -> NoReturn:
        raise RuntimeError(how)

    app.add_url_rule("/fail/<how>", view_func=fail)
    return app.test_client()


#  What ends the body of a request -> the exception that the server raises.
ENDS: Final[dict[str, Exception]] = {
    "the client waits": TimeoutError(),
    "the client disconnects": EOFError(),
    "a chunk is broken": AssertionError("no size of a chunk"),
}


class Body(BytesIO):
    """The input stream of a request; to read on after its bytes may raise an exception."""

    def __init__(self, received: bytes, end: Exception | None) -> None:
        super().__init__(received)
        self.end = end

    def read(self, size: int | None = -1, /) -> bytes:
        """Return the bytes, a few at a time; raise the exception after the last one."""
        part = super().read(min(size or 0, 7))
        if not part and self.end:
            raise self.end
        return part


class Sent(NamedTuple):
    """A request of the play: method, target, headers, what ends the body, and the body."""

    method: str
    target: str
    headers: dict[str, str]
    end: Exception | None
    body: bytes


def parsed(action: str) -> Sent:
    """Return a request of the play: `POST /path (Header: value) (then: what ends it) body`.

    The body is a text, or bytes as Python writes them.
    """
    found = re.fullmatch(r"([A-Z]+) (\S+)((?: \([\w-]+: ?[^)]*\))*)(?: (.*))?", action)
    assert found, action
    method, target, options, body = found.groups(default="")
    headers = dict(re.findall(r"\(([\w-]+): ?([^)]*)\)", options))
    end = headers.pop("then", None)
    data = literal_eval(body) if body.startswith("b'") else body.encode()
    return Sent(method, target, headers, end and ENDS[end], data)


def send(client: FlaskClient, sent: Sent) -> TestResponse:
    """Send a request."""
    environ: dict[str, Any] = {"wsgi.input": Body(sent.body, sent.end)}
    if sent.method == "POST":
        environ |= {"CONTENT_TYPE": "application/json", "CONTENT_LENGTH": str(len(sent.body))}
    for name, value in sent.headers.items():
        key = name.upper().replace("-", "_")
        is_own = key in ("CONTENT_TYPE", "CONTENT_LENGTH")  # which WSGI has without the prefix
        environ[key if is_own else f"HTTP_{key}"] = value
    if "Transfer-Encoding" in sent.headers:
        environ["wsgi.input_terminated"] = True
        environ.pop("CONTENT_LENGTH", None)
    return client.open(sent.target, method=sent.method, environ_overrides=environ)


def problems_of(response: TestResponse) -> list[tuple[str, Json]]:
    """Return the problems in a response, each with its place in a batch."""
    content = response.get_json()
    results = content.get("results")
    if results is None:
        return [("", content)]
    return [
        (f" results/{index}", result["problem"])
        for index, result in enumerate(results)
        if result["problem"]
    ]


def told(client: FlaskClient, action: str) -> dict[str, str]:
    """Return the errors that a request or a call gets: where and of which kind -> the text.

    Each passes the judge.
    """
    name, _, arguments = action.partition(" ")
    if name.islower():
        return {"error": error_of_call(name, json.loads(arguments))}
    sent = parsed(action)
    response = send(client, sent)
    content = response.get_json()
    if "error" in content:
        error = content["error"]
        check_text(error["message"])
        kind = f"{response.status_code} id {json.dumps(content['id'])} {error['code']}"
        return {kind: error["message"]}
    if response.status_code != 200:  # that of a batch
        problem(response, response.status_code, content["code"])
    is_in_body = sent.method == "POST" and "?" not in sent.target
    found = {}
    for place, each in problems_of(response):
        errors = each.get("errors", [])
        check_problem(each, json.loads(sent.body) if errors and is_in_body else None)
        kind = f"{response.status_code}{place} {each['code']}"
        if each["detail"] != " ".join(error["detail"] for error in errors):
            found[kind] = each["detail"]
        for error in errors:
            found[f"{kind} {error['pointer']} {error['code']}"] = error["detail"]
    return found


def error_of_call(tool: str, arguments: Json) -> str:
    """Return the text of an error of a tool, which has no other content, and passes the judge."""
    result = called(tool, **arguments)
    assert result["isError"]
    assert "structuredContent" not in result
    (content,) = result["content"]
    text: str = content["text"]
    check_call_error(tool, arguments, text)
    return text


@pytest.mark.parametrize("play", APPROVED, ids=lambda play: play.stem)
def test_the_errors_are_those_that_are_approved(client: FlaskClient, play: Path) -> None:
    """Each request gets the errors below it, and each of them has its form."""
    check_play(play, lambda actions: Shown([], {}, told(client, "; ".join(actions))))


def test_each_documented_code_has_an_approved_error() -> None:
    """The codes in the table of API.md are those of the approved errors."""
    documented = {code for row in rows("Error codes") for code in re.findall(r"`(\w+)`", str(row))}
    approved: set[str] = set()
    for play in APPROVED:
        for line in play.read_text(encoding="utf-8").splitlines():
            kind = re.match(r"  \d+ (?:results/\d+ )?([a-z_]+)(?: #\S* (\w+))?:", line)
            approved |= {code for code in kind.groups() if code} if kind else set()
    assert documented - {"CORS_ORIGINS", "detail", "Allow"} == approved
