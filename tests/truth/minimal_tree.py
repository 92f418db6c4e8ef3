"""The fewest nodes of alpha-beta without a table, with any move order, from the rules alone.

Source: D. E. Knuth and R. W. Moore, An Analysis of Alpha-Beta Pruning, Artificial Intelligence 6
(1975). Their minimal tree is uniform; in this one, the move with the cheapest proof causes each
cutoff.
"""

from functools import cache

from tests.truth import referee

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
