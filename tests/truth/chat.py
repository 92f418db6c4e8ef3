"""A model that plays by the texts of the tools alone, and a referee that checks what it gets."""

import json
import re
from collections.abc import Callable, Iterable
from random import Random
from typing import Any, NamedTuple

from best_move.engine.choice import RATES
from best_move.web.chatbots.protocol import INSTRUCTIONS
from best_move.web.chatbots.tools import TOOLS
from tests.truth import referee
from tests.truth.referee import opponent

Json = dict[str, Any]
Call = Callable[[str, Json], Json]
"""Calls a tool with arguments; returns its result."""

#  The names of the cells, as a user says them.
CELLS = (
    "the top-left corner",
    "the top side",
    "the top-right corner",
    "the left side",
    "the center",
    "the right side",
    "the bottom-left corner",
    "the bottom side",
    "the bottom-right corner",
)


class Kind(NamedTuple):
    """A kind of game: the user's side, who starts, the level, and what the model sees of results.

    A model sees either the text of a result or its fields.
    """

    user: str
    starts: str
    level: str
    has_fields: bool


KINDS = tuple(
    Kind(user, starts, level, has_fields)
    for user in "XO"
    for starts in "XO"
    for level in RATES
    for has_fields in (False, True)
)


class Seen(NamedTuple):
    """What a model sees of a result."""

    sentence: str
    rows: list[str]
    played: list[int]
    starts: str
    end: str


def seen(result: Json, kind: Kind) -> Seen:
    """Return what a model sees of a result."""
    assert not result.get("isError"), result
    if kind.has_fields:
        fields = result["structuredContent"]
        rows = fields["board"].split("\n")
        side = fields["to_move"]
        end = f"{side} is to move." if side else fields["review"]
        sentence = f"{fields.get('previous')} {fields['text']} {fields.get('outlook')}"
        return Seen(sentence, rows, fields["played"], fields["starts"], end)
    sentence, *rows, played, end = result["content"][0]["text"].split("\n")
    cells, _, starts = played.removeprefix("Played so far: ").partition(", starts: ")
    assert starts in ("X", "O"), played
    return Seen(sentence, rows, json.loads(cells), starts, end)


class Follower:
    """A model that takes the texts literally, and knows neither the board nor the rules."""

    def __init__(self, call: Call, kind: Kind) -> None:
        self.call = call
        self.kind = kind
        self.played: list[int] = []
        self.starts = kind.starts
        levels = TOOLS["best_move"].definition["inputSchema"]["properties"]
        judging = TOOLS["judge_move"].definition["description"]
        self.list = named("with the list as", INSTRUCTIONS)
        self.own_side = named("your side as", INSTRUCTIONS)
        self.starter = named("the side that moved first as", INSTRUCTIONS)
        self.judged_side = named("send the user's side as", judging)
        self.calls_before_every_move = "before every move" in INSTRUCTIONS
        self.level = next(name for name in levels if kind.level in levels[name].get("enum", []))

    def move(self, cell: int | None) -> Seen:
        """Append the user's move, if there is one, and get the reply."""
        own = opponent(self.kind.user)
        options = {self.own_side: own, self.level: self.kind.level}
        if cell is not None:
            if self.calls_before_every_move:
                self.send("best_move", options)
            self.played.append(cell)
        return self.send("best_move", options)

    def judge(self) -> Seen:
        """Get the judgment of the user's move, after the reply."""
        return self.send("judge_move", {self.judged_side: self.kind.user})

    def send(self, tool: str, options: Json) -> Seen:
        """Call a tool with the list, and continue with the list that it returns."""
        arguments = {self.list: self.played, self.starter: self.starts, **options}
        arguments.pop("", None)  # the texts name no argument for this
        result = seen(self.call(tool, arguments), self.kind)
        self.played = result.played
        self.starts = result.starts
        return result


def named(before: str, text: str) -> str:
    """Return the argument that a text names after these words; empty if it names none."""
    found = re.search(f"{before} `(\\w+)`", text)
    return found[1] if found else ""


class Table:
    """The true game, which checks what a model sees."""

    def __init__(self, kind: Kind) -> None:
        self.kind = kind
        self.board = "." * 9
        self.side = kind.starts
        self.played: list[int] = []
        self.mistakes: list[str] = []  # how the review describes each, if it is the last

    def play(self, cell: int) -> str:
        """Make a move; return how it must be judged: a mistake in words, or an empty text."""
        grades = referee.grade_of_moves(
            self.board, self.side, self.board.count("."), counts_plies=True
        )
        result, _ = grades[cell]
        best, _ = max(grades.values())
        best_moves = [move for move in grades if grades[move] == max(grades.values())]
        self.board = referee.play(self.board, self.side, cell)
        self.played.append(cell)
        change = f"a {WORDS[best]} into a {WORDS[result]}"
        mover = self.side
        self.side = opponent(mover)
        if result == best:
            return ""
        self.mistakes.append(
            f"The last mistake was {mover}'s {cell} at move {len(self.played)}: "
            f"it turned {change}. Best: {', '.join(map(str, best_moves))}."
        )
        return f"This is a mistake: it turns {change}."

    def check_move(self, result: Seen) -> None:
        """Assert that a reply is a move of the oracle, the best one if it is perfect; make it.

        The reply names the move that it answers.
        """
        if self.played:
            cell = self.played[-1]
            previous = f"{opponent(self.side)} has played {cell}, {CELLS[cell]}. "
            assert result.sentence.startswith(previous)
        if referee.is_over(self.board):
            assert self.ending() in result.sentence
        else:
            self.check_reply(result)
        self.check_game(result)

    def check_reply(self, result: Seen) -> None:
        """Assert that a reply names a legal move, a best one at the perfect level; make it."""
        side, cell = self.named_move(result)
        assert side == self.side == opponent(self.kind.user)
        assert cell in referee.moves(self.board)
        mistake = self.play(cell)
        is_perfect = self.kind.level == "perfect"
        assert not (mistake and is_perfect)
        outlooks = {
            1: f"{self.side} can now force a win",
            0: "With best play by both sides the game ends in a draw",
            -1: f"{side} can now force a win",
        }
        value = self.value()
        for each, outlook in outlooks.items():
            assert (outlook in result.sentence) == (is_perfect and each == value)

    def check_judgment(self, result: Seen, cell: int, judgment: str) -> None:
        """Assert that a result judges the user's move, and shows the whole game."""
        assert self.named_move(result) == (self.kind.user, cell)
        assert judgment in result.sentence
        assert bool(judgment) == ("mistake" in result.sentence)
        self.check_game(result)

    def check_game(self, result: Seen) -> None:
        """Assert that a result shows the game: its moves, its marks, whose turn it is, its end."""
        assert result.played == self.played
        assert result.starts == self.kind.starts
        marks = enumerate(self.board)
        cells = "".join(str(cell) if mark == "." else mark for cell, mark in marks)
        assert "".join(result.rows).replace(" ", "") == cells
        if referee.is_over(self.board):
            assert self.ending() in result.sentence
            last = self.mistakes[-1] if self.mistakes else "No side made a mistake."
            assert result.end.startswith(last)
        else:
            assert "over" not in result.sentence
            assert result.end == f"{self.side} is to move."

    def ending(self) -> str:
        """Return how the game ended."""
        winners = [side for side in "XO" if referee.has_won(self.board, side)]
        return f"The game is over: {f'{winners[0]} has won' if winners else 'it is a draw'}."

    def value(self) -> int | None:
        """Return what best play leads to for the side to move; None if the game is over."""
        if referee.is_over(self.board):
            return None
        free = self.board.count(".")
        return referee.grade(self.board, self.side, free, counts_plies=False)[0]

    @staticmethod
    def named_move(result: Seen) -> tuple[str, int]:
        """Return the side and the cell of the move that a result is about."""
        found = re.search("([XO]) plays ([0-8]), the ", result.sentence)
        assert found, result
        return found[1], int(found[2])


WORDS = {1: "win", 0: "draw", -1: "loss"}


def play_games(call: Call, games: int, random: Random, kinds: Iterable[Kind] = KINDS) -> None:
    """Play games of each kind against a user who moves at random.

    After each reply the model asks for a judgment of the user's move.
    """
    for kind in [*kinds] * games:
        model = Follower(call, kind)
        table = Table(kind)
        if kind.user != kind.starts:
            table.check_move(model.move(None))
        while not referee.is_over(table.board):
            cell = random.choice(referee.moves(table.board))
            judgment = table.play(cell)
            table.check_move(model.move(cell))
            table.check_judgment(model.judge(), cell, judgment)
