"""A model that plays by the texts of the tools alone gets each mark and each judgment right."""

import json
import re
from itertools import product
from random import Random
from typing import Any, Final, NamedTuple

import pytest

from best_move.engine.choice import RATES
from best_move.web.chatbots.protocol import INSTRUCTIONS
from best_move.web.chatbots.tools import TOOLS
from tests.truth import referee
from tests.truth.referee import is_over, opponent
from tests.web.chatbots.calls import Call

Json = dict[str, Any]

#  Either side starts, the model is either, at every level, and sees the fields of a result or its
#  text.
KINDS: Final = [*product("XO", "XO", RATES, (False, True))]
WORDS: Final = {1: "win", 0: "draw", -1: "loss"}


class Seen(NamedTuple):
    """What a model sees of a result."""

    sentence: str
    board: str
    played: list[int]
    starts: str
    end: str
    options: Json


def seen(result: Json, *, has_fields: bool) -> Seen:
    """Return what a model sees of a result."""
    assert not result.get("isError"), result
    if has_fields:
        fields = result["structuredContent"]
        side = fields["to_move"]
        end = f"{side} is to move." if side else fields["review"]
        sentence = f"{fields.get('previous')} {fields['text']} {fields['outlook']}"
        options = {name: fields.get(name) for name in ("you", "difficulty")}
        return Seen(sentence, fields["board"], fields["played"], fields["starts"], end, options)
    sentence, *rows, sent_back, end = result["content"][0]["text"].split("\n")
    found = re.fullmatch(r"Played so far: (\[.*\]), starts: ([XO])(.*)", sent_back)
    assert found, sent_back
    options = dict(re.findall(r", (\w+): (\w+)", found[3]))
    return Seen(sentence, "\n".join(rows), json.loads(found[1]), found[2], end, options)


def named_move(result: Seen) -> tuple[str, int]:
    """Return the side and the cell of the move that a result is about."""
    found = re.search("([XO]) plays ([0-8]), the ", result.sentence)
    assert found, result
    return found[1], int(found[2])


def mistake(game: Call, index: int) -> tuple[str, str]:
    """Return how a move changes the outcome, empty if it is no mistake, and the best moves."""
    side, cell = game.moves[index]
    board = game._replace(played=game.played[:index]).board
    grades = referee.grade_of_moves(board, side, board.count("."), counts_plies=True)
    best, _ = max(grades.values())
    outcome, _ = grades[cell]
    change = f"a {WORDS[best]} into a {WORDS[outcome]}" if outcome < best else ""
    return change, ", ".join(map(str, referee.best_moves(board, side)))


def check_game(result: Seen, game: Call) -> None:
    """Assert that a result shows the game: its moves, its marks, whose turn it is, its end."""
    assert (result.played, result.starts) == ([*game.played], game.starts)
    marks = enumerate(game.board)
    cells = "".join(str(cell) if mark == "." else mark for cell, mark in marks)
    assert "".join(result.board.split()) == cells
    if not is_over(game.board):
        assert "over" not in result.sentence
        assert result.end == f"{game.to_move} is to move."
        return
    winners = [side for side in "XO" if referee.has_won(game.board, side)]
    ending = f"{winners[0]} has won" if winners else "it is a draw"
    assert f"The game is over: {ending}." in result.sentence
    review = "No side made a mistake."
    for index, (side, cell) in enumerate(game.moves):
        change, best = mistake(game, index)
        if change:
            review = f"The last mistake was {side}'s {cell} at move {index + 1}: "
            review += f"it turned {change}. Best: {best}."
    assert result.end.startswith(review)


def check_reply(result: Seen, game: Call) -> Call:
    """Assert that a reply names a legal move, a best one at the perfect level; return the game."""
    side, cell = named_move(result)
    assert side == game.to_move == game.you
    assert cell in referee.moves(game.board)
    after = game.after(cell)
    is_perfect = game.difficulty == "perfect"
    change, _ = mistake(after, -1)
    assert not (change and is_perfect)
    check_outlook(result, after, is_told=is_perfect)
    return after


def check_outlook(result: Seen, game: Call, *, is_told: bool) -> None:
    """Assert that a result says what best play leads to, unless it must not or the game is over."""
    free = game.board.count(".")
    value, _ = referee.grade(game.board, game.to_move, free, counts_plies=False)
    outlooks = {
        1: f"{game.to_move} can now force a win",
        0: "With best play by both sides the game ends in a draw",
        -1: f"{opponent(game.to_move)} can now force a win",
    }
    for each, outlook in outlooks.items():
        is_here = is_told and each == value and not is_over(game.board)
        assert (outlook in result.sentence) == is_here


def check_options(result: Seen, sent: Json) -> None:
    """Assert that a result names the side and the level that were sent."""
    for name, default in {"you": None, "difficulty": "perfect"}.items():
        assert (result.options.get(name) or default) == sent.get(name, default)


@pytest.mark.parametrize("is_brief", [False, True], ids=["all arguments", "required arguments"])
def test_every_mark_and_every_judgment_is_right(*, is_brief: bool) -> None:
    """Whatever the sides, the starter and the level, the model needs only the last result.

    It sends the arguments that the texts name, or only those that the schema requires. After each
    reply it asks for a judgment of the user's move.
    """
    told = INSTRUCTIONS + TOOLS["judge_move"].definition["description"]
    cells, starter = re.findall("list as `(.*?)`, the side that moved first as `(.*?)`", told)[0]
    own, level_name = re.findall("your side as `(.*?)` and the level as `(.*?)`", told)[0]
    (judged,) = re.findall("judge the user's move, send the user's side as `(.*?)`", told)
    random = Random(1)  # noqa: S311, the same games in each run

    def ask(tool: str, last: Seen, *, has_fields: bool, **options: str | None) -> Seen:
        required = TOOLS[tool].definition["inputSchema"]["required"]
        arguments = {cells: last.played, starter: last.starts, **options}
        if is_brief:
            arguments = {name: arguments[name] for name in required}
        result = seen(TOOLS[tool].call(arguments), has_fields=has_fields)
        check_options(result, arguments)
        return result

    for starts, you, level, has_fields in KINDS * 6:
        if is_brief and level != "perfect":
            continue  # which is the default
        game = Call("best_move", (), starts, you, level)
        last = Seen("", "", [], starts, "", {})
        while not is_over(game.board):
            if game.to_move != you:
                game = game.after(random.choice(referee.moves(game.board)))
                last = last._replace(played=[*last.played, game.played[-1]])
            options = {own: you, level_name: level}
            last = ask("best_move", last, has_fields=has_fields, **options)
            of_user = len(game.played) - 1
            if game.played:
                previous = f"{opponent(game.to_move)} has played {game.played[-1]}, "
                assert last.sentence.startswith(previous)
            if not is_over(game.board):
                game = check_reply(last, game)
            check_game(last, game)
            if of_user >= 0:
                last = ask("judge_move", last, has_fields=has_fields, **{judged: opponent(you)})
                assert named_move(last) == game.moves[of_user]
                change, _ = mistake(game, of_user)
                judgment = f"This is a mistake: it turns {change}."
                assert (judgment in last.sentence) == ("mistake" in last.sentence) == bool(change)
                check_outlook(last, game, is_told=True)
                check_game(last, game)


def test_a_sentence_that_promises_the_best_move_limits_this_to_the_default() -> None:
    """A model that reads it alone does not tell the user that a weaker level is perfect."""
    told = [INSTRUCTIONS, *(tool.definition["description"] for tool in TOOLS.values())]
    sentences = re.split(r"(?<=\.) ", " ".join(told))
    promises = [sentence for sentence in sentences if re.search("perfectly|the best", sentence)]
    assert len(promises) == 2
    assert all("by default" in promise for promise in promises), promises
