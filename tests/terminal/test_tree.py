"""The search tree in a terminal: its text is compared with the tree node by node."""

import re
import subprocess
from collections.abc import Iterator
from typing import get_args

import click
import pytest
from click.testing import CliRunner, Result

from best_move.engine import COMPILED
from best_move.engine.score import Scoring
from best_move.engine.search_tree import Node, TracedAlgorithm, TreeQuestion, search_tree
from best_move.terminal import tree
from best_move.terminal.screen import COLORS
from tests.engine.positions import EVERY_POSITION
from tests.terminal.terminals import ENVIRONMENT, PYTHON


def printed(*options: str) -> Result:
    """Run the command in this process, 80 columns wide; return its output and exit code."""
    return CliRunner(env={"COLUMNS": "80"}).invoke(tree.main, options)


def drawing(question: TreeQuestion) -> list[str]:
    """Return the lines of a tree, 80 columns wide and without colors."""
    return [click.unstyle(line) for line in tree.drawing(question, 80)]


AS_PRINTED = """\
Nodes visited: minimax 14, alphabeta 13. X is MAX, O is MIN. Scores: 100 - n if
X wins at ply n, n - 100 if O does, 0 for a draw.

XOXXO.O..: MAX [-∞, +∞] = 0, a draw, 13 nodes
├─ X 5: MIN [-∞, +∞] = -92, O wins, 4 nodes
│  ├─ O 7: = -92, O wins
│  └─ O 8: MAX [-∞, -92] = 0, a draw, 2 nodes
│     └─ X 7: = 0, a draw
┝━ X 7: MIN [-92, +∞] = 0, a draw, 5 nodes
│  ┝━ O 5: MAX [-92, +∞] = 0, a draw, 2 nodes
│  │  ┕━ X 8: = 0, a draw
│  └─ O 8: MAX [-92, 0] = 0, a draw, 2 nodes
│     └─ X 5: = 0, a draw
└─ X 8: MIN [0, +∞] ≤ 0, a draw at best, 3 nodes
   ├─ O 5: MAX [0, +∞] = 0, a draw, 2 nodes
   │  └─ X 7: = 0, a draw
   └╌ O 7: pruned. X already has a draw elsewhere; here O gets at least a draw,
      so X gains nothing by coming here.
"""


def test_a_small_search_is_printed_completely() -> None:
    """The text of a small search has windows, scores, the best line, and a cutoff's reason."""
    assert printed("XOXXO.O..").output == AS_PRINTED


@pytest.mark.parametrize(
    ("options", "lines"),
    [
        (
            ["X.O.O.X..", "--algorithm", "minimax", "--levels", "1", "--scoring", "outcome"],
            """\
Nodes visited: minimax 174, alphabeta 42. X is MAX, O is MIN. Scores: 100 if X
wins, -100 if O does, 0 for a draw.

X.O.O.X..: MAX = 100, X wins, 174 nodes
├─ X 1: MIN = 0, a draw, 47 nodes …
┝━ X 3: = 100, X wins
├─ X 5: MIN = 0, a draw, 51 nodes …
├─ X 7: MIN = 100, X wins, 37 nodes …
└─ X 8: MIN = 100, X wins, 37 nodes …
""",
        ),
        (
            ["XX.OO....", "--depth", "1", "--starts", "o"],
            """\
Nodes visited: minimax 6, alphabeta 6. O is MAX, X is MIN. Scores: 100 - n if O
wins at ply n, n - 100 if X does, an estimate at the depth limit.

XX.OO....: MAX [-∞, +∞] = 95, O wins, 6 nodes
├─ O 2: = 7, an estimate
┝━ O 5: = 95, O wins
├─ O 6: = 4, an estimate
├─ O 7: = 2, an estimate
└─ O 8: = 3, an estimate
""",
        ),
        (
            ["XXXOO....", "--levels", "0"],
            """\
Nodes visited: minimax 1, alphabeta 1. O is MAX, X is MIN. Scores: 100 - n if O
wins at ply n, n - 100 if X does, 0 for a draw.

XXXOO....: = -95, X wins
""",
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_the_search_uses_the_options(options: list[str], lines: str) -> None:
    """The search has the algorithm, scoring, depth, levels and side to move of the options."""
    assert printed(*options).output == lines


def moves(node: Node, level: int = 0) -> Iterator[tuple[int, str]]:
    """Yield the moves of a tree, also pruned ones, in the order drawn, each with its level."""
    for child in node.children:
        yield level, f"{node.to_move} {child.move}"
        yield from moves(child, level + 1)
    if node.pruned:
        yield level, ", ".join(f"{node.to_move} {move}" for move in node.pruned)


@pytest.mark.parametrize("scoring", get_args(Scoring))
@pytest.mark.parametrize("algorithm", get_args(TracedAlgorithm))
def test_every_move_of_the_tree_is_drawn(algorithm: TracedAlgorithm, scoring: Scoring) -> None:
    """The moves are drawn in the order of the search, indented by their level, in 80 columns."""
    for position in EVERY_POSITION[:: 50 if COMPILED else 500]:
        for depth in (2, 9):
            question = TreeQuestion(position, algorithm, scoring, depth)
            lines = drawing(question)
            assert max(map(len, lines)) <= 80
            drawn = re.findall(
                r"^((?:│  |   )*)[├└┝┕][─━╌] ([XO] \d(?:, [XO] \d)*):",
                "\n".join(lines),
                re.MULTILINE,
            )
            assert [(len(indent) // 3, move) for indent, move in drawn] == list(
                moves(search_tree(question))
            )


def test_only_informative_bounds_are_described() -> None:
    """A bound is the best or worst result for MAX, unless it makes a win or a loss certain."""
    descriptions = set()
    for position in EVERY_POSITION[::50]:
        for depth in (2, 3, 9):
            lines = drawing(TreeQuestion(position, "alphabeta", "distance", depth))
            found = re.findall(
                r"([=≤≥]) -?\d+, (X wins|O wins|a draw|an estimate)( at best| at worst)?",
                "\n".join(lines),
            )
            max_wins, min_wins = (
                ("X wins", "O wins") if position.to_move == "X" else ("O wins", "X wins")
            )
            descriptions |= {
                (sign, {max_wins: "MAX", min_wins: "MIN"}.get(words, words), hope)
                for sign, words, hope in found
            }
    exact = {("=", words, "") for words in ("MAX", "MIN", "a draw", "an estimate")}
    at_least = {
        ("≥", "MAX", ""),
        *(("≥", words, " at worst") for words in ("MIN", "a draw", "an estimate")),
    }
    at_most = {
        ("≤", "MIN", ""),
        *(("≤", words, " at best") for words in ("MAX", "a draw", "an estimate")),
    }
    assert descriptions == exact | at_least | at_most


def test_the_tree_of_the_empty_board_fits_on_a_page() -> None:
    """The printed tree of the empty board has fewer than 60 lines."""
    text = printed(".........").output
    assert text.startswith("Nodes visited: minimax 549,946, alphabeta 20,866. ")
    assert len(text.splitlines()) < 60


def test_moves_have_the_colors_of_their_sides() -> None:
    """In a terminal each move and each win has its side's color, unless NO_COLOR is set."""
    runner = CliRunner(env={"COLUMNS": "80"})
    lines = runner.invoke(tree.main, ["XOXXO.O.."], color=True).output.splitlines()
    x, o = (click.style(text, fg=COLORS[mark]) for mark, text in (("X", "X 5"), ("O", "O wins")))
    assert lines[4] == f"├─ {x}: MIN [-∞, +∞] = -92, {o}, 4 nodes"
    assert [click.unstyle(line) for line in lines] == AS_PRINTED.splitlines()
    assert lines[-1] == "   " + click.style("   so X gains nothing by coming here.", dim=True)
    assert (
        runner.invoke(tree.main, ["XOXXO.O.."], color=True, env={"NO_COLOR": "1"}).output
        == AS_PRINTED
    )


def test_the_option_order_changes_the_search() -> None:
    """Here alpha-beta visits 47 nodes with best moves first, 89 by cell, 217 with worst first."""
    for order, nodes in (("best_first", 47), ("cells", 89), ("worst_first", 217)):
        assert (
            f"alphabeta {nodes}." in printed("XO.X..O..", "--order", order, "--levels", "0").output
        )


def test_a_closed_pipe_causes_no_error_message() -> None:
    """If the output is closed early, as by `head`, the command ends without a message."""
    command = [*PYTHON, "-m", "best_move", "tree", ".........", "--algorithm", "minimax"]
    with subprocess.Popen(
        [*command, "--levels", "3"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
    ) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(20) == 2
