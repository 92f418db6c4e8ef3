"""The types of problem responses (RFC 9457), each with its status and its title."""

from enum import Enum


class ProblemType(Enum):
    """A type of problem; `code` is its name in responses.

    Titles are the service's own: those of the standard library differ between its versions.
    """

    BAD_REQUEST = 400, "Bad request"
    MALFORMED_JSON = 400, "Malformed JSON"
    MALFORMED_BODY = 400, "Malformed request body"
    INVALID_REQUEST = 400, "Invalid request"
    ORIGIN_NOT_ALLOWED = 403, "Origin not allowed"
    NOT_FOUND = 404, "No such path"
    METHOD_NOT_ALLOWED = 405, "Method not allowed"
    REQUEST_TIMEOUT = 408, "Request timeout"
    BODY_TOO_LARGE = 413, "Request body too large"
    UNSUPPORTED_MEDIA_TYPE = 415, "Unsupported media type"
    ILLEGAL_POSITION = 422, "Illegal position"
    INVALID_WINDOW = 422, "Invalid window"
    INVALID_TREE = 422, "Invalid tree of numbers"
    INTERNAL_ERROR = 500, "Internal error"
    OVERLOADED = 503, "Overloaded"

    def __init__(self, status: int, title: str) -> None:
        self.status = status
        self.title = title
        self.code = self.name.lower()


class RejectedRequestError(ValueError):
    """Raised before the fields of a request are read; the message is the problem's detail."""

    def __init__(self, kind: ProblemType, detail: str) -> None:
        super().__init__(detail)
        self.kind = kind
