"""The static files of the pages: scripts, styles and pictures.

They are read once, at startup, because an update may replace them while the service runs.
"""

from hashlib import blake2b
from pathlib import Path

STATIC = Path(__file__).with_name("static")

MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
}


def read(folder: Path) -> dict[str, bytes]:
    """Return the contents of the files in a folder, by their paths relative to it.

    Files with a hidden name, and those without a media type, are skipped, because editors leave
    such files.
    """
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("[!.]*"))
        if path.suffix in MEDIA_TYPES
    }


def digest(files: dict[str, bytes]) -> str:
    """Return a name that changes with any of the files.

    Clients may therefore cache the files without revalidation.
    """
    found = blake2b(digest_size=6)
    for name, content in files.items():
        found.update(name.encode())
        found.update(content)
    return found.hexdigest()


FILES = read(STATIC)

#  The digest is a folder in the URLs of all files, so a module imports other modules of the same
#  version.
STATIC_URL = f"/static/{digest(FILES)}/"
