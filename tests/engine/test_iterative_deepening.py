"""Iterative deepening: on how many positions it saves nodes."""

import pytest

from best_move.engine import COMPILED
from best_move.engine.iterative_deepening import iterative_deepening
from best_move.engine.search import Search, best_line
from best_move.engine.transposition_table import transposition_table
from tests.engine.positions import POSITIONS


@pytest.mark.skipif(not COMPILED, reason="uncompiled, only some positions are searched")
def test_iterative_deepening_saves_nodes_on_the_known_number_of_positions() -> None:
    """Of the 9,040 unfinished positions, it visits fewer nodes on 4,356, and more on 4,020."""
    fewer = more = 0
    for position in POSITIONS:
        if position.status == "in_progress":
            at_once, deepening = Search("distance"), Search("distance")
            best_line(transposition_table, at_once, position, 9)
            best_line(iterative_deepening, deepening, position, 9)
            fewer += deepening.nodes < at_once.nodes
            more += deepening.nodes > at_once.nodes
    assert (fewer, more) == (4_356, 4_020)
