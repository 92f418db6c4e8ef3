"""What a user of the search page can do with the steps and the nodes of any tree."""

import random
from typing import Final

from tests.web.pages.page import Moment

KEYS: Final = ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End")


def any_walk(dice: random.Random, moment: Moment, path: str) -> list[str]:
    """Return an action for each way to move among the steps, or to the node at a path."""
    node = f"[data-path='{path}']"
    last = int(moment["step"].get("max", ""))
    return [
        *(f"click #step-{way}" for way in ("first", "back", "forward", "last", "cutoff")),
        f"press {dice.choice(KEYS)}",
        f"type Step: {dice.randint(0, last)}",
        f"click {node}",
        f"press {dice.choice(KEYS)} on {node}",
        f"hover {node}",
    ]
