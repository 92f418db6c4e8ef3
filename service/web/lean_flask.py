"""Flask, without what each request would pay for and none uses; every override is one that Flask documents."""

from collections.abc import Callable
from functools import cached_property
from typing import Any, Self
from wsgiref.types import WSGIEnvironment

from flask import Flask, Request, Response, request, request_tearing_down
from flask.sessions import NullSession, SessionInterface
from werkzeug import Request as BaseRequest
from werkzeug.exceptions import NotFound, PreconditionFailed
from werkzeug.routing import Map, MapAdapter, Rule


def current_request() -> Request:
    """Return the request that Flask's proxy stands for, which takes its time over each attribute."""
    found: Request = request._get_current_object()  # type: ignore[attr-defined]  # noqa: SLF001, Flask documents it
    return found


class WholeResponse(Response):
    """A response that is sent whole, since no client needs a part of it. A condition that it fails is an exception."""

    def make_conditional(self, request_or_environ: WSGIEnvironment | BaseRequest, *_: object, **__: object) -> Self:
        """Answer a condition in the request; raise PreconditionFailed where it asks for another version."""
        super().make_conditional(request_or_environ)
        if self.status_code == 412:
            if not current_request().if_match.star_tag:
                self.close()
                raise PreconditionFailed
            self.status_code = 200  # any version will do, and there is one
        return self


class _NoSessions(SessionInterface):
    """Sessions where there are none: no request knows of another, so the empty one may be everybody's."""

    _empty = NullSession()

    def open_session(self, app: Flask, request: Request) -> NullSession:  # noqa: ARG002, Flask's signature
        """Return the empty session."""
        return self._empty


class _KnownPath(MapAdapter):
    """What finds the route of a request whose path has no arguments: it was found before."""

    def __init__(self, url_map: Map, rule: Rule, method: str) -> None:
        super().__init__(url_map, "", "/", "", "http", rule.rule, method)
        self._rule = rule

    def match(self, *asked: Any, **options: Any) -> Any:
        """Return the route with its arguments, none, as Flask asks for it; look for it where anything else is asked."""
        if not asked and options == {"return_rule": True}:
            return self._rule, {}
        return super().match(*asked, **options)


class LeanFlask(Flask):
    """A Flask application without sessions, hosts and asynchronous views, which looks for hooks where there are any."""

    response_class = WholeResponse
    session_interface = _NoSessions()

    @cached_property
    def _known_paths(self) -> dict[tuple[str, str], _KnownPath]:
        return {
            (rule.rule, method): _KnownPath(self.url_map, rule, method)
            for rule in self.url_map.iter_rules()
            for method in rule.methods or ()
            if not rule.arguments
        }

    def create_url_adapter(self, request: Request | None) -> MapAdapter | None:
        """Return what finds a request's route: by path and method alone, whatever its headers say of hosts.

        A path that begins with two slashes has no route, nor is it another's.
        """
        if request is None:
            return super().create_url_adapter(request)
        path = request.environ["PATH_INFO"]
        if known := self._known_paths.get((path, request.method)):
            return known
        if path.startswith("//"):
            raise NotFound
        return self.url_map.bind("", subdomain="", path_info=request.path, default_method=request.method)

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """Return a view or a hook as it is: none is asynchronous."""
        return func

    def preprocess_request(self) -> Any:
        """Call what is to be called before a request."""
        if self.before_request_funcs or self.url_value_preprocessors:
            return super().preprocess_request()
        return None

    def do_teardown_request(self, exc: BaseException | None = None) -> None:
        """Call what is to be called after a request, whatever became of it."""
        if self.teardown_request_funcs:
            super().do_teardown_request(exc)
        else:
            request_tearing_down.send(self, exc=exc)

    def make_default_options_response(self) -> Response:
        """Answer OPTIONS: no content, but the methods that the path allows."""
        methods = ", ".join(sorted(super().make_default_options_response().allow))
        response = Response(status=204, headers={"Allow": methods})
        del response.headers["Content-Type"]  # of no content
        return response
