"""The pictures of boards: they show each mark, and invalid boards are rejected."""

import re
from xml.etree import ElementTree as ET

import pytest
from flask.testing import FlaskClient

from best_move.web.api.responses import FOR_A_DAY

SVG = "{http://www.w3.org/2000/svg}"


def drawn(text: str) -> ET.Element:
    """Return an SVG as a tree of its elements."""
    return ET.fromstring(text)  # noqa: S314, the service's own


@pytest.mark.parametrize("board", [".........", "X...O....", "XX.OOO.X.", "XXOOOXXOX"])
def test_every_mark_is_drawn(client: FlaskClient, board: str) -> None:
    """The SVG has the lines of the board, each mark in its cell, and a stroke through a win.

    Caches may store it for a day.
    """
    response = client.get("/board.svg", query_string={"board": board})
    assert (response.status_code, response.mimetype) == (200, "image/svg+xml")
    assert response.headers["Cache-Control"] == FOR_A_DAY
    picture = drawn(response.text)
    lines, *others = [path.attrib["d"] for path in picture.iter(f"{SVG}path")]
    assert len(re.findall("[VH]", lines)) == 4
    strokes = [f"M{x} {y}m-27-27 54 54m0-54-54 54" for x, y in centers(board, "X")]
    if board == "XX.OOO.X.":
        strokes.append("M50 150 250 150")
    assert others == strokes
    circles = [(each.attrib["cx"], each.attrib["cy"]) for each in picture.iter(f"{SVG}circle")]
    assert circles == centers(board, "O")


def centers(board: str, mark: str) -> list[tuple[str, str]]:
    """Return the centers of the cells with a mark."""
    cells = [cell for cell in range(9) if board[cell] == mark]
    return [(f"{cell % 3 * 100 + 50}", f"{cell // 3 * 100 + 50}") for cell in cells]


def test_the_picture_has_a_description(client: FlaskClient) -> None:
    """The label of the SVG, for screen readers, is the board row by row."""
    picture = drawn(client.get("/board.svg?board=X...O....").text)
    assert picture.attrib["aria-label"] == "Tic-tac-toe, row by row: X - -, - O -, - - -"


def test_the_png_has_the_size_of_link_previews(client: FlaskClient) -> None:
    """The PNG has 600 by 315 pixels, depends only on the board, and may be cached for a day."""
    boards = ("X...O....", "X.......O", "X...O....")
    responses = [client.get(f"/board.png?board={board}") for board in boards]
    assert {response.headers["Cache-Control"] for response in responses} == {FOR_A_DAY}
    first, second, again = (response.data for response in responses)
    assert first[:8] == b"\x89PNG\r\n\x1a\n"
    assert [int.from_bytes(first[start : start + 4]) for start in (16, 20)] == [600, 315]
    assert len(first) < 20_000
    assert first == again != second


@pytest.mark.parametrize("path", ["/board.svg", "/board.png"])
@pytest.mark.parametrize(
    "query", ["", "board=X...Q....", "board=X...O....&Played=1", "board=XX......."]
)
def test_an_invalid_board_gets_a_problem(client: FlaskClient, path: str, query: str) -> None:
    """The problem is that of /search-tree for the same query."""
    response, other = (client.get(f"{each}?{query}") for each in (path, "/search-tree"))
    assert response.status_code == other.status_code >= 400
    assert response.get_json() == other.get_json()
    assert response.mimetype == other.mimetype
    assert response.headers["Cache-Control"] == "no-store"
