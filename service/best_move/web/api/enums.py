"""The named types that requests and responses share; a generated client has each of them once."""

from collections.abc import Iterable
from typing import Annotated, Final

from pydantic import Field, GetPydanticSchema
from pydantic_core import core_schema
from typing_extensions import TypeAliasType

from best_move.engine import ALGORITHMS, choice, position, reason, score, search_tree

BOARD: Final = "^[XO.]{9}$"


def _one_of(names: Iterable[str]) -> GetPydanticSchema:
    """Return the schema of the names in a registry, which a type checker cannot read."""
    return GetPydanticSchema(lambda *_: core_schema.literal_schema([*names]))


Algorithm = TypeAliasType("Algorithm", Annotated[str, _one_of(ALGORITHMS)])
TieBreak = TypeAliasType("TieBreak", Annotated[str, _one_of(choice.TIE_BREAKS)])
Mark = TypeAliasType("Mark", position.Mark)
Scoring = TypeAliasType("Scoring", score.Scoring)
Outcome = TypeAliasType("Outcome", score.Outcome)
Status = TypeAliasType("Status", position.Status)
Difficulty = TypeAliasType("Difficulty", choice.Difficulty)
Reason = TypeAliasType("Reason", reason.Reason)
TracedAlgorithm = TypeAliasType("TracedAlgorithm", search_tree.TracedAlgorithm)
MoveOrder = TypeAliasType("MoveOrder", search_tree.MoveOrder)
Side = TypeAliasType("Side", search_tree.Side)
Bound = TypeAliasType("Bound", search_tree.Bound)
Board = TypeAliasType(
    "Board",
    Annotated[str, Field(pattern=BOARD, description="Nine cells, row by row: X, O, or '.' for an empty cell.")],
)
Cell = TypeAliasType("Cell", Annotated[int, Field(ge=0, le=8, description="A cell of the board, row by row.")])
