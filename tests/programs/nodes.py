"""Draws the picture of how many nodes each search visits on the empty board, for `make picture`."""

from collections.abc import Iterator
from functools import cache
from math import log10
from pathlib import Path

from best_move.engine import ALGORITHMS
from best_move.engine.search import Algorithm, Search
from tests.truth import golden

PICTURE = Path(__file__).parents[2] / "service/best_move/engine/nodes.svg"

WIDTH = 760

#  The left and right edges of the part drawn to scale; names are outside it.
LEFT = 180
RIGHT = 600

#  Bars grow to the right and curves upward, one step per factor of ten. Each ply moves a curve to
#  the right by PLY.
BARS_TOP = 72
BAR = 28
BARS_BOTTOM = BARS_TOP + BAR * (len(ALGORITHMS) + 1)
STEP_RIGHT = 70
CURVES_BOTTOM = BARS_BOTTOM + 280
STEP_UP = 44
PLY = 52.5
HEIGHT = CURVES_BOTTOM + 40

#  The color of each algorithm, in the light theme and in the dark one.
COLORS: dict[Algorithm, tuple[str, str]] = {
    "minimax": ("#545e59", "#a2aea8"),
    "alphabeta": ("#0a6b5b", "#62d2b8"),
    "ordered_alphabeta": ("#2563a8", "#7db4ee"),
    "transposition_table": ("#a84a12", "#f0a05f"),
    "iterative_deepening": ("#8a3c8f", "#d79ade"),
}


@cache
def nodes(name: Algorithm, depth: int) -> int:
    """Return how many nodes an algorithm visits on the empty board with a depth limit."""
    search = Search("distance")
    ALGORITHMS[name](search, 0, 0, depth)
    return int(search.nodes)


def draw() -> str:
    """Return the picture as SVG: logarithmic charts of nodes by algorithm and by depth."""
    start = f"""\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif"\
 font-size="13">
<title>The nodes that each search visits on the empty board, by algorithm and by depth</title>
<style>
svg {{ color: #191e1c }} .paper {{ fill: #f6f6f3 }} .grid {{ stroke: #dcdfda }}\
 .soft {{ color: #545e59 }}
{colors(0)}
text {{ fill: currentColor }}
.end {{ text-anchor: end }} .middle {{ text-anchor: middle }} .bold {{ font-weight: bold }}
@media (prefers-color-scheme: dark) {{
svg {{ color: #e8edea }} .paper {{ fill: #101413 }} .grid {{ stroke: #2b3330 }}\
 .soft {{ color: #a2aea8 }}
{colors(1)}
}}
</style>
<rect class="paper" width="{WIDTH}" height="{HEIGHT}" rx="10"/>"""
    return "\n".join([start, *bars(), *axes(), *curves(), "</svg>\n"])


def colors(theme: int) -> str:
    """Return the CSS rules of the algorithms' colors in a theme: 0 is light, 1 is dark."""
    rules = [f".c{row} {{ color: {COLORS[name][theme]} }}" for row, name in enumerate(ALGORITHMS)]
    return "\n".join(rules)


def bars() -> Iterator[str]:
    """Yield a bar for each algorithm, and an empty bar for the fewest nodes without a table."""
    yield text(24, 36, "Nodes on the empty board, a line for each factor of ten", "bold")
    for x in range(LEFT, RIGHT + 1, STEP_RIGHT):
        yield line(f"M{x} {BARS_TOP - 6}V{BARS_BOTTOM}")
    for row, name in enumerate(ALGORITHMS):
        yield from bar(row, name, nodes(name, 9), f"c{row}", 'fill="currentColor"')
    empty = 'fill="none" stroke="currentColor"'
    yield from bar(len(ALGORITHMS), "least without a table", golden.LEAST_NODES, "soft", empty)


def bar(row: int, name: str, count: int, color: str, paint: str) -> Iterator[str]:
    """Yield a bar, after its name and before its number of nodes."""
    y = BARS_TOP + BAR * row
    width = round(log10(count) * STEP_RIGHT, 1)
    share = f", 1 in {nodes('minimax', 9) / count:,.0f}" if row else ""
    size = f'width="{width}" height="{BAR - 10}" rx="2"'
    yield text(LEFT - 10, y + 15, name, "end")
    yield f'<rect class="{color}" x="{LEFT}" y="{y + 2}" {size} {paint}/>'
    yield text(LEFT + width + 8, y + 15, f"{count:,}{share}")


def axes() -> Iterator[str]:
    """Yield the title and the axes of the curves: a line for each power of ten, and the plies."""
    yield text(24, BARS_BOTTOM + 32, "Nodes by depth, in plies", "bold")
    for power in range(1, 7):
        y = CURVES_BOTTOM - (power - 1) * STEP_UP
        yield line(f"M{LEFT} {y}H{RIGHT}")
        yield text(LEFT - 10, y + 4, f"{10**power:,}", "soft end")
    for ply in range(9):
        yield text(LEFT + ply * PLY, CURVES_BOTTOM + 22, str(ply + 1), "soft middle")


def curves() -> Iterator[str]:
    """Yield a curve for each algorithm: the nodes at each depth."""
    for row, name in enumerate(ALGORITHMS):
        points = []
        for ply in range(9):
            y = CURVES_BOTTOM - (log10(nodes(name, ply + 1)) - 1) * STEP_UP
            points.append(f"{LEFT + ply * PLY},{y:.1f}")
        paint = 'fill="none" stroke="currentColor" stroke-width="2"'
        yield f'<polyline class="c{row}" points="{" ".join(points)}" {paint}/>'
        yield text(RIGHT + 8, y + 4, name, f"c{row}")


def line(path: str) -> str:
    """Return a line of the grid."""
    return f'<path class="grid" d="{path}"/>'


def text(x: float, y: float, words: str, classes: str = "") -> str:
    """Return a text that starts at a point, or ends or is centered there by its classes."""
    return f'<text class="{classes}" x="{x:.1f}" y="{y:.1f}">{words}</text>'


if __name__ == "__main__":
    PICTURE.write_text(draw(), encoding="utf-8")
