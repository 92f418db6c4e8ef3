"""The judge of a drawn search tree: each node is drawn as far as the search is at the step."""

from functools import cache
from typing import Final

from tests.truth import referee
from tests.truth.textbook import Search, form
from tests.web.pages.drawn_tree import Node, board_drawn
from tests.web.pages.search_view import View, is_pressed
from tests.web.pages.searches import LOWEST_WIN, Case, Path, is_true, searched

SIGNS: Final = {"at_least": "\u2265", "at_most": "\u2264", "": ""}
LIMITS: Final = {"at_least": " or more", "at_most": " or less", "": ""}
STATES: Final = {"later": "not visited yet", "open": "being searched", "never": "never visited"}


def check_drawing(view: View) -> None:
    """Assert that the drawing is legible, and that each node has its place, state and result."""
    view.drawing.check()
    check_tree(view)
    if view.is_grown:
        assert view.is_end
    else:
        check_place(view)
    found = states(view)
    for node in view.drawing.nodes:
        check_node(view, node, found)


def check_tree(view: View) -> None:
    """Assert that the children drawn are those of the search, or the first of mirror images.

    Of a lesson's tree only a branch may be drawn, and a sign says where nodes are left out.
    """
    case, drawing = view.case, view.drawing
    is_whole = "whole" not in view.moment or is_pressed(view.moment, "whole")
    minimax = searched(case, "minimax")
    below = children_in(minimax)
    for node in drawing.nodes:
        drawn = [child.path for child in drawing.children(node.path)]
        paths = below.get(node.path, [])
        if view.is_merged:
            firsts = {form(case.at(path)): path for path in reversed(paths)}
            paths = [path for path in paths if path in firsts.values()]
        is_cut = len(node.path) >= minimax.levels or not is_whole
        assert drawn == paths or (is_cut and {*drawn} <= {*paths})
        is_folded = bool(paths) and not drawn
        expanded = {True: None, False: str(not is_folded).lower()}[not paths]
        assert node.shapes.get("aria-expanded") == expanded
        assert bool(node.parts("more")) == is_folded
    for ply, (name, nodes) in enumerate(zip(drawing.names, drawing.plies, strict=True)):
        is_over = all(referee.is_over(case.at(node.path)) for node in nodes)
        side = f"{'MIN' if ply % 2 else 'MAX'} {case.mover(nodes[0].path)}"
        assert name == ("end" if is_over else side)


@cache
def children_in(search: Search) -> dict[Path, list[Path]]:
    """Return the nodes below each node, in the order in which they are visited."""
    found: dict[Path, list[Path]] = {}
    for path in search.visits:
        if path:
            found.setdefault(path[:-1], []).append(path)
    return found


def states(view: View) -> dict[Path, str]:
    """Return the states of the nodes at the step shown, except those not visited yet."""
    search = view.search
    if view.is_grown:
        search = view.case.search(view.algorithm)
    found: dict[Path, str] = {}
    child: Path = ()
    events = search.events if view.is_end else search.events[: view.step + 1]
    for event in events:
        if event.kind == "back":
            found[child] = "done"
        elif event.kind == "cut":
            found |= {(*event.path, move): "cut" for move in search.pruned[event.path]}
        else:
            found[event.path] = "open" if event.kind == "enter" else "done"
        child = event.path
    return found


def check_node(view: View, node: Node, found: dict[Path, str]) -> None:
    """Assert that a node is drawn with its board and its result, as far as the search is."""
    case, search, path = view.case, view.search, node.path
    board = case.at(path)
    if node.has_board:
        assert board_drawn(node.shapes) == (board, path[-1] if path else None)
        assert bool(node.parts("bound")[0].get("d")) == bool(node.bound)
    if view.is_exercise and node.name.endswith(", given"):
        score = searched(case, "minimax").scores[path]
        assert node.score == case.shown(score)
        return
    is_pruned = any(found.get(path[:length]) == "cut" for length in range(1, len(path) + 1))
    assert node.state == ("never" if is_pruned else found.get(path, "later"))
    assert node.has("cut") == (found.get(path) == "cut")
    (sign,) = node.parts("sign")
    assert bool(sign.get("d")) == bool(node.outcome) == (node.state == "done")
    if node.state != "done":
        assert (node.score, node.bound) == ("", "")
        assert name_of(view, node, board) == STATES[node.state]
        return
    score, truth = search.scores[path], searched(case, "minimax").scores[path]
    assert node.score == ("" if node.has_board else SIGNS[node.bound]) + case.shown(score)
    assert is_true(LIMITS[node.bound], truth, score)
    assert bool(node.bound) or truth == score
    assert node.outcome in outcomes_of(case, score)
    check_name(view, node, board, score)


def outcomes_of(case: Case, score: int) -> list[str]:
    """Return what a score may stand for: with a depth limit, 0 is a draw or an estimate."""
    if case.is_limited and abs(score) < LOWEST_WIN:
        return ["unknown", *["draw"] * (score == 0)]
    return ["win" if score > 0 else "loss" if score < 0 else "draw"]


def name_of(view: View, node: Node, board: str) -> str:
    """Assert that a node's name begins with its move, and ends with its mirror images.

    Return the rest.
    """
    move = f"{view.case.to_move} to move"
    images: list[str] = []
    if node.path:
        mark, cell = board[node.path[-1]], node.path[-1]
        (label,) = node.parts("move")
        assert label.get("data-mark") == mark
        if view.is_merged:
            siblings = children_in(searched(view.case, "minimax"))[node.path[:-1]]
            alike = [path for path in siblings if form(view.case.at(path)) == form(board)]
            images = [str(path[-1]) for path in alike if path != node.path]
        times = f" \u00d7{len(images) + 1}" * bool(images)
        move = f"{mark} {cell}{times}"
        assert "".join(label.itertext()) == (move if node.has_board else str(cell))
    start, end = f"{move}: ", f", with mirror images {', '.join(images)}" * bool(images)
    assert node.name.startswith(start)
    assert node.name.endswith(end)
    return node.name.removeprefix(start).removesuffix(end)


def check_name(view: View, node: Node, board: str, score: int) -> None:
    """Assert that a screen reader reads the score, the outcome and the cutoff of a node."""
    case = view.case
    name = name_of(view, node, board)
    told = name.removesuffix(", best")
    assert (told != name) == (node.has("chosen") and node.path != ())
    assert told.startswith(case.shown(score) + LIMITS[node.bound])
    outcome = {"win": f", a win for {case.to_move}", "loss": f", a loss for {case.to_move}"}
    if not node.bound and node.outcome in outcome:
        assert outcome[node.outcome] in told
    is_deep = len(node.path) >= view.search.levels
    is_collapsed = is_deep and not view.drawing.children(node.path)
    pruned = 0 if is_collapsed else len(view.search.pruned.get(node.path, []))
    total = board.count(".")
    assert told.endswith(f", cutoff after {total - pruned} of {total}") == bool(pruned)
    assert ("cutoff" in told) == bool(pruned)


def best_line(search: Search) -> set[Path]:
    """Return the nodes on the line of best play: of equal moves, the first that was tried."""
    below = children_in(search)
    path: Path | None = ()
    line: set[Path] = set()
    while path is not None:
        line.add(path)
        best = (each for each in below.get(path, []) if search.scores[each] == search.scores[path])
        path = next(best, None)
    return line


def check_place(view: View) -> None:
    """Assert that the node shown, or the one that stands for it, is highlighted with its way."""
    drawing, path = view.drawing, view.path
    (at,) = (node.path for node in drawing.nodes if node.is_selected)
    if view.is_exercise:
        return
    assert at == path or (path not in drawing.at and stands_for(view, at, path))
    way = {at[:length] for length in range(len(at) + 1)} if path else set()
    line = best_line(view.search) if view.is_end else set()
    for node in drawing.nodes:
        parent = node.path[:-1] if node.path else None
        assert node.has("chosen") == (node.path in line)
        assert node.has("current") == (node.path in way)
        assert node.has("near") == (parent in {at, *way})
        assert node.has("at") == (node.path == at and (not view.is_end or view.has_node))
        assert node.shapes.get("tabindex") == ("0" if node.path == at else "-1")


def stands_for(view: View, at: Path, path: Path) -> bool:
    """Return whether a node above stands for a node that is not drawn, or a mirror image does."""
    own = path[: len(at)]
    deeper = path[: len(at) + 1]
    is_alike = form(view.case.at(own)) == form(view.case.at(at)) if view.is_merged else own == at
    return is_alike and (at == path or deeper not in view.drawing.at)
