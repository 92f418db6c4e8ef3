"""Schemathesis tests the service against `openapi.yaml`: examples, fuzzing and whole games."""

import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis import Case, CheckContext, Response
from schemathesis.config import SchemathesisConfig

from best_move.oracle import Answer, Question, consult
from best_move.web.app import create_app
from tests.fuzzing import EXAMPLES
from tests.programs.openapi import FILE
from tests.readme import ROOT
from tests.web.error_judge import check_problem

SHIPPED = tomllib.loads((ROOT / "tests/schemathesis.toml").read_text(encoding="utf-8"))

#  Stricter than the published settings: a request that does not match the schema must get one of
#  these statuses, and each warning fails the run.
CONFIG = SchemathesisConfig.from_dict(
    {
        "hooks": str(ROOT / SHIPPED["hooks"]),
        "headers": {"Accept-Encoding": "identity"},  # because the test client does not decompress
        "generation": {"database": "none", "mode": "all", "max-examples": EXAMPLES // 2},
        "checks": SHIPPED["checks"]
        | {"negative_data_rejection": {"expected-statuses": [400, 413, 415]}},
        "phases": {"coverage": {"generate-duplicate-query-parameters": True}},
        "warnings": {"fail-on": True},
    }
)
schema = schemathesis.openapi.from_path(FILE, config=CONFIG)
schema.app = create_app()


@pytest.fixture(autouse=True, scope="module")
def _repeatable() -> Iterator[None]:
    """Make the oracle use the seed 0 by default, so that a failure can be replayed."""

    def repeatable(question: Question) -> Answer:
        return consult(question._replace(seed=question.seed or 0))._replace(question=question)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("best_move.oracle.consult", repeatable)
        yield


@schemathesis.check
def an_error_has_its_form(_: CheckContext, response: Response, __: Case[Any]) -> None:
    """Fail if an error does not name the field, or does not say what is expected."""
    if response.headers.get("content-type") == ["application/problem+json"]:
        check_problem(response.json())


@schema.parametrize()
@settings(deadline=None, suppress_health_check=list(HealthCheck))
def test_every_response_matches_the_openapi_document(case: Case[Any]) -> None:
    """The response to any request, valid or not, matches the OpenAPI document."""
    case.call_and_validate()


#  Games that follow the links in the OpenAPI document: the `after` of each response is the position
#  of the next request.
TestGames = schema.as_state_machine().TestCase
TestGames.settings = settings(
    max_examples=EXAMPLES // 3, stateful_step_count=12, deadline=None, database=None
)
