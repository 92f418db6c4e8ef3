"""Hooks for Schemathesis: they skip requests that are not sent as generated, and send trees."""

from random import Random
from typing import Any

import schemathesis
from schemathesis import HookContext


def is_sent(value: object) -> bool:
    """Return whether a URL has a text for a value; null and an empty list or object have none."""
    match value:
        case list():
            return any(map(is_sent, value))
        case dict():
            return any(map(is_sent, value.values()))
    return value is not None


def any_tree(dice: Random, plies: int = 4) -> str:
    """Return a random tree of numbers, or a number."""
    if plies == 0 or dice.random() < 0.3:
        return str(dice.randint(-99, 99))
    branches = [any_tree(dice, plies - 1) for _ in range(dice.randint(1, 3))]
    return f"[{','.join(branches)}]"


@schemathesis.hook
def map_query(_: HookContext, query: dict[str, Any] | None) -> dict[str, Any] | None:
    """Replace most texts where a tree of numbers is expected, because random texts are none."""
    text = (query or {}).get("tree")
    dice = Random(str(text))  # noqa: S311, the same trees in each run
    if query and isinstance(text, str) and dice.random() < 0.8:
        return query | {"tree": any_tree(dice)}
    return query


@schemathesis.hook
def filter_query(_: HookContext, query: dict[str, Any] | None) -> bool:
    """Return whether each parameter of a query is sent."""
    return all(map(is_sent, (query or {}).values()))
