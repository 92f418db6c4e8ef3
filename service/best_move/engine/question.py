"""What is asked of the oracle: a position, how to search it, and how to choose among its moves.

This module is not compiled, because a compiled class has no documentation and no types at run time.
"""

from typing import Final, Literal, NamedTuple

from best_move.engine.position import CELLS, Position
from best_move.engine.score import Scoring
from best_move.engine.search import Algorithm

Difficulty = Literal["perfect", "hard", "medium", "easy"]
TieBreak = Literal["first", "random", "trap", "best_odds"]

MAX_SEED: Final = 2**53 - 1  # the largest integer that every JSON parser reads exactly


class Question(NamedTuple):
    """A position, how to search it, and how to choose among the moves.

    `max_depth` is in plies, from 1 to 9. `difficulty` and `tie_break` can make the choice random; a
    `seed`, from 0 to MAX_SEED, makes it repeatable. If `numbered` is true, the text has the number
    of the cell beside its name.
    """

    position: Position
    algorithm: Algorithm = "alphabeta"
    scoring: Scoring = "distance"
    max_depth: int = CELLS
    analysis: bool = False
    difficulty: Difficulty = "perfect"
    tie_break: TieBreak = "first"
    seed: int | None = None
    numbered: bool = False
