"""The board as a picture: as SVG, and as PNG for clients that do not show SVG."""

from functools import lru_cache

from flask import Blueprint, Response, request
from resvg_py import svg_to_bytes

from best_move.engine.position import CELLS, Position
from best_move.web.api.reading import read_request
from best_move.web.api.requests import PositionRequest
from best_move.web.api.responses import FOR_A_DAY

pictures = Blueprint("pictures", __name__)

WIDTH = 600  # of the PNG, in pixels; link previews have these proportions
HEIGHT = 315

_HEADERS = {"Cache-Control": FOR_A_DAY}

#  A cell is 100 units wide. The picture has its own background, so that it is readable on any page.
_SVG = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view}" role="img" aria-label="{label}">
<rect x="-400" y="-100" width="1100" height="500" fill="#f6f6f3"/>
<g fill="none" stroke-linecap="round" stroke-width="10">
<path d="M100 4V296M200 4V296M4 100H296M4 200H296" stroke="#838b86" stroke-width="5"/>
{marks}
</g>
</svg>
"""
_SQUARE = "-12 -12 324 324"
_WIDE = "-150 -7.5 600 315"


@pictures.get("/board.svg")
def get_board_svg() -> Response:
    """Return the position of the query as an SVG picture."""
    position = read_request(PositionRequest, request.environ).position()
    return Response(draw(position), headers=_HEADERS, content_type="image/svg+xml")


@pictures.get("/board.png")
def get_board_png() -> Response:
    """Return the position of the query as a PNG picture."""
    position = read_request(PositionRequest, request.environ).position()
    return Response(_png(position), headers=_HEADERS, content_type="image/png")


def alternative_text(position: Position) -> str:
    """Return the alternative text of a position's picture."""
    cells = position.board.replace(".", "-")
    rows = []
    for first in range(0, CELLS, 3):
        row = cells[first : first + 3]
        rows.append(" ".join(row))
    return f"Tic-tac-toe, row by row: {', '.join(rows)}"


def draw(position: Position, view: str = _SQUARE) -> str:
    """Return the board as an SVG document, with a stroke through the winning line."""
    marks = []
    for cell, mark in enumerate(position.board):
        x, y = _middle(cell)
        if mark == "X":
            marks.append(f'<path d="M{x} {y}m-27-27 54 54m0-54-54 54" stroke="#0a6b5b"/>')
        elif mark == "O":
            marks.append(f'<circle cx="{x}" cy="{y}" r="28" stroke="#9a4d00"/>')
    if position.winning_line:
        first, _, last = position.winning_line
        x1, y1 = _middle(first)
        x2, y2 = _middle(last)
        line = f"M{x1} {y1} {x2} {y2}"
        marks.append(f'<path d="{line}" stroke="#191e1c" stroke-width="6"/>')
    label = alternative_text(position)
    return _SVG.format(view=view, label=label, marks="\n".join(marks))


def _middle(cell: int) -> tuple[int, int]:
    return cell % 3 * 100 + 50, cell // 3 * 100 + 50


@lru_cache(1024)  # pictures of a few KB each
def _png(position: Position) -> bytes:
    return svg_to_bytes(
        svg_string=draw(position, _WIDE), width=WIDTH, height=HEIGHT, skip_system_fonts=True
    )
