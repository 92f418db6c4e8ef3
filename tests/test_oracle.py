"""The oracle's answers and reviews agree with the referee."""

from collections import Counter
from collections.abc import Mapping
from random import Random
from time import perf_counter
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from best_move.engine import ALGORITHMS
from best_move.engine.choice import RATES
from best_move.engine.position import IllegalMoveError, Position
from best_move.engine.question import Difficulty, TieBreak
from best_move.engine.reason import Reason, reason_of
from best_move.engine.score import Assessment, Scoring
from best_move.engine.search import Algorithm
from best_move.oracle import Answer, Game, JudgedMove, Question, consult, review
from tests.engine.positions import POSITIONS, TENTH
from tests.truth import referee

EMPTY = Position.parse(".........")
WORDS = {1: "win", 0: "draw", -1: "loss"}


def check(
    assessment: Assessment, grade: referee.Grade, *, exact: bool, distance: int | None
) -> None:
    """Assert that an assessment agrees with a grade."""
    result, fine = grade
    assert assessment.outcome == (WORDS[result] if exact else "unknown")
    assert assessment.distance == (distance if exact else None)
    if exact:
        assert assessment.value == result
    else:
        assert result == 0
        assert assessment.value == fine / 32
        assert -1 < assessment.value < 1


def distance_of(grade: referee.Grade, board: str, *, counts_plies: bool) -> int | None:
    """Return the plies to the end of the game: 0 if it is over, else None if none count."""
    result, fine = grade
    if referee.is_over(board):
        return 0
    if not counts_plies:
        return None
    return board.count(".") if result == 0 else abs(fine)


def grades_of(position: Position, scoring: Scoring, depth: int = 9) -> Mapping[int, referee.Grade]:
    """Return the referee's grade of each legal move."""
    counts_plies = scoring == "distance"
    return referee.grade_of_moves(
        position.board, position.to_move, depth, counts_plies=counts_plies
    )


def is_exact(position: Position, move: int, depth: int) -> bool:
    """Return whether no search beyond a depth could change the result of a move."""
    after = referee.play(position.board, position.to_move, move)
    worst, best = referee.bounds(after, referee.opponent(position.to_move), depth - 1)
    return worst == best


def check_answer(answer: Answer) -> None:
    """Assert that an answer has the referee's first best move and its assessment.

    It is exact if the best and worst results beyond the depth limit are equal.
    """
    position, _, scoring, depth, *_ = answer.question
    board, to_move = position.board, position.to_move
    counts_plies = scoring == "distance"
    grade = referee.grade(board, to_move, depth, counts_plies=counts_plies)
    plies = distance_of(grade, board, counts_plies=counts_plies)
    worst, best = referee.bounds(board, to_move, depth)
    check(answer.assessment, grade, exact=worst == best, distance=plies)
    grades = grades_of(position, scoring, depth)
    assert answer.move == next((move for move in grades if grades[move] == grade), None)
    assert answer.moves is None
    if depth == 9:
        assert plies in (None, len(answer.principal_variation))


@pytest.mark.parametrize("scoring", ["distance", "outcome"])
def test_every_answer_agrees_with_the_referee(scoring: Scoring) -> None:
    """On every tenth position, at every depth, the move and assessment are the referee's."""
    for position in TENTH:
        for depth in {*range(1, 10 - position.ply), 9}:
            check_answer(consult(Question(position, "alphabeta", scoring, depth)))


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("depth", [1, 3, 9])
def test_an_analysis_assesses_every_move(algorithm: Algorithm, depth: int) -> None:
    """An analysis assesses every legal move, best first; the first move is the answer."""
    for position in TENTH[::3]:
        question = Question(position, algorithm, max_depth=depth, analysis=True)
        answer = consult(question)
        check_analysis(answer)
        if algorithm == "minimax":
            assert consult(question._replace(analysis=False)).nodes == answer.nodes


def check_analysis(answer: Answer) -> None:
    """Assert that an analysis agrees with the referee's grades, and its answer with its moves."""
    position, depth = answer.question.position, answer.question.max_depth
    grades = grades_of(position, "distance", depth)
    assert answer.moves is not None
    assert list(answer.moves) == sorted(sorted(grades), key=grades.__getitem__, reverse=True)
    for move, assessment in answer.moves.items():
        plies = distance_of(grades[move], position.board, counts_plies=True)
        exact = is_exact(position, move, depth)
        check(assessment, grades[move], exact=exact, distance=plies)
    if answer.moves:
        assert (answer.move, answer.assessment) == next(iter(answer.moves.items()))
    else:
        assert (answer.move, answer.nodes) == (None, 1)


def test_the_elapsed_time_is_in_milliseconds() -> None:
    """The time is in milliseconds with three decimals, and most of the time of the call."""
    question = Question(EMPTY.after(0), "minimax")
    shares = []
    for _ in range(5):
        start = perf_counter()
        elapsed_ms = consult(question).elapsed_ms
        shares.append(elapsed_ms / 1000 / (perf_counter() - start))
        assert elapsed_ms == round(elapsed_ms, 3)
    #  The largest share, because the machine may pause the test between the measurements.
    assert 0.5 < max(shares) <= 1


def test_the_elapsed_time_is_that_of_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """The difference of two times in seconds is rounded to three decimals of a millisecond."""
    clock = iter([8.0, 8.0123456])
    monkeypatch.setattr("best_move.oracle.perf_counter", clock.__next__)
    assert consult(Question(EMPTY)).elapsed_ms == 12.346


QUESTIONS = st.builds(
    Question,
    position=st.sampled_from(POSITIONS),
    algorithm=st.sampled_from([name for name in ALGORITHMS if name != "minimax"]),
    scoring=st.sampled_from(get_args(Scoring)),
    max_depth=st.integers(1, 9),
    analysis=st.booleans(),
    difficulty=st.sampled_from(get_args(Difficulty)),
    tie_break=st.sampled_from(get_args(TieBreak)),
    seed=st.none() | st.integers(0, 2**53 - 1),
    numbered=st.booleans(),
)


def draws(question: Question, grades: Mapping[int, referee.Grade]) -> bool:
    """Return whether a level or tie-break draws a random number, given the grades of all moves."""
    if question.difficulty != "perfect" and len(grades) > 1:
        return True
    best = [grade for grade in grades.values() if grade == max(grades.values())]
    return question.tie_break == "random" and len(best) > 1


def check_move(answer: Answer, move: int, grades: Mapping[int, referee.Grade]) -> None:
    """Assert that an answer describes its move, given the grades of all moves."""
    question = answer.question
    position = question.position
    assert answer.after == position.after(move)
    assert answer.principal_variation[0] == move
    counts_plies = question.scoring == "distance"
    plies = distance_of(grades[move], position.board, counts_plies=counts_plies)
    exact = is_exact(position, move, question.max_depth)
    check(answer.assessment, grades[move], exact=exact, distance=plies)
    assert answer.optimal == (grades[move] == max(grades.values()))
    assert answer.optimal or question.difficulty != "perfect"
    if question.analysis:
        assert answer.moves is not None
        assert answer.moves[move] == answer.assessment
        assert set(answer.moves) == set(grades)


@given(question=QUESTIONS)
@settings(max_examples=400)
def test_fields_describe_the_move_for_every_combination_of_options(question: Question) -> None:
    """The fields describe the move; an answer is repeatable unless it drew without a seed."""
    answer = consult(question)
    grades = grades_of(question.position, question.scoring, question.max_depth)
    if answer.move is None:
        assert not grades
        assert (answer.after, answer.reason) == (question.position, None)
        assert (answer.optimal, answer.repeatable) == (True, True)
        assert (answer.nodes, answer.moves) == (1, {} if question.analysis else None)
        return
    check_move(answer, answer.move, grades)
    assert answer.repeatable == (question.seed is not None or not draws(question, grades))
    if answer.repeatable:
        assert consult(question)._replace(elapsed_ms=answer.elapsed_ms) == answer


def test_the_random_tie_break_plays_all_best_moves_equally_often() -> None:
    """The random tie-break plays each best move about equally often, and no other move."""
    for position in POSITIONS[300::300]:
        grades = grades_of(position, "distance")
        best = [move for move in grades if grades[move] == max(grades.values())]
        draws = 150 * len(best)
        played = Counter(
            consult(Question(position, "transposition_table", tie_break="random", seed=seed)).move
            for seed in range(draws)
        )
        assert set(played) == set(best)
        # With these fixed seeds no count differs from 150 by five standard deviations.
        assert all(abs(played[move] - 150) < 5 * 150**0.5 for move in best)


def test_a_level_plays_random_moves_at_its_rate() -> None:
    """Over 2,000 seeds each level plays each worse move about as often as its rate says."""
    position = Position.parse("XX.OO....")
    for difficulty, rate in RATES.items():
        moves = Counter(
            consult(
                Question(position, "transposition_table", difficulty=difficulty, seed=seed)
            ).move
            for seed in range(2000)
        )
        expected = 2000 * rate / 5
        assert all(
            abs(moves[move] - expected) <= 5 * expected**0.5
            for move in position.legal_moves
            if move != 2
        )


def test_a_trap_does_not_prefer_the_longer_game() -> None:
    """If no best move has a mistaken reply, the trap is the lowest cell."""
    answer = consult(
        Question(Position.parse("....OO.XX", "O"), scoring="outcome", tie_break="trap")
    )
    assert (answer.move, answer.reason) == (3, "win")


@pytest.mark.parametrize("scoring", ["distance", "outcome"])
def test_every_judgment_of_a_move_agrees_with_the_referee(scoring: Scoring) -> None:
    """Outcomes and best moves are the referee's; a mistake names the first rule of a best move."""
    for position in TENTH:
        grades = grades_of(position, scoring)
        for move in grades:
            game = review(Game(position, [move], scoring))
            (judged,) = game.moves
            assert (judged.move, judged.player) == (move, position.to_move)
            assert game.position == position.after(move)
            check_judgment(judged, position, grades)


def check_judgment(
    judged: JudgedMove, position: Position, grades: Mapping[int, referee.Grade]
) -> None:
    """Assert that a judgment agrees with the grades of all moves of its position."""
    grade, best = grades[judged.move], max(grades.values())
    assert (judged.outcome, judged.best_outcome) == (WORDS[grade[0]], WORDS[best[0]])
    assert judged.mistake == (grade[0] < best[0])
    assert judged.best_moves == tuple(cell for cell in grades if grades[cell] == best)
    reasons = {reason_of(position, cell) for cell in judged.best_moves}
    first = next(rule for rule in get_args(Reason) if rule in reasons)
    assert judged.missed == (first if judged.mistake else None)


@given(st.sampled_from(POSITIONS), st.randoms(use_true_random=False))
def test_a_game_is_reviewed_move_by_move(start: Position, random: Random) -> None:
    """The review judges moves in order, counts each side's mistakes and names the first."""
    position = start
    alone = []
    while position.legal_moves:
        move = random.choice(position.legal_moves)
        alone.append(review(Game(position, [move])))
        position = position.after(move)
    judged = [each.moves[0] for each in alone]
    game = review(Game(start, iter([each.move for each in judged])))  # type: ignore[arg-type]
    assert game.moves == tuple(judged)
    assert game.position == position
    mistakes = [each for each in judged if each.mistake]
    assert game.first_mistake == (judged.index(mistakes[0]) if mistakes else None)
    sides = Counter(each.player for each in mistakes)
    assert game.mistakes == {"X": sides["X"], "O": sides["O"]}


@pytest.mark.parametrize(
    ("played", "index"), [((4, 4), 1), ((0, 3, 1, 4, 2, 5), 5)], ids=["cell taken", "after the end"]
)
def test_an_illegal_move_is_not_reviewed(played: tuple[int, ...], index: int) -> None:
    """The exception has the index of the illegal move."""
    with pytest.raises(IllegalMoveError) as raised:
        review(Game(EMPTY, played))
    assert raised.value.index == index
