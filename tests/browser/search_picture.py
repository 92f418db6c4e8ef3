"""The picture of a search in the README: the SVG that the page saves, in light and dark colors."""

import re
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser

from tests.browser.elements import expect_step

BOARD: Final = "X.O.O.X.."  # its tree is drawn whole, and has a win, and cutoffs on three plies
LAST_STEP: Final = 112
FILE: Final = Path(__file__).parents[2] / "service/best_move/engine/search-tree.svg"

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
#  The colors of a shape, and one of them.
COLORS: Final = re.compile(r'(?: (?:fill|stroke)="rgb[^"]*")+')
COLOR: Final = re.compile(r' (fill|stroke)="([^"]*)"')


def draw(browser: Browser, origin: str) -> str:
    """Return the picture as SVG, in light colors, or in dark ones where the reader prefers them.

    The two drawings differ only in colors, so each pair of colors becomes a class.
    """
    light = _drawn(browser, origin, "light")
    dark = _drawn(browser, origin, "dark")
    pairs = [*zip(COLORS.findall(light), COLORS.findall(dark), strict=True)]
    names = {pair: f"c{number}" for number, pair in enumerate(dict.fromkeys(pairs))}
    of_light = [_rule(name, colors) for (colors, _), name in names.items()]
    of_dark = [_rule(name, colors) for (_, colors), name in names.items()]
    media = ["@media (prefers-color-scheme: dark) {", *of_dark, "}"]
    style = "\n".join(["<style>", *of_light, *media, "</style>"])
    classes = iter([names[pair] for pair in pairs])
    classed = COLORS.sub(lambda _: f' class="{next(classes)}"', light)
    return classed.replace("<title>", f"{style}\n<title>", 1)


def _rule(name: str, colors: str) -> str:
    """Return a rule of CSS with the colors of a class."""
    declarations = COLOR.sub(r" \1: \2;", colors)
    return f".{name} {{{declarations} }}"


def _drawn(browser: Browser, origin: str, scheme: str) -> str:
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
