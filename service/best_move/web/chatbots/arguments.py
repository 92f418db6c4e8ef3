"""The arguments of the tools: how they are read, and what an error says.

The schemas have only keywords that every MCP client accepts: no references, alternatives, defaults
or lists of types, and no `additionalProperties`, because google-genai 3.4.0 fails if it is false
(googleapis/python-genai#2393). Unknown names are rejected all the same, unless they have no value
or chat hosts add them. The schemas do not allow null, but null counts as omitted: some clients send
all arguments.

No argument that decides whose mark is whose has a default. No error contains a call, or a list of
moves that was not sent, because weak models send the first one that they see. The free cells are
listed without brackets. A mark that was not sent is only in a statement on the game: whose turn it
is, who took a cell, or who had won.
"""

import re
from contextlib import suppress
from typing import Annotated, ClassVar, TypeVar, get_args

from pydantic import MISSING, BeforeValidator, Field
from pydantic_core import ErrorDetails, PydanticCustomError, from_json

from best_move.engine import position
from best_move.engine.position import IllegalMoveError, Position
from best_move.engine.question import Difficulty
from best_move.web.api.request_model import Hint, InvalidRequestError, Played, Request, read
from best_move.web.api.strict_json import DuplicateFieldError, Json, MalformedJsonError, decode
from best_move.web.api.validation_errors import describe_errors

Form = TypeVar("Form", bound="Arguments")

NUMBERING = "Cells are numbered row by row: 0 1 2 / 3 4 5 / 6 7 8."

#  Names that chat hosts add to the arguments of every call. n8n adds the ID of the call and the
#  fields of the user's message (n8n-io/n8n#21716, #23167, #12791), Cline its list of tasks
#  (cline/cline#8256, #9684), Gemini CLI 0.61 whether to wait for other calls
#  (MemPalace/mempalace#322), and Kiro CLI why it calls, in a name that its models vary, such as
#  `__toolUsePurpose`. n8n's `action` is "sendMessage"; with another value it may be a move.
#  To find others, search for what other servers remove from arguments before they check them, and
#  compare the schemas that a client shows its model with those of tools/list.
_ADDED_BY_HOSTS = re.compile(
    "chatInput|sessionId|task_progress|toolCallId|wait_for_previous|__[A-Za-z_]*[Pp]urpose"
)

_OMITTED = {"", "none", "null"}  # texts that count as omitted
_DIGITS = [*"012345678"]  # not a set, because a sent item may be unhashable


def _in_any_case(words: object) -> BeforeValidator:
    """Return a validator that reads a word of a Literal in any case, with blanks around it."""
    by_lower = {word.lower(): word for word in get_args(words)}

    def known_word(sent: object) -> object:
        if isinstance(sent, str):
            return by_lower.get(sent.strip().lower(), sent)
        return sent

    return BeforeValidator(known_word)


def _a_mark(sent: object) -> object:
    """Return a mark; reject anything else with an error that shows no mark."""
    if sent not in get_args(position.Mark):
        raise PydanticCustomError("not_a_mark", "described in validation_errors.py")
    return sent


def _as_list(sent: object) -> object:
    """Return the list in a text, with or without brackets, and digits in quotes as numbers.

    An empty object is an empty list, because PHP and Lua write both alike. Anything else is
    returned unchanged.
    """
    if sent == {}:
        return []
    if isinstance(sent, str):
        cells = sent.strip().removeprefix("[").removesuffix("]")
        with suppress(ValueError):  # any other text stays, and is rejected later
            sent = from_json(f"[{cells}]")
    if isinstance(sent, list):
        return [int(cell) if cell in _DIGITS else cell for cell in sent]
    return sent


#  Of these validators, the last one runs first.
Mark = Annotated[position.Mark, BeforeValidator(_a_mark), _in_any_case(position.Mark)]
Level = Annotated[Difficulty, _in_any_case(Difficulty)]
Moves = Annotated[Played, BeforeValidator(_as_list)]


class InvalidCallError(ValueError):
    """Raised if the arguments of a call are invalid; the message says why and what is expected."""


class Arguments(Request):
    """A game: its moves, and the side that started."""

    unknown_statement: ClassVar = "is not an argument of this tool"
    unknown_advice: ClassVar = "The arguments are {}."
    hints: ClassVar = {
        "board": Hint("`played` has all moves of the game."),  # in REST it may have only the last
        "played": Hint("List all cells played so far as integers, in order."),
        "starts": Hint("Send the side that made or makes the first move."),
    }

    played: Moves
    starts: Mark = Field(description="The side that made or makes the first move.")

    def start(self) -> Position:
        """Return the position before the moves."""
        return Position(0, 0, self.starts)

    def position(self) -> Position:
        """Return the position after the moves; raise InvalidCallError if one is illegal."""
        try:
            return self.start().play(self.played)
        except IllegalMoveError as error:
            raise InvalidCallError(f"`played` has an illegal move. {error}") from None


class BestMoveArguments(Arguments):
    """A game, the side that asks for a move, and the level of the reply."""

    hints: ClassVar = Arguments.hints | {
        "played": Hint("List all cells played so far as integers, in order; none for a new game.")
    }

    played: Moves = Field(
        description="All cells played so far, in order; [] for a new game. The two sides alternate."
    )
    you: Mark | MISSING = Field(
        default=MISSING,
        description="The side that you play. If the other side is to move, the result is an error.",
    )
    difficulty: Level = Field(
        default="perfect",
        description="How well to play. Later levels play more moves at random. Default: perfect.",
    )

    def position(self) -> Position:
        """Return the position after the moves.

        Raise InvalidCallError also if the last move is that of `you`, even if it ended the game: a
        wrong list may end a game that goes on in the chat.
        """
        found = super().position()
        side = found.to_move
        if self.you in (MISSING, side):
            return found
        turn = f"it is {side}'s turn"
        follows = "the other side's next move is missing in `played`"
        if found.status != "in_progress":
            turn = "the game is over"
            follows = "no move may follow"
        problem = (
            f"`you` is {self.you}, but {turn} after {self.played} in a game that {self.starts} "
            "starts"
        )
        if not self.played:
            raise InvalidCallError(
                f"{problem}. Either the other side's first move is missing in `played`, or "
                "`starts` or `you` is wrong."
            )
        raise InvalidCallError(
            f"{problem}: {self.played[-1]} counts as {self.you}'s. If you made this move, "
            f"{follows}; if the other side made it, `played` lacks an earlier move or has one too "
            "many, or `starts` or `you` is wrong."
        )


class JudgeMoveArguments(Arguments):
    """A game, and the side whose last move is judged."""

    hints: ClassVar = Arguments.hints | {"player": Hint("Send the side whose last move is judged.")}

    played: Annotated[Moves, Field(min_length=1)] = Field(
        description="All cells played so far, in order. The two sides alternate."
    )
    player: Mark = Field(description="The side whose last move is judged.")

    def position(self) -> Position:
        """Return the position after the moves; raise InvalidCallError also if `player` is wrong."""
        found = super().position()
        has_moved = len(self.played) > 1 or self.player == self.starts
        if has_moved:
            return found
        raise InvalidCallError(
            f"`player` is {self.player}, but {self.player} has made no move after {self.played} in "
            f"a game that {self.starts} starts. Either a move is missing in `played`, or `starts` "
            "or `player` is wrong."
        )


def read_call(form: type[Form], sent: Json) -> Form:
    """Read the arguments of a tool; raise InvalidCallError if any is invalid.

    Null, "null", "None" and an empty text count as omitted, names that chat hosts add are ignored,
    and one object may be around the arguments or around their JSON text.
    """
    try:
        return read(form, _arguments_in(form, sent))
    except InvalidRequestError as error:
        #  Keep only the first error of each argument, because a list may have nine.
        first: dict[object, ErrorDetails] = {}
        for each in error.errors:
            first.setdefault(each["loc"][0], each)
        error.errors = [*first.values()]
        problem, _ = describe_errors(error)
        if any(map(_may_be_a_move, error.errors)):
            problem += " A move belongs in `played`."
        raise InvalidCallError(problem) from None


def _may_be_a_move(error: ErrorDetails) -> bool:
    """Return whether a name is unknown and its value has a digit from 0 to 8."""
    is_unknown = error["type"] == "extra_forbidden"
    return is_unknown and bool(re.search("[0-8]", str(error["input"])))


def _arguments_in(form: type[Request], sent: Json) -> Json:
    """Return the arguments that are sent, also if one object is around them or their JSON text."""
    arguments = _without_additions(sent)
    if len(arguments) == 1:
        [(name, inner)] = arguments.items()
        if isinstance(inner, str):
            with suppress(MalformedJsonError, DuplicateFieldError):  # any other text is no object
                inner = decode(inner.encode())
        if name not in form.model_fields and isinstance(inner, dict) and "played" in inner:
            return _without_additions(inner)
    return arguments


def _without_additions(sent: Json) -> Json:
    """Return what is sent, without what chat hosts add and without what counts as omitted."""
    return {
        name: value
        for name, value in sent.items()
        if not _ADDED_BY_HOSTS.fullmatch(name)
        and (name, value) != ("action", "sendMessage")
        and str(value).strip().lower() not in _OMITTED  # str(None) is "None"
    }
