"""The tools of chatbots: what a model may call, and what it is told in answer."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, TypeVar

import mcp_types as types
from pydantic import MISSING, BaseModel, ConfigDict, Field, TypeAdapter
from typing_extensions import TypedDict

from service.engine import choice
from service.engine.position import CELLS, Mark, Position, Status
from service.engine.score import Outcome
from service.oracle import Question
from service.web.api.problems import problem_of
from service.web.api.questions import Board, Played, PositionRequest, fields_of, read
from service.web.metrics import consult_and_count

Json = dict[str, Any]
Cell = Annotated[int, Field(ge=0, le=CELLS - 1)]


class BestMoveArguments(PositionRequest):
    """The game so far, and how well to play."""

    board: Board = Field(default="." * CELLS, description="The board that the moves started from.")
    difficulty: choice.Difficulty = Field(
        default="perfect", description="How well to play: each weaker level plays more moves at random."
    )


class Turn(TypedDict):
    """The move to play, why, and the game after it."""

    move: Annotated[Cell | None, Field(description="The cell to play; null if the game is over.")]
    text: Annotated[str, Field(description="What the move does, and how the game ended if it is over: tell the user.")]
    outlook: Annotated[
        str,
        Field(
            description="What best play leads to after the move, and whether there was a better one. It can give away "
            "a mistake: tell the user only if asked. Empty if the game is over."
        ),
    ]
    outcome: Annotated[Outcome, Field(description="How the game ends with best play, for the side that moves.")]
    played: Annotated[
        list[Cell] | None,
        Field(description="The list to go on with: the moves and this one. Null if a board was sent."),
    ]
    board: Annotated[str, Field(description="The board after the move: nine characters, '.' is empty.")]
    to_move: Annotated[Mark, Field(description="The side to move next.")]
    status: Annotated[Status, Field(description="Whether the game goes on after the move, and if not how it ended.")]
    free: Annotated[list[Cell], Field(description="The cells that may be played next; none once the game is over.")]


class JudgeMoveArguments(BaseModel):
    """A game, up to the move to judge."""

    model_config = ConfigDict(extra="forbid", strict=True)

    played: Annotated[Played, Field(min_length=1)] = Field(
        description="The moves of the game so far, in order: cells from 0 to 8. The last one is judged."
    )
    starts: Mark = Field(default="X", description="The side that started.")


class Judgement(TypedDict):
    """How good a move was, and what would have been better."""

    move: Annotated[Cell, Field(description="The move that is judged.")]
    player: Annotated[Mark, Field(description="The side that made it.")]
    mistake: Annotated[bool, Field(description="Whether another move would have led to a better result.")]
    text: Annotated[str, Field(description="The judgement in a sentence.")]
    outcome: Annotated[Outcome, Field(description="How the game now ends with best play, for the player.")]
    best_outcome: Annotated[Outcome, Field(description="How it would have ended with the best move, for the player.")]
    best_moves: Annotated[list[Cell], Field(description="The moves that would have led there.")]


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool as a host lists it, and what answers a call of it."""

    definition: types.Tool
    call: Callable[[Json], types.CallToolResult]


Form = TypeVar("Form", bound=BaseModel)


def best_move(asked: BestMoveArguments) -> tuple[Json, str]:
    """Return the move to play, and what the model is told of it."""
    position = asked.position()
    answer = consult_and_count(Question(position, difficulty=asked.difficulty))
    after = answer.after or position
    played = None if asked.played is MISSING else [*asked.played, *answer.principal_variation[:1]]
    turn: Turn = {
        "move": answer.move,
        "text": answer.text,
        "outlook": answer.outlook,
        "outcome": answer.assessment.outcome,
        "played": played,
        "board": after.board,
        "to_move": after.to_move,
        "status": after.status,
        "free": list(after.legal_moves),
    }
    return {**turn}, "\n".join(
        [
            f"{answer.text} {answer.outlook}" if asked.difficulty == "perfect" and answer.outlook else answer.text,
            *_rows(after),
            f"{after.to_move} is to move. Free cells: {_listed(after.legal_moves)}." if turn["free"] else "",
            "" if played is None else f"Played so far: {_listed(played)}.",
        ]
    ).strip()


def judge_move(asked: JudgeMoveArguments) -> tuple[Json, str]:
    """Return how good the last move was, and what the model is told of it."""
    start = Position(0, 0, asked.starts)
    after = start.play(asked.played)
    before, move = start.play(asked.played[:-1]), asked.played[-1]
    moves = consult_and_count(Question(before, analysis=True)).moves or {}
    best = next(iter(moves.values())).outcome
    best_moves = sorted(cell for cell, assessed in moves.items() if assessed.outcome == best)
    outcome = moves[move].outcome
    judgement: Judgement = {
        "move": move,
        "player": before.to_move,
        "mistake": outcome != best,
        "text": _judged(before.to_move, move, outcome, best, best_moves),
        "outcome": outcome,
        "best_outcome": best,
        "best_moves": best_moves,
    }
    return {**judgement}, "\n".join([judgement["text"], *_rows(after)])


def _judged(player: Mark, move: int, outcome: Outcome, best: Outcome, best_moves: list[int]) -> str:
    does: Mapping[Outcome, str] = {"win": "wins", "draw": "draws", "loss": "loses"}
    if outcome == best:
        return f"{player} {move} is as good as any move: with best play {player} {does[outcome]}."
    return (
        f"{player} {move} is a mistake: with best play {player} now {does[outcome]}. "
        f"With {_listed(best_moves, 'or')} {player} {does[best]}."
    )


def _rows(position: Position) -> list[str]:
    return [" ".join(position.board[row : row + 3]) for row in range(0, CELLS, 3)]


def _listed(cells: list[int] | tuple[int, ...], last: str = "") -> str:
    if last and len(cells) > 1:
        return f"{', '.join(map(str, cells[:-1]))} {last} {cells[-1]}"
    return ", ".join(map(str, cells)) or "none"


def _tool(
    title: str, description: str, form: type[Form], answer: type[Any], run: Callable[[Form], tuple[Json, str]]
) -> Tool:
    """Return a tool; a wrong call of it is answered by words that a model can act on."""

    def call(arguments: Json) -> types.CallToolResult:
        try:
            structured, text = run(read(form, arguments))
        except ValueError as error:
            return types.CallToolResult(content=[_text(problem_of(error)["detail"])], is_error=True)
        return types.CallToolResult(content=[_text(text)], structured_content=structured)

    definition = types.Tool(
        name=run.__name__,
        title=title,
        description=description,
        input_schema=_input(form),
        output_schema=TypeAdapter(answer).json_schema(),
        annotations=types.ToolAnnotations(read_only_hint=True, open_world_hint=False),
    )
    return Tool(definition, call)


def _text(text: str) -> types.TextContent:
    return types.TextContent(text=text)


def _input(form: type[BaseModel]) -> Json:
    """Return the schema of a tool's arguments: a plain object, for hosts that refuse references and alternatives."""
    schema = form.model_json_schema()
    properties = {name: _plain(field, schema.get("$defs", {})) for name, field in fields_of(form).items()}
    return {
        "type": "object",
        "properties": properties,
        "required": schema.get("required", []),
        "additionalProperties": False,
    }


def _plain(field: Json, definitions: Json) -> Json:
    """Return the schema of a field without references, and of alternatives the first."""
    if "$ref" in field:
        field = definitions[field["$ref"].rpartition("/")[2]] | {key: field[key] for key in field if key != "$ref"}
    if "oneOf" in field:
        field = field["oneOf"][0]
    return {key: value for key, value in field.items() if key != "title"}


TOOLS: Final = {
    tool.definition.name: tool
    for tool in (
        _tool(
            "Best move",
            "The best move in a game of tic-tac-toe, and why. Ask it for every move instead of thinking yourself. "
            "Send `played`, the moves so far: a list is kept right more easily than a board.",
            BestMoveArguments,
            Turn,
            best_move,
        ),
        _tool(
            "Judge a move",
            "Whether the move just played in a game of tic-tac-toe was a mistake, and which moves were better.",
            JudgeMoveArguments,
            Judgement,
            judge_move,
        ),
    )
}
