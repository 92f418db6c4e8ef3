"""Draws the picture of how many nodes each search visits on the empty board, for `make picture`."""

from math import log10
from pathlib import Path
from typing import Final

from best_move.engine import ALGORITHMS
from best_move.engine.search import Algorithm, Search
from tests.truth import golden

PICTURE: Final = Path(__file__).parents[2] / "service/best_move/engine/nodes.svg"

WIDTH: Final = 760

#  The left and right edges of the part drawn to scale; names are outside it.
LEFT: Final = 180
RIGHT: Final = 600

#  Bars grow to the right and curves upward, one step per factor of ten. Each ply moves a curve to
#  the right by PLY.
BARS_TOP: Final = 72
BAR: Final = 28
BARS_BOTTOM: Final = BARS_TOP + BAR * (len(ALGORITHMS) + 1)
STEP_RIGHT: Final = 70
CURVES_BOTTOM: Final = BARS_BOTTOM + 280
STEP_UP: Final = 44
PLY: Final = 52.5
HEIGHT: Final = CURVES_BOTTOM + 40

#  The color of each algorithm, in the light theme and in the dark one.
COLORS: Final[dict[Algorithm, tuple[str, str]]] = {
    "minimax": ("#545e59", "#a2aea8"),
    "alphabeta": ("#0a6b5b", "#62d2b8"),
    "ordered_alphabeta": ("#2563a8", "#7db4ee"),
    "transposition_table": ("#a84a12", "#f0a05f"),
    "iterative_deepening": ("#8a3c8f", "#d79ade"),
}


def nodes(name: Algorithm, depth: int) -> int:
    """Return how many nodes an algorithm visits on the empty board with a depth limit."""
    search = Search("distance")
    ALGORITHMS[name](search, 0, 0, depth)
    return int(search.nodes)


def draw() -> str:
    """Return the picture as SVG: logarithmic charts of nodes by algorithm and by depth."""
    light, dark = (
        "\n".join(
            f".c{index} {{ color: {COLORS[name][paper]} }}" for index, name in enumerate(ALGORITHMS)
        )
        for paper in (0, 1)
    )
    start = f"""\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif"\
 font-size="13">
<title>The nodes that each search visits on the empty board, by algorithm and by depth</title>
<style>
svg {{ color: #191e1c }} .paper {{ fill: #f6f6f3 }} .grid {{ stroke: #dcdfda }}\
 .soft {{ color: #545e59 }}
{light}
text {{ fill: currentColor }}
@media (prefers-color-scheme: dark) {{
svg {{ color: #e8edea }} .paper {{ fill: #101413 }} .grid {{ stroke: #2b3330 }}\
 .soft {{ color: #a2aea8 }}
{dark}
}}
</style>
<rect class="paper" width="{WIDTH}" height="{HEIGHT}" rx="10"/>"""
    return "\n".join([start, *bars(), *curves(), "</svg>\n"])


def bars() -> list[str]:
    """Return a bar for each algorithm, and an empty bar for the fewest nodes without a table."""
    counts: dict[str, int] = {name: nodes(name, 9) for name in ALGORITHMS}
    rows = [
        (f"c{index}", 'fill="currentColor"', *count) for index, count in enumerate(counts.items())
    ]
    rows.append(
        ("soft", 'fill="none" stroke="currentColor"', "least without a table", golden.LEAST_NODES)
    )
    shapes = [text(24, 36, "Nodes on the empty board, a line for each factor of ten", bold=True)]
    shapes += [
        f'<path class="grid" d="M{x} {BARS_TOP - 6}V{BARS_BOTTOM}"/>'
        for x in range(LEFT, RIGHT + 1, STEP_RIGHT)
    ]
    for row, (color, paint, name, count) in enumerate(rows):
        y = BARS_TOP + BAR * row
        width = round(log10(count) * STEP_RIGHT, 1)
        share = f", 1 in {counts['minimax'] / count:,.0f}" if row else ""
        shapes += [
            text(LEFT - 10, y + 15, name, anchor="end"),
            (
                f'<rect class="{color}" x="{LEFT}" y="{y + 2}" width="{width}" '
                f'height="{BAR - 10}" rx="2" {paint}/>'
            ),
            text(LEFT + width + 8, y + 15, f"{count:,}{share}"),
        ]
    return shapes


def curves() -> list[str]:
    """Return a curve for each algorithm: the nodes at each depth."""
    shapes = [text(24, BARS_BOTTOM + 32, "Nodes by depth, in plies", bold=True)]
    for power in range(1, 7):
        y = CURVES_BOTTOM - (power - 1) * STEP_UP
        shapes.append(f'<path class="grid" d="M{LEFT} {y}H{RIGHT}"/>')
        shapes.append(text(LEFT - 10, y + 4, f"{10**power:,}", "soft", anchor="end"))
    shapes += [
        text(LEFT + ply * PLY, CURVES_BOTTOM + 22, str(ply + 1), "soft", anchor="middle")
        for ply in range(9)
    ]
    for index, name in enumerate(ALGORITHMS):
        heights = [
            CURVES_BOTTOM - (log10(nodes(name, depth)) - 1) * STEP_UP for depth in range(1, 10)
        ]
        points = " ".join(f"{LEFT + ply * PLY},{y:.1f}" for ply, y in enumerate(heights))
        shapes.append(
            f'<polyline class="c{index}" points="{points}" fill="none" stroke="currentColor" '
            'stroke-width="2"/>'
        )
        shapes.append(text(RIGHT + 8, heights[-1] + 4, name, f"c{index}"))
    return shapes


def text(
    x: float, y: float, words: str, color: str = "ink", *, anchor: str = "start", bold: bool = False
) -> str:
    """Return an SVG text that starts, ends or is centered at a point."""
    weight = "bold" if bold else "normal"
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
    return f'<text class="{color}" {place} font-weight="{weight}">{words}</text>'


if __name__ == "__main__":
    PICTURE.write_text(draw(), encoding="utf-8")
