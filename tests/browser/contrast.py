"""The contrast of colors, and of what a browser has painted, measured in screenshots."""

from base64 import b64encode
from itertools import product
from typing import Final

from playwright.sync_api import Locator

_PIXELS: Final = """async (element, [png, points]) => {
    const image = new Image();
    image.src = `data:image/png;base64,${png}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height)
        .getContext("2d", { willReadFrequently: true });
    canvas.drawImage(image, 0, 0);
    return points.map(([across, down]) =>
        [...canvas.getImageData(across * image.width, down * image.height, 1, 1).data].slice(0, 3));
}"""

Point = tuple[float, float]

#  Places in a winning cell, in fractions of its size, that no other part covers.
_GROUND: Final = (0.75, 0.05)
_MARK: Final = {"X": (0.62, 0.62), "O": (0.5 + 0.28 * 0.84, 0.5)}
_EVERYWHERE: Final = [(across / 20, down / 20) for across, down in product(range(20), repeat=2)]


def in_winning_cell(cell: Locator, mark: str, to_next: Point) -> dict[str, float]:
    """Return the contrast of the number, the mark and the line of a winning cell with the ground.

    `to_next` is the direction of the next cell of the line, in cells.
    """
    line = (0.5 + 0.35 * to_next[0], 0.5 + 0.35 * to_next[1])
    of_mark, of_line = _contrasts(cell, _GROUND, [_MARK[mark], line])
    of_number = max(_contrasts(cell.locator(".number"), (0, 0), _EVERYWHERE))
    return {"number": of_number, "mark": of_mark, "line": of_line}


def _contrasts(element: Locator, ground: Point, points: list[Point]) -> list[float]:
    """Return the contrast between one place of an element and each of the others."""
    png = b64encode(element.screenshot()).decode()
    below, *others = element.evaluate(_PIXELS, [png, [ground, *points]])
    return [contrast(below, other) for other in others]


def contrast(*colors: list[int]) -> float:
    """Return the contrast of two colors, each in red, green and blue."""
    darker, lighter = sorted(map(_luminance, colors))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(color: list[int]) -> float:
    red, green, blue = (
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
        for value in (each / 255 for each in color[:3])
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
