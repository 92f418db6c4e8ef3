"""The titles of the playground and the search page, and the pictures of their link previews."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple, get_args
from urllib.parse import parse_qsl

from werkzeug.datastructures import MultiDict

from best_move.engine.position import CELLS, Mark, Position
from best_move.web.api import pictures
from best_move.web.api.reading import parsed
from best_move.web.api.request_model import BOARD, read
from best_move.web.api.requests import PositionRequest
from best_move.web.pages.files import STATIC_URL

Query = MultiDict[str, str]
Search = Mapping[str, str]  # the parameters of a URL of the search page

_EMPTY = "." * CELLS
_STATUSES = {"x_won": "X won", "o_won": "O won", "draw": "A draw"}


class Lesson(NamedTuple):
    """A lesson's title, the query of its search, and another board that it also describes.

    `other_board` is empty if there is none.
    """

    title: str
    search: dict[str, str]
    other_board: str


#  The lessons by number, as the page's template declares them.
LESSONS = {
    int(number): Lesson(title, dict(parse_qsl(search)), other)
    for number, title, search, other in re.findall(
        r'call card\((\d+), "(.*?)", "(.*?)"(?:.*?other="(.*?)")?',
        Path(__file__).with_name("templates").joinpath("lessons.html").read_text(encoding="utf-8"),
    )
}


class Preview(NamedTuple):
    """A title, and a picture.

    The URL of the picture is relative to the service, and its size is in pixels.
    """

    title: str
    url: str = f"{STATIC_URL[1:]}preview.png"
    width: int = 1280
    height: int = 640
    alternative_text: str = (
        "A game in progress: what each empty cell leads to, and what the oracle says about it."
    )


def of_game(query: Query) -> Preview:
    """Return the preview of a URL of the playground.

    For the empty board or an illegal position, it has the page's own title and picture.
    """
    position = _position_in_game(query)
    if position is None or not position.ply:
        return Preview("Best Move: tic-tac-toe against an oracle that shows its work")
    return _preview(f"{_status(position)} · Best Move, tic-tac-toe", position)


def of_search(search: Search, number: int | None) -> Preview:
    """Return the preview of a search, given the number of its lesson, if any.

    The title is the lesson's, if any. The picture shows the position after the moves of `node` or,
    if they are not legal, the root; if the position to search is invalid, it is the page's own.
    """
    if number is None:
        position = _position_in_search(search)
        return _preview(f"{_status(position)} · Search · Best Move", position)
    lesson = LESSONS[number]
    position = _position_in_search({**lesson.search, **search})
    return _preview(f"{lesson.title} · Lesson {number} of {len(LESSONS)} · Best Move", position)


def search_in(query: Query) -> Search:
    """Return the parameters that the search page reads: the last value of each, unless empty."""
    return {name: value for name, value in query.items(multi=True) if value}


def lesson_of(search: Search) -> int | None:
    """Return the number of the lesson that a search belongs to; None if it has another position.

    A search without a position belongs to the first lesson.
    """
    if "played" in search:
        return None
    board = search.get("board", "").upper()
    if search.get("lesson", "") not in map(str, LESSONS):
        return None if board else 1
    number = int(search["lesson"])
    lesson = LESSONS[number]
    is_own = board in ("", lesson.search["board"], lesson.other_board)
    return number if is_own else None


def status_of(search: Search) -> str | None:
    """Return the status of the position to search, such as `X to move`; None if it is invalid."""
    root = _root(search)
    return None if root is None else _status(root)


def _position_in_game(query: Query) -> Position | None:
    """Return the position that the playground shows; None if its first board is illegal.

    This is what `read` in `static/play/address.js` reads: invalid values are ignored, and `at` is
    the number of moves shown (default: all).
    """
    board = query.get("board", "").upper()
    if not re.fullmatch(BOARD, board):
        board = _EMPTY
    starts = _side(query, "starts")
    if starts is None and board == _EMPTY:
        starts = _side(query, "first")
    try:
        start = read(PositionRequest, {"board": board, "starts": starts}).start()
    except ValueError:
        return None
    cells = ",".join(query.getlist("played")).split(",")
    line = _line(start, filter(None, cells))
    shown = {str(count): position for count, position in enumerate(line)}
    return shown.get(query.get("at", ""), line[-1])


def _side(query: Query, name: str) -> str | None:
    """Return the side that a parameter names; None if it names none."""
    side = query.get(name, "").upper()
    return side if side in get_args(Mark) else None


def _position_in_search(search: Search) -> Position | None:
    """Return the position of `node` or, if the root has no such node, of the root."""
    root = _root(search)
    if root is None:
        return None
    path = search.get("node", "").split(",")
    line = _line(root, path)
    return line[-1] if len(line) > len(path) else root


def _root(search: Search) -> Position | None:
    """Return the position to search, which the page sends to the service; None if it is invalid."""
    fields = {
        "board": search.get("board", _EMPTY).upper(),
        "starts": search.get("starts", "").upper() or None,
        "played": parsed(search["played"], "array") if "played" in search else None,
    }
    try:
        return read(PositionRequest, fields).position()
    except ValueError:
        return None


def _line(start: Position, cells: Iterable[str]) -> list[Position]:
    """Return a position, and those after each of some moves, up to the first illegal one."""
    line = [start]
    for cell in cells:
        if cell not in map(str, line[-1].legal_moves):
            break
        line.append(line[-1].after(int(cell)))
    return line


def _status(position: Position | None) -> str:
    if position is None:
        return "A position"
    return _STATUSES.get(position.status, f"{position.to_move} to move")


def _preview(title: str, position: Position | None) -> Preview:
    if position is None:
        return Preview(title)
    url = f"board.png?board={position.board}"
    return Preview(title, url, pictures.WIDTH, pictures.HEIGHT, pictures.alternative_text(position))
