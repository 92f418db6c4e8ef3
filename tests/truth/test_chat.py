"""A model that plays by the texts of the tools alone gets each mark and each judgment right."""

from random import Random

from tests.truth.chat import Call, Texts, play_games


def test_every_mark_and_every_judgment_is_right(texts: Texts, call: Call) -> None:
    """Whatever the sides, the starter and the level, the model needs only the last result."""
    random = Random(1)  # noqa: S311, the same games in each run
    assert play_games(texts, call, 12, random) > 2_000
