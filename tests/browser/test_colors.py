"""The colors of the pages: their contrast in both schemes, and forced colors."""

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.axe import SCHEMES, Scheme, in_each_scheme
from tests.browser.contrast import contrast, in_winning_cell
from tests.browser.elements import cell, expect_status, style

#  Returns the red, green and blue of a variable.
COLOR = """(name) => {
    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    document.body.style.color = `var(${name})`;
    canvas.fillStyle = getComputedStyle(document.body).color;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
}"""

CONTRASTS = [
    *(("--edge", ground, 3) for ground in ("--paper", "--surface", "--wash", "--o-wash")),
    *(
        (name, ground, 4.5)
        for name in ("--x", "--o", "--win", "--draw", "--loss", "--soft", "--ink")
        for ground in ("--paper", "--surface", "--wash")
    ),
    *((name, "--o-wash", 4.5) for name in ("--o", "--soft")),
]


@pytest.mark.smoke
def test_colors_have_enough_contrast(page: Page) -> None:
    """In both schemes the contrast is at least 3:1 for lines and 4.5:1 for marks and words."""
    page.goto("/nowhere")
    for scheme in in_each_scheme(page):
        names = {name for *pair, _ in CONTRASTS for name in pair}
        colors = {name: page.evaluate(COLOR, name) for name in names}
        for name, ground, least in CONTRASTS:
            assert contrast(colors[name], colors[ground]) >= least, (name, ground, scheme)


def test_a_browser_without_light_dark_shows_the_light_colors(page: Page) -> None:
    """Without support for light-dark() every color is that of the light scheme."""

    def without_light_dark(route: Route) -> None:
        response = route.fetch()
        route.fulfill(response=response, body=response.text().replace("light-dark(", "unknown("))

    colors = """() => [...document.styleSheets[0].cssRules[0].style]
        .filter(name => name.startsWith("--"))
        .map(name => [name, getComputedStyle(document.documentElement).getPropertyValue(name)])
        .map(([name, value]) => {
            document.body.style.color = value;
            return [name, getComputedStyle(document.body).color];
        })"""
    page.goto("/nowhere")
    light = page.evaluate(colors)
    page.route("**/base.css", without_light_dark)
    page.goto("/nowhere?again")
    assert page.evaluate(colors) == light
    assert dict(light)["--ink"] != dict(light)["--paper"]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_forced_colors_keep_every_state_visible(page: Page, scheme: Scheme) -> None:
    """Chosen, disabled, best and winning elements look different from others."""

    def looks(selector: str) -> str:
        look: str = page.locator(selector).first.evaluate(
            """element => {
                const style = getComputedStyle(element);
                const { color, backgroundColor, border, borderBottomColor } = style;
                return [color, backgroundColor, border, borderBottomColor].join();
            }"""
        )
        return look

    page.emulate_media(color_scheme=scheme, forced_colors="active")
    page.goto("/?board=XO.X..O..&analysis=true")
    expect(page.locator(".best")).to_have_count(1)
    for state, other in (
        ("[name=you]:checked + span", "[name=you]:not(:checked) + span"),
        ("#hints[aria-pressed=true]", "#set-up"),
        ("#undo[aria-disabled=true]", "#set-up"),
        (".cell.best", ".cell[data-worth='=']"),
        ("[role=tab][aria-selected=true]", "[role=tab][aria-selected=false]"),
        (".masthead [aria-current]", ".masthead a:not([aria-current], .brand)"),
    ):
        assert looks(state) != looks(other), state
    text = style(page.locator("#sentence"), "color")
    expect(page.locator(".lines")).to_have_css("stroke", text)
    page.goto("/?played=0,4,8,1,3,7")
    expect_status(page, "You lost: O won.")
    assert looks(".cell.winning") != looks(".cell:not(.winning)")
    assert looks("#moves [aria-current]") != looks("#moves button:not([aria-current])")
    link = page.locator("#mistake a").first
    ink = style(link, "color")
    for part in ("rect", ".grid", "[data-mark=X]", "[data-mark=O]"):
        expect(link.locator(part).first).to_have_css("stroke", ink)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(
    ("played", "winner", "first", "to_next"),
    [
        ("0,4,8,1,3,7", "O", 1, (0, 1)),
        ("1,0,3,4,8,2,7,6", "O", 2, (-1, 1)),
        ("0,3,1,4,2", "X", 0, (1, 0)),
    ],
    ids=["a column of O", "a diagonal of O", "a row of X"],
)
def test_forced_colors_keep_a_winning_line_legible(
    page: Page, scheme: Scheme, played: str, winner: str, first: int, to_next: tuple[int, int]
) -> None:
    """The numbers, the marks and the line have a contrast of at least 4.5:1."""
    page.emulate_media(color_scheme=scheme, forced_colors="active")
    page.goto(f"/?you=both&played={played}")
    expect_status(page, f"{winner} won.")
    assert min(in_winning_cell(cell(page, first), winner, to_next).values()) >= 4.5
