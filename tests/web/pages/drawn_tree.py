"""The drawing of a search tree, read from the page: its nodes, and that it is legible."""

import re
from collections import defaultdict
from itertools import pairwise
from typing import Final
from xml.etree.ElementTree import Element

from tests.truth.textbook import Path

NEAR: Final = 0.05  # because coordinates are rounded


def moves_in(path: str) -> Path:
    """Return the moves of a path, which the page writes as cells separated by commas."""
    return tuple(map(int, path.split(","))) if path else ()


def numbers(shape: Element, *names: str) -> list[float]:
    """Return the numbers in attributes of a shape."""
    values = " ".join(shape.get(name, "") for name in names)
    return [float(number) for number in re.findall(r"-?\d*\.?\d+", values)]


def are_near(*pairs: tuple[float, float]) -> bool:
    """Return whether the coordinates of each pair are the same, apart from rounding."""
    return all(abs(one - other) < NEAR for one, other in pairs)


def board_drawn(shapes: Element) -> tuple[str, int | None]:
    """Return the board drawn around an origin, with the numbers in its cells, and the last move."""
    (grid,) = shapes.iterfind("*[@class='grid']")
    step = abs(2 * numbers(grid, "d")[0])
    board = ["."] * 9
    last = None
    for shape in shapes:
        if shape.tag == "text" and not shape.get("class"):
            x, y = numbers(shape, "x", "y")
            cell = 3 * int(1 + y // step) + 1 + round(x / step)
            assert are_near((x, step * (cell % 3 - 1)))
            assert 0 < y % step < step / 4  # the baseline of the number
            board[cell] = shape.text or ""
        if "mark" not in shape.get("class", "").split():
            continue
        for part in re.findall("M[^M]*", shape.get("d", "")):
            mark, x, y = mark_drawn(part)
            cell = 3 * (1 + round(y / step)) + 1 + round(x / step)
            assert are_near((x, step * (cell % 3 - 1)), (y, step * (cell // 3 - 1)))
            board[cell] = mark
            last = cell if shape.get("data-mark") == mark else last
    return "".join(board), last


def mark_drawn(part: str) -> tuple[str, float, float]:
    """Return the mark that a part of a path draws, two arcs or two lines, and its center."""
    x, y, right, down, *rest = (float(number) for number in re.findall(r"-?\d*\.?\d+", part))
    if "a" in part:
        assert are_near((rest[3], 2 * right), (rest[10], -2 * right))
        return "O", x + right, y
    assert are_near(*zip([down, *rest], [right, 0, -right, -right, right], strict=True))
    return "X", x + right / 2, y + down / 2


def triangle_drawn(shape: Element) -> float:
    """Return the y of the point of a triangle; the opposite side has its negative."""
    x, y, right, bottom, left = numbers(shape, "d")
    assert (x, y) == (0, -bottom)
    assert right == -left > 0
    return y


class Node:
    """A node of the drawing, and the edge that leads to it; the root has none."""

    def __init__(self, shapes: Element, edge: Element | None) -> None:
        self.shapes: Final = shapes
        self.edge: Final = edge
        self._parts: Final[defaultdict[str, list[Element]]] = defaultdict(list)
        for shape in shapes:
            for name in shape.get("class", "").split():
                self._parts[name].append(shape)
        self.text: Final = shapes.get("data-path", "")
        self.path: Final = moves_in(self.text)
        self.x, self.y = numbers(shapes, "transform")
        (card,) = self.parts("card")
        self.size: Final = float(card.get("width") or 2 * abs(triangle_drawn(card)))
        self.top, self.bottom = self.y - self.size / 2, self.y + self.size / 2
        self.left, self.right = self.x - self.size / 2, self.x + self.size / 2
        self.has_board: Final = bool(self.parts("grid"))
        self.name: Final = shapes.get("aria-label", "")
        self.state: Final = shapes.get("data-state")  # `done`, `open`, `later` or `never`
        self.outcome: Final = shapes.get("data-outcome", "")
        self.bound: Final = shapes.get("data-bound", "")

    def parts(self, name: str) -> list[Element]:
        """Return the shapes of a class."""
        return self._parts[name]

    @property
    def score(self) -> str:
        """The score that is drawn, with the sign of a bound if that has no shape of its own."""
        (score,) = self.parts("score")
        return score.text or ""

    def has(self, name: str) -> bool:
        """Return whether the node has a class; its edge must agree where it can have it, too."""
        found = name in self.shapes.get("class", "").split()
        if self.edge is not None and name not in ("near", "at"):
            assert (name in self.edge.get("class", "").split()) == found
        return found


class Drawing:
    """The drawing of a tree."""

    def __init__(self, svg: Element) -> None:
        edges, nodes, names = svg
        pairs = zip(nodes, [None, *edges], strict=True)
        self.nodes: Final = [Node(shapes, edge) for shapes, edge in pairs]
        self.at: Final = {node.path: node for node in self.nodes}
        self.children: Final[defaultdict[Path, list[Node]]] = defaultdict(list)
        plies: defaultdict[int, list[Node]] = defaultdict(list)
        for node in self.nodes:
            self.children[node.path[:-1] if node.path else (-1,)].append(node)
            plies[len(node.path)].append(node)
        self.plies: Final = [plies[ply] for ply in range(len(plies))]
        self.names: Final = [*names.iter("text")]  # of the plies
        self.shift: Final = sum(numbers(names, "transform")[:1])  # of names and root
        left, top, self.width, self.height = numbers(svg, "viewBox")
        assert (left, top) == (0, 0)

    def check(self) -> None:
        """Assert that nothing overlaps, that nothing is cut off, and that edges join nodes."""
        above = 0.0
        for ply, name in zip(self.plies, self.names, strict=True):
            top = min(node.y for node in ply)
            assert abs(numbers(name, "y")[0] - top) < ply[0].size / 2
            for y in sorted({node.y for node in ply}):
                row = [node for node in ply if node.y == y]
                assert above < min(node.top for node in row)
                above = max(node.bottom for node in row)
                assert all(left.right < right.left for left, right in pairwise(row))
                assert 0 < row[0].left < row[-1].right < self.width
        assert above < self.height
        for node in self.nodes:
            self._check_shapes(node)
            if node.edge is not None:
                self._check_edge(node.edge, node, self.at[node.path[:-1]])

    def _check_shapes(self, node: Node) -> None:
        """Assert that a node can be pointed at, and that its place among its siblings is told."""
        siblings = self.children[node.path[:-1] if node.path else (-1,)]
        place = [node.shapes.get(f"aria-{each}") for each in ("level", "setsize", "posinset")]
        told = len(node.path) + 1, len(siblings), siblings.index(node) + 1
        assert place == [*map(str, told)]
        for shape in (*node.parts("card"), *node.parts("reach")):
            if shape.get("d"):
                continue
            x, y, width, height = numbers(shape, "x", "y", "width", "height")
            assert are_near((2 * x, -width), (2 * y, -height))
            assert min(width, height) >= node.size

    def _check_edge(self, edge: Element, node: Node, parent: Node) -> None:
        """Assert that an edge leads from its parent to a node, with the move's label beside it."""
        way, tick = edge
        x, y, *_, right, bottom = numbers(way, "d")
        assert are_near((x, parent.x), (y, parent.bottom), (right, node.x), (bottom, node.top))
        assert edge.get("data-state") == node.state
        (label,) = node.parts("move")
        across, down = numbers(label, "x", "y")
        if label.get("text-anchor") == "middle":
            assert across == 0
            assert node.bottom < node.y + down < node.bottom + 14
        else:
            assert node.top - 8 < node.y + down <= node.top
            aside = 1 if label.get("text-anchor") == "start" else -1
            assert aside * across > 0
            assert aside * (node.x - parent.x) > -NEAR, "the label is on the side of the edge"
        if parent.path or not self.shift:
            left, top, width, height = numbers(tick, "d")
            assert min(x, right) - 1 < left + width / 2 < max(x, right) + 1, "the tick is on it"
            assert y < top + height / 2 < bottom
