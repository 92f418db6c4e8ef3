"""Request models."""

from typing import Annotated, ClassVar

from pydantic import MISSING, BeforeValidator, Field, WithJsonSchema
from typing_extensions import TypeAliasType

from best_move.engine import number_tree, position, question, score, search, search_tree, tree_node
from best_move.engine.number_tree import MAX_NUMBER, NumberTreeQuestion
from best_move.engine.position import CELLS, IllegalMoveError, IllegalPositionError, Position
from best_move.engine.question import MAX_SEED
from best_move.engine.search_tree import TreeQuestion
from best_move.oracle import Game, Question
from best_move.player import MAX_FREQUENCY
from best_move.web.api.number_text import EXAMPLE, read_tree
from best_move.web.api.request_model import CELL, Hint, Played, Request, as_integer
from best_move.web.api.strict_json import Json

MAX_REQUESTS = 100  # in a batch
MAX_TREE = 4_000  # characters of a tree of numbers; the largest has about 2,000 without blanks


BOARD = "^[XO.]{9}$"

#  These types are named, so that a generated client has each of them once; the schemas of responses
#  use them, too.
Algorithm = TypeAliasType("Algorithm", search.Algorithm)
TieBreak = TypeAliasType("TieBreak", question.TieBreak)
Mark = TypeAliasType("Mark", position.Mark)
Scoring = TypeAliasType("Scoring", score.Scoring)
Difficulty = TypeAliasType("Difficulty", question.Difficulty)
TracedAlgorithm = TypeAliasType("TracedAlgorithm", tree_node.TracedAlgorithm)
MoveOrder = TypeAliasType("MoveOrder", search_tree.MoveOrder)
Side = TypeAliasType("Side", tree_node.Side)
CutRule = TypeAliasType("CutRule", number_tree.CutRule)
BranchOrder = TypeAliasType("BranchOrder", number_tree.BranchOrder)
Board = TypeAliasType("Board", Annotated[str, Field(pattern=BOARD)])

Depth = Annotated[int, Field(ge=1, le=CELLS), BeforeValidator(as_integer)]
Seed = Annotated[
    int,
    Field(ge=0, le=MAX_SEED, json_schema_extra={"format": "int64"}),
    BeforeValidator(as_integer),
]
Plies = Annotated[int, Field(ge=0, le=CELLS), BeforeValidator(as_integer)]
Limit = Annotated[int, Field(ge=-score.WIN, le=score.WIN), BeforeValidator(as_integer)]
NumberLimit = Annotated[int, Field(ge=-MAX_NUMBER, le=MAX_NUMBER), BeforeValidator(as_integer)]

_DEFAULT = Question(Position(0, 0, "X"))
_DEFAULT_TREE = TreeQuestion(Position(0, 0, "X"))
_DEFAULT_NUMBERS = NumberTreeQuestion([])


#  The advice for names that are no fields, but that clients send.
_TURN = Hint("Whose turn it is follows from the marks and `starts`.")


class PositionRequest(Request):
    """A position: a board, and the moves played from it."""

    hints: ClassVar = {
        "board": Hint(
            "Send the cells row by row, such as {}. A new game is {}.", "X...O....", "........."
        ),
        "played": Hint("Send cells in the order of the moves, such as {}.", [0, 4, 1]),
        **dict.fromkeys(("to_move", "turn", "player", "side", "you"), _TURN),
    }

    board: Board
    starts: Mark | MISSING = MISSING
    played: Played = Field(default_factory=list)

    def start(self) -> Position:
        """Return the position on the board.

        Raises IllegalPositionError if the board is illegal, or if its marks contradict `starts`.
        """
        position = Position.parse(self.board)
        if self.starts is MISSING:
            return position
        try:
            return position.started_by(self.starts)
        except IllegalPositionError as error:
            advice = f"Send {position.starts} as `starts`, or another board."
            raise IllegalPositionError(error.cause, f"{error} {advice}") from None

    def position(self) -> Position:
        """Return the position after the moves.

        Raises IllegalMoveError, or IllegalPositionError as `start` does.
        """
        return self.start().play(self.played)

    def options(self) -> Json:
        """Return the fields that were sent or have defaults, without those of the position."""
        return {
            name: value
            for name, value in vars(self).items()
            if name not in _POSITION and value is not MISSING
        }


_POSITION = {*PositionRequest.model_fields}


class BestMoveRequest(PositionRequest):
    """A position, and how to search it."""

    hints: ClassVar = PositionRequest.hints | {
        "played": Hint(
            "Send cells in the order of the moves, such as {}. Without `played`, the oracle moves "
            "for the side to move.",
            [0, 4, 1],
        )
    }

    algorithm: Algorithm = _DEFAULT.algorithm
    scoring: Scoring = _DEFAULT.scoring
    max_depth: Depth = _DEFAULT.max_depth
    analysis: bool = _DEFAULT.analysis
    difficulty: Difficulty = _DEFAULT.difficulty
    tie_break: TieBreak = _DEFAULT.tie_break
    seed: Seed | MISSING = MISSING

    def question(self) -> Question:
        """Return the question to the oracle; raise the same errors as `position`."""
        return Question(self.position(), **self.options())


class GameReviewRequest(PositionRequest):
    """A game: a board, and the moves played from it, which are reviewed."""

    #  Required, because it has no default. The example fits the board of the OpenAPI document.
    played: Annotated[Played, Field(min_length=1, examples=[[8]])]
    scoring: Scoring = _DEFAULT.scoring

    def game(self) -> Game:
        """Return the game for the oracle, which checks its moves.

        Raises the errors of `start`.
        """
        return Game(self.start(), self.played, self.scoring)


def _object_by_board(entry: Json) -> WithJsonSchema:
    """Return the schema of an object whose names are boards, given that of its values.

    Pydantic checks only that it is an object. `review_player` in player.py checks the entries, and
    reports all errors together.
    """
    return WithJsonSchema(
        {"type": "object", "propertyNames": {"pattern": BOARD}, "additionalProperties": entry}
    )


_FREQUENCY = {"type": "number", "minimum": 0, "maximum": MAX_FREQUENCY}
_FREQUENCIES = {"type": "array", "items": _FREQUENCY, "minItems": CELLS, "maxItems": CELLS}


class PlayerReviewRequest(Request):
    """A player: its side and, for each board that the client knows, its move or its frequencies."""

    hints: ClassVar = {
        "side": Hint("Send the player's side, {} or {}.", "X", "O"),
        "moves": Hint("Send a cell for each board, such as {}.", {"X...O....": 1}),
        "frequencies": Hint(
            "Send nine numbers for each board, such as {}.",
            {"X..O.....": [0, 3, 0, 0, 0, 0, 0, 0, 17]},
        ),
    }

    side: Mark
    starts: Mark = "X"
    moves: Annotated[Json, _object_by_board(CELL), Field(default_factory=dict)]
    frequencies: Annotated[Json, _object_by_board(_FREQUENCIES), Field(default_factory=dict)]


class SearchTreeRequest(PositionRequest):
    """A position, how to search it, and how much of the tree to return."""

    algorithm: TracedAlgorithm = _DEFAULT_TREE.algorithm
    scoring: Scoring = _DEFAULT_TREE.scoring
    max_depth: Depth = _DEFAULT_TREE.max_depth
    order: MoveOrder = _DEFAULT_TREE.order
    plies: Plies | MISSING = MISSING
    maximizer: Mark | MISSING = MISSING
    alpha: Limit | MISSING = MISSING
    beta: Limit | MISSING = MISSING

    def question(self) -> TreeQuestion:
        """Return the question to the engine; raise the same errors as `position`."""
        return TreeQuestion(self.position(), **self.options())


class NumberPictureRequest(Request):
    """A tree of numbers, and the side to move at its root."""

    hints: ClassVar = {"tree": Hint("Send lists of integers, such as {}.", EXAMPLE)}

    tree: Annotated[str, Field(min_length=1, max_length=MAX_TREE, examples=[EXAMPLE])]
    root: Side = _DEFAULT_NUMBERS.root

    def question(self) -> NumberTreeQuestion:
        """Return the question to the engine; raise InvalidTreeError if the text is not a tree."""
        given = {name: value for name, value in vars(self).items() if value is not MISSING}
        return NumberTreeQuestion(**given | {"tree": read_tree(self.tree, self.root)})


class NumberTreeRequest(NumberPictureRequest):
    """A tree of numbers, and how to search it."""

    algorithm: TracedAlgorithm = _DEFAULT_NUMBERS.algorithm
    cut: CutRule = _DEFAULT_NUMBERS.cut
    order: BranchOrder = _DEFAULT_NUMBERS.order
    alpha: NumberLimit | MISSING = MISSING
    beta: NumberLimit | MISSING = MISSING


class TablebaseRequest(Request):
    """A request for the whole tablebase, which has no fields."""

    unknown_advice: ClassVar = "It has no fields."


class BestMovesRequest(Request):
    """A batch of up to 100 requests for a best move."""

    unknown_advice: ClassVar = "The only field is `{}`."
    hints: ClassVar = {
        "requests": Hint("Send an array of requests, such as {}.", [{"board": "X...O...."}])
    }

    requests: list[BestMoveRequest] = Field(min_length=1, max_length=MAX_REQUESTS)

    def questions(self) -> list[Question | ValueError]:
        """Return the question of each request; if its position or a move is illegal, the error.

        An error has no traceback, because that would lead back to the list: both would stay in
        memory.
        """
        found: list[Question | ValueError] = []
        for request in self.requests:
            try:
                found.append(request.question())
            except (IllegalPositionError, IllegalMoveError) as error:
                found.append(error.with_traceback(None))
        return found
