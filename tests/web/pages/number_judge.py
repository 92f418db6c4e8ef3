"""The judge of a tree of numbers on the search page: all that it shows is true of the textbook's.

It reads the tree from the drawing: letters, numbers, triangles, states and marks of cutoffs.
"""

import json
import re
from math import inf
from typing import Final
from urllib.parse import parse_qsl, urlsplit

from tests.truth.textbook import Numbers, Path
from tests.web.pages import search_judge
from tests.web.pages.drawn_tree import Drawing, Node, triangle_drawn
from tests.web.pages.number_searches import (
    LETTERS,
    WORDS,
    NumberCase,
    check_step,
    check_summary,
    facts,
    printed,
    sign_of,
)
from tests.web.pages.page import Moment, classes, text
from tests.web.pages.search_judge import chosen
from tests.web.pages.searches import NUMBER, is_true

LIMITS: Final = {"\u2264 ": "at_most", "\u2265 ": "at_least", "": ""}


class View(search_judge.AnyView):
    """A moment of the page, and the search of a tree of numbers that it shows."""

    def __init__(self, moment: Moment) -> None:
        super().__init__(moment)
        root, cut, algorithm = (chosen(moment, name) for name in ("root", "cut", "algorithm"))
        order = moment["order"].get("live-value", "")
        given = dict(parse_qsl(urlsplit(moment.url).query))
        window = (float(given.get("alpha", -inf)), float(given.get("beta", inf)))
        self.case: NumberCase = NumberCase(
            json.dumps(tree_drawn(self.drawing)),
            root,
            cut,
            order,
            algorithm,
            window if algorithm == "alphabeta" else (-inf, inf),
        )
        self.node = self.chosen(self.case.names)


def tree_drawn(drawing: Drawing) -> Numbers:
    """Return the tree in a drawing, whose nodes have paths by the order of the text."""

    def at(path: Path) -> Numbers:
        children = sorted(drawing.children[path], key=lambda child: child.path)
        assert [child.path[-1] for child in children] == [*range(len(children))]
        if children:
            return [at(child.path) for child in children]
        (number,) = drawing.at[path].parts("leaf")
        return int((number.text or "").replace("\u2212", "-"))

    return at(())


def check(moment: Moment) -> None:
    """Assert that all that a page shows of a tree of numbers is true, once it is loaded."""
    is_busy = moment["drawing"].get("aria-busy") == "true"
    is_asked = search_judge.asks(moment)
    assert (moment["steps"].get("inert") is not None) == (is_busy or is_asked)
    if is_busy:
        return
    assert "numbers" in classes(moment["search"])
    view = View(moment)
    view.drawing.check()
    check_tree(view)
    search_judge.check_words(view)
    found = search_judge.states(view)
    for node in view.drawing.nodes:
        check_node(view, node, found)
    check_fields(view)
    search_judge.check_steps(view)
    check_counts(view)
    if not is_asked:
        search_judge.check_place(view)
        check_card(view)


def check_tree(view: View) -> None:
    """Assert that the branches have the order of the search, and that no mark is drawn."""
    search, drawing = view.case.truth, view.drawing
    for path in search.paths:
        drawn = [child.path[-1] for child in drawing.children[path]]
        if search.leaf(path) is None:
            assert drawn == search.moves(path)
    for name, ply in zip(drawing.names, drawing.plies, strict=True):
        inner = [node.path for node in ply if search.leaf(node.path) is None]
        side = "MAX \u25b2" if inner and search.is_max(inner[0]) else "MIN \u25bc"
        assert "".join(name.itertext()) == (side if inner else "leaves")
    visible = [each for each in view.moment["search"].iter() if view.moment.is_visible(each)]
    assert not [each for each in visible if each.get("data-mark")]


def check_node(view: View, node: Node, found: dict[Path, str]) -> None:
    """Assert that a node has its letter, shape and state and, once it is done, its score."""
    case, path = view.case, node.path
    search = case.search
    leaf = search.leaf(path)
    (label,) = node.parts("move")
    assert label.text == case.names[path]
    is_pruned = any(found.get(above) == "cut" for above in search_judge.way(path))
    assert node.state == ("never" if is_pruned else found.get(path, "later"))
    assert node.has("cut") == (found.get(path) == "cut")
    name = re.fullmatch(r"(\w+): (.*?), (MAX|MIN|leaf)(.*?)(, best)?", node.name)
    assert name, node.name
    kind = "leaf" if leaf is not None else "MAX" if search.is_max(path) else "MIN"
    assert name.group(1, 3) == (case.names[path], kind)
    assert bool(name[5]) == (node.has("chosen") and path != ())
    if leaf is not None:
        assert node.parts("card")[0].tag == "rect"
        assert name[2] == printed(leaf)
        assert ("never visited" in name[4]) == is_pruned
        return
    (card,) = node.parts("card")
    assert (triangle_drawn(card) < 0) == (kind == "MAX")
    if node.state != "done":
        assert (node.score, node.bound) == ("", "")
        return
    score = search.scores[path]
    assert node.score == next(
        sign for sign, word in LIMITS.items() if word == node.bound
    ) + printed(score)
    assert is_true(node.bound, case.truth.scores[path], score)
    assert (node.bound != "") or path not in search.pruned
    assert name[2] == printed(score) + WORDS[node.bound]
    cut = re.search(r"cutoff after (\d+) of (\d+)", name[4])
    tried = len(search.children[path])
    pruned = len(search.pruned.get(path, []))
    assert (cut and cut.groups()) == ((str(tried), str(tried + pruned)) if pruned else None)


def check_fields(view: View) -> None:
    """Assert that each leaf has a field with its number, unless another is being typed."""
    case = view.case
    leaves = [path for path in case.search.paths if case.search.leaf(path) is not None]
    fields = {
        each.get("aria-label", ""): each
        for each in view.moment["drawing"].iterfind(".//input")
        if "leaf" in classes(each)
    }
    assert sorted(fields) == sorted(f"Leaf {case.names[path]}" for path in leaves)
    for path in leaves:
        field = fields[f"Leaf {case.names[path]}"]
        if field.get("live-focus") is None and not is_pending(view):
            assert field.get("live-value") == str(case.search.leaf(path))


def is_pending(view: View) -> bool:
    """Return whether the service has not answered yet on the tree in the URL."""
    query = dict(parse_qsl(urlsplit(view.moment.url).query))
    try:
        given = json.loads(query.get("tree", ""))
    except ValueError:
        return False
    return bool(given != view.case.search.numbers)


def check_counts(view: View) -> None:
    """Assert that the nodes visited so far are counted, and the leaves that are evaluated."""
    moment, case, search = view.moment, view.case, view.case.search
    total = search.sizes[()]
    entered = (event.path for event in search.events[view.step + 1 :] if event.kind == "enter")
    visited = next((search.visits[path] - 1 for path in entered), total)
    assert moment.text("tree-count") == str(visited)
    assert NUMBER.findall(moment.text("tree-all")) == [str(total)]
    if search_judge.asks(moment):
        assert moment.text("position-cost") == ""
    elif "position-cost" in moment:
        leaves = sorted(path for path in search.paths if search.leaf(path) is not None)
        never = [path for path in leaves if path not in search.visits]
        counts = [str(len(leaves) - len(never)), str(len(leaves))]
        if case.algorithm == "minimax":
            counts = [str(len(leaves))] if len(leaves) > 1 else []
        cost = moment.text("position-cost")
        values = [printed(search.leaf(path)) for path in never]
        assert NUMBER.findall(cost) == [*counts, *values]
        assert LETTERS.findall(cost) == case.listed(never)
        assert text(moment["position"][1]) == f"{'MAX' if search.is_max(()) else 'MIN'} to move"


def check_card(view: View) -> None:
    """Assert that the card of the step has its numbers and its sentence, and the rule its sign."""
    moment, case = view.moment, view.case
    event = case.search.events[view.step]
    sentence = moment.text("moment-sentence")
    if sentence.startswith("The service is not responding."):
        return
    lines = ["".join(each.itertext()) for each in moment["moment-numbers"]]
    live = [each.get("data-line") for each in moment["algorithm"] if each.get("aria-current")]
    code = [text(each) for each in moment["algorithm"]]
    assert f"if \u03b1 {sign_of(case)} \u03b2: break" in code
    if view.node is None:
        assert lines == facts(case, event)
        assert live == [event.side.lower() if event.kind == "back" else event.kind]
        check_step(case, view.step, sentence)
    else:
        last = case.search.last.get(view.node)
        assert lines == (facts(case, last) if last else [])
        assert live == []
        check_summary(case, view.node, sentence)
