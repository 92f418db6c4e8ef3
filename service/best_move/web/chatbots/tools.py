"""The tools of chat clients: the functions that a model may call, and their results.

Some clients give the model only the text of a result, some only its fields, so each is enough to
play on.
"""

from collections.abc import Callable
from typing import NamedTuple

from pydantic import MISSING

from best_move import oracle
from best_move.engine.position import CELLS, Mark, Position, other
from best_move.engine.question import Difficulty
from best_move.engine.text import forced_text, over_text, played_text
from best_move.oracle import Game, Question, Review
from best_move.web.api.request_model import fields_of
from best_move.web.api.strict_json import Json
from best_move.web.chatbots import board
from best_move.web.chatbots.arguments import (
    NUMBERING,
    Arguments,
    BestMoveArguments,
    Form,
    InvalidCallError,
    JudgeMoveArguments,
    read_call,
)
from best_move.web.chatbots.result_schemas import BEST_MOVE, JUDGMENT
from best_move.web.counted_oracle import consult_and_count

_PERFECT: Difficulty = "perfect"  # the default level

_NOTATION = """A game is the list of its moves. Cells are numbered row by row:
0 1 2
3 4 5
6 7 8"""


class Tool(NamedTuple):
    """A tool as clients list it, and the function that answers its calls."""

    definition: Json
    call: Callable[[Json], Json]


def _best_move(arguments: BestMoveArguments) -> Json:
    position = arguments.position()
    answer = consult_and_count(Question(position, difficulty=arguments.difficulty, numbered=True))
    played = arguments.played
    if answer.move is not None:
        played = [*played, answer.move]
    previous = None
    if arguments.played:
        previous = played_text(other(position.to_move), arguments.played[-1])
    outlook = None
    if arguments.difficulty == _PERFECT:
        outlook = answer.outlook or None
    return {
        "previous": previous,
        "move": answer.move,
        "text": answer.text,
        "outlook": outlook,
        "you": None if arguments.you is MISSING else arguments.you,
        "difficulty": arguments.difficulty,
        **_game(Game(arguments.start(), played), answer.after),
    }


def _judge_move(arguments: JudgeMoveArguments) -> Json:
    position = arguments.position()
    game = Game(arguments.start(), arguments.played, numbered=True)
    review = oracle.review(game)
    last = review.moves[-1]
    if last.player == arguments.player:
        judged = last
        text = last.text  # says how the game ended
    else:  # the opponent has replied; position() has checked that the player had moved
        judged = review.moves[-2]
        text = f"{judged.text} {over_text(position)}".rstrip()
    outlook = None
    if position.status == "in_progress":
        outlook = f"{forced_text(last.player, last.outcome)}."
    judgment = vars(judged)  # the other fields of JUDGMENT
    return {**judgment, "text": text, "outlook": outlook, **_game(game, position)}


def _game(game: Game, position: Position) -> Json:
    """Return the fields of a game, given the position at its end.

    The fields `review` and `mistakes` are empty until the game is over; then no side is to move.
    """
    cells = [str(cell) if mark == "." else mark for cell, mark in enumerate(position.board)]
    rows = [" ".join(cells[first : first + 3]) for first in range(0, CELLS, 3)]
    to_move: Mark | None = position.to_move
    review_text = None
    mistakes = []
    if position.status != "in_progress":
        to_move = None
        mistakes = _mistakes(oracle.review(game))
        review_text = _review_text(mistakes)
    return {
        "played": game.played,
        "starts": game.start.to_move,
        "board": "\n".join(rows),
        "to_move": to_move,
        "status": position.status,
        "free": position.legal_moves,
        "winning_line": position.winning_line,
        "review": review_text,
        "mistakes": mistakes,
    }


def _mistakes(review: Review) -> list[Json]:
    """Return the mistakes of a game, each with its number among the moves."""
    return [
        {
            "number": number,
            "player": judged.player,
            "move": judged.move,
            "outcome": judged.outcome,
            "best_outcome": judged.best_outcome,
            "best_moves": judged.best_moves,
        }
        for number, judged in enumerate(review.moves, 1)
        if judged.mistake
    ]


def _review_text(mistakes: list[Json]) -> str:
    """Return a finished game's last mistake, the best moves instead, and the mistakes per side.

    The last mistake decided how the game ended, because the outcome did not change after it.
    """
    if not mistakes:
        return "No side made a mistake."
    last = mistakes[-1]
    best = ", ".join(map(str, last["best_moves"]))
    by = [mistake["player"] for mistake in mistakes]
    return (
        f"The last mistake was {last['player']}'s {last['move']} at move {last['number']}: it "
        f"turned a {last['best_outcome']} into a {last['outcome']}. Best: {best}. "
        f"Mistakes: {by.count('X')} by X, {by.count('O')} by O."
    )


def _in_words(fields: Json) -> str:
    """Return the text of a result: its moves, the board, what to send back, what next.

    What next is the side to move or, if the game is over, the review.
    """
    sentences = [fields.get("previous"), fields["text"], fields["outlook"]]
    moves = " ".join(filter(None, sentences))
    sent_back = f"Played so far: {fields['played']}, starts: {fields['starts']}"
    if fields.get("you"):
        sent_back += f", you: {fields['you']}"
    if fields.get("difficulty", _PERFECT) != _PERFECT:
        sent_back += f", difficulty: {fields['difficulty']}"
    what_next = fields["review"] or f"{fields['to_move']} is to move."
    return "\n".join([moves, fields["board"], sent_back, what_next])


def schema_of(form: type[Arguments]) -> Json:
    """Return the JSON Schema of a tool's arguments."""
    unused = ("default", "title")  # some clients reject defaults; see arguments.py
    properties = {}
    for name, schema in fields_of(form).items():
        properties[name] = {key: schema[key] for key in schema if key not in unused}
    required = [name for name, field in form.model_fields.items() if field.is_required()]
    return {"type": "object", "properties": properties, "required": required}


def _tool(
    form: type[Form],
    run: Callable[[Form], Json],
    fields: Json,
    *,
    name: str,
    title: str,
    description: str,
) -> Tool:
    """Return a tool. The result of an invalid call is an error in words that a model can act on."""

    def call(sent: Json) -> Json:
        try:
            result = run(read_call(form, sent))
        except InvalidCallError as error:
            problem = str(error)
            if "`played`" in problem:  # else it is not about cells
                problem += f" {NUMBERING}"
            content = {"type": "text", "text": problem}
            return {"content": [content], "isError": True}
        content = {"type": "text", "text": _in_words(result)}
        return {"content": [content], "structuredContent": result}

    definition = {
        "name": name,
        "title": title,
        "description": f"{description} {_NOTATION}",
        "inputSchema": schema_of(form),
        "outputSchema": {"type": "object", "properties": fields, "required": [*fields]},
        "annotations": {
            "title": title,
            "readOnlyHint": True,
            "destructiveHint": False,
            "idempotentHint": True,
            "openWorldHint": False,
        },
        #  Older clients read only the second name.
        "_meta": {"ui": {"resourceUri": board.URI}, "ui/resourceUri": board.URI},
    }
    return Tool(definition, call)


_TOOLS = (
    _tool(
        BestMoveArguments,
        _best_move,
        BEST_MOVE,
        name="best_move",
        title="Best move",
        description=(
            "Returns a move for the side to move in a game of tic-tac-toe, by default the best "
            "one, with the reason for it and the game after it. Send your side as `you`, so that "
            "a missing move of the user is noticed. For a hint, send the user's side as `you` and "
            "keep your own list. If the order of the moves is unknown, list them in any order in "
            "which the sides alternate, a winning move last."
        ),
    ),
    _tool(
        JudgeMoveArguments,
        _judge_move,
        JUDGMENT,
        name="judge_move",
        title="Judge a move",
        description=(
            "Returns whether the last move of one side in a game of tic-tac-toe was a mistake, "
            "which moves were best, and who can now force a win. To judge the user's move, send "
            "the user's side as `player`."
        ),
    ),
)
TOOLS = {tool.definition["name"]: tool for tool in _TOOLS}  # by name
