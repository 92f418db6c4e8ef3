"""The transposition table: which stored scores are used, and for which positions."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from best_move.engine.position import Position
from best_move.engine.score import INFINITY
from best_move.engine.search import Search
from best_move.engine.transposition_table import Table, search_with_table
from tests.engine.positions import POSITIONS, SYMMETRIES


@pytest.mark.parametrize("score", range(-3, 4))
def test_an_entry_is_returned_for_the_windows_that_it_decides(score: int) -> None:
    """A stored score is returned only if it is exact or a bound that decides the window."""
    windows = [(alpha, beta) for alpha, beta in product(range(-4, 5), repeat=2) if alpha < beta]
    for stored, wanted in product(windows, windows):
        table = Table(Search("distance"))
        table.store(1, 2, 4, score, *stored)
        is_upper, is_lower = score <= stored[0], score >= stored[1]
        fits = (
            not (is_upper or is_lower)
            or (is_upper and score <= wanted[0])
            or (is_lower and score >= wanted[1])
        )
        assert table.score(1, 2, 4, *wanted) == (score if fits else INFINITY)


@pytest.mark.parametrize("score", [91, -91, 100, 0, 32, -32])
def test_only_a_win_or_a_loss_is_valid_for_a_deeper_search(score: int) -> None:
    """A stored score is valid for its own depth; for a greater depth, only if it is decided."""
    deeper = score if abs(score) > 32 else INFINITY
    for depth in range(1, 9):
        table = Table(Search("distance"))
        table.store(1, 2, depth, score, -INFINITY, INFINITY)
        assert table.score(1, 2, depth, -INFINITY, INFINITY) == score
        assert table.score(1, 2, depth + 1, -INFINITY, INFINITY) == deeper


@given(
    position=st.sampled_from(
        [position for position in POSITIONS if position.status == "in_progress"]
    ),
    depth=st.integers(1, 9),
)
def test_a_stored_position_is_not_searched_again(position: Position, depth: int) -> None:
    """Once searched, a position and its symmetric ones take one node each for the same score."""
    table = Table(Search("distance"))
    score = search_with_table(table, position.own, position.opponent, depth, -INFINITY, INFINITY)
    for symmetry in SYMMETRIES:
        image = Position.parse("".join(position.board[cell] for cell in symmetry), position.to_move)
        before = table.search.nodes
        assert (
            search_with_table(table, image.own, image.opponent, depth, -INFINITY, INFINITY) == score
        )
        assert table.search.nodes == before + 1
