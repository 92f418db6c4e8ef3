"""Event loops in a thread of their own, because tests of a browser leave one running in theirs."""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

Found = TypeVar("Found")


def run(
    coroutine: Coroutine[Any, Any, Found],
    new_loop: Callable[[], asyncio.AbstractEventLoop] = asyncio.new_event_loop,
) -> Found:
    """Run a coroutine in an event loop, in a thread named `loop_0`; return its result."""
    with ThreadPoolExecutor(1, "loop") as thread:
        return thread.submit(_run, coroutine, new_loop).result()


def _run(
    coroutine: Coroutine[Any, Any, Found], new_loop: Callable[[], asyncio.AbstractEventLoop]
) -> Found:
    with asyncio.Runner(loop_factory=new_loop) as runner:
        return runner.run(coroutine)
