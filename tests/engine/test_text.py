"""The sentences: exact examples, and a check of every sentence against its numbers."""

import re
from functools import cache
from typing import Any

import pytest

from best_move.engine.position import Position, other
from best_move.engine.reason import Reason
from best_move.engine.score import Outcome, Scoring
from best_move.engine.text import kept_text, mistake_text, trap_text
from best_move.oracle import Answer, Game, Question, consult, review
from tests.engine.positions import TENTH, worse_replies
from tests.tables import table

at = Position.parse
#  Paragraphs of a board with options, the text of the answer, and its outlook.
EXAMPLES = """\
.........  tie_break=trap
X plays the top-left corner.
With best play by both sides the game ends in a draw, but 7 of O's 8 replies lose.

X...O....  tie_break=trap
X plays the top side.
With best play by both sides the game ends in a draw, but 5 of O's 6 replies lose.

X........
O plays the center: it is on the most lines.
With best play by both sides the game ends in a draw.

XX.OO....
X plays the top-right corner, which completes three in a row. The game is over: X has won.

XX.O.....
O plays the top-right corner, which blocks X's three in a row.
X can now force a win within its next 2 moves.

X...O...X
O plays the top side and keeps X from threatening two lines at once.
With best play by both sides the game ends in a draw.

XO.O..X..
X plays the center and threatens to win in two places.
X can now force a win on its next move.

X........  difficulty=easy  seed=2
O plays the bottom-left corner.
X can now force a win within its next 3 moves. O had a better move.

XXOOO....  tie_break=trap
X plays the right side, which blocks O's three in a row.
O can now force a win on its next move, but 2 of O's 3 replies let the win slip.

....X....  max_depth=1
O plays the top-left corner.
Undecided: the search stopped after one ply.

XOXXOOOX.
X plays the bottom-right corner. The game is over: it is a draw."""


@pytest.mark.parametrize("example", EXAMPLES.split("\n\n"))
def test_example_questions_have_the_expected_sentences(example: str) -> None:
    """The answer to each example has exactly the expected text and outlook."""
    first, _, sentences = example.partition("\n")
    board, *words = first.split()
    options = dict(word.split("=") for word in words)
    typed: dict[str, Any] = {
        name: int(each) if each.isdigit() else each for name, each in options.items()
    }
    answer = consult(Question(at(board), **typed))
    assert f"{answer.text}\n{answer.outlook}".strip() == sentences


@pytest.mark.parametrize(
    ("board", "text"),
    table("""
.........  X plays 0, the top-left corner.
XX.O.....  O plays 2, the top-right corner, which blocks X's three in a row.
XO.O..X..  X plays 4, the center, and threatens to win in two places.
"""),
)
def test_a_text_has_the_number_of_the_cell_on_request(board: str, text: str) -> None:
    """The number is before the cell's name, between commas."""
    answer = consult(Question(at(board), numbered=True))
    assert answer.text == text
    assert answer.move is not None
    game = Game(at(board), [answer.move], numbered=True)
    assert review(game).moves[0].text.startswith(text)


@cache
def answers(depth: int, scoring: Scoring) -> list[Answer]:
    """Return answers with best moves and, on every third position, with random moves and traps."""
    questions = []
    for index, position in enumerate(TENTH):
        question = Question(position, "alphabeta", scoring, depth)
        questions.append(question)
        if index % 3 == 0:
            questions.append(question._replace(difficulty="easy", seed=index))
            questions.append(question._replace(tie_break="trap"))
    return [consult(question) for question in questions]


@pytest.mark.parametrize("scoring", ["distance", "outcome"])
@pytest.mark.parametrize("depth", [1, 2, 9])
def test_every_text_says_who_plays_and_how_the_game_ends(depth: int, scoring: Scoring) -> None:
    """A sentence on the outlook follows unless the game is over, and one on a better move."""
    ends = {
        "x_won": ["The game is over: X has won."],
        "o_won": ["The game is over: O has won."],
        "draw": ["The game is over: it is a draw."],
        "in_progress": [],
    }
    for answer in answers(depth, scoring):
        whole = f"{answer.text} {answer.outlook}".strip()
        sentences = re.findall(r"[A-Z].*?\.(?= |$)", whole)
        assert " ".join(sentences) == whole
        mover = answer.question.position.to_move
        start = "The game is over: " if answer.move is None else f"{mover} plays the "
        assert answer.text.startswith(start)
        end = [each for each in sentences if each.startswith("The game is over: ")]
        assert end == ends[answer.after.status]
        if end:
            assert (answer.optimal, answer.outlook) == (True, "")
        else:
            assert len(sentences) == (2 if answer.optimal else 3)
            assert "better" not in answer.text


@pytest.mark.parametrize("scoring", ["distance", "outcome"])
@pytest.mark.parametrize("depth", [1, 2, 9])
def test_every_outlook_agrees_with_the_numbers(depth: int, scoring: Scoring) -> None:
    """It has the outcome, the moves to a win, a better move, and the mistaken replies to a trap."""
    starts = {
        "win": "{mover} can now force a win",
        "loss": "{other} can now force a win",
        "draw": "With best play by both sides the game ends in a draw",
        "unknown": "Undecided: the search stopped after ",
    }
    for answer in answers(depth, scoring):
        if answer.after.status != "in_progress":
            continue
        position, outlook = answer.question.position, answer.outlook
        mover = position.to_move
        _, outcome, plies = answer.assessment
        assert outlook.startswith(starts[outcome].format(mover=mover, other=other(mover)))
        assert outlook.endswith(f" {mover} had a better move.") == (not answer.optimal)
        moves = re.findall(r"within its next (\d) moves|on its next move", outlook)
        is_counted = plies is not None and outcome in ("win", "loss")
        assert [int(number or 1) for number in moves] == ([(plies or 0) // 2] if is_counted else [])
        replies = r", but (\d) of ([XO])'s (\d) replies (?:loses?|lets? the win slip)\."
        mistakes = 0
        if answer.question.tie_break == "trap" and len(position.legal_moves) > 1 and depth > 1:
            mistakes = worse_replies(answer.after, depth - 1)
        counts = (str(mistakes), other(mover), str(len(answer.after.legal_moves)))
        assert re.findall(replies, outlook) == ([counts] if mistakes else [])


@pytest.mark.parametrize(
    ("outcome", "count", "text"),
    [
        ("draw", 1, ", but 1 of O's 5 replies loses"),
        ("loss", 1, ", but 1 of O's 5 replies lets the win slip"),
        ("loss", 3, ", but 3 of O's 5 replies let the win slip"),
        ("unknown", 3, ", but 3 of O's 5 replies lose"),
    ],
)
def test_the_count_of_mistaken_replies_is_grammatical(
    outcome: Outcome, count: int, text: str
) -> None:
    """One reply has a singular verb; replies to a losing move let the win slip."""
    assert trap_text("X", outcome, count, 5) == text


@pytest.mark.parametrize(
    ("outcome", "quicker", "text"),
    [
        ("win", (), "It keeps the win."),
        ("win", (1,), "It keeps the win, but 1 wins sooner."),
        ("win", (3, 4, 6), "It keeps the win, but 3, 4 and 6 win sooner."),
        ("loss", (), "Every move loses."),
    ],
)
def test_a_sentence_names_the_outcome_that_a_move_keeps(
    outcome: Outcome, quicker: tuple[int, ...], text: str
) -> None:
    """If the move keeps a win, the sentence also names the moves that would have won sooner."""
    assert kept_text(outcome, quicker) == text


@pytest.mark.parametrize(
    ("missed", "best_moves", "text"),
    [
        ("win", {2: "win", 5: "fork", 6: "win"}, "O could have won at 2 or 6."),
        (
            "fork",
            {0: "fork", 2: "fork", 4: "fork"},
            "O could have threatened two lines at once with 0, 2 or 4.",
        ),
        (
            "block_fork",
            {1: "block_fork"},
            "O could have kept X from threatening two lines at once with 1.",
        ),
        ("center", {1: "side", 4: "center", 6: "corner"}, "O could have played 1, 4 or 6."),
    ],
)
def test_a_sentence_says_how_a_mistake_could_have_been_avoided(
    missed: Reason, best_moves: dict[int, Reason], text: str
) -> None:
    """The sentence has how the mistake changed the outcome, and what to do on which cells."""
    changed = "This is a mistake: it turns a draw into a loss."
    assert mistake_text("O", "loss", "draw", missed, best_moves) == f"{changed} {text}"


def test_the_sentence_about_a_mistake_names_all_best_moves() -> None:
    """On every position the sentence names all best moves, although it gives only one reason."""
    for position in TENTH:
        for move in position.legal_moves:
            (judged,) = review(Game(position, [move])).moves
            if judged.mistake:
                stated = [*map(int, re.findall(r"\d", judged.text.rpartition(" could have ")[2]))]
                assert stated == [*judged.best_moves]


REVIEWED = """\
X plays the left side. It keeps the win.
O plays the top-right corner. Every move loses.
X plays the center and threatens to win in two places. It keeps the win, but 6 wins sooner.
O plays the bottom-left corner, which blocks X's three in a row. Every move loses.
X plays the bottom-right corner, which completes three in a row. The game is over: X has won."""


def test_each_reviewed_move_has_its_text_and_a_judgment() -> None:
    """Each move of a review has its sentence and, unless it ends the game, a judgment."""
    game = review(Game(at("XO......."), [3, 2, 4, 6, 8]))
    assert [judged.text for judged in game.moves] == REVIEWED.splitlines()
