"""A tree of numbers as a PNG picture, which does not give its values away."""

import json
from functools import lru_cache
from typing import Final

from flask import Blueprint, Response, request
from resvg_py import svg_to_bytes

from best_move.engine.number_tree import Numbers, NumberTreeQuestion
from best_move.engine.tree_node import Side
from best_move.web.api.number_text import as_json
from best_move.web.api.pictures import HEIGHT, WIDTH
from best_move.web.api.reading import read_request
from best_move.web.api.requests import NumberPictureRequest
from best_move.web.api.responses import FOR_A_DAY

number_pictures = Blueprint("number_pictures", __name__)

_HEADERS: Final = {"Cache-Control": FOR_A_DAY}
_MARGIN: Final = 20
_LARGEST: Final = 48.0  # width of a node

#  The characters of numbers as lines, 4 wide and 6 high, because the picture has no fonts.
_LINES: Final = {
    "0": "M0 0h4v6h-4z",
    "1": "M1 1l1.5-1v6",
    "2": "M0 0h4v3h-4v3h4",
    "3": "M0 0h4v6h-4m0-3h4",
    "4": "M0 0v3h4m0-3v6",
    "5": "M4 0h-4v3h4v3h-4",
    "6": "M4 0h-4v6h4v-3h-4",
    "7": "M0 0h4l-2.5 6",
    "8": "M0 0h4v6h-4zM0 3h4",
    "9": "M4 3h-4v-3h4v6h-4",
    "-": "M.5 3h3",
}
_ADVANCE: Final = 6  # from one character to the next

_SVG: Final = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">
<rect width="{width}" height="{height}" fill="#f6f6f3"/>
<g fill="none" stroke="#838b86" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">
{shapes}
</g>
</svg>
"""


@number_pictures.get("/tree.png")
def get_tree_png() -> Response:
    """Return the tree of the query as a PNG picture."""
    question = read_request(NumberPictureRequest, request.environ).question()
    picture = _png(as_json(question.tree), question.root)
    return Response(picture, headers=_HEADERS, content_type="image/png")


def alternative_text(question: NumberTreeQuestion) -> str:
    """Return the alternative text of a tree's picture."""
    return f"A tree of numbers, {question.root.upper()} to move: {as_json(question.tree)}"


def draw(tree: list[Numbers], *, is_max: bool) -> str:
    """Return a tree as an SVG document: its leaves, and a triangle for each other node."""
    drawing = _Drawing(tree)
    drawing.draw(tree, 0, is_max=is_max)
    shapes = "\n".join(drawing.edges + drawing.nodes)
    return _SVG.format(width=WIDTH, height=HEIGHT, shapes=shapes)


class _Drawing:
    """The shapes of a tree, whose leaves have the same distance from each other."""

    def __init__(self, tree: Numbers) -> None:
        plies = _plies(tree)
        self.pitch = (WIDTH - 2 * _MARGIN) / _leaves(tree)
        height = HEIGHT - 2 * _MARGIN
        self.inner = min(_LARGEST, height / (1.6 * plies + 1))  # the size of a triangle
        self.size = min(self.inner, 0.85 * self.pitch)  # that of a leaf
        self.step = (height - self.inner) / plies
        self.leaves = 0  # drawn so far
        self.edges: list[str] = []
        self.nodes: list[str] = []

    def draw(self, part: Numbers, ply: int, *, is_max: bool) -> float:
        """Draw a node and all below it; return its horizontal place."""
        y = _MARGIN + self.inner / 2 + ply * self.step
        if isinstance(part, int):
            self.leaves += 1
            x = _MARGIN + (self.leaves - 0.5) * self.pitch
            self.nodes += [self.square(x, y), self.number(part, x, y)]
            return x
        places = [self.draw(each, ply + 1, is_max=not is_max) for each in part]
        x = (places[0] + places[-1]) / 2
        for each in places:
            self.edges.append(f'<path d="M{x:.1f} {y:.1f}L{each:.1f} {y + self.step:.1f}"/>')
        self.nodes.append(self.triangle(x, y, is_max=is_max))
        return x

    def square(self, x: float, y: float) -> str:
        """Return the shape of a leaf."""
        half = self.size / 2
        place = f'x="{x - half:.1f}" y="{y - half:.1f}"'
        return f'<rect {place} width="{self.size:.1f}" height="{self.size:.1f}" fill="#fff"/>'

    def triangle(self, x: float, y: float, *, is_max: bool) -> str:
        """Return the shape of a node, which points up if MAX is to move there, else down."""
        half = self.inner / 2
        up = -half if is_max else half
        color = "#0a6b5b" if is_max else "#9a4d00"
        path = f"M{x:.1f} {y + up:.1f}l{half:.1f} {-2 * up:.1f}h{-2 * half:.1f}z"
        return f'<path d="{path}" fill="#fff" stroke="{color}" stroke-width="3"/>'

    def number(self, number: int, x: float, y: float) -> str:
        """Return the characters of a number, which fill a leaf."""
        characters = str(number)
        width = _ADVANCE * len(characters) - 2
        scale = 0.7 * self.size / max(width, 10)
        left = x - scale * width / 2
        top = y - scale * 3
        paths = [
            f'<path d="{_LINES[each]}" transform="translate({_ADVANCE * index} 0)"/>'
            for index, each in enumerate(characters)
        ]
        place = f"translate({left:.2f} {top:.2f}) scale({scale:.3f})"
        return f'<g transform="{place}" stroke="#191e1c" stroke-width="0.9">{"".join(paths)}</g>'


def _plies(part: Numbers) -> int:
    """Return the number of plies below a node."""
    return 0 if isinstance(part, int) else 1 + max(map(_plies, part))


def _leaves(part: Numbers) -> int:
    """Return the number of leaves below a node."""
    return 1 if isinstance(part, int) else sum(map(_leaves, part))


@lru_cache(256)  # pictures of a few KB each
def _png(numbers: str, root: Side) -> bytes:
    svg = draw(json.loads(numbers), is_max=root == "max")
    return svg_to_bytes(svg_string=svg, width=WIDTH, height=HEIGHT, skip_system_fonts=True)
