"""The fewest nodes without a table: they are golden, and the best move order attains them."""

from best_move.engine.alphabeta import alphabeta
from best_move.engine.ordered_alphabeta import ordered_alphabeta
from best_move.engine.score import INFINITY
from best_move.engine.search import Search
from tests.engine.positions import EVERY_POSITION
from tests.truth import golden
from tests.truth.minimal_tree import (
    Place,
    after,
    to_prove_at_least,
    to_prove_at_most,
    to_prove_the_value,
    value,
)

EMPTY: Place = ("." * 9, "X")


def search_in_best_order(place: Place, alpha: int, beta: int) -> tuple[int, int]:
    """Return the score and nodes of an alpha-beta search that tries the cheapest proof first."""

    def cost(reply: Place) -> tuple[bool, int]:
        if value(place) >= beta:
            return (
                -value(reply) < beta,
                to_prove_at_most(reply, -beta) if -value(reply) >= beta else 0,
            )
        if -value(reply) < value(place):
            return (True, 0)
        return (False, to_prove_the_value(reply) - to_prove_at_least(reply, -value(place)))

    replies = sorted(after(place), key=cost)
    best = -2 if replies else value(place)
    nodes = 1
    for reply in replies:
        score, visited = search_in_best_order(reply, -beta, -max(alpha, best))
        nodes += visited
        best = max(best, -score)
        if best >= beta:
            break
    return best, nodes


def test_the_fewest_nodes_equal_the_golden_numbers() -> None:
    """The proof of the draw has 1,452 nodes: 182 for at least a draw, 1,280 for at most one."""
    assert to_prove_the_value(EMPTY) == golden.LEAST_NODES
    assert to_prove_at_least(EMPTY, 0) == 182
    assert to_prove_at_most(EMPTY, 0) == 1_280


def test_the_best_move_order_attains_the_fewest_nodes() -> None:
    """With the best move order, alpha-beta finds each value in exactly the fewest nodes."""
    for position in EVERY_POSITION[::10]:
        place = (position.board, position.to_move)
        assert search_in_best_order(place, -2, 2) == (value(place), to_prove_the_value(place))


def test_no_alphabeta_visits_fewer_nodes_than_the_minimal_tree() -> None:
    """Each search without a table visits at least as many nodes as the minimal tree has."""
    for position in EVERY_POSITION:
        least = to_prove_the_value((position.board, position.to_move))
        for algorithm in (alphabeta, ordered_alphabeta):
            search = Search("outcome")
            algorithm(search, position.own, position.opponent, 9, -INFINITY, INFINITY)
            assert search.nodes >= least
