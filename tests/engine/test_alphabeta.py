"""Alpha-beta: its scores and bounds agree with those of minimax."""

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from best_move.engine.alphabeta import alphabeta
from best_move.engine.minimax import minimax
from best_move.engine.ordered_alphabeta import ordered_alphabeta
from best_move.engine.position import Position
from best_move.engine.score import INFINITY, Scoring
from best_move.engine.search import Search
from tests.engine.positions import POSITIONS

#  (search, own marks, opponent's marks, depth, alpha, beta) -> score
Windowed = Callable[[Search, int, int, int, int, int], int]


@given(
    search=st.sampled_from([alphabeta, ordered_alphabeta]),
    position=st.sampled_from([position for position in POSITIONS if position.ply > 2]),
    scoring=st.sampled_from(["distance", "outcome"]),
    depth=st.integers(0, 9),
    window=st.lists(st.integers(-INFINITY, INFINITY), min_size=2, max_size=2, unique=True).map(
        sorted
    ),
)
def test_a_score_outside_the_window_is_a_bound(
    search: Windowed, position: Position, scoring: Scoring, depth: int, window: list[int]
) -> None:
    """A score up to alpha is an upper bound, one from beta a lower bound, any other is exact."""
    alpha, beta = window
    exact = minimax(Search(scoring), position.own, position.opponent, depth)
    score = search(Search(scoring), position.own, position.opponent, depth, alpha, beta)
    if score <= alpha:
        assert exact <= score
    elif score >= beta:
        assert exact >= score
    else:
        assert exact == score
