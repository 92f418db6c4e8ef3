"""Symmetry: all rotations and reflections of a position form one class and have the same scores."""

import pytest

from best_move.engine.alphabeta import alphabeta
from best_move.engine.position import Position
from best_move.engine.score import Scoring
from best_move.engine.search import Search, every_line
from best_move.engine.symmetry import CLASSES, class_of
from tests.engine.positions import POSITIONS, SYMMETRIES, symmetric
from tests.truth import referee


def bitboards(board: str) -> tuple[int, int]:
    """Return the marks of X and of O as bits."""
    x, o = (sum(1 << cell for cell in range(9) if board[cell] == mark) for mark in "XO")
    return x, o


def test_positions_share_a_class_exactly_if_they_are_symmetric() -> None:
    """Two boards share a class exactly if one is a rotation or reflection of the other."""
    classes: dict[int, set[str]] = {}
    for board in referee.all_boards():
        if board.count("O") - board.count("X") in (0, 1):
            classes.setdefault(class_of(*bitboards(board)), set()).add(board)
    assert sorted(classes) == list(range(CLASSES))
    for images in classes.values():
        board = min(images)
        assert images == {"".join(board[cell] for cell in symmetry) for symmetry in SYMMETRIES}


@pytest.mark.parametrize("scoring", ["distance", "outcome"])
def test_symmetric_positions_have_the_same_scores(scoring: Scoring) -> None:
    """A move has the same score as its image under each of the 8 symmetries of the board."""
    scores: dict[Position, dict[int, int]] = {
        position: {
            line.moves[0]: line.score
            for line in every_line(alphabeta, Search(scoring), position, 9)
        }
        for position in POSITIONS
    }
    for position in POSITIONS:
        for symmetry in SYMMETRIES:
            image = scores[symmetric(position, symmetry)]
            assert {symmetry[move]: score for move, score in image.items()} == scores[position]
