"""The oracle's answers mean what the referee says: value, outcome, distance, exactness, and every move's own."""

import pytest

from service.engine import ALGORITHMS
from service.engine.score import Scoring
from service.oracle import Assessment, Question, consult
from tests import referee
from tests.engine.positions import EVERY_POSITION

WORDS = {1: "win", 0: "draw", -1: "loss"}


def check(assessment: Assessment, grade: referee.Grade, *, exact: bool, distance: int | None) -> None:
    """Assert that an assessment says what a grade does."""
    result, fine = grade
    assert assessment.exact is exact
    assert assessment.outcome == (WORDS[result] if exact else "unknown")
    assert assessment.distance == (distance if exact else None)
    if exact:
        assert assessment.value == result
    else:
        assert result == 0
        assert assessment.value == fine / 32
        assert -1 < assessment.value < 1


def distance_of(grade: referee.Grade, board: str, *, counts_plies: bool) -> int | None:
    """Return the plies from a board to the end of the game that an exact grade tells."""
    result, fine = grade
    if referee.is_over(board):
        return 0
    if not counts_plies:
        return None
    return board.count(".") if result == 0 else abs(int(fine))


@pytest.mark.parametrize("scoring", ["distance", "outcome"])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_every_answer_is_the_referees(algorithm: str, scoring: Scoring) -> None:
    """On every position the answer's move, value, outcome, distance and exactness are the referee's."""
    counts_plies = scoring == "distance"
    for position in EVERY_POSITION:
        board, to_move = position.board, position.to_move
        answer = consult(Question(position, algorithm, scoring))
        grade = referee.grade(board, to_move, 9, counts_plies=counts_plies)
        plies = distance_of(grade, board, counts_plies=counts_plies)
        check(answer.assessment, grade, exact=True, distance=plies)
        grades = referee.grade_of_moves(board, to_move, 9, counts_plies=counts_plies)
        assert answer.move == next((move for move in grades if grades[move] == grade), None)
        assert plies in (None, len(answer.principal_variation))
        assert answer.moves is None


@pytest.mark.parametrize("scoring", ["distance", "outcome"])
def test_an_answer_is_exact_where_no_horizon_can_change_it(scoring: Scoring) -> None:
    """At every depth an answer is exact where the best and the worst the horizon can hide leave the same value."""
    counts_plies = scoring == "distance"
    for position in EVERY_POSITION:
        board, to_move = position.board, position.to_move
        for depth in range(1, 10):
            answer = consult(Question(position, "alphabeta", scoring, depth))
            worst, best = referee.bounds(board, to_move, depth)
            grade = referee.grade(board, to_move, depth, counts_plies=counts_plies)
            plies = distance_of(grade, board, counts_plies=counts_plies)
            check(answer.assessment, grade, exact=worst == best, distance=plies)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("depth", [1, 3, 9])
def test_an_analysis_assesses_every_move(algorithm: str, depth: int) -> None:
    """An analysis has every legal move, best first, from the mover's side, and the answer is the first of them."""
    for position in EVERY_POSITION[::3]:
        answer = consult(Question(position, algorithm, max_depth=depth, analysis=True))
        grades = referee.grade_of_moves(position.board, position.to_move, depth, counts_plies=True)
        assert answer.moves is not None
        assert list(answer.moves) == sorted(grades, key=lambda move: (*(-part for part in grades[move]), move))
        for move, assessment in answer.moves.items():
            after = referee.play(position.board, position.to_move, move)
            worst, best = referee.bounds(after, referee.opponent(position.to_move), depth - 1)
            plies = distance_of(grades[move], position.board, counts_plies=True)
            check(assessment, grades[move], exact=worst == best, distance=plies)
        if answer.moves:
            assert (answer.move, answer.assessment) == next(iter(answer.moves.items()))
        else:
            assert (answer.move, answer.nodes) == (None, 1)


def test_an_analysis_changes_neither_move_nor_worth() -> None:
    """With an analysis or without, the move and its assessment are the same; minimax visits the same nodes."""
    for position in EVERY_POSITION[::3]:
        for algorithm in ALGORITHMS:
            plain = consult(Question(position, algorithm))
            analysed = consult(Question(position, algorithm, analysis=True))
            assert (plain.move, plain.assessment) == (analysed.move, analysed.assessment)
            assert algorithm != "minimax" or plain.nodes == analysed.nodes


def test_the_time_is_measured() -> None:
    """The elapsed time is a number of milliseconds that grows with the work."""
    quick = consult(Question(EVERY_POSITION[0], "transposition_table"))
    slow = consult(Question(next(p for p in EVERY_POSITION if p.ply == 0), "minimax"))
    assert 0 <= quick.elapsed_ms < slow.elapsed_ms
