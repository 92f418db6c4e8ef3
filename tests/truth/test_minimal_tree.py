"""The fewest nodes of alpha-beta without a table, with any move order, from the rules alone.

Source: D. E. Knuth and R. W. Moore, An Analysis of Alpha-Beta Pruning, Artificial Intelligence 6
(1975). Their minimal tree is uniform; in this one, the move with the cheapest proof causes each
cutoff.
"""

from functools import cache

from best_move.engine.alphabeta import alphabeta
from best_move.engine.ordered_alphabeta import ordered_alphabeta
from best_move.engine.score import INFINITY
from best_move.engine.search import Search
from tests.engine.positions import EVERY_POSITION
from tests.truth import golden, referee

Place = tuple[str, str]
"""A board and the side to move."""


def value(place: Place) -> int:
    """Return 1 if the side to move wins with best play, 0 if it draws, -1 if it loses."""
    return referee.grade(*place, 9, counts_plies=False)[0]


def after(place: Place) -> list[Place]:
    """Return the position after each legal move, by cell."""
    board, to_move = place
    return [
        (referee.play(board, to_move, cell), referee.opponent(to_move))
        for cell in referee.moves(board)
    ]


@cache
def to_prove_at_least(place: Place, bound: int) -> int:
    """Return the fewest nodes that prove a lower bound of the value: one move and all replies."""
    return 1 + min(
        (to_prove_at_most(reply, -bound) for reply in after(place) if -value(reply) >= bound),
        default=0,
    )


@cache
def to_prove_at_most(place: Place, bound: int) -> int:
    """Return the fewest nodes that prove an upper bound of the value: all moves, a reply each."""
    return 1 + sum(to_prove_at_least(reply, -bound) for reply in after(place))


@cache
def to_prove_the_value(place: Place) -> int:
    """Return the fewest nodes that prove the value: best play, and a refutation of every move."""
    refutations = {reply: to_prove_at_least(reply, -value(place)) for reply in after(place)}
    best = [
        to_prove_the_value(reply) - refutations[reply]
        for reply in refutations
        if -value(reply) == value(place)
    ]
    return 1 + sum(refutations.values()) + min(best, default=0)


def test_the_fewest_nodes_equal_the_golden_numbers() -> None:
    """The proof of the draw has 1,452 nodes: 182 for at least a draw, 1,280 for at most one."""
    empty = ("." * 9, "X")
    assert to_prove_the_value(empty) == golden.LEAST_NODES
    assert to_prove_at_least(empty, 0) == 182
    assert to_prove_at_most(empty, 0) == 1_280


def test_no_alphabeta_visits_fewer_nodes_than_the_minimal_tree() -> None:
    """Each search without a table visits at least as many nodes as the minimal tree has."""
    for position in EVERY_POSITION:
        least = to_prove_the_value((position.board, position.to_move))
        for algorithm in (alphabeta, ordered_alphabeta):
            search = Search("outcome")
            algorithm(search, position.own, position.opponent, 9, -INFINITY, INFINITY)
            assert search.nodes >= least
