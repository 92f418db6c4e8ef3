"""The search of the position on the board, drawn as a tree."""

import json
import re
from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.playground import button, radio
from tests.browser.test_accessibility import violations

BOARD: Final = "X.O.O.X.."
ADDRESS: Final = f"/search?board={BOARD}"

ASCII: Final = {0x03B1: "alpha", 0x03B2: "beta", 0x2212: "-", 0x221E: "infinity"}


def ask_tree(origin: str, board: str, algorithm: str) -> dict[str, Any]:
    """Ask the service itself for the search of a position."""
    query = urlencode({"board": board, "algorithm": algorithm})
    with urlopen(f"{origin}/search-tree?{query}") as response:  # noqa: S310, the address is the tests' own
        answer: dict[str, Any] = json.load(response)
    return answer


def outcomes(node: dict[str, Any], path: tuple[int, ...] = ()) -> Iterator[tuple[str, list[str]]]:
    """Yield the path of each node of a tree, as moves, what it is worth, and the bound that this is, if it is one."""
    yield ",".join(map(str, path)), [node["outcome"], node["bound"].replace("exact", "")]
    for child in node["children"]:
        yield from outcomes(child, (*path, child["move"]))


def drawn(page: Page, *, state: str = "") -> Locator:
    """Return the nodes drawn, or those in a state."""
    return page.locator(f"#drawing .node[data-state={state}]" if state else "#drawing .node")


def node(page: Page, path: str) -> Locator:
    """Return the node that a path of moves leads to."""
    return page.locator(f"#drawing .node[data-path='{path}']")


@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta"])
def test_the_drawing_is_the_search(page: Page, origin: str, algorithm: str) -> None:
    """What an algorithm visited is drawn with what it found there, and the rest of minimax's tree as never visited."""
    page.goto(f"{ADDRESS}&algorithm={algorithm}")
    answer = ask_tree(origin, BOARD, algorithm)
    expect(page.locator("#tree-count")).to_have_text(str(answer["nodes"]))
    expect(drawn(page)).to_have_count(174)
    expect(drawn(page, state="never")).to_have_count(174 - answer["nodes"])
    shown = drawn(page, state="done").evaluate_all(
        "nodes => Object.fromEntries(nodes.map(({ dataset }) => [dataset.path, [dataset.outcome, dataset.bound]]))"
    )
    assert shown == dict(outcomes(answer["tree"]))
    chosen = page.locator(".node.chosen").evaluate_all("nodes => nodes.map(node => node.dataset.path)")
    assert chosen == ["", "3"]


def test_a_bound_has_a_sign_of_its_own(page: Page) -> None:
    """Where alpha-beta knows no more than a bound, that is drawn beside the sign; minimax knows all exactly."""
    page.goto(ADDRESS)
    bound = page.locator("#drawing .node .bound:not([d=''])")
    signs = {path: node(page, path).locator(".bound").get_attribute("d") for path in ("", "1,5", "3", "5")}
    assert signs[""] == signs["3"] == ""
    assert len({signs["1,5"], signs["5"], ""}) == 3
    expect(node(page, "1,5")).to_have_accessible_name("O 5: at least a win for X, cut after 1 of 3")
    radio(page, "Searched by", "Minimax").check()
    expect(page.locator("#tree-count")).to_have_text("174")
    expect(bound).to_have_count(0)


def test_one_switch_turns_one_search_into_the_other(page: Page) -> None:
    """The switch fills in what alpha-beta left out, on the same drawing, and takes away the marks of its cuts."""
    page.goto(ADDRESS)
    expect(page.locator("#tree-count")).to_have_text("42")
    expect(page.locator("#drawing .edge.cut")).to_have_count(21)
    drawing = page.locator("#drawing svg").element_handle()
    radio(page, "Searched by", "Minimax").check()
    expect(page.locator("#tree-count")).to_have_text("174")
    expect(page.locator("#drawing .edge.cut")).to_have_count(0)
    expect(drawn(page, state="never")).to_have_count(0)
    assert drawing.evaluate("svg => svg.isConnected")
    page.reload()
    expect(radio(page, "Searched by", "Minimax")).to_be_checked()
    expect(page.locator("#tree-count")).to_have_text("174")


def test_what_is_left_out_is_asked_for(page: Page) -> None:
    """Of a large tree the first plies are drawn; a click on one of the last draws what is below it."""
    page.goto("/search?board=.........")
    expect(page.locator("#tree-count")).to_have_text("20,866")
    expect(drawn(page)).to_have_count(82)
    with page.expect_response("**/search-tree?*algorithm=alphabeta*") as answered:
        node(page, "0,1").click()
    below = answered.value.json()["tree"]
    expect(node(page, "0,1,2")).to_have_attribute("data-outcome", below["children"][0]["outcome"])
    expect(drawn(page, state="never").and_(page.locator("[data-path^='0,1,']"))).not_to_have_count(0)
    expect(page.locator("#tree-count")).to_have_text("20,866")


def test_a_link_opens_what_is_left_out(page: Page) -> None:
    """A link to a node far below those first drawn asks for all on the way to it, and draws what is below it too."""
    page.goto("/search?board=.........")
    expect(drawn(page)).to_have_count(82)
    for path in ("0,1", "0,1,2,3"):
        node(page, path).click()
        expect(node(page, path)).to_have_attribute("aria-expanded", "true")
    count = drawn(page).count()
    page.wait_for_url("**node=0,1,2,3")
    page.reload()
    expect(node(page, "0,1,2,3")).to_have_attribute("aria-selected", "true")
    expect(drawn(page)).to_have_count(count)
    expect(page.locator("#moment-sentence")).to_contain_text("Visit 5,")


def test_a_link_may_lead_to_no_node(page: Page) -> None:
    """A path of moves that cannot be made is as none."""
    page.goto("/search?board=.........&node=0,1,0")
    expect(node(page, "")).to_have_attribute("aria-selected", "true")


def test_mirror_images_are_merged(page: Page) -> None:
    """Of nine first moves three are drawn, and say which they stand for; the search has all its steps as before."""
    page.goto("/search?board=.........")
    expect(page.locator("#step-number")).to_have_text("117 of 117")
    button(page, "Merge mirror images").click()
    expect(page.locator("#drawing [aria-level='2']")).to_have_count(3)
    assert page.locator("#drawing [aria-level='2'] text").all_text_contents() == ["\u00d74", "\u00d74"]
    expect(node(page, "0")).to_have_accessible_name("X 0 and its mirror images 2, 6, 8: draw for X")
    expect(node(page, "0,1")).to_have_accessible_name(re.compile("^O 1 and its mirror images 3: "))
    expect(page.locator("#step-number")).to_have_text("117 of 117")
    expect(page.locator("#tree-count")).to_have_text("20,866")
    page.reload()
    expect(page.locator("#drawing [aria-level='2']")).to_have_count(3)


def test_what_is_merged_is_shown_where_it_is_drawn(page: Page) -> None:
    """A step at a node that is merged with an earlier one marks that, and tells its own board and move."""
    page.goto("/search?board=.........&merge=true")
    expect(node(page, "8")).to_have_count(0)
    while "X plays 8," not in page.locator("#moment-sentence").inner_text():
        button(page, "Back").click()
    expect(node(page, "0")).to_have_attribute("aria-selected", "true")
    expect(page.locator("#drawing .edge.current")).to_have_count(1)


def test_no_mirror_images_no_switch(page: Page) -> None:
    """Where no first move leads to the mirror image of another, there is nothing to merge."""
    page.goto(ADDRESS)
    expect(page.locator("#tree-count")).to_have_text("42")
    expect(button(page, "Merge mirror images")).to_be_hidden()


@pytest.mark.parametrize("width", [390, 1280])
def test_the_drawing_is_scrolled_in_its_frame(page: Page, width: int) -> None:
    """However wide the tree, the page is not; its root is in sight."""
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(ADDRESS)
    expect(node(page, "")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    frame, root = page.locator("#drawing").bounding_box(), node(page, "").bounding_box()
    assert frame
    assert root
    assert frame["x"] < root["x"] < root["x"] + root["width"] < frame["x"] + frame["width"]


def moment(page: Page) -> tuple[str, str]:
    """Return the numbers and the sentence of the step shown, in ASCII but for its dots."""
    numbers, sentence = (page.locator(f"#moment-{part}").inner_text() for part in ("numbers", "sentence"))
    return numbers.translate(ASCII), sentence.translate(ASCII)


def live(page: Page) -> Locator:
    """Return the line of the algorithm that is lit."""
    return page.locator("#algorithm [aria-current=step]")


def test_a_search_is_gone_through_step_by_step(page: Page) -> None:
    """Nothing moves by itself; from the first step on, each is an event with its numbers, its sentence and its line."""
    page.goto(ADDRESS)
    expect(page.locator("#step-number")).to_have_text("112 of 112")
    expect(live(page)).to_have_text("return best")
    button(page, "First").click()
    expect(page.locator("#tree-count")).to_have_text("1")
    expect(button(page, "Back")).to_be_disabled()
    assert moment(page) == (
        "MAX (X) · alpha -infinity · beta +infinity · best so far none",
        "The search begins: X is to move.",
    )
    button(page, "Forward").click()
    assert moment(page) == ("MIN (O) · alpha -infinity · beta +infinity · best so far none", "X plays 1, the top side.")
    expect(live(page)).to_contain_text("value(node,")
    expect(drawn(page, state="open")).to_have_count(2)
    expect(drawn(page, state="later")).to_have_count(172)
    page.locator("#step").focus()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    assert moment(page) == (
        "MIN (O) · alpha -infinity · beta +infinity · best so far 0",
        "The game is over: 0, a draw for X.",
    )
    button(page, "Last").click()
    expect(page.locator("#tree-count")).to_have_text("42")


def test_a_cut_is_told(page: Page) -> None:
    """The step of a cut says in the service's words why, and what is never tried; only then are there ghosts."""
    page.goto(f"{ADDRESS}&step=18")
    expect(page.locator("#step-number")).to_have_text("18 of 112")
    before = drawn(page, state="never").count()
    button(page, "Forward").click()
    expect(live(page)).to_contain_text("break")
    assert moment(page) == (
        "MIN (O) · alpha 0 · beta -92 · best so far -92",
        "Cut: X already has a draw elsewhere; here O wins, so X will not come here. Never tried: 8.",
    )
    assert before == 0
    expect(drawn(page, state="never")).not_to_have_count(0)
    expect(page.locator("#drawing .edge.cut")).to_have_count(1)


def test_a_step_stands_in_the_address(page: Page) -> None:
    """A moment of the search can be linked to."""
    page.goto(ADDRESS)
    button(page, "First").click()
    button(page, "Forward").click()
    page.wait_for_url("**step=1*")
    page.reload()
    expect(page.locator("#step-number")).to_have_text("1 of 112")


def test_a_switch_follows_a_step_at_once(page: Page) -> None:
    """Whoever switches right after a step sees the other search from its end, and no step of the one before."""
    page.goto(ADDRESS)
    button(page, "First").click()
    radio(page, "Searched by", "Minimax").check()
    expect(page.locator("#tree-count")).to_have_text("174")
    page.wait_for_url("**algorithm=minimax*")
    assert "step" not in page.url


def test_a_search_plays_when_it_is_told_to(page: Page) -> None:
    """Play goes on step by step until it is paused, with the space bar on the slider too."""
    page.goto(ADDRESS)
    expect(page.locator("#step-number")).to_have_text("112 of 112")
    button(page, "Play").click()
    expect(page.locator("#step-number")).to_have_text(re.compile(r"^([2-9]|[1-9]\d) of 112$"))
    page.locator("#step").press("Space")
    expect(button(page, "Play")).to_be_visible()


def test_a_node_is_looked_at(page: Page) -> None:
    """A click on a node tells its window, what it came to and why it was cut; the node stands in the address."""
    page.goto(ADDRESS)
    why = "X already has a quicker win elsewhere; here O holds out longer, so X will not come here."
    node(page, "5").click()
    assert moment(page) == (
        "MIN (O) · alpha +95 · beta +infinity · best so far +93",
        f"Visit 20, 9 in all from here on: at most +93, a win for X or worse. {why} Never tried: 3, 7, 8.",
    )
    page.wait_for_url("**node=5*")
    page.reload()
    expect(page.locator("#moment-sentence")).to_contain_text("Visit 20,")
    node(page, "5,3").click()
    expect(page.locator("#moment-sentence")).to_have_text("Alpha-beta never comes here.")


def test_the_tree_is_reached_by_the_keyboard_alone(page: Page) -> None:
    """The tree is one stop of the Tab key; arrows go into it, along a ply and up, and each node says what it is."""
    page.goto(ADDRESS)
    tree = page.get_by_role("tree", name="The tree of the search")
    expect(tree.get_by_role("treeitem")).to_have_count(174)
    expect(tree.locator("[tabindex='0']")).to_have_count(1)
    node(page, "").focus()
    for key, path, name in (
        ("ArrowDown", "1", "X 1: draw for X"),
        ("ArrowRight", "3", "X 3: win for X"),
        ("ArrowRight", "5", "X 5: at most a win for X, cut after 1 of 4"),
        ("ArrowDown", "5,1", "O 1: win for X"),
        ("ArrowRight", "5,3", "O 3: never visited"),
        ("ArrowUp", "5", "X 5: at most a win for X, cut after 1 of 4"),
        ("Home", "", "X to move: win for X"),
    ):
        page.keyboard.press(key)
        expect(node(page, path)).to_be_focused()
        expect(node(page, path)).to_have_accessible_name(name)


def test_more_is_unfolded_by_the_keyboard(page: Page) -> None:
    """Where a node has more below that is not drawn, Enter draws it, and the focus stays."""
    page.goto("/search?board=.........")
    node(page, "0,1").focus()
    expect(node(page, "0,1")).to_have_attribute("aria-expanded", "false")
    page.keyboard.press("Enter")
    expect(node(page, "0,1")).to_have_attribute("aria-expanded", "true")
    expect(node(page, "0,1")).to_be_focused()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("rest", ["", "&step=19", "&algorithm=minimax"], ids=["the end", "a cut", "minimax"])
def test_axe_finds_nothing(page: Page, rest: str, scheme: str) -> None:
    """The checker axe-core finds nothing on the drawing, its experimental rules included."""
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page.goto(f"{ADDRESS}{rest}")
    expect(drawn(page)).to_have_count(174)
    assert violations(page) == []


def test_forced_colors_keep_the_signs(page: Page) -> None:
    """Where the system chooses the colours, what is drawn stands out from its ground."""
    page.emulate_media(forced_colors="active")
    page.goto(f"{ADDRESS}&step=19")
    expect(node(page, "").locator(".card")).to_be_visible()

    def paint(selector: str, name: str) -> str:
        shown: str = page.locator(selector).first.evaluate("(shape, name) => getComputedStyle(shape)[name]", name)
        return shown

    ground = paint("#drawing", "backgroundColor")
    assert paint(".node[data-outcome=loss] .sign", "fill") != ground
    assert paint(".edge.current .way", "stroke") != ground
    assert paint(".node .crosses", "stroke") != ground
    assert paint("#algorithm [aria-current]", "backgroundColor") != paint("#algorithm li", "backgroundColor")


def test_the_drawing_is_saved(page: Page) -> None:
    """The file saved is SVG that needs no style of the page, and has the whole drawing."""
    page.goto(ADDRESS)
    expect(page.locator("#tree-count")).to_have_text("42")
    with page.expect_download() as saved:
        button(page, "Save as SVG").click()
    assert saved.value.suggested_filename == f"search-tree-{BOARD}-alphabeta.svg"
    text = saved.value.path().read_text(encoding="utf-8")
    assert text.startswith("<svg xmlns=")
    assert text.count("<rect") == 2 * 174
    assert "class=" not in text
    assert "stroke-dasharray=" in text
