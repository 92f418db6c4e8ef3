"""The arguments of the tools, as request models that also accept the spellings of language models.

The schemas have only keywords that every MCP client accepts: no references, alternatives, defaults or lists of types.
They do not allow null, but null is accepted for an optional argument, because some clients send all arguments.
"""

from typing import Annotated, ClassVar, TypeVar, get_args

from pydantic import MISSING, BeforeValidator, Field

from best_move.engine import position
from best_move.engine.choice import Difficulty
from best_move.web.api.strict_json import Json
from best_move.web.api.validation import Hint, Played, Request, fields_of, read
from best_move.web.chatbots.moves import side_of

Form = TypeVar("Form", bound="Arguments")


def _lower(sent: object) -> object:
    """Return a text in lower case and without spaces around it; return anything else unchanged."""
    return sent.strip().lower() if isinstance(sent, str) else sent


def is_null(sent: object) -> bool:
    """Return whether a value counts as omitted: null, "null", "None" or an empty text."""
    return _lower(sent) in (None, "", "none", "null")


Mark = Annotated[position.Mark, BeforeValidator(lambda sent: side_of(sent) or sent)]
Level = Annotated[Difficulty, BeforeValidator(_lower)]


class Arguments(Request):
    """A game, as the list of its moves."""

    unknown: ClassVar = "is not an argument of this tool"
    known: ClassVar = "The arguments are {}."
    hints: ClassVar = {
        "played": Hint("Send the cells played so far, in order, such as {}.", [4, 0, 8])
    }

    played: Played
    starts: Mark = Field(
        default="X", description="The side that made or makes the first move. Default: X."
    )


class BestMoveArguments(Arguments):
    """A game, the side that asks for a move, and the level of the reply."""

    hints: ClassVar = {
        "played": Hint(
            "Send the cells played so far, in order, such as {}, or {} for a new game.",
            [4, 0, 8],
            [],
        ),
        "you": Hint("Or omit it."),
    }

    played: Played = Field(
        description="The cells played so far, in order; [] for a new game. The two sides alternate."
    )
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


class PlayArguments(Request):
    """The arguments of the prompt: the choices for which the model need not ask the user."""

    unknown: ClassVar = "is not an argument of this prompt"
    known: ClassVar = "The arguments are {}."

    side: Mark | MISSING = Field(default=MISSING, description="The side that you play: X or O.")
    level: Level | MISSING = Field(
        default=MISSING,
        description=f"How well the oracle plays: {', '.join(get_args(Difficulty))}.",
    )


def read_arguments(form: type[Form], sent: Json) -> Form:
    """Read the arguments of a tool; raise InvalidRequestError if they are invalid.

    Arguments that only the other tool has are ignored, and null, "null", "None" and an empty text count as omitted.
    """
    ignored = BestMoveArguments.model_fields.keys() - form.model_fields
    return read(
        form,
        {
            name: None if is_null(value) else value
            for name, value in sent.items()
            if name not in ignored
        },
    )


def schema_of(form: type[Arguments]) -> Json:
    """Return the JSON Schema of a tool's arguments."""
    properties = {
        name: {key: value for key, value in field.items() if key not in ("default", "title")}
        for name, field in fields_of(form).items()
    }
    return {"type": "object", "properties": properties, "required": ["played"]}
