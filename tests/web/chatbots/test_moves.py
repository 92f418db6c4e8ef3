"""The moves that a value means, cell by cell, and values that mean none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from best_move.web.chatbots.moves import (
    COUNTED_FROM_1,
    SO_FAR,
    Moves,
    UnclearError,
    moves_of,
    side_of,
)
from tests.web.chatbots.habits import NAMES


@pytest.mark.parametrize("cell", range(9))
def test_every_spelling_of_a_cell_means_this_cell(cell: int) -> None:
    """A number, a name, and a sentence with both are the same move, with its side if that is named."""
    for name in (names[cell] for names in NAMES):
        values: list[object] = [
            cell,
            str(cell),
            float(cell),
            name,
            f"the {name}",
            f"cell {cell}",
            {"cell": name},
        ]
        for value in values:
            assert moves_of(value) == moves_of([value]) == Moves([(None, cell)])
        values = [
            f"X{cell}",
            f"x: {name}",
            f"X plays {cell}",
            ["X", cell],
            {"player": "X", "cell": name},
            {"X": cell},
        ]
        for value in values:
            assert moves_of([value]).listed == [("X", cell)]
        assert moves_of([f"O plays {cell}, the {name}"]).listed == [("O", cell)]


@pytest.mark.parametrize("first", [0, 1])
def test_rows_and_columns_count_from_0_or_1(first: int) -> None:
    """If a list has the first or the last row or column, it shows from which number they count."""
    pairs = [[row + first, column + first] for row in range(3) for column in range(3)]
    cells = [(None, cell) for cell in range(9)]
    assert moves_of(pairs) == Moves(cells, condition=SO_FAR)
    assert moves_of([{"column": column, "row": row} for row, column in pairs]) == Moves(
        cells, condition=SO_FAR
    )
    with pytest.raises(UnclearError):
        moves_of([[1, 2], [2, 2]])


def test_a_list_with_9_counts_from_1() -> None:
    """The condition says so; a list with 0 and 9 is unclear."""
    assert moves_of([5, 1, 9]) == Moves([(None, 4), (None, 0), (None, 8)], condition=COUNTED_FROM_1)
    with pytest.raises(UnclearError):
        moves_of([0, 9])


SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-2, 12)
    | st.floats()
    | st.text("XO.019-_| \n[]{},:'telf", max_size=20)
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=10)
        | st.dictionaries(st.sampled_from(["X", "row", "col", "0"]), inner)
    ),
)


@given(VALUES)
def test_no_value_makes_the_reader_fail(value: object) -> None:
    """Any JSON value means moves on the board, or is unclear; a board has no order."""
    try:
        found = moves_of(value)
    except UnclearError:
        return
    assert all(side in (None, "X", "O") and cell in range(9) for side, cell in found.listed)
    assert found.condition or found.ordered


def test_a_side_may_have_words_around_it() -> None:
    """Other texts name no side."""
    assert [side_of(text) for text in ("x", " X", "Player X", "x_moves", "❌")] == ["X"] * 5
    assert [side_of(text) for text in ("o", "O ", "side O", "oCells", "⭕")] == ["O"] * 5
    assert [
        side_of(value) for value in ("xo", "player", "no", "", None, 0, ["X"], "X" * 100_000)
    ] == [None] * 8
