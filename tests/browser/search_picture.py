"""The picture of the search that the README shows: what the page draws and saves, with a heading and a legend."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree as ET

from playwright.sync_api import Browser, Locator

from service.engine.position import Position
from service.engine.search_tree import Node, TracedAlgorithm, TreeQuestion, search_tree

BOARD: Final = "X.O.O.X.."  # small enough to be drawn whole, with cuts on three plies and a win to be found
FILES: Final = {
    scheme: Path(__file__).parents[2] / f"service/engine/search-tree-{scheme}.svg" for scheme in ("light", "dark")
}

SVG: Final = "{http://www.w3.org/2000/svg}"
MARGIN: Final = 24
HEAD: Final = 96  # above the drawing
FOOT: Final = 72  # below it
LEGEND_SCALE: Final = 1.3  # at the most, where there is room for it

#  What the paint of a shape is where nothing is said of it, so that nothing has to be.
PLAIN: Final = {"opacity": "1", "visibility": "visible", "stroke-dasharray": "none", "stroke": "none"}
NOTHING: Final = ("none", "rgba(0, 0, 0, 0)")

#  The items of a list: where each stands in it, its words, and the sign before them as it is painted.
READ_LEGEND: Final = """list => [...list.children].map(item => {
    const [from, at] = [list.getBoundingClientRect(), item.getBoundingClientRect()];
    const paint = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "visibility"];
    return {
        x: at.x - from.x,
        y: at.y - from.y,
        right: at.right - from.x,
        words: item.textContent.trim(),
        width: item.querySelector("svg").width.baseVal.value,
        viewBox: item.querySelector("svg").getAttribute("viewBox"),
        signs: [...item.querySelectorAll("path")].map(path => Object.fromEntries(
            [["d", path.getAttribute("d")], ...paint.map(name => [name, getComputedStyle(path).getPropertyValue(name)])]
        )),
    };
})"""


def search(algorithm: TracedAlgorithm) -> Node:
    """Return the search that is drawn."""
    return search_tree(TreeQuestion(Position.parse(BOARD), algorithm))


def pruned(node: Node) -> int:
    """Count the moves that a search never tried, from a node on down."""
    return len(node.pruned) + sum(map(pruned, node.children))


def draw(browser: Browser, origin: str, scheme: Any) -> str:
    """Return the picture as SVG, in the colours that the page has in a colour scheme, `light` or `dark`."""
    page = browser.new_page(
        viewport={"width": 1280, "height": 800}, base_url=origin, color_scheme=scheme, reduced_motion="reduce"
    )
    page.goto(f"/search?board={BOARD}")
    page.get_by_role("treeitem").first.wait_for()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as SVG").click()
    tree = ET.parse(download.value.path()).getroot()  # noqa: S314, the page's own
    tidy(tree)
    ink, soft, paper = (colour_of(page.locator(place), name) for place, name in PLACES)
    return framed(tree, legend(page.locator("#tree-legend"), float(tree.attrib["width"])), ink, soft, paper)


#  Where the page has the colours of the heading, of the words below it, and of the paper.
PLACES: Final = (("body", "color"), ("#tree-legend", "color"), ("body", "background-color"))


def colour_of(element: Locator, name: str) -> str:
    """Return a colour of an element of the page."""
    return hexadecimal(element.evaluate("(element, name) => getComputedStyle(element)[name]", name))


def framed(tree: ET.Element, legend: ET.Element, ink: str, soft: str, paper: str) -> str:
    """Return the drawing on paper, below what it shows in figures and above its legend."""
    width, height = (float(tree.attrib[name]) for name in ("width", "height"))
    visits, kept = search("minimax").nodes, search("alphabeta").nodes
    heading = f"The same search twice: minimax visits {visits} positions, alpha-beta {kept}."
    below = (
        f"X is to move. Alpha-beta cuts {pruned(search('alphabeta'))} branches off, here dashed, "
        "and still finds the same move: the win."
    )
    size = {"width": f"{width + 2 * MARGIN:g}", "height": f"{height + HEAD + FOOT:g}"}
    whole = ET.Element(f"{SVG}svg", {"viewBox": f"0 0 {size['width']} {size['height']}", "font-family": "sans-serif"})
    ET.SubElement(whole, f"{SVG}title").text = heading
    ET.SubElement(whole, f"{SVG}rect", size | {"rx": "12", "fill": paper})
    for y, font, paint, words in ((42, "bold 24px sans-serif", ink, heading), (72, "17px sans-serif", soft, below)):
        at = {"x": f"{MARGIN}", "y": f"{y}", "style": f"font: {font}", "fill": paint}
        ET.SubElement(whole, f"{SVG}text", at).text = words
    tree.tag = f"{SVG}g"
    tree.attrib = {"transform": f"translate({MARGIN} {HEAD})"}
    legend.set("transform", f"translate({MARGIN} {HEAD + height + 24:g}) {legend.attrib['transform']}")
    legend.set("fill", soft)
    whole.extend((tree, legend))
    ET.register_namespace("", SVG.strip("{}"))
    ET.indent(whole, "")
    return ET.tostring(whole, encoding="unicode") + "\n"


def legend(place: Locator, width: float) -> ET.Element:
    """Return the page's legend of the drawing, as it stands there, made as large as a width allows."""
    items = place.evaluate(READ_LEGEND)
    scale = min(LEGEND_SCALE, width / max(item["right"] for item in items))
    made = ET.Element(f"{SVG}g", {"font-size": "13", "transform": f"scale({scale:.2f})"})
    for item in items:
        left, top, _, height = map(float, item["viewBox"].split())
        at = {"transform": f"translate({item['x'] - left:g} {item['y'] + 10 - top - height / 2:g})"}
        signs = ET.SubElement(made, f"{SVG}g", at)
        for sign in item["signs"]:
            ET.SubElement(signs, f"{SVG}path", sign)
        words = {"x": f"{item['x'] + item['width'] + 5:g}", "y": f"{item['y'] + 14.5:g}"}
        ET.SubElement(made, f"{SVG}text", words).text = item["words"]
    tidy(made)
    return made


def tidy(parent: ET.Element) -> None:
    """Take out of a drawing what is not seen, and of each shape what goes without saying."""
    for shape in list(parent):
        tidy(shape)
        shape.attrib = dict(said(shape.attrib))
        is_group = shape.tag == f"{SVG}g"
        if (is_group and not len(shape)) or (not is_group and not is_seen(shape)):
            parent.remove(shape)


def is_seen(shape: ET.Element) -> bool:
    """Return whether a shape that has been tidied paints anything."""
    is_painted = shape.get("fill") != "none" or "stroke" in shape.attrib
    return is_painted and "visibility" not in shape.attrib and shape.get("d") != ""


def said(attributes: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the attributes of a shape that say more than what is so without them, their colours in digits."""
    is_stroked = attributes.get("stroke") not in (*NOTHING, None)
    for name, value in attributes.items():
        if value == PLAIN.get(name) or (name.startswith("stroke") and not is_stroked):
            continue
        yield name, "none" if value in NOTHING else hexadecimal(value.replace("px", ""))


def hexadecimal(value: str) -> str:
    """Return a colour of a browser in six digits, which every program reads, and anything else as it is."""
    if found := re.fullmatch(r"rgb\((\d+), (\d+), (\d+)\)", value):
        return "#" + "".join(f"{int(part):02x}" for part in found.groups())
    if found := re.fullmatch(r"color\(srgb ([\d.]+) ([\d.]+) ([\d.]+)\)", value):
        return "#" + "".join(f"{round(255 * float(part)):02x}" for part in found.groups())
    return value
