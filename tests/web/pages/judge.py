"""A judge of the pages with a board: all that they show must be true of the game.

It knows the rules, and reads marks, signs, cells and sides; what the pages say is told by plays.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final
from urllib.parse import urlencode

from tests.truth import game as truth
from tests.truth import referee
from tests.truth.game import Game, grades, winner_of
from tests.truth.referee import Grade, opponent
from tests.web.pages.page import (
    CELLS,
    Done,
    Element,
    Moment,
    cell_at,
    cells_of,
    named_cells,
    only,
    struck_by,
    text,
)

OUTCOMES: Final = {1: "win", 0: "draw", -1: "loss"}
SIGN: Final = "b[@aria-hidden='true']"  # that screen readers skip
SYMBOLS: Final = {1: "\u25b2", 0: "=", -1: "\u25bc"}


#  Any board.


def winning_lines(board: str) -> list[list[int]]:
    """Return the cells of each line with three equal marks, or one empty list."""
    rows = referee.ROWS_OF_THREE
    return [sorted(row) for row in rows if {board[cell] for cell in row} in ({"X"}, {"O"})] or [[]]


def worth(grade: Grade) -> tuple[str, str]:
    """Return what a move leads to: a symbol, and words."""
    outcome, fine = grade
    if outcome == 0:
        return SYMBOLS[outcome], "Draws"
    verb, at_once = ("Wins", "now") if outcome == 1 else ("Loses", "next turn")
    turns = (abs(fine) + 1) // 2
    when = at_once if turns == 1 else f"in {turns} turns"
    return SYMBOLS[outcome], f"{verb} {when}"


def check_cells(
    board: str, moment: Moment, *, last: Sequence[int], values: Mapping[int, Grade]
) -> None:
    """Assert that each cell shows its mark, its part in the game and, as a hint, its outcome."""
    line = []
    for number, cell in enumerate(cells_of(moment)):
        mark = board[number].replace(".", "")
        symbol, words = worth(values[number]) if number in values else ("", "")
        assert (cell.mark, cell.symbol, cell.sign, cell.words) == (mark, symbol, symbol, words)
        notes = [name for name in ("best", "winning", "last") if name in cell.classes]
        assert ("last" in notes) == (number in last)
        assert "best" not in notes or values[number] == max(values.values())
        line += [number] * ("winning" in notes)
        names = {"best": "best move", "winning": "winning line", "last": "last move"}
        parts = [str(number), words, CELLS[number], mark or "empty"]
        assert cell.name == ", ".join(filter(None, [*parts, *(names[each] for each in notes)]))
    assert line in [[], *winning_lines(board)]
    assert moment["board"].get("data-winner", "") == (board[line[0]] if line else "")
    assert sorted(cell.tab for cell in cells_of(moment)) == ["-1"] * 8 + ["0"]
    strike = only(moment["board"], "svg[@class='strike']/path")
    assert struck_by(strike.get("d", "")) == line


def check_end(game: Game, status: str, sentence: str) -> None:
    """Assert that the texts on a finished game name its winner and its decisive mistake."""
    mistakes = truth.mistakes(game)
    assert re.findall(r"\b[XO]\b", status) == [game.winner] * (game.winner != "")
    assert ("You won" in status) == (game.winner != "" and game.you == game.winner)
    assert ("You lost" in status) == (game.winner != "" and game.you == opponent(game.winner))
    if not mistakes or not sentence:
        assert named_cells(sentence) == []
        return
    mistake = mistakes[-1]
    cell, better = named_cells(sentence)
    assert cell == mistake.cell
    assert better in mistake.better
    assert sentence.startswith("You" if game.you == mistake.mover else mistake.mover)
    assert sentence.endswith(f"would have {'won' if mistake.best == 1 else 'drawn'}.")


#  The playground.


def check_playground(done: Done) -> None:
    """Assert that all that the playground shows is true, at each moment, of the game in its URL."""
    announced = {moment.text("announcement") for moment in done.moments}
    for moment in done.moments:
        game = truth.parse(moment.url.partition("?")[2])
        is_busy = moment["game"].get("aria-busy") == "true"
        is_known = moment is done.last and not is_busy and not moment.text("problem")
        check_controls(game, moment)
        check_board(game, moment, is_known=is_known)
        check_moves(game, moment, is_known=is_known)
        if is_known and not game.is_set_up:
            check_status(game, moment, announced)
        if is_known and moment.text("mistake"):
            check_drawings(game, moment)
        is_explained = game.view == "explain" and game.is_running
        if is_known and is_explained and moment.text("act") != "Pause":
            check_explanation(game, moment)


def check_controls(game: Game, moment: Moment) -> None:
    """Assert that the controls are those of a game or of setting up, and show its choices."""
    parts = ["set-up-bar", "setting-up"] if game.is_set_up else ["playing-bar", "playing"]
    parts += [game.view, *["moves" if game.played else "no-moves"] * (not game.is_set_up)]
    all_parts = "set-up-bar setting-up playing-bar playing play explain moves no-moves"
    shown = {name for name in all_parts.split() if "hidden" not in moment[name].attrib}
    assert shown == {*parts}
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
        tab = moment[f"tab-{name}"]
        marked = ("true", "0") if name == game.view else ("false", "-1")
        assert (tab.get("aria-selected"), tab.get("tabindex")) == marked
    assert ("act" in moment) == (text(moment["act"]) != "")
    assert (moment["undo"].get("aria-disabled") == "true") == (game.last_own is None)
    assert moment["this-call"].get("href") == f"docs?{query_of(game)}#getBestMove"


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
        assert side == (game.side if game.is_running and game.plays(game.side) else "")
        for name in ("play-from-here", "search-from-here"):
            assert (moment[name].get("aria-disabled") == "true") == (not game.is_legal)
        if game.has_hints and game.is_running and game.plays(game.side) and not game.looks_back:
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
    else:
        told = ([], []) if kept == -1 else ([cell], [OUTCOMES[kept]])
        assert (named_cells(verdict), words) == told


def check_status(game: Game, moment: Moment, announced: set[str]) -> None:
    """Assert that the status names the side to move or the winner, and the mistake at the end."""
    status, sentence = moment.text("status"), re.sub(" ?Ignored: .*", "", moment.text("sentence"))
    assert moment.title == f"{status.removesuffix('.')} \u00b7 Best Move"
    if sentence in announced:  # why a cell cannot be chosen; it stays when the focus moves
        assert "." not in [game.board[cell] for cell in named_cells(sentence)]
        sentence = ""
    if not game.is_legal or game.looks_back:
        assert re.findall(r"\b[XO]\b", status) == []
        told = moment["moves"].findall("tbody/tr/td")[: game.at]
        assert sentence in ("", *map(text, told[-1:]))
    elif game.is_over:
        check_end(game, status, sentence)
        decisive = truth.mistakes(game)[-1:]
        is_own = any(game.plays(each.mover) for each in decisive)
        assert ("try-move" in moment) == is_own
        assert ("mistake" in moment) == (decisive != [] and game.view == "play")
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
    for index, row in enumerate(rows):
        button, told = only(row, "th/button"), text(only(row, "td"))
        cell, mover, mistake = game.played[index], game.mover(index), wrong.get(index)
        move = f"{index + 1}. {mover} {cell}"
        name = button.get("aria-label", "")
        first, *better = named_cells(name)
        assert (name.startswith(f"{move}, "), first) == (True, cell)
        assert (button.get("data-mark"), named_cells(told)[0]) == (mover, cell)
        assert (button.get("aria-current") == "step") == (index == game.at - 1)
        assert told.startswith("You" if game.you == mover else mover)
        sign = ""
        if mistake:
            sign = "??" if (mistake.best, mistake.outcome) == (1, -1) else "?"
            outcomes = [OUTCOMES[mistake.best], OUTCOMES[mistake.outcome]]
            assert re.findall("win|draw|loss", told) == outcomes
            assert better[0] in mistake.better
        assert len(better) == (sign != "")
        assert text(button) == f"{move} {sign}".strip()


def check_explanation(game: Game, moment: Moment) -> None:
    """Assert that the panel lists every move, the best first, and best play to the end."""
    panel = moment["explanation"]
    values = grades(game.board, game.side)
    cells = []
    for item in panel.iterfind("ul/li"):
        (cell,) = named_cells(text(item))
        cells.append(cell)
        symbol, words = worth(values[cell])
        assert (item.get("data-worth"), text(only(item, SIGN))) == (symbol, symbol)
        assert text(item) == f"{symbol} {words}: {cell}, {CELLS[cell]}"
    assert sorted(cells) == sorted(values)
    assert [values[cell] for cell in cells] == sorted(values.values(), reverse=True)
    truth.play_on(game.board, game.side, line_in(panel, game.side))
    assert only(panel, "a").get("href") == f"search?{query_of(game)}"


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
    *_, mistake = truth.mistakes(game)
    after = replace(game, at=mistake.index + 1, view="explain")
    before = replace(after, at=mistake.index)
    worse, better = moment["mistake"].findall("div")
    line = check_drawing(worse, before, after, mistake.outcome)
    assert line[0] == mistake.cell
    for index, cell in enumerate(line[1:], after.at):
        if game.played[index] != cell:
            best_moves = referee.best_moves(game.board_at(index), game.mover(index))
            assert game.played[index] not in best_moves
            break
    best, *_ = check_drawing(better, before, before, mistake.best)
    assert best in mistake.better


def check_drawing(part: Element, before: Game, linked: Game, outcome: int) -> list[int]:
    """Assert that a drawing shows best play after a move, and its outcome; return its moves."""
    mover = before.side
    line = line_in(part, mover)
    board = referee.play(before.board, mover, line[0])
    board = truth.play_on(board, opponent(mover), line[1:])
    assert winner_of(board) == {1: mover, 0: "", -1: opponent(mover)}[outcome]
    link, drawing = only(part, "a"), only(part, "a/span/svg")
    assert truth.parse(link.get("href", "").partition("?")[2]) == linked
    assert part.get("data-outcome") == OUTCOMES[outcome]
    sign = only(link, f"span/{SIGN}")
    assert text(sign) == SYMBOLS[outcome]
    told = (sign.tail or "").split()
    assert told == ([winner_of(board), "wins"] if outcome else ["Draw"])
    assert drawing.get("aria-label") == ", ".join(f"{board[cell]} {cell}" for cell in line)
    drawn, numbered, framed, struck = drawn_in(drawing)
    assert (drawn, numbered, framed) == (board, line, line[0])
    assert struck in winning_lines(board)
    return line


def drawn_in(drawing: Element) -> tuple[str, list[int], int, list[int]]:
    """Return the board, the numbered moves, the framed cell and the struck cells of a drawing."""
    board = ["."] * 9
    paths = [(path.get("class"), path.get("d", "")) for path in drawing.iterfind("path")]
    for kind, lines in paths:
        if kind is None:
            x, y = re.findall(r"[\d.]+", lines)[:2]
            board[cell_at(float(x), float(y))] = "O" if "a" in lines else "X"
    struck = struck_by("".join(lines for kind, lines in paths if kind == "won"))
    places = {int(text(each)): place_of(each) for each in drawing.iterfind("text")}
    numbered = [places[number + 1] for number in range(len(places))]
    return "".join(board), numbered, place_of(drawing[0]), struck


def place_of(element: Element) -> int:
    """Return the cell at which an element of a drawing is."""
    return cell_at(float(element.get("x", "")), float(element.get("y", "")))
