"""A model that plays by the texts of the tools alone gets each mark and each judgment right."""

import re
from random import Random

from best_move.web.chatbots.protocol import INSTRUCTIONS
from best_move.web.chatbots.tools import TOOLS
from tests.truth.chat import KINDS, Json, play_games


def call(name: str, arguments: Json) -> Json:
    """Call a tool; return its result."""
    return TOOLS[name].call(arguments)


def test_every_mark_and_every_judgment_is_right() -> None:
    """Whatever the sides, the starter and the level, the model needs only the last result."""
    play_games(call, 12, Random(1))  # noqa: S311, the same games in each run


def test_a_model_that_leaves_out_what_the_schema_lets_it_leave_out_gets_its_own_game() -> None:
    """Each mark and each judgment is right, if only the required arguments are sent."""

    def call_with_what_is_required(name: str, arguments: Json) -> Json:
        required = TOOLS[name].definition["inputSchema"]["required"]
        return call(name, {each: arguments[each] for each in required})

    perfect = [kind for kind in KINDS if kind.level == "perfect"]  # the default
    play_games(call_with_what_is_required, 16, Random(1), perfect)  # noqa: S311, as above


def test_a_sentence_that_promises_the_best_move_limits_this_to_the_default() -> None:
    """A model that reads it alone does not tell the user that a weaker level is perfect."""
    told = [INSTRUCTIONS, *(tool.definition["description"] for tool in TOOLS.values())]
    sentences = re.split(r"(?<=\.) ", " ".join(told))
    promises = [sentence for sentence in sentences if re.search("perfectly|the best", sentence)]
    assert len(promises) == 2
    assert all("by default" in promise for promise in promises), promises
