"""All that the playground shows is true: Node.js runs its scripts, and the referee checks them."""

import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final
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
VISITS: Final = 20 * EXAMPLES

DRAWN: Final = {"random": "X"}  # the side that starts by lot, as Node.js draws it
OUTCOMES: Final = {1: "win", 0: "draw", -1: "loss"}
SETTINGS: Final = ("hints", "view", "level", "first")
REPLACING: Final = ("reload", "you", "arrow", "side", "mark", "Start", "Resume")
BEGINNING: Final = ("new", "play", "Play again", "Watch again")
FIRST: Final = ["X", "O", "random"]
PLAYERS: Final = ["X", "O", "both", "nobody"]

Moment = dict[str, Any]


class Page:
    """The scripts of the playground in Node.js, whose requests the application answers."""

    def __init__(self, client: FlaskClient, scripts: Scripts) -> None:
        self._client = client
        self._scripts = scripts
        self.options: Final[dict[str, list[str]]] = {}
        self.defaults: Final[dict[str, str]] = {}
        lists = re.findall(r'<select name="(\w+)"(.*?)</select>', client.get("/").text, re.DOTALL)
        for name, inside in lists:
            self.options[name] = re.findall(r'<option value="(\w+)"', inside)
            (self.defaults[name],) = re.findall(r'value="(\w+)" selected', inside)
        scripts.write(
            [
                {"name": name, "values": values, "initial": self.defaults[name]}
                for name, values in self.options.items()
            ]
        )

    def do(self, *actions: tuple[str, Any]) -> Moment:
        """Perform actions in the same instant.

        Return the moments that follow, the URLs requested, and the drawings of the mistake.
        """
        self._scripts.write(actions)
        message: Moment = self._scripts.read()
        while "moments" not in message:
            self._scripts.write(self.ask(message["url"]))
            message = self._scripts.read()
        return message

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
            return set_up(game, starts)
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
            view=self._pick("view", ["play", "explain"], "play"),
            has_hints=self._pick("analysis", ["true", "true", "false"], "false") == "true",
            options=tuple((name, value) for name, value in options if value),
        )


def set_up(game: Game, starts: str) -> Game:
    """Return the game while its board is set up."""
    return replace(game, start=game.board, starts=starts, played=(), at=0, is_set_up=True)


class Visit:
    """A user's visit, and what must follow from each action by the rules of the game."""

    def __init__(self, page: Page, link: Link, early: int | None = None) -> None:
        """Follow a link; if `early` is a cell, click on it before any response."""
        self.page: Final = page
        self.game = link.game
        self.before: list[Game] = []  # the games to which Back leads
        self.shapes: set[str] = set()  # of the texts shown
        self.is_paused = False
        self._ignored = [*link.ignored]  # until the user does something
        self._task = ""
        self._is_made = False  # whether a move of this game was made on the page
        self._is_counted = False  # whether this game has ended before
        self._score: Counter[str] = Counter()
        actions: list[tuple[str, Any]] = [("visit", link.query)]
        refusal = ""
        if early is not None:
            actions.append(("click", early))
            refusal = self._click(early, is_known=link.game.start == EMPTY)
        self._perform(actions, refusal)

    def click(self, *cells: int) -> None:
        """Click on cells in the same instant."""
        refusals = [self._click(cell, is_known=True) for cell in cells]
        self._perform([("click", cell) for cell in cells], refusals[-1])

    def do(self, name: str, value: Any = None) -> None:
        """Perform any other action."""
        last = self.game
        step = name
        if name == "act":
            step = button_of(last, is_paused=self.is_paused)
        if name == "first" and not last.has_begun and not last.is_set_up:
            self.game = replace(last, first=value)
            step = "new"
        self._go(last, step, value)
        self._is_made &= step not in (*BEGINNING, "reload")
        self._is_counted &= step not in BEGINNING
        self._set_task(last, step, value)
        is_stopped = step in ("undo", "back") and self.game.you == "nobody"
        self.is_paused = is_stopped or step == "arrow" or (step in SETTINGS and self.is_paused)
        self._ignored = []
        self._perform([(name, value)], "")

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
        is_back = step == "back" or (step == "undo" and self.before[-1:] == [after])
        if is_back:
            self.game = self.before.pop()
            return
        self.game = after
        if step not in (*SETTINGS, *REPLACING):
            self.before.append(last)

    def watch(self) -> None:
        """Let the oracle play alone, and pause it at once."""
        self.game = replace(self.game, you="nobody")
        self.is_paused = True
        self._ignored = []
        self._perform([("you", "nobody"), ("act", None)], "", first=1)

    def _click(self, cell: int, *, is_known: bool) -> str:
        """Follow a click; return why it does nothing, if so.

        `is_known` is whether the service has accepted the board.
        """
        refusal = refusal_of(self.game, cell, is_paused=self.is_paused, is_known=is_known)
        if not refusal and self.game.is_running:
            self.before.append(self.game)
            self.game = self.game.after(cell)
            self.is_paused = False
            self._task = ""
            self._is_made = True
            self._ignored = []
        return refusal

    def _perform(self, actions: list[tuple[str, Any]], refusal: str, first: int = 0) -> None:
        """Perform actions, and check every moment that follows, from an index on."""
        answer = self.page.do(*actions)
        moments = answer["moments"]
        last = moments[-1]
        self._follow(parse(last["address"]), answer["urls"])
        for moment in moments[first:]:
            self._check(parse(moment["address"]), moment, is_last=moment is last)
        assert (last["refusal"], sorted(last["ignored"])) == (refusal, sorted(self._ignored))
        assert last["entries"] == len(self.before) + 1
        check_sentence(self.game, last, is_paused=self.is_paused, task=self._task)
        check_ends(self.game, last, answer["ends"])
        shown = [last[name] for name in ("status", "act", "sentence", "refusal", "score")]
        self.shapes.update(map(shape, shown))
        self._check_score(last["score"])

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
        assert moment["canUndo"] == (game.last_own is not None)
        assert not is_last or bool(moment["problem"]) == (not game.is_legal)
        assert not re.search(r"Send|API|`|_", moment["problem"])
        check_cells(game, moment["cells"], is_last=is_last)
        check_steps(game, moment, is_last=is_last)
        check_explanation(game, moment, is_last=is_last)

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
        """Assert that the score counts each game against the oracle that has ended here."""
        game = self.game
        is_against = game.you in ("X", "O")
        if has_ended(game):
            if self._is_made and not self._is_counted and is_against:
                self._score[result_of(game)] += 1
            self._is_counted = True
        expected = []
        if is_against and self._score.total():
            names = ["You", "Oracle", *["Drawn"] * bool(self._score["Drawn"])]
            expected = [f"{name}\xa0{self._score[name]}" for name in names]
        assert shown == "\xa0\u00b7 ".join(expected)


def result_of(game: Game) -> str:
    """Return the name of the count that a finished game adds to."""
    if not game.winner:
        return "Drawn"
    return "You" if game.plays(game.winner) else "Oracle"


def check_address(game: Game, moment: Moment) -> None:
    """Assert that a URL leads to the same game, and has only what differs from a new game."""
    address = moment["address"]
    assert moment["isKept"]
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
    if name in ("set_up", "Correct the board"):
        is_inferred = game.starts == Game(game.board, "").starter
        return set_up(game, "" if is_inferred else game.starts)
    return replace(game, **changes_by(game, name, value))


def changes_by(game: Game, name: str, value: Any) -> dict[str, Any]:
    """Return the fields of a game that any other action changes."""
    match name:
        case "mark":
            cell, mark = value
            return {"start": referee.play(game.start, mark, cell)}
        case "play":
            return {"starts": game.starter, "is_set_up": False}
        case "hints":
            return {"has_hints": not game.has_hints}
        case "level":
            options = {**dict(game.options), "difficulty": value}
            return {"options": tuple(sorted(options.items()))}
        case "side" | "view" | "first" | "at" | "you" | "arrow":
            field = {"side": "starts", "arrow": "you"}.get(name, name)
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


def refusal_of(game: Game, cell: int, *, is_paused: bool, is_known: bool) -> str:
    """Return why a click does nothing; empty if it makes a move, or if an error is shown anyway."""
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
        return "" if is_known else "The service has not responded yet."
    can_start = is_paused and not game.looks_back
    return start_text(game) if can_start else f"It is the oracle's turn ({game.side})."


def check_sentence(game: Game, moment: Moment, *, is_paused: bool, task: str) -> None:
    """Assert that the sentence beside the board is true, and is the one that the user needs."""
    sentence = moment["sentence"]
    if not game.is_legal or game.is_set_up:
        expected = ""
        if game.is_set_up:
            expected = prospect_of(game) if game.is_legal else moment["problem"]
        assert sentence == expected
    elif game.looks_back:
        check_earlier_move(game, sentence)
    elif game.is_over:
        check_review(game, sentence)
        assert moment["attempt"] == own_mistake(game)
    elif game.has_hints and game.is_yours:
        check_hint(game, sentence, [cell["best"] for cell in moment["cells"]])
    elif task:
        assert sentence == task
    elif game.is_its_turn and is_paused and game.you != "nobody":
        assert sentence == start_text(game)
    elif game.at:
        check_last_move(game, sentence)
    else:
        assert sentence == first_sentence(game)


def prospect_of(game: Game) -> str:
    """Return the sentence about a legal board that is set up."""
    return end_of(replace(game, you="")) if game.is_over else f"{game.side} moves next."


def first_sentence(game: Game) -> str:
    """Return the sentence before the first move."""
    if game.you == "nobody":
        return "The oracle plays both sides."
    if game.start == EMPTY:
        return "Choose a cell, or press its number."
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
        r"(?:([XO]) could have won|the (.*) would have (won|drawn))\."
    )
    match = re.fullmatch(form, sentence)
    assert match, sentence
    whose, who, cell, other, better, result = match.groups()
    assert (who or whose)[0] == ("Y" if game.you == mistake.mover else mistake.mover)
    assert bool(who) == (mistake.outcome == 0)
    assert cell == CELLS[mistake.cell]
    if other:
        assert (other, mistake.outcome, game.winner) == (opponent(mistake.mover), -1, "")
    else:
        assert CELLS.index(better) in mistake.better
        assert result == {1: "won", 0: "drawn"}[mistake.best]
        assert game.winner or mistake.best == 1


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
    better = CELLS.index(moment["steps"][mistake.index]["title"].rpartition("better was ")[2])
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
    last = truth.play_on(referee.play(board, mover, cell), other, line[1:])
    winner = {1: mover, 0: "", -1: other}[outcome]
    assert truth.winner_of(last) == winner
    assert end["outcome"] == OUTCOMES[outcome]
    assert end["result"] == (f"{winner} wins" if winner else "Draw")
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
    """Assert that a hint names the marked cell and a true reason, or what all moves lead to."""
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


def check_cells(game: Game, cells: list[Moment], *, is_last: bool) -> None:
    """Assert that each cell shows its mark, its number, its outcome, and whether it is special.

    With hints, the free cells show their outcomes, and one of the best moves is marked, unless all
    moves are equal.
    """
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
    for number, cell in enumerate(cells):
        check_cell(game, number, cell, values if is_hinted else {})


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
    shown = [cell[each] for each in ("mark", "symbol", "words", "last", "name")]
    assert shown == [mark, symbol, words, is_last_move, name]


def check_steps(game: Game, moment: Moment, *, is_last: bool) -> None:
    """Assert that the strip has all moves, and marks exactly the mistakes of a reviewed game."""
    steps = moment["steps"]
    assert moment["heading"] == ("This game" if game.played else "Start here")
    moves = [f"{index + 1}. {game.mover(index)} {cell}" for index, cell in enumerate(game.played)]
    assert [f"{each['number']} {each['text']}" for each in steps] == moves
    is_reviewed = game.is_legal and (game.is_over or game.looks_back)
    wrong = {}
    if is_reviewed and (is_last or any(each["sign"] for each in steps)):
        wrong = {each.index: each for each in truth.mistakes(game)}
    for index, step in enumerate(steps):
        name, _, better = step["title"].partition(", a mistake, better was ")
        assert name == CELLS[game.played[index]]
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


def check_explanation(game: Game, moment: Moment, *, is_last: bool) -> None:
    """Assert that the panel says what best play leads to, and lists the moves, the best first."""
    shown = moment["explanation"]
    assert bool(shown) == (game.view == "explain" and game.is_running) or not is_last
    if not shown:
        return
    values = grades(game.board, game.side)
    assert shown["prospect"] == prospect_with_best_play(game.side, max(values.values()))
    moves = shown["moves"]
    assert sorted(cell for cell, _, _ in moves) == sorted(values)
    listed = [values[cell] for cell, _, _ in moves]
    assert listed == sorted(values.values(), reverse=True)
    assert [(symbol, words) for _, symbol, words in moves] == [*map(worth, listed)]
    truth.play_on(game.board, game.side, shown["line"])


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
        visit.click(*clicks)
    elif game.is_running and not game.looks_back and dice.random() < 0.1:
        visit.watch()
    else:
        visit.do(*dice.choice(offers_of_game(visit, dice)))


def offers_of_set_up(game: Game, cell: int, dice: random.Random) -> Offers:
    """Return what the user can do while the board is set up."""
    offers: Offers = [("mark", (cell, dice.choice("XO.")))] * 4
    offers.append(("first", dice.choice(FIRST)))
    offers.append(("side", dice.choice(["X", "O", ""])))
    if game.is_legal:
        offers += [("play", None)] * 4
    return offers


def offers_of_game(visit: Visit, dice: random.Random) -> Offers:
    """Return what the user can do in a game, in addition to clicks on cells."""
    game = visit.game
    offers: Offers = [
        *((name, None) for name in ("hints", "new", "set_up", "reload")),
        ("first", dice.choice(FIRST)),
        ("view", dice.choice(["play", "explain"])),
        ("level", dice.choice(visit.page.options["difficulty"])),
        ("you", dice.choice(PLAYERS)),
        ("arrow", dice.choice(PLAYERS)),
        ("at", dice.randint(0, len(game.played))),
    ]
    mistake = own_mistake(game) if has_ended(game) else None
    if mistake is not None:
        offers += [("attempt", mistake)] * 3
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
            visit = Visit(page, link, dice.randrange(9) if is_early else None)
            for _ in range(dice.randrange(3)):
                act(visit, dice)
            shapes |= visit.shapes
        except AssertionError as error:
            error.add_note(f"{link} (seed {seed})")
            raise
    assert len(shapes) >= 55, shapes


def test_a_game_counts_once(page: Page) -> None:
    """A game that ends again after an undo counts no second time, even after a reload.

    The next game counts.
    """
    visit = Visit(page, Link("?board=XX.OO....", Game("XX.OO....")))
    visit.click(2)
    visit.do("undo")
    visit.do("reload")
    visit.click(2)
    visit.do("act")
    while visit.game.is_running:
        visit.click(referee.moves(visit.game.board)[0])


@pytest.mark.parametrize("starts", ["X", "O"])
@pytest.mark.parametrize("you", ["X", "O", "both"])
def test_set_up_keeps_whose_turn_it_is(page: Page, starts: str, you: str) -> None:
    """If nothing is changed, the side to move is the same on the board that is set up, and after.

    In particular, the oracle makes no move of the user's.
    """
    for seed in range(EXAMPLES):
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
