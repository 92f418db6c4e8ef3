"""Sentences: read aloud, and held to the numbers that they put into words."""

import re

import pytest

from service.engine.position import Position, other
from service.engine.score import Scoring
from service.engine.text import trap_text
from service.oracle import Answer, Question, consult
from tests.engine.positions import EVERY_POSITION

READ_ALOUD = {
    (".........", "first"): ("X plays the top-left corner. With best play by both sides the game ends in a draw."),
    (".........", "trap"): (
        "X plays the top-left corner. "
        "With best play by both sides the game ends in a draw, but 7 of O's 8 replies lose."
    ),
    ("X........", "first"): (
        "O plays the center, the cell on the most lines. With best play by both sides the game ends in a draw."
    ),
    ("....X....", "first"): ("O plays the top-left corner. With best play by both sides the game ends in a draw."),
    ("XX.OO....", "first"): (
        "X plays the top-right corner, which completes three in a row. The game is over: X has won."
    ),
    ("XX.O.....", "first"): (
        "O plays the top-right corner, where X would have completed three in a row. "
        "X can now force a win within its next 2 moves."
    ),
    ("X.X.O.O.X", "first"): (
        "O plays the top side, where X would have completed three in a row. X can now force a win on its next move."
    ),
    ("X...O...X", "first"): (
        "O plays the top side and leaves X no fork. With best play by both sides the game ends in a draw."
    ),
    ("XO.......", "first"): "X plays the left side. X can now force a win within its next 2 moves.",
    ("XO.O..X..", "first"): (
        "X plays the center and threatens to win in two places. X can now force a win on its next move."
    ),
    ("XOXXOOOX.", "first"): "X plays the bottom-right corner. The game is over: it is a draw.",
    ("XXXOO....", "first"): "The game is over: X has won.",
    ("XXOOOXXOX", "first"): "The game is over: it is a draw.",
}


@pytest.mark.parametrize(("asked", "text"), READ_ALOUD.items(), ids=["/".join(asked) for asked in READ_ALOUD])
def test_the_sentences_read_well(asked: tuple[str, str], text: str) -> None:
    """Positions with their sentences, as one would say them."""
    board, tie_break = asked
    answer = consult(Question(Position.parse(board), tie_break="trap" if tie_break == "trap" else "first"))
    assert answer.text == text


def claims(answer: Answer) -> None:
    """Assert that a text claims what the answer's numbers say, and nothing else."""
    text, assessment = answer.text, answer.assessment
    assert len(re.findall(r"\.(?: |$)", text)) <= 2
    assert text[0].isupper()
    assert text.endswith(".")
    mover = answer.question.position.to_move
    over = answer.question.position if answer.after is None else answer.after
    assert ("The game is over: X has won." in text) == (over.status == "x_won")
    assert ("The game is over: O has won." in text) == (over.status == "o_won")
    assert ("The game is over: it is a draw." in text) == (over.status == "draw")
    assert ("though there was a better move" in text) == (not answer.optimal)
    if over.status == "in_progress":
        assert (f"{mover} can now force a win" in text) == (assessment.outcome == "win")
        assert (f"{other(mover)} can now force a win" in text) == (assessment.outcome == "loss")
        assert ("the game ends in a draw" in text) == (assessment.outcome == "draw")
        assert ("lies beyond the" in text) == (assessment.outcome == "unknown")
        said = re.search(r"within its next (\d) moves|on its (next) move", text)
        if assessment.distance is not None and assessment.outcome in ("win", "loss"):
            assert said
            assert int(said[1] or 1) == assessment.distance // 2
        else:
            assert not said


@pytest.mark.parametrize("scoring", ["distance", "outcome"])
@pytest.mark.parametrize("depth", [1, 2, 9])
def test_no_sentence_claims_what_the_numbers_do_not_say(depth: int, scoring: Scoring) -> None:
    """On every position, for a searched move and for one drawn at random, the text says what the numbers do."""
    for index, position in enumerate(EVERY_POSITION):
        claims(consult(Question(position, "alphabeta", scoring, depth)))
        if index % 3 == 0:
            claims(consult(Question(position, "alphabeta", scoring, depth, difficulty="easy", seed=index)))
            claims(consult(Question(position, "alphabeta", scoring, depth, tie_break="trap")))


@pytest.mark.parametrize(
    ("outcome", "count", "text"),
    [
        ("draw", 0, ""),
        ("draw", 1, ", but 1 of O's 5 replies loses"),
        ("draw", 2, ", but 2 of O's 5 replies lose"),
        ("loss", 1, ", but 1 of O's 5 replies lets the win slip"),
        ("loss", 3, ", but 3 of O's 5 replies let the win slip"),
        ("unknown", 3, ", but 3 of O's 5 replies lose"),
    ],
)
def test_traps_are_counted_in_good_english(outcome: str, count: int, text: str) -> None:
    """One reply and several, replies that lose and replies that let a win slip."""
    assert trap_text("X", outcome, count, 5) == text  # type: ignore[arg-type]
