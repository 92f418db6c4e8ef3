"""Questions: a query, a body or a batch, read as what the oracle takes or as the exception that says what is wrong."""

import re
from collections.abc import Callable
from functools import cache
from typing import Annotated, Any, Final, Literal, TypeVar
from urllib.parse import parse_qsl
from wsgiref.types import WSGIEnvironment

from pydantic import (
    MISSING,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetPydanticSchema,
    SkipValidation,
    TypeAdapter,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WithJsonSchema,
)
from pydantic_core import ErrorDetails, core_schema
from typing_extensions import TypeAliasType
from werkzeug.exceptions import RequestEntityTooLarge, RequestTimeout, UnsupportedMediaType

from service.engine.choice import MAX_SEED, RATES
from service.engine.position import CELLS, Position
from service.engine.score import WIN
from service.engine.search_tree import DEFAULT_NODES, MAX_NODES, TreeQuestion
from service.oracle import Game, Question
from service.web.api.enums import Algorithm, Difficulty, Mark, MoveOrder, Scoring, TieBreak, TracedAlgorithm
from service.web.lean_flask import current_request
from service.web.strict_json import DuplicateFieldError, decode

MAX_BYTES: Final = 64 * 1024  # of a body
MAX_REQUESTS: Final = 100  # in a batch
MAX_ERRORS: Final = 20  # that are told of a request; of more, only how many

Form = TypeVar("Form", bound=BaseModel)


class MalformedBodyError(ValueError):
    """Raised for a body that cannot be read to its end."""


class InvalidRequestError(ValueError):
    """Raised for fields that break the schema of a form: what Pydantic finds, and how many faults there are besides."""

    def __init__(self, form: type[BaseModel], faults: list[ErrorDetails], more: int) -> None:
        super().__init__(f"no {form.__name__}")
        self.form: Final = form
        self.faults: Final = faults
        self.more: Final = more


def _read_board(board: object, read_cells: ValidatorFunctionWrapHandler) -> str:
    """Return a board as a string. What a string holds is for the engine to read, whose message names the wrong cell."""
    return board if isinstance(board, str) else "".join(cell or "." for cell in read_cells(board))


_BOARD_STRING: Final[dict[str, Any]] = {
    "type": "string",
    "description": "Nine characters: X and O in either case; '.', '_', '-' and space are empty.",
    "pattern": "^[XOxo._ -]{9}$",
    "minLength": CELLS,
    "maxLength": CELLS,
}
_BoardArray = Annotated[
    list[
        Annotated[
            Literal["X", "O", "x", "o", "", None],  # noqa: PYI061, a union with None would name each fault twice
            #  No enumeration, for which some languages would need two constants of the same name: X and x.
            WithJsonSchema({"type": ["string", "null"], "pattern": "^[XOxo]?$", "maxLength": 1}),
        ]
    ],
    Field(
        min_length=CELLS,
        max_length=CELLS,
        description='Nine cells: "X" and "O" in either case; "" and null are empty.',
    ),
]
Board = TypeAliasType(
    "Board",
    Annotated[
        str,
        GetPydanticSchema(
            lambda _, handler: core_schema.no_info_wrap_validator_function(_read_board, handler(_BoardArray))
        ),
        WithJsonSchema(
            {
                "description": "The nine cells, row by row. A new game: nine empty ones.",
                "oneOf": [_BOARD_STRING, TypeAdapter(_BoardArray).json_schema()],
            }
        ),
    ],
)


def _whole(number: object) -> object:
    """Return a number such as 2.0 as the integer that it is in JSON."""
    return int(number) if isinstance(number, float) and number.is_integer() else number


Played = Annotated[
    list[Annotated[int, Field(ge=0, le=CELLS - 1), BeforeValidator(_whole)]],
    Field(max_length=CELLS),
]
WayOfScoring = Annotated[
    Scoring,
    Field(description="`distance` prefers the quickest win and the slowest loss; `outcome` knows -1, 0 and 1 only."),
]
Depth = Annotated[
    int,
    Field(ge=1, le=CELLS, description="Plies to search. At the horizon a static estimate stands for the rest."),
    BeforeValidator(_whole),
]
Seed = Annotated[int, Field(ge=0, le=MAX_SEED), BeforeValidator(_whole)]
Levels = Annotated[int, Field(ge=0, le=CELLS), BeforeValidator(_whole)]
Limit = Annotated[int, Field(ge=-WIN, le=WIN), BeforeValidator(_whole)]

_DEFAULT: Final = Question(Position(0, 0, "X"))
_DEFAULT_TREE: Final = TreeQuestion(Position(0, 0, "X"))


class PositionRequest(BaseModel):
    """A position: a board, and the moves played from it."""

    model_config = ConfigDict(extra="forbid", strict=True)

    board: Board
    to_move: Mark | MISSING = Field(
        default=MISSING,
        description=(
            "The side to move on `board`. Default: the side with fewer marks; if equal, X unless X has just won. "
            "If sent, it must fit the board. Either side may have started."
        ),
    )
    played: Played | MISSING = Field(
        default=MISSING,
        description="The moves played from `board`, in order: cells from 0 to 8. Default: none.",
    )

    def start(self) -> Position:
        """Return the position on the board; raise InvalidBoardError or IllegalPositionError if it is invalid."""
        return Position.parse(self.board, None if self.to_move is MISSING else self.to_move)

    def position(self) -> Position:
        """Return the position after the moves; raise what `start` raises, or IllegalMoveError."""
        start = self.start()
        return start if self.played is MISSING else start.play(self.played)


class BestMoveRequest(PositionRequest):
    """A position, and how to search it."""

    algorithm: Algorithm = Field(default=_DEFAULT.algorithm, description="The search to run. All find the same move.")
    scoring: WayOfScoring = _DEFAULT.scoring
    max_depth: Depth = _DEFAULT.max_depth
    analysis: bool = Field(default=_DEFAULT.analysis, description="Also score every legal move.")
    difficulty: Difficulty = Field(
        default=_DEFAULT.difficulty,
        description="How often a random legal move is played: "
        + ", ".join(f"{name} {rate:.0%}" for name, rate in RATES.items())
        + " of the time.",
    )
    tie_break: TieBreak = Field(
        default=_DEFAULT.tie_break,
        description="Among equal moves: the lowest cell; a random one; the one after which most replies are mistakes; "
        "the one with the highest chance of a win against random replies.",
    )
    seed: Seed | MISSING = Field(
        default=MISSING,
        description="Makes every random choice repeatable: the same question with the same seed has the same answer.",
    )

    def question(self) -> Question:
        """Return the oracle's question; raise what `position` raises."""
        return Question(
            position=self.position(),
            algorithm=self.algorithm,
            scoring=self.scoring,
            max_depth=self.max_depth,
            analysis=self.analysis,
            difficulty=self.difficulty,
            tie_break=self.tie_break,
            seed=None if self.seed is MISSING else self.seed,
        )


class GameReviewRequest(PositionRequest):
    """A game: a board, and the moves played from it, which are reviewed."""

    played: Annotated[Played, Field(min_length=1)] = Field(
        description="The moves played from `board`, in order: cells from 0 to 8."
    )
    scoring: Scoring = Field(
        default=_DEFAULT.scoring,
        description="Which moves are best: with `distance` those that win soonest or lose last, with `outcome` all "
        "with the best outcome.",
    )

    def game(self) -> Game:
        """Return the oracle's game; raise what `start` raises."""
        return Game(self.start(), self.played, self.scoring)


class SearchTreeRequest(PositionRequest):
    """A position, how to search it, and how much of the search to write down."""

    algorithm: TracedAlgorithm = Field(default=_DEFAULT_TREE.algorithm, description="The search to run.")
    scoring: WayOfScoring = _DEFAULT_TREE.scoring
    max_depth: Depth = _DEFAULT_TREE.max_depth
    order: MoveOrder = Field(
        default=_DEFAULT_TREE.order,
        description="The order in which every node's moves are tried: by cell, or by their true scores for the side to "
        "move. The order changes what alpha-beta prunes, never the score.",
    )
    levels: Levels | MISSING = Field(
        default=MISSING,
        description=(
            f"Plies of the tree to answer; fewer where that could be more than {MAX_NODES:,} nodes. Left out, as many "
            f"as are never more than {DEFAULT_NODES}: up to five empty cells, the whole tree."
        ),
    )
    maximizer: Mark | MISSING = Field(
        default=MISSING, description="The side that is MAX, whose every number is. Left out, it is the side to move."
    )
    alpha: Limit | MISSING = Field(
        default=MISSING, description="With alpha-beta, the score that MAX is sure of already. Left out, there is none."
    )
    beta: Limit | MISSING = Field(
        default=MISSING,
        description="With alpha-beta, the score that MIN is sure of already, which is above alpha. Left out, there is "
        "none.",
    )

    def question(self) -> TreeQuestion:
        """Return the engine's question; raise what `position` raises."""
        how = self.model_dump(exclude={*PositionRequest.model_fields})  # without what is missing
        return TreeQuestion(self.position(), **how)


class BestMovesRequest(BaseModel):
    """Many questions at once. Each is checked by itself: one that is wrong has a problem for its answer."""

    model_config = ConfigDict(extra="forbid", strict=True)

    requests: list[SkipValidation[BestMoveRequest | Any]] = Field(
        min_length=1, max_length=MAX_REQUESTS, description="The questions, each as `POST /best-move` takes it."
    )

    def questions(self) -> list[Question | ValueError]:
        """Return the question of each item, or the exception that says why it is none."""
        return [_question(fields) for fields in self.requests]


def _question(fields: object) -> Question | ValueError:
    try:
        return read(BestMoveRequest, fields).question()
    except ValueError as error:
        return error


def read_query(form: type[Form]) -> Form:
    """Read the query as a form: each parameter once, spelt as JSON would if it is a number or a boolean."""
    pairs = parse_qsl(current_request().environ.get("QUERY_STRING", ""), keep_blank_values=True, errors="replace")
    spelt = _spelt(form)
    fields = {name: spelt[name](text) if name in spelt else text for name, text in pairs}
    if len(fields) < len(pairs):
        raise DuplicateFieldError(name for name, _ in pairs)
    return read(form, fields)


def read_body(form: type[Form]) -> Form:
    """Read the JSON body as a form."""
    return read(form, decode(read_bytes()))


def read(form: type[Form], fields: object) -> Form:
    """Read fields as a form; raise InvalidRequestError or DuplicateFieldError where they are none."""
    if isinstance(fields, DuplicateFieldError):
        raise fields
    fields, more = _few(form, fields)
    try:
        return form.model_validate(fields)
    except ValidationError as error:
        faults = error.errors(include_input=False, include_url=False)
        more += max(len(faults) - MAX_ERRORS, 0)
        raise InvalidRequestError(form, faults[:MAX_ERRORS], more) from None


@cache
def fields_of(form: type[BaseModel]) -> dict[str, dict[str, Any]]:
    """Return the JSON Schema of each field of a form, by its name."""
    fields: dict[str, dict[str, Any]] = form.model_json_schema()["properties"]
    return fields


def _few(form: type[BaseModel], fields: object) -> tuple[object, int]:
    """Return the fields without the unknown ones that nobody would be told of, and how many these are."""
    if not isinstance(fields, dict) or len(fields) <= MAX_ERRORS:
        return fields, 0
    unknown = [name for name in fields if name not in form.model_fields]
    told = {*form.model_fields, *unknown[:MAX_ERRORS]}
    return {name: value for name, value in fields.items() if name in told}, max(len(unknown) - MAX_ERRORS, 0)


def _integer(text: str) -> int | str:
    return int(text) if re.fullmatch("-?[0-9]{1,4300}", text) else text  # as many digits as Python reads


def _integers(text: str) -> list[int | str]:
    return [_integer(part) for part in text.split(",")] if text else []


def _boolean(text: str) -> bool | str:
    return {"true": True, "false": False}.get(text, text)


@cache
def _spelt(form: type[BaseModel]) -> dict[str, Callable[[str], object]]:
    """Return how the parameters of a form that are no text are read; what cannot be read stays text, which is wrong."""
    readers: dict[object, Callable[[str], object]] = {"integer": _integer, "boolean": _boolean, "array": _integers}
    types = {name: schema.get("type") for name, schema in fields_of(form).items()}
    return {name: readers[type_] for name, type_ in types.items() if type_ in readers}


def read_bytes() -> bytes:
    """Return the whole body, if it is said to be JSON.

    Flask would do so too, at several times the price, and without the limit where a body comes in chunks.
    """
    request = current_request()
    environ = request.environ
    if environ.get("CONTENT_TYPE") != "application/json" and request.mimetype != "application/json":
        raise UnsupportedMediaType
    length = environ.get("CONTENT_LENGTH", "")
    if length.isdecimal():
        if int(length) > MAX_BYTES:
            raise RequestEntityTooLarge
        body = _read(environ, int(length))
        if len(body) < int(length):
            raise MalformedBodyError
    else:
        body = _read(environ, MAX_BYTES + 1) if environ.get("wsgi.input_terminated") else b""
        if len(body) > MAX_BYTES:
            raise RequestEntityTooLarge
    return body


def _read(environ: WSGIEnvironment, size: int) -> bytes:
    """Return the body up to a size; the server ends it where its last chunk does."""
    try:
        body: bytes = environ["wsgi.input"].read(size)
    except TimeoutError as error:
        raise RequestTimeout from error
    except Exception as error:  # the server's parser of chunks raises what it likes
        raise MalformedBodyError from error
    return body
