"""A hook for Schemathesis: it skips requests whose invalid parameter is not sent."""

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


@schemathesis.hook
def filter_query(_: HookContext, query: dict[str, Any] | None) -> bool:
    """Return whether each parameter of a query is sent."""
    return all(map(is_sent, (query or {}).values()))
