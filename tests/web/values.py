"""Random JSON values, such as clients send by mistake."""

from random import Random
from typing import Any

CHARACTERS = 'XOxo._-019 e"\\\n/,[]\u0425\u041e…⬜'  # those of boards, and others


def any_value(random: Random, depth: int = 0) -> Any:
    """Return a random JSON value."""
    length = random.choice([0, 1, 2, 8, 9, 12, 50])
    numbers = [random.randrange(-1, 10) for _ in range(length)]
    scalars = [
        None,
        random.random() < 0.5,
        random.choice([random.randrange(-3, 12), random.randrange(-(2**60), 2**60)]),
        random.uniform(-10, 10),
        "".join(random.choices(CHARACTERS, k=length)),
    ]
    if depth == 3:
        return random.choice(scalars)
    inner = any_value(random, depth + 1)
    names = random.choices(["board", "played", "x", "........."], k=random.randrange(3))
    return random.choice([*scalars, numbers, [*numbers, inner], dict.fromkeys(names, inner)])
