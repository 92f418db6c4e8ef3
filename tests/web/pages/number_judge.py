"""The judge of a tree of numbers on the search page: all that it shows is true of the textbook's.

It reads the tree from the drawing: letters, numbers, triangles, states and marks of cutoffs.
"""

import json
import re
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf
from typing import Final
from urllib.parse import parse_qsl, urlsplit

from tests.truth.textbook import Event, Numbers, NumberSearch, Path
from tests.web.pages import search_judge
from tests.web.pages.drawn_tree import Drawing, Node, triangle_drawn
from tests.web.pages.page import Moment, classes, text
from tests.web.pages.search_judge import chosen
from tests.web.pages.searches import NUMBER, is_true

LIMITS: Final = {"\u2264 ": "at_most", "\u2265 ": "at_least", "": ""}
WORDS: Final = {"at_least": " or more", "at_most": " or less", "": ""}
LETTERS: Final = re.compile(r"\b[A-Z]{1,2}\b")


def letters(number: int) -> str:
    """Return the name of a node by its number from 0, level by level: A to Z, then AA, AB, ...."""
    name = ""
    while number >= 0:
        number, last = divmod(number, 26)
        name = chr(ord("A") + last) + name
        number -= 1
    return name


def printed(number: float | None) -> str:
    """Return a number as the page writes it."""
    if number is None:
        return "none"
    if abs(number) == inf:
        return "+\u221e" if number > 0 else "\u2212\u221e"
    return f"{number:g}".replace("-", "\u2212")


@dataclass(frozen=True)
class NumberCase:
    """A search of a tree of numbers, as the page shows it."""

    numbers: str  # the tree as JSON
    root: str
    cut: str
    order: str
    algorithm: str
    window: tuple[float, float] = (-inf, inf)

    @cached_property
    def search(self) -> NumberSearch:
        """The textbook's search."""
        numbers: list[Numbers] = json.loads(self.numbers)
        prunes = self.algorithm == "alphabeta"
        alpha, beta = self.window
        return NumberSearch(
            numbers,
            prunes=prunes,
            root=self.root,
            cut=self.cut,
            order=self.order,
            alpha=alpha,
            beta=beta,
        )

    @cached_property
    def truth(self) -> NumberSearch:
        """The same search by minimax."""
        return replace(self, algorithm="minimax", window=(-inf, inf)).search

    @cached_property
    def names(self) -> dict[Path, str]:
        """The letter of each node."""
        return {path: letters(number) for number, path in enumerate(self.search.paths)}

    def path_of(self, label: str) -> Path:
        """Return the path of a node from its letter."""
        return next(path for path, name in self.names.items() if name == label)

    def shown(self, score: float) -> str:
        """Return a score as the page writes it."""
        return printed(score)

    def listed(self, paths: list[Path]) -> list[str]:
        """Return the letters of some nodes."""
        return [self.names[path] for path in paths]


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


def sign_of(case: NumberCase) -> str:
    """Return the sign between alpha and beta in the rule for cutoffs."""
    return ">" if case.cut == "above" else "\u2265"


def facts(case: NumberCase, event: Event) -> list[str]:
    """Return the lines on a node after an event."""
    name = case.names[event.path]
    if case.search.leaf(event.path) is not None:
        return [f"{name} is a leaf"]
    window = f"\u03b1 {printed(event.alpha)}\u2003\u03b2 {printed(event.beta)}"
    return [
        f"{name} is a {event.side} node",
        *([window] if case.search.prunes else []),
        f"best so far {printed(event.best)}",
    ]


def check_step(case: NumberCase, step: int, sentence: str) -> None:
    """Assert that the sentence about a step has its letters, its numbers and its side."""
    search = case.search
    event = search.events[step]
    name = case.names[event.path]
    match event.kind:
        case "enter":
            check_words(sentence, [name], [])
            assert ("leaf" in sentence) == (search.leaf(event.path) is not None)
            assert event.side in sentence or "leaf" in sentence
        case "leaf":
            check_words(sentence, [name], [event.best])
        case "back":
            child = search.events[step - 1].path
            score = search.scores[child]
            before = earlier(search, event.path, child)
            is_better = before is None or (
                score > before if event.side == "MAX" else score < before
            )
            check_words(
                sentence, [case.names[child], name], [score, *([] if is_better else [before])]
            )
            assert ("so far" in sentence) == is_better
            check_bound(case, child, sentence)
        case "cut":
            check_cutoff(case, event, sentence)
        case "end":
            best = case.names[(search.best_move,)]
            check_words(sentence, [best], [search.scores[()]])
            assert event.side in sentence


def earlier(search: NumberSearch, path: Path, child: Path) -> int | None:
    """Return the best score of the children before one; None if it is the first."""
    before = search.children[path][: search.children[path].index(child)]
    scores = [search.scores[each] for each in before]
    if not scores:
        return None
    return max(scores) if search.is_max(path) else min(scores)


def check_cutoff(case: NumberCase, event: Event, sentence: str) -> None:
    """Assert that a sentence on a cutoff has the window, both scores and the pruned branches."""
    search = case.search
    here = search.scores[event.path]
    elsewhere = event.beta if event.side == "MAX" else event.alpha
    pruned = [(*event.path, move) for move in search.pruned[event.path]]
    check_words(sentence, case.listed(pruned), [event.alpha, event.beta, elsewhere, here])
    assert f"\u03b1 {printed(event.alpha)} {sign_of(case)} \u03b2 {printed(event.beta)}" in sentence
    assert ("Equal is enough" in sentence) == (event.alpha == event.beta)
    assert (
        f"{event.side} gets {printed(here)} or {'more' if event.side == 'MAX' else 'less'}"
        in sentence
    )


def check_summary(case: NumberCase, path: Path, sentence: str) -> None:
    """Assert that a sentence about a node has its visit number, its size and its score."""
    search = case.search
    name = case.names[path]
    if path not in search.visits:
        check_words(sentence, [name], [])
        return
    size = search.sizes[path]
    counts = [search.visits[path], *([size] if size > 1 else [])]
    result, _, cutoff = sentence.partition(" Cutoff: ")
    check_words(result, [name], [*counts, search.scores[path]])
    check_bound(case, path, result)
    assert bool(cutoff) == (path in search.pruned)
    if cutoff:
        check_cutoff(case, search.last[path], cutoff)


def check_bound(case: NumberCase, path: Path, sentence: str) -> None:
    """Assert that a sentence gives the score of a node only as the bound that it is."""
    given = next((word for word, words in WORDS.items() if words and words in sentence), "")
    assert is_true(given, case.truth.scores[path], case.search.scores[path])
    assert given or path not in case.search.pruned


def check_words(sentence: str, names: list[str], scores: list[float | None]) -> None:
    """Assert that a sentence has these letters of nodes and these numbers, in their order."""
    assert LETTERS.findall(sentence) == names, sentence
    found = re.findall(r"[+\u2212]\u221e|[\u2212-]?\d+", sentence)
    assert found == [printed(score) for score in scores], sentence
