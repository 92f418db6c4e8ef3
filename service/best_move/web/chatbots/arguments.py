"""The arguments of the tools, as request models.

A schema has only what every host accepts: no references, alternatives, defaults or `additionalProperties`. Hosts that
make all arguments required need an enumeration without null; null is accepted nevertheless.
"""

from typing import Annotated, Any, ClassVar, get_args

from pydantic import MISSING, BeforeValidator, Field

from best_move.engine import position
from best_move.engine.choice import RATES, Difficulty
from best_move.web.api.validation import Played, Request, fields_of

Json = dict[str, Any]


def _in_any_case(*words: str) -> BeforeValidator:
    """Return what reads one of some words in any case."""
    known = {word.lower(): word for word in words}
    return BeforeValidator(lambda sent: known.get(sent.lower(), sent) if isinstance(sent, str) else sent)


Mark = Annotated[position.Mark, _in_any_case(*get_args(position.Mark))]
Level = Annotated[Difficulty, _in_any_case(*RATES)]


class Arguments(Request):
    """A game, as the list of its moves."""

    names: ClassVar = ("an argument of this tool", "arguments")
    hints: ClassVar = {"played": "Send the cells played so far, in order, such as [4, 0, 8]."}

    played: Played
    starts: Mark = Field(default="X", description="The side that made or makes the first move. Default: X.")


class BestMoveArguments(Arguments):
    """A game, and who asks for a move."""

    played: Played = Field(description="The cells played so far, in order; [] for a new game. The two sides alternate.")
    you: Mark | MISSING = Field(
        default=MISSING,
        description="The side that you play. If it is not its turn, `played` lacks a move, and the result is an error.",
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


def schema_of(form: type[Arguments]) -> Json:
    """Return the JSON Schema of a tool's arguments."""
    properties = {
        name: {key: value for key, value in field.items() if key not in ("default", "title")}
        for name, field in fields_of(form).items()
    }
    return {"type": "object", "properties": properties, "required": ["played"]}
