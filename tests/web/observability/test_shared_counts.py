"""The shared counts: the counts of a process outlive it, and every process can read them."""

import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import cast

import pytest

from best_move.web.observability.shared_counts import MAX_COUNTS, MAX_KEY, SharedCounts


def test_each_sum_is_that_of_all_amounts_under_its_key() -> None:
    """Processes may take slots in any order, and a slot may be taken again."""
    random = Random(1)  # noqa: S311, the same counts in each run
    counts = SharedCounts()
    counts.reserve(9)
    expected: Counter[tuple[str, ...]] = Counter()
    for _ in range(300):
        assert counts.sums() == expected
        if random.random() < 0.2:
            counts.take(random.randrange(9))
        key = tuple(random.choices("aäö", k=random.randint(1, 3)))
        amount = random.choice([1, 10**9])
        counts.add((key, amount))
        expected[key] += amount


def test_a_replacement_worker_reuses_the_records_of_its_slot() -> None:
    """However often a worker is replaced, the next worker adds to the same records."""
    counts = SharedCounts()
    counts.reserve(2)
    for _ in range(MAX_COUNTS + 1):
        counts.take(1)
        counts.add((("a",), 1))
    assert counts.sums() == {("a",): MAX_COUNTS + 1}


def test_processes_beyond_the_last_slot_share_the_last_slot() -> None:
    """There may be more processes than slots."""
    counts = SharedCounts()
    counts.reserve(3)
    for slot in (2, 3, 100):
        counts.take(slot)
        counts.add((("a",), 1))
    assert counts.sums() == {("a",): 3}


def test_new_memory_has_no_counts() -> None:
    """The memory that a server reserves does not have the counts of its loading."""
    counts = SharedCounts()
    counts.add((("a",), 1))
    counts.reserve(2)
    assert counts.sums() == {}


def test_a_key_that_does_not_fit_raises_an_error() -> None:
    """A new key that is too long or has no free record raises an error and changes no count."""
    counts = SharedCounts()
    for n in range(MAX_COUNTS):
        counts.add(((str(n),), 1))
    for key in [("one more",), ("x" * (MAX_KEY + 1),)]:
        with pytest.raises(OverflowError, match=r"^no room to count \('"):
            counts.add((key, 1))
    assert counts.sums() == {(str(n),): 1 for n in range(MAX_COUNTS)}


def test_the_longest_key_is_stored_in_full() -> None:
    """A key that fills its record is stored in full."""
    counts = SharedCounts()
    counts.add((("x" * MAX_KEY,), 1))
    assert counts.sums() == {("x" * MAX_KEY,): 1}


def test_threads_do_not_overwrite_each_others_records() -> None:
    """While a thread writes a new record, no other thread writes to the same place."""
    counts = SharedCounts()
    is_read = threading.Event()
    is_passed = threading.Event()

    class SlowKey:
        def __iter__(self) -> Iterator[str]:
            is_read.set()
            is_passed.wait(0.1)  # lets the other thread run
            yield "slow"

    def add() -> None:
        is_read.wait(10)
        counts.add((("fast",), 1))
        is_passed.set()

    with ThreadPoolExecutor(1) as other:
        other.submit(add)
        counts.add((cast("tuple[str, ...]", SlowKey()), 1))
    assert counts.sums() == {("slow",): 1, ("fast",): 1}
