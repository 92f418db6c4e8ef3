"""The titles of the playground and the search page, and the pictures of their link previews."""

from collections.abc import Mapping
from string import digits
from typing import NamedTuple
from urllib.parse import urlencode

from best_move.engine.number_tree import NumberTreeQuestion
from best_move.engine.position import CELLS, Position
from best_move.web.api import number_pictures, pictures
from best_move.web.api.number_text import as_json
from best_move.web.api.request_model import read
from best_move.web.api.requests import NumberPictureRequest, PositionRequest
from best_move.web.pages.files import STATIC_URL
from best_move.web.pages.lessons import LESSONS

Query = Mapping[str, str]  # without empty values

_EMPTY = "." * CELLS
_DIGITS = [*digits]  # `int` would also read `04` and ` 4`, which the pages ignore
_STATUSES = {"x_won": "X won", "o_won": "O won", "draw": "A draw"}


class Preview(NamedTuple):
    """A title, and a picture, which is the playground's by default.

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

    For the empty board or an invalid position, it has the page's own title and picture. `at` is the
    number of moves shown.
    """
    #  In a new game, `first` is the side that starts, unless `starts` says so.
    if query.get("board", _EMPTY) == _EMPTY:
        query = {"starts": query.get("first", "X"), **query}
    position = _position(query, at=query.get("at", "9"))
    if position is None or not position.ply:
        return Preview("Best Move: tic-tac-toe against an oracle that shows its work")
    return _preview(f"{_status(position)} · Best Move, tic-tac-toe", position)


def of_search(query: Query, number: int | None) -> Preview:
    """Return the preview of a URL of the search page, given the number of its lesson, if any.

    The title is the lesson's or, if there is none, has the status of the position in the picture:
    that of the node, if any, or else the root. If it is invalid, the picture is the playground's.
    """
    search = search_of(query, number)
    node = query.get("node", "")
    place = "Search"
    if number is not None:
        place = f"Lesson {number} of {len(LESSONS)}"
    if "tree" in search:
        tree = _tree(search)
        title = LESSONS[number].title if number else _status_of_tree(tree)
        return _preview_of_tree(f"{title} · {place} · Best Move", tree)
    position = _position(search, node=node)
    title = LESSONS[number].title if number else _status(position)
    return _preview(f"{title} · {place} · Best Move", position)


def search_of(query: Query, number: int | None) -> Query:
    """Return the search in a URL of the search page, given the number of its lesson, if any."""
    return query if number is None else {**LESSONS[number].search, **query}


def lesson_of(query: Query) -> int | None:
    """Return the number of the lesson in a URL of the search page; None if it has another position.

    A URL without a position shows the first lesson.
    """
    board = query.get("board", "").upper()
    number = next((each for each in LESSONS if str(each) == query.get("lesson")), None)
    if "tree" in query:
        return number if number and "tree" in LESSONS[number].search else None
    if "played" in query:
        return None
    if number is None:
        return None if board else 1
    lesson = LESSONS[number]
    is_own = board in ("", lesson.search.get("board"), lesson.other_board)
    return number if is_own else None


def status_of(query: Query) -> str | None:
    """Return the status of the root, such as `X to move`; None if it is invalid.

    It is not used if the URL has a lesson.
    """
    if "tree" in query:
        tree = _tree(query)
        return None if tree is None else _status_of_tree(tree)
    position = _position(query)
    return None if position is None else _status(position)


def _position(query: Query, *, at: str = "9", node: str = "") -> Position | None:
    """Return the position after the first `at` moves and those to `node`.

    Returns None if a value of the position is invalid, or if one of these moves is illegal.
    """
    try:
        played = _cells(query.get("played", ""))
        path = _cells(node)
        if len(path) > _DIGITS.index(query.get("max_depth", "9")):
            return None  # the node is below the depth limit
        fields = {
            "board": query.get("board", _EMPTY).upper(),
            "starts": query.get("starts", "").upper() or None,  # null counts as omitted
            "played": played[: _DIGITS.index(at)] + path,
        }
        return read(PositionRequest, fields).position()
    except ValueError:
        return None


def _tree(query: Query) -> NumberTreeQuestion | None:
    """Return a tree of numbers, or None if it is invalid; the page ignores a wrong `root`."""
    root = query.get("root", "").lower()
    try:
        fields = {"tree": query["tree"].lower(), "root": root if root in ("max", "min") else None}
        return read(NumberPictureRequest, fields).question()
    except ValueError:
        return None


def _cells(moves: str) -> list[int]:
    return [_DIGITS.index(cell) for cell in moves.split(",")] if moves else []


def _status(position: Position | None) -> str:
    if position is None:
        return "A position"
    return _STATUSES.get(position.status, f"{position.to_move} to move")


def _status_of_tree(tree: NumberTreeQuestion | None) -> str:
    return "A tree of numbers" if tree is None else f"{tree.root.upper()} to move"


def _preview(title: str, position: Position | None) -> Preview:
    if position is None:
        return Preview(title)
    url = f"board.png?board={position.board}"
    return Preview(title, url, pictures.WIDTH, pictures.HEIGHT, pictures.alternative_text(position))


def _preview_of_tree(title: str, tree: NumberTreeQuestion | None) -> Preview:
    if tree is None:
        return Preview(title)
    url = f"tree.png?{urlencode({'tree': as_json(tree.tree), 'root': tree.root})}"
    text = number_pictures.alternative_text(tree)
    return Preview(title, url, pictures.WIDTH, pictures.HEIGHT, text)
