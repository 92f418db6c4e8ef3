"""Random walks on the search page: visits with random actions, each moment of which is judged."""

import random
from collections.abc import Callable, Mapping
from typing import Final

from tests.web.pages.page import Moment, Page

ACTIONS: Final = 12  # per walk
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


def check_walk(
    page: Page,
    visit: str,
    act: Callable[[Moment], list[str]],
    check: Callable[[Moment], None],
    kept: Callable[[Moment], Mapping[str, str]],
) -> None:
    """Assert that each moment of a walk passes a check, and that a reload shows the same.

    `act` returns actions on what a moment shows, and `kept` the parts that a reload must show, too,
    beside the step and the names of the nodes.
    """

    def shown(moment: Moment) -> list[str]:
        nodes = moment["drawing"].iterfind(".//*[@aria-label]")
        names = [node.get("aria-label", "") for node in nodes]
        step = [moment.text("step-number"), moment.text("moment-sentence")]
        return [*step, *kept(moment).values(), *names]

    actions = [visit]
    moment = page.do(visit).last
    check(moment)
    for _ in range(ACTIONS):
        for action in act(moment):
            actions.append(action)
            moment = page.do(action).last
        check(moment)
    again = page.do("leave #search", "reload").last
    assert shown(again) == shown(moment), actions
