"""The counts of requests, searches, problems and tool calls, each with its labels."""

from time import perf_counter

import pytest
from flask.testing import FlaskClient

from best_move.web.api.problem_types import ProblemType
from tests.web.chatbots.messages import message
from tests.web.conftest import Count


@pytest.mark.parametrize(
    ("path", "route", "code"),
    [("/best-move?board=bad", "/best-move", "invalid_request"), ("/nowhere", "other", "not_found")],
)
@pytest.mark.parametrize("accept", ["*/*", "text/html"])
def test_a_problem_is_counted(
    client: FlaskClient, count: Count, path: str, route: str, code: str, accept: str
) -> None:
    """A problem is counted once under its route and code, even if a browser gets a page instead."""
    before = count("best_move_problems_total", route=route, code=code)
    client.get(path, headers={"Accept": accept})
    assert count("best_move_problems_total", route=route, code=code) == before + 1
    assert code in {kind.code for kind in ProblemType}


@pytest.mark.parametrize(
    ("tool", "arguments", "label", "result"),
    [
        ("best_move", {"played": [0], "starts": "X"}, "best_move", "ok"),
        ("best_move", {"played": [0, 0], "starts": "X"}, "best_move", "error"),
        ("judge_move", {"played": [0, 4], "starts": "X", "player": "O"}, "judge_move", "ok"),
        ("a tool that a client makes up", {}, "other", "error"),
    ],
)
def test_a_tool_call_is_counted(
    client: FlaskClient,
    count: Count,
    tool: str,
    arguments: dict[str, object],
    label: str,
    result: str,
) -> None:
    """A tool call is counted by tool and by result; unknown tools share one label."""
    before = count("best_move_tool_calls_total", tool=label, result=result)
    client.post("/mcp", json=message("tools/call", {"name": tool, "arguments": arguments}))
    client.post("/mcp", json=message("tools/list"))
    assert count("best_move_tool_calls_total", tool=label, result=result) == before + 1


def test_an_error_of_json_rpc_is_counted_as_a_problem(client: FlaskClient, count: Count) -> None:
    """The code of the problem contains the code of the JSON-RPC error."""
    labels = {"route": "/mcp", "code": "json_rpc_-32601"}
    before = count("best_move_problems_total", **labels)
    client.post("/mcp", json=message("tools/brew"))
    assert count("best_move_problems_total", **labels) == before + 1


@pytest.mark.parametrize(
    "method", ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "BREW"]
)
def test_each_method_is_counted_by_its_name(client: FlaskClient, count: Count, method: str) -> None:
    """Each known method of HTTP has its own label, and all unknown methods share one."""
    label = "other" if method == "BREW" else method
    status = "200" if method in {"GET", "HEAD", "OPTIONS"} else "405"
    labels = {"route": "/health", "method": label, "status": status}
    before = count("best_move_requests_total", **labels)
    client.open("/health", method=method)
    assert count("best_move_requests_total", **labels) == before + 1


def test_the_time_of_a_request_is_counted(client: FlaskClient, count: Count) -> None:
    """The sum of times grows by more than the search took, and by less than the whole request."""
    before = count("best_move_request_seconds_sum", route="/best-move")
    start = perf_counter()
    found = client.get("/best-move?board=.........&algorithm=minimax").get_json()
    most = perf_counter() - start
    assert (
        found["elapsed_ms"] / 1000
        < count("best_move_request_seconds_sum", route="/best-move") - before
        < most
    )
