"""All that the board in a chat shows is true: the referee checks each moment in Node.js."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Final

import pytest

from best_move.engine.choice import RATES
from tests.browser.playground import CELLS
from tests.truth import game as truth
from tests.truth import referee
from tests.truth.referee import opponent
from tests.web.chatbots.calls import Call, any_call, right
from tests.web.chatbots.messages import Json, result_of
from tests.web.pages.scripts import Scripts, running
from tests.web.pages.test_play_page import check_review, end_of, winning_lines

GAMES: Final = 150
MISTAKE: Final = {
    "isError": True,
    "content": [{"type": "text", "text": "Move 2 plays cell 4, but X took it."}],
}


@pytest.fixture(scope="module")
def page() -> Iterator[Scripts]:
    """Run the script of the board."""
    with running("chat_page.mjs") as scripts:
        yield scripts


@dataclass
class Chat:
    """A chat with a board: what happened, and what must therefore be true of the board."""

    page: Scripts
    random: Random
    forwards: bool  # whether the client forwards calls and context updates
    game: Call | None = None  # None before the first result
    review: str | None = None  # the review of a finished game in the last result with fields
    is_text: bool = False  # whether the result had no fields
    yours: str | None = None
    level: str = "perfect"
    pending: Json | None = None  # the board's call that is running or has failed
    is_answered: bool = False  # whether that call has got its response
    failure: str = ""
    is_correcting: bool = False  # whether the model's call failed before any result
    shown: Json = field(default_factory=dict)
    dropped: list[Json] = field(default_factory=list)  # calls whose responses do not count

    def open(self) -> None:
        """Open the board of a model's call."""
        capabilities: Json = {}
        if self.forwards:
            capabilities = {"serverTools": {}, "updateModelContext": {"text": {}}}
        self.cause("open", {"levels": [*RATES], "capabilities": capabilities})

    def cause(self, event: str, value: object = None) -> list[Json]:
        """Cause an event, and keep what the board then shows; return the messages posted."""
        self.page.write([event, value])
        self.shown = self.page.read()
        posted: list[Json] = self.shown.pop("posted")
        return [message for message in posted if "ui/initialize" not in message["method"]]

    def notify(self, name: str, params: Json) -> None:
        """Let the client send a notification."""
        self.cause("receive", {"method": f"ui/notifications/{name}", "params": params})

    def reply(self, call: Json, **response: object) -> list[Json]:
        """Let the client respond to the board's call; return the messages posted."""
        return self.cause("receive", {"id": call["id"], **response})

    def expect(self, pending: Json | None = None) -> None:
        """Note which call of the board is running."""
        self.pending = pending
        self.is_answered = False
        self.failure = ""

    @property
    def is_busy(self) -> bool:
        """Whether a result is awaited, and the board has not given up."""
        has_result = self.game is not None or self.is_text or self.is_correcting
        return not self.failure and (self.pending is not None or not has_result)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.game is not None and referee.is_over(self.game.board)

    @property
    def can_play(self) -> bool:
        """Whether the user can make a move."""
        if not self.forwards or self.game is None or self.is_over:
            return False
        if self.pending:
            return False
        return self.yours in (None, self.game.to_move)

    def settle(self) -> None:
        """Note that the board has no call any more, and that nothing has failed."""
        self.drop()
        self.expect()
        self.is_correcting = False

    def drop(self) -> None:
        """Note that a response to the board's call does not count any more."""
        if self.pending and not self.is_answered:
            self.dropped.append(self.pending)

    def accept(self, result: Json, call: Call) -> None:
        """Note a result that the board gets for a call."""
        self.settle()
        if result.get("isError"):
            self.failure = "The call failed."
            return
        fields = result.get("structuredContent")
        self.is_text = fields is None
        self.game = None
        if fields:
            self.game = Call(call.tool, tuple(fields["played"]), fields["starts"])
            self.review = fields["review"]

    def model_calls(self) -> None:
        """Let the model call a tool, and the client pass on the call and its result."""
        sent = right(any_call(self.random), self.random)
        call, arguments = sent.call, sent.arguments
        self.notify("tool-input", {"arguments": arguments})
        result = result_of("tools/call", {"name": call.tool, "arguments": arguments})
        match self.random.randrange(10):
            case 0:
                self.notify("tool-cancelled", {})
                self.is_correcting = False
                self.failure = "The call was canceled."
            case 1:
                self.notify("tool-result", MISTAKE)
                if not (self.game or self.is_text):
                    self.settle()
                    self.is_correcting = True
            case 2:
                self.model_gets({"content": result["content"]}, call)
            case _:
                self.model_gets(result, call)

    def model_gets(self, result: Json, call: Call) -> None:
        """Let the client pass on the result of the model's call."""
        self.notify("tool-result", result)
        self.accept(result, call)
        self.yours = None
        if self.is_text:
            return
        if call.you:
            self.yours = opponent(call.you)
        if call.tool == "best_move":
            self.level = call.level or "perfect"
        elif call.tool != "judge_move":
            pytest.fail(f"Say in `model_gets` what the board keeps of a call of {call.tool}.")

    def choose_cell(self) -> None:
        """Choose any cell by a click or a key: a call is made only if the user may play there."""
        cell = self.random.randrange(9)
        game = self.game
        is_free = game is not None and game.board[cell] == "."
        may_play = self.can_play and is_free
        posted = self.cause(*self.random.choice([("click", cell), ("key", str(cell))]))
        if game and may_play:
            self.yours = game.to_move
            self.expect_call(posted, (*game.played, cell), opponent(game.to_move))
            return
        assert posted == []
        is_taken = game is not None and not is_free and not self.is_over
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
        assert call["method"] == "tools/call"
        assert call["params"] == {"name": "best_move", "arguments": arguments}
        self.expect(call)

    def press_button(self) -> None:
        """Press a visible button, which repeats or makes a call, or starts a new game."""
        if not self.shown["buttons"]:
            return
        label = self.random.choice(self.shown["buttons"])
        posted = self.cause("press", "new-game" if label == "new-game" else "act")
        if label == "Try again":
            self.expect_repeated(posted)
        elif label in ("Let it move", "Let it start"):
            assert self.game
            mover = self.game.to_move
            self.yours = opponent(mover)
            self.expect_call(posted, self.game.played, mover)
        else:
            assert label in ("Play again", "new-game")
            self.game = Call("best_move", (), "X")
            self.is_text = False
            self.yours = None
            self.settle()
            self.expect_context(posted)

    def expect_repeated(self, posted: list[Json]) -> None:
        """Assert that the board has repeated its failed call, at the level of now."""
        assert self.pending
        self.drop()
        (call,) = posted
        repeated = self.pending["params"]["arguments"] | {"difficulty": self.level}
        assert call["params"]["arguments"] == repeated
        self.expect(call)

    def choose_level(self) -> None:
        """Choose a level: the model is informed of it."""
        if not self.forwards:
            return
        self.level = self.random.choice([*RATES])
        posted = self.cause("choose", self.level)
        if self.game is not None:
            self.expect_context(posted)

    def answer(self) -> None:
        """Answer the board's call by a result, late or not, by an error, or not at all.

        Or one that does not count.
        """
        if self.dropped and self.random.random() < 0.3:
            shown = self.shown
            assert self.reply(self.dropped.pop(), result=MISTAKE) == []
            assert self.shown == shown
            return
        call = self.pending
        kind = self.random.randrange(6)
        if not call or self.is_answered:
            return
        if kind == 0:
            self.reply(call, error={"code": 1, "message": "No server."})
            self.is_answered = True
            self.failure = "The call failed."
        elif kind == 1:
            self.wait()
        else:
            result = result_of("tools/call", call["params"])
            posted = self.reply(call, result=result)
            self.expect()
            self.accept(result, Call("best_move", (), "X"))
            self.expect_context(posted)

    def wait(self) -> None:
        """Let a minute pass: no call is awaited longer."""
        is_busy = self.is_busy
        self.cause("wait")
        if is_busy:
            self.failure = "No answer yet."

    def expect_context(self, posted: list[Json]) -> None:
        """Assert that the model gets the side, the level, the moves and who began."""
        (update,) = posted
        assert update["method"] == "ui/update-model-context"
        text = update["params"]["content"][0]["text"]
        side = f" {self.yours}" if self.yours else ""
        assert text.startswith(
            f"The user plays{side} on the board in the chat, against level {self.level}.\n"
        )
        if self.game:
            played = [*self.game.played]
            assert f"\nPlayed so far: {played}, starts: {self.game.starts}\n" in text

    def check(self) -> None:
        """Assert that all that the board shows is true."""
        game = self.game or Call("", (), "X")
        step = self.next_step(game)
        has_new_game = self.forwards and not self.is_correcting and step != "Play again"
        buttons = [step, "new-game" if has_new_game else ""]
        truths = {
            "hasBoard": not (self.is_text or self.is_correcting),
            "isWaiting": self.is_busy,
            "level": self.level,
            "hasLevel": has_new_game,
            "status": self.status(game),
            "buttons": [button for button in buttons if button],
        }
        assert {name: self.shown[name] for name in truths} == truths
        assert bool(self.shown["problem"]) == bool(self.failure)
        must_write = not (self.forwards or self.failure or self.game is None or self.is_over)
        assert ("Write your move in the chat." in self.shown["sentence"]) == must_write
        self.check_cells(game)
        if self.is_over and not self.failure:
            check_review(self.finished(game), self.shown["sentence"])
            self.check_same_mistake()

    def check_same_mistake(self) -> None:
        """Assert that the board names the same mistake as the review, which the model gets."""
        assert self.review
        sentence = self.shown["sentence"]
        found = re.match("The last mistake was ([XO])'s ([0-8]) ", self.review)
        if not found:
            assert (self.review, sentence) == ("No side made a mistake.", "Nobody made a mistake.")
            return
        mover, cell = found.groups()
        subject = "You" if mover == self.yours else mover
        assert sentence.startswith(subject), self.review
        assert f" the {CELLS[int(cell)]}: " in sentence, self.review

    def check_cells(self, game: Call) -> None:
        """Assert that the cells show the marks, the winning line and where the user can play."""
        cells = self.shown["cells"]
        marks = self.marks(game)
        winning = [at for at, cell in enumerate(cells) if cell["isWinning"]]
        assert winning in (winning_lines(game.board) or [[]])
        for at, (cell, mark) in enumerate(zip(cells, marks, strict=True)):
            assert cell["mark"] == mark
            assert cell["isOffered"] == (self.can_play and not mark)
            assert cell["name"].startswith(f"{at}, {CELLS[at]}, {mark or 'empty'}")

    def marks(self, game: Call) -> list[str]:
        """Return the marks to show: those of the game, and a move whose response is awaited."""
        marks = [mark.strip(".") for mark in game.board]
        if self.is_busy and self.pending:
            played = self.pending["params"]["arguments"]["played"]
            if len(played) > len(game.played):
                marks[played[-1]] = game.to_move
        return marks

    def finished(self, call: Call) -> truth.Game:
        """Return a finished game as the playground would show it."""
        played = call.played
        return truth.Game(starts=call.starts, played=played, at=len(played), you=self.yours or "")

    def status(self, game: Call) -> str:
        """Return the status that is true."""
        if self.failure or self.is_busy:
            return self.failure or "The oracle is thinking."
        if self.is_correcting:
            return "The chat's model is correcting its call."
        if self.is_text:
            return "This chat client supports only text."
        if self.is_over:
            return end_of(self.finished(game))
        is_yours = self.yours == game.to_move
        return f"Your turn ({game.to_move})." if is_yours else f"{game.to_move} to move."

    def next_step(self, game: Call) -> str:
        """Return the label of the button for the next step, if there must be one."""
        if not self.forwards:
            return ""
        if self.failure and self.pending:
            return "Try again"
        if self.is_busy or self.is_text or self.is_correcting or self.game is None:
            return ""
        if self.is_over:
            return "Play again"
        if self.yours == game.to_move:
            return ""
        return "Let it move" if game.played else "Let it start"


def test_all_that_the_board_shows_is_true(page: Scripts) -> None:
    """After each event of generated chats, all that the board shows is that of the game."""
    random = Random(4)  # noqa: S311, the same chats in each run
    seen: Counter[str] = Counter()
    for _ in range(GAMES):
        chat = Chat(page, random, forwards=random.random() < 0.9)
        chat.open()
        chat.check()
        for _ in range(25):
            is_settled = chat.game or chat.failure or chat.is_text
            weights = {
                chat.model_calls: 1 if is_settled else 9,
                chat.choose_cell: 9,
                chat.press_button: 2,
                chat.choose_level: 1,
                chat.answer: 5,
                chat.wait: 1,
            }
            (event,) = random.choices([*weights], [*weights.values()])
            event()
            chat.check()
            seen[chat.shown["status"].split(":")[0]] += 1
    assert len(seen) == 16, seen
