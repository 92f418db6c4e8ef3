"""The drawing of a search tree, read from the shapes that the search page shows."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, Final

Shapes = Mapping[str, Any]
Path = tuple[int, ...]

NUMBER: Final = re.compile(r"-?\d*\.?\d+")
NAMES: Final = 72  # the width of the names of the plies
TOLERANCE: Final = 0.02  # because coordinates are rounded


def numbers(text: str) -> list[float]:
    """Return the numbers in the attribute of a shape."""
    return [float(number) for number in NUMBER.findall(text)]


def is_near(one: float, other: float) -> bool:
    """Return whether two coordinates are the same, apart from rounding."""
    return abs(one - other) < TOLERANCE


def marks_of(shapes: list[Shapes]) -> tuple[str, int | None]:
    """Return the board that shapes around an origin draw, and the cell of the last move."""
    (grid,) = (each for each in shapes if each.get("class") == "grid")
    step = abs(2 * numbers(grid["d"])[0])
    board = ["."] * 9
    last = None
    for each in shapes:
        if not str(each.get("class")).startswith("mark"):
            continue
        found = []
        for mark, x, y in marks_in(each["d"]):
            cell = 3 * (1 + round(y / step)) + 1 + round(x / step)
            assert abs(x - step * (cell % 3 - 1)) < 0.05
            assert abs(y - step * (cell // 3 - 1)) < 0.05
            board[cell] = mark
            found.append((cell, mark))
        if each["class"] == "mark last":
            ((last, mark),) = found
            assert each["data-mark"] == mark
    return "".join(board), last


def marks_in(drawing: str) -> Iterator[tuple[str, float, float]]:
    """Yield the marks in the drawing of a path, each with its center."""
    for part in re.findall("M[^M]*", drawing):
        values = numbers(part)
        if "a" in part:
            x, y, radius, *_ = values
            assert re.fullmatch(r"M\S+ \S+a\S+ \S+ 0 1 0 \S+ 0a\S+ \S+ 0 1 0 \S+ 0", part)
            assert is_near(values[7], 2 * radius)
            assert is_near(values[14], -2 * radius)
            yield "O", x + radius, y
        else:
            x, y, across, down, right, up, back, under = values
            assert re.fullmatch(r"M\S+ \S+l\S+ \S+m0 \S+l\S+ \S+", f"{part}") or right == 0
            assert is_near(across, down)
            assert is_near(up, -down)
            assert is_near(back, -across)
            assert is_near(under, down)
            yield "X", x + across / 2, y + down / 2


@dataclass(frozen=True)
class Node:
    """A node of the drawing."""

    shapes: Shapes
    edge: Shapes | None

    @cached_property
    def path(self) -> Path:
        """The moves that lead to the node."""
        text = self.shapes["path"]
        return tuple(map(int, text.split(","))) if text else ()

    @cached_property
    def place(self) -> tuple[float, float]:
        """The center of the node."""
        x, y = numbers(self.shapes["transform"])
        return x, y

    def parts(self, name: str) -> list[Shapes]:
        """Return the shapes of a class."""
        return [each for each in self.shapes["shapes"] if name in each["class"].split()]

    @cached_property
    def size(self) -> float:
        """The width of the node's board or small square, which must be square and centered."""
        (card,) = self.parts("card")
        size = float(card["width"])
        assert float(card["height"]) == size
        assert (float(card["x"]), float(card["y"])) == (-size / 2, -size / 2)
        return size

    @property
    def has_board(self) -> bool:
        """Whether the node is drawn as a board."""
        return bool(self.parts("grid"))

    @property
    def score(self) -> str:
        """The score that is drawn, with the sign of a bound if it has no shape of its own."""
        (score,) = self.parts("score")
        return str(score["text"])

    @property
    def name(self) -> str:
        """The name for screen readers."""
        return str(self.shapes["aria-label"])

    @property
    def state(self) -> str:
        """Whether the node is `done`, `open`, `later` or `never`."""
        return str(self.shapes["state"])

    def has(self, name: str) -> bool:
        """Return whether the node has a class; its edge must agree where it has the class too."""
        found = name in self.shapes["classes"]
        if self.edge and name in ("chosen", "cut", "current"):
            assert (name in self.edge["classes"]) == found
        return found


class Drawing:
    """The drawing of a tree."""

    def __init__(self, drawing: Shapes) -> None:
        edges = [None, *drawing["edges"]]
        pairs = zip(drawing["nodes"], edges, strict=True)
        self.nodes: Final = [Node(shapes, edge) for shapes, edge in pairs]
        self.at: Final = {node.path: node for node in self.nodes}
        left, top, self.width, self.height = numbers(drawing["viewBox"])
        assert (left, top) == (0, 0)
        self.names: Final = [(float(y), text) for y, text in drawing["names"]["texts"]]
        self.shift: Final = sum(numbers(drawing["names"]["transform"] or ""))
        self.plies: Final[list[list[Node]]] = []
        for node in self.nodes:
            ply = len(node.path)
            assert int(node.shapes["aria-level"]) == ply + 1
            if ply == len(self.plies):
                self.plies.append([])
            self.plies[ply].append(node)

    def children(self, path: Path) -> list[Node]:
        """Return the nodes drawn below a node."""
        ply = len(path) + 1
        below = self.plies[ply] if ply < len(self.plies) else []
        return [node for node in below if node.path[:-1] == path]

    def check(self) -> None:
        """Assert that no nodes overlap, and that all parts of a node are where they belong."""
        for ply, nodes in enumerate(self.plies):
            self._check_ply(ply, nodes)
        for node in self.nodes:
            self._check_node(node)
        assert {node.shapes["aria-selected"] for node in self.nodes} == {"true", "false"} or (
            len(self.nodes) == 1
        )

    def _check_ply(self, ply: int, nodes: list[Node]) -> None:
        """Assert that the nodes of a ply, of one size, are below the ply above, in one or two rows.

        They are in order from the left to the right, and those of a row do not overlap.
        """
        ((size, has_board),) = {(node.size, node.has_board) for node in nodes}
        rows = sorted({node.place[1] for node in nodes})
        assert len(rows) <= 2 - has_board
        assert is_near(self.names[ply][0], rows[0] + 4)
        bottom = 0.0
        if ply:
            above = self.plies[ply - 1]
            bottom = max(node.place[1] + node.size / 2 for node in above)
            assert size <= above[0].size
        assert bottom < rows[0] - size / 2
        for one, other in pairwise(nodes):
            assert one.place[0] < other.place[0], (one.path, other.path)
        for row in rows:
            for one, other in pairwise(node for node in nodes if node.place[1] == row):
                assert other.place[0] - one.place[0] > size, (one.path, other.path)
        assert nodes[0].place[0] - size / 2 >= NAMES
        assert nodes[-1].place[0] + size / 2 < self.width

    def _check_node(self, node: Node) -> None:
        x, y = node.place
        half = node.size / 2
        below = self.children(node.path)
        if below and node.path:
            assert abs(2 * x - below[0].place[0] - below[-1].place[0]) < 2 * TOLERANCE
        siblings = self.children(node.path[:-1]) if node.path else [node]
        assert int(node.shapes["aria-setsize"]) == len(siblings)
        assert int(node.shapes["aria-posinset"]) == siblings.index(node) + 1
        assert node.shapes["role"] == "treeitem"
        (reach,) = node.parts("reach")
        left, top, width, height = (float(reach[each]) for each in ("x", "y", "width", "height"))
        assert abs(left + width / 2) < TOLERANCE
        assert (top, height) == (-half - 8, node.size + 16)
        assert node.size <= width <= max(node.size, 40)
        self._check_labels(node)
        if node.path:
            self._check_edge(node, self.at[node.path[:-1]])
        assert y + half <= self.height - 10 + TOLERANCE

    def _check_labels(self, node: Node) -> None:
        """Assert that the move is above the node, and the sign and the score beside or below it."""
        half = node.size / 2
        (sign,) = node.parts("sign")
        (score,) = node.parts("score")
        if node.has_board:
            (bound,) = node.parts("bound")
            assert half < numbers(sign["transform"])[0] < numbers(bound["transform"])[0]
            assert half < float(score["x"])
        else:
            assert half < float(score["y"])
        if node.path:
            (move,) = node.parts("move")
            aside = node.place[0] - self.at[node.path[:-1]].place[0]
            sides = [("-4", "end")] * (aside < TOLERANCE) + [("4", "start")] * (aside > -TOLERANCE)
            assert (move["x"], move["text-anchor"]) in sides
            assert float(move["y"]) == -half - 4
        for more in node.parts("more"):
            x, y, right, down, top, length = numbers(more["d"])
            assert (x, right, down, length) == (-3, 3, 0, 6)
            assert (y, top) == (half + 3, half)

    def _check_edge(self, node: Node, parent: Node) -> None:
        """Assert that an edge leads from the parent down to the node, with its tick on it."""
        assert node.edge
        top = parent.place[1] + parent.size / 2
        bottom = node.place[1] - node.size / 2
        middle = (top + bottom) / 2
        start, end = parent.place[0], node.place[0]
        expected = [start, top, start, middle, end, middle, end, bottom]
        for found, each in zip(numbers(node.edge["way"]), expected, strict=True):
            assert abs(found - each) < TOLERANCE
        assert re.fullmatch("M[^A-Z]+C[^A-Z]+", node.edge["way"])
        assert node.edge["state"] == node.state
        x, y, right, up = numbers(node.edge["tick"])
        across = curve(0.6, start, start, end, end)
        down = curve(0.6, top, middle, middle, bottom)
        original = len(node.path) > 1 or not self.shift
        if original:
            assert abs(x + right / 2 - across) < TOLERANCE
            assert abs(y + up / 2 - down) < TOLERANCE


def curve(at: float, *points: float) -> float:
    """Return a coordinate on a cubic curve, given those of its four points."""
    first, second, third, last = points
    rest = 1 - at
    return rest**3 * first + 3 * rest**2 * at * second + 3 * rest * at**2 * third + at**3 * last
