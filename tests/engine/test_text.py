"""The sentences: exact examples, and a check of every sentence against its numbers."""

import re
from typing import Any

import pytest

from best_move.engine.position import Mark, Position, Status, other
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


ENDS: dict[Status, set[str]] = {
    "x_won": {"The game is over: X has won."},
    "o_won": {"The game is over: O has won."},
    "draw": {"The game is over: it is a draw."},
    "in_progress": set(),
}


def claims(answer: Answer) -> None:
    """Assert that text and outlook agree with the answer's numbers, and claim nothing else."""
    whole = f"{answer.text} {answer.outlook}".strip()
    sentences = [*re.findall(r"[A-Z].*?\.(?= |$)", whole)]
    assert " ".join(sentences) == whole
    mover = answer.question.position.to_move
    start = f"{mover} plays the "
    if answer.move is None:
        start = "The game is over: "
    assert answer.text.startswith(start)
    ends = {sentence for sentence in sentences if sentence.startswith("The game is over: ")}
    assert ends == ENDS[answer.after.status]
    if ends:
        assert (answer.optimal, answer.outlook) == (True, "")
    else:
        assert len(sentences) == (2 if answer.optimal else 3)
        assert "better" not in answer.text
        claims_of_outlook(answer, mover)


OUTLOOKS = {
    "win": "{mover} can now force a win",
    "loss": "{other} can now force a win",
    "draw": "With best play by both sides the game ends in a draw",
    "unknown": "Undecided: the search stopped after ",
}


def claims_of_outlook(answer: Answer, mover: Mark) -> None:
    """Assert that the outlook of a game in progress agrees with the answer's numbers."""
    outlook = answer.outlook
    assessment = answer.assessment
    start = OUTLOOKS[assessment.outcome].format(mover=mover, other=other(mover))
    assert outlook.startswith(start)
    assert outlook.endswith(f" {mover} had a better move.") == (not answer.optimal)
    stated = re.search(r"within its next (\d) moves|on its (next) move", outlook)
    if assessment.distance is not None and assessment.outcome in ("win", "loss"):
        assert stated
        assert int(stated[1] or 1) == assessment.distance // 2
    else:
        assert not stated
    replies = r", but (\d) of ([XO])'s (\d) replies (?:loses?|lets? the win slip)\."
    assert re.findall(replies, outlook) == mistaken_replies(answer)


def mistaken_replies(answer: Answer) -> list[tuple[str, str, str]]:
    """Return the numbers of mistaken replies and of all replies to a trap, by the referee."""
    position, depth = answer.question.position, answer.question.max_depth
    if answer.question.tie_break != "trap" or len(position.legal_moves) == 1 or depth == 1:
        return []
    mistakes = worse_replies(answer.after, depth - 1)
    if not mistakes:
        return []
    return [(str(mistakes), answer.after.to_move, str(len(answer.after.legal_moves)))]


@pytest.mark.parametrize("scoring", ["distance", "outcome"])
@pytest.mark.parametrize("depth", [1, 2, 9])
def test_every_sentence_agrees_with_the_numbers(depth: int, scoring: Scoring) -> None:
    """The sentences on best moves, random moves and traps claim what the numbers say."""
    for index, position in enumerate(TENTH):
        claims(consult(Question(position, "alphabeta", scoring, depth)))
        if index % 3 == 0:
            claims(
                consult(
                    Question(position, "alphabeta", scoring, depth, difficulty="easy", seed=index)
                )
            )
            claims(consult(Question(position, "alphabeta", scoring, depth, tie_break="trap")))


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
