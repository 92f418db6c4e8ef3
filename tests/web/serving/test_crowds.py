"""Crowds: what clients get that send slow requests at once, in virtual time.

In a row, each client sends a request that takes its thread some seconds. The events that follow are
the statuses of the responses, each with the number of clients that get it in the same second. The
deployment guide says what to expect.
"""

import asyncio
from collections import Counter
from dataclasses import dataclass, replace
from itertools import groupby

import pytest

from tests.raw_requests import HEAD, SLOW
from tests.web.serving.virtual import VirtualThread, VirtualWorker, receive


@dataclass(frozen=True)
class Crowd:
    """Clients that send a request at once, and what follows."""

    clients: int
    seconds: float  # that each call takes
    events: str
    executed: int  # calls
    leaves: bool = False  # whether the clients close their connections at once
    request: bytes = SLOW["batch"]


MORE_THAN_MAY_WAIT = Crowd(
    160, 4, "0: 59 x 503 | 4: 1 x 200 | 8: 1 x 200 | 10: 98 x 503 | 12: 1 x 200", executed=3
)
#  Of requests that take little time, as many may wait as clients can connect.
AS_MANY_AS_CONNECT = Crowd(
    160, 4, "4: 1 x 200 | 8: 1 x 200 | 10: 157 x 503 | 12: 1 x 200", executed=3
)
CROWDS = {
    "as many as may wait": Crowd(
        101,
        0.04,
        "0: 24 x 200 | 1: 25 x 200 | 2: 25 x 200 | 3: 25 x 200 | 4: 2 x 200",
        executed=101,
    ),
    "more than may wait": MORE_THAN_MAY_WAIT,
    "all leave": Crowd(1080, 4, "0: 1080 x left", executed=3, leaves=True),
    **{name: replace(MORE_THAN_MAY_WAIT, request=request) for name, request in SLOW.items()},
    **{name: replace(AS_MANY_AS_CONNECT, request=SLOW[name]) for name in ("page", "tool call")},
}


async def send(virtual: VirtualWorker, request: bytes, *, leaves: bool) -> tuple[int, str]:
    """Send a request; return the second of the response, and its status."""
    client = await virtual.connect(request)
    if leaves:
        await asyncio.sleep(0)
        client.close()
        return 0, "left"
    response = await receive(client)
    status = response.split(b" ")[1].decode()
    return int(virtual.time.now + 0.001), status


async def events_of(virtual: VirtualWorker, crowd: Crowd) -> str:
    """Return the events of a crowd, beside which another client is served at once."""
    clients = [
        asyncio.create_task(send(virtual, crowd.request, leaves=crowd.leaves))
        for _ in range(crowd.clients)
    ]
    await asyncio.sleep(0.01)
    assert await send(virtual, HEAD, leaves=False) == (0, "200")
    events = Counter(await asyncio.gather(*clients))
    await asyncio.sleep(30)  # until all that waited has been executed or dropped
    by_second = groupby(sorted(events.items()), key=lambda event: event[0][0])
    return " | ".join(
        f"{second}: " + ", ".join(f"{number} x {status}" for (_, status), number in found)
        for second, found in by_second
    )


@pytest.mark.parametrize("crowd", CROWDS.values(), ids=CROWDS)
def test_what_waits_is_bounded_and_expires(virtual: VirtualWorker, crowd: Crowd) -> None:
    """The responses to a crowd are those in its row, and others are served meanwhile."""
    thread = VirtualThread(crowd.seconds)
    virtual.serves(virtual.application, slow=thread)
    assert virtual.run(lambda: events_of(virtual, crowd)) == crowd.events
    assert thread.executed == crowd.executed
