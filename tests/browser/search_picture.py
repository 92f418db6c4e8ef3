"""The picture of a search in the README: the SVG that the page saves, without idle parts."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree as ET

from playwright.sync_api import Browser

from best_move.engine.position import Position
from best_move.engine.search_tree import Node, TracedAlgorithm, TreeQuestion, search_tree
from tests.browser.search_page import expect_step

BOARD: Final = "X.O.O.X.."  # its tree is drawn whole, and has a win, and cutoffs on three plies
LAST_STEP: Final = 112
FILES: Final = {
    scheme: Path(__file__).parents[2] / f"service/best_move/engine/search-tree-{scheme}.svg"
    for scheme in ("light", "dark")
}
SVG: Final = "{http://www.w3.org/2000/svg}"

#  The name of an attribute -> the value with which the attribute has no effect, so that it can be
#  removed.
PLAIN: Final = {
    "opacity": "1",
    "visibility": "visible",
    "stroke-dasharray": "none",
    "stroke": "none",
    "paint-order": "normal",
    "font-weight": "400",
}
NOTHING: Final = ("none", "rgba(0, 0, 0, 0)")


def search(algorithm: TracedAlgorithm) -> Node:
    """Return the tree of the search."""
    return search_tree(TreeQuestion(Position.parse(BOARD), algorithm))


def pruned(node: Node) -> int:
    """Return the number of moves that were pruned in a subtree."""
    return len(node.pruned) + sum(map(pruned, node.children))


def draw(browser: Browser, origin: str, scheme: Any) -> str:
    """Return the picture as SVG in the colors of a scheme, `light` or `dark`."""
    context = browser.new_context(
        base_url=origin, viewport={"width": 1280, "height": 800}, bypass_csp=True
    )
    page = context.new_page()
    page.goto(f"/search?board={BOARD}&starts=X&step={LAST_STEP}")
    expect_step(page, LAST_STEP)
    page.add_style_tag(content=f".picture {{ color-scheme: {scheme} !important; }}")
    page.locator("#share").get_by_text("Share").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as SVG").click()
    picture = ET.parse(download.value.path()).getroot()  # noqa: S314, the page's own
    context.close()
    tidy(picture)
    picture.attrib["style"] = "border-radius: 12px"
    ET.register_namespace("", SVG.strip("{}"))
    ET.indent(picture, "")
    return ET.tostring(picture, encoding="unicode") + "\n"


def tidy(parent: ET.Element) -> None:
    """Remove the invisible shapes and the attributes without effect inside a shape."""
    for shape in list(parent):
        tidy(shape)
        shape.attrib = dict(effective(shape.attrib))
        if not is_seen(shape):
            parent.remove(shape)


def is_seen(shape: ET.Element) -> bool:
    """Return whether a tidied shape shows anything."""
    if "visibility" in shape.attrib:
        return False
    if shape.tag in (f"{SVG}text", f"{SVG}tspan", f"{SVG}title"):
        return bool("".join(shape.itertext()))
    if shape.tag == f"{SVG}g":
        return len(shape) > 0
    is_painted = shape.get("fill") != "none" or "stroke" in shape.attrib
    return is_painted and shape.get("d") != ""


def effective(attributes: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Yield those attributes of a shape that change its look; colors are in hexadecimal digits."""
    is_stroked = attributes.get("stroke") not in (*NOTHING, None)
    for name, value in attributes.items():
        if value == PLAIN.get(name) or (name.startswith("stroke") and not is_stroked):
            continue
        yield name, "none" if value in NOTHING else hexadecimal(value.replace("px", ""))


def hexadecimal(value: str) -> str:
    """Return a color as six hexadecimal digits, and any other value unchanged."""
    if found := re.fullmatch(r"rgb\((\d+), (\d+), (\d+)\)", value):
        return "#" + "".join(f"{int(part):02x}" for part in found.groups())
    if found := re.fullmatch(r"color\(srgb ([\d.]+) ([\d.]+) ([\d.]+)\)", value):
        return "#" + "".join(f"{round(255 * float(part)):02x}" for part in found.groups())
    return value
