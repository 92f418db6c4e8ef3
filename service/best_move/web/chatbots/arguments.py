"""The arguments of the tools: their schemas, and their values or what is wrong with them.

A schema has only what every host accepts: no references, alternatives, defaults or `additionalProperties`. An argument
that may be null has no enumeration, because Gemini rejects null in one; its description has the values.
"""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final, get_args

from best_move.engine.choice import Difficulty
from best_move.engine.position import CELLS, Mark

Json = dict[str, Any]

MAX_QUOTED: Final = 60  # characters of a value

_PLAYED_EXAMPLE: Final = "such as [4, 0, 8]"

#  What models send, by the name of the argument that they mean.
_ALIASES: Final = {
    "played": ("board", "cells", "game", "history", "move", "moves", "position", "state"),
    "starts": ("first", "first_player", "starter", "starting_player"),
    "you": ("mark", "me", "player", "side", "to_move", "turn"),
    "difficulty": ("level", "mode", "skill", "strength"),
}
_MEANT: Final = {alias: name for name, aliases in _ALIASES.items() for alias in aliases}


class ArgumentError(ValueError):
    """Raised for arguments that a tool does not accept; the message says what was sent and what to send instead."""


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument: its schema, and what reads its value, which is None if it was omitted."""

    name: str
    schema: Json
    read: Callable[[object], Any]


def read(tool: str, arguments: Iterable[Argument], sent: Json) -> list[Any]:
    """Return the values of a tool's arguments, in their order; null means omitted. Raises ArgumentError."""
    names = [argument.name for argument in arguments]
    for name in sent:
        if name not in names:
            meant = _MEANT.get(name.lower())
            advice = f"Send `{meant}` instead. " if meant in names else ""
            raise ArgumentError(
                f"{tool} has no argument {_quoted(name)}. {advice}Its arguments are {', '.join(names)}."
            )
    return [argument.read(sent.get(argument.name)) for argument in arguments]


def schema_of(arguments: Iterable[Argument]) -> Json:
    """Return the JSON Schema of a tool's arguments."""
    return {
        "type": "object",
        "properties": {argument.name: argument.schema for argument in arguments},
        "required": ["played"],
    }


def _played(least: int, description: str) -> Argument:
    def read_played(value: object) -> list[int]:
        if value is None:
            raise ArgumentError(f"`played` is missing. Send the cells played so far, in order, {_PLAYED_EXAMPLE}.")
        if not isinstance(value, list):
            raise ArgumentError(
                f"`played` is {_quoted(value)}, {_type(value)}. Send a list of cells from 0 to 8, {_PLAYED_EXAMPLE}."
            )
        if not least <= len(value) <= CELLS:
            raise ArgumentError(f"`played` has {len(value)} moves. Send {least} to {CELLS}, {_PLAYED_EXAMPLE}.")
        return [_cell(cell, index) for index, cell in enumerate(value)]

    items = {"type": "integer", "minimum": 0, "maximum": CELLS - 1}
    schema: Json = {"type": "array", "items": items, "maxItems": CELLS, "description": description}
    if least:
        schema["minItems"] = least
    return Argument("played", schema, read_played)


def _cell(value: object, index: int) -> int:
    if isinstance(value, float) and value.is_integer():
        value = int(value)  # as JSON has it
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < CELLS:
        return value
    raise ArgumentError(
        f"Move {index + 1} in `played` is {_quoted(value)}, {_type(value)}. Send cells as integers from 0 to 8, "
        f"{_PLAYED_EXAMPLE}."
    )


def _word(name: str, words: tuple[str, ...], default: str | None, description: str) -> Argument:
    """Return an argument that is one of some words, in any case, or null."""

    def read_word(value: object) -> str | None:
        if value is None:
            return default
        for word in words:
            if isinstance(value, str) and value.lower() == word.lower():
                return word
        raise ArgumentError(f"`{name}` is {_quoted(value)}. Send {', '.join(map(_quoted, words))} or null.")

    return Argument(name, {"type": ["string", "null"], "description": description}, read_word)


def _quoted(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= MAX_QUOTED else f"{text[: MAX_QUOTED - 1]}…"


def _type(value: object) -> str:
    """Return the JSON type of a value."""
    names = {str: "a string", bool: "a boolean", dict: "an object", list: "a list", type(None): "null"}
    return names.get(type(value), "a number")


_MARKS: Final = get_args(Mark)
_LEVELS: Final = get_args(Difficulty)

PLAYED: Final = _played(0, "The cells played so far, in order; [] for a new game. The two sides alternate.")
JUDGED: Final = _played(1, "The cells played so far, in order. The two sides alternate. The last move is judged.")
STARTS: Final = _word("starts", _MARKS, "X", "The side that made or makes the first move: X or O. Null: X.")
YOU: Final = _word(
    "you",
    _MARKS,
    None,
    "The side that you play: X or O. If it is not its turn, the result is an error, because `played` lacks a move. "
    "Null: the side to move.",
)
DIFFICULTY: Final = _word(
    "difficulty",
    _LEVELS,
    _LEVELS[0],
    f"How well to play: {', '.join(_LEVELS)}. Each level after {_LEVELS[0]} plays more moves at random. "
    f"Null: {_LEVELS[0]}.",
)
