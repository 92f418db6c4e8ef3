"""Best Move, a move oracle for tic-tac-toe."""

from typing import Final

from best_move.engine.position import (
    IllegalMoveError,
    IllegalPositionError,
    InvalidBoardError,
    Mark,
    Position,
)
from best_move.engine.question import Difficulty, TieBreak
from best_move.engine.score import Scoring
from best_move.engine.search import Algorithm
from best_move.oracle import Answer, Game, Question, Review, consult, review
from best_move.player import InvalidPlayerError, PlayerReview, review_player

__all__ = [
    "Algorithm",
    "Answer",
    "Difficulty",
    "Game",
    "IllegalMoveError",
    "IllegalPositionError",
    "InvalidBoardError",
    "InvalidPlayerError",
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

__version__: Final = "1.0.0"
