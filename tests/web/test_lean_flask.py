"""Flask without what nobody uses: what is left out is not missed, and what Flask promises besides still holds."""

import pytest
from flask import Flask, Response, after_this_request, request, session
from flask.testing import FlaskClient

from service.web.app import create_app
from service.web.lean_flask import LeanFlask
from tests.web.conftest import QUERY

PLACES = {
    "a place below another": {"SCRIPT_NAME": "/elsewhere"},
    "a host that is none": {"HTTP_HOST": "no host"},
    "a host with an empty part": {"HTTP_HOST": "a..b"},
    "a host with too long a part": {"HTTP_HOST": "a" * 64},
    "no host": {"HTTP_HOST": ""},
}


@pytest.mark.parametrize("path", [QUERY, "/", "/docs", "/health"])
@pytest.mark.parametrize("said", PLACES.values(), ids=PLACES)
def test_what_a_client_says_of_the_place_changes_no_route(client: FlaskClient, said: dict[str, str], path: str) -> None:
    """A route is found by its path, wherever a client says that the application stands."""
    assert client.get(path, environ_overrides=said, buffered=True).status_code == 200


def test_the_root_may_be_left_out(client: FlaskClient) -> None:
    """An address without a path is that of the page."""
    assert client.get("/", environ_overrides={"PATH_INFO": ""}).status_code == 200


def test_no_request_knows_of_another() -> None:
    """There are no sessions: none can be written, and no answer sets a cookie or depends on one."""
    app = create_app()
    written = []

    @app.before_request
    def write() -> None:
        assert not session
        with pytest.raises(RuntimeError):
            session["visits"] = 1
        written.append(request.path)

    response = app.test_client().get(QUERY, headers={"Cookie": "session=eyJ2aXNpdHMiOjF9"})
    assert written == ["/best-move"]
    assert response.status_code == 200
    assert not {"Set-Cookie", "Vary"} & set(response.headers.keys())


def made() -> Flask:
    """Return an application with a path that has no arguments, and one that has."""
    app = LeanFlask(__name__, static_folder=None)

    @app.get("/games")
    def games() -> str:
        return "games"

    @app.post("/games")
    def add() -> str:
        return "added"

    @app.get("/games/<int:number>")
    def game(number: int) -> str:
        return f"game {number}"

    return app


@pytest.mark.parametrize(
    ("method", "path", "status", "text"),
    [
        ("GET", "/games", 200, "games"),
        ("HEAD", "/games", 200, ""),
        ("POST", "/games", 200, "added"),
        ("GET", "/games/3", 200, "game 3"),
        ("OPTIONS", "/games", 204, ""),
        ("OPTIONS", "/games/3", 204, ""),
        ("PUT", "/games", 405, None),
        ("POST", "/games/3", 405, None),
        ("GET", "/games/", 404, None),
        ("GET", "//games", 404, None),
    ],
)
def test_a_route_is_found_by_its_path_and_method(method: str, path: str, status: int, text: str | None) -> None:
    """With arguments or without, a path has the view of the method, or the error that Flask has for it."""
    response = made().test_client().open(method=method, environ_overrides={"PATH_INFO": path})
    assert response.status_code == status
    assert text in (None, response.text)
    if status in (204, 405):
        allowed = "GET, HEAD, OPTIONS, POST" if path == "/games" else "GET, HEAD, OPTIONS"
        assert ", ".join(sorted(response.headers["Allow"].split(", "))) == allowed


def test_a_route_can_be_looked_up() -> None:
    """What finds the route of a request finds any other as well, and names it as Werkzeug does."""
    app = made()
    with app.test_request_context("/games"):
        adapter = app.create_url_adapter(request)
        assert adapter is not None
        assert adapter.match() == ("games", {})
        assert adapter.match(method="POST") == ("add", {})
        assert adapter.match("/games/3") == ("game", {"number": 3})


def test_an_address_is_made_of_a_route() -> None:
    """Within a request the address of any view can be made, from a path that has no arguments too."""
    app = made()
    with app.test_request_context("/games"):
        assert app.url_for("game", number=3) == "/games/3"


@pytest.mark.parametrize("path", ["/games", "/games/3"])
def test_what_is_to_be_called_is_called(path: str) -> None:
    """Every hook that Flask has around a request is called, in its order."""
    app = made()
    called: list[str] = []
    app.url_value_preprocessor(lambda endpoint, _: called.append(f"route of {endpoint}"))
    app.teardown_request(lambda _: called.append("teardown"))

    @app.before_request
    def before() -> None:
        called.append("before")

        @after_this_request
        def after_this(response: Response) -> Response:
            called.append("after this")
            return response

    @app.after_request
    def after(response: Response) -> Response:
        called.append("after")
        return response

    assert app.test_client().get(path).status_code == 200
    view = "game" if path.endswith("3") else "games"
    assert called == [f"route of {view}", "before", "after this", "after", "teardown"]


def test_a_hook_may_answer_in_place_of_the_view() -> None:
    """What a hook before the request returns is the answer."""
    app = made()
    app.before_request(lambda: ("closed", 503))
    response = app.test_client().get("/games")
    assert (response.status_code, response.text) == (503, "closed")
