"""The WSGI application, put together."""

from flask import Flask, Request, Response
from flask.sessions import NullSession, SessionInterface
from werkzeug.exceptions import NotFound
from werkzeug.routing import MapAdapter

from service.web import answers, mcp, middleware, pages, pictures, routes
from service.web.settings import Settings


class _NoSessions(SessionInterface):
    """Sessions where there are none: no request knows of another, so the empty one may be everybody's."""

    _empty = NullSession()

    def open_session(self, app: Flask, request: Request) -> NullSession:  # noqa: ARG002, Flask's signature
        """Return the empty session."""
        return self._empty


class _Application(Flask):
    response_class = answers.WholeResponse
    session_interface = _NoSessions()

    def create_url_adapter(self, request: Request | None) -> MapAdapter | None:
        """Return what finds a request's route: by path and method alone, whatever its headers say of hosts.

        A path that begins with two slashes has no route, nor is it another's.
        """
        if request is None:
            return super().create_url_adapter(request)
        if request.environ["PATH_INFO"].startswith("//"):
            raise NotFound
        return self.url_map.bind("", subdomain="", path_info=request.path, default_method=request.method)

    def make_default_options_response(self) -> Response:
        """Answer OPTIONS: no content, but the methods that the path allows."""
        methods = ", ".join(sorted(super().make_default_options_response().allow))
        response = Response(status=204, headers={"Allow": methods})
        del response.headers["Content-Type"]  # of no content
        return response


def create_app(settings: Settings | None = None) -> Flask:
    """Return the WSGI application; without settings, those of the environment hold."""
    settings = settings or Settings.from_environment()
    app = _Application(__name__, static_folder=None)
    app.url_map.merge_slashes = False  # a doubled slash is no such path, not a redirect
    app.register_blueprint(routes.routes)
    app.register_blueprint(pictures.pictures)
    app.register_blueprint(mcp.mcp(settings.cors_origins))
    app.register_blueprint(pages.pages)
    app.register_error_handler(Exception, answers.write_problem)
    paths = [*(rule.rule for rule in app.url_map.iter_rules()), pages.FILES]
    with_files = pages.with_files(app.wsgi_app)
    app.wsgi_app = middleware.around(with_files, paths, settings.cors_origins)  # type: ignore[assignment, method-assign]
    return app
