"""An executor for which only so many calls may wait, each for a limited time."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor
from typing import TypeVar

from best_move.web.serving.event_loop import Pauses

Argument = TypeVar("Argument")
Result = TypeVar("Result")


class OverloadedError(Exception):
    """Raised if too many calls wait already, or if a call has waited too long."""


class BoundedExecutor:
    """Calls functions in the threads of an executor.

    `max_waiting` calls may wait, each for `max_seconds`.
    """

    def __init__(self, executor: Executor, max_seconds: float, max_waiting: int) -> None:
        self._executor = executor
        self._max_seconds = max_seconds
        self._max_waiting = max_waiting
        self._pending = 0
        self._pauses = Pauses()

    async def call(self, function: Callable[[Argument], Result], argument: Argument) -> Result:
        """Return the result of a call.

        Raises OverloadedError if it does not start within `max_seconds`, or if too many wait.
        """
        if self._pending > self._max_waiting:  # one of them is running
            raise OverloadedError
        self._pending += 1
        loop = asyncio.get_running_loop()
        work = self._executor.submit(self._call, loop, function, argument)
        result = asyncio.wrap_future(work)
        try:
            await asyncio.wait([result], timeout=self._max_seconds)
            if work.cancel():  # it has not started
                raise OverloadedError
            return await result
        finally:
            work.cancel()  # if the client has disconnected
            self._pending -= 1
            #  Both lead to an exception of the function, whose traceback leads to these variables.
            del work, result

    def pause(self) -> None:
        """Let the event loop come first; a function that takes long may call this repeatedly."""
        self._pauses.pause()

    def _call(
        self,
        loop: asyncio.AbstractEventLoop,
        function: Callable[[Argument], Result],
        argument: Argument,
    ) -> Result:
        with self._pauses.between_calls(loop):
            return function(argument)
