"""What browsers request: the pages, the static files, and how they ask for a page."""

from typing import Final

from best_move.web.pages.files import STATIC

PAGES: Final = ("/", "/search", "/mcp", "/docs")
FILES: Final = sorted(STATIC.rglob("[!.]*.*"))

#  The media types that a browser accepts when it opens a page.
BROWSER: Final = {
    "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,"
    "image/avif,image/webp,*/*;q=0.8"
}
