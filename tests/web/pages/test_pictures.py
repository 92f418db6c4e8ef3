"""The pictures of boards: they show each mark, and invalid boards are rejected."""

from xml.etree import ElementTree as ET

import pytest
from flask.testing import FlaskClient

from best_move.web.api.responses import CACHEABLE

SVG = "{http://www.w3.org/2000/svg}"


def drawn(text: str) -> ET.Element:
    """Return an SVG as a tree of its elements."""
    return ET.fromstring(text)  # noqa: S314, the service's own


@pytest.mark.parametrize(
    ("board", "crosses", "circles", "strokes"),
    [
        (".........", 0, 0, 0),
        ("X...O....", 1, 1, 0),
        ("XX.OOO.X.", 3, 3, 1),
        ("XXOOOXXOX", 5, 4, 0),
    ],
)
def test_every_mark_is_drawn(
    client: FlaskClient, board: str, crosses: int, circles: int, strokes: int
) -> None:
    """The SVG has the lines of the board, each mark in its cell, and a stroke through a win."""
    response = client.get("/board.svg", query_string={"board": board})
    assert response.status_code == 200
    assert response.mimetype == "image/svg+xml"
    picture = drawn(response.text)
    paths = [path.attrib["d"] for path in picture.iter(f"{SVG}path")]
    lines, *others = paths
    assert sum(lines.count(letter) for letter in "VH") == 4
    marks = [path for path in others if "m-27-27" in path]
    assert (len(marks), len(others) - len(marks)) == (crosses, strokes)
    assert [path.partition("m")[0] for path in marks] == [
        f"M{cell % 3 * 100 + 50} {cell // 3 * 100 + 50}"
        for cell, mark in enumerate(board.upper())
        if mark == "X"
    ]
    assert [
        (circle.attrib["cx"], circle.attrib["cy"]) for circle in picture.iter(f"{SVG}circle")
    ] == [
        (f"{cell % 3 * 100 + 50}", f"{cell // 3 * 100 + 50}")
        for cell, mark in enumerate(board.upper())
        if mark == "O"
    ]
    assert len(list(picture.iter(f"{SVG}circle"))) == circles


def test_the_picture_has_a_description(client: FlaskClient) -> None:
    """The label of the SVG, for screen readers, is the board row by row."""
    picture = drawn(client.get("/board.svg?board=X...O....").text)
    assert picture.attrib["aria-label"] == "Tic-tac-toe, row by row: X - -, - O -, - - -"


def test_a_winning_line_is_struck_through(client: FlaskClient) -> None:
    """The stroke goes from the first to the last cell of the line."""
    picture = drawn(client.get("/board.svg?board=XX.OOO.X.").text)
    assert [path.attrib["d"] for path in picture.iter(f"{SVG}path")][-1] == "M50 150 250 150"


def test_the_png_has_the_size_of_link_previews(client: FlaskClient) -> None:
    """The PNG has 600 by 315 pixels, and depends only on the board."""
    first, second, again = (
        client.get(f"/board.png?board={board}").data
        for board in ("X...O....", "X.......O", "X...O....")
    )
    assert first[:8] == b"\x89PNG\r\n\x1a\n"
    assert [int.from_bytes(first[start : start + 4]) for start in (16, 20)] == [600, 315]
    assert len(first) < 20_000
    assert first == again != second


@pytest.mark.parametrize("path", ["/board.svg", "/board.png"])
def test_a_picture_is_cacheable(client: FlaskClient, path: str) -> None:
    """Caches may store a picture for a day."""
    assert client.get(f"{path}?board=X...O....").headers["Cache-Control"] == CACHEABLE


@pytest.mark.parametrize("path", ["/board.svg", "/board.png"])
@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ("", 400, "invalid_request"),
        ("board=hello", 400, "invalid_request"),
        ("board=X...Q....", 400, "invalid_request"),
        ("board=X...O....&Played=1", 400, "invalid_request"),
        ("board=X...O....&board=X...O....", 400, "invalid_request"),
        ("board=XX.......", 422, "illegal_position"),
    ],
)
def test_an_invalid_board_gets_a_problem(
    client: FlaskClient, path: str, query: str, status: int, code: str
) -> None:
    """The problem is that of /best-move for the same query."""
    response = client.get(f"{path}?{query}")
    assert response.status_code == status
    assert response.mimetype == "application/problem+json"
    assert response.get_json()["code"] == code
    assert response.headers["Cache-Control"] == "no-store"
    assert response.get_json() == client.get(f"/best-move?{query}").get_json()
