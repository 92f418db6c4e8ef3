"""A model that plays by the texts of the tools alone gets each mark and each judgment right."""

import re
from random import Random

from tests.truth.chat import Call, ChoosingItself, CountingFromOne, Texts, play_games


def test_every_mark_and_every_judgment_is_right(texts: Texts, call: Call) -> None:
    """Whatever the sides, the starter and the level, the model needs only the last result."""
    random = Random(1)  # noqa: S311, the same games in each run
    assert play_games(texts, call, 12, random) > 2_000


def test_a_model_that_counts_from_one_notices_it(texts: Texts, call: Call) -> None:
    """A result names the move that it answers, so that it can be compared with the user's words."""
    random = Random(1)  # noqa: S311, the same games in each run
    assert play_games(texts, call, 2, random, follower=CountingFromOne) > 300


def test_a_model_that_adds_its_own_move_learns_that_it_is_in_the_list(
    texts: Texts, call: Call
) -> None:
    """The error names this cause first; else the model adds a move that the user did not make."""
    random = Random(1)  # noqa: S311, the same games in each run
    assert play_games(texts, call, 2, random, follower=ChoosingItself) > 300


def test_a_sentence_that_promises_the_best_move_limits_this_to_the_default(texts: Texts) -> None:
    """A model that reads it alone does not tell the user that a weaker level is perfect."""
    told = [texts.instructions, *(tool["description"] for tool in texts.tools.values())]
    sentences = re.split(r"(?<=\.) ", " ".join(told))
    promises = [sentence for sentence in sentences if re.search("perfectly|the best", sentence)]
    assert len(promises) == 2
    assert all("by default" in promise for promise in promises), promises
