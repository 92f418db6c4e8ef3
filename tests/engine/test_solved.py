"""The scores of all positions agree with the referee."""

from best_move.engine.score import distance, outcome, value
from best_move.engine.solved import solve
from tests.engine.positions import POSITIONS
from tests.truth import referee


def test_the_scores_of_all_positions_agree_with_the_referee() -> None:
    """Each position has the referee's value, outcome and distance, and one per legal move."""
    for position in POSITIONS:
        solved = solve(position)
        result, fine = referee.grade(position.board, position.to_move, 9, counts_plies=True)
        assert value(solved.score) == result
        assert outcome(solved.score, exact=True) == ("draw", "win", "loss")[result]
        assert distance(solved.score, position.ply) == (
            len(position.legal_moves) if result == 0 else abs(fine)
        )
        assert [*solved.after] == [*position.legal_moves]
        assert all(after.position == position.after(move) for move, after in solved.after.items())
