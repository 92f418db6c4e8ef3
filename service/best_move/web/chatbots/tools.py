"""The tools of chat clients: the functions that a model may call, and their results.

Some clients give the model only the text of a result, some only its fields, so both are complete.
"""

from collections.abc import Callable
from typing import Final, NamedTuple, get_args

import mcp_types as types

from best_move.engine.position import CELLS, Mark, Position, Status
from best_move.oracle import Game, Question
from best_move.web.api.strict_json import Json
from best_move.web.chatbots import board
from best_move.web.chatbots.arguments import (
    NUMBERING,
    Arguments,
    BestMoveArguments,
    Call,
    InvalidCallError,
    JudgeMoveArguments,
    position_after,
    read_call,
    schema_of,
)
from best_move.web.oracle import consult_and_count, review_and_count

_CELL: Final[Json] = {"type": "integer", "minimum": 0, "maximum": CELLS - 1}
_CELLS: Final[Json] = {"type": "array", "items": _CELL}
_MARK: Final[Json] = {"type": "string", "enum": ["X", "O"]}
_OUTCOME: Final[Json] = {"type": "string", "enum": ["win", "draw", "loss"]}
_TEXT: Final[Json] = {"type": "string"}
_TEXT_OR_NULL: Final[Json] = {"type": ["string", "null"]}

#  The fields that the results of both tools have: field -> schema, meaning.
_GAME: Final[dict[str, tuple[Json, str]]] = {
    "played": (_CELLS, "The moves of the game; continue with this list."),
    "starts": (_MARK, "The side that made the first move."),
    "board": (_TEXT, "The board in three rows: X, O, and the numbers of the free cells."),
    "to_move": (_MARK, "The side to move next."),
    "status": (
        {**_TEXT, "enum": [*get_args(Status)]},
        "Whether the game goes on, and if not how it ended.",
    ),
    "free": (_CELLS, "The cells that may be played next; none if the game is over."),
    "winning_line": (_CELLS, "The three cells of the line that won; none if no side won."),
    "review": (
        _TEXT_OR_NULL,
        "The move that decided the game, and the mistakes of each side; null until it is over.",
    ),
}
_MOVE: Final[dict[str, tuple[Json, str]]] = {
    "move": (
        {**_CELL, "type": ["integer", "null"]},
        "The cell that is played; null if the game was over.",
    ),
    "text": (_TEXT, "What the move does, and how the game ended if it is over."),
    "outlook": (
        _TEXT_OR_NULL,
        (
            "What best play leads to after the move; null if the game is over, or if a weaker "
            "level may make mistakes."
        ),
    ),
}
_JUDGMENT: Final[dict[str, tuple[Json, str]]] = {
    "move": (_CELL, "The move that is judged."),
    "player": (_MARK, "The side that made it."),
    "mistake": ({"type": "boolean"}, "Whether another move would have led to a better outcome."),
    "text": (_TEXT, "The judgment in words."),
    "outcome": (_OUTCOME, "What best play leads to after the move, for the player."),
    "best_outcome": (
        _OUTCOME,
        "What best play would have led to after the best move, for the player.",
    ),
    "best_moves": (_CELLS, "The best moves."),
    "missed": (
        _TEXT_OR_NULL,
        "What the best move would have done, such as win or block, if this one is a mistake.",
    ),
}

_GAMES: Final = """A game is the list of its moves. Cells are numbered row by row:
0 1 2
3 4 5
6 7 8
For example, played [4, 0, 8] is X in the center, O in the top-left corner and X in the \
bottom-right corner. If the order of the moves is unknown, list them in any order in which the \
sides alternate."""


class Tool(NamedTuple):
    """A tool as clients list it, and the function that answers its calls."""

    definition: types.Tool
    call: Callable[[Json], types.CallToolResult]


def _best_move(sent: BestMoveArguments) -> tuple[Json, str]:
    """Return the fields of the result, and the first line of its text."""
    position = position_after(sent)
    question = Question(position, difficulty=sent.difficulty, numbered=True)
    answer = consult_and_count(question)
    played = sent.played
    if answer.move is not None:
        played = [*played, answer.move]
    outlook = answer.outlook if sent.difficulty == "perfect" else ""
    fields = {"move": answer.move, "text": answer.text, "outlook": outlook or None}
    first_line = f"{answer.text} {outlook}".rstrip()
    return fields | _game(played, sent.starts, answer.after), first_line


def _judge_move(sent: JudgeMoveArguments) -> tuple[Json, str]:
    position = position_after(sent)
    game = Game(Position(0, 0, sent.starts), sent.played, numbered=True)
    judged = review_and_count(game).moves[-1]
    return judged._asdict() | _game(sent.played, sent.starts, position), judged.text


def _game(played: list[int], starts: Mark, position: Position) -> Json:
    cells = [str(cell) if mark == "." else mark for cell, mark in enumerate(position.board)]
    rows = [" ".join(cells[first : first + 3]) for first in range(0, CELLS, 3)]
    return {
        "played": played,
        "starts": starts,
        "board": "\n".join(rows),
        "to_move": position.to_move,
        "status": position.status,
        "free": list(position.legal_moves),
        "winning_line": list(position.winning_line),
        "review": None if position.status == "in_progress" else _review(played, starts),
    }


def _review(played: list[int], starts: Mark) -> str:
    """Return which move decided a finished game.

    It is the last mistake, because the outcome did not change after it.
    """
    review = review_and_count(Game(Position(0, 0, starts), played))
    mistakes = [(number, judged) for number, judged in enumerate(review.moves, 1) if judged.mistake]
    if not mistakes:
        return "No side made a mistake."
    number, judged = mistakes[-1]
    best = ", ".join(map(str, judged.best_moves))
    return (
        f"{judged.player}'s {judged.move} at move {number} decided the game: it turned a "
        f"{judged.best_outcome} into a {judged.outcome}. Best: {best}. "
        f"Mistakes: {review.mistakes['X']} by X, {review.mistakes['O']} by O."
    )


def _tool(
    definition: types.Tool, form: type[Call], run: Callable[[Call], tuple[Json, str]]
) -> Tool:
    """Return a tool. The result of an invalid call is an error in words that a model can act on."""

    def call(sent: Json) -> types.CallToolResult:
        try:
            fields, text = run(read_call(form, sent))
        except InvalidCallError as error:
            content = types.TextContent(text=f"{error} {NUMBERING}")
            return types.CallToolResult(content=[content], is_error=True)
        content = types.TextContent(text=_in_words(fields, text))
        return types.CallToolResult(content=[content], structured_content=fields)

    return Tool(definition, call)


def _in_words(fields: Json, text: str) -> str:
    """Return the text of a result: what a move does, the board, the list to send back, the end."""
    starter = ", starts: O" if fields["starts"] == "O" else ""
    played = f"Played so far: {fields['played']}{starter}"
    end = fields["review"] or f"{fields['to_move']} is to move."
    return "\n".join([text, fields["board"], played, end])


def _definition(
    name: str,
    title: str,
    description: str,
    form: type[Arguments],
    fields: dict[str, tuple[Json, str]],
) -> types.Tool:
    """Return a tool as clients list it."""
    properties = {
        field: {**schema, "description": meaning} for field, (schema, meaning) in fields.items()
    }
    return types.Tool(
        name=name,
        title=title,
        description=f"{description} {_GAMES}",
        input_schema=schema_of(form),
        output_schema={"type": "object", "properties": properties, "required": list(properties)},
        annotations=types.ToolAnnotations(
            title=title,
            read_only_hint=True,
            destructive_hint=False,
            idempotent_hint=True,
            open_world_hint=False,
        ),
        _meta={"ui": {"resourceUri": board.URI}},
    )


_BEST_MOVE: Final = _definition(
    "best_move",
    "Best move",
    "Returns the best move for the side to move in a game of tic-tac-toe, the reason for it, and "
    "the game with that move played. If you play a side, send it as `you`, so that a missing move "
    "of the user is noticed.",
    BestMoveArguments,
    _MOVE | _GAME,
)
_JUDGE_MOVE: Final = _definition(
    "judge_move",
    "Judge a move",
    "Returns whether the last move of a game of tic-tac-toe was a mistake, and which moves were "
    "best.",
    JudgeMoveArguments,
    _JUDGMENT | _GAME,
)

TOOLS: Final = {
    "best_move": _tool(_BEST_MOVE, BestMoveArguments, _best_move),
    "judge_move": _tool(_JUDGE_MOVE, JudgeMoveArguments, _judge_move),
}
