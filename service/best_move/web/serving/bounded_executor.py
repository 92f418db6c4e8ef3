"""An executor for which only so many calls may wait, each for a limited time."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor
from typing import TypeVar

from best_move.web.serving.event_loop import Pauses

#  Calls per executor, as many as nginx lets one address send at once. Fewer would let most of a
#  hundred clients ask again at once, and their rejections would delay others more than their
#  searches do. A call may belong to a client that has left, because a closed connection cannot be
#  told from a half-closed one: so this limit also bounds the work for nobody.
MAX_WAITING = 100

Argument = TypeVar("Argument")
Result = TypeVar("Result")


class OverloadedError(Exception):
    """Raised if too many calls wait already, or if a call has waited too long."""


class BoundedExecutor:
    """Calls functions in the threads of an executor."""

    def __init__(self, executor: Executor, max_seconds: float) -> None:
        self._executor = executor
        self._max_seconds = max_seconds
        self._pending = 0
        self._pauses = Pauses()

    async def call(self, function: Callable[[Argument], Result], argument: Argument) -> Result:
        """Return the result of a call.

        Raises OverloadedError if it does not start within `max_seconds`, or if too many wait.
        """
        if self._pending > MAX_WAITING:  # one of them is running
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
