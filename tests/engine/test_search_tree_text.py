"""The sentences about cutoffs: exact examples, and a check of each against its numbers."""

import re
from collections.abc import Iterator
from typing import Any, Final, get_args

import pytest

from best_move.engine.position import Position, other
from best_move.engine.score import Scoring
from best_move.engine.search_tree import Node, TreeQuestion, search_tree
from best_move.engine.search_tree_text import cut_text
from tests.engine.positions import POSITIONS

NOTHING: Final = "gains nothing by coming here"

#  Paragraphs of a board, scoring and depth, and the sentence of a cutoff on the board.
EXAMPLES: Final = """\
XXO.OOX..  distance  9
O already has a draw elsewhere; here X wins, so O will not come here.

XOXX.XOO.  distance  9
X can already delay its loss just as long elsewhere; here O wins just as soon, so X gains nothing \
by coming here.

XOXX.XOO.  outcome  9
X already loses elsewhere; here it would lose too, so X gains nothing by coming here.

X...O..X.  distance  2
X already has an estimate of -2 elsewhere; here O reaches an estimate of -3, so X will not come \
here."""
ROOTS: Final = ("X.O.O.X..", "XO.X..O..", "XX.OO....", "X...O....")

#  The phrases about the result elsewhere and about the result here, each with the winner (mover or
#  opponent) or draw.
ELSEWHERE: Final = {
    "has a win": "opponent",
    "has a quicker win": "opponent",
    "has an equally quick win": "opponent",
    "has a draw": "draw",
    "loses": "mover",
    "can delay its loss just as long": "mover",
    "can delay its loss longer": "mover",
}
HERE: Final = {
    "can delay its loss longer": "opponent",
    "can delay its loss just as long": "opponent",
    "X gets no more": "opponent",
    "O gets no more": "opponent",
    "gets at least a draw": "draw",
    "wins": "mover",
    "it would lose too": "mover",
    "wins just as soon": "mover",
    "wins sooner": "mover",
}


def cutoffs(question: TreeQuestion) -> Iterator[Node]:
    """Yield the nodes of a tree at which moves were pruned."""
    unseen = [search_tree(question)]
    while unseen:
        node = unseen.pop()
        unseen += node.children
        if node.pruned:
            yield node


@pytest.mark.parametrize("example", EXAMPLES.split("\n\n"))
def test_example_cutoffs_have_the_expected_sentences(example: str) -> None:
    """A cutoff on the example's board has exactly the expected sentence."""
    first, text = example.splitlines()
    board, scoring, depth = first.split()
    options: Any = {"scoring": scoring, "max_depth": int(depth), "levels": 9}
    roots = [TreeQuestion(Position.parse(root), **options) for root in ROOTS]
    found = [node for root in roots for node in cutoffs(root)]
    assert text in [cut_text(node) for node in found if node.position.board == board]


def test_a_node_without_a_cutoff_has_no_sentence() -> None:
    """The text of a node whose moves were all tried is empty."""
    root = search_tree(TreeQuestion(Position.parse("X.O.O.X..")))
    assert not root.pruned
    assert cut_text(root) == ""


@pytest.mark.parametrize("scoring", get_args(Scoring))
@pytest.mark.parametrize("depth", [2, 3, 9])
def test_every_sentence_agrees_with_the_numbers(depth: int, scoring: Scoring) -> None:
    """The sentence states only the result elsewhere, the result here, and which is better."""
    for position in POSITIONS[::3]:
        for node in cutoffs(TreeQuestion(position, "alphabeta", scoring, depth)):
            check(node, cut_text(node))


def check(node: Node, text: str) -> None:
    """Assert that a sentence agrees with the numbers of its cutoff."""
    mover, opponent = node.to_move, other(node.to_move)
    elsewhere = node.alpha if node.side == "min" else node.beta
    assert elsewhere is not None
    sentence = text.removeprefix(f"{opponent} ").replace("already ", "")
    sure, rest = sentence.split(" elsewhere; here ")
    here, result = rest.removeprefix(f"{mover} ").split(f", so {opponent} ")
    equal = node.score == elsewhere
    assert result == (f"{NOTHING}." if equal else "will not come here.")
    promised = winner_or_estimate(node, elsewhere, "has an estimate of {}")
    assert ELSEWHERE.get(sure, sure) == promised
    reached = winner_or_estimate(node, node.score, "reaches an estimate of {}")
    assert HERE.get(here, here) == reached
    same_winner = promised == reached in ("mover", "opponent")
    counts_plies = same_winner and node.question.scoring == "distance"
    check_comparison(text, counts_plies=counts_plies, equal=equal)


def check_comparison(text: str, *, counts_plies: bool, equal: bool) -> None:
    """Assert that a sentence compares lengths of games exactly if they decide."""
    assert bool(re.search("longer|sooner|quicker", text)) == (counts_plies and not equal)
    assert bool(re.search("just as|equally", text)) == (counts_plies and equal)


def winner_or_estimate(node: Node, score: int, estimate: str) -> str:
    """Return the winner ("mover" or "opponent"), "draw", or the phrase for an estimate."""
    match node.assess(score).outcome:
        case "draw":
            return "draw"
        case "unknown":
            return estimate.format(score)
        case outcome:
            return "mover" if (outcome == "win") == (node.side == "max") else "opponent"
