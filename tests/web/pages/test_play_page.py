"""All that the playground shows is true: Node.js runs its scripts, and the referee checks them."""

import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count, product
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qsl, urlencode, urlsplit
from xml.etree import ElementTree as ET

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.browser.playground import CELLS
from tests.fuzzing import EXAMPLES
from tests.truth import game as truth
from tests.truth import referee
from tests.truth.game import EMPTY, Game, grades, parse, turns
from tests.truth.referee import opponent
from tests.web.pages.scripts import Scripts, running

POSITIONS: Final = sorted(referee.reachable())
VISITS: Final = 2 * EXAMPLES

DRAWN: Final = {"random": "X"}  # the side that starts by lot, as Node.js draws it
OUTCOMES: Final = {1: "win", 0: "draw", -1: "loss"}
SETTINGS: Final = ("hints", "view", "level", "tie_break", "first", "side", "mark", "place", "clear")
REPLACING: Final = ("reload", "you", "arrow", "Start", "Resume")
OPTIONS: Final = {"level": "difficulty", "tie_break": "tie_break", "first": "first"}
RADIOS: Final = {"you": "you", "side": "starts"}
BUTTONS: Final = {
    **{name: name for name in ("act", "undo", "hints", "clear", "cancel")},
    "new": "new-game",
    "set_up": "set-up",
    "play": "play-from-here",
    "attempt": "try-move",
}
BEGINNING: Final = ("new", "play", "Play again", "Watch again")
VIEWS: Final = ["play", "explain"]
FIRST: Final = ["X", "O", "random"]
PLAYERS: Final = ["X", "O", "both", "nobody"]

Moment = dict[str, Any]
Gesture = tuple[str, Any]

#  What media queries match: a mouse beside a keyboard, and a preference for less motion.
KEYBOARD: Final = "(hover: hover) and (pointer: fine)"
REFUSAL: Final = (
    "is taken by|^The game is over|To play, choose X or O|has not responded yet|the oracle's turn"
)
MISTAKE: Final = ", a mistake, better was "
BY_NUMBER: Final = ", or press its number"
CALM: Final = "(prefers-reduced-motion: reduce)"


class Page:
    """The scripts of the playground in Node.js, whose requests the application answers."""

    def __init__(self, client: FlaskClient, scripts: Scripts) -> None:
        self._client = client
        self._scripts = scripts
        self.is_cut_off = False  # whether requests get no response
        self.proxy: dict[str, Any] | None = None  # what a proxy responds instead of the service
        self.options: Final[dict[str, list[str]]] = {}
        self.defaults: Final[dict[str, str]] = {}
        lists = re.findall(r'<select name="(\w+)"(.*?)</select>', client.get("/").text, re.DOTALL)
        for name, inside in lists:
            self.options[name] = re.findall(r'<option value="(\w+)"', inside)
            (self.defaults[name],) = re.findall(r'value="(\w+)" selected', inside)
        scripts.write(client.get("/").text)

    def do(self, *actions: Gesture) -> Moment:
        """Perform actions in the same instant.

        Return the moments that follow, the URLs requested, and the texts copied.
        """
        self._scripts.write(actions)
        message: Moment = self._scripts.read()
        while "moments" not in message:
            answer = None if self.is_cut_off else self.proxy or self.ask(message["url"])
            self._scripts.write(answer)
            message = self._scripts.read()
        return message

    def advice(self, game: Game) -> dict[str, Any]:
        """Return the best move on a game's board, or the error of the board."""
        query = {"board": game.board} | ({"starts": game.starts} if game.starts else {})
        body: dict[str, Any] = self.ask(f"/best-move?{urlencode(query)}")["body"]
        return body

    def problem(self, game: Game) -> str:
        """Return the error of a game's board as users are told it; empty if there is none."""
        return "" if game.is_legal else re.sub(" Send .*", "", self.advice(game)["detail"])

    def ask(self, url: str) -> dict[str, Any]:
        """Return the response to a request; random moves are the same in each run."""
        response = self._client.get(f"{url}&seed=1" if "difficulty=" in url else url)
        return {"status": response.status_code, "body": response.json}


@pytest.fixture(scope="module")
def page(app: Flask) -> Iterator[Page]:
    """Run the scripts of the playground."""
    with running("play_page.mjs") as scripts:
        yield Page(app.test_client(), scripts)


@dataclass(frozen=True)
class Link:
    """A query of the playground's URL, what it means, and the same request for a move."""

    query: str
    game: Game
    ignored: Sequence[str] = ()
    request: str = ""
    is_valid: bool = True


class Links:
    """Links to any board, legal or not, with moves and other parts, some of which are invalid."""

    def __init__(self, dice: random.Random, options: Mapping[str, list[str]]) -> None:
        self._dice = dice
        self._options = options
        self._parts: list[tuple[str, str]] = []
        self._ignored: list[str] = []

    def link(self) -> Link:
        """Return a link."""
        dice = self._dice
        first = self._pick("first", FIRST, "X")
        start, starts, unreadable = self._board(DRAWN.get(first, first))
        is_named = dice.random() < 0.5
        starts = self._starter(start, starts, is_named=is_named)
        game = self._moves(Game(start, starts, first=first))
        tail = self._illegal_moves(game)
        cells = [*map(str, game.played), *tail]
        request = {"board": unreadable or start}
        if cells:
            request["played"] = ",".join(cells)
        if is_named or start == EMPTY:
            request["starts"] = starts
        if is_named:
            self._add("starts", starts)
        game = self._others(game, starts if is_named else "")
        dice.shuffle(self._parts)
        self._add_played(cells)
        return Link(
            f"?{urlencode(self._parts)}",
            game,
            self._ignored,
            f"/best-move?{urlencode(request)}",
            is_valid=game.is_legal and not unreadable and not tail,
        )

    def _starter(self, start: str, starts: str, *, is_named: bool) -> str:
        """Return the side that started: one that the link names, or the one that is inferred."""
        if is_named:
            return opponent(starts) if self._dice.random() < 0.3 else starts
        return starts if start == EMPTY else Game(start, "").starter

    def _moves(self, game: Game) -> Game:
        """Return the game after up to nine legal moves."""
        for _ in range(self._dice.randrange(10)):
            if game.is_running:
                game = game.after(self._dice.choice(referee.moves(game.board)))
        return game

    def _add_played(self, cells: list[str]) -> None:
        """Add the moves, mostly as one list."""
        if self._dice.random() < 0.9:
            self._parts.append(("played", ",".join(cells)))
        else:
            self._parts += [("played", cell) for cell in cells]

    def _add(self, name: str, value: str, *, is_valid: bool = True) -> None:
        is_lower = is_valid and self._dice.random() < 0.1
        self._parts.append((name, value.lower() if is_lower else value))
        if not is_valid:
            note = " (not nine of X, O and .)" if name == "board" else ""
            self._ignored.append(f"{name}={value}{note}")

    def _pick(self, name: str, values: list[str], default: str) -> str:
        """Add any value of a parameter, or none; return the value that counts."""
        value = default
        if self._dice.random() < 0.5:
            value = self._dice.choice([default, *values, "Z"])
        if value and (value != default or self._dice.random() < 0.1):
            self._add(name, value, is_valid=value != "Z")
        return default if value == "Z" else value

    def _board(self, starts: str) -> tuple[str, str, str]:
        """Add any board; return it, the side that started, and the text if it is not a board."""
        start, unreadable = EMPTY, ""
        match self._dice.choice(["new"] * 3 + ["legal"] * 2 + ["illegal", "unreadable"]):
            case "legal":
                start, side = self._dice.choice(POSITIONS)
                starts = referee.starter(start, side)
            case "illegal":
                start = "".join(self._dice.choices("XO.", k=9))
            case "unreadable":
                unreadable = self._dice.choice(["hello", "XO", f"{EMPTY}.", "X...Q...."])
                self._add("board", unreadable, is_valid=False)
        if start != EMPTY:
            self._add("board", start)
        return start, starts, unreadable

    def _illegal_moves(self, game: Game) -> list[str]:
        """Return cells of which the first cannot be played, but mostly none."""
        if self._dice.random() >= 0.2:
            return []
        illegal = [cell for cell in range(9) if not game.is_running or game.board[cell] != "."]
        cells = [
            self._dice.choice(["9", "x", "-1", *map(str, illegal)]),
            *self._dice.choices("012345678", k=2),
        ]
        self._ignored.append(f"played={','.join(cells)}")
        return cells

    def _others(self, game: Game, starts: str) -> Game:
        """Add all other parts; return the game with them. `starts` is the link's side, or empty."""
        game = self._settings(self._at(game))
        if self._dice.random() < 0.1:
            name = self._dice.choice(["bord", "algorithm", "constructor", "__proto__"])
            self._add(name, "X", is_valid=False)
        if self._dice.random() < 0.1:
            self._add("set_up", "true")
            return set_up(game, starts or (said_starter(game) if game.played else ""))
        return game

    def _at(self, game: Game) -> Game:
        """Add which move is shown, if so; return the game with it."""
        if self._dice.random() >= 0.3:
            return game
        last = len(game.played)
        text = self._dice.choice([*map(str, range(last + 1)), "99", "-1", "1.5", "x"])
        is_valid = text.isdecimal() and int(text) <= last
        self._add("at", text, is_valid=is_valid)
        return replace(game, at=int(text)) if is_valid else game

    def _settings(self, game: Game) -> Game:
        """Add settings; return the game with them."""
        names = sorted(self._options)
        options = [(name, self._pick(name, self._options[name], "")) for name in names]
        return replace(
            game,
            you=self._pick("you", PLAYERS, "X"),
            view=self._pick("view", VIEWS, "play"),
            has_hints=self._pick("analysis", ["true", "true", "false"], "false") == "true",
            options=tuple((name, value) for name, value in options if value),
        )


def said_starter(game: Game) -> str:
    """Return who started, for a board that is set up; empty if the board alone says so."""
    is_inferred = game.starts == Game(game.board, "").starter
    return "" if is_inferred else game.starts


def set_up(game: Game, starts: str) -> Game:
    """Return the game while its board is set up."""
    return replace(game, start=game.board, starts=starts, played=(), at=0, is_set_up=True)


class Entry(NamedTuple):
    """An entry of the browser's history: the game shown, and its number among the visit's games."""

    game: Game
    number: int


class Visit:
    """A user's visit, and what must follow from each action by the rules of the game."""

    def __init__(
        self, page: Page, link: Link, early: int | None = None, media: Sequence[str] = (KEYBOARD,)
    ) -> None:
        """Follow a link; if `early` is a cell, click on it before any response."""
        self.page: Final = page
        self.game = link.game
        self.before: list[Entry] = []  # the entries of the history to which Back leads
        self.shapes: set[str] = set()  # of the texts shown
        self.is_paused = False
        self.shown: Moment = {}  # what the page shows now
        self._media = media
        self._before_set_up: Game | None = None
        self._ignored = [*link.ignored]  # until the user does something
        self._task = ""
        self._is_made = False  # whether the last action made a move
        self._numbers = count(1)
        self._number = 0  # of this game among those of the visit
        self._ended: set[int] = set()  # the numbers of the games that have ended
        self._score: Counter[str] = Counter()
        actions: list[Gesture] = [("visit", (link.query, media))]
        refusal = None
        if early is not None:
            actions.append(("click", early))
            refusal = self._click(early, is_known=link.game.start == EMPTY)
        self._perform(actions, [refusal])

    def click(self, *cells: int, by_key: bool = False) -> None:
        """Choose cells in the same instant."""
        self._is_made = False
        refusals = [self._click(cell, is_known=True) for cell in cells]
        gestures: list[Gesture] = [("click", cell) for cell in cells]
        if by_key:
            gestures = [("press", ("", str(cell))) for cell in cells]
        self._perform(gestures, refusals)
        if by_key:
            assert self.shown["focused"] == cells[-1]

    def do(self, name: str, value: Any = None) -> None:
        """Perform any other action."""
        last, entries = self.game, len(self.before)
        self._is_made = False
        step = {"escape": "cancel"}.get(name, name)
        if name == "act":
            step = button_of(last, is_paused=self.is_paused)
        if name == "first" and not last.has_begun and not last.is_set_up:
            self.game = replace(last, first=value)
            step = "new"
        if name in ("level", "tie_break") and value == self.page.defaults[OPTIONS[name]]:
            self._go(last, name, None)
        else:
            self._go(last, step, value)
        if step == "set_up":
            self._before_set_up = last
        elif step == "reload":
            self._before_set_up = None
        self._set_task(last, step, value)
        is_stopped = step in ("undo", "back") and self.game.you == "nobody"
        self.is_paused = is_stopped or step == "arrow" or (step in SETTINGS and self.is_paused)
        self._ignored = []
        changed = ""
        if name in ("mark", "place"):
            cell = value[0]
            changed = f"{cell}, {CELLS[cell]}: {self.game.start[cell].replace('.', 'empty')}."
        is_back = len(self.before) < entries  # the browser goes back after the first moment
        self._perform(gestures_of(name, value), [None], first=int(is_back), changed=changed)

    def _set_task(self, last: Game, step: str, value: Any) -> None:
        """Note the task of a user who tries a move again, until the board changes."""
        is_same = (self.game.board, self.game.is_set_up) == (last.board, last.is_set_up)
        if step == "reload" or not is_same:
            self._task = ""
        if step == "attempt":
            self._task = f"Find a better move than the {CELLS[last.played[value]]}."

    def _go(self, last: Game, step: str, value: Any) -> None:
        """Go to the game that a step leads to, which is a new entry of the history or the last."""
        after = game_after(self.game, step, value)
        if step == "cancel":
            after = self._before_set_up or game_after(last, "new", None)
            if not self._before_set_up:
                after = replace(after, is_set_up=False)
                step = "new"
        entry = self.before[-1] if self.before else None
        if entry and (step == "back" or (step == "undo" and entry.game == after)):
            self.game, self._number = self.before.pop()
            return
        self.game = after
        if step not in (*SETTINGS, *REPLACING):
            self.before.append(Entry(last, self._number))
        if step in BEGINNING:
            self._number = next(self._numbers)

    def watch(self) -> None:
        """Let the oracle play alone, and pause it at once."""
        self.game = replace(self.game, you="nobody")
        self.is_paused = True
        self._ignored = []
        self._perform([("radio", ("you", "nobody")), ("button", "act")], [None], first=1)

    def _click(self, cell: int, *, is_known: bool) -> str | None:
        """Follow a click; return why it does nothing, or None if it makes a move.

        `is_known` is whether the service has accepted the board.
        """
        refusal = refusal_of(self.game, cell, is_paused=self.is_paused, is_known=is_known)
        if refusal is None:
            self.before.append(Entry(self.game, self._number))
            self.game = self.game.after(cell)
            self.is_paused = False
            self._task = ""
            self._is_made = True
            self._ignored = []
        return refusal

    def _perform(
        self,
        actions: list[Gesture],
        refusals: list[str | None],
        *,
        first: int = 0,
        changed: str = "",
    ) -> None:
        """Perform actions, and check every moment that follows, from an index on.

        `refusals` are the reasons why clicks do nothing, None for any other action.
        """
        answer = self.page.do(*actions)
        moments = answer["moments"]
        last = self.shown = moments[-1]
        self._follow(parse(last["address"]), answer["urls"])
        for moment in moments[first:]:
            self._check(parse(moment["address"]), moment, is_last=moment is last)
            told = split(moment["sentence"])[0]
            assert told in refusals or not re.search(REFUSAL, told), "of an earlier click"
        refusal = refusals[-1]
        assert last["depth"] == len(self.before) + 1
        sentence, ignored = split(last["sentence"])
        is_refused = sentence == refusal
        if refusal:
            assert refusal in [split(moment["sentence"])[0] for moment in moments]
            assert any(cell["refused"] for cell in last["cells"])
        if not is_refused:
            problem = self.page.problem(self.game)
            check_sentence(self.game, last, problem, is_paused=self.is_paused, task=self._task)
            assert sorted(ignored) == sorted(self._ignored)
            is_choice = sentence.startswith("Choose a cell")
            assert (BY_NUMBER in sentence) == (is_choice and KEYBOARD in self._media)
        announced = announcement_of(self.game, last["status"], sentence, changed)
        assert last["announcement"] in [announced, *[refusal] * is_refused]
        check_ends(self.game, last, last["mistake"])
        self._check_explanation(last)
        shown = [last[name] for name in ("status", "act", "score")]
        self.shapes.update(map(shape, [*shown, sentence, refusal or ""]))
        self._check_score(last["score"])

    def _check_explanation(self, moment: Moment) -> None:
        """Check what the open panel says about a board of which all responses have arrived."""
        game = self.game
        if game.view != "explain":
            assert moment["panel"] == ""
            return
        if not game.is_legal:
            assert moment["panel"] == self.page.problem(game)
            return
        advice = self.page.advice(game)
        if game.is_over or game.is_set_up:
            back = "Explain the position before the last move" if game.at else ""
            assert moment["panel"] == advice["text"] + back
        else:
            check_explanation(game, moment["explanation"], advice)

    def _follow(self, actual: Game, urls: list[str]) -> None:
        """Assert that the page shows the game after the oracle's move, or all its moves if alone.

        The oracle moves as its options say; hints do not depend on them.
        """
        game = self.game
        if not game.is_legal:
            game = replace(game, starts=actual.starts)
        levels = []
        for url in urls:
            query = dict(parse_qsl(urlsplit(url).query))
            options = {name: query[name] for name in self.page.options if name in query}
            if options:
                assert options == self.page.defaults | dict(game.options)
                levels.append(options)
        for cell in actual.played[len(game.played) :]:
            assert game.is_its_turn
            assert not self.is_paused
            assert cell in referee.moves(game.board)
            assert levels.pop()
            game = game.after(cell)
            self._is_made = True
            self._task = ""
        assert not levels or self.is_paused or not game.is_legal
        assert game == actual
        assert self.is_paused or not game.is_its_turn
        self.game = game

    def _check(self, game: Game, moment: Moment, *, is_last: bool) -> None:
        """Check what the page shows at a moment; before the last, it may lack responses."""
        self._check_status(game, moment, is_last=is_last)
        check_address(game, moment)
        check_controls(game, moment, self.page.defaults)
        if is_last:
            assert not moment["isBusy"]
            assert not moment["isPanelBusy"]
            problem = "" if game.is_set_up else self.page.problem(game)
            assert moment["problem"] == problem
            leaving = {"play-from-here", "search-from-here"}
            assert leaving & {*moment["disabled"]} == (set() if game.is_legal else leaving)
        check_cells(game, moment, is_last=is_last)
        check_steps(game, moment, is_last=is_last)

    def _check_status(self, game: Game, moment: Moment, *, is_last: bool) -> None:
        """Check the status, the side that the user plays, and the primary button."""
        can_play = game.is_running and game.is_yours
        status = status_of(game, is_paused=self.is_paused)
        if not is_last and game.start != EMPTY and can_play and not moment["side"]:
            assert moment["status"] in ("One moment.", status)
        elif is_last or game.is_legal:
            assert moment["status"] == status
            assert moment["side"] == (game.side if can_play else "")
            assert moment["act"] == button_of(game, is_paused=self.is_paused)
        assert moment["title"] == f"{moment['status'].removesuffix('.')} \u00b7 Best Move"

    def _check_score(self, shown: str) -> None:
        """Assert that the score counts each game against the oracle when it first ends here."""
        game = self.game
        is_against = game.you in ("X", "O")
        if has_ended(game) and self._number not in self._ended:
            self._ended.add(self._number)
            if self._is_made and is_against:
                self._score[result_of(game)] += 1
        expected = []
        if is_against and self._score.total():
            names = ["You", "Oracle", *["Drawn"] * bool(self._score["Drawn"])]
            expected = [f"{name}\xa0{self._score[name]}" for name in names]
        assert shown == "\xa0\u00b7 ".join(expected)


def gestures_of(name: str, value: Any) -> list[Gesture]:
    """Return the gestures of the user who performs an action."""
    found = [(name, value)]
    if name in BUTTONS:
        found = [("button", BUTTONS[name])]
    elif name in OPTIONS:
        found = [("option", (OPTIONS[name], value))]
    elif name in RADIOS:
        found = [("radio", (RADIOS[name], value))]
    elif name == "arrow":
        found = [("arrow", ("you", value))]
    elif name == "escape":
        found = [("press", ("", "Escape"))]
    elif name == "view":
        found = [("tab", (VIEWS.index(value), ""))]
    elif name == "mark":
        cell, mark = value
        found = [("key", (cell, {"X": "x", "O": "O", ".": "Delete"}[mark]))]
    elif name == "place":
        cell, mark = value
        found = [("radio", ("place", mark)), ("click", cell)]
    return found


def split(text: str) -> tuple[str, list[str]]:
    """Return the sentence beside the board, and what the page says that it ignored."""
    sentence, *ignored = re.split(r"(?:^| )Ignored: ", text)
    return sentence, [each.removesuffix(".") for each in ignored]


def announcement_of(game: Game, status: str, sentence: str, changed: str) -> str:
    """Return what is announced: the sentence and the status, in the order of their weight.

    A cell that was set up is announced instead of the status.
    """
    if not game.is_legal and not game.is_set_up:
        return ""
    texts = [status, sentence] if game.is_over else [sentence, status]
    return " ".join([changed, sentence] if changed else texts).strip()


def check_controls(game: Game, moment: Moment, defaults: Mapping[str, str]) -> None:
    """Assert that the controls show the choices of a game, and are those that it needs."""
    is_setting_up = game.is_set_up
    expected = {
        "playing-bar": not is_setting_up,
        "playing": not is_setting_up,
        "set-up-bar": is_setting_up,
        "setting-up": is_setting_up,
        "play": game.view == "play",
        "explain": game.view == "explain",
        "no-moves": not game.played,
        "moves": game.played != (),
        "act": moment["act"] != "",
    }
    shown = {name: name in moment["shown"] for name in expected}
    assert shown == expected
    assert moment["hints"] == str(game.has_hints).lower()
    starts = game.starts if is_setting_up else ""
    assert moment["chosen"]["you"] == [game.you]
    assert moment["chosen"]["starts"] == [starts]
    assert moment["options"] == {"first": game.first} | dict(defaults) | dict(game.options)
    is_first = game.view == "play"
    assert moment["tabs"] == [["true", 0], ["false", -1]][:: 1 if is_first else -1]
    query = {"board": game.board} | ({"starts": game.starts} if game.starts else {})
    assert moment["call"] == f"docs?{urlencode(query)}#getBestMove"
    assert ("undo" in moment["disabled"]) == (game.last_own is None)
    assert moment["isSetUp"] == is_setting_up


def result_of(game: Game) -> str:
    """Return the name of the count that a finished game adds to."""
    if not game.winner:
        return "Drawn"
    return "You" if game.plays(game.winner) else "Oracle"


def check_address(game: Game, moment: Moment) -> None:
    """Assert that a URL leads to the same game, and has only what differs from a new game."""
    address = moment["address"]
    assert not re.search("first=X|you=X|view=play|analysis=false|set_up=false", address)
    is_named = game.start != EMPTY or game.starts != game.first
    if game.is_set_up:
        is_named = game.starts != ""
    assert ("starts=" in address) == is_named


def shape(text: str) -> str:
    """Return a text without its cells, sides, numbers and outcomes."""
    return re.sub(rf"{'|'.join(CELLS)}|\b[XO]\b|\d+|\b(win|draw|loss)\b", "_", text)


def game_after(game: Game, name: str, value: Any) -> Game:
    """Return the game that an action leads to, unless it is a click."""
    cuts = {"undo": game.last_own, "attempt": value, "Play on from here": game.at}
    if name in cuts:
        return game.cut(cuts[name])
    if name in ("new", "Play again", "Watch again"):
        starts = DRAWN.get(game.first, game.first)
        return replace(game, start=EMPTY, starts=starts, played=(), at=0)
    if name == "clear":
        return replace(game, start=EMPTY, starts="")
    if name in ("set_up", "Correct the board"):
        return set_up(game, said_starter(game))
    return replace(game, **changes_by(game, name, value))


def changes_by(game: Game, name: str, value: Any) -> dict[str, Any]:
    """Return the fields of a game that any other action changes."""
    match name:
        case "mark" | "place":
            cell, mark = value
            is_removed = name == "place" and game.start[cell] == mark
            return {"start": referee.play(game.start, "." if is_removed else mark, cell)}
        case "play":
            return {"starts": game.starter, "is_set_up": False}
        case "hints":
            return {"has_hints": not game.has_hints}
        case "level" | "tie_break":
            options = {**dict(game.options), OPTIONS[name]: value}
            chosen = ((field, choice) for field, choice in options.items() if choice)
            return {"options": tuple(sorted(chosen))}
        case "side" | "view" | "first" | "at" | "explained" | "you" | "arrow":
            field = {"side": "starts", "arrow": "you", "explained": "at"}.get(name, name)
            return {field: value}
    return {}


def status_of(game: Game, *, is_paused: bool) -> str:
    """Return the status that a game must have."""
    if game.is_set_up or not game.is_legal:
        return "Set up a position." if game.is_set_up else "Illegal position."
    if game.looks_back:
        return (
            f"After move {game.at} of {len(game.played)}." if game.at else "Before the first move."
        )
    return end_of(game) if game.is_over else turn_of(game, is_paused=is_paused)


def end_of(game: Game) -> str:
    """Return the status of a finished game."""
    won = game.winner
    if won and game.you in ("X", "O"):
        return f"You won with {won}." if game.you == won else f"You lost: {won} won."
    return f"{won} won." if won else "A draw."


def turn_of(game: Game, *, is_paused: bool) -> str:
    """Return the status of a running game."""
    side = game.side
    if game.is_its_turn and game.you == "nobody":
        return f"{'Paused' if is_paused else 'Watching'}: {side} is next."
    if game.is_its_turn:
        return "The oracle is next." if is_paused else f"{side} is thinking."
    if game.you == "both":
        return f"{side} to move."
    has_begun = game.at or game.start != EMPTY
    return f"Your turn ({side})." if has_begun else f"You move first ({side})."


def button_of(game: Game, *, is_paused: bool) -> str:
    """Return the label of the primary button of a game; empty if it has none."""
    if game.is_set_up:
        return ""
    if not game.is_legal:
        return "Correct the board"
    if game.looks_back:
        return "Play on from here"
    if game.is_over:
        return "Watch again" if game.you == "nobody" else "Play again"
    if game.you == "nobody" and not is_paused:
        return "Pause"
    return start_of(game) if game.is_its_turn and is_paused else ""


def start_of(game: Game) -> str:
    """Return the label of the button that lets the oracle move."""
    return "Resume" if game.at else "Start"


def start_text(game: Game) -> str:
    """Return the sentence on that button."""
    return f"Press {start_of(game)}, and {game.side} moves{'' if game.at else ' first'}."


def refusal_of(game: Game, cell: int, *, is_paused: bool, is_known: bool) -> str | None:
    """Return why a click does nothing, empty if an error is shown anyway; None if it is a move."""
    mark = game.board[cell]
    if mark != ".":
        return f"Cell {cell}, the {CELLS[cell]}, is taken by {mark}."
    if is_known and not game.is_legal:
        return ""
    if game.is_over:
        return "The game is over."
    if game.you == "nobody":
        return "The oracle plays both sides. To play, choose X or O."
    if game.is_yours:
        return None if is_known else "The service has not responded yet."
    can_start = is_paused and not game.looks_back
    return start_text(game) if can_start else f"It is the oracle's turn ({game.side})."


def check_sentence(game: Game, moment: Moment, problem: str, *, is_paused: bool, task: str) -> None:
    """Assert that the sentence beside the board is true, and is the one that the user needs."""
    sentence, _ = split(moment["sentence"])
    if not game.is_legal or game.is_set_up:
        expected = ""
        if game.is_set_up:
            expected = prospect_of(game) if game.is_legal else problem
        assert sentence == expected
    elif game.looks_back:
        check_earlier_move(game, sentence)
    elif game.is_over:
        check_review(game, sentence)
        assert ("try-move" in moment["shown"]) == (own_mistake(game) is not None)
    elif game.has_hints and game.is_yours:
        check_hint(game, sentence, [cell["best"] for cell in moment["cells"]])
    elif task:
        assert sentence == task
    elif game.is_its_turn and is_paused and game.you != "nobody":
        assert sentence == start_text(game)
    elif game.at:
        check_last_move(game, sentence)
    else:
        assert sentence.replace(BY_NUMBER, "") == first_sentence(game)


def prospect_of(game: Game) -> str:
    """Return the sentence about a legal board that is set up."""
    return end_of(replace(game, you="")) if game.is_over else f"{game.side} moves next."


def first_sentence(game: Game) -> str:
    """Return the sentence before the first move."""
    if game.you == "nobody":
        return "The oracle plays both sides."
    if game.start == EMPTY:
        return "Choose a cell."
    return "Find the best move. Hints show what each cell leads to."


def check_earlier_move(game: Game, sentence: str) -> None:
    """Assert that a sentence says whether an earlier move was a mistake, and which was better."""
    if not game.at:
        assert sentence == ""
        return
    mistake = {each.index: each for each in truth.mistakes(game)}.get(game.at - 1)
    if not mistake:
        check_last_move(game, sentence)
        return
    turns = f"a {OUTCOMES[mistake.best]} into a {OUTCOMES[mistake.outcome]}"
    assert sentence in [
        f"{subject(game, mistake.mover)} the {CELLS[mistake.cell]}, which turns {turns}: "
        f"the {CELLS[cell]} is better."
        for cell in mistake.better
    ]


def subject(game: Game, mover: str) -> str:
    """Return the beginning of a sentence on a move, in which the user is "You"."""
    return "You play" if game.you == mover else f"{mover} plays"


def check_last_move(game: Game, sentence: str, *, is_plain: bool = False) -> None:
    """Assert that the first sentence of a text says what the last move does.

    If `is_plain` is true, it may name only the cell, because the move is not reviewed yet.
    """
    last = game.at - 1
    cell = game.played[last]
    mover = game.mover(last)
    other = opponent(mover)
    s = "" if game.you == mover else "s"
    effect = {
        "win": ", which completes three in a row",
        "block": f", which blocks {other}'s three in a row",
        "fork": f" and threaten{s} to win in two places",
        "block_fork": f" and keep{s} {other} from threatening two lines at once",
        "center": ": it is on the most lines",
        "opposite_corner": f", opposite a corner of {other}'s",
    }.get(referee.reason(game.board_at(last), mover, cell), "")
    named = f"{subject(game, mover)} the {CELLS[cell]}"
    told = sentence.partition(". ")[0].removesuffix(".")
    assert told == named + effect or (is_plain and told == named), sentence


def own_mistake(game: Game) -> int | None:
    """Return the index of the decisive mistake if the user made it, who can try that move again."""
    mistake = truth.decisive(game)
    return mistake.index if mistake and game.plays(mistake.mover) else None


def check_review(game: Game, sentence: str) -> None:
    """Assert that the sentence after a game names the mistake that decided it."""
    mistake = truth.decisive(game)
    if not mistake:
        assert sentence == ("Nobody made a mistake." if game.played else "")
        return
    form = (
        r"(?:(Your|[XO]'s) mistake was|(You|[XO]) gave a win away with) the (.*): "
        r"the (.*) would have (won|drawn)\."
    )
    match = re.fullmatch(form, sentence)
    assert match, sentence
    whose, who, cell, better, result = match.groups()
    assert (who or whose)[0] == ("Y" if game.you == mistake.mover else mistake.mover)
    assert bool(who) == (game.winner == "")
    assert cell == CELLS[mistake.cell]
    assert CELLS.index(better) in mistake.better
    assert result == {1: "won", 0: "drawn"}[mistake.best]


class Picture:
    """What the drawing of a board shows, read from its SVG, in which a cell is 100 wide."""

    def __init__(self, svg: str) -> None:
        """Read the marks, the numbered moves, the framed cell, and the cells struck through."""
        root = ET.fromstring(svg)  # noqa: S314, the page's own drawing
        self.name: Final = root.get("aria-label")
        self._marks = ["."] * 9
        self.struck: list[int] = []
        for path in root.iterfind("path"):
            self._read(path)
        texts = sorted(root.iterfind("text"), key=number_of)
        self.numbers: Final = [number_of(text) for text in texts]
        self.framed: Final = place_of(root[0])
        self.line: Final = [place_of(text) for text in texts]

    def _read(self, path: ET.Element) -> None:
        """Read a mark or the stroke through the winning line."""
        drawing = path.get("d", "")
        numbers = [float(number) for number in re.findall(r"[\d.]+", drawing)]
        kind = path.get("class", "mark")
        if kind == "mark":
            mark = "O" if "a" in drawing else "X"
            assert path.get("data-mark", mark) == mark
            self._marks[cell_at(*numbers[:2])] = mark
        elif kind == "won":
            x, y, u, v = numbers
            points = [(x, y), ((x + u) / 2, (y + v) / 2), (u, v)]
            self.struck = sorted(cell_at(*point) for point in points)

    @property
    def board(self) -> str:
        """The board."""
        return "".join(self._marks)


def number_of(text: ET.Element) -> int:
    """Return the number that a text of a drawing is."""
    return int(text.text or "")


def place_of(element: ET.Element) -> int:
    """Return the cell at which an element of a drawing is."""
    return cell_at(float(element.get("x", "")), float(element.get("y", "")))


def cell_at(x: float, y: float) -> int:
    """Return the cell at a point of a drawing, or the cell nearest to it."""
    row, column = (min(2, max(0, int(value // 100))) for value in (y, x))
    return 3 * row + column


def check_ends(game: Game, moment: Moment, ends: list[Moment]) -> None:
    """Assert that the decisive mistake and a better move are drawn, and lead to explanations."""
    mistake = truth.decisive(game) if has_ended(game) else None
    if not mistake:
        assert ends == []
        return
    who = "You" if game.you == mistake.mover else mistake.mover
    better = CELLS.index(moment["steps"][mistake.index]["name"].rpartition("better was ")[2])
    titles = [f"{who} played {mistake.cell}", f"Better: {better}"]
    assert [end["title"] for end in ends] == titles
    after = replace(game, at=mistake.index + 1, view="explain")
    before = replace(after, at=mistake.index)
    assert [parse(end["href"]) for end in ends] == [after, before]
    worse, best = ends
    check_end(worse, before.board, mistake.mover, mistake.cell, mistake.outcome)
    check_end(best, before.board, mistake.mover, better, mistake.best)
    line = Picture(worse["picture"]).line
    followed = truth.played_well(game, mistake.index + 1)
    assert tuple(line[1 : 1 + len(followed)]) == followed


def has_ended(game: Game) -> bool:
    """Return whether the end of a game is shown."""
    return game.is_legal and game.is_over and not game.is_set_up and not game.looks_back


def check_end(end: Moment, board: str, mover: str, cell: int, outcome: int) -> None:
    """Assert that a drawing shows the best play after a move, and ends in the outcome promised."""
    picture = Picture(end["picture"])
    line = picture.line
    other = opponent(mover)
    assert end["line"] == line_of(mover, line)
    last = truth.play_on(referee.play(board, mover, cell), other, line[1:])
    winner = {1: mover, 0: "", -1: other}[outcome]
    assert truth.winner_of(last) == winner
    assert end["outcome"] == OUTCOMES[outcome]
    sign = {1: "\u25b2", 0: "=", -1: "\u25bc"}[outcome]
    assert end["result"] == f"{sign} {f'{winner} wins' if winner else 'Draw'}"
    assert (picture.board, picture.framed, line[0]) == (last, cell, cell)
    assert picture.numbers == [*range(1, len(line) + 1)]
    assert picture.name == ", ".join(f"{last[each]} {each}" for each in line)
    assert picture.struck in (winning_lines(last) or [[]])


def winning_lines(board: str) -> list[list[int]]:
    """Return the cells of each line with three equal marks."""
    winning = [{"X"}, {"O"}]
    rows = referee.ROWS_OF_THREE
    return [sorted(row) for row in rows if {board[cell] for cell in row} in winning]


def check_hint(game: Game, sentence: str, is_best: list[bool]) -> None:
    """Assert that a hint names the marked cell and a true reason, or what all moves lead to.

    The verdict before it is checked in test_verdicts.py.
    """
    sentence = re.sub(r"^(You|[XO]) (had|kept|turned) .*?\. ", "", sentence)
    if any(is_best):
        assert sentence == hint_of(game, is_best.index(True))
        return
    (grade,) = {*grades(game.board, game.side).values()}
    assert sentence == f"Every move {end_of_all(grade)}."


def hint_of(game: Game, cell: int) -> str:
    """Return the hint that a cell is the best move, with the reason if it is a known one."""
    other = opponent(game.side)
    reasons = {
        "win": ": it completes three in a row",
        "block": f": {other} would complete three in a row there",
        "fork": ": it threatens to win in two places",
        "block_fork": f": it keeps {other} from threatening two lines at once",
        "center": ": it is on the most lines",
        "opposite_corner": f": it is opposite a corner of {other}'s",
    }
    reason = referee.reason(game.board, game.side, cell)
    return f"Hint: play the {CELLS[cell]}{reasons.get(reason, '')}."


def end_of_all(grade: referee.Grade) -> str:
    """Return what all moves lead to, and within how many turns."""
    outcome, fine = grade
    if outcome == 0:
        return "draws"
    verb = "wins" if outcome == 1 else "loses"
    if turns(fine) == 1:
        return f"{verb} on the next turn"
    return f"{verb} within {turns(fine)} turns"


def worth(grade: referee.Grade) -> tuple[str, str]:
    """Return what a move leads to as the page shows it: a symbol, and words."""
    outcome, fine = grade
    if outcome == 0:
        return "=", "Draws"
    symbol, verb, at_once = ("\u25b2", "Wins", "now")
    if outcome == -1:
        symbol, verb, at_once = ("\u25bc", "Loses", "next turn")
    when = at_once if turns(fine) == 1 else f"in {turns(fine)} turns"
    return symbol, f"{verb} {when}"


def check_cells(game: Game, moment: Moment, *, is_last: bool) -> None:
    """Assert that each cell shows its mark, its number, its outcome, and whether it is special.

    With hints, the free cells show their outcomes, and one of the best moves is marked, unless all
    moves are equal.
    """
    cells = moment["cells"]
    values = grades(game.board, game.side) if game.is_running else {}
    best = [number for number, cell in enumerate(cells) if cell["best"]]
    line = [number for number, cell in enumerate(cells) if cell["winning"]]
    is_hinted = any(cell["words"] for cell in cells)
    if is_last:
        is_choice = len({*values.values()}) > 1 or len(values) == 1
        assert is_hinted == (game.has_hints and is_choice)
        assert bool(line) == (game.is_legal and game.winner != "")
    assert len(best) == is_hinted
    assert all(values[cell] == max(values.values()) for cell in best)
    assert line in [[], *winning_lines(game.board)]
    assert moment["winner"] == (game.winner if line else "")
    assert line in [struck_by(moment["strike"]), game.is_set_up and line]
    for number, cell in enumerate(cells):
        check_cell(game, number, cell, values if is_hinted else {})
        can_be_chosen = moment["side"] and not cell["mark"]
        assert cell["isDisabled"] == (not game.is_set_up and not can_be_chosen)
    assert sorted(cell["tab"] for cell in cells) == [-1] * 8 + [0]


def struck_by(drawing: str | None) -> list[int]:
    """Return the cells of the line that a path strikes through, beyond its marks."""
    if not drawing:
        return []
    x, y, u, v = (float(number) for number in re.findall(r"-?[\d.]+", drawing))
    points = [(x, y), ((x + u) / 2, (y + v) / 2), (u, v)]
    assert max(abs(u - x), abs(v - y)) == pytest.approx(272)
    return sorted(cell_at(*point) for point in points)


def check_cell(game: Game, number: int, cell: Moment, values: Mapping[int, referee.Grade]) -> None:
    """Assert that a cell shows its mark, and its outcome if it is among the values of hints."""
    mark = game.board[number].replace(".", "")
    is_last_move = number in game.played[max(0, game.at - 1) : game.at]
    symbol, words = "", ""
    if number in values:
        symbol, words = worth(values[number])
    parts = [str(number), words, CELLS[number], mark or "empty"]
    if cell["best"]:
        parts.append("best move")
    if cell["winning"]:
        parts.append("winning line")
    if is_last_move:
        parts.append("last move")
    name = ", ".join(filter(None, parts))
    shown = [cell[each] for each in ("mark", "symbol", "sign", "words", "last", "name")]
    assert shown == [mark, symbol, symbol, words, is_last_move, name]


def check_steps(game: Game, moment: Moment, *, is_last: bool) -> None:
    """Assert that the strip has all moves, and marks exactly the mistakes of a reviewed game."""
    steps = moment["steps"]
    assert moment["heading"] == ("This game" if game.played else "Start here")
    assert len(steps) == len(game.played)
    is_reviewed = game.is_legal and (game.is_over or game.looks_back)
    wrong = {}
    if is_reviewed and (is_last or any(each["sign"] for each in steps)):
        wrong = {each.index: each for each in truth.mistakes(game)}
    for index, step in enumerate(steps):
        mark, number = game.mover(index), f"{index + 1}."
        move = f"{number} {mark} {game.played[index]}"
        assert step["name"].startswith(f"{move}, ")
        name, _, better = step["name"].removeprefix(f"{move}, ").partition(MISTAKE)
        assert name == CELLS[game.played[index]]
        assert (step["mark"], step["number"]) == (mark, number)
        assert step["text"] == f"{move} {step['sign']}".strip()
        assert step["isCurrent"] == (index == game.at - 1)
        check_sign(step["sign"], better, wrong.get(index))
        shown = replace(game, at=index + 1)
        if index in wrong:
            check_earlier_move(shown, step["told"])
        else:
            check_last_move(shown, step["told"], is_plain=not (is_last and game.is_legal))


def check_sign(sign: str, better: str, mistake: truth.Mistake | None) -> None:
    """Assert that a move has the sign of a mistake, and names a better move, if it was one."""
    if not mistake:
        assert (sign, better) == ("", "")
        return
    is_blunder = (mistake.best, mistake.outcome) == (1, -1)
    assert sign == ("??" if is_blunder else "?")
    assert CELLS.index(better) in mistake.better


def check_explanation(game: Game, shown: Moment, advice: dict[str, Any]) -> None:
    """Assert that the panel says what best play leads to, and lists the moves, the best first."""
    values = grades(game.board, game.side)
    why = prospect_with_best_play(game.side, max(values.values()))
    told = advice["text"].partition(". ")[0].removesuffix(".")
    assert shown["why"] == f"{why} {told}."
    moves = shown["moves"]
    cells = [int(text.partition(": ")[2].partition(",")[0]) for _, text in moves]
    assert sorted(cells) == sorted(values)
    listed = [values[cell] for cell in cells]
    assert listed == sorted(values.values(), reverse=True)
    for (sign, text), cell in zip(moves, cells, strict=True):
        symbol, words = worth(values[cell])
        assert (sign, text) == (symbol, f"{symbol} {words}: {cell}, {CELLS[cell]}")
    line = [int(text[2:]) for text, *_ in shown["line"]]
    truth.play_on(game.board, game.side, line)
    assert shown["line"] == line_of(game.side, line)
    assert shown["headings"] == [
        "The line of best play, by both sides",
        f"Every move of {game.side}, the best first",
    ]
    nodes = f"{advice['nodes']:,}"
    assert shown["cost"] == f"To find this, alpha-beta visited {nodes} nodes."
    query = {"board": game.board} | ({"starts": game.starts} if game.starts else {})
    assert shown["link"] == f"search?{urlencode(query)}"


def line_of(side: str, line: list[int]) -> list[list[str]]:
    """Return the text, the mark and the name of each move of a line."""
    found = []
    for cell in line:
        found.append([f"{side} {cell}", side, f"{side} {cell}, {CELLS[cell]}"])
        side = opponent(side)
    return found


def prospect_with_best_play(side: str, grade: referee.Grade) -> str:
    """Return what best play leads to, as the page says it."""
    outcome, fine = grade
    if outcome == 0:
        return "With best play by both sides, nobody wins."
    forced = f"can force a win within {turns(fine)} of its own moves"
    if turns(fine) == 1:
        forced = "wins on the next move"
    if outcome == 1:
        return f"{side} {forced}."
    return f"{opponent(side)} {forced}, whatever {side} does."


Offers = list[tuple[str, Any]]


def act(visit: Visit, dice: random.Random) -> None:
    """Do something that the page offers."""
    game = visit.game
    cell, another = dice.randrange(9), dice.randrange(9)
    share_of_clicks = 0.2
    if game.is_running and game.is_yours:
        share_of_clicks = 0.6
    if game.is_set_up:
        visit.do(*dice.choice(offers_of_set_up(game, cell, dice)))
    elif dice.random() < share_of_clicks:
        clicks = [dice.choice([*referee.moves(game.board), cell])]
        if dice.random() < 0.3:
            clicks.append(another)
        visit.click(*clicks, by_key=dice.random() < 0.3)
    elif game.is_running and not game.looks_back and game.you != "nobody" and dice.random() < 0.1:
        visit.watch()
    else:
        visit.do(*dice.choice(offers_of_game(visit, dice)))


def another(value: str, values: list[str], dice: random.Random) -> str:
    """Return any other value, because a control that keeps its value has no effect."""
    return dice.choice([each for each in values if each != value])


def offers_of_set_up(game: Game, cell: int, dice: random.Random) -> Offers:
    """Return what the user can do while the board is set up."""
    offers: Offers = [("mark", (cell, dice.choice("XO.")))] * 4
    offers += [("place", (cell, dice.choice("XO.")))] * 4
    offers += [("cancel", None), ("escape", None), ("clear", None)]
    offers.append(("first", another(game.first, FIRST, dice)))
    offers.append(("side", another(game.starts, ["X", "O", ""], dice)))
    if game.is_legal:
        offers += [("play", None)] * 4
    return offers


def offers_of_game(visit: Visit, dice: random.Random) -> Offers:
    """Return what the user can do in a game, in addition to clicks on cells."""
    game = visit.game
    offers: Offers = [
        *((name, None) for name in ("hints", "new", "set_up", "reload")),
        ("first", another(game.first, FIRST, dice)),
        ("view", dice.choice(VIEWS)),
        ("level", dice.choice(visit.page.options["difficulty"])),
        ("tie_break", dice.choice(visit.page.options["tie_break"])),
        ("you", another(game.you, PLAYERS, dice)),
        ("arrow", another(game.you, PLAYERS, dice)),
        *(("at", at) for at in [dice.randint(1, len(game.played) or 1)] if game.played),
    ]
    mistake = own_mistake(game) if has_ended(game) else None
    if mistake is not None:
        offers += [("attempt", mistake)] * 3
    if game.view == "explain" and game.is_legal and game.is_over and game.at:
        offers += [("explained", game.at - 1)] * 3
    if visit.before:
        offers.append(("back", None))
    if game.last_own is not None:
        offers.append(("undo", None))
    if button_of(game, is_paused=visit.is_paused):
        offers += [("act", None)] * 3
    return offers


def check_request(page: Page, link: Link) -> None:
    """Assert that a request is valid if its link is, and that both mean the same position."""
    response = page.ask(link.request)
    assert (response["status"] == 200) == link.is_valid
    if link.is_valid and not link.game.is_set_up:
        position = response["body"]["position"]
        game = replace(link.game, at=len(link.game.played))
        assert (position["board"], position["to_move"]) == (game.board, game.side)


def test_all_that_the_page_shows_is_true(page: Page) -> None:
    """After any link and any actions, the page shows what the referee knows.

    A link means what its request means. The visits show nearly all texts that the page has.
    """
    shapes: set[str] = set()
    for seed in range(VISITS):
        dice = random.Random(seed)  # noqa: S311, the tests need no secret numbers
        link = Links(dice, page.options).link()
        try:
            check_request(page, link)
            is_early = dice.random() < 0.2 and not link.game.is_set_up
            media = [each for each in (KEYBOARD, CALM) if dice.random() < 0.7]
            visit = Visit(page, link, dice.randrange(9) if is_early else None, media)
            for _ in range(dice.randrange(6)):
                act(visit, dice)
            shapes |= visit.shapes
        except AssertionError as error:
            error.add_note(f"{link} (seed {seed})")
            raise
    assert len(shapes) >= 48, shapes


def test_a_link_to_set_up_a_board_after_moves_keeps_the_starter(page: Page) -> None:
    """If the first board alone says that O started, the board after the moves shows it, too."""
    for seed in range(EXAMPLES):
        dice = random.Random(seed)  # noqa: S311, the tests need no secret numbers
        game = Game(EMPTY, "O")
        for _ in range(dice.choice([1, 3])):
            game = game.after(dice.choice(referee.moves(game.board)))
        game = Game(game.board, "O").after(dice.choice(referee.moves(game.board)))
        query = urlencode({"board": game.start, "played": game.played[0], "set_up": "true"})
        Visit(page, Link(f"?{query}", set_up(game, "O")), None, [])


def test_a_game_counts_once(page: Page) -> None:
    """Each game that ends counts once, whatever the user does before and after its end."""
    for seed in range(EXAMPLES // 2):
        dice = random.Random(seed)  # noqa: S311, the tests need no secret numbers
        played = dice.choice([(), (2,), (5, 2)])
        at, you = dice.randint(0, len(played)), dice.choice(["X", "O"])
        query = {"board": "XX.OO....", "played": ",".join(map(str, played)), "at": at, "you": you}
        link = Link(f"?{urlencode(query)}", Game("XX.OO....", played=played, at=at, you=you))
        visit = Visit(page, link)
        try:
            for _ in range(8):
                act_around_an_end(visit, dice)
        except AssertionError as error:
            error.add_note(f"{link} (seed {seed})")
            raise


def act_around_an_end(visit: Visit, dice: random.Random) -> None:
    """Play a game to its end, or go to another board or game."""
    game = visit.game
    if game.is_set_up:
        names = ["reload", "cancel", *["play"] * game.is_legal]
    else:
        names = ["reload", "new", "set_up", "back", "back"]
        names += ["click", "end", "end"] * (game.is_running and game.is_yours)
        names += ["act", "act"] * (button_of(game, is_paused=visit.is_paused) != "")
        names += ["undo"] * (game.last_own is not None)
        names += ["at"] * (game.played != ())
    name = dice.choice(names)
    if name in ("click", "end"):
        visit.click(dice.choice(referee.moves(game.board)))
        while name == "end" and visit.game.is_running:
            visit.click(dice.choice(referee.moves(visit.game.board)))
    elif name != "back" or visit.before:
        visit.do(name, len(game.played) if name == "at" else None)


def test_a_game_counts_even_if_the_next_one_begins_at_once(page: Page) -> None:
    """The end counts before any response."""
    page.do(("visit", ("?board=XX.OO....", ())))
    assert (
        shown_after(page, ("click", 2), ("button", "act"))["score"] == "You\xa01\xa0· Oracle\xa00"
    )


def offers_around_an_end(visit: Visit) -> Offers:
    """Return what the user can do to end a game, to go back to it, and to begin another."""
    game = visit.game
    offers: Offers = [("reload", None)]
    if game.is_set_up:
        return [*offers, ("cancel", None), *[("play", None)] * game.is_legal]
    if game.is_running and game.is_yours:
        offers += [("click", cell) for cell in referee.moves(game.board)]
    if button_of(game, is_paused=visit.is_paused):
        offers += [("act", None)] * 3
    if visit.before:
        offers += [("back", None)] * 3
    if game.last_own is not None:
        offers.append(("undo", None))
    if game.played:
        offers.append(("at", len(game.played)))
    return [*offers, ("new", None), ("set_up", None)]


CONTROLS: Final = (
    *("#act", "#hints", "#new-game", "#set-up", "#clear", "#cancel", "#try-move"),
    *("#search-from-here", "#play-from-here", "#play-from-here", "#tabs button:last-child"),
    *(f"input[name=you][value={player}]" for player in ("X", "O", "both")),
    *(f"input[name=starts][value={side}]" for side in "XO"),
)


def gestures_at_once(dice: random.Random) -> list[Gesture]:
    """Return gestures that mostly follow each other without waiting for responses."""
    gestures: list[Gesture] = [("tap", "#set-up")] * (dice.random() < 0.5)
    for _ in range(dice.randrange(8)):
        click = ("click", dice.randrange(9))
        key = ("key", (dice.randrange(9), dice.choice("xo")))
        taps = [("tap", dice.choice(CONTROLS)) for _ in range(4)]
        gesture = dice.choice([click, key, *taps])
        gestures += [gesture] * dice.randint(1, 2)
        gestures += [("wait", 0)] * (dice.random() < 0.3)
    return gestures


def test_a_fast_user_gets_the_page_that_a_reload_shows(page: Page) -> None:
    """No script fails, and no late response is shown, if actions do not wait for responses."""
    for seed in range(EXAMPLES):
        dice = random.Random(seed)  # noqa: S311, the tests need no secret numbers
        link = Links(dice, page.options).link()
        if link.game.you == "nobody":
            continue  # after a reload the oracle plays on
        gestures = gestures_at_once(dice)
        try:
            shown = shown_after(page, ("visit", (link.query, ())), *gestures, ("focus", 0))
            again = shown_after(page, ("reload", None))
            for moment in (shown, again):
                for name in ("sentence", "announcement", "focused"):
                    del moment[name]
                for cell in moment["cells"]:
                    del cell["refused"], cell["tab"]
            assert shown == again
        except AssertionError as error:
            error.add_note(f"{link.query}, {gestures} (seed {seed})")
            raise


@pytest.mark.parametrize("starts", ["X", "O"])
@pytest.mark.parametrize("you", ["X", "O", "both"])
def test_set_up_keeps_whose_turn_it_is(page: Page, starts: str, you: str) -> None:
    """If nothing is changed, the side to move is the same on the board that is set up, and after.

    In particular, the oracle makes no move of the user's.
    """
    for seed in range(EXAMPLES // 8):
        game = Game(starts=starts, first=starts, you=you)
        dice = random.Random(seed)  # noqa: S311, the tests need no secret numbers
        for _ in range(dice.randrange(9)):
            if game.is_running:
                game = game.after(dice.choice(referee.moves(game.board)))
        played = ",".join(map(str, game.played))
        visit = Visit(page, Link(f"?first={starts}&you={you}&played={played}", game))
        position = visit.game.board, visit.game.side
        for action in ("set_up", "play"):
            visit.do(action)
            assert (visit.game.board, visit.game.side) == position, (seed, action)


def test_a_board_is_still_set_up_after_the_starting_side_is_chosen(page: Page) -> None:
    """Who starts new games does not matter to a board that is being set up, even if it is empty."""
    visit = Visit(page, Link("?set_up=true", Game(starts="", is_set_up=True)))
    visit.do("first", "O")


def shown_after(page: Page, *gestures: Gesture) -> Moment:
    """Perform actions in the same instant; return what the page shows at last."""
    last: Moment = page.do(*gestures)["moments"][-1]
    return last


def board_of(moment: Moment) -> str:
    """Return the board that the page shows."""
    return "".join(cell["mark"] or "." for cell in moment["cells"])


NEIGHBORS: Final = {
    "ArrowLeft": (0, -1),
    "ArrowRight": (0, 1),
    "ArrowUp": (-1, 0),
    "ArrowDown": (1, 0),
}


@pytest.mark.parametrize("key", [*NEIGHBORS, "Home", "End"])
def test_keys_move_the_focus_on_the_board(page: Page, key: str) -> None:
    """An arrow key moves to the next cell in its direction, Home and End to the ends of a row.

    Only the cell that had the focus last is in the tab order.
    """
    page.do(("visit", ("?you=both", ())))
    for row, column in product(range(3), repeat=2):
        down, right = NEIGHBORS.get(key, (0, {"Home": -2, "End": 2}.get(key, 0)))
        expected = 3 * min(2, max(0, row + down)) + min(2, max(0, column + right))
        shown = shown_after(page, ("focus", 3 * row + column), ("key", (3 * row + column, key)))
        assert shown["focused"] == expected
        assert [cell["tab"] for cell in shown["cells"]].index(0) == expected
        assert board_of(shown) == EMPTY


def test_keys_with_a_modifier_are_left_to_the_browser(page: Page) -> None:
    """They make no move, and neither does a digit that is typed into a field."""
    page.do(("visit", ("?you=both", ())))
    for modifier in ("ctrlKey", "metaKey", "altKey"):
        shown = shown_after(page, ("press", ("", "4", modifier)))
        shown = shown_after(page, ("focus", 4), ("key", (4, "ArrowLeft", modifier)))
        assert (board_of(shown), shown["focused"]) == (EMPTY, 4)
    assert board_of(shown_after(page, ("press", ("first", "4")))) == EMPTY
    assert board_of(shown_after(page, ("press", ("hints", "4")))) == EMPTY
    assert board_of(shown_after(page, ("press", ("", "9")))) == EMPTY
    assert board_of(shown_after(page, ("key", (0, "4")))) == "....X...."


@pytest.mark.parametrize(
    ("index", "key", "after"),
    [
        (0, "ArrowRight", "explain"),
        (1, "ArrowRight", "play"),
        (0, "ArrowLeft", "explain"),
        (1, "Home", "play"),
        (0, "End", "explain"),
        (1, "x", "explain"),
    ],
)
def test_keys_change_the_tab(page: Page, index: int, key: str, after: str) -> None:
    """Arrow keys go around the tabs, Home and End to the first and the last."""
    page.do(("visit", (f"?view={VIEWS[index]}", ())))
    shown = shown_after(page, ("tab", (index, key)))
    assert {*VIEWS} & {*shown["shown"]} == {after}
    assert parse(shown["address"]).view == after


def test_the_board_after_a_move_of_the_line_is_shown_meanwhile(page: Page) -> None:
    """It is shown while the pointer or the focus is on the move; then the game's board again."""
    page.do(("visit", ("?board=X...O....&view=explain&analysis=true", ())))
    game = Game("X...O....")
    marked = shown_after(page, ("preview", (0, "blur")))
    line = [int(text[2:]) for text, *_ in marked["explanation"]["line"]]
    for (index, cell), show, end in zip(
        enumerate(line), ("pointerenter", "focus") * 9, ("pointerleave", "blur") * 9, strict=False
    ):
        game = game.after(cell)
        shown = shown_after(page, ("preview", (index, show)))
        assert board_of(shown) == game.board
        assert not any(each["words"] or each["best"] for each in shown["cells"])
        assert [each["last"] for each in shown["cells"]].index(True) == cell
        won = [number for number, each in enumerate(shown["cells"]) if each["winning"]]
        assert won in (winning_lines(game.board) or [[]])
        assert shown_after(page, ("preview", (index, end))) == marked


def test_arrow_keys_move_along_the_line(page: Page) -> None:
    """They stop at the ends."""
    page.do(("visit", ("?board=XOXO.....&view=explain", ())))
    length = len(page.do(("explore", 0))["moments"][-1]["explanation"]["line"])
    for index in range(length):
        for key, step in (("ArrowLeft", -1), ("ArrowRight", 1), ("Home", 0)):
            shown = shown_after(page, ("explore", index), ("press_on", key))
            assert shown["explored"] == min(length - 1, max(0, index + step))


TIMES: Final = (2_000, 4_000, 8_000, 10_000, 10_000)


def test_a_page_without_a_connection_asks_again_less_and_less_often(page: Page) -> None:
    """It waits twice as long after each failure, up to ten seconds, and then goes on by itself."""
    page.is_cut_off = True
    query = "?board=X...O....&you=both&starts=X"
    first = page.do(("forget", None), ("visit", (query, ())), ("wait", 0))
    assert len(first["urls"]) == 1
    lost = first["moments"][-1]
    assert (lost["status"], lost["act"]) == ("No connection.", "Try again")
    assert lost["problem"] == f"The service is not responding. {KEPT}"
    for time in TIMES:
        assert page.do(("wait", time - 1))["urls"] == []
        assert page.do(("wait", 1))["urls"] == first["urls"]
    again = page.do(("button", "act"), ("wait", 499))
    assert again["urls"] == first["urls"]
    assert again["moments"][-1]["status"] == "One moment."
    assert page.do(("wait", 1))["moments"][-1]["status"] == "No connection."
    page.is_cut_off = False
    assert page.do(("wait", TIMES[-1]))["moments"][-1]["status"] == "X to move."
    assert page.do(("wait", 99_999))["urls"] == []


KEPT: Final = "This page's URL keeps your game or search."


@pytest.mark.parametrize("again", [("button", "act"), ("wait", 2_000)], ids=["button", "wait"])
@pytest.mark.parametrize(
    "body",
    ["<html>", "", None, {"detail": "Not Found"}, {"detail": [{"type": "missing"}]}],
    ids=["HTML", "empty", "null", "a detail", "details"],
)
def test_a_response_of_another_program_is_requested_again(
    page: Page, body: Any, again: Gesture
) -> None:
    """The button does what the message says, and so does the page by itself."""
    for status in (404, 422, 502, *[200] * (not isinstance(body, dict))):
        page.proxy = {"status": status, "body": body}
        query = "?board=X...O....&you=both&starts=X"
        moments = page.do(("visit", (query, ())), ("forget", None), ("wait", 0))["moments"]
        page.proxy = None
        shown = moments[-1]
        assert (shown["status"], shown["act"]) == ("Unexpected response.", "Try again")
        assert shown["problem"] == "The service did not send this response. Try again."
        assert shown_after(page, ("forget", None), again, ("wait", 0))["status"] == "X to move."


@pytest.mark.parametrize("event", ["online", "visibilitychange"])
def test_a_page_asks_at_once_when_the_connection_is_back(page: Page, event: str) -> None:
    """It does so only if its last request failed, and if it is seen."""
    page.is_cut_off = True
    query = "?board=X...O....&you=both"
    lost = page.do(("forget", None), ("visit", (query, ())), ("wait", 0))
    assert page.do(("noticed", (event, True)), ("wait", 0))["urls"] == []
    page.is_cut_off = False
    assert page.do(("noticed", (event, False)), ("wait", 0))["urls"] == lost["urls"]
    assert page.do(("noticed", (event, False)), ("wait", 99_999))["urls"] == []


def test_the_oracle_takes_its_time(page: Page) -> None:
    """The user's move is seen before the reply, unless less motion is preferred."""
    for media, time in (([], 300), ([CALM], 0)):
        page.do(("visit", ("?difficulty=perfect", media)))
        boards = [page.do(("click", 4), ("wait", time - 1))["moments"][-1]] if time else []
        boards.append(page.do(*[("click", 4)] * (not time), ("wait", min(1, time)))["moments"][-1])
        assert [board_of(moment).count("O") for moment in boards] == [0, 1][-len(boards) :]


def test_a_reply_does_not_arrive_in_another_game(page: Page) -> None:
    """The oracle's reply to a move of an earlier game, or of a game that is undone, is dropped."""
    for gesture in (("button", "new-game"), ("back", None)):
        page.do(("visit", ("?difficulty=perfect", [])), ("wait", 0))
        page.do(("click", 4), ("wait", 100))
        shown = shown_after(page, gesture)
        assert (board_of(shown), shown["status"]) == (EMPTY, "You move first (X).")


def test_a_hint_says_what_all_moves_lead_to(page: Page) -> None:
    """If all moves are equally good, none is marked."""
    found = {}
    for board, side in POSITIONS:
        if not referee.is_over(board) and board.count(".") > 1:
            values = {*grades(board, side).values()}
            if len(values) == 1:
                found[values.pop()] = Game(board, referee.starter(board, side), has_hints=True)
    assert {outcome for outcome, _ in found} == {*OUTCOMES}
    for game in found.values():
        yours = replace(game, you=game.side)
        query = {"board": game.start, "starts": game.starts, "you": game.side, "analysis": "true"}
        Visit(page, Link(f"?{urlencode(query)}", yours))


def test_hints_do_not_depend_on_how_the_oracle_plays(page: Page) -> None:
    """They are not requested again when an option of its moves changes."""
    hints = shown_after(page, ("visit", ("?board=X...O....&analysis=true", ())))["cells"]
    for option in (("difficulty", "easy"), ("tie_break", "trap"), ("difficulty", "medium")):
        answer = page.do(("option", option))
        assert (answer["urls"], answer["moments"][-1]["cells"]) == ([], hints)


def test_the_oracle_plays_alone_until_it_is_paused(page: Page) -> None:
    """It makes a move each 900 ms, and Space pauses and resumes."""
    page.do(("visit", ("?you=nobody", [])), ("wait", 0))
    counts = []
    for time in (0, 899, 1, 899, 1):
        moment = page.do(("wait", time))["moments"][-1]
        counts.append(9 - board_of(moment).count("."))
    assert counts == [1, 1, 2, 2, 3]
    paused = shown_after(page, ("press", ("", " ")))
    assert (paused["act"], paused["status"]) == ("Resume", "Paused: O is next.")
    going = page.do(("press", ("", " ")), ("wait", 900))["moments"][-1]
    assert going["act"] == "Pause"
    assert 9 - board_of(going).count(".") > 3


def test_enter_on_the_chosen_side_lets_the_oracle_start(page: Page) -> None:
    """An arrow key only chooses the side."""
    page.do(("visit", ("", ())))
    paused = shown_after(page, ("arrow", ("you", "O")))
    assert (paused["act"], board_of(paused)) == ("Start", EMPTY)
    started = shown_after(page, ("press", ("you=O", "Enter")))
    assert (started["act"], board_of(started).count("X")) == ("", 1)


@pytest.mark.parametrize("is_allowed", [True, False])
def test_the_link_is_copied(page: Page, *, is_allowed: bool) -> None:
    """If that is not allowed, the page says where the link is."""
    media = [] if is_allowed else ["no clipboard"]
    page.do(("visit", ("?board=X...O....&you=both", media)))
    answer = page.do(("button", "copy-link"), ("wait", 1_999))
    link, label, note = "http://localhost/?board=X...O....&starts=X&you=both", "Copied", "Copied."
    if not is_allowed:
        label, note = "Address bar", "Copy it from the address bar."
    assert answer["copied"] == [link] * is_allowed
    shown = answer["moments"][-1]
    assert (shown["copy-link"], shown["announcement"]) == (label, note)
    assert page.do(("wait", 1))["moments"][-1]["copy-link"] == "Copy link"


def test_a_button_that_leads_nowhere_does_nothing(page: Page) -> None:
    """Without a move of the user's there is nothing to undo."""
    start = page.do(("visit", ("?board=X...O....", ())))["moments"][-1]
    assert "undo" in start["disabled"]
    assert shown_after(page, ("button", "undo")) == start


def test_only_a_legal_board_can_be_left(page: Page) -> None:
    """It is played or searched from there; the error of another board is announced again."""
    for board, is_legal in (("XX.......", False), ("X...O....", True)):
        for target in ("play-from-here", "search-from-here"):
            page.do(("visit", (f"?board={board}&set_up=true", ())))
            shown = shown_after(page, ("button", target))
            problem = page.problem(Game(board, ""))
            assert (shown["announcement"] == problem) != is_legal
            is_left = is_legal and target == "search-from-here"
            assert shown["left"] == (f"search?board={board}&starts=X" if is_left else "")
            assert parse(shown["address"]).is_set_up == (not is_legal or is_left)
            assert shown["focused"] == 0
