"""The contract in code: what a request may say and what an answer says, as Pydantic models."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, NotRequired

from annotated_types import Ge, Le
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    Tag,
    TypeAdapter,
    WithJsonSchema,
)
from pydantic_core import to_json
from typing_extensions import TypeAliasType, TypedDict

from service.engine import ALGORITHMS, choice, position, score
from service.engine.reason import Reason as EngineReason
from service.oracle import Answer, Assessment, Question

#  Named aliases become named schemas, so that a generated client has each enumeration once.

if TYPE_CHECKING:
    Algorithm = str  # a type checker cannot read the names in the registries
    TieBreak = str
else:
    Algorithm = TypeAliasType("Algorithm", Literal[tuple(ALGORITHMS)])
    TieBreak = TypeAliasType("TieBreak", Literal[tuple(choice.TIE_BREAKS)])
Mark = TypeAliasType("Mark", position.Mark)
Scoring = TypeAliasType("Scoring", score.Scoring)
Outcome = TypeAliasType("Outcome", score.Outcome)
Status = TypeAliasType("Status", position.Status)
Difficulty = TypeAliasType("Difficulty", choice.Difficulty)
Reason = TypeAliasType("Reason", EngineReason)
Cell = TypeAliasType("Cell", Annotated[int, Field(ge=0, le=8, description="A cell of the board, row by row.")])

Cells = Sequence[Cell]
Value = Annotated[
    float,
    Field(ge=-1, le=1, description="For the mover: 1 a win, 0 a draw, -1 a loss; strictly between for an estimate."),
]
Distance = Annotated[
    int | None,
    Field(
        ge=0,
        le=9,
        description="Plies to the end of the game with best play; 0 if it is over; null if not exact, and with "
        "`scoring=outcome`.",
    ),
]

BoardString = Annotated[
    str,
    #  Only described here: the engine reads the board, and its message names the cell that is wrong.
    WithJsonSchema(
        {
            "type": "string",
            "description": "Nine characters: X and O in either case; '.', '_', '-' and space are empty.",
            "pattern": "^[XOxo._ -]{9}$",
            "minLength": 9,
            "maxLength": 9,
        }
    ),
]
BoardArray = Annotated[
    list[
        Annotated[
            Literal["X", "O", "x", "o", "", None],  # noqa: PYI061, a union with None would name each fault twice
            #  No enumeration, for which some languages would need two constants of the same name: X and x.
            WithJsonSchema({"type": ["string", "null"], "pattern": "^[XOxo]?$", "maxLength": 1}),
        ]
    ],
    Field(min_length=9, max_length=9, description='Nine cells: "X" and "O" in either case; "" and null are empty.'),
]


MAX_REQUESTS: Final = 100  # in one batch


def _whole(number: object) -> object:
    """Return a number such as 2.0 as the integer that it is in JSON."""
    return int(number) if isinstance(number, float) and number.is_integer() else number


def _board_form(board: object) -> str:
    return "array" if isinstance(board, list) else "string"


BOARD_FORMS = ("string", "array")
Board = TypeAliasType(
    "Board",
    Annotated[
        Annotated[BoardString, Tag("string")] | Annotated[BoardArray, Tag("array")],
        Discriminator(_board_form),
        Field(description="The nine cells, row by row."),
    ],
)


class BestMoveRequest(BaseModel):
    """A position, and how to search it."""

    model_config = ConfigDict(extra="forbid", strict=True)

    board: Board
    to_move: Mark = Field(
        default=None,  # type: ignore[arg-type]  # may be left out, yet null is refused
        description=(
            "The side to move. Left out, it is the side with fewer marks; between equal marks X, unless the board "
            "shows that O started. If given, it must fit the board. Either side may have started."
        ),
    )
    algorithm: Algorithm = Field(default="alphabeta", description="The search to run. All find the same move.")
    scoring: Scoring = Field(
        default="distance",
        description="`distance` prefers the quickest win and the slowest loss; `outcome` knows -1, 0 and 1 only.",
    )
    max_depth: Annotated[int, BeforeValidator(_whole)] = Field(
        default=9, ge=1, le=9, description="Plies to search. At the horizon a static estimate stands for the rest."
    )
    analysis: bool = Field(default=False, description="Also score every legal move.")
    difficulty: Difficulty = Field(
        default="perfect",
        description="How often the move is drawn at random from all legal ones: never, seldom, often, nearly always.",
    )
    tie_break: TieBreak = Field(
        default="first",
        description="Among moves of equal score: the lowest cell, one at random, or the one after which most of the "
        "opponent's replies throw something away.",
    )
    seed: Annotated[int, BeforeValidator(_whole)] = Field(  # type: ignore[assignment]  # as to_move
        default=None,
        ge=0,
        le=choice.MAX_SEED,
        description="Makes every random choice repeatable: the same question with the same seed has the same answer.",
    )

    def question(self) -> Question:
        """Return the engine's question; raise InvalidBoardError or IllegalPositionError if there is no position."""
        board = self.board if isinstance(self.board, str) else "".join(cell or "." for cell in self.board)
        return Question(
            position=position.Position.parse(board, self.to_move),
            algorithm=self.algorithm,
            scoring=self.scoring,
            max_depth=self.max_depth,
            analysis=self.analysis,
            difficulty=self.difficulty,
            tie_break=self.tie_break,
            seed=self.seed,
        )


class BestMovesRequest(BaseModel):
    """Many questions at once. Each is checked by itself: one that is wrong has a problem for its answer."""

    model_config = ConfigDict(extra="forbid", strict=True)

    requests: Annotated[list[Any], Field(min_length=1, max_length=MAX_REQUESTS)] = Field(
        description="The questions, each as `POST /best-move` takes it.",
        json_schema_extra={"items": {"anyOf": [{"$ref": "#/components/schemas/BestMoveRequest"}, {}]}},
    )


FIELDS: Final = {form.__name__: tuple(form.model_fields) for form in (BestMoveRequest, BestMovesRequest)}

#  The name of an integer -> the least and the most that it may be.
RANGES: Final = {
    name: tuple(
        bound.ge if isinstance(bound, Ge) else bound.le for bound in field.metadata if isinstance(bound, Ge | Le)
    )
    for name, field in BestMoveRequest.model_fields.items()
    if field.annotation is int
}

#  Answers are typed dictionaries: what the oracle says needs a schema and the quickest way to JSON, no validation.


class Position(TypedDict):
    """A position of the game."""

    board: Annotated[str, Field(pattern="^[XO.]{9}$", description="Nine characters, row by row; '.' is empty.")]
    to_move: Annotated[Mark, Field(description="The side to move; on a finished board, the side that would be.")]
    status: Annotated[Status, Field(description="Whether the game goes on, and if not how it ended.")]
    winning_line: Annotated[Cells, Field(description="The three cells of the line that won; empty if none has.")]


class ScoredMove(TypedDict):
    """A legal move, and what it leads to for the side that makes it."""

    move: Annotated[Cell, Field(description="The move.")]
    value: Value
    outcome: Annotated[Outcome, Field(description="The value as a word; `unknown` for an estimate.")]
    distance: Distance


class LastingAnswer(TypedDict):
    """What the same question is answered again, which is all but the time taken."""

    move: Annotated[Cell | None, Field(description="The move; null if the game is over.")]
    value: Value
    outcome: Annotated[Outcome, Field(description="The value as a word; `unknown` if not exact.")]
    distance: Distance
    exact: Annotated[bool, Field(description="False where the horizon could have changed the value.")]
    optimal: Annotated[bool, Field(description="False if the search knew a better move than the one returned.")]
    reason: Annotated[
        Reason | None,
        Field(description="Why, as a fact of the board: the first rule of Newell and Simon (1972) that fits."),
    ]
    text: Annotated[str, Field(description="What the move does and what follows from it, in plain English.")]
    principal_variation: Annotated[Cells, Field(description="The line of best play found; it starts with the move.")]
    nodes: Annotated[int, Field(ge=1, description="Nodes visited, the root included: calls of the recursive function.")]
    algorithm: Annotated[Algorithm, Field(description="As used.")]
    scoring: Annotated[Scoring, Field(description="As used.")]
    max_depth: Annotated[int, Field(ge=1, le=9, description="As used.")]
    difficulty: Annotated[Difficulty, Field(description="As used.")]
    tie_break: Annotated[TieBreak, Field(description="As used.")]
    position: Annotated[Position, Field(description="The position that was searched.")]
    after: Annotated[Position | None, Field(description="The position after the move, to play on from; null without.")]
    moves: NotRequired[
        Annotated[
            list[ScoredMove],
            Field(description="With `analysis`: every legal move, the best first, equal ones by cell."),
        ]
    ]


class BestMove(LastingAnswer):
    """The move, what it leads to for the side to move, and what it took to find it."""

    elapsed_ms: Annotated[float, Field(ge=0, description="Milliseconds that the search alone took.")]


class FieldError(TypedDict):
    """One fault of a request."""

    pointer: Annotated[str, Field(description="A JSON Pointer to the fault, in the body or among the parameters.")]
    code: Annotated[str, Field(pattern="^[a-z_]+$", description="The kind of fault, for programs. Stable.")]
    detail: Annotated[str, Field(description="The fault and what to change, for people.")]


class Problem(TypedDict):
    """What went wrong, after RFC 9457."""

    type: Annotated[str, Field(description="A URI that identifies the kind of problem: a name, not an address.")]
    title: Annotated[str, Field(description="The kind of problem, in words.")]
    status: Annotated[int, Field(ge=400, le=599, description="The HTTP status.")]
    detail: Annotated[str, Field(description="This problem and what to change, for people.")]
    code: Annotated[
        str,
        Field(
            pattern="^[a-z_]+$", description="The kind of problem, for programs. Stable; a later version may add some."
        ),
    ]
    errors: NotRequired[Annotated[list[FieldError], Field(description="Each fault by itself, where that helps.")]]


def _one_of(schema: dict[str, Any]) -> None:
    """Make alternatives exclusive: of `anyOf`, some generators make one type that has the fields of all."""
    schema["oneOf"] = schema.pop("anyOf")


BestMoveOrProblem = TypeAliasType("BestMoveOrProblem", Annotated[BestMove | Problem, Field(json_schema_extra=_one_of)])


class BestMoves(TypedDict):
    """The answers to many questions, in their order."""

    answers: list[BestMoveOrProblem]


class Health(TypedDict):
    """The state of the service."""

    status: Literal["ok"]
    version: str
    engine: Annotated[Literal["compiled", "interpreted"], Field(description="The form in which the engine runs.")]


def describe_answer(answer: Answer) -> BestMove:
    """Return an answer of the oracle's as the contract has it."""
    return {**describe_lasting(answer), "elapsed_ms": answer.elapsed_ms}


def describe_lasting(answer: Answer) -> LastingAnswer:
    """Return an answer of the oracle's as the contract has it, but for the time taken."""
    question, assessment = answer.question, answer.assessment
    described: LastingAnswer = {
        "move": answer.move,
        "value": assessment.value,
        "outcome": assessment.outcome,
        "distance": assessment.distance,
        "exact": assessment.exact,
        "optimal": answer.optimal,
        "reason": answer.reason,
        "text": answer.text,
        "principal_variation": answer.principal_variation,
        "nodes": answer.nodes,
        "algorithm": question.algorithm,
        "scoring": question.scoring,
        "max_depth": question.max_depth,
        "difficulty": question.difficulty,
        "tie_break": question.tie_break,
        "position": _describe_position(question.position),
        "after": None if answer.after is None else _describe_position(answer.after),
    }
    if answer.moves is not None:
        described["moves"] = [_describe_move(move, assessed) for move, assessed in answer.moves.items()]
    return described


def _describe_position(described: position.Position) -> Position:
    return {
        "board": described.board,
        "to_move": described.to_move,
        "status": described.status,
        "winning_line": described.winning_line,
    }


def _describe_move(move: int, assessment: Assessment) -> ScoredMove:
    return {
        "move": move,
        "value": assessment.value,
        "outcome": assessment.outcome,
        "distance": assessment.distance,
    }


def write_json(answer: LastingAnswer | BestMove | BestMoves | Problem | Health) -> bytes:
    """Return an answer as JSON that ends with a newline, for terminals."""
    return to_json(answer) + b"\n"


def json_schemas(ref_template: str) -> dict[str, Any]:
    """Return the JSON Schema of every schema by its name; `ref_template` says how one refers to another."""
    described = (BestMoveRequest, BestMovesRequest, BestMove, BestMoves, Problem, Health)
    forms: list[TypeAdapter[Any]] = [TypeAdapter(form) for form in described]
    _, definitions = TypeAdapter.json_schemas([(form, "validation", form) for form in forms], ref_template=ref_template)
    schemas: dict[str, Any] = definitions["$defs"]
    for name in ("to_move", "seed"):  # may be left out, yet null is refused
        del schemas["BestMoveRequest"]["properties"][name]["default"]
    return schemas
