"""The named types of requests; responses refer to them in the OpenAPI document."""

from collections.abc import Iterable
from typing import Annotated, Final

from pydantic import Field, GetPydanticSchema
from pydantic_core import core_schema
from typing_extensions import TypeAliasType

from best_move.engine import ALGORITHMS, choice, position, score, search_tree

BOARD: Final = "^[XO.]{9}$"


def _one_of(names: Iterable[str]) -> GetPydanticSchema:
    """Return the schema of the names in a registry, which a type checker cannot read."""
    return GetPydanticSchema(lambda *_: core_schema.literal_schema([*names]))


Algorithm = TypeAliasType("Algorithm", Annotated[str, _one_of(ALGORITHMS)])
TieBreak = TypeAliasType("TieBreak", Annotated[str, _one_of(choice.TIE_BREAKS)])
Mark = TypeAliasType("Mark", position.Mark)
Scoring = TypeAliasType("Scoring", score.Scoring)
Difficulty = TypeAliasType("Difficulty", choice.Difficulty)
TracedAlgorithm = TypeAliasType("TracedAlgorithm", search_tree.TracedAlgorithm)
MoveOrder = TypeAliasType("MoveOrder", search_tree.MoveOrder)
Board = TypeAliasType("Board", Annotated[str, Field(pattern=BOARD)])
