"""Best Move, a move oracle for tic-tac-toe."""

from typing import Final

from best_move.engine.position import Position
from best_move.oracle import Answer, Game, Question, Review, consult, review

__all__ = ["Answer", "Game", "Position", "Question", "Review", "__version__", "consult", "review"]

__version__: Final = "2.0.0"
