"""Counts in memory that processes share: each process adds to a part of its own, and any of them reads the sums."""

import mmap
from collections import defaultdict
from collections.abc import Iterator
from threading import Lock
from typing import Final

Key = tuple[str, ...]

MAX_SLOTS: Final = 512
MAX_COUNTS: Final = 1024  # of a slot; all routes with all their methods, statuses and problems need 600
MAX_KEY: Final = 184  # in bytes

#  In numbers of eight bytes: a record is a count and its key, a slot says how many records it has before the first.
_RECORD: Final = 1 + MAX_KEY // 8
_SLOT: Final = 1 + MAX_COUNTS * _RECORD


class SharedCounts:
    """Numbers that only grow, each under a key: a name and its labels.

    They are made before the fork. Each process counts in a slot of its own, so that none waits for another. A slot
    outlives its process, and the next process that takes it counts on from there, so that no sum ever falls. It is
    memory without a file: there is none to be left behind, and no full disk to fail on.
    """

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, 8 * (1 + MAX_SLOTS * _SLOT))
        self._numbers = memoryview(self._memory).cast("d")  # the first is the number of slots that were ever taken
        self._lock = Lock()  # between the threads of a process
        self.take(0)

    def take(self, slot: int) -> None:
        """Count in a slot from here on, this process and those that it forks; nobody else may count in it."""
        self._slot = min(slot, MAX_SLOTS - 1)
        self._places = {key: place for place, key in self._records(self._slot)}
        self._numbers[0] = max(self._numbers[0], self._slot + 1)

    def add(self, *amounts: tuple[Key, float]) -> None:
        """Add to some counts. Raise OverflowError for one count too many: labels must be bounded."""
        with self._lock:
            for key, amount in amounts:
                place = self._places.get(key) or self._append(key)
                self._numbers[place] += amount

    def sums(self) -> dict[Key, float]:
        """Return every count, summed over all slots."""
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
            raise OverflowError(f"there is no place to count {key}")
        place = start + 1 + used * _RECORD
        self._memory[8 * (place + 1) : 8 * (place + _RECORD)] = text.ljust(MAX_KEY, b"\0")
        self._numbers[start] = used + 1  # after its key, which others may be reading
        self._places[key] = place
        return place

    def _records(self, slot: int) -> Iterator[tuple[int, Key]]:
        """Yield the place of each count of a slot, and its key."""
        start = 1 + slot * _SLOT
        for place in range(start + 1, start + 1 + int(self._numbers[start]) * _RECORD, _RECORD):
            text = self._memory[8 * (place + 1) : 8 * (place + _RECORD)].rstrip(b"\0").decode()
            yield place, tuple(text.split("\t"))
