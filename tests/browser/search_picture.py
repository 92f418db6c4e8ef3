"""The picture of a search in the README: the SVG that the page saves, without idle parts."""

import re
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser

from tests.browser.search_page import expect_step

BOARD: Final = "X.O.O.X.."  # its tree is drawn whole, and has a win, and cutoffs on three plies
LAST_STEP: Final = 112
FILES: Final = {
    scheme: Path(__file__).parents[2] / f"service/best_move/engine/search-tree-{scheme}.svg"
    for scheme in ("light", "dark")
}

#  Shapes that cannot be seen, and attributes without effect.
IDLE: Final = re.compile(
    r"""<(\w+)[^>]* visibility="hidden"(?:/>|>.*?</\1>)
    | <rect[^>]* fill="rgba\(0,\ 0,\ 0,\ 0\)" \ stroke="none"[^>]*/>
    | <path[^>]* \ d=""[^>]*/>
    | \ stroke="(?:none|rgba\(0,\ 0,\ 0,\ 0\))" \ stroke-width="[^"]*" \ stroke-dasharray="[^"]*"
    | \ (?:opacity="1"|visibility="visible"|stroke-dasharray="none")
    | \ (?:paint-order="normal"|font-weight="400")""",
    re.VERBOSE,
)
MIXED: Final = re.compile(r"color\(srgb ([\d.]+) ([\d.]+) ([\d.]+)\)")


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
    picture = download.value.path().read_text(encoding="utf-8")
    context.close()
    return tidy(picture)


def tidy(picture: str) -> str:
    """Return a picture without idle parts, one element per line, in widely supported colors."""
    seen = IDLE.sub("", picture)
    colored = MIXED.sub(rgb, seen)
    rounded = colored.replace("<svg ", '<svg style="border-radius: 12px" ', 1)
    return rounded.replace("><", ">\n<") + "\n"


def rgb(color: re.Match[str]) -> str:
    """Return a mixed color as whole numbers of red, green and blue."""
    red, green, blue = (round(255 * float(part)) for part in color.groups())
    return f"rgb({red}, {green}, {blue})"
