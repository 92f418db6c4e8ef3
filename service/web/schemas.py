"""The contract in code: what a request may say and what an answer says, as Pydantic models."""

from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Discriminator, Field, Tag, WithJsonSchema
from pydantic.json_schema import models_json_schema
from typing_extensions import TypeAliasType

from service.engine import ALGORITHMS, position, score
from service.oracle import Answer, Assessment, Question

#  Named aliases become named schemas, so that a generated client has each enumeration once.

if TYPE_CHECKING:
    Algorithm = str  # a type checker cannot read the names in the registry
else:
    Algorithm = TypeAliasType("Algorithm", Literal[tuple(ALGORITHMS)])
Mark = TypeAliasType("Mark", position.Mark)
Scoring = TypeAliasType("Scoring", score.Scoring)
Outcome = TypeAliasType("Outcome", score.Outcome)
Status = TypeAliasType("Status", position.Status)
Cell = TypeAliasType("Cell", Annotated[int, Field(ge=0, le=8, description="A cell of the board, row by row.")])

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
    list[Literal["X", "O", "x", "o", "", None]],  # noqa: PYI061, a union with None would name each fault twice
    Field(min_length=9, max_length=9, description='Nine cells: "X" and "O" in either case; "" and null are empty.'),
]


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


class Schema(BaseModel):
    """What all schemas share."""

    def as_json(self, *, without: str = "") -> str:
        """Return the fields that are set, save one, as JSON that ends with a newline."""
        return self.model_dump_json(exclude_unset=True, exclude={without}) + "\n"


class BestMoveRequest(Schema):
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

    def question(self) -> Question:
        """Return the engine's question; raise InvalidBoardError or IllegalPositionError if there is no position."""
        board = self.board if isinstance(self.board, str) else "".join(cell or "." for cell in self.board)
        return Question(
            position=position.Position.parse(board, self.to_move),
            algorithm=self.algorithm,
            scoring=self.scoring,
            max_depth=self.max_depth,
            analysis=self.analysis,
        )


class Position(Schema):
    """A position of the game."""

    board: str = Field(pattern="^[XO.]{9}$", description="Nine characters, row by row: X, O, and '.' for empty.")
    to_move: Mark = Field(description="The side to move; on a finished board, the side whose turn it would be.")
    status: Status = Field(description="Whether the game goes on, and if not how it ended.")
    winning_line: list[Cell] = Field(description="The three cells of the line that won; empty if none has.")

    @classmethod
    def of(cls, described: position.Position) -> Self:
        """Describe a position of the engine's."""
        return cls(
            board=described.board,
            to_move=described.to_move,
            status=described.status,
            winning_line=list(described.winning_line),
        )


class ScoredMove(Schema):
    """A legal move, and what it leads to for the side that makes it."""

    move: Cell
    value: float = Field(ge=-1, le=1, description="1 a win, 0 a draw, -1 a loss; strictly between for an estimate.")
    outcome: Outcome = Field(description="The value as a word; `unknown` where the horizon could have changed it.")
    distance: int | None = Field(
        ge=0, le=9, description="Plies to the end of the game; null where not exact, and with `scoring=outcome`."
    )

    @classmethod
    def of(cls, move: int, assessment: Assessment) -> Self:
        """Describe a move that the oracle assessed."""
        return cls(
            move=move,
            value=assessment.value,
            outcome=assessment.outcome,
            distance=assessment.distance,
        )


class BestMove(Schema):
    """The best move, what it leads to for the side to move, and what it took to find it."""

    move: Cell | None = Field(description="The best move, of equal ones the lowest cell; null on a finished board.")
    value: float = Field(
        ge=-1,
        le=1,
        description="For the side to move: 1 a win, 0 a draw, -1 a loss; strictly between if it is only an estimate.",
    )
    outcome: Outcome = Field(description="The value as a word; `unknown` if not exact.")
    distance: int | None = Field(
        ge=0,
        le=9,
        description="Plies to the end of the game with best play; null if not exact, and with `scoring=outcome` (save "
        "on a finished board, where it is 0).",
    )
    exact: bool = Field(description="False where the horizon could have changed the value.")
    principal_variation: list[Cell] = Field(description="The line of best play found; it starts with the move.")
    nodes: int = Field(ge=1, description="Nodes visited, the root included: calls of the recursive search function.")
    elapsed_ms: float = Field(ge=0, description="Milliseconds that the search alone took.")
    algorithm: Algorithm = Field(description="As used.")
    scoring: Scoring = Field(description="As used.")
    max_depth: int = Field(ge=1, le=9, description="As used.")
    position: Position = Field(description="The position that was searched.")
    after: Position | None = Field(description="The position after the move, to play on from; null without a move.")
    moves: list[ScoredMove] = Field(
        default_factory=list, description="With `analysis`: every legal move, the best first, equal ones by cell."
    )

    @classmethod
    def of(cls, answer: Answer) -> Self:
        """Describe an answer of the oracle's."""
        question, assessment = answer.question, answer.assessment
        described = cls(
            move=answer.move,
            value=assessment.value,
            outcome=assessment.outcome,
            distance=assessment.distance,
            exact=assessment.exact,
            principal_variation=list(answer.principal_variation),
            nodes=answer.nodes,
            elapsed_ms=answer.elapsed_ms,
            algorithm=question.algorithm,
            scoring=question.scoring,
            max_depth=question.max_depth,
            position=Position.of(question.position),
            after=None if answer.move is None else Position.of(question.position.after(answer.move)),
        )
        if answer.moves is not None:
            described.moves = [ScoredMove.of(move, assessed) for move, assessed in answer.moves.items()]
        return described


class FieldError(Schema):
    """One fault of a request."""

    pointer: str = Field(description="A JSON Pointer to the fault, in the body or among the query's parameters.")
    code: str = Field(pattern="^[a-z_]+$", description="The kind of fault, for programs. Stable.")
    detail: str = Field(description="The fault and what to change, for people.")


class Problem(Schema):
    """What went wrong, after RFC 9457."""

    type: str = Field(description="A URI that identifies the kind of problem. It is a name, not an address.")
    title: str = Field(description="The kind of problem, in words.")
    status: int = Field(ge=400, le=599, description="The HTTP status.")
    detail: str = Field(description="This problem and what to change, for people.")
    code: str = Field(pattern="^[a-z_]+$", description="The kind of problem, for programs. Stable.")
    errors: list[FieldError] = Field(default_factory=list, description="Each fault by itself, where that helps.")


class Health(Schema):
    """The state of the service."""

    status: Literal["ok"]
    version: str


def json_schemas(ref_template: str) -> dict[str, Any]:
    """Return the JSON Schema of every schema by its name; `ref_template` says how one refers to another."""
    _, definitions = models_json_schema(
        [(BestMoveRequest, "validation"), (BestMove, "validation"), (Problem, "validation"), (Health, "validation")],
        ref_template=ref_template,
    )
    schemas: dict[str, Any] = definitions["$defs"]
    del schemas["BestMoveRequest"]["properties"]["to_move"]["default"]  # it may be left out, yet null is refused
    return schemas
