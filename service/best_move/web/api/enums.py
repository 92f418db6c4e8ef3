"""The named types that requests and responses share; a generated client has each of them once."""

from collections.abc import Iterable
from typing import Annotated, Final, get_args

from pydantic import Field, GetPydanticSchema, WithJsonSchema
from pydantic_core import core_schema
from typing_extensions import TypeAliasType

from best_move.engine import ALGORITHMS, choice, position, reason, score, search_tree

BOARD: Final = "^[XO.]{9}$"


def _one_of(names: Iterable[str]) -> GetPydanticSchema:
    """Return the schema of the names in a registry, which a type checker cannot read."""
    return GetPydanticSchema(lambda *_: core_schema.literal_schema([*names]))


def _open(words: object) -> WithJsonSchema:
    """Return the schema of words in responses, which is no enumeration, because strict clients reject a new word."""
    *others, last = (f"`{word}`" for word in get_args(words))
    known = f"{', '.join(others)} or {last}; a later version may add words."
    return WithJsonSchema({"type": "string", "description": known, "x-extensible-enum": [*get_args(words)]})


Algorithm = TypeAliasType("Algorithm", Annotated[str, _one_of(ALGORITHMS)])
TieBreak = TypeAliasType("TieBreak", Annotated[str, _one_of(choice.TIE_BREAKS)])
Mark = TypeAliasType("Mark", position.Mark)
Scoring = TypeAliasType("Scoring", score.Scoring)
Outcome = TypeAliasType("Outcome", Annotated[score.Outcome, _open(score.Outcome)])
Status = TypeAliasType("Status", Annotated[position.Status, _open(position.Status)])
Difficulty = TypeAliasType("Difficulty", choice.Difficulty)
Reason = TypeAliasType("Reason", Annotated[reason.Reason, _open(reason.Reason)])
TracedAlgorithm = TypeAliasType("TracedAlgorithm", search_tree.TracedAlgorithm)
MoveOrder = TypeAliasType("MoveOrder", search_tree.MoveOrder)
Side = TypeAliasType("Side", search_tree.Side)
Bound = TypeAliasType("Bound", search_tree.Bound)
Board = TypeAliasType(
    "Board",
    Annotated[
        str,
        Field(
            pattern=BOARD,
            description="Nine cells, row by row: X, O, or '.' for an empty cell.",
            examples=["X...O...."],
        ),
    ],
)
Cell = TypeAliasType("Cell", Annotated[int, Field(ge=0, le=8, description="A cell of the board, row by row.")])
