"""The oracle as a web service."""

from http import HTTPStatus

from flask import Flask, Response, request

from service.web import problems
from service.web.routes import routes


def create_app() -> Flask:
    """Return the WSGI application."""
    app = Flask(__name__, static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = problems.MOST_BYTES
    app.url_map.merge_slashes = False  # a doubled slash is no such path, not a redirect
    app.register_blueprint(routes)
    problems.register(app)
    app.after_request(_allow_any_origin)
    return app


def _allow_any_origin(response: Response) -> Response:
    """Let pages of any origin call the service and read its headers; the answers are the same for everyone."""
    headers = response.headers
    headers["Access-Control-Allow-Origin"] = "*"
    headers["Access-Control-Expose-Headers"] = "ETag, Server-Timing"
    if request.method == "OPTIONS" and response.status_code == HTTPStatus.OK:
        response.status_code = HTTPStatus.NO_CONTENT
        headers["Allow"] = ", ".join(sorted(response.allow))
        headers["Access-Control-Allow-Methods"] = headers["Allow"]
        headers["Access-Control-Allow-Headers"] = "Content-Type"
        headers["Access-Control-Max-Age"] = "86400"
        del headers["Content-Type"]
    return response
