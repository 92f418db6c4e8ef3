"""Errors: the texts in errors/ tell all errors of the API and the tools; a judge checks them."""

import json
import logging
import re
from ast import literal_eval
from io import BytesIO
from pathlib import Path
from typing import Any, Final, NoReturn
from weakref import ref

import pytest
from flask.testing import EnvironBuilder, FlaskClient

from best_move.web.api.handling import OVERLOADED
from best_move.web.app import create_app
from best_move.web.settings import Settings
from tests.plays import Shown, check_play
from tests.readme import rows
from tests.web.chatbots.messages import called, message
from tests.web.conftest import problem
from tests.web.error_judge import APPROVED, check_call_error, check_problem, check_text

Json = dict[str, Any]


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    """Return a client of an application that names an origin, and that fails on one path."""
    app = create_app(Settings(cors_origins=("https://play.example",)))

    def fail(how: str) -> NoReturn:
        raise RuntimeError(how)

    app.add_url_rule("/fail/<how>", view_func=fail)
    return app.test_client()


#  What ends the body of a request -> the exception that the server raises.
ENDS: Final[dict[str, type[Exception]]] = {
    "the client waits": TimeoutError,
    "the client disconnects": EOFError,
    "a chunk is broken": AssertionError,
}


class Body(BytesIO):
    """The input stream of a request; to read on after its bytes may raise an exception."""

    def __init__(self, received: bytes, end: type[Exception] | None) -> None:
        super().__init__(received)
        self.end = end

    def read(self, size: int | None = -1, /) -> bytes:
        """Return the bytes, a few at a time; raise the exception after the last one."""
        part = super().read(min(size or 0, 7))
        if not part and self.end:
            raise self.end
        return part


def asked(client: FlaskClient, action: str) -> EnvironBuilder:
    """Return a request of a play: `POST /path (Header: value) (then: what ends the body) body`.

    The body is a text, or bytes as Python writes them.
    """
    found = re.fullmatch(r"([A-Z]+) (\S+)((?: \([\w-]+: ?[^)]*\))*)(?: (.*))?", action)
    assert found, action
    method, target, options, text = found.groups(default="")
    body = literal_eval(text) if text.startswith("b'") else text.encode()
    headers = {}
    if method == "POST":
        headers = {"Content-Type": "application/json", "Content-Length": str(len(body))}
    headers |= dict(re.findall(r"\(([\w-]+): ?([^)]*)\)", options))
    then = headers.pop("then", "")
    environ: dict[str, Any] = {"wsgi.input": Body(body, ENDS.get(then))}
    if then == "too many wait":
        environ[OVERLOADED] = True
    if "Transfer-Encoding" in headers:
        environ["wsgi.input_terminated"] = True
        headers.pop("Content-Length", None)
    for name, value in headers.items():
        key = name.upper().replace("-", "_")
        environ[key if key in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{key}"] = value
    return EnvironBuilder(client.application, target, method=method, environ_overrides=environ)


def details(answer: Json, kind: str) -> dict[str, str]:
    """Return the details of a problem's errors, and its own unless it only joins these."""
    errors = answer.get("errors", [])
    found = {}
    if answer["detail"] != " ".join(error["detail"] for error in errors):
        found[kind] = answer["detail"]
    for error in errors:
        found[f"{kind} {error['pointer']} {error['code']}"] = error["detail"]
    return found


@pytest.mark.parametrize("play", APPROVED, ids=lambda play: play.stem)
def test_the_errors_are_those_that_are_approved(client: FlaskClient, play: Path) -> None:
    """Each request gets the errors below it, and each of them has its form."""

    def errors_of(action: str) -> dict[str, str]:
        name, _, text = action.partition(" ")
        if name.islower():  # a tool
            arguments = json.loads(text)
            result = called(name, **arguments)
            assert result["isError"]
            assert "structuredContent" not in result
            (content,) = result["content"]
            check_call_error(name, arguments, content["text"])
            return {"error": content["text"]}
        response = client.open(asked(client, action))
        status = response.status_code
        answer = response.get_json()
        if "error" in answer:  # to a message of a chat client
            error = answer["error"]
            check_text(error["message"])
            return {f"{status} id {json.dumps(answer['id'])} {error['code']}": error["message"]}
        problems = {"": answer}
        if status == 200:  # that of a batch
            results = enumerate(answer["results"])
            problems = {f" results/{index}": each["problem"] for index, each in results}
        else:
            problem(response, status, answer["code"])
        body = re.fullmatch(r"POST [^ ?]+ ([^(].*)", action)
        found: dict[str, str] = {}
        for place, each in problems.items():
            if each:
                check_problem(each, json.loads(body[1]) if body and each.get("errors") else None)
                found |= details(each, f"{status}{place} {each['code']}")
        return found

    check_play(play, lambda actions: Shown([], {}, errors_of("; ".join(actions))))


@pytest.mark.parametrize("play", APPROVED, ids=lambda play: play.stem)
@pytest.mark.usefixtures("no_collection")
def test_an_error_keeps_nothing_of_its_request(
    client: FlaskClient, play: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """When its response has been sent, a request with an error leaves no body in memory."""
    caplog.set_level(logging.CRITICAL)  # pytest keeps the errors that are logged
    for action in re.findall(r"^\w.*", play.read_text(encoding="utf-8"), re.MULTILINE):
        name, _, text = action.partition(" ")
        request = action
        if name.islower():  # a tool
            call = message("tools/call", {"name": name, "arguments": json.loads(text)})
            request = f"POST /mcp {json.dumps(call)}"
        environ = asked(client, request).get_environ()
        body = ref(environ["wsgi.input"])
        response = client.application(environ, lambda *_: bytes)
        assert b"".join(response)
        del environ, response
        assert body() is None, action


def test_each_documented_code_has_an_approved_error() -> None:
    """The codes in the table of API.md are those of the approved errors."""
    documented = {code for row in rows("Error codes") for code in re.findall(r"`(\w+)`", str(row))}
    approved: set[str] = set()
    for play in APPROVED:
        for line in play.read_text(encoding="utf-8").splitlines():
            kind = re.match(r"  \d+ (?:results/\d+ )?([a-z_]+)(?: #\S* (\w+))?:", line)
            approved |= {code for code in kind.groups() if code} if kind else set()
    assert documented - {"CORS_ORIGINS", "detail", "Allow"} == approved
