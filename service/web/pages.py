"""The pages for people: the playground, the interactive reference, and the files that the two load."""

from importlib.resources import files
from pathlib import Path
from typing import Final

from flask import Blueprint, Response, make_response, render_template, request, send_from_directory

pages = Blueprint("pages", __name__, template_folder="templates")

STATIC: Final = Path(__file__).with_name("static")
TEMPLATES: Final = Path(__file__).with_name("templates")
SWAGGER: Final = Path(str(files("flask_openapi3_swagger"))) / "templates" / "swagger"

ONE_DAY: Final = 86_400  # in seconds

#  Everything comes from this service and nothing is written inline, so a page can neither load nor send elsewhere.
HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


@pages.get("/")
def get_playground() -> Response:
    """Answer the playground, whose preview image needs the full address of this service."""
    response = make_response(render_template("index.html", origin=request.host_url))
    response.add_etag(weak=True)
    response.cache_control.no_cache = True
    response.make_conditional(request)
    return response


@pages.get("/docs")
def get_reference() -> Response:
    """Answer the interactive reference."""
    return send_from_directory(TEMPLATES, "docs.html")


@pages.get("/static/<path:file>")
def get_file(file: str) -> Response:
    """Answer a file of the pages. Code is asked for again each time, so that no two versions mix; a picture is kept."""
    return send_from_directory(STATIC, file, max_age=ONE_DAY if file.endswith((".png", ".svg")) else None)


@pages.get("/static/swagger/<path:file>")
def get_swagger_file(file: str) -> Response:
    """Answer a file of Swagger UI, which changes with its package only."""
    return send_from_directory(SWAGGER, file, max_age=ONE_DAY)


@pages.after_request
def protect(response: Response) -> Response:
    """Send the headers that bind the browser to this service."""
    response.headers.extend(HEADERS)
    return response
