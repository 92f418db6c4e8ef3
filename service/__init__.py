"""Best Move, a move oracle for tic-tac-toe."""

from typing import Final

__version__: Final = "2.0.0"
