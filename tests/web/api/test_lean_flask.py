"""The Flask subclass does what Flask does, most of it in less time."""

import pytest
from flask import Blueprint, Flask, Response, request, session
from flask.testing import FlaskClient
from werkzeug.routing import Map, MapAdapter

from best_move.web.api.lean_flask import LeanFlask, LeanResponse
from tests.tables import table
from tests.web.conftest import QUERY

PLACES = {
    "a mount point": {"SCRIPT_NAME": "/elsewhere"},
    "an invalid host": {"HTTP_HOST": "no host"},
    "a host with an empty label": {"HTTP_HOST": "a..b"},
    "a host with too long a label": {"HTTP_HOST": "a" * 64},
    "an empty host": {"HTTP_HOST": ""},
}


@pytest.mark.parametrize("path", [QUERY, "/", "/docs", "/health"])
@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
def test_a_route_does_not_depend_on_the_host(
    client: FlaskClient, place: dict[str, str], path: str
) -> None:
    """A path leads to the same route, whatever the host and the mount point."""
    assert client.get(path, environ_overrides=place, buffered=True).status_code == 200


def test_an_empty_path_is_the_root(client: FlaskClient) -> None:
    """A request with an empty path gets the page at `/`."""
    assert client.get("/", environ_overrides={"PATH_INFO": ""}).status_code == 200


@pytest.mark.parametrize("path", [QUERY, "/health"])
def test_a_known_path_is_found_without_a_search(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    """For a path without arguments, neither the host is parsed nor the routes are searched."""

    def slow(*_: object, **__: object) -> None:
        raise AssertionError("the route was searched for")

    monkeypatch.setattr(Map, "bind_to_environ", slow)
    monkeypatch.setattr(MapAdapter, "match", slow)
    assert client.get(path).status_code == 200


HEADERS = [("Content-Type", "application/json"), ("ETag", 'W/"1"')]


@pytest.fixture
def games_app() -> Flask:
    """Return an application that has paths without arguments and a path with an argument."""
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

    @app.get("/lean")
    def lean() -> LeanResponse:
        return LeanResponse(b"lean", HEADERS)

    @app.get("/flask")
    def flask() -> Response:
        return Response(b"lean", headers=HEADERS)

    return app


#  A method, a path, the status of the response, and its text.
RESPONSES = table("""
GET  /games  200  games
HEAD  /games  200  -
POST  /games  200  added
GET  /games/3  200  game 3
OPTIONS  /games  200  -
OPTIONS  /games/3  200  -
PUT  /games  405  -
POST  /games/3  405  -
GET  /games/  404  -
GET  /games/<int:number>  404  -
GET  //games  404  -
""")


@pytest.mark.parametrize(("method", "path", "status", "text"), RESPONSES)
def test_a_route_is_found_by_its_path_and_method(
    games_app: Flask, method: str, path: str, status: str, text: str
) -> None:
    """A path and a method lead to their view, or to the error that Flask raises."""
    response = games_app.test_client().open(method=method, environ_overrides={"PATH_INFO": path})
    assert response.status_code == int(status)
    if status == "200":
        assert response.text == text.removeprefix("-")
    if status == "405" or method == "OPTIONS":
        allowed = {"GET", "HEAD", "OPTIONS", *({"POST"} if path == "/games" else ())}
        assert response.allow.as_set(preserve_casing=True) == allowed


def test_a_url_adapter_can_match_any_route(games_app: Flask) -> None:
    """The URL adapter of a known path also matches other paths and methods."""
    with games_app.test_request_context("/games"):
        adapter = games_app.create_url_adapter(request)
        assert adapter is not None
        assert adapter.match() == ("games", {})
        assert adapter.match(method="POST") == ("add", {})
        assert adapter.match("/games/3") == ("game", {"number": 3})
        rule, arguments = adapter.match("/games/3", return_rule=True)
        assert (rule.endpoint, arguments) == ("game", {"number": 3})


def test_a_url_is_built_from_an_endpoint(games_app: Flask) -> None:
    """During a request to a known path, the URL of any view can be built."""
    with games_app.test_request_context("/games"):
        assert games_app.url_for("game", number=3) == "/games/3"


@pytest.mark.parametrize("kind", ["app", "blueprint"])
def test_registered_functions_are_called_around_a_view(games_app: Flask, kind: str) -> None:
    """Functions that are registered to be called before and after a view are called."""
    part = games_app if kind == "app" else Blueprint("part", __name__)
    called = []

    @part.url_value_preprocessor
    def preprocess(*_: object) -> None:
        called.append("preprocess")

    @part.before_request
    def before() -> None:
        called.append("before")

    @part.after_request
    def after(response: Response) -> Response:
        called.append("after")
        return response

    @part.teardown_request
    def tear_down(_: object) -> None:
        called.append("tear down")

    @part.get("/part")
    def view() -> str:
        return "view"

    if isinstance(part, Blueprint):
        games_app.register_blueprint(part)
    games_app.teardown_appcontext(lambda _: called.append("end"))
    assert games_app.test_client().get("/part").text == "view"
    assert called == ["preprocess", "before", "after", "tear down", "end"]


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("is_changed", [False, True])
def test_a_lean_response_is_sent_as_flask_sends_its_own(
    games_app: Flask,
    method: str,
    is_changed: bool,  # noqa: FBT001, it is a parameter
) -> None:
    """It has the same status, headers and body, and registered functions can change it."""
    if is_changed:

        @games_app.after_request
        def change(response: Response) -> Response:
            response.headers["X-Changed"] = "yes"
            return response

    client = games_app.test_client()
    lean, flask = (client.open(path, method=method) for path in ("/lean", "/flask"))
    assert (lean.status, lean.data) == (flask.status, flask.data)
    assert [*lean.headers] == [*flask.headers]
    assert ("X-Changed" in lean.headers) == is_changed


def test_a_session_is_empty_and_cannot_be_changed(games_app: Flask) -> None:
    """No request finds what another one stored."""
    with games_app.test_request_context("/games"):
        assert not session
        with pytest.raises(RuntimeError):
            session["player"] = "X"
