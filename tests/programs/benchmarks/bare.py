"""A bare Flask application for comparison: its one view always returns the same move."""

from flask import Flask, Response

from best_move.web.app import create_app

app = Flask(__name__)
BODY = create_app().test_client().get("/best-move?board=X...O....").data


@app.get("/bare")
@app.get("/health")
def bare() -> Response:
    """Return the same response to every request."""
    return Response(BODY, content_type="application/json")
