"""Best Move, a move oracle for tic-tac-toe."""

from typing import Final

from best_move.engine.choice import Difficulty, TieBreak
from best_move.engine.position import (
    IllegalMoveError,
    IllegalPositionError,
    InvalidBoardError,
    Mark,
    Position,
)
from best_move.engine.score import Scoring
from best_move.engine.search import Algorithm
from best_move.oracle import Answer, Game, Question, Review, consult, review
from best_move.player import InvalidPlayerError, PlayerReview, review_player

__all__ = [
    "Answer",
    "Game",
    "PlayerReview",
    "Position",
    "Question",
    "Review",
    "consult",
    "review",
    "review_player",
]
__all__ += ["Algorithm", "Difficulty", "Mark", "Scoring", "TieBreak", "__version__"]
__all__ += ["IllegalMoveError", "IllegalPositionError", "InvalidBoardError", "InvalidPlayerError"]

__version__: Final = "2.0.0"
