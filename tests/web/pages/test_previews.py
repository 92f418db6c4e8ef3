"""The link previews: a link to a position has the title and the picture of the position."""

import re

import pytest
from flask.testing import FlaskClient

from best_move.web.pages.files import STATIC, STATIC_URL
from best_move.web.pages.previews import LESSONS
from best_move.web.pages.views import MAX_QUERY, SERVICE_PLACEHOLDER
from tests.tables import table


def size_of(png: bytes) -> tuple[int, ...]:
    """Return the width and the height in a PNG."""
    return tuple(int.from_bytes(png[start : start + 4]) for start in (16, 20))


def size_in(page: str) -> tuple[int, ...]:
    """Return the width and the height that a page declares for its preview."""
    return tuple(
        map(int, re.findall(r'<meta property="og:image:(?:width|height)" content="(\d+)">', page))
    )


@pytest.mark.parametrize(
    ("query", "title", "board"),
    table("""
board=X...O....  X to move  X...O....
board=x........&starts=x  O to move  X........
board=X...O....&starts=O  O to move  X...O....
played=0,4,8  O to move  X...O...X
played=0,4,8&at=1  O to move  X........
played=0,3,1,4,2  X won  XXXOO....
board=X........&starts=X&played=4  X to move  X...O....
starts=X&played=4  O to move  ....X....
starts=O&played=4  X to move  ....O....
starts=O&played=4,0,8&at=2  O to move  X...O....
board=XXOOOXXOX  A draw  XXOOOXXOX
"""),
)
def test_the_preview_follows_the_position(
    client: FlaskClient, query: str, title: str, board: str
) -> None:
    """The page for a position has its title and its picture, with size and alternative text."""
    page = client.get(f"/?{query}", base_url="https://play.example").text
    assert f"<title>{title} · Best Move, tic-tac-toe</title>" in page
    picture = re.search(r'<meta property="og:image" content="([^"]+)">', page)
    assert picture
    assert picture[1] == f"https://play.example/board.png?board={board}"
    image = client.get(picture[1].removeprefix("https://play.example"))
    assert image.mimetype == "image/png"
    assert size_in(page) == size_of(image.data)
    rows = ", ".join(" ".join(board[start : start + 3].replace(".", "-")) for start in (0, 3, 6))
    assert f'<meta property="og:image:alt" content="Tic-tac-toe, row by row: {rows}">' in page


@pytest.mark.parametrize(
    ("query", "title", "board"),
    [
        ("", "A tree of games · Lesson 1 of N", "XXOOX...O"),
        *table("""
lesson=99  A tree of games · Lesson 1 of N  XXOOX...O
lesson=4  Cutoffs and bounds · Lesson 4 of N  XXOOX...O
lesson=5&step=19  A cutoff in a larger tree · Lesson 5 of N  X.O.O.X..
lesson=5&node=1,3  A cutoff in a larger tree · Lesson 5 of N  XXOOO.X..
lesson=10  A limit · Lesson 10 of N  .........
lesson=10&board=.O.X.O...  A limit · Lesson 10 of N  .O.X.O...
lesson=10&board=.o.x.o...  A limit · Lesson 10 of N  .O.X.O...
lesson=4&board=X.O.O.X..  X to move · Search  X.O.O.X..
board=X.O.O.X..&starts=X&step=19  X to move · Search  X.O.O.X..
board=X.O.O.X..&starts=O&node=5  X to move · Search  X.O.OOX..
played=0,4  X to move · Search  X...O....
board=XXXOO....  X won · Search  XXXOO....
"""),
    ],
)
def test_the_preview_of_a_search_follows_its_position(
    client: FlaskClient, query: str, title: str, board: str
) -> None:
    """The page for a search has a title, and the picture of the node in its URL or of the root."""
    title = title.replace("of N", f"of {len(LESSONS)}")
    page = client.get(f"/search?{query}", base_url="https://play.example").text
    assert f"<title>{title} · Best Move</title>" in page
    assert f'<meta property="og:title" content="{title} · Best Move">' in page
    assert (
        f'<meta property="og:image" content="https://play.example/board.png?board={board}">' in page
    )


@pytest.mark.parametrize(
    "query", ["board=hello", "board=XX.......&step=3", "board=.........&node=0,0"]
)
def test_the_preview_of_an_invalid_search_shows_the_playground(
    client: FlaskClient, query: str
) -> None:
    """The preview has the picture of the playground, and its title names no side."""
    page = client.get(f"/search?{query}", base_url="https://play.example").text
    assert (
        f'<meta property="og:image" content="https://play.example{STATIC_URL}preview.png">' in page
    )
    assert "<title>A position · Search · Best Move</title>" in page


@pytest.mark.parametrize(
    ("forwarded", "service"),
    [
        ({}, "http://play.example:8000/"),
        ({"X-Forwarded-Proto": "https"}, "https://play.example:8000/"),
        ({"X-Forwarded-Proto": "javascript"}, "http://play.example:8000/"),
        ({"X-Forwarded-Prefix": "/ttt"}, "http://play.example:8000/ttt/"),
        (
            {"X-Forwarded-Prefix": "/a/b/", "X-Forwarded-Proto": "https"},
            "https://play.example:8000/a/b/",
        ),
        ({"X-Forwarded-Prefix": "/"}, "http://play.example:8000/"),
        ({"X-Forwarded-Prefix": '/"><script>'}, "http://play.example:8000/%22%3E%3Cscript%3E/"),
    ],
    ids=["no proxy", "TLS", "an invalid scheme", "a prefix", "both", "an empty prefix", "markup"],
)
def test_the_preview_has_the_url_that_a_proxy_reports(
    client: FlaskClient, forwarded: dict[str, str], service: str
) -> None:
    """The picture's URL is absolute, with the scheme and prefix that the proxy's headers name."""
    page = client.get(
        "/?board=X...O....", base_url="http://play.example:8000", headers=forwarded
    ).text
    assert f'<meta property="og:image" content="{service}board.png?board=X...O....">' in page
    assert f"curl '{service}best-move?" in page
    for path in ("/docs", "/mcp"):
        headers = {**forwarded, "Accept": "text/html"}
        other = client.get(path, base_url="http://play.example:8000", headers=headers).text
        picture = f"{service}{STATIC_URL[1:]}preview.png"
        assert f'<meta property="og:image" content="{picture}">' in other
        assert SERVICE_PLACEHOLDER not in other


def test_a_query_that_is_longer_than_that_of_any_position_is_not_read(client: FlaskClient) -> None:
    """The page has the preview of its path, because it would take long to read the query."""
    long = f"board=X...O....&{'a' * MAX_QUERY}"
    for path in ("/", "/search"):
        title = re.search("<title>.*</title>", client.get(path).text)
        assert title
        assert title[0] in client.get(f"{path}?{long}").text


@pytest.mark.parametrize(
    "query",
    [
        "",
        "board=.........",
        "board=hello",
        "board=XX.......",
        "board=X........&starts=O",
        "played=0,0",
        "played=9",
        "played=a",
        "played=0&at=x",
        "you=O",
    ],
)
def test_the_preview_of_a_new_game_or_an_invalid_position_shows_the_page(
    client: FlaskClient, query: str
) -> None:
    """For a new game or an invalid position, the preview shows the playground."""
    page = client.get(f"/?{query}", base_url="https://play.example").text
    assert (
        f'<meta property="og:image" content="https://play.example{STATIC_URL}preview.png">' in page
    )
    assert size_in(page) == (1280, 640)
    assert '<meta property="og:image:alt" content="A game in progress: ' in page
    assert "<title>Best Move: " in page


def test_the_preview_is_small() -> None:
    """The picture has the size that the page declares, and its file is smaller than 200 KB."""
    picture = (STATIC / "preview.png").read_bytes()
    assert len(picture) < 200_000
    assert size_of(picture) == (1280, 640)
