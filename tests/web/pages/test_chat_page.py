"""The board in a chat: chat.txt tells what it shows, and all that it shows is true.

A client around it passes on the calls of a model and of the board, and the tools answer them.
"""

import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from best_move import oracle
from best_move.engine.choice import RATES
from tests.fuzzing import EXAMPLES
from tests.plays import Shown, check_play
from tests.truth.game import Game
from tests.truth.referee import opponent
from tests.web.chatbots.calls import any_call, right
from tests.web.chatbots.messages import result_of
from tests.web.pages.judge import check_cells, check_end
from tests.web.pages.page import Done, Moment, Page, board_of, cells_of, named_cells

Json = dict[str, Any]

PLAY: Final = Path(__file__).with_name("chat.txt")
FORWARDS: Final[Json] = {"serverTools": {}, "updateModelContext": {"text": {}}}
MISTAKE: Final = {"isError": True, "content": [{"type": "text", "text": "Cell 4 is taken."}]}


#  How clients send a result again when they draw the chat again -> what they then send.
AGAIN: Final[dict[str, Callable[[Json], Json]]] = {
    "": lambda result: result,
    " from a database": lambda result: (
        dict(reversed(result.items()))
        | {"structuredContent": dict(reversed(result.get("structuredContent", {}).items()))}
    ),
    " without its fields": lambda result: {"content": result["content"]},
    " without its text": lambda result: {**result, "content": []},
    " without either": lambda _: {"content": []},
}
#  Results without content.
EMPTY: Final = ("null", "{}", '{"content": []}', '{"content": null, "structuredContent": {}}')


class Client:
    """A chat client around the board; it knows the game of the last result that counts."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._open()

    def _open(self) -> None:
        self.moment: Moment | None = None
        self.game: Json | None = None  # None before a result, and if the last one is only text
        self.given: Json = {}  # the model's last result
        self.yours: str | None = None  # the user's side
        self.calls: list[Json] = []  # calls of the board that have no response
        self.awaited: Json | None = None  # the last of them, even if it has failed
        self.forwards = True  # whether the board's calls are passed on

    def perform(self, actions: list[str]) -> Done:
        """Perform actions of the client, its model or its user, and judge what the board does."""
        before = self.moment
        steps = [step for action in actions for step in self._steps(action)]
        done = self._page.do(*steps, *["wait 0 s"] * (not steps[-1].startswith("wait")))
        self.moment = done.last
        calls = [each for each in done.posted if each.get("method") == "tools/call"]
        if before and re.fullmatch(r"(click|press \d on) \d", actions[0]):
            assert len(calls) == (not cells_of(before)[int(actions[0][-1])].is_disabled)
        for call in calls:
            self._check_call(call["params"]["name"], call["params"]["arguments"])
            self.calls.append(call)
            self.awaited = call
        if {"click New game", "click Play again"} & {*actions}:
            self._accept({"structuredContent": NEW_GAME})
        self._check(done.last)
        return done

    def _steps(self, action: str) -> list[str]:
        """Return what happens to the page by an action."""
        if action.startswith("open the board"):
            self._open()
            self.forwards = "without" not in action
            result = {"hostCapabilities": FORWARDS if self.forwards else {}, "hostContext": {}}
            return ["visit /chat", receive(id=1, result=result)]
        if found := re.fullmatch(r"model calls (\w+) ({.*?})(, as text)?", action):
            return self._model_calls(found[1], json.loads(found[2]), is_text=bool(found[3]))
        if found := re.fullmatch(
            r"client sends (null|{.*})|client sends the result again(.*)", action
        ):
            sent = json.loads(found[1]) if found[1] else AGAIN[found[2]](self.given)
            return [notify("tool-result", sent)]
        if action.startswith("client answers"):
            return self._answer(action.removeprefix("client answers"))
        if found := re.fullmatch("model's call is canceled(?:: (.*))?", action):
            return [notify("tool-cancelled", {"reason": found[1]} if found[1] else {})]
        return [notify("tool-result", MISTAKE) if action == "model makes a mistake" else action]

    def _model_calls(self, tool: str, arguments: Json, *, is_text: bool) -> list[str]:
        """Let the tools answer a call of the model; return what the page receives."""
        result = result_of("tools/call", {"name": tool, "arguments": arguments})
        if is_text:
            del result["structuredContent"]
        is_again = self.game and result == {part: self.given.get(part) for part in result}
        if not is_again:
            self.given = result
            self._accept(result)
            you = (self.game or {}).get("you")
            self.yours = opponent(you) if you else None
        inputs = notify("tool-input", {"arguments": arguments})
        return [inputs, notify("tool-result", result)]

    def _answer(self, how: str) -> list[str]:
        """Let the tools answer a call of the board; return what the page receives."""
        assert self.calls, "no call of the board is open"
        call = self.calls.pop(0 if how == " an earlier call" else -1)
        if how == " with an error":
            return [receive(id=call["id"], error={"code": 1, "message": "No server."})]
        if re.fullmatch(" (null|{.*})", how):
            return [receive(id=call["id"], result=json.loads(how))]
        result = result_of("tools/call", call["params"])
        if call is self.awaited:
            self._accept(result)
        return [receive(id=call["id"], result=result)]

    def _accept(self, result: Json) -> None:
        """Note a result that counts."""
        self.awaited = None
        self.game = result.get("structuredContent")
        if self.game is NEW_GAME:
            self.yours = None

    def _check_call(self, tool: str, call: Json) -> None:
        """Assert that a call of the board carries the game on, for the side that is to move."""
        assert self.game
        assert self.moment
        assert tool == "best_move"
        before = [*self.game["played"]]
        cell = call["played"][len(before) :]
        assert call["played"][: len(before)] == before
        assert len(cell) <= 1
        assert all(str(each) in self.game["board"] for each in cell)
        side = opponent(self.game["to_move"]) if cell else self.game["to_move"]
        assert (call["starts"], call["you"]) == (self.game["starts"], side)
        assert call["difficulty"] == self.moment["level"].get("live-value")
        self.yours = opponent(side)

    def _check(self, moment: Moment) -> None:
        """Assert that the board shows the game, and is offered exactly when the user may play."""
        game = self.game or NEW_GAME
        marks = re.sub(r"\d", ".", game["board"].replace("\n", " ")).replace(" ", "")
        is_running = game["status"] == "in_progress"
        may_play = self.forwards and self.game and not self.awaited and is_running
        may_play = may_play and self.yours in (None, game["to_move"])
        for cell in cells_of(moment):
            assert cell.is_disabled == (not may_play or cell.mark != "")
        is_busy = moment["game"].get("aria-busy") == "true"
        if is_busy and self.awaited:
            for cell in self.awaited["params"]["arguments"]["played"][len(game["played"]) :]:
                marks = marks[:cell] + game["to_move"] + marks[cell + 1 :]
        check_cells(marks, moment, last=game["played"][-1:], values={})
        if not is_busy and self.game and not moment.text("problem"):
            self._check_texts(game, moment.text("status"), moment.text("sentence"))

    def _check_texts(self, game: Json, status: str, sentence: str) -> None:
        """Assert that the texts name the side to move or the winner, and the model's mistake."""
        if game["status"] == "in_progress":
            assert re.findall(r"\b[XO]\b", status) == [game["to_move"]]
            assert status.startswith("You") == (self.yours == game["to_move"])
            return
        played = tuple(game["played"])
        finished = Game(starts=game["starts"], played=played, at=len(played), you=self.yours or "")
        check_end(finished, status, sentence)
        reviewed = re.match("The last mistake was ([XO])'s ([0-8]) ", game["review"])
        assert named_cells(sentence)[:1] == ([int(reviewed[2])] if reviewed else [])


NEW_GAME: Final[Json] = {
    "played": [],
    "starts": "X",
    "board": "0 1 2\n3 4 5\n6 7 8",
    "to_move": "X",
    "status": "in_progress",
}


def receive(**message: Any) -> str:
    """Return the action that the page receives a message."""
    return f"receive {json.dumps({'jsonrpc': '2.0', **message})}"


def notify(name: str, params: Json) -> str:
    """Return the action that the page receives a notification."""
    return receive(method=f"ui/notifications/{name}", params=params)


def test_the_play_is_performed_as_it_is_written(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After each action in the chat the board shows what chat.txt tells."""
    consult = oracle.consult
    #  With a seed, because a level draws lots.
    monkeypatch.setattr(oracle, "consult", lambda question: consult(question._replace(seed=0)))
    client = Client(page)

    def perform(actions: list[str]) -> Shown:
        done = client.perform(actions)
        now = done.last
        said = [now.text("status"), now.text("sentence")]
        spoken = now.text("announcement")
        is_usual = spoken in ("", " ".join(said), f"{said[1]} {said[0]}")
        parts = {
            "problem": now.text("problem"),
            "buttons": ", ".join(now.text(name) for name in ("act", "new-game") if name in now),
            "level": now["level"].get("live-value", "") if "level" in now else "",
            "hidden": "" if "board" in now else "the board",
            "announcement": "" if is_usual else spoken,
        }
        events = {"calls": "", "informs the model": "", "responds": ""}
        for message in done.posted:
            match message.get("method"):
                case "tools/call":
                    events["calls"] = json.dumps(message["params"]["arguments"])
                case "ui/update-model-context":
                    events["informs the model"] = message["params"]["content"][0]["text"]
                case None:
                    events["responds"] = json.dumps(message.get("result", message.get("error")))
        events["focus"] = done.focus.partition(",")[0]
        return Shown([board_of(now), " ".join(said).strip()], parts, events)

    check_play(PLAY, perform)


@pytest.mark.parametrize("seed", range(EXAMPLES // 2))
def test_in_any_chat_all_that_the_board_shows_is_true(page: Page, seed: int) -> None:
    """The judge agrees after each event of generated chats."""
    dice = random.Random(seed)  # noqa: S311, the tests need no secret numbers
    client = Client(page)
    action = f"open the board{' in a client without tools' * (dice.random() < 0.1)}"
    for _ in range(20):
        print(action)  # noqa: T201, shown if the test fails
        moment = client.perform([action]).last
        meant = any_call(dice)
        call = f"model calls {meant.tool} {json.dumps(right(meant, dice))}"
        cell = dice.randrange(9)
        actions = {
            dice.choice([f"click {cell}", f"press {cell} on {cell}"]): 9 * ("board" in moment),
            call: 1 if client.game else 9,
            f"{call}, as text": 0.2,
            "model makes a mistake": 0.2,
            "model's call is canceled": 0.2,
            "client answers": 5 * bool(client.calls),
            "client answers with an error": bool(client.calls),
            "client answers an earlier call": len(client.calls) > 1,
            "wait 60 s": 0.5,
        }
        if client.given:
            again = f"client sends the result again{dice.choice([*AGAIN])}"
            actions |= {again: 2, f"client sends {dice.choice(EMPTY)}": 0.5}
        if client.calls:
            actions |= {f"client answers {dice.choice(EMPTY)}": 0.5}
        buttons = [f"click {moment.text(name)}" for name in ("act", "new-game") if name in moment]
        actions |= dict.fromkeys(buttons, 1)
        if "level" in moment:
            actions[f"choose Level: {dice.choice([*RATES])}"] = 0.5
        (action,) = dice.choices([*actions], [*actions.values()])


#  Results of each kind: the game goes on, or is over with and without mistakes.
RESULTS: Final = [
    'best_move {"played": [4], "starts": "X", "you": "O"}',
    'judge_move {"played": [4, 1], "starts": "X", "player": "O"}',
    'best_move {"played": [4, 0, 8, 2, 1, 7, 3, 5], "starts": "X", "you": "X"}',
    'best_move {"played": [0, 4, 1, 2, 8, 6], "starts": "X"}',
]


#  The fields without which the board cannot show a game.
NEEDED: Final = ("played", "starts", "board", "to_move", "status", "text")


@pytest.mark.parametrize("call", RESULTS)
def test_a_result_that_lacks_a_field_is_shown_or_gets_an_error_at_once(
    page: Page, call: str
) -> None:
    """Whatever a client drops, the board shows the game, or says that it got none."""
    name, _, arguments = call.partition(" ")
    result = result_of("tools/call", {"name": name, "arguments": json.loads(arguments)})
    fields = result["structuredContent"]
    for field in fields:
        others = {each: fields[each] for each in fields if each != field}
        is_needed = field in NEEDED and fields[field] is not None
        values = [None, *[7, {}] * is_needed, *["", "X O"] * (is_needed and field != "text")]
        for sent in (others, *(others | {field: value} for value in values)):
            client = Client(page)
            client.perform(["open the board"])
            received = notify("tool-result", result | {"structuredContent": sent})
            if field in ("review", "mistakes") and fields["review"]:
                assert page.do(received).last.text("sentence") == fields["text"]
                continue
            if not is_needed:
                client.game = fields
                client.yours = opponent(sent["you"]) if sent.get("you") else None
            client.perform([received])
            assert client.moment
            status = client.moment.text("status")
            assert (status in ("The call failed.", ONLY_TEXT)) == is_needed


ONLY_TEXT: Final = "This chat client supports only text."
