"""Counts in memory that processes share.

Each process adds to its own slot, and any process reads the sums.
"""

import mmap
from collections import defaultdict
from collections.abc import Iterator
from ctypes import Structure, c_char, c_double, c_int64, sizeof
from threading import Lock

Key = tuple[str, ...]

MAX_COUNTS = 1024  # per slot; all routes, methods, statuses and problems need 600
MAX_KEY = 184  # in bytes


class _Record(Structure):
    """A count and its key, whose parts are separated by tabs."""

    _fields_ = (("count", c_double), ("key", c_char * MAX_KEY))


class _Slot(Structure):
    """The records of a process; the first `used` ones are in use."""

    _fields_ = (("used", c_int64), ("records", _Record * MAX_COUNTS))


class SharedCounts:
    """Counters, each under a key: a name and its labels.

    Each process has its own slot, so that no process waits for another. A slot outlives its
    process, and the next process that takes the slot continues its counts, so that no sum ever
    falls. The memory has no file that could be left behind or fill a disk.
    """

    def __init__(self) -> None:
        self._lock = Lock()  # between the threads of a process; other processes use other slots
        self.reserve(1)

    def reserve(self, slots: int) -> None:
        """Count from 0 in new memory, which this process shares with those that it forks."""
        memory = mmap.mmap(-1, slots * sizeof(_Slot))
        self._slots = (_Slot * slots).from_buffer(memory)
        self.take(0)

    def take(self, number: int) -> None:
        """Count in a slot from now on, in this process and those that it forks.

        No other process may add to the slot. Numbers beyond the last slot share the last one, which
        may lose counts.
        """
        last = len(self._slots) - 1
        self._slot = self._slots[min(number, last)]
        self._records = dict(_records(self._slot))

    def add(self, *amounts: tuple[Key, float]) -> None:
        """Add amounts to counts, given as (key, amount).

        Raises OverflowError if there are too many keys, or if a key is too long.
        """
        with self._lock:
            for key, amount in amounts:
                record = self._records.get(key)
                if record is None:
                    record = self._append(key)
                record.count += amount

    def sums(self) -> dict[Key, float]:
        """Return each count, summed over all slots."""
        sums: dict[Key, float] = defaultdict(float)
        for slot in self._slots:
            for key, record in _records(slot):
                sums[key] += record.count
        return dict(sums)

    def _append(self, key: Key) -> _Record:
        used = self._slot.used
        text = "\t".join(key).encode()
        if used == MAX_COUNTS or len(text) > MAX_KEY:
            raise OverflowError(f"no room to count {key}")
        record: _Record = self._slot.records[used]
        record.key = text
        self._slot.used = used + 1  # set after the key, because other processes may be reading
        self._records[key] = record
        return record


def _records(slot: _Slot) -> Iterator[tuple[Key, _Record]]:
    """Yield the key and the record of each counter in a slot; the records are in the memory."""
    used = slot.used
    for record in slot.records[:used]:
        text: str = record.key.decode()
        key = tuple(text.split("\t"))
        yield key, record
