"""A judge of boards, on the playground and in chats: it knows the rules.

It reads marks, signs, cells and sides, not sentences: what the pages say is told by plays.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import pytest

from tests.truth import game as truth
from tests.truth import referee
from tests.truth.game import Game, turns
from tests.truth.referee import Grade, opponent
from tests.web.pages.page import Element, Moment, classes, text

CELLS: Final = [
    *("top-left corner", "top side", "top-right corner"),
    *("left side", "center", "right side"),
    *("bottom-left corner", "bottom side", "bottom-right corner"),
]
CELL: Final = re.compile("|".join(CELLS))


@dataclass
class Cell:
    """A cell of a board that a page shows."""

    mark: str
    symbol: str  # of what its move leads to, as are the sign and the words
    sign: str
    words: str
    name: str
    classes: list[str]
    is_disabled: bool
    tab: str


def cells_of(moment: Moment) -> list[Cell]:
    """Return the cells that a page shows."""
    return [cell_of(each) for each in moment["board"].iterfind(".//button")]


def cell_of(button: Element) -> Cell:
    """Return the cell of a button."""
    symbol, words = button.findall("span[@class='worth']/*")
    return Cell(
        mark=button.get("data-mark", ""),
        symbol=text(symbol),
        sign=button.get("data-worth", ""),
        words=text(words),
        name=button.get("aria-label", ""),
        classes=classes(button),
        is_disabled=button.get("aria-disabled") == "true",
        tab=button.get("tabindex", ""),
    )


def board_of(moment: Moment) -> str:
    """Return the board that a page shows."""
    return "".join(cell.mark or "." for cell in cells_of(moment))


def named_cells(sentence: str) -> list[int]:
    """Return the cells that a sentence names."""
    return [CELLS.index(name) for name in CELL.findall(sentence)]


def winning_lines(board: str) -> list[list[int]]:
    """Return the cells of each line with three equal marks, or one empty list."""
    rows = referee.ROWS_OF_THREE
    return [sorted(row) for row in rows if {board[cell] for cell in row} in ({"X"}, {"O"})] or [[]]


def worth(grade: Grade) -> tuple[str, str]:
    """Return what a move leads to: a symbol, and words."""
    outcome, fine = grade
    if outcome == 0:
        return "=", "Draws"
    symbol, verb, at_once = ("\u25b2", "Wins", "now")
    if outcome == -1:
        symbol, verb, at_once = ("\u25bc", "Loses", "next turn")
    return symbol, f"{verb} {at_once if turns(fine) == 1 else f'in {turns(fine)} turns'}"


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
        parts = [
            str(number),
            words,
            CELLS[number],
            mark or "empty",
            *(names[each] for each in notes),
        ]
        assert cell.name == ", ".join(filter(None, parts))
    assert line in [[], *winning_lines(board)]
    assert moment["board"].get("data-winner", "") == (board[line[0]] if line else "")
    assert sorted(cell.tab for cell in cells_of(moment)) == ["-1"] * 8 + ["0"]
    strike = moment["board"].find("svg[@class='strike']/path")
    assert strike is not None
    assert struck_by(strike.get("d", "")) == line


def struck_by(drawing: str) -> list[int]:
    """Return the cells that a path strikes through, on a board that is 300 wide."""
    if not drawing:
        return []
    x, y, u, v = (float(number) for number in re.findall(r"-?[\d.]+", drawing))
    assert max(abs(u - x), abs(v - y)) == pytest.approx(272)  # beyond the marks
    return sorted(cell_at(*point) for point in ((x, y), ((x + u) / 2, (y + v) / 2), (u, v)))


def cell_at(x: float, y: float) -> int:
    """Return the cell at a point of a board that is 300 wide, or the one nearest to it."""
    row, column = (min(2, max(0, int(value // 100))) for value in (y, x))
    return 3 * row + column


def check_end(game: Game, status: str, sentence: str) -> None:
    """Assert that the texts on a finished game name its winner and the mistake that decided it."""
    mistake = truth.decisive(game)
    assert re.findall(r"\b[XO]\b", status) == [game.winner] * (game.winner != "")
    assert ("You won" in status) == (game.winner != "" and game.you == game.winner)
    assert ("You lost" in status) == (game.winner != "" and game.you == opponent(game.winner))
    if not mistake or not sentence:
        assert named_cells(sentence) == []
        return
    cell, better = named_cells(sentence)
    assert cell == mistake.cell
    assert better in mistake.better
    assert sentence.startswith("You" if game.you == mistake.mover else mistake.mover)
    assert sentence.endswith(f"would have {'won' if mistake.best == 1 else 'drawn'}.")
