"""The pages.

These are the playground, the search page, the reference, the page on chat clients and the one for
unknown paths.
"""

import re
from base64 import b64encode
from functools import cache, lru_cache
from pathlib import PurePosixPath
from typing import Any

from flask import Blueprint, Response, make_response, redirect, render_template, request
from markupsafe import Markup, escape
from werkzeug.datastructures import MultiDict
from werkzeug.exceptions import MethodNotAllowed, NotFound
from werkzeug.wrappers import Response as AnyResponse

from best_move.engine.choice import RATES
from best_move.web.api import openapi
from best_move.web.api.compression import ConstantBody, compress
from best_move.web.api.responses import conditional, write_problem
from best_move.web.api.service_url import service_url
from best_move.web.pages import previews, reference
from best_move.web.pages.files import FILES, STATIC_URL
from best_move.web.pages.lessons import LESSONS
from best_move.web.pages.previews import Preview

pages = Blueprint("pages", __name__, template_folder="templates")

#  The headers of pages, which may neither load files from other hosts, nor send data to other
#  hosts, nor have inline code.
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}

#  Scripts that the first view of most pages does not need: `load` in service.js loads them later,
#  or a script that it loads imports them.
LOADED_LATER = {
    *("clipboard.js", "comparison.js", "explain.js", "line.js", "mistake.js"),
    *("save.js", "share.js"),
}


def _modules(*folders: str) -> list[str]:
    """Return the scripts in some folders that the first view of a page needs, by their paths."""
    paths = [PurePosixPath(name) for name in FILES if name.endswith(".js")]
    parents = [PurePosixPath(folder) for folder in ("", *folders)]
    return [str(path) for path in paths if path.parent in parents and path.name not in LOADED_LATER]


PLAYGROUND_MODULES = ["clipboard.js", *_modules("play")]
BOARD_MODULES = _modules("search", "search/boards")
NUMBER_MODULES = _modules("search", "search/numbers")

#  `frame-ancestors *` would exclude pages opened from a disk, so the directive is omitted.
FRAMEABLE = HEADERS["Content-Security-Policy"].replace("; frame-ancestors 'none'", "")

#  Stands for the URL of the service in a page that is rendered once.
SERVICE_PLACEHOLDER = "https://service.invalid/"

MAX_QUERY = 2048  # a longer query is ignored, because some take milliseconds

#  The playground's request for a new game. The page names it, so that browsers send it while the
#  scripts are loading.
NEW_GAME_REQUEST = "best-move?board=.........&starts=X"


@pages.get("/")
def get_playground() -> Response:
    """Return the playground, whose title and link preview show the position in its URL."""
    # The page joins repeated `played`; other repeated values become invalid when joined.
    query = {name: ",".join(values) for name, values in _query().lists() if any(values)}
    return _page(
        "index.html",
        preview=previews.of_game(query),
        service=service_url(),
        modules=PLAYGROUND_MODULES,
        new_game_request=None if request.query_string else NEW_GAME_REQUEST,
        rates={name: f"{rate:.0%}" for name, rate in RATES.items()},
    )


@pages.get("/search")
def get_search() -> Response:
    """Return the page that shows a search step by step.

    Its title and link preview show the search in its URL. Pages of any site may embed it.
    """
    # Of repeated values, the page reads the last one that is not empty.
    query = {name: value for name, value in _query().items(multi=True) if value}
    lesson = previews.lesson_of(query)
    is_numbers = "tree" in previews.search_of(query, lesson)
    response = _page(
        "search.html",
        query=query,
        preview=previews.of_search(query, lesson),
        lesson=lesson,
        lessons=LESSONS,
        status=previews.status_of(query),
        service=service_url(),
        is_numbers=is_numbers,
        modules=NUMBER_MODULES if is_numbers else BOARD_MODULES,
    )
    response.headers["Content-Security-Policy"] = FRAMEABLE
    return response


@pages.get("/docs")
def get_reference() -> Response:
    """Return the reference: the OpenAPI document as a page."""
    return _protected(_reference_of(service_url()).response())


@lru_cache(maxsize=8)  # few hosts are in use, and each page is large
def _reference_of(service: str) -> ConstantBody:
    page = _reference().replace(SERVICE_PLACEHOLDER, escape(service))
    return ConstantBody(page.encode(), "text/html; charset=utf-8")


@cache  # because the relative URLs in it are always those of /docs
def _reference() -> str:
    return _render(
        "docs.html",
        preview=Preview("API reference · Best Move"),
        service=SERVICE_PLACEHOLDER,
        examples=reference.examples,
        resolved=openapi.resolved,
        first_request=reference.first_request(),
        first_response=reference.first_response(),
    )


#  `chatbots/mcp.py` has the routes for OPTIONS and POST.
@pages.get("/mcp", provide_automatic_options=False)
@pages.get("/mcp/", provide_automatic_options=False)
def get_chat_clients() -> Response:
    """Return the page on chat clients to browsers.

    Raises MethodNotAllowed for chat clients, whose GET asks for a stream; there is none.
    """
    if not _is_browser():
        raise MethodNotAllowed(["OPTIONS", "POST"])
    response = _page(
        "connect.html", preview=Preview("Connect a chat client · Best Move"), service=service_url()
    )
    response.vary.add("Accept")
    return response


@pages.get("/favicon.ico")
def get_icon() -> AnyResponse:
    """Redirect to the icon, for browsers that show JSON or a picture instead of a page."""
    return redirect(f"{STATIC_URL[1:]}icon.svg", 302)


@pages.app_errorhandler(NotFound)
def get_missing(error: NotFound) -> Response:
    """Return the response for an unknown path: a page for browsers, a problem for other clients."""
    problem = write_problem(error)  # also logs the problem
    if not _is_browser():
        return problem
    response = make_response(_render("missing.html"), 404)
    response.cache_control.no_store = True
    return _protected(response)


def _is_browser() -> bool:
    offered = ["application/problem+json", "text/html"]  # the first wins a tie, as with */*
    return request.accept_mimetypes.best_match(offered) == "text/html"


@pages.app_template_filter()
def words(name: str) -> str:
    """Return a name of the OpenAPI document as words.

    `ordered_alphabeta` becomes `Ordered alpha-beta`.
    """
    return name.replace("alphabeta", "alpha-beta").replace("_", " ").capitalize()


@pages.app_template_filter()
def code(text: str) -> Markup:
    """Return a sentence of the OpenAPI document as HTML, with names in backticks as code."""
    html = re.sub(r"`([^`]*)`", r"<code>\1</code>", str(escape(text)))
    return Markup(html)  # noqa: S704, the text is escaped


@pages.app_template_filter()
def colored(html: str) -> Markup:
    """Return HTML of a template, with the sides and their moves in color.

    Browsers do not translate MAX and MIN.
    """
    outside = r"\b(?![^<]*>)"  # of tags
    marks = re.sub(rf"\b([XO])(\s+\d)?{outside}", r'<b data-mark="\1">\1\2</b>', str(html))
    names = re.sub(rf"\b(MAX|MIN){outside}", r'<span translate="no">\1</span>', marks)
    return Markup(names)  # noqa: S704, our own


@pages.app_template_filter()
def base64(text: str) -> str:
    """Return a text in Base64."""
    return b64encode(text.encode()).decode()


def _render(template: str, **values: Any) -> str:
    """Return a template as HTML, with relative URLs because the service may have a path prefix."""
    depth = request.path.count("/") - 1
    root = "../" * depth or "./"
    document = openapi.document()
    return render_template(
        template,
        root=root,
        static=root + STATIC_URL[1:],
        document=document,
        schemas=document["components"]["schemas"],
        **values,
    )


def _query() -> MultiDict[str, str]:
    """Return the query, or an empty one if it is longer than that of any position."""
    if len(request.query_string) > MAX_QUERY:
        return MultiDict()
    return request.args


def _page(template: str, **values: Any) -> Response:
    """Return a page, compressed if the client accepts gzip; caches must revalidate each use."""
    response = make_response(_render(template, **values))
    response.add_etag(weak=True)
    response.cache_control.no_cache = True
    return _protected(compress(conditional(response, request.environ)))


def _protected(response: Response) -> Response:
    """Add the headers that let a page load files only from this service; return the response."""
    response.headers.update(HEADERS)
    return response
