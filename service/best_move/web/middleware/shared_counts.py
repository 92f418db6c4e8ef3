"""Counts in memory that processes share.

Each process adds to its own slot, and any process reads the sums.
"""

import mmap
from collections import defaultdict
from collections.abc import Iterator
from threading import Lock

Key = tuple[str, ...]

MAX_SLOTS = 512
MAX_COUNTS = 1024  # per slot; all routes, methods, statuses and problems need 600
MAX_KEY = 184  # in bytes

#  Sizes in numbers of eight bytes: a record is a count, then its key; a slot is its number of
#  records, then the records.
_NUMBER = 8
_RECORD = 1 + MAX_KEY // _NUMBER
_SLOT = 1 + MAX_COUNTS * _RECORD


class SharedCounts:
    """Counters, each under a key: a name and its labels.

    Create an instance before the fork. Each process has its own slot, so that no process waits for
    another. A slot outlives its process, and the next process that takes the slot continues its
    counts, so that no sum ever falls. The memory has no file that could be left behind or fill a
    disk.
    """

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, _NUMBER * (1 + MAX_SLOTS * _SLOT))
        #  The first number is the number of slots taken so far.
        self._numbers = memoryview(self._memory).cast("d")
        self._lock = Lock()  # between the threads of a process; other processes use other slots
        self.take(0)

    def take(self, slot: int) -> None:
        """Count in a slot from now on, in this process and those that it forks.

        No other process may use the slot.
        """
        self._slot = min(slot, MAX_SLOTS - 1)
        self._places = {key: place for place, key in self._records(self._slot)}
        self._numbers[0] = max(self._numbers[0], self._slot + 1)

    def add(self, *amounts: tuple[Key, float]) -> None:
        """Add amounts to counts, given as (key, amount).

        Raises OverflowError if there are too many keys, or if a key is too long.
        """
        with self._lock:
            for key, amount in amounts:
                place = self._places.get(key) or self._append(key)
                self._numbers[place] += amount

    def sums(self) -> dict[Key, float]:
        """Return each count, summed over all slots."""
        sums: dict[Key, float] = defaultdict(float)
        for slot in range(int(self._numbers[0])):
            for place, key in self._records(slot):
                sums[key] += self._numbers[place]
        return dict(sums)

    def _append(self, key: Key) -> int:
        start = 1 + self._slot * _SLOT
        used = int(self._numbers[start])
        text = "\t".join(key).encode()
        if used == MAX_COUNTS or len(text) > MAX_KEY:
            raise OverflowError(f"no room to count {key}")
        place = start + 1 + used * _RECORD
        self._memory[_bytes_of_key(place)] = text.ljust(MAX_KEY, b"\0")
        self._numbers[start] = used + 1  # set after the key, because other processes may be reading
        self._places[key] = place
        return place

    def _records(self, slot: int) -> Iterator[tuple[int, Key]]:
        """Yield the place in the memory and the key of each counter in a slot."""
        start = 1 + slot * _SLOT
        used = int(self._numbers[start])
        for index in range(used):
            place = start + 1 + index * _RECORD
            text = self._memory[_bytes_of_key(place)].rstrip(b"\0").decode()
            yield place, tuple(text.split("\t"))


def _bytes_of_key(place: int) -> slice:
    """Return where in the memory the key of the record at a place is."""
    start = _NUMBER * (place + 1)
    return slice(start, start + MAX_KEY)
