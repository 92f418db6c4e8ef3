"""The sentence that says why moves are pruned: the opponent already has at least as good a score at another move."""

from typing import Final

from best_move.engine.position import other
from best_move.engine.score import WIN, Outcome
from best_move.engine.search_tree import Node

#  Two clauses per cutoff, used if the same side wins by both scores: by the score that the opponent already has at
#  another move, and by the score at this node. The keys are the outcome for the side to move at this node, and whether
#  the plies to the two wins are different, equal or not counted.
_SAME_WINNER: Final[dict[tuple[Outcome, str], tuple[str, str]]] = {
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
#  The clauses of all other cutoffs, by outcome for the side to move at this node: _ELSEWHERE is on the score that the
#  opponent already has at another move, and _HERE is on the score at this node.
_ELSEWHERE: Final[dict[Outcome, str]] = {
    "loss": "already has a win",
    "draw": "already has a draw",
    "unknown": "already has an estimate of {elsewhere}",
}
_HERE: Final[dict[Outcome, str]] = {
    "win": "{mover} wins",
    "draw": "{mover} gets at least a draw",
    "unknown": "{mover} reaches an estimate of {here}",
}


def cut_text(node: Node) -> str:
    """Return the sentence that says why moves were pruned; an empty string if no moves were."""
    elsewhere = (
        node.beta if node.side == "max" else node.alpha
    )  # the score that the opponent already has
    if not node.pruned or elsewhere is None:
        return ""
    here = node.score
    sign = 1 if node.side == "max" else -1
    promised, reached = node.outcome_of(sign * elsewhere), node.outcome_of(sign * here)
    if promised == reached and reached in ("win", "loss"):
        plies = (
            "uncounted" if here in (WIN, -WIN) else "equal" if here == elsewhere else "different"
        )
        has, gets = _SAME_WINNER[reached, plies]
    else:
        has, gets = _ELSEWHERE[promised], _HERE[reached]
    so = "gains nothing by coming here" if here == elsewhere else "will not come here"
    return f"{{opponent}} {has} elsewhere; here {gets}, so {{opponent}} {so}.".format(
        mover=node.to_move, opponent=other(node.to_move), elsewhere=elsewhere, here=here
    )
