"""The search tree in a terminal: the nodes that a search visits, their scores, and cutoffs."""

from collections.abc import Iterator
from dataclasses import replace
from shutil import get_terminal_size
from textwrap import wrap
from typing import Any, get_args

import click

from best_move.engine.position import CELLS, Mark, Position
from best_move.engine.search_tree import (
    MoveOrder,
    Node,
    TracedAlgorithm,
    TreeQuestion,
    search_tree,
)
from best_move.engine.search_tree_text import cut_text
from best_move.terminal.options import choice_option, read_board, search_options
from best_move.terminal.screen import choose_colors, colored

DEFAULTS = TreeQuestion(Position(0, 0, "X"))
MIN_WIDTH = 60  # columns; fewer leave no room for the sentences of deep cutoffs

_BOUNDS = {"exact": "=", "at_least": "≥", "at_most": "≤"}
#  The start of a branch: whether best play goes on along it, and whether it is the last.
_BRANCHES = {
    (True, False): "┝━",
    (True, True): "┕━",
    (False, False): "├─",
    (False, True): "└─",
}


@click.command
@click.argument("board")
@choice_option(
    "--starts",
    get_args(Mark),
    None,
    "The side that made the first move. Default: X, unless the board shows otherwise.",
)
@search_options(get_args(TracedAlgorithm), DEFAULTS)
@choice_option(
    "--order",
    get_args(MoveOrder),
    DEFAULTS.order,
    "The order in which moves are tried: by cell, or by their true scores.",
)
@click.option(
    "--levels",
    type=click.IntRange(0, CELLS),
    metavar="PLIES",
    help="Plies of the tree to print. Default: as many as fit in 330 nodes without pruning.",
)
def main(*, board: str, starts: Mark | None, **search: Any) -> None:
    """Print how minimax or alpha-beta searches a position, as a tree.

    BOARD is nine cells, row by row, each X, O or '.'.
    """
    choose_colors()
    position = read_board(board, starts)
    question = TreeQuestion(position, **search)
    width = get_terminal_size().columns
    lines = drawing(question, max(MIN_WIDTH, width))
    click.echo("\n".join(lines))


def drawing(question: TreeQuestion, width: int) -> Iterator[str]:
    """Yield the lines of a search tree, in color, with sentences wrapped to the width in columns.

    Thick branches mark best play. Pruned moves come last, on a dashed branch.
    """
    root = search_tree(question)
    yield from wrap(_legend(root), width)
    yield ""
    yield f"{root.position.board}: {_label(root)}"
    yield from _below(root, "", width, is_best=True)


def _legend(root: Node) -> str:
    """Return what both algorithms cost, and what the scores mean."""
    question = root.question
    visits = []
    for algorithm in get_args(TracedAlgorithm):
        counted = search_tree(replace(question, algorithm=algorithm, levels=0))
        visits.append(f"{algorithm} {counted.nodes:,}")
    maximizer = question.mark("max")
    minimizer = question.mark("min")
    scores = f"100 if {maximizer} wins, -100 if {minimizer} does"
    if question.scoring == "distance":
        scores = f"100 - n if {maximizer} wins at ply n, n - 100 if {minimizer} does"
    between = "0 for a draw"
    if root.outcome_of(0) == "unknown":
        between = "an estimate at the depth limit"
    sides = f"{maximizer} is MAX, {minimizer} is MIN"
    return f"Nodes visited: {', '.join(visits)}. {sides}. Scores: {scores}, {between}."


def _below(node: Node, indent: str, width: int, *, is_best: bool) -> Iterator[str]:
    """Yield the lines below a node; `is_best` says whether best play leads to the node."""
    mark = node.to_move
    last = None
    if node.children and not node.pruned:
        last = node.children[-1]
    for child in node.children:
        is_last = child is last
        goes_on = is_best and child is node.best_child
        branch = _BRANCHES[goes_on, is_last]
        move = colored(mark, f"{mark} {child.move}")
        yield f"{indent}{branch} {move}: {_label(child)}"
        deeper = indent + "│  "
        if is_last:
            deeper = indent + "   "
        yield from _below(child, deeper, width, is_best=goes_on)
    if node.pruned:
        yield from _pruned(node, indent, width)


def _pruned(node: Node, indent: str, width: int) -> Iterator[str]:
    """Yield the lines on a node's pruned moves, which are dim."""
    mark = node.to_move
    moves = ", ".join(f"{mark} {move}" for move in node.pruned)
    text = f"└╌ {moves}: pruned. {cut_text(node)}"
    room = width - len(indent)
    for line in wrap(text, room, subsequent_indent="   "):
        dimmed = click.style(line, dim=True)
        yield indent + dimmed


def _label(node: Node) -> str:
    """Return a node's result; if its moves were searched, also its side, window and size."""
    text = f"{_BOUNDS[node.bound]} {node.score}, {_words(node)}"
    if node.nodes == 1:
        return text
    window = ""
    if node.question.algorithm == "alphabeta":
        alpha = "-∞"
        if node.alpha is not None:
            alpha = str(node.alpha)
        beta = "+∞"
        if node.beta is not None:
            beta = str(node.beta)
        window = f" [{alpha}, {beta}]"
    text = f"{node.side.upper()}{window} {text}, {node.nodes:,} nodes"
    if node.is_collapsed:
        text += " …"
    return text


def _words(node: Node) -> str:
    """Return in words what the score of a node means, and whether it is a bound."""
    match node.outcome:
        case "win":
            text = _wins(node.question.mark("max"))
        case "loss":
            text = _wins(node.question.mark("min"))
        case "draw":
            text = "a draw"
        case "unknown":
            text = "an estimate"
    if node.bound == "at_least" and node.outcome != "win":  # nothing is better than a win
        return f"{text} at worst"
    if node.bound == "at_most" and node.outcome != "loss":
        return f"{text} at best"
    return text


def _wins(mark: Mark) -> str:
    return colored(mark, f"{mark} wins")
