"""The drawing of a search tree, read from the page: its nodes, and that it is legible."""

import re
from functools import cached_property
from itertools import pairwise
from typing import Final

from tests.web.pages.page import Element, classes
from tests.web.pages.searches import Path, moves_in

NUMBER: Final = re.compile(r"-?\d*\.?\d+")
NEAR: Final = 0.05  # because coordinates are rounded


def are_near(*pairs: tuple[float, float]) -> bool:
    """Return whether the coordinates of each pair are the same, apart from rounding."""
    return all(abs(one - other) < NEAR for one, other in pairs)


def numbers(text: str | None) -> list[float]:
    """Return the numbers in an attribute of a shape."""
    return [float(number) for number in NUMBER.findall(text or "")]


def board_drawn(shapes: Element) -> tuple[str, int | None]:
    """Return the board that shapes draw around an origin, and the cell of the last move."""
    (grid,) = (each for each in shapes if each.get("class") == "grid")
    step = abs(2 * numbers(grid.get("d"))[0])
    board = ["."] * 9
    last = None
    for shape in shapes:
        if "mark" not in classes(shape):
            continue
        for part in re.findall("M[^M]*", shape.get("d", "")):
            mark, x, y = mark_drawn(part)
            cell = 3 * (1 + round(y / step)) + 1 + round(x / step)
            assert are_near((x, step * (cell % 3 - 1)), (y, step * (cell // 3 - 1)))
            board[cell] = mark
            if "last" in classes(shape):
                assert last is None
                assert shape.get("data-mark") == mark
                last = cell
    return "".join(board), last


def mark_drawn(part: str) -> tuple[str, float, float]:
    """Return the mark that a part of a path draws, two arcs or two lines, and its center."""
    values = numbers(part)
    if "a" in part:
        x, y, radius, *_ = values
        assert are_near((values[7], 2 * radius), (values[14], -2 * radius))
        return "O", x + radius, y
    x, y, across, down, _, up, back, under = values
    assert are_near((down, across), (up, -across), (back, -across), (under, across))
    return "X", x + across / 2, y + down / 2


class Node:
    """A node of the drawing, and the edge that leads to it; the root has none."""

    def __init__(self, shapes: Element, edge: Element | None) -> None:
        self.shapes: Final = shapes
        self._parts: Final[dict[str, list[Element]]] = {}
        for shape in shapes:
            for name in classes(shape):
                self._parts.setdefault(name, []).append(shape)
        self.edge: Final = edge
        self._classes: Final = classes(shapes)
        self._edge_classes: Final = [] if edge is None else classes(edge)
        self.text: Final = shapes.get("data-path", "")
        self.path: Final = moves_in(self.text)
        self.x, self.y = numbers(shapes.get("transform"))
        (card,) = self.parts("card")
        self.size: Final = float(card.get("width", ""))
        self.has_board: Final = bool(self.parts("grid"))
        self.name: Final = shapes.get("aria-label", "")
        self.state: Final = shapes.get("data-state")  # `done`, `open`, `later` or `never`
        self.outcome: Final = shapes.get("data-outcome", "")
        self.bound: Final = shapes.get("data-bound", "")
        self.is_selected: Final = shapes.get("aria-selected") == "true"

    def parts(self, name: str) -> list[Element]:
        """Return the shapes of a class."""
        return self._parts.get(name, [])

    @property
    def score(self) -> str:
        """The score that is drawn, with the sign of a bound if that has no shape of its own."""
        (score,) = self.parts("score")
        return score.text or ""

    def has(self, name: str) -> bool:
        """Return whether the node has a class; its edge must agree where it can have it, too."""
        found = name in self._classes
        if self.edge is not None and name not in ("near", "at"):
            assert (name in self._edge_classes) == found
        return found


class Drawing:
    """The drawing of a tree."""

    def __init__(self, svg: Element) -> None:
        edges, nodes, self._names = svg
        pairs = zip(nodes, [None, *edges], strict=True)
        self.nodes: Final = [Node(shapes, edge) for shapes, edge in pairs]
        self.at: Final = {node.path: node for node in self.nodes}
        self._below: Final[dict[Path, list[Node]]] = {}
        for node in self.nodes[1:]:
            self._below.setdefault(node.path[:-1], []).append(node)
        left, top, self.width, self.height = numbers(svg.get("viewBox"))
        assert (left, top) == (0, 0)
        self.shift: Final = sum(numbers(self._names.get("transform"))[:1])  # of names and root
        self.plies: Final = [
            [node for node in self.nodes if len(node.path) == ply]
            for ply in range(1 + max(len(path) for path in self.at))
        ]

    @cached_property
    def names(self) -> list[str]:
        """The name of each ply."""
        return ["".join(each.itertext()) for each in self._names.iter("text")]

    @property
    def folded(self) -> list[str]:
        """The nodes that have a sign for more nodes below them."""
        return [node.text for node in self.nodes if node.parts("more")]

    def children(self, path: Path) -> list[Node]:
        """Return the nodes drawn below a node."""
        return self._below.get(path, [])

    def check(self) -> None:
        """Assert that nothing overlaps, that nothing is cut off, and that edges join nodes."""
        for ply in self.plies:
            rows = [[node for node in ply if node.y == y] for y in sorted({node.y for node in ply})]
            for one, other in pairwise(rows):
                assert one[0].y + one[0].size / 2 < other[0].y - other[0].size / 2
            for row in rows:
                for left, right in pairwise(row):
                    ends = left.x + left.size / 2, right.x - right.size / 2
                    assert ends[0] < ends[1], (left.path, right.path)
        bottoms = [max(node.y + node.size / 2 for node in ply) for ply in self.plies]
        for above, nodes, name in zip(
            [0, *bottoms], self.plies, self._names.iter("text"), strict=False
        ):
            assert all(above < node.y - node.size / 2 for node in nodes)
            assert abs(float(name.get("y", "")) - min(node.y for node in nodes)) < nodes[0].size / 2
        for node in self.nodes:
            assert 0 < node.x - node.size / 2 < node.x + node.size / 2 < self.width
            assert node.y + node.size / 2 < self.height
            self._check_labels(node)
            if node.path:
                self._check_edge(node, self.at[node.path[:-1]])

    def _check_labels(self, node: Node) -> None:
        """Assert that what belongs to a node is at the node, and that its place is told."""
        siblings = self.children(node.path[:-1]) if node.path else [node]
        place = [node.shapes.get(f"aria-{each}") for each in ("level", "setsize", "posinset")]
        ordinal = siblings.index(node) + 1
        assert place == [str(each) for each in (len(node.path) + 1, len(siblings), ordinal)]
        half = node.size / 2
        (card,), (reach,) = node.parts("card"), node.parts("reach")
        for shape in (card, reach):
            x, y, width, height = (
                float(shape.get(each, "")) for each in ("x", "y", "width", "height")
            )
            assert are_near((2 * x, -width), (2 * y, -height))
            assert min(width, height) >= node.size
        for label in node.parts("move"):
            assert -half - 8 < float(label.get("y", "")) <= -half
            parent = self.at[node.path[:-1]]
            aside = 1 if label.get("text-anchor") == "start" else -1
            assert aside * float(label.get("x", "")) > 0
            assert aside * (node.x - parent.x) > -NEAR, "the label is on the side of the edge"

    def _check_edge(self, node: Node, parent: Node) -> None:
        """Assert that an edge leads from the bottom of the parent to the top of a node."""
        assert node.edge is not None
        way, tick = node.edge
        x, y, *_, right, bottom = numbers(way.get("d"))
        assert are_near((x, parent.x), (y, parent.y + parent.size / 2))
        assert are_near((right, node.x), (bottom, node.y - node.size / 2))
        assert node.edge.get("data-state") == node.state
        left, top, across, up = numbers(tick.get("d"))
        if parent.path == () and self.shift:
            return
        assert min(x, right) - 1 < left + across / 2 < max(x, right) + 1, "the tick is on the edge"
        assert y < top + up / 2 < bottom
