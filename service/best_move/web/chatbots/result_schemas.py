"""The JSON Schemas of results: the fields that both tools have, then those of each tool."""

from typing import get_args

from best_move.engine.position import CELLS, Status
from best_move.engine.question import Difficulty
from best_move.web.api.request_model import CELL

_CELLS = {"type": "array", "items": CELL}
_MARK = {"type": "string", "enum": ["X", "O"]}
_MARK_OR_NULL = {"type": ["string", "null"], "enum": ["X", "O", None]}
_OUTCOME = {"type": "string", "enum": ["win", "draw", "loss"]}
_TEXT = {"type": "string"}
_TEXT_OR_NULL = {"type": ["string", "null"]}

GAME = {
    "played": {**_CELLS, "description": "The moves of the game; continue with this list."},
    "starts": {**_MARK, "description": "The side that made the first move."},
    "board": {
        **_TEXT,
        "description": "The board in three rows: X, O, and the numbers of the free cells.",
    },
    "to_move": {**_MARK_OR_NULL, "description": "The side to move; null if the game is over."},
    "status": {
        **_TEXT,
        "enum": [*get_args(Status)],
        "description": "Whether the game goes on, and if not how it ended.",
    },
    "free": {
        **_CELLS,
        "description": "The cells that may be played next; none if the game is over.",
    },
    "winning_line": {
        **_CELLS,
        "description": "The three cells of the line that won; none if no side won.",
    },
    "review": {
        **_TEXT_OR_NULL,
        "description": (
            "The last mistake, and how many mistakes each side made; null until the game is over."
        ),
    },
    "mistakes": {
        "type": "array",
        "items": {
            "type": "object",
            "properties": {
                "number": {"type": "integer", "minimum": 1, "maximum": CELLS},
                "player": _MARK,
                "move": CELL,
                "outcome": _OUTCOME,
                "best_outcome": _OUTCOME,
                "best_moves": _CELLS,
            },
        },
        "description": "The mistakes of both sides; none until the game is over.",
    },
}
BEST_MOVE = GAME | {
    "previous": {
        **_TEXT_OR_NULL,
        "description": "The last move of the list that was sent; null for a new game.",
    },
    "move": {
        **CELL,
        "type": ["integer", "null"],
        "description": "The cell that is played; null if the game was over.",
    },
    "played": {
        **_CELLS,
        "description": (
            "The moves of the game, including `move`; continue with this list, but after a hint "
            "with your own."
        ),
    },
    "text": {**_TEXT, "description": "What the move does, and how the game ended if it is over."},
    "outlook": {
        **_TEXT_OR_NULL,
        "description": (
            "What best play leads to after the move; null if the game is over, or if a weaker "
            "level may make mistakes."
        ),
    },
    "you": {**_MARK_OR_NULL, "description": "The side that you play; null if you did not send it."},
    "difficulty": {
        **_TEXT,
        "enum": [*get_args(Difficulty)],
        "description": "The level of the move.",
    },
}
JUDGMENT = GAME | {
    "move": {**CELL, "description": "The move that is judged."},
    "player": {**_MARK, "description": "The side that made it."},
    "mistake": {
        "type": "boolean",
        "description": "Whether another move would have led to a better outcome.",
    },
    "text": {**_TEXT, "description": "The judgment in words."},
    "outcome": {
        **_OUTCOME,
        "description": "What best play leads to after the move, for the player.",
    },
    "best_outcome": {
        **_OUTCOME,
        "description": "What best play would have led to after the best move, for the player.",
    },
    "best_moves": {**_CELLS, "description": "The best moves."},
    "missed": {
        **_TEXT_OR_NULL,
        "description": (
            "What the best move would have done, such as win or block, if this one is a mistake."
        ),
    },
    "outlook": {
        **_TEXT_OR_NULL,
        "description": "What best play leads to now; null if the game is over.",
    },
}
