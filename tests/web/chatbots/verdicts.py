"""What the tools make of a distorted call, judged by what it means.

`python -m tests.web.chatbots.verdicts 5000` prints the verdicts on 5,000 calls, by habit, and on as many calls with
further changes.
"""

import json
import re
import sys
from collections import Counter
from random import Random
from typing import Any
from unittest.mock import patch

from best_move.web.chatbots import tools
from tests.referee import is_over
from tests.web.chatbots.habits import HABITS, Call, distorted
from tests.web.chatbots.messages import Json, result_of

#  `done`: the call that is meant was done. `written`: the error has exactly that call. `open`: the error has no call,
#  but says how cells are numbered. `mute`: it does not say so. `astray`: the tools did or wrote another call.
VERDICTS = ("done", "written", "open", "mute", "astray")


def verdict(call: Call, sent: Json, habit: str = "") -> tuple[str, str]:
    """Return the verdict on a distorted call, and the text of its result."""
    asked: list[Any] = []
    consult = vars(tools)["consult_and_count"]

    def ask(question: Any) -> Any:
        asked.append(question)
        return consult(question)

    with patch.object(tools, "consult_and_count", ask):
        result = result_of("tools/call", {"name": call.tool, "arguments": sent})
    text: str = result["content"][0]["text"]
    if result.get("isError"):
        return _verdict_on_error(call, text, habit), text
    fields = result["structuredContent"]
    own = call.tool == "best_move" and fields["move"] is not None
    level = asked[-1].difficulty if asked else "perfect"
    found = {
        "played": fields["played"][: len(fields["played"]) - own],
        "starts": fields["starts"],
        "difficulty": level,
    }
    return "done" if _is_meant(call, found) else "astray", text


def advice(text: str, call: Call, habit: str = "") -> Json | str | None:
    """Return what an error makes a model do that means a call and takes conditions as they are written.

    It sends the arguments that are written out after the first condition that is true, or appends a move; None if the
    error has no such advice.
    """
    for condition, written in re.findall(
        r"If ([^.{]*?), (?:send ({.*?})|the user's move is missing)", text
    ):
        if all(_holds(part, call, habit) for part in condition.split(" and ")):
            sent: Json | str = json.loads(written) if written else "append"
            return sent
    return None


def _holds(condition: str, call: Call, habit: str) -> bool:
    return {
        "this is the game so far": True,
        "this is a new game": not call.played,
        "you count cells from 1": habit == "counted from 1",
        **{f"{side} starts": call.starts == side for side in "XO"},
        **{f"you play {side}": (call.you or call.to_move) == side for side in "XO"},
    }[condition]


def _verdict_on_error(call: Call, text: str, habit: str) -> str:
    again = advice(text, call, habit)
    if isinstance(again, dict):
        is_meant = _is_meant(call, again) and again.get("you") == call.you
        return "written" if is_meant and verdict(call, again)[0] == "done" else "astray"
    if again or re.search(r"Move \d plays|Remove move", text):
        return "astray"
    return "open" if "0 1 2 / 3 4 5 / 6 7 8" in text else "mute"


def _is_meant(call: Call, sent: Json) -> bool:
    """Return whether arguments mean a call: its position, starter and level, and its last move if that is judged."""
    found = Call(call.tool, tuple(sent["played"]), sent.get("starts", "X"))
    return (
        sorted(found.moves) == sorted(call.moves)
        and found.starts == call.starts
        and (call.tool == "best_move" or found.played[-1:] == call.played[-1:])
        and (sent.get("difficulty", "perfect") == (call.level or "perfect") or is_over(call.board))
    )


def main(count: str, shown: str = "") -> None:
    """Print the number of each verdict by habit, and the calls with the verdict `shown`."""
    random = Random(1)  # noqa: S311, the same calls in each run
    table: dict[str, Counter[str]] = {}
    for number in range(2 * int(count)):
        is_changed = number >= int(count)
        habit = [*HABITS][number % len(HABITS)]
        call, sent = distorted(habit, random, random.randint(1, 3) if is_changed else 0)
        found, text = verdict(call, sent, habit)
        table.setdefault("all, with further changes" if is_changed else habit, Counter())[
            found
        ] += 1
        if found == shown:
            print(habit, call, json.dumps(sent), text, sep="\n  ")
    changed = table.pop("all, with further changes")
    table |= {"all": sum(table.values(), Counter()), "all, with further changes": changed}
    print(f"{'habit':36}" + "".join(f"{name:>9}" for name in VERDICTS) + "    right")
    for habit, counts in table.items():
        right = (counts["done"] + counts["written"]) / counts.total()
        print(f"{habit:36}" + "".join(f"{counts[name]:9,}" for name in VERDICTS) + f"{right:9.1%}")


if __name__ == "__main__":
    main(*sys.argv[1:])
