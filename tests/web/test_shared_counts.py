"""The shared counts: what any process has counted is kept, and read by all."""

import pytest

from service.web.shared_counts import MAX_COUNTS, MAX_KEY, MAX_SLOTS, SharedCounts


def test_counts_are_kept_by_their_keys() -> None:
    """Each key has a number of its own, whatever is added to it."""
    counts = SharedCounts()
    assert counts.sums() == {}
    for key, amount in [(("a", "x"), 1), (("a", "y"), 2.5), (("b",), 10**9), (("a", "x"), 1), (("ä",), 3), (("ö",), 4)]:
        counts.add((key, amount))
    assert counts.sums() == {("a", "x"): 2, ("a", "y"): 2.5, ("b",): 10**9, ("ä",): 3, ("ö",): 4}


def test_slots_add_up() -> None:
    """The sums are over every slot that was ever taken, also where their keys came in another order."""
    counts = SharedCounts()
    counts.add((("a",), 1))
    counts.add((("b",), 1))
    counts.take(7)
    counts.add((("b",), 10))
    counts.add((("c",), 100))
    assert counts.sums() == {("a",): 1, ("b",): 11, ("c",): 100}


def test_a_slot_is_counted_on_in_by_who_takes_it_next() -> None:
    """What a worker had counted stays, and its successor adds to it."""
    counts = SharedCounts()
    counts.take(1)
    counts.add((("a",), 3))
    counts.take(2)
    counts.add((("a",), 5))
    counts.take(1)
    counts.add((("b",), 1))
    counts.add((("a",), 4))
    assert counts.sums() == {("a",): 12, ("b",): 1}


def test_a_slot_has_room_for_any_number_of_workers() -> None:
    """However often a worker is replaced, it counts where those before it did."""
    counts = SharedCounts()
    for _ in range(MAX_COUNTS + 1):
        counts.take(1)
        counts.add((("a",), 1))
    assert counts.sums() == {("a",): MAX_COUNTS + 1}


def test_the_last_slot_is_for_all_that_come_later() -> None:
    """There is a slot for whoever asks."""
    counts = SharedCounts()
    counts.take(MAX_SLOTS + 100)
    counts.add((("a",), 1))
    assert counts.sums() == {("a",): 1}


def test_what_has_no_place_is_refused() -> None:
    """A label without bounds is noticed, and harms none of the others."""
    counts = SharedCounts()
    for n in range(MAX_COUNTS):
        counts.add(((str(n),), 1))
    for key in [("one more",), ("x" * (MAX_KEY + 1),)]:
        with pytest.raises(OverflowError, match="no place"):
            counts.add((key, 1))
    assert counts.sums() == {(str(n),): 1 for n in range(MAX_COUNTS)}


def test_a_key_may_be_as_long_as_its_place() -> None:
    """The longest key is kept whole."""
    counts = SharedCounts()
    counts.add((("x" * MAX_KEY,), 1))
    assert counts.sums() == {("x" * MAX_KEY,): 1}
