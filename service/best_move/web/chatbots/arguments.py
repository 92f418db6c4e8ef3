"""The arguments of the tools: how they are read, and what an error says.

The schemas have only keywords that every MCP client accepts: no references, alternatives, defaults
or lists of types, and no `additionalProperties`, because google-genai 3.4.0 fails if it is false
(googleapis/python-genai#2393). Unknown names are rejected all the same. The schemas do not allow
null, but null counts as omitted, because some clients send all arguments.
"""

import json
from collections.abc import Container
from typing import Annotated, ClassVar, TypeVar, get_args

from pydantic import MISSING, BeforeValidator, Field
from pydantic_core import ErrorDetails, from_json

from best_move.engine import position
from best_move.engine.choice import Difficulty
from best_move.engine.position import IllegalMoveError, Position
from best_move.web.api.strict_json import Json
from best_move.web.api.validation import (
    Hint,
    InvalidRequestError,
    Played,
    Request,
    describe_errors,
    fields_of,
    read,
)

Call = TypeVar("Call", bound="Arguments")

NUMBERING = "Cells are numbered row by row: 0 1 2 / 3 4 5 / 6 7 8."
_FORM = 'For example, the game X center, O top-left, X bottom-right is {"played": [4, 0, 8]}.'

#  Names that chat hosts add to the arguments of every call. n8n adds the ID of the call and the
#  fields of the user's message (n8n-io/n8n#21716, #23167, #12791), Cline its list of tasks
#  (cline/cline#8256, #9684). n8n's `action` is "sendMessage"; with another value it may be a move.
_ADDED_BY_HOSTS = {"chatInput", "sessionId", "task_progress", "toolCallId"}

#  Argument -> what is true if it is omitted.
_IF_OMITTED = {
    "starts": "X starts",
    "you": "your side is to move",
    "difficulty": "the level is perfect",
    "player": "the last move is meant",
}


def _in_any_case(words: object) -> BeforeValidator:
    """Return a validator that reads a word of a Literal in any case, with blanks around it."""
    by_lower = {word.lower(): word for word in get_args(words)}

    def known_word(sent: object) -> object:
        if isinstance(sent, str):
            return by_lower.get(sent.strip().lower(), sent)
        return sent

    return BeforeValidator(known_word)


def _from_text(sent: object) -> object:
    """Return the list that a text contains as JSON; return anything else unchanged."""
    if not isinstance(sent, str):
        return sent
    try:
        found = from_json(sent)
    except ValueError:
        return sent
    if isinstance(found, list):
        return found
    return sent


Mark = Annotated[position.Mark, _in_any_case(position.Mark)]
Level = Annotated[Difficulty, _in_any_case(Difficulty)]
Moves = Annotated[Played, BeforeValidator(_from_text)]


class Arguments(Request):
    """A game, as the list of its moves."""

    unknown: ClassVar = "is not an argument of this tool"
    known: ClassVar = "The arguments are {}. Append a move to `played`."
    hints: ClassVar = {"played": Hint("List the cells played so far, in order.")}

    played: Moves
    starts: Mark = Field(
        default="X", description="The side that made or makes the first move. Default: X."
    )


class BestMoveArguments(Arguments):
    """A game, the side that asks for a move, and the level of the reply."""

    hints: ClassVar = {
        "played": Hint("List the cells played so far, in order; {} for a new game.", [])
    }

    played: Moves = Field(
        description="The cells played so far, in order; [] for a new game. The two sides alternate."
    )
    you: Mark | MISSING = Field(
        default=MISSING,
        description=(
            "The side that you play. If it is not its turn, the result is an error, because a move "
            "is missing."
        ),
    )
    difficulty: Level = Field(
        default="perfect",
        description=(
            "How well to play. Each level after perfect plays more moves at random. "
            "Default: perfect."
        ),
    )


class JudgeMoveArguments(Arguments):
    """A game, and the side whose last move is judged."""

    known: ClassVar = (
        "The arguments are {}. Append a move to `played`. To judge the user's move after your own, "
        "send the user's side as `player`."
    )

    played: Annotated[Moves, Field(min_length=1)] = Field(
        description="The cells played so far, in order. The two sides alternate."
    )
    player: Mark | MISSING = Field(
        default=MISSING,
        description="The side whose last move is judged. Default: the side that moved last.",
    )


def schema_of(form: type[Arguments]) -> Json:
    """Return the JSON Schema of a tool's arguments."""
    unused = ("default", "title")
    properties = {}
    for name, field in fields_of(form).items():
        properties[name] = {key: field[key] for key in field if key not in unused}
    return {"type": "object", "properties": properties, "required": ["played"]}


class InvalidCallError(ValueError):
    """Raised for a call of a tool without an answer; the message says what to send instead."""


def read_call(form: type[Call], sent: Json) -> Call:
    """Read the arguments of a tool; raise InvalidCallError if any is invalid.

    Null, "null", "None" and an empty text count as omitted, names that chat hosts add are ignored,
    and one object may be around the arguments.
    """
    arguments = _arguments_in(form, sent)
    try:
        return read(form, arguments)
    except InvalidRequestError as error:
        errors = error.errors
    first: dict[object, ErrorDetails] = {}  # the first error of each argument
    for each in errors:
        first.setdefault(each["loc"][0], each)
    problem, _ = describe_errors(InvalidRequestError(form, [*first.values()]))
    raise InvalidCallError(f"{problem} {_what_to_send(form, arguments, first)}")


def _what_to_send(form: type[Call], arguments: Json, wrong: Container[object]) -> str:
    """Return the call without what is wrong, and on what condition it is the call that is meant."""
    if "played" in wrong:
        return _FORM
    right = {name: value for name, value in arguments.items() if name not in wrong}
    rest = read(form, right)
    try:
        position_after(rest)
    except InvalidCallError as error:
        return str(error)
    conditions = [_IF_OMITTED[name] for name in form.model_fields if name in wrong]
    if not arguments.keys() <= form.model_fields.keys():
        conditions.append("`played` has all moves")
        if form is JudgeMoveArguments and "player" not in arguments:
            conditions.append(_IF_OMITTED["player"])
    return f"If {' and '.join(conditions)}, send {_written(rest)}."


def position_after(sent: Arguments) -> Position:
    """Return the position after the moves.

    Raise InvalidCallError if a move is illegal, if the model's side is not to move, or if the side
    whose move is to be judged has made none.
    """
    try:
        found = Position(0, 0, sent.starts).play(sent.played)
    except IllegalMoveError as error:
        raise InvalidCallError(f"`played` has an illegal move. {error} {_FORM}") from None
    if isinstance(sent, BestMoveArguments) and found.status == "in_progress":
        _check_you(sent, found)
    if isinstance(sent, JudgeMoveArguments) and len(sent.played) == 1:
        _check_player(sent)
    return found


def _check_you(sent: BestMoveArguments, found: Position) -> None:
    """Raise InvalidCallError if the model's side is not to move."""
    side = found.to_move
    if sent.you in (MISSING, side):
        return
    when = f"After {sent.played}" if sent.played else "Before the first move"
    other_starts, condition = _by_starter(sent)
    free = ", ".join(map(str, found.legal_moves))
    raise InvalidCallError(
        f"{when} it is {side}'s turn, but `you` is {sent.you}. {other_starts}"
        f"If {condition}you play {side}, send {_written(sent, you=side)}. "
        f"If {condition}you play {sent.you}, the user's move is missing: append it to `played`. "
        f"Free cells: {free}."
    )


def _check_player(sent: JudgeMoveArguments) -> None:
    """Raise InvalidCallError if the only move is not that of the side whose move is judged."""
    side = sent.starts
    if sent.player in (MISSING, side):
        return
    other_starts, condition = _by_starter(sent)
    raise InvalidCallError(
        f"After {sent.played} {sent.player} has made no move, but `player` is {sent.player}. "
        f"{other_starts}If {condition}{side}'s move is meant, send {_written(sent, player=side)}."
    )


def _by_starter(sent: Arguments) -> tuple[str, str]:
    """Return what to send if O starts, and the condition of the rest; nothing if it was sent."""
    if "starts" in sent.model_fields_set:
        return "", ""
    return f"If O starts, send {_written(sent, starts='O')}. ", "X starts and "


def _written(sent: Arguments, **changed: str) -> str:
    """Return arguments as JSON, without those that have their defaults."""
    return json.dumps(sent.model_dump(exclude_defaults=True) | changed)


def _arguments_in(form: type[Request], sent: Json) -> Json:
    """Return the arguments that are sent, also if one object is around them."""
    arguments = _without_additions(sent)
    if len(arguments) == 1:
        [(name, inner)] = arguments.items()
        if name not in form.model_fields and isinstance(inner, dict) and "played" in inner:
            return _without_additions(inner)
    return arguments


def _without_additions(sent: Json) -> Json:
    """Return what is sent, without nulls and without what chat hosts add."""
    return {name: value for name, value in sent.items() if not _is_ignored(name, value)}


def _is_ignored(name: str, value: object) -> bool:
    """Return whether a chat host adds an argument, or its value counts as omitted."""
    if name in _ADDED_BY_HOSTS or (name, value) == ("action", "sendMessage"):
        return True
    if isinstance(value, str):
        return value.strip().lower() in ("", "none", "null")
    return value is None
