"""A judge of the playground: all that it shows must be true of the game that its URL names."""

import re
from dataclasses import replace
from typing import Final
from urllib.parse import urlencode

from tests.truth import game as truth
from tests.truth import referee
from tests.truth.game import Game, grades
from tests.truth.referee import opponent
from tests.web.pages.judge import (
    CELLS,
    cell_at,
    cells_of,
    check_cells,
    check_end,
    named_cells,
    struck_by,
    winning_lines,
    worth,
)
from tests.web.pages.page import Element, Moment, text

OUTCOMES: Final = {1: "win", 0: "draw", -1: "loss"}
TAB: Final = {True: ("true", "0"), False: ("false", "-1")}  # aria-selected and tabindex
PARTS: Final = (
    *("set-up-bar", "setting-up", "playing-bar", "playing"),
    *("play", "explain", "moves", "no-moves"),
)


def check_playground(moment: Moment, *, is_last: bool) -> None:
    """Assert that all that the playground shows is true of the game that its URL names."""
    game = truth.parse(moment.url.partition("?")[2])
    is_busy = moment["game"].get("aria-busy") == "true"
    is_known = is_last and not is_busy and not moment.text("problem")
    check_url(game, moment)
    check_controls(game, moment)
    check_board(game, moment, is_known=is_known)
    check_moves(game, moment, is_known=is_known)
    if not is_known:
        return
    if not game.is_set_up:
        check_status(game, moment)
    if moment.text("mistake"):
        check_drawings(game, moment)
    if game.view == "explain" and game.is_running and moment.text("act") != "Pause":
        check_explanation(game, moment)


def check_url(game: Game, moment: Moment) -> None:
    """Assert that a URL has only what differs from a new game."""
    assert not re.search("first=X|you=X|view=play|analysis=false|set_up=false", moment.url)
    is_named = game.start != truth.EMPTY or game.starts != game.first
    if game.is_set_up:
        is_named = game.starts != ""
    assert ("starts=" in moment.url) == is_named


def check_controls(game: Game, moment: Moment) -> None:
    """Assert that the controls are those of a game or of setting up, and show its choices."""
    parts = ["set-up-bar", "setting-up"] if game.is_set_up else ["playing-bar", "playing"]
    parts += [game.view, *["moves" if game.played else "no-moves"] * (not game.is_set_up)]
    assert {name for name in PARTS if "hidden" not in moment[name].attrib} == {*parts}
    fields = [*moment.body.iterfind(".//input"), *moment.body.iterfind(".//select")]
    chosen = {
        each.get("name", each.get("id")): each.get("live-value")
        for each in fields
        if each.tag == "select" or "live-checked" in each.attrib
    }
    del chosen["place"]
    options = {"difficulty": "medium", "tie_break": "random"} | dict(game.options)
    sides = {"you": game.you, "starts": game.starts if game.is_set_up else "", "first": game.first}
    assert chosen == sides | options
    assert moment["hints"].get("aria-pressed") == str(game.has_hints).lower()
    for name in ("play", "explain"):
        tab, is_open = moment[f"tab-{name}"], name == game.view
        assert (tab.get("aria-selected"), tab.get("tabindex")) == TAB[is_open]
    assert ("act" in moment) == (text(moment["act"]) != "")
    assert is_disabled(moment, "undo") == (game.last_own is None)
    assert moment["this-call"].get("href") == f"docs?{query_of(game)}#getBestMove"


def is_disabled(moment: Moment, name: str) -> bool:
    """Return whether a button is disabled."""
    return moment[name].get("aria-disabled") == "true"


def query_of(game: Game) -> str:
    """Return the position of a game as parameters of a request."""
    return urlencode({"board": game.board} | ({"starts": game.starts} if game.starts else {}))


def check_board(game: Game, moment: Moment, *, is_known: bool) -> None:
    """Assert that the board shows the position, its hints, and who may choose a cell."""
    cells = cells_of(moment)
    values = grades(game.board, game.side) if game.is_running else {}
    is_choice = len({*values.values()}) > 1 or len(values) == 1
    is_hinted = any(cell.words for cell in cells)
    assert is_hinted <= (game.has_hints and is_choice)
    last = game.played[max(0, game.at - 1) : game.at]
    check_cells(game.board, moment, last=last, values=values if is_hinted else {})
    best = [number for number, cell in enumerate(cells) if "best" in cell.classes]
    assert len(best) == is_hinted
    side = moment["board"].get("data-side", "")
    for cell in cells:
        assert cell.is_disabled == (not game.is_set_up and (side == "" or cell.mark != ""))
    if is_known:
        assert is_hinted == (game.has_hints and is_choice)
        is_won = any("winning" in cell.classes for cell in cells)
        assert is_won == (game.is_legal and game.winner != "")
        assert side == (game.side if game.is_running and game.is_yours else "")
        for name in ("play-from-here", "search-from-here"):
            assert is_disabled(moment, name) == (not game.is_legal)
        if game.has_hints and game.is_running and game.is_yours and not game.looks_back:
            check_hint(game, moment, best)


def check_hint(game: Game, moment: Moment, best: list[int]) -> None:
    """Assert that with hints the sentence judges the user's last move, and names the best cell."""
    sentence, last = moment.text("sentence"), game.last_own
    if re.match(r"Cell \d, ", sentence):  # why it cannot be chosen
        return
    verdict = re.split("Hint: |Every |Ignored: ", sentence)[0]
    hint = sentence.removeprefix(verdict)
    assert named_cells(hint)[:1] == best
    if last is None:
        assert verdict == ""
        return
    mover, cell = game.mover(last), game.played[last]
    assert verdict.startswith("You" if game.you == mover else mover)
    mistake = {each.index: each for each in truth.mistakes(game)}.get(last)
    kept, _ = max(grades(game.board_at(last), mover).values())
    words = re.findall(r"\b(win|draw|loss)\b", verdict)
    if mistake:
        judged, better = named_cells(verdict)
        assert (judged, words) == (cell, [OUTCOMES[mistake.best], OUTCOMES[mistake.outcome]])
        assert better in mistake.better
        assert f"have {'won' if mistake.best == 1 else 'drawn'}." in verdict
    elif kept == -1:
        assert (named_cells(verdict), words) == ([], [])
    else:
        assert (named_cells(verdict), words) == ([cell], [OUTCOMES[kept]])


def check_status(game: Game, moment: Moment) -> None:
    """Assert that the status names the side to move or the winner, and the mistake at the end."""
    status, sentence = moment.text("status"), re.sub(" ?Ignored: .*", "", moment.text("sentence"))
    assert moment.title == f"{status.removesuffix('.')} \u00b7 Best Move"
    if sentence == moment.text("announcement"):  # why a cell cannot be chosen
        assert "." not in [game.board[cell] for cell in named_cells(sentence)]
        sentence = ""
    if not game.is_legal or game.looks_back:
        assert re.findall(r"\b[XO]\b", status) == []
    elif game.is_over:
        check_end(game, status, sentence)
        mistake = truth.decisive(game)
        assert ("try-move" in moment) == (mistake is not None and game.plays(mistake.mover))
        assert ("mistake" in moment) == (mistake is not None and game.view == "play")
    elif status != "The oracle is next.":
        assert re.findall(r"\b[XO]\b", status) == [game.side]
        assert status.startswith("You") == (game.you == game.side)


def check_moves(game: Game, moment: Moment, *, is_known: bool) -> None:
    """Assert that the table has all moves, and signs exactly the mistakes of a reviewed game."""
    rows = moment["moves"].findall("tbody/tr")
    is_signed = moment["moves"].find(".//b[@class='mistake']") is not None
    is_reviewed = game.is_legal and (game.is_over or game.looks_back)
    assert is_signed <= is_reviewed
    is_judged = is_reviewed and (is_known or is_signed)
    wrong = {each.index: each for each in truth.mistakes(game)} if is_judged else {}
    heading = "This game" if game.played else "Start here"
    assert moment.text("this-game") == ("" if game.is_set_up or game.view != "play" else heading)
    assert len(rows) == len(game.played)
    for index, (row, cell) in enumerate(zip(rows, game.played, strict=True)):
        button, told = row.find("th/button"), row.find("td")
        assert button is not None
        assert told is not None
        check_move(game, index, button, text(told), wrong.get(index))
        assert button.get("data-mark") == game.mover(index)
        assert (button.get("aria-current") == "step") == (index == game.at - 1)
        assert named_cells(text(told))[0] == cell
        assert text(told).startswith("You" if game.you == game.mover(index) else game.mover(index))


def check_move(
    game: Game, index: int, button: Element, told: str, mistake: truth.Mistake | None
) -> None:
    """Assert that a move is named, and its sign, if it was a mistake, with a better move."""
    cell, name = game.played[index], button.get("aria-label", "")
    move = f"{index + 1}. {game.mover(index)} {cell}"
    sign = ""
    if mistake:
        sign = "??" if (mistake.best, mistake.outcome) == (1, -1) else "?"
        outcomes = [OUTCOMES[mistake.best], OUTCOMES[mistake.outcome]]
        assert re.findall("win|draw|loss", told) == outcomes
    assert text(button) == f"{move} {sign}".strip()
    assert name.startswith(f"{move}, ")
    first, *better = named_cells(name)
    assert first == cell
    assert len(better) == (mistake is not None)
    assert not mistake or better[0] in mistake.better


def check_explanation(game: Game, moment: Moment) -> None:
    """Assert that the panel lists every move, the best first, and best play to the end."""
    panel = moment["explanation"]
    values = grades(game.board, game.side)
    cells = []
    for item in panel.iterfind("ul/li"):
        (cell,) = named_cells(text(item))
        cells.append(cell)
        symbol, words = worth(values[cell])
        assert item.get("data-worth") == symbol
        assert text(item) == f"{symbol} {words}: {cell}, {CELLS[cell]}"
    assert sorted(cells) == sorted(values)
    assert [values[cell] for cell in cells] == sorted(values.values(), reverse=True)
    truth.play_on(game.board, game.side, line_in(panel, game.side))
    link = panel.find("a")
    assert link is not None
    assert link.get("href") == f"search?{query_of(game)}"


def line_in(part: Element, side: str) -> list[int]:
    """Return the moves of a line, once it is asserted that the sides alternate."""
    line = []
    for button in part.iterfind("ol/li/button"):
        mark, cell = text(button).split()
        assert (mark, button.get("data-mark")) == (side, side)
        assert button.get("aria-label") == f"{side} {cell}, {CELLS[int(cell)]}"
        line.append(int(cell))
        side = opponent(side)
    return line


def check_drawings(game: Game, moment: Moment) -> None:
    """Assert that the decisive mistake and a better move are drawn, each to the end of best play.

    The first follows the game as long as its moves are among the best.
    """
    mistake = truth.decisive(game)
    assert mistake
    after = replace(game, at=mistake.index + 1, view="explain")
    before = replace(after, at=mistake.index)
    worse, better = moment["mistake"].findall("div")
    line = check_drawing(worse, before, after, mistake.outcome)
    followed = truth.played_well(game, mistake.index + 1)
    assert tuple(line[: 1 + len(followed)]) == (mistake.cell, *followed)
    best, *_ = check_drawing(better, before, before, mistake.best)
    assert best in mistake.better


def check_drawing(part: Element, before: Game, linked: Game, outcome: int) -> list[int]:
    """Assert that a drawing shows best play after a move, and its outcome; return its moves."""
    mover = before.side
    line = line_in(part, mover)
    board = referee.play(before.board, mover, line[0])
    board = truth.play_on(board, opponent(mover), line[1:])
    assert truth.winner_of(board) == {1: mover, 0: "", -1: opponent(mover)}[outcome]
    link, drawing = part.find("a"), part.find("a/span/svg")
    assert link is not None
    assert drawing is not None
    assert truth.parse(link.get("href", "").partition("?")[2]) == linked
    assert part.get("data-outcome") == OUTCOMES[outcome]
    symbol = {1: "\u25b2", 0: "=", -1: "\u25bc"}[outcome]
    assert text(link).rpartition(symbol)[2].split() == (
        [truth.winner_of(board), "wins"] if outcome else ["Draw"]
    )
    assert drawing.get("aria-label") == ", ".join(f"{board[cell]} {cell}" for cell in line)
    drawn, numbered, framed, struck = drawn_in(drawing)
    assert (drawn, numbered, framed) == (board, line, line[0])
    assert struck in winning_lines(board)
    return line


def drawn_in(drawing: Element) -> tuple[str, list[int], int, list[int]]:
    """Return the board, the numbered moves, the framed cell and the struck cells of a drawing."""
    board, struck = ["."] * 9, []
    for path in drawing.iterfind("path"):
        lines = path.get("d", "")
        if path.get("class") == "won":
            struck = struck_by(lines)
        elif path.get("class") is None:
            x, y = re.findall(r"[\d.]+", lines)[:2]
            board[cell_at(float(x), float(y))] = "O" if "a" in lines else "X"
    texts = sorted(drawing.iterfind("text"), key=lambda each: int(text(each)))
    assert [text(each) for each in texts] == [str(index + 1) for index in range(len(texts))]
    return "".join(board), [place_of(each) for each in texts], place_of(drawing[0]), struck


def place_of(element: Element) -> int:
    """Return the cell at which an element of a drawing is."""
    return cell_at(float(element.get("x", "")), float(element.get("y", "")))
