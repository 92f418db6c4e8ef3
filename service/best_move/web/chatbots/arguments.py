"""The arguments of the tools, as request models that also accept the spellings of language models.

The schemas have only keywords that every MCP client accepts: no references, alternatives, defaults or lists of types.
They do not allow null, but null is accepted for an optional argument, because some clients send all arguments.
"""

from typing import Annotated, Any, ClassVar, Final, TypeVar, get_args

from pydantic import MISSING, BeforeValidator, Field
from pydantic_core import from_json

from best_move.engine import position
from best_move.engine.choice import RATES, Difficulty
from best_move.engine.position import CELLS
from best_move.web.api.validation import Request, as_integer, fields_of, read

Json = dict[str, Any]
Form = TypeVar("Form", bound="Arguments")


def as_list(sent: object) -> object:
    """Return a text such as "[0, 4]" or "0,4" as a list; return anything else unchanged."""
    if not isinstance(sent, str):
        return sent
    try:
        listed: object = from_json(sent if sent.startswith("[") else f"[{sent}]")
    except ValueError:
        return sent
    return listed


def as_cell(sent: object) -> object:
    """Return a cell such as "4" or 4.0 as an integer; return anything else unchanged."""
    return int(sent) if sent in _TEXTS else as_integer(sent)


_TEXTS: Final = tuple(map(str, range(CELLS)))


def _in_any_case(*words: str) -> BeforeValidator:
    """Return a validator that accepts these words in upper or lower case, and spells them as they are listed."""
    known = {word.lower(): word for word in words}
    return BeforeValidator(lambda sent: known.get(sent.lower(), sent) if isinstance(sent, str) else sent)


Played = Annotated[
    list[Annotated[int, Field(ge=0, le=CELLS - 1), BeforeValidator(as_cell)]],
    Field(max_length=CELLS),
    BeforeValidator(as_list),
]
Mark = Annotated[position.Mark, _in_any_case(*get_args(position.Mark))]
Level = Annotated[Difficulty, _in_any_case(*RATES)]


class Arguments(Request):
    """A game, as the list of its moves."""

    noun: ClassVar = "argument"
    unknown: ClassVar = "is not an argument of this tool"
    hints: ClassVar = {"played": "Send the cells played so far, in order, such as [4, 0, 8]."}

    played: Played
    starts: Mark = Field(default="X", description="The side that made or makes the first move. Default: X.")


class BestMoveArguments(Arguments):
    """A game, the side that asks for a move, and the level of the reply."""

    played: Played = Field(description="The cells played so far, in order; [] for a new game. The two sides alternate.")
    you: Mark | MISSING = Field(
        default=MISSING,
        description="The side that you play. If it is not its turn, the result is an error, because a move is missing.",
    )
    difficulty: Level = Field(
        default="perfect",
        description="How well to play. Each level after perfect plays more moves at random. Default: perfect.",
    )


class JudgeMoveArguments(Arguments):
    """A game whose last move is judged."""

    played: Annotated[Played, Field(min_length=1)] = Field(
        description="The cells played so far, in order. The two sides alternate. The last move is judged."
    )


def read_arguments(form: type[Form], sent: Json) -> Form:
    """Read the arguments of a tool; raise InvalidRequestError if they are invalid.

    Arguments that only the other tool has are ignored. An empty text and "null" count as null, that is, as omitted.
    """
    ignored = BestMoveArguments.model_fields.keys() - form.model_fields
    return read(
        form, {name: None if value in ("", "null") else value for name, value in sent.items() if name not in ignored}
    )


def schema_of(form: type[Arguments]) -> Json:
    """Return the JSON Schema of a tool's arguments."""
    properties = {
        name: {key: value for key, value in field.items() if key not in ("default", "title")}
        for name, field in fields_of(form).items()
    }
    return {"type": "object", "properties": properties, "required": ["played"]}
