"""The best move by FastAPI, for comparison, with the service's models and responses."""

from hashlib import blake2b
from typing import Annotated

from fastapi import FastAPI, Query, Request, Response
from fastapi.responses import JSONResponse

from best_move.engine.position import IllegalMoveError, IllegalPositionError
from best_move.oracle import Answer, consult
from best_move.web.api.requests import BestMoveRequest
from best_move.web.api.responses import CACHEABLE, describe_answer, write_json

app = FastAPI()


class BestMoveQuery(BestMoveRequest, strict=False):
    """A request whose numbers and booleans are text."""


@app.get("/health")
async def get_health() -> dict[str, str]:
    """Return the status `ok`."""
    return {"status": "ok"}


@app.get("/best-move")
async def get_best_move(query: Annotated[BestMoveQuery, Query()], request: Request) -> Response:
    """Return the best move for the query, cacheable unless chance could change it."""
    answer = consult(query.question())
    if not answer.repeatable:
        return _response(answer, {"Cache-Control": "no-store"})
    response = _response(answer, {"Cache-Control": CACHEABLE})
    covered = response.body.replace(f'"elapsed_ms":{answer.elapsed_ms}'.encode(), b"")
    etag = f'W/"{blake2b(covered, digest_size=8).hexdigest()}"'
    response.headers["ETag"] = etag
    if request.headers.get("If-None-Match") == etag:
        return Response(status_code=304, headers=dict(response.headers))
    return response


@app.post("/best-move")
async def post_best_move(body: BestMoveRequest) -> Response:
    """Return the best move of the position in the body."""
    return _response(consult(body.question()), {"Cache-Control": "no-store"})


def _response(answer: Answer, headers: dict[str, str]) -> Response:
    timing = {"Server-Timing": f"search;dur={answer.elapsed_ms}"}
    return Response(
        write_json(describe_answer(answer)), headers=timing | headers, media_type="application/json"
    )


@app.exception_handler(IllegalPositionError)
@app.exception_handler(IllegalMoveError)
async def report(_: Request, error: ValueError) -> JSONResponse:
    """Return a 422 for a position that cannot occur, or a move that is illegal."""
    return JSONResponse({"detail": str(error)}, status_code=422)
