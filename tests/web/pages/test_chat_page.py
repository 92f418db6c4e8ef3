"""All that the board in a chat shows is true: the referee checks each moment in Node.js."""

import json
import os
import subprocess
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

import pytest

from best_move.engine.choice import RATES
from best_move.web.pages.files import STATIC
from tests.browser.playground import CELLS
from tests.clients.tools import installed
from tests.truth import game as truth
from tests.truth import referee
from tests.truth.referee import opponent
from tests.web.chatbots.calls import Call, any_call, right
from tests.web.chatbots.messages import Json, result_of
from tests.web.pages.test_play_page import check_review

PROGRAM: Final = Path(__file__).with_name("chat_page.mjs")
GAMES: Final = 150
LATE: Final = "No answer yet."
MISTAKE: Final = {
    "isError": True,
    "content": [{"type": "text", "text": "Move 2 plays cell 4, but X took it."}],
}


class Page:
    """The script of the board in Node.js."""

    def __init__(self, node: "subprocess.Popen[str]") -> None:
        self._node = node

    def do(self, event: str, value: object = None) -> Json:
        """Cause an event; return what the board then shows, and the messages that it has posted."""
        assert self._node.stdin
        assert self._node.stdout
        self._node.stdin.write(f"{json.dumps([event, value])}\n")
        self._node.stdin.flush()
        shown: Json = json.loads(self._node.stdout.readline())
        return shown


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    """Run the script of the board."""
    command: list[Path | str] = [
        installed("node"),
        "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON",
        PROGRAM,
        STATIC,
    ]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=os.environ
    ) as node:
        yield Page(node)


@dataclass
class Chat:
    """A chat with a board: what happened, and what must therefore be true of the board."""

    page: Page
    random: Random
    forwards: bool  # whether the client forwards calls and context updates
    game: Call | None = None  # None before the first result
    is_text: bool = False  # whether the result had no fields
    yours: str | None = None
    level: str = "perfect"
    waiting: Json | None = None  # the board's call whose response is pending
    failed: Json | None = None  # the board's call that has failed
    failure: str = ""
    is_correcting: bool = False  # whether the model's call failed before any result
    shown: Json = field(default_factory=dict)
    dropped: list[Json] = field(
        default_factory=list
    )  # calls whose responses nobody awaits any more

    def open(self) -> None:
        """Open the board of a model's call."""
        capabilities: Json = (
            {"serverTools": {}, "updateModelContext": {"text": {}}} if self.forwards else {}
        )
        self.update(self.page.do("open", {"levels": [*RATES], "capabilities": capabilities}))

    def update(self, shown: Json) -> list[Json]:
        """Keep what the board shows; return the messages that it has posted."""
        self.shown = shown
        posted: list[Json] = shown.pop("posted")
        return [message for message in posted if "ui/initialize" not in message["method"]]

    @property
    def is_busy(self) -> bool:
        """Whether a result is awaited, and the board has not given up."""
        has_result = self.game is not None or self.is_text or self.is_correcting
        return not self.failure and (self.waiting is not None or not has_result)

    @property
    def can_play(self) -> bool:
        """Whether the user can make a move."""
        if (
            not self.forwards
            or self.game is None
            or self.waiting
            or self.failed
            or referee.is_over(self.game.board)
        ):
            return False
        return self.yours in (None, self.game.to_move)

    def settle(self) -> None:
        """Note that the board's call does not count any more."""
        self.dropped += [
            call for call in (self.waiting, self.failed if self.failure == LATE else None) if call
        ]
        self.waiting, self.failed, self.failure = None, None, ""
        self.is_correcting = False

    def accept(self, result: Json, call: Call) -> None:
        """Note a result that the board gets for a call."""
        self.settle()
        if result.get("isError"):
            self.failure = "The call failed."
            return
        fields = result.get("structuredContent")
        self.is_text = fields is None
        self.game = Call(call.tool, tuple(fields["played"]), fields["starts"]) if fields else None

    def model_calls(self) -> None:
        """Let the model call a tool, and the client pass on the call and its result."""
        sent = right(any_call(self.random), self.random)
        call, arguments = sent.call, sent.arguments
        self.update(
            self.page.do(
                "receive",
                {"method": "ui/notifications/tool-input", "params": {"arguments": arguments}},
            )
        )
        result = result_of("tools/call", {"name": call.tool, "arguments": arguments})
        match self.random.randrange(10):
            case 0:
                self.update(
                    self.page.do(
                        "receive", {"method": "ui/notifications/tool-cancelled", "params": {}}
                    )
                )
                self.settle()
                self.failure = "The call was canceled."
                return
            case 1:
                notification = {"method": "ui/notifications/tool-result", "params": MISTAKE}
                self.update(self.page.do("receive", notification))
                if not (self.game or self.is_text):
                    self.settle()
                    self.is_correcting = True
                return
            case 2:
                result = {"content": result["content"]}
        self.update(
            self.page.do("receive", {"method": "ui/notifications/tool-result", "params": result})
        )
        self.accept(result, call)
        self.yours = opponent(call.you) if call.you and not self.is_text else None
        if call.tool == "best_move" and not self.is_text:
            self.level = call.level or "perfect"

    def choose_cell(self) -> None:
        """Choose any cell by a click or a key: a call is made only if the user may play there."""
        cell = self.random.randrange(9)
        before, event = self.game, self.random.choice([("click", cell), ("key", str(cell))])
        may_play = self.can_play and before is not None and before.board[cell] == "."
        posted = self.update(self.page.do(*event))
        if may_play and before:
            self.yours = before.to_move
            self.expect_call(posted, (*before.played, cell), opponent(before.to_move))
            return
        assert posted == []
        is_taken = (
            before is not None and before.board[cell] != "." and not referee.is_over(before.board)
        )
        says = f"{cell}, {CELLS[cell]}, is taken."
        assert (self.shown["announcement"] == says) == is_taken, self

    def expect_call(self, posted: list[Json], played: tuple[int, ...], you: str) -> None:
        """Assert that the board has made one call, for a side in the game after these moves."""
        assert self.game
        (call,) = posted
        arguments = {
            "played": [*played],
            "starts": self.game.starts,
            "you": you,
            "difficulty": self.level,
        }
        assert (call["method"], call["params"]) == (
            "tools/call",
            {"name": "best_move", "arguments": arguments},
        )
        self.waiting, self.failed, self.failure = call, None, ""

    def press_button(self) -> None:
        """Press a visible button, which repeats or makes a call, or starts a new game."""
        if not self.shown["buttons"]:
            return
        label = self.random.choice(self.shown["buttons"])
        failed, game = self.failed, self.game
        posted = self.update(self.page.do("press", "new-game" if label == "new-game" else "act"))
        if label == "Try again":
            assert failed
            self.dropped += [failed] if self.failure == LATE else []
            (call,) = posted
            assert call["params"]["arguments"] == failed["params"]["arguments"] | {
                "difficulty": self.level
            }
            self.waiting, self.failed, self.failure = call, None, ""
        elif label in ("Let it move", "Let it start"):
            assert game
            self.yours = opponent(game.to_move)
            self.expect_call(posted, game.played, game.to_move)
        else:
            assert label in ("Play again", "new-game")
            self.game, self.is_text, self.yours = Call("best_move", (), "X"), False, None
            self.settle()
            self.expect_context(posted)

    def choose_level(self) -> None:
        """Choose a level: the model is informed of it."""
        if not self.forwards:
            return
        self.level = self.random.choice([*RATES])
        posted = self.update(self.page.do("choose", self.level))
        if self.game is not None:
            self.expect_context(posted)

    def answer(self) -> None:
        """Answer the board's call by a result, late or not, by an error, or not at all.

        Or one that does not count.
        """
        if self.dropped and self.random.random() < 0.3:
            shown, dropped = {**self.shown}, self.dropped.pop()
            assert (
                self.update(self.page.do("receive", {"id": dropped["id"], "result": MISTAKE})) == []
            )
            assert self.shown == shown
            return
        call, kind = self.waiting or self.failed, self.random.randrange(6)
        if not call or (self.failed and self.failure != LATE):
            return
        if kind == 0 and self.waiting:
            self.update(
                self.page.do(
                    "receive", {"id": call["id"], "error": {"code": 1, "message": "No server."}}
                )
            )
            self.waiting, self.failed, self.failure = None, call, "The call failed."
        elif kind == 1:
            self.wait()
        else:
            result = result_of("tools/call", call["params"])
            posted = self.update(self.page.do("receive", {"id": call["id"], "result": result}))
            self.waiting, self.failed = None, None
            self.accept(result, Call("best_move", (), "X"))
            self.expect_context(posted)

    def wait(self) -> None:
        """Let a minute pass: no call is awaited longer."""
        is_busy = self.is_busy
        assert self.shown["isWaiting"] == is_busy
        self.update(self.page.do("wait"))
        if is_busy:
            self.waiting, self.failed, self.failure = None, self.waiting, LATE

    def expect_context(self, posted: list[Json]) -> None:
        """Assert that the model gets the side, the level, the moves and, if it was O, who began."""
        (update,) = posted
        assert update["method"] == "ui/update-model-context"
        text = update["params"]["content"][0]["text"]
        side = f" {self.yours}" if self.yours else ""
        assert text.startswith(
            f"The user plays{side} on the board in the chat, against level {self.level}.\n"
        )
        if self.game:
            starter = ", starts: O" if self.game.starts == "O" else ""
            assert f"\nPlayed so far: {[*self.game.played]}{starter}\n" in text

    def check(self) -> None:
        """Assert that all that the board shows is true."""
        game, shown = self.game or Call("", (), "X"), self.shown
        marks = [mark.strip(".") for mark in game.board]
        if (
            self.is_busy
            and self.waiting
            and len(self.waiting["params"]["arguments"]["played"]) > len(game.played)
        ):
            marks[self.waiting["params"]["arguments"]["played"][-1]] = game.to_move
        assert [cell["mark"] for cell in shown["cells"]] == marks
        offered = [self.can_play and not mark for mark in marks]
        assert [cell["isOffered"] for cell in shown["cells"]] == offered
        winning = {at for at, cell in enumerate(shown["cells"]) if cell["isWinning"]}
        lines = [
            {*line}
            for line in referee.ROWS_OF_THREE
            if {game.board[at] for at in line} in ({"X"}, {"O"})
        ]
        assert winning in (lines or [set()])
        for at, cell in enumerate(shown["cells"]):
            assert cell["name"].startswith(f"{at}, {CELLS[at]}, {marks[at] or 'empty'}")
        assert shown["hasBoard"] != (self.is_text or self.is_correcting)
        assert shown["isWaiting"] == self.is_busy
        assert shown["level"] == self.level
        assert shown["status"] == self.status(game)
        assert bool(shown["problem"]) == bool(self.failure)
        step = self.next_step(game)
        has_new_game = self.forwards and not self.is_correcting and step != ["Play again"]
        assert shown["buttons"] == step + ["new-game"] * has_new_game
        assert shown["hasLevel"] == has_new_game
        if self.game and referee.is_over(game.board) and not self.failure:
            self.check_review(self.game)

    def check_review(self, call: Call) -> None:
        """Assert that the sentence after a game names the mistake that decided it."""
        played = call.played
        game = truth.Game(starts=call.starts, played=played, at=len(played), you=self.yours or "")
        mistake = truth.decisive(game)
        own = mistake.index if mistake and game.plays(mistake.mover) else None
        check_review(game, self.shown["sentence"], own)

    def status(self, game: Call) -> str:
        """Return the status that is true."""
        if self.failure or self.is_busy:
            return self.failure or "The oracle is thinking."
        if self.is_correcting:
            return "The chat's model is correcting its call."
        if self.is_text:
            return "This chat client supports only text."
        winner = next((mark for mark in "XO" if referee.has_won(game.board, mark)), "")
        if winner:
            ending = {None: f"{winner} won.", winner: f"You won with {winner}."}
            return ending.get(self.yours, f"You lost: {winner} won.")
        if referee.is_over(game.board):
            return "A draw."
        return (
            f"Your turn ({game.to_move})."
            if self.yours == game.to_move
            else f"{game.to_move} to move."
        )

    def next_step(self, game: Call) -> list[str]:
        """Return the label of the button for the next step, if there must be one."""
        if not self.forwards or (self.failure and not self.failed):
            return []
        if self.failed:
            return ["Try again"]
        if self.is_busy or self.is_text or self.is_correcting:
            return []
        if referee.is_over(game.board):
            return ["Play again"]
        return (
            [] if self.yours == game.to_move else ["Let it move" if game.played else "Let it start"]
        )


def test_all_that_the_board_shows_is_true(page: Page) -> None:
    """After each event of generated chats, all that the board shows is that of the game."""
    random = Random(4)  # noqa: S311, the same chats in each run
    seen: Counter[str] = Counter()
    for _ in range(GAMES):
        chat = Chat(page, random, forwards=random.random() < 0.9)
        chat.open()
        chat.check()
        for _ in range(25):
            event = random.choices(
                [
                    chat.model_calls,
                    chat.choose_cell,
                    chat.press_button,
                    chat.choose_level,
                    chat.answer,
                    chat.wait,
                ],
                [1 if chat.game or chat.failure or chat.is_text else 9, 9, 2, 1, 5, 1],
            )[0]
            event()
            chat.check()
            seen[chat.shown["status"].split(":")[0]] += 1
    assert len(seen) == 16, seen
