"""All GET requests to /best-move that involve no random choice, each with the shortest query."""

import random
from itertools import product
from urllib.parse import urlencode

from best_move.engine import ALGORITHMS
from best_move.engine.position import Position
from tests.engine.positions import EVERY_POSITION

SECONDS_PER_DAY = 86_400

# The fields of these requests, except the position, with their values; the first value is the
# default.
CHOICES: dict[str, tuple[str, ...]] = {
    "algorithm": tuple(sorted(ALGORITHMS, key=lambda name: name != "alphabeta")),
    "scoring": ("distance", "outcome"),
    "max_depth": tuple(map(str, range(9, 0, -1))),
    "analysis": ("false", "true"),
    "tie_break": ("first", "trap", "best_odds"),
}

POSITIONS = len(EVERY_POSITION)
OPTIONS = list(product(*CHOICES.values()))
REQUESTS = POSITIONS * len(OPTIONS)

DEFAULTS = tuple(choice[0] for choice in CHOICES.values())


def spelling(position: Position, options: tuple[str, ...] = DEFAULTS) -> str:
    """Return the path of a request, without the fields that have their defaults."""
    fields = {"board": position.board}
    if Position.parse(position.board).starts != position.starts:
        fields["starts"] = position.starts
    chosen = zip(CHOICES, options, DEFAULTS, strict=True)
    fields |= {name: value for name, value, default in chosen if value != default}
    return f"/best-move?{urlencode(fields)}"


def every_position() -> list[str]:
    """Return the path of a request for each position, in a shuffled order that never changes."""
    paths = [spelling(position) for position in EVERY_POSITION]
    random.Random(0).shuffle(paths)  # noqa: S311, an order that can be repeated
    return paths


def sample(size: int) -> list[str]:
    """Return the paths of `size` requests with random positions and options, always the same."""
    draw = random.Random(0)  # noqa: S311, a draw that can be repeated
    return [spelling(draw.choice(EVERY_POSITION), draw.choice(OPTIONS)) for _ in range(size)]
