"""The route of the static files."""

from pathlib import PurePath

from flask import Blueprint, Response
from werkzeug.exceptions import NotFound

from best_move.web.api.compression import ConstantBody
from best_move.web.pages.files import FILES, MEDIA_TYPES, STATIC_URL

static_files = Blueprint("static_files", __name__)

ROUTE = "/static/<version>/<path:name>"

IMMUTABLE = "public, max-age=315360000, immutable"

_BODIES = {
    name: ConstantBody(content, MEDIA_TYPES[PurePath(name).suffix], IMMUTABLE)
    for name, content in FILES.items()
}


@static_files.get(ROUTE)
def get_file(version: str, name: str) -> Response:
    """Return a static file, which caches may keep if its URL has the version of this service.

    During a rolling update, a page of another version may request its files here. It gets those of
    this version, which may fit, and must not be stored under the other version's URL.
    """
    body = _BODIES.get(name)
    if body is None:
        raise NotFound
    response = body.response()
    response.headers["X-Content-Type-Options"] = "nosniff"
    if f"/static/{version}/" != STATIC_URL:
        response.headers["Cache-Control"] = "no-store"
    return response
