"""The game of tic-tac-toe and its searches."""

from typing import Final

from best_move.engine import (
    alphabeta,
    iterative_deepening,
    minimax,
    ordered_alphabeta,
    transposition_table,
)
from best_move.engine.search import Algorithm, SearchFunction

COMPILED: Final = not __file__.endswith(".py")

ALGORITHMS: Final[dict[Algorithm, SearchFunction]] = {
    "minimax": minimax.minimax,
    "alphabeta": alphabeta.alphabeta,
    "ordered_alphabeta": ordered_alphabeta.ordered_alphabeta,
    "transposition_table": transposition_table.transposition_table,
    "iterative_deepening": iterative_deepening.iterative_deepening,
}
