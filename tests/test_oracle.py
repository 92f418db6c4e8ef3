"""The oracle's answers and reviews agree with the referee."""

from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from best_move.engine import ALGORITHMS
from best_move.engine.choice import RATES, Choice, Rng, choose
from best_move.engine.position import IllegalMoveError, Position
from best_move.engine.question import Difficulty, TieBreak
from best_move.engine.reason import Reason, reason_of
from best_move.engine.score import Assessment, Outcome, Scoring
from best_move.engine.search import Algorithm, Search
from best_move.oracle import Game, Question, consult, review
from tests.engine.positions import POSITIONS, TENTH
from tests.truth import referee

EMPTY = Position.parse(".........")
WORDS: dict[int, Outcome] = {1: "win", 0: "draw", -1: "loss"}


def grades_of(question: Question) -> Mapping[int, referee.Grade]:
    """Return the referee's grade of each legal move."""
    position, _, scoring, depth, *_ = question
    return referee.grade_of_moves(
        position.board, position.to_move, depth, counts_plies=scoring == "distance"
    )


def assessed(question: Question, move: int | None) -> Assessment:
    """Return the referee's assessment of a move, or of a finished board.

    It is exact if the best and worst results beyond the depth limit are equal.
    """
    position, _, scoring, depth, *_ = question
    board, to_move = position.board, position.to_move
    if move is None:
        result, _ = referee.grade(board, to_move, 0, counts_plies=False)
        return Assessment(result, WORDS[result], 0)
    result, fine = grades_of(question)[move]
    after = referee.play(board, to_move, move)
    worst, best = referee.bounds(after, referee.opponent(to_move), depth - 1)
    if worst != best:
        return Assessment(fine / 32, "unknown", None)
    plies = board.count(".") if result == 0 else abs(fine)
    return Assessment(result, WORDS[result], plies if scoring == "distance" else None)


@pytest.mark.parametrize("scoring", ["distance", "outcome"])
def test_every_answer_agrees_with_the_referee(scoring: Scoring) -> None:
    """On every tenth position, at every depth, the first best move and its assessment are right."""
    for position in TENTH:
        for depth in {*range(1, 10 - position.ply), 9}:
            question = Question(position, "alphabeta", scoring, depth)
            answer = consult(question)
            grades = grades_of(question)
            assert answer.move == max(grades, key=grades.__getitem__, default=None)
            assert answer.assessment == assessed(question, answer.move)
            assert answer.moves is None
            if depth == 9:
                assert answer.assessment.distance in (None, len(answer.principal_variation))


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("depth", [1, 3, 9])
def test_an_analysis_assesses_every_move(algorithm: Algorithm, depth: int) -> None:
    """An analysis assesses every legal move, best first; the first move is the answer."""
    for position in TENTH[::3]:
        question = Question(position, algorithm, max_depth=depth, analysis=True)
        answer = consult(question)
        grades = grades_of(question)
        assert answer.moves == {move: assessed(question, move) for move in grades}
        assert list(answer.moves) == sorted(grades, key=grades.__getitem__, reverse=True)
        if grades:
            assert (answer.move, answer.assessment) == next(iter(answer.moves.items()))
        else:
            assert (answer.move, answer.nodes) == (None, 1)
        if algorithm == "minimax":
            assert consult(question._replace(analysis=False)).nodes == answer.nodes


def test_the_elapsed_time_is_that_of_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """The seconds that pass in the search are rounded to three decimals of a millisecond."""
    now = 8.0

    def searching(question: Question, search: Search, rng: Rng) -> Choice:
        nonlocal now
        now = 8.0123456
        return choose(question, search, rng)

    monkeypatch.setattr("best_move.oracle.perf_counter", lambda: now)
    monkeypatch.setattr("best_move.oracle.choose", searching)
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


@given(question=QUESTIONS)
@settings(max_examples=400)
def test_fields_describe_the_move_for_every_combination_of_options(question: Question) -> None:
    """The fields describe the move; an answer is repeatable unless it drew without a seed."""
    answer = consult(question)
    grades = grades_of(question)
    assert answer.assessment == assessed(question, answer.move)
    if answer.move is None:
        assert not grades
        assert (answer.after, answer.reason) == (question.position, None)
        assert (answer.optimal, answer.repeatable) == (True, True)
        assert (answer.nodes, answer.moves) == (1, {} if question.analysis else None)
        return
    assert answer.after == question.position.after(answer.move)
    assert answer.principal_variation[0] == answer.move
    best = [move for move in grades if grades[move] == max(grades.values())]
    assert answer.optimal == (answer.move in best)
    assert answer.optimal or question.difficulty != "perfect"
    if question.analysis:
        assert answer.moves is not None
        assert answer.moves[answer.move] == answer.assessment
        assert set(answer.moves) == set(grades)
    draws = (question.difficulty != "perfect" and len(grades) > 1) or (
        question.tie_break == "random" and len(best) > 1
    )
    assert answer.repeatable == (question.seed is not None or not draws)
    if answer.repeatable:
        assert consult(question)._replace(elapsed_ms=answer.elapsed_ms) == answer


def test_the_random_tie_break_plays_all_best_moves_equally_often() -> None:
    """The random tie-break plays each best move about equally often, and no other move."""
    for position in POSITIONS[300::300]:
        question = Question(position, "transposition_table", tie_break="random")
        grades = grades_of(question)
        best = [move for move in grades if grades[move] == max(grades.values())]
        played = Counter(
            consult(question._replace(seed=seed)).move for seed in range(100 * len(best))
        )
        assert set(played) == set(best)
        #  With these fixed seeds no count differs from 100 by four standard deviations.
        assert all(abs(played[move] - 100) < 40 for move in best)


@pytest.mark.parametrize("difficulty", RATES)
def test_a_level_plays_random_moves_at_its_rate(difficulty: Difficulty) -> None:
    """Of 500 games each level plays each of four worse moves about as often as its rate says."""
    position = Position.parse("XX.OO....")
    question = Question(position, "transposition_table", difficulty=difficulty)
    moves = Counter(consult(question._replace(seed=seed)).move for seed in range(500))
    assert {*moves} <= {*position.legal_moves}
    expected = 100 * RATES[difficulty]
    #  With these fixed seeds no number differs from the expected one by four standard deviations.
    assert abs(500 - moves[2] - 4 * expected) <= 4 * (4 * expected) ** 0.5
    assert all(abs(moves[move] - expected) <= 4 * expected**0.5 for move in (5, 6, 7, 8))


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
        grades = grades_of(Question(position, scoring=scoring))
        for move, grade in grades.items():
            game = review(Game(position, [move], scoring))
            assert game.position == position.after(move)
            (judged,) = game.moves
            assert (judged.move, judged.player) == (move, position.to_move)
            best = max(grades.values())
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
