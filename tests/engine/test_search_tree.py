"""The search tree: it has the textbook's visits, windows and scores."""

from collections.abc import Iterator
from itertools import cycle
from math import inf
from typing import Any, Final, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from best_move.engine import ALGORITHMS, COMPILED
from best_move.engine.minimax import minimax
from best_move.engine.position import Mark, Position
from best_move.engine.score import INFINITY, Scoring
from best_move.engine.search import Search, best_line
from best_move.engine.search_tree import (
    DEFAULT_NODES,
    MAX_NODES,
    MoveOrder,
    Node,
    TreeQuestion,
    search_tree,
)
from best_move.engine.tree_node import InvalidWindowError, TracedAlgorithm
from best_move.oracle import Question, consult
from tests.engine.positions import POSITIONS, TENTH, grade
from tests.truth import referee, textbook

#  Positions with up to six empty cells and X to move. O to move would add nothing, because the
#  engine searches from the mover's point of view.
SMALL: Final = [position for position in POSITIONS if position.ply >= 3 and position.to_move == "X"]
REVERSED: Final = {("exact", "exact"), ("at_least", "at_most"), ("at_most", "at_least")}
EVERY_SEARCH: Final = pytest.mark.parametrize(
    ("algorithm", "scoring"),
    [
        (algorithm, scoring)
        for algorithm in get_args(TracedAlgorithm)
        for scoring in get_args(Scoring)
    ],
)


def walk(node: Node) -> Iterator[Node]:
    """Yield the nodes of a tree in preorder."""
    unseen = [node]
    while unseen:
        node = unseen.pop()
        yield node
        unseen += reversed(node.children)


def window(node: Node) -> tuple[float, float]:
    """Return a node's alpha and beta as numbers."""
    return (-inf if node.alpha is None else node.alpha, inf if node.beta is None else node.beta)


def facts(node: Node, plies: int = 9, first: int = 1) -> tuple[object, ...]:
    """Return the fields of a node and of its descendants down to `plies` plies; visits from 0."""
    asked = (node.position, node.depth, node.side, node.alpha, node.beta)
    found = (node.visit - first, node.score, node.bound, node.nodes, node.assessment)
    below = [(child.move, facts(child, plies - 1, first)) for child in node.children if plies]
    return (*asked, *found, plies > 0 and node.pruned, below)


@EVERY_SEARCH
@pytest.mark.parametrize("order", get_args(MoveOrder))
def test_the_tree_is_that_of_the_textbook(
    algorithm: TracedAlgorithm, scoring: Scoring, order: MoveOrder
) -> None:
    """At every depth it has the textbook's nodes in their order, with their windows and scores."""
    for position in SMALL[:: 120 if COMPILED else 12]:
        for depth in (*range(1, 9 - position.ply), 9):
            truth = textbook.Search(
                position.board,
                "X",
                prunes=algorithm == "alphabeta",
                counts_plies=scoring == "distance",
                depth=depth,
                order=order,
            )
            windows = {event.path: event[3:5] for event in truth.events if event.kind == "enter"}
            root = search_tree(
                TreeQuestion(position, algorithm, scoring, depth, plies=9, order=order)
            )
            for node, path in zip(walk(root), windows, strict=True):
                assert node.visit == truth.visits[path]
                assert node.position == Position.parse(truth.boards[path], node.to_move)
                assert (node.side, node.depth) == (("max", "min")[len(path) % 2], depth - len(path))
                assert window(node) == (windows[path] if truth.prunes else (-inf, inf))
                assert (node.score, node.nodes) == (truth.scores[path], truth.sizes[path])
                assert [(*path, child.move) for child in node.children] == truth.children[path]
                assert node.pruned == truth.pruned.get(path, [])


@EVERY_SEARCH
def test_the_root_agrees_with_the_engine(algorithm: TracedAlgorithm, scoring: Scoring) -> None:
    """Every root has the engine's score and nodes, and best children follow its line."""
    for position in TENTH:
        search = Search(scoring)
        line = best_line(ALGORITHMS[algorithm], search, position, 9)
        root = search_tree(TreeQuestion(position, algorithm, scoring))
        assert (root.score, root.bound, root.nodes) == (line.score, "exact", search.nodes)
        moves = []
        node = root.best_child
        while node:
            moves.append(node.move)
            node = node.best_child
        assert tuple(moves) == line.moves[: len(moves)]
        assert len(moves) == len(line.moves) or len(moves) >= 2


@EVERY_SEARCH
@pytest.mark.parametrize("depth", [1, 2, 3, 9])
def test_the_root_agrees_with_the_oracle(
    algorithm: TracedAlgorithm, scoring: Scoring, depth: int
) -> None:
    """The value, outcome and distance of the root are those of the oracle's answer."""
    for position in POSITIONS[::7]:
        root = search_tree(TreeQuestion(position, algorithm, scoring, depth, plies=1))
        assessment = consult(Question(position, algorithm, scoring, depth)).assessment
        assert root.assessment == assessment


@EVERY_SEARCH
def test_the_side_to_move_may_be_min(algorithm: TracedAlgorithm, scoring: Scoring) -> None:
    """If MIN is to move, the tree is the same with every score, side and bound reversed."""
    for position in SMALL[::40]:
        tree = walk(search_tree(TreeQuestion(position, algorithm, scoring, plies=9)))
        other_tree = walk(
            search_tree(TreeQuestion(position, algorithm, scoring, plies=9, maximizer="O"))
        )
        for node, image in zip(tree, other_tree, strict=True):
            alpha, beta = window(node)
            assert (image.position, image.visit) == (node.position, node.visit)
            assert window(image) == (-beta, -alpha)
            assert image.score == -node.score
            assert image.assessment.value == -node.assessment.value
            assert {image.side, node.side} == {"max", "min"}
            assert (image.bound, node.bound) in REVERSED


@EVERY_SEARCH
def test_plies_change_only_the_size_of_the_tree(
    algorithm: TracedAlgorithm, scoring: Scoring
) -> None:
    """The tree omits the nodes below the requested plies, but still counts them."""
    for position in SMALL[::120]:
        whole = search_tree(TreeQuestion(position, algorithm, scoring, plies=9))
        for plies in range(7):
            cut = search_tree(TreeQuestion(position, algorithm, scoring, plies=plies))
            assert facts(cut, plies) == facts(whole, plies)
            for node in walk(cut):
                assert node.is_collapsed == (node.depth == 9 - plies and node.nodes > 1)
                assert node.is_collapsed or node.nodes == 1 + sum(
                    child.nodes for child in node.children
                )


@pytest.mark.parametrize("algorithm", get_args(TracedAlgorithm))
def test_the_number_of_nodes_in_a_tree_is_limited(algorithm: TracedAlgorithm) -> None:
    """A tree has at most 2,000 nodes, and at most 330 by default."""
    for position in POSITIONS[::20]:
        largest = search_tree(TreeQuestion(position, algorithm, plies=9))
        assert sum(1 for _ in walk(largest)) <= MAX_NODES
        default = list(walk(search_tree(TreeQuestion(position, algorithm))))
        assert len(default) <= DEFAULT_NODES
        assert position.ply < 4 or not any(node.is_collapsed for node in default)


@pytest.mark.parametrize(
    ("empty", "plies", "default"), [(9, 3, 2), (8, 3, 2), (7, 4, 3), (6, 6, 3), (5, 5, 5)]
)
def test_a_tree_has_the_requested_plies_that_fit(empty: int, plies: int, default: int) -> None:
    """A tree has at most as many plies as are certain to fit into the limit on nodes."""
    position = Position.parse("XOXO"[: 9 - empty] + "." * empty)
    assert TreeQuestion(position, plies=9).kept_plies == plies
    assert TreeQuestion(position).kept_plies == default
    assert TreeQuestion(position, plies=1).kept_plies == min(1, plies)


@EVERY_SEARCH
def test_any_node_can_be_requested_as_a_root(algorithm: TracedAlgorithm, scoring: Scoring) -> None:
    """A search of a node's position, with the node's window, returns the node's subtree."""
    for position in SMALL[::200]:
        for depth in (2, 4, 9):
            for node in walk(
                search_tree(TreeQuestion(position, algorithm, scoring, depth, plies=9))
            ):
                assert facts(search_tree(node.subtree_question())) == facts(node, first=node.visit)


def resolved(node: Node, below: Iterator[int]) -> int:
    """Return a node's score by minimax, with the next scores of `below` for pruned moves."""
    if not node.children:
        return node.score
    scores = [resolved(child, below) for child in node.children]
    scores += [next(below) for _ in node.pruned]
    return max(scores) if node.side == "max" else min(scores)


WINDOWS: Final = st.lists(st.integers(-100, 100), min_size=2, max_size=2, unique=True).map(sorted)


@given(
    position=st.sampled_from([position for position in POSITIONS if position.ply >= 4]),
    scoring=st.sampled_from(get_args(Scoring)),
    depth=st.integers(1, 9),
    limits=WINDOWS,
)
def test_a_bound_includes_the_true_score(
    position: Position, scoring: Scoring, depth: int, limits: list[int]
) -> None:
    """A node's true score is within its bound; pruned moves cannot change an exact score."""
    question = TreeQuestion(
        position, "alphabeta", scoring, depth, plies=9, alpha=limits[0], beta=limits[1]
    )
    for node in walk(search_tree(question)):
        sign = 1 if node.side == "max" else -1
        true = sign * minimax(Search(scoring), node.own, node.opponent, node.depth)
        assert node.score <= true or node.bound == "at_most"
        assert node.score >= true or node.bound == "at_least"
        least = resolved(node, cycle([-INFINITY]))
        most = resolved(node, cycle([INFINITY]))
        assert least <= node.score <= most
        assert (least < node.score) == (node.bound == "at_most")
        assert (node.score < most) == (node.bound == "at_least")


@settings(max_examples=500)
@given(
    position=st.sampled_from([position for position in POSITIONS if position.ply >= 4]),
    scoring=st.sampled_from(get_args(Scoring)),
    depth=st.integers(1, 9),
    order=st.sampled_from(get_args(MoveOrder)),
    maximizer=st.sampled_from(get_args(Mark)),
    searched=st.sampled_from([("minimax", None, None), ("alphabeta", None, None)])
    | WINDOWS.map(lambda limits: ("alphabeta", *limits)),
)
def test_the_best_child_has_the_score_unless_it_is_an_upper_bound(
    position: Position,
    scoring: Scoring,
    depth: int,
    order: MoveOrder,
    maximizer: Mark,
    searched: tuple[TracedAlgorithm, int | None, int | None],
) -> None:
    """The best move leads to the node's score or better, unless that is the mover's upper bound."""
    algorithm, alpha, beta = searched
    question = TreeQuestion(
        position, algorithm, scoring, depth, 9, maximizer, alpha=alpha, beta=beta, order=order
    )
    for node in walk(search_tree(question)):
        upper, sign = ("at_most", 1) if node.side == "max" else ("at_least", -1)
        if node.best_child and node.bound != upper:
            grades = referee.grade_of_moves(
                node.position.board, node.to_move, node.depth, counts_plies=scoring == "distance"
            )
            least = grade(sign * node.score, node.position, scoring)
            assert node.best_child.move in [move for move in grades if grades[move] >= least]


@pytest.mark.parametrize(
    ("board", "complete", "visited", "pruned", "leaves"),
    [("X.O.O.X..", 174, 42, 21, 79), ("XO.X..O..", 246, 89, 26, 108)],
)
def test_small_trees_have_the_nodes_counted_on_paper(
    board: str, complete: int, visited: int, pruned: int, leaves: int
) -> None:
    """Two small trees have the numbers of nodes, leaves and prunings counted on paper."""
    position = Position.parse(board)
    whole = list(walk(search_tree(TreeQuestion(position, "minimax"))))
    assert (len(whole), sum(not node.children for node in whole)) == (complete, leaves)
    searched = list(walk(search_tree(TreeQuestion(position, "alphabeta"))))
    assert (len(searched), sum(len(node.pruned) for node in searched)) == (visited, pruned)


UNUSED = "Minimax has no window: omit `alpha` and `beta`, or set `algorithm` to `alphabeta`."


@pytest.mark.parametrize(
    ("options", "cause", "message"),
    [
        (
            {"alpha": 0, "beta": 0},
            "empty_window",
            "`alpha` must be below `beta`: 0 is not below 0.",
        ),
        (
            {"alpha": 9, "beta": -5},
            "empty_window",
            "`alpha` must be below `beta`: 9 is not below -5.",
        ),
        ({"algorithm": "minimax", "alpha": 0}, "unused_window", UNUSED),
        ({"algorithm": "minimax", "beta": 0}, "unused_window", UNUSED),
    ],
)
def test_an_invalid_window_is_rejected(options: dict[str, Any], cause: str, message: str) -> None:
    """An empty window, or any window for minimax, is rejected with the reason."""
    with pytest.raises(InvalidWindowError, match=f"^{message}$") as rejected:
        search_tree(TreeQuestion(Position.parse("." * 9), **options))
    assert rejected.value.cause == cause
