"""The application factory."""

import logging

from flask import Flask, request
from werkzeug.exceptions import NotFound

from best_move.engine import COMPILED
from best_move.web.api import number_pictures, pictures, responses, routes
from best_move.web.api.fast_path import fast_path
from best_move.web.api.handling import OVERLOADED
from best_move.web.api.problem_types import ProblemType, RejectedRequestError
from best_move.web.chatbots import board, mcp
from best_move.web.chatbots.tools import TOOLS
from best_move.web.middleware.cors import cors
from best_move.web.middleware.observed import observed
from best_move.web.pages import static_files, views
from best_move.web.settings import Settings

log = logging.getLogger(__name__)


def create_app(settings: Settings | None = None) -> Flask:
    """Return the WSGI application; by default, its settings come from the environment."""
    settings = settings or Settings.from_environment()
    if not COMPILED:
        log.warning(
            "the engine is uncompiled, so searches take about 50 times as long: "
            "install a C compiler and the Python headers, then install the service again"
        )
    app = Flask(__name__, static_folder=None)
    app.url_map.merge_slashes = False  # so /mcp// is unknown, and not redirected
    app.register_blueprint(routes.routes)
    app.register_blueprint(pictures.pictures)
    app.register_blueprint(number_pictures.number_pictures)
    app.register_blueprint(mcp.mcp(settings.cors_origins))
    app.register_blueprint(static_files.static_files)
    app.register_blueprint(views.pages)
    #  The page on chat clients shows the tools.
    app.jinja_env.globals["tools"] = [tool.definition for tool in TOOLS.values()]
    app.before_request(_reject_overload)
    app.before_request(_reject_two_slashes)
    #  For a 404, views.get_missing calls this handler, and gives browsers a page.
    app.register_error_handler(Exception, responses.write_problem)
    paths = [rule.rule for rule in app.url_map.iter_rules()]
    with_cors = cors(fast_path(app), settings.cors_origins)
    with_log = observed(with_cors, paths, static_files.ROUTE)
    app.wsgi_app = with_log  # type: ignore[assignment, method-assign]
    return app


def _reject_overload() -> None:
    """Raise an error for a request that the server could not start in time."""
    if OVERLOADED in request.environ:
        raise RejectedRequestError(
            ProblemType.OVERLOADED,
            "Too many requests are waiting. Send this one again after a second.",
        )


def _reject_two_slashes() -> None:
    """Raise NotFound for a path that begins with two slashes, one of which Werkzeug ignores."""
    if request.environ["PATH_INFO"].startswith("//"):
        raise NotFound


def render_pages(app: Flask) -> None:
    """Render each page, the OpenAPI document, the tablebase and the board in chats.

    The responses are dropped, but the files, pages and scores that they consist of stay in memory.
    So the first requests are fast, and no request reads a file that an update has replaced. The
    error handler logs a page that fails, and the service starts; a board that fails stops it.
    """
    pages = [rule.rule for rule in app.url_map.iter_rules() if rule.endpoint.startswith("pages.")]
    pages.append("/an-unknown-path")  # the page for a 404
    documents = ["/openapi.json", "/openapi-3.0.json", "/openapi.yaml"]
    for path in [*pages, *documents, "/tablebase.csv"]:
        with app.test_request_context(path, headers={"Accept": "text/html"}):
            app.full_dispatch_request()
    board.html()
