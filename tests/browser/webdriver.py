"""The installed WebKit and Firefox, driven by the commands of W3C WebDriver.

Debian has no package of Firefox's driver, so Firefox gets the commands through Marionette, which is
built into it.
"""

import json
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from tests.processes import SECONDS_TO_WAIT, next_line, wait_until

#  The key under which WebDriver puts an element's identifier.
ELEMENT: Final = "element-6066-11e4-a52e-4f735466cecf"

#  The name of a command in Marionette -> its method and path in WebDriver.
PATHS: Final = {
    "ElementClick": ("POST", "element/{id}/click"),
    "ExecuteScript": ("POST", "execute/sync"),
    "FindElement": ("POST", "element"),
    "GetWindowHandles": ("GET", "window/handles"),
    "Navigate": ("POST", "url"),
    "SetWindowRect": ("POST", "window/rect"),
    "SwitchToWindow": ("POST", "window"),
}

Send = Callable[[str, dict[str, Any]], Any]


class WebDriverError(Exception):
    """A command failed."""


class Browser:
    """A window of a browser."""

    def __init__(self, send: Send) -> None:
        """Open a popup, which can be as narrow as a phone because it has no toolbar."""
        self._send = send
        self.run(
            "document.body.innerHTML = '<button>';"
            "document.body.onclick = () => open('about:blank', '', 'popup')"
        )
        first = send("GetWindowHandles", {})
        self.click("button")
        opened = wait_until(
            lambda: set(send("GetWindowHandles", {})) - set(first), "the popup is open"
        )
        send("SwitchToWindow", {"handle": opened.pop()})

    def go(self, url: str) -> None:
        """Load a page."""
        self._send("Navigate", {"url": url})

    def resize(self, width: int, height: int) -> None:
        """Give the page a size in CSS pixels."""

        def fits() -> bool:
            across, down, *shown = self.run(
                "return [outerWidth - innerWidth, outerHeight - innerHeight,"
                " innerWidth, innerHeight]"
            )
            if shown != [width, height]:
                self._send("SetWindowRect", {"width": width + across, "height": height + down})
            return bool(shown == [width, height])

        wait_until(fits, f"the page is {width} x {height} pixels")

    def run(self, script: str, *arguments: object) -> Any:
        """Run a script in the page.

        Return its result or, if that is a promise, the promise's value.
        """
        return self._send("ExecuteScript", {"script": script, "args": arguments})

    def wait_for(self, condition: str) -> None:
        """Wait until an expression in JavaScript is true, in this page or one just opened."""
        script = f"return new Promise((done) => setInterval(() => ({condition}) && done(), 20))"
        try:
            self.run(script)
        except WebDriverError as error:
            if "unload" not in str(error):
                raise
            self.run(script)

    def click(self, selector: str) -> None:
        """Click an element as a user does.

        Raise WebDriverError if another element is in front of it.
        """
        found = self._send("FindElement", {"using": "css selector", "value": selector})
        self._send("ElementClick", {"id": found[ELEMENT]})


#  The programs that each browser needs.
PROGRAMS: Final = {"webkit": ("WebKitWebDriver", "Xvfb"), "firefox": ("firefox-esr",)}


@contextmanager
def browsing(name: str, port: int) -> Iterator[Browser]:
    """Run WebKit, whose driver listens on a port, or Firefox; yield a window of the browser."""
    with _webkit(port) if name == "webkit" else _firefox() as send:
        yield Browser(send)


@contextmanager
def _webkit(port: int) -> Iterator[Send]:
    with (
        _running("Xvfb", "-displayfd", "1", "-screen", "0", "2000x1200x24") as screen,
        _running(
            "env", f"DISPLAY=:{next_line(screen).strip()}", "WebKitWebDriver", f"--port={port}"
        ),
    ):
        _connected(lambda: port).close()
        sessions = f"http://127.0.0.1:{port}/session"
        session = f"{sessions}/{_request('POST', sessions, {'capabilities': {}})['sessionId']}"

        def send(command: str, values: dict[str, Any]) -> Any:
            method, path = PATHS[command]
            return _request(method, f"{session}/{path.format(**values)}", values)

        yield send
        _request("DELETE", session)


def _request(method: str, url: str, values: object = None) -> Any:
    body = json.dumps(values).encode() if method == "POST" else None
    headers = {"Content-Type": "application/json"}
    request = Request(url, body, headers, method=method)  # noqa: S310, the driver's URL
    try:
        with urlopen(request, timeout=SECONDS_TO_WAIT) as response:  # noqa: S310
            return json.load(response)["value"]
    except HTTPError as error:
        raise WebDriverError(json.load(error)["value"]["message"]) from None


@contextmanager
def _firefox() -> Iterator[Send]:
    with TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        chosen = Path(profile, "MarionetteActivePort")
        Path(profile, "user.js").write_text(
            'user_pref("marionette.port", 0);', encoding="ascii"
        )  # any free port
        with (
            _running("firefox-esr", "--headless", "--marionette", "--profile", profile),
            _connected(lambda: int(chosen.read_text(encoding="ascii"))) as connection,
            connection.makefile("rb") as received,
        ):
            numbers = count(1)

            def read() -> Any:
                size = b"".join(iter(lambda: received.read(1), b":"))
                return json.loads(received.read(int(size)))

            def send(command: str, values: dict[str, Any]) -> Any:
                message = json.dumps([0, next(numbers), f"WebDriver:{command}", values])
                connection.sendall(f"{len(message)}:{message}".encode())
                _, _, error, result = read()
                if error:
                    raise WebDriverError(error["message"])
                return result.get("value") if isinstance(result, dict) else result

            read()  # the browser's greeting
            send("NewSession", {})
            yield send


@contextmanager
def _running(*command: str) -> Iterator["subprocess.Popen[str]"]:
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        try:
            yield process
        finally:
            process.terminate()


def _connected(port: Callable[[], int]) -> socket.socket:
    """Return a connection to a port, once the port is known and open."""

    def connect() -> socket.socket | None:
        with suppress(OSError, ValueError):
            return socket.create_connection(("127.0.0.1", port()), SECONDS_TO_WAIT)
        return None

    return wait_until(connect, "the driver accepts a connection")
