"""Best Move, a move oracle for tic-tac-toe."""

from typing import Final

from best_move.engine.choice import Difficulty, TieBreak
from best_move.engine.position import IllegalMoveError, IllegalPositionError, InvalidBoardError, Mark, Position
from best_move.engine.score import Scoring
from best_move.engine.search import Algorithm
from best_move.oracle import Answer, Game, Question, Review, consult, review
from best_move.player import PlayerReview, review_player

__all__ = [
    "Algorithm",
    "Answer",
    "Difficulty",
    "Game",
    "IllegalMoveError",
    "IllegalPositionError",
    "InvalidBoardError",
    "Mark",
    "PlayerReview",
    "Position",
    "Question",
    "Review",
    "Scoring",
    "TieBreak",
    "__version__",
    "consult",
    "review",
    "review_player",
]

__version__: Final = "2.0.0"

#  The compiled class has no documentation of its own.
Position.__doc__ = """A legal position: the marks of both sides as bitboards, and the side to move.

`Position.parse(board, to_move)` reads nine cells, row by row: X, O, or `.` for an empty cell. `play(moves)` returns the
position after moves, each a cell from 0 to 8. `board`, `status`, `legal_moves` and `winning_line` describe it.
"""
