"""The sentence that says why moves are pruned: the opponent has a move that is at least as good."""

from typing import Final

from best_move.engine.number_tree import NumberNode
from best_move.engine.position import other
from best_move.engine.search_tree import Node

#  In "O already has a draw elsewhere; here X wins, so O will not come here", the first clause is on
#  the score that the opponent, O, already has at another move, and the second on the score at this
#  node. These are the clauses if both scores are wins of the same side. A key has the outcome for
#  the side to move at this node, and whether the plies to the two wins are different, equal or not
#  counted.
_SAME_WINNER: Final = {
    ("win", "different"): ("can already delay its loss longer", "{mover} wins sooner"),
    ("win", "equal"): ("can already delay its loss just as long", "{mover} wins just as soon"),
    ("win", "uncounted"): ("already loses", "it would lose too"),
    ("loss", "different"): ("already has a quicker win", "{mover} can delay its loss longer"),
    ("loss", "equal"): (
        "already has an equally quick win",
        "{mover} can delay its loss just as long",
    ),
    ("loss", "uncounted"): ("already has a win", "{opponent} gets no more"),
}
#  The clauses of all other cutoffs, by outcome for the side to move at this node: _ELSEWHERE is on
#  the score at the other move, and _HERE is on the score at this node.
_ELSEWHERE: Final = {
    "loss": "already has a win",
    "draw": "already has a draw",
    "unknown": "already has an estimate of {elsewhere}",
}
_HERE: Final = {
    "win": "{mover} wins",
    "draw": "{mover} gets at least a draw",
    "unknown": "{mover} reaches an estimate of {here}",
}


def cut_text(node: Node) -> str:
    """Return the sentence that says why moves were pruned; an empty string if no moves were."""
    sign = 1 if node.side == "max" else -1
    # None only if no moves were pruned. That of a subtree_question comes from the larger tree.
    elsewhere = node.elsewhere
    if not node.pruned or elsewhere is None:
        return ""
    here = node.score
    # Outcomes for the side to move at this node: a loss elsewhere is a win of the opponent.
    promised = node.assess(sign * elsewhere).outcome
    reached = node.assess(sign * here).outcome
    # At a cutoff, what is reached is no worse than what is promised elsewhere, so _ELSEWHERE has no
    # win, and _HERE no loss.
    if promised == reached and reached in ("win", "loss"):
        has, gets = _SAME_WINNER[reached, _difference(node, elsewhere)]
    else:
        has = _ELSEWHERE[promised]
        gets = _HERE[reached]
    mover = node.to_move
    opponent = other(mover)
    has = has.format(elsewhere=elsewhere)
    gets = gets.format(mover=mover, opponent=opponent, here=here)
    return _sentence(opponent, has, gets, gains=here != elsewhere)


def number_cut_text(node: NumberNode) -> str:
    """Return the sentence that says why branches were pruned; an empty string if none were."""
    here = node.score
    elsewhere = node.elsewhere
    if not node.pruned or elsewhere is None:
        return ""
    mover, opponent, more = ("MAX", "MIN", "more") if node.side == "max" else ("MIN", "MAX", "less")
    gets = f"{mover} gets {here} or {more}"
    return _sentence(opponent, f"already has {elsewhere}", gets, gains=here != elsewhere)


def _sentence(opponent: str, has: str, gets: str, *, gains: bool) -> str:
    """Return the sentence on what the opponent has elsewhere, and what it would get here."""
    so = "will not come here" if gains else "gains nothing by coming here"
    return f"{opponent} {has} elsewhere; here {gets}, so {opponent} {so}."


def _difference(node: Node, elsewhere: int) -> str:
    """Return whether the plies to two wins of the same side are different, equal or uncounted."""
    if node.question.scoring == "outcome":
        return "uncounted"
    return "equal" if node.score == elsewhere else "different"
