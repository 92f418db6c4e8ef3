"""The search of a tree of numbers is the textbook's, and its bounds and leaves are true."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from math import inf
from random import Random
from typing import Final, get_args

import pytest

from best_move.engine import COMPILED
from best_move.engine.number_tree import (
    BranchOrder,
    CutRule,
    NumberNode,
    NumberTreeQuestion,
    search_number_tree,
)
from best_move.engine.random_number_tree import random_tree
from best_move.engine.search_tree_text import number_cut_text
from best_move.engine.tree_node import InvalidWindowError, Side, TracedAlgorithm
from tests.truth.number_trees import any_tree
from tests.truth.textbook import Numbers, NumberSearch, Path

#  Russell and Norvig, "Artificial Intelligence: A Modern Approach", the figure of a two-ply game
#  tree: its value is 3, and alpha-beta never evaluates the second and the third leaf of C.
AIMA: Final[list[Numbers]] = [[3, 12, 8], [2, 4, 6], [14, 5, 2]]
WINDOWS: Final = [(None, None), (None, None), (-2, 3), (None, 2), (0, None)]


def walk(node: NumberNode) -> Iterator[NumberNode]:
    """Yield a node and the nodes visited below it, in the order of the visits."""
    yield node
    for child in node.children:
        yield from walk(child)


def searched(question: NumberTreeQuestion) -> NumberSearch:
    """Return the textbook's search."""
    return NumberSearch(
        question.tree,
        prunes=question.algorithm == "alphabeta",
        root=question.root,
        cut=question.cut,
        order=question.order,
        alpha=-inf if question.alpha is None else question.alpha,
        beta=inf if question.beta is None else question.beta,
    )


def questions(seed: int) -> Iterator[NumberTreeQuestion]:
    """Yield each search of a random tree, by alpha-beta also with a window."""
    dice = Random(seed)  # noqa: S311, the same trees in each run
    tree = any_tree(dice)
    for root, algorithm, cut, order in product(
        get_args(Side), get_args(TracedAlgorithm), get_args(CutRule), get_args(BranchOrder)
    ):
        question = NumberTreeQuestion(tree, root, algorithm, cut, order)
        if algorithm == "alphabeta":
            alpha, beta = dice.choice(WINDOWS)
            question = replace(question, alpha=alpha, beta=beta)
        yield question


SEEDS: Final = range(400 if COMPILED else 40)


@pytest.mark.parametrize("seed", SEEDS[::10])
def test_the_search_is_that_of_the_textbook(seed: int) -> None:
    """It visits the same nodes in the same order, with the same windows and scores."""
    for question in (each for one in range(seed, seed + 10) for each in questions(one)):
        truth = searched(question)
        windows = {event.path: event[3:5] for event in truth.events if event.kind == "enter"}
        tree = search_number_tree(question)
        assert [node.path for node in walk(tree.root)] == [*windows]
        for node in walk(tree.root):
            path = node.path
            alpha = -inf if node.alpha is None else node.alpha
            beta = inf if node.beta is None else node.beta
            assert (alpha, beta) == (windows[path] if truth.prunes else (-inf, inf))
            found = (node.visit, node.score, node.nodes, node.pruned, node.side)
            side = "max" if truth.is_max(path) else "min"
            pruned = truth.pruned.get(path, [])
            assert found == (
                truth.visits[path],
                truth.scores[path],
                truth.sizes[path],
                pruned,
                side,
            )


@pytest.mark.parametrize("seed", SEEDS[::10])
def test_bounds_leaves_and_values_are_true(seed: int) -> None:
    """A bound holds for the minimax value, and each leaf is evaluated or not, never both."""
    for question in (each for one in range(seed, seed + 10) for each in questions(one)):
        truth = searched(question)
        tree = search_number_tree(question)
        for node in walk(tree.root):
            value = truth.value(node.path)
            assert node.value == value
            true = {
                "exact": node.score == value,
                "at_least": value >= node.score,
                "at_most": value <= node.score,
            }
            assert true[node.bound], node.path
            best = node.best_child
            assert best is None or best.score == node.score
        leaves = [path for path in truth.paths if truth.leaf(path) is not None]
        visited = sorted((path for path in leaves if path in truth.visits), key=truth.visits.get)  # type: ignore[arg-type]
        assert [leaf.path for leaf in tree.evaluated] == visited
        assert [leaf.path for leaf in tree.never_evaluated] == sorted({*leaves} - {*visited})


@pytest.mark.parametrize("uneven", [False, True], ids=["even", "uneven"])
@pytest.mark.parametrize("root", get_args(Side))
def test_a_random_tree_has_a_cutoff_and_its_size(
    root: Side,
    uneven: bool,  # noqa: FBT001, it is in the table
) -> None:
    """By both rules some leaf is never evaluated; another seed gives another tree."""
    for branches, plies in ((2, 2), (3, 2), (2, 3), (4, 3), (10, 2), (2, 6)):
        trees = []
        for seed in range(10):
            tree = random_tree(branches, plies, seed, root, uneven=uneven)
            assert tree == random_tree(branches, plies, seed, root, uneven=uneven)
            trees.append(str(tree))
            for rule in get_args(CutRule):
                search = NumberSearch(tree, prunes=True, root=root, cut=rule)
                leaves = [path for path in search.paths if search.leaf(path) is not None]
                assert {*leaves} - search.visits.keys()
                depths = {*map(len, leaves)}
                assert max(depths) <= plies
                assert uneven or (depths == {plies} and len(leaves) == branches**plies)
        assert len({*trees}) == len(trees)
        assert uneven == any(len({*map(len, shape)}) > 1 for shape in map(depths_of, trees))


def depths_of(tree: str) -> list[str]:
    """Return for each leaf in the text of a tree the brackets that are open there."""
    found = []
    open_brackets = ""
    for word in re.findall(r"[][]|[-0-9]+", tree):
        if word == "[":
            open_brackets += word
        elif word == "]":
            open_brackets = open_brackets[1:]
        else:
            found.append(open_brackets)
    return found


def test_nodes_are_named_level_by_level() -> None:
    """The root is A; after Z follow AA and AB."""
    root = search_number_tree(NumberTreeQuestion([[1, 2, [3] * 10], [[4] * 10, [5] * 10]])).root
    level = [root]
    names = []
    while level:
        names += [node.name for node in level]
        level = [branch for node in level for branch in node.branches]
    assert names[:4] == ["A", "B", "C", "D"]
    assert names[24:29] == ["Y", "Z", "AA", "AB", "AC"]
    assert len({*names}) == len(names) == 38


def test_the_figure_of_the_textbook() -> None:
    """Its value is 3 by the first move, and alpha-beta never evaluates 4 and 6."""
    tree = search_number_tree(NumberTreeQuestion(AIMA))
    best = tree.root.best_child
    assert best is not None
    assert (tree.root.score, best.move, best.name) == (3, 0, "B")
    assert [leaf.value for leaf in tree.never_evaluated] == [4, 6]
    assert [node.score for node in tree.root.children] == [3, 2, 2]
    assert [node.bound for node in tree.root.children] == ["exact", "at_most", "exact"]


@pytest.mark.parametrize(
    ("cut", "never"), [("at_least", [(1, 1), (2, 1)]), ("above", [])], ids=["at least", "above"]
)
def test_a_tie_is_cut_only_by_the_first_rule(cut: CutRule, never: list[Path]) -> None:
    """If alpha equals beta, `at_least` prunes and `above` does not."""
    tree = search_number_tree(NumberTreeQuestion([[3, 5], [3, 1], [3, 3]], cut=cut))
    assert [leaf.path for leaf in tree.never_evaluated] == never


@pytest.mark.parametrize(
    ("tree", "root", "cut", "text"),
    [
        (AIMA, "max", "at_least", "MAX already has 3 elsewhere; here MIN gets 2 or less"),
        ([[3], [3, 1]], "max", "at_least", "MAX already has 3 elsewhere; here MIN gets 3 or less"),
        ([[3], [-4, 1]], "max", "above", "MAX already has 3 elsewhere; here MIN gets -4 or less"),
        ([[3], [5, 1]], "min", "above", "MIN already has 3 elsewhere; here MAX gets 5 or more"),
    ],
)
def test_a_cutoff_has_its_reason(tree: list[Numbers], root: Side, cut: CutRule, text: str) -> None:
    """The sentence has both scores, for either side, and what follows."""
    found = search_number_tree(NumberTreeQuestion(tree, root, cut=cut)).root
    (sentence,) = [number_cut_text(node) for node in walk(found) if node.pruned]
    is_tie = "has 3" in text and "gets 3" in text
    so = "gains nothing by coming here" if is_tie else "will not come here"
    assert sentence == f"{text}, so {root.upper()} {so}."


@pytest.mark.parametrize(
    ("options", "cause"),
    [
        ({"alpha": 3, "beta": 3}, "empty_window"),
        ({"algorithm": "minimax", "beta": 3}, "unused_window"),
    ],
)
def test_an_invalid_window_is_an_error(options: dict[str, object], cause: str) -> None:
    """Alpha must be below beta, and minimax has no window."""
    with pytest.raises(InvalidWindowError) as raised:
        search_number_tree(replace(NumberTreeQuestion(AIMA), **options))  # type: ignore[arg-type]
    assert raised.value.cause == cause
