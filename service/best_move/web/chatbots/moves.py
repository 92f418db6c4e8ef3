"""The moves that a value means: numbers, names, rows and columns, moves by side, and boards, as lists or as text."""

import re
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Any, Final, NamedTuple

from pydantic_core import from_json

from best_move.engine.position import CELLS, Mark
from best_move.web.api.validation import MAX_QUOTED, SIGNS, as_integer, letters, respelled

SO_FAR: Final = "this is the game so far"
COUNTED_FROM_1: Final = "you count cells from 1"

_MAX_LENGTH: Final = 500  # of a text that may be moves
_MAX_JSON: Final = 5000  # of a text that may be JSON
_ROWS: Final = {
    "": 1,
    "top": 0,
    "upper": 0,
    "center": 1,
    "centre": 1,
    "middle": 1,
    "bottom": 2,
    "lower": 2,
}
_COLUMNS: Final = {"": 1, "left": 0, "center": 1, "centre": 1, "middle": 1, "right": 2}
_NAMED: Final = {
    f"{row} {column}".strip(): 3 * _ROWS[row] + _COLUMNS[column]
    for row in _ROWS
    for column in _COLUMNS
}
_FILLERS: Final = {
    *(
        "at",
        "cell",
        "corner",
        "in",
        "index",
        "mark",
        "move",
        "on",
        "played",
        "player",
        "plays",
        "position",
        "side",
    ),
    *("square", "takes", "the", "to", "took"),
}


class UnclearError(ValueError):
    """Raised if it is unclear which moves are meant."""


class Moves(NamedTuple):
    """Moves, each a side (None if it is not named) and a cell, and on which condition they are meant, if on any."""

    listed: Sequence[tuple[Mark | None, int]]
    ordered: bool = True
    condition: str | None = None

    @property
    def is_single(self) -> bool:
        """Whether this is one move, not a board with one mark."""
        return self.ordered and len(self.listed) == 1


def decoded(value: object) -> Any:
    """Return the list or the object that a text contains as JSON; return anything else unchanged."""
    if isinstance(value, str) and len(value) <= _MAX_JSON and value.lstrip()[:1] in ("[", "{"):
        with suppress(ValueError):
            return from_json(value)
    return value


def side_of(value: object) -> Mark | None:
    """Return the side that a text such as "x", "Player O" or "x_moves" names; None if the value names none."""
    name = (
        letters(value.translate(SIGNS))
        if isinstance(value, str) and len(value) <= MAX_QUOTED
        else ""
    )
    found = re.fullmatch(
        "(?:player|side)?([xo])(?:cells|moves|player|positions|side|squares)?", name
    )
    return ("X" if found[1] == "x" else "O") if found else None


def moves_of(value: object, *, is_board: bool = False) -> Moves:
    """Return the moves that a value means; raise UnclearError if that is unclear. A board's marks have no order."""
    value = decoded(value)
    if isinstance(value, str) and len(value) > _MAX_LENGTH:
        raise UnclearError
    if board := respelled(value):
        marks = [(side_of(mark), cell) for cell, mark in enumerate(board) if mark != "."]
        return Moves(marks, ordered=False, condition=SO_FAR)
    by_side = value if isinstance(value, dict) and all(map(side_of, value)) else {}
    lists = [(side_of(name), cells) for name, cells in by_side.items()] or [(None, value)]
    found = [
        (side or of, place) for side, cells in lists for of, place in map(_move, _items(cells))
    ]
    alternate = all(side != of or not side for (side, _), (of, _) in pairwise(found))
    ordered = alternate and not by_side and not (is_board and any(side for side, _ in found))
    condition = None if ordered else SO_FAR
    places = [place for _, place in found]
    if places and all(len(place) == 2 for place in places):
        numbers = {number for place in places for number in place}
        first = 0 if 0 in numbers else 1
        if numbers <= {1, 2} or not numbers <= {first, first + 1, first + 2}:
            raise UnclearError  # rows and columns may count from 0 or from 1
        places, condition = [[3 * (row - first) + column - first] for row, column in places], SO_FAR
    elif [9] in places and [0] not in places:
        places, condition = [[place[0] - 1] for place in places], COUNTED_FROM_1
    if not all(len(place) == 1 and place[0] in range(CELLS) for place in places):
        raise UnclearError
    return Moves(
        [(side, place[0]) for (side, _), place in zip(found, places, strict=True)],
        ordered,
        condition,
    )


def _items(value: object) -> list[Any]:
    """Return the moves in a value, one by one."""
    value = decoded(value)
    if isinstance(value, str):
        words = " ".join(_words(value))
        are_numbers = re.fullmatch(r"(?:(?:[xo] )?\d(?: |$))+", words)
        value = re.findall(r"(?:[xo] )?\d", words) if are_numbers else re.split("[,;\n]", value)
    items = [*value] if isinstance(value, list) else [value]
    while items and items[-1] is None:
        items.pop()
    if (
        len(items) > 2 * CELLS or None in items
    ):  # without a null among moves, later moves would change sides
        raise UnclearError
    return items


def _move(item: object) -> tuple[Mark | None, list[int]]:
    """Return the side of a move, None if it is not named, and the number of its cell, or of its row and column."""
    words = _words(str(as_integer(item)))
    sides = {"x", "o"}.intersection(words)
    text = " ".join(word for word in words if word not in _FILLERS | sides)
    number, _, name = text.partition(" ")
    row, column = re.findall(r"row (\d)", text), re.findall(r"col(?:umn)? (\d)", text)
    if text and text in _NAMED:
        place = [_NAMED[text]]
    elif number.isdecimal() and (not name or _NAMED.get(name) == int(number)):
        place = [int(number)]
    elif (re.fullmatch(r"\d \d", text) and text in " ".join(words)) or (
        row and column and text.count(" ") == 3
    ):
        place = [*map(int, row + column or text.split())]
    else:
        raise UnclearError
    if len(sides) > 1:
        raise UnclearError
    return side_of(*sides) if sides else None, place


def _words(text: str) -> list[str]:
    """Return the words and numbers of a text; of a text with signed or decimal numbers, a word that means nothing."""
    text = text.translate(SIGNS) if len(text) <= _MAX_LENGTH else "?"
    if re.search(r"(?<!\w)-\d|\d[.:)]\s*\w|[?]", text):
        return ["?"]
    return [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+|\d+", text)]
