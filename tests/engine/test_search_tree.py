"""The search tree: it has the engine's visits, windows and scores."""

from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from itertools import cycle
from pathlib import Path
from typing import Any, Final, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import best_move.engine
from best_move.engine import ALGORITHMS, COMPILED
from best_move.engine.minimax import minimax
from best_move.engine.position import Mark, Position
from best_move.engine.score import INFINITY, Scoring
from best_move.engine.search import Search, best_line
from best_move.engine.search_tree import (
    DEFAULT_NODES,
    MAX_NODES,
    InvalidWindowError,
    MoveOrder,
    Node,
    TracedAlgorithm,
    TreeQuestion,
    search_tree,
)
from best_move.oracle import Question, consult
from tests.engine.positions import POSITIONS, SAMPLE, TENTH, grade
from tests.truth import referee

#  Positions with up to six empty cells and X to move. O to move would add nothing, because the
#  engine searches from the mover's point of view.
SMALL: Final = [position for position in SAMPLE if position.ply >= 3 and position.to_move == "X"]
REVERSED: Final = {("exact", "exact"), ("at_least", "at_most"), ("at_most", "at_least")}
EVERY_SEARCH: Final = pytest.mark.parametrize(
    ("algorithm", "scoring"),
    [
        (algorithm, scoring)
        for algorithm in get_args(TracedAlgorithm)
        for scoring in get_args(Scoring)
    ],
)

Visit = tuple[int, int, int, int, int]
"""A call of a search: the mover's marks, the opponent's, the depth, and the mover's window."""


class Witness:
    """A search of the engine, run from its source to record every call of its recursion."""

    def __init__(self, name: TracedAlgorithm) -> None:
        spec = spec_from_file_location(
            f"witnessed_{name}", Path(best_move.engine.__file__).parent / f"{name}.py"
        )
        assert spec
        assert spec.loader
        module: Any = module_from_spec(spec)
        spec.loader.exec_module(module)
        self._search = getattr(module, name)
        setattr(module, name, self.call)
        self.visits: list[Visit] = []

    def call(self, search: Search, own: int, opponent: int, depth: int, *window: int) -> int:
        """Record a call, make it, and return its score."""
        alpha, beta = window or (-INFINITY, INFINITY)
        self.visits.append((own, opponent, depth, alpha, beta))
        score: int = self._search(search, own, opponent, depth, *window)
        return score


def walk(node: Node) -> Iterator[Node]:
    """Yield the nodes of a tree in preorder."""
    unseen = [node]
    while unseen:
        node = unseen.pop()
        yield node
        unseen += reversed(node.children)


def window(node: Node) -> tuple[int, int]:
    """Return a node's alpha and beta as numbers."""
    return (
        -INFINITY if node.alpha is None else node.alpha,
        INFINITY if node.beta is None else node.beta,
    )


def visit(node: Node) -> Visit:
    """Return the call of the engine's search that a node represents."""
    alpha, beta = window(node)
    bounds = (alpha, beta) if node.side == "max" else (-beta, -alpha)
    return (node.own, node.opponent, node.depth, *bounds)


def facts(node: Node, offset: int) -> tuple[object, ...]:
    """Return a node's fields without moves and children, and with its visit less the offset."""
    found = (node.score, node.bound, node.nodes, node.assessment)
    asked = (node.position, node.depth, node.side, node.alpha, node.beta)
    return (node.visit - offset, *asked, *found)


def subtree(node: Node, levels: int = 9) -> list[object]:
    """Return a node and its descendants to `levels` levels, with visits numbered from 1."""

    def below(each: Node, level: int) -> Iterator[object]:
        yield facts(each, node.visit - 1)
        if level < levels:
            yield each.pruned
            for child in each.children:
                yield child.move
                yield from below(child, level + 1)

    return list(below(node, 0))


def depths(position: Position) -> Iterator[int]:
    """Yield the depths that give different searches of the position."""
    yield from range(1, 9 - position.ply)
    yield 9


@EVERY_SEARCH
def test_the_tree_has_the_engines_visits(algorithm: TracedAlgorithm, scoring: Scoring) -> None:
    """With up to six empty cells, at every depth, the nodes are the engine's calls in order."""
    witness = Witness(algorithm)
    for position in SMALL[:: 10 if COMPILED else 1]:
        for depth in depths(position):
            witness.visits.clear()
            search = Search(scoring)
            score = witness.call(search, position.own, position.opponent, depth)
            root = search_tree(TreeQuestion(position, algorithm, scoring, depth, levels=9))
            nodes = list(walk(root))
            assert [visit(node) for node in nodes] == witness.visits
            assert [node.visit for node in nodes] == list(range(1, search.nodes + 1))
            assert (root.score, root.bound) == (score, "exact")


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
    for position in SAMPLE[::7]:
        root = search_tree(TreeQuestion(position, algorithm, scoring, depth, levels=1))
        assessment = consult(Question(position, algorithm, scoring, depth)).assessment
        assert root.assessment == assessment


@EVERY_SEARCH
def test_the_side_to_move_may_be_min(algorithm: TracedAlgorithm, scoring: Scoring) -> None:
    """If MIN is to move, the tree is the same with every score, side and bound reversed."""
    for position in SMALL[::40]:
        tree = walk(search_tree(TreeQuestion(position, algorithm, scoring, levels=9)))
        other_tree = walk(
            search_tree(TreeQuestion(position, algorithm, scoring, levels=9, maximizer="O"))
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
def test_levels_change_only_the_size_of_the_tree(
    algorithm: TracedAlgorithm, scoring: Scoring
) -> None:
    """The tree omits the nodes below the requested levels, but still counts them."""
    for position in SMALL[::120]:
        whole = search_tree(TreeQuestion(position, algorithm, scoring, levels=9))
        for levels in range(7):
            cut = search_tree(TreeQuestion(position, algorithm, scoring, levels=levels))
            assert subtree(cut, levels) == subtree(whole, levels)
            for node in walk(cut):
                assert node.is_collapsed == (node.depth == 9 - levels and node.nodes > 1)
                assert node.is_collapsed or node.nodes == 1 + sum(
                    child.nodes for child in node.children
                )


@pytest.mark.parametrize("algorithm", get_args(TracedAlgorithm))
def test_the_number_of_nodes_in_a_tree_is_limited(algorithm: TracedAlgorithm) -> None:
    """A tree has at most 2,000 nodes, and at most 330 by default."""
    for position in SAMPLE[::20]:
        largest = search_tree(TreeQuestion(position, algorithm, levels=9))
        assert sum(1 for _ in walk(largest)) <= MAX_NODES
        default = list(walk(search_tree(TreeQuestion(position, algorithm))))
        assert len(default) <= DEFAULT_NODES
        assert position.ply < 4 or not any(node.is_collapsed for node in default)


@pytest.mark.parametrize(
    ("empty", "levels", "default"), [(9, 3, 2), (8, 3, 2), (7, 4, 3), (6, 6, 3), (5, 5, 5)]
)
def test_a_tree_has_the_requested_levels_that_fit(empty: int, levels: int, default: int) -> None:
    """A tree has at most as many levels as are certain to fit into the limit on nodes."""
    position = Position.parse("XOXO"[: 9 - empty] + "." * empty)
    assert TreeQuestion(position, levels=9).kept_levels == levels
    assert TreeQuestion(position).kept_levels == default
    assert TreeQuestion(position, levels=1).kept_levels == min(1, levels)


@EVERY_SEARCH
def test_any_node_can_be_requested_as_a_root(algorithm: TracedAlgorithm, scoring: Scoring) -> None:
    """A search of a node's position, with the node's window, returns the node's subtree."""
    for position in SMALL[::200]:
        for depth in (2, 4, 9):
            for node in walk(
                search_tree(TreeQuestion(position, algorithm, scoring, depth, levels=9))
            ):
                assert subtree(search_tree(node.subtree_question())) == subtree(node)


def replayed(node: Node, alpha: int, beta: int) -> int:
    """Replay the search of a tree from the scores of its leaves; return the resulting score."""
    assert window(node) == (alpha, beta)
    if not node.children:
        return node.score
    best = -INFINITY if node.side == "max" else INFINITY
    for child in node.children:
        assert alpha < beta
        score = replayed(child, alpha, beta)
        if score > best if node.side == "max" else score < best:
            best = score
            if node.question.algorithm == "alphabeta" and node.side == "max":
                alpha = max(alpha, best)
            elif node.question.algorithm == "alphabeta":
                beta = min(beta, best)
    assert best == node.score
    assert not node.pruned or alpha >= beta
    tried = [child.move for child in node.children]
    assert {*tried, *node.pruned} == {*node.position.legal_moves}
    return best


def in_order(node: Node) -> list[int]:
    """Return a node's moves in the order of its question, by a minimax search of each move."""
    moves = [*node.position.legal_moves]
    if node.question.order == "cells":
        return moves
    after = {move: node.position.after(move) for move in moves}
    replies = {
        move: minimax(Search(node.question.scoring), next_.own, next_.opponent, node.depth - 1)
        for move, next_ in after.items()
    }
    best_first = sorted(moves, key=lambda move: (replies[move], move))
    return best_first if node.question.order == "best_first" else best_first[::-1]


@EVERY_SEARCH
@pytest.mark.parametrize("order", get_args(MoveOrder))
def test_moves_are_tried_in_the_requested_order(
    algorithm: TracedAlgorithm, scoring: Scoring, order: MoveOrder
) -> None:
    """Each node tries its moves in the requested order, and the root has the score of minimax."""
    for position in SMALL[::60]:
        for depth in (2, 9):
            question = TreeQuestion(position, algorithm, scoring, depth, levels=9, order=order)
            root = search_tree(question)
            assert (
                root.score == search_tree(TreeQuestion(position, "minimax", scoring, depth)).score
            )
            for node in walk(root):
                tried = [child.move for child in node.children]
                assert [*tried, *node.pruned] == (in_order(node) if tried else [])
            assert replayed(root, -INFINITY, INFINITY) == root.score


def resolved(node: Node, below: Iterator[int]) -> int:
    """Return a node's score by minimax, with the next scores of `below` for pruned moves."""
    if not node.children:
        return node.score
    scores = [resolved(child, below) for child in node.children]
    scores += [next(below) for _ in node.pruned]
    return max(scores) if node.side == "max" else min(scores)


def agrees(node: Node, true: int) -> bool:
    """Return whether the true score is consistent with a node's score and bound."""
    return {
        "exact": node.score == true,
        "at_least": node.score <= true,
        "at_most": node.score >= true,
    }[node.bound]


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
        position, "alphabeta", scoring, depth, levels=9, alpha=limits[0], beta=limits[1]
    )
    for node in walk(search_tree(question)):
        sign = 1 if node.side == "max" else -1
        true = sign * minimax(Search(scoring), node.own, node.opponent, node.depth)
        assert agrees(node, true)
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
