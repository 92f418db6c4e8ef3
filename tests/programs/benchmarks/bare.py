"""A bare Flask application for comparison: its one view returns constant JSON."""

from flask import Flask, Response

app = Flask(__name__)
BODY = (
    b'{"move":1,"value":0.0,"outcome":"draw","distance":7,"optimal":true,"reason":"side",'
    b'"text":"X plays the top side. With best play by both sides the game ends in a draw.",'
    b'"principal_variation":[1,2,6,3,5,7,8],"nodes":871,"algorithm":"alphabeta",'
    b'"scoring":"distance","max_depth":9,'
    b'"difficulty":"perfect","tie_break":"first",'
    b'"position":{"board":"X...O....","starts":"X","to_move":"X",'
    b'"status":"in_progress","winning_line":[]},'
    b'"after":{"board":"XX..O....","starts":"X","to_move":"O",'
    b'"status":"in_progress","winning_line":[]},'
    b'"elapsed_ms":0.006}\n'
)


@app.get("/bare")
@app.get("/health")
def bare() -> Response:
    """Return the same response to every request."""
    return Response(BODY, content_type="application/json")
