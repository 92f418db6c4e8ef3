"""What hosts of chat models and importers need of the OpenAPI document: they read half of it."""

import re

from flask.testing import FlaskClient

from tests.programs.openapi import FILE, QUERIES, operations, parsed, resolved

DOCUMENT = parsed(FILE.read_text(encoding="utf-8"))


def test_every_operation_has_its_parameters_in_full() -> None:
    """Importers that ignore references find the fields of the request, in their order."""
    for path, method, operation in operations(DOCUMENT):
        names = [parameter.get("name") for parameter in operation.get("parameters", ())]
        expected = QUERIES[path].model_fields if method == "get" and path in QUERIES else ()
        assert names == [*expected], f"{method.upper()} {path}"


def test_the_texts_are_within_the_limits_of_gpt_actions() -> None:
    """The texts of operations and parameters are at most as long as GPT actions allow."""
    for _, _, operation in operations(DOCUMENT):
        assert max(len(operation["summary"]), len(operation["description"])) <= 300, operation
        for parameter in operation.get("parameters", ()):
            assert len(parameter["description"]) <= 700, parameter


def test_each_text_of_an_operation_is_true_alone() -> None:
    """It says what the operation does and of which game, and refers to no other text.

    Hosts show a model the summary alone or the description alone.
    """
    texts = []
    for _, _, operation in operations(DOCUMENT):
        summary, description = operation["summary"], operation["description"]
        assert re.match("(Get|Find|Review|Check|Send) ", summary), summary
        assert description.startswith("Returns "), description
        for text in (summary, description):
            first, _, _ = text.partition(". ")
            assert "tic-tac-toe" in first, text
            assert not re.search(r"\b(GET|POST|this document|above|below)\b", text), text
        texts += [summary, description]
    assert len({*texts}) == len(texts), "Each text is that of one operation."


def test_the_examples_of_required_parameters_are_a_request(client: FlaskClient) -> None:
    """The first request that an importer builds from them gets a 200."""
    for path, method, operation in operations(DOCUMENT):
        if method != "get":
            continue
        query = {}
        for parameter in operation.get("parameters", ()):
            if parameter["required"]:
                schema = resolved(DOCUMENT, parameter["schema"])
                (example,) = schema.get("examples") or [parameter.get("example")]
                assert example, f"GET {path} has no example of {parameter['name']}."
                query[parameter["name"]] = (
                    ",".join(map(str, example)) if isinstance(example, list) else example
                )
        response = client.get(path, query_string=query)
        assert response.status_code == 200, response.text


def test_no_operation_asks_the_user_of_a_gpt_for_consent() -> None:
    """No POST has consequences, because the service stores nothing; a GET is never asked for."""
    asking = [
        path
        for path, method, operation in operations(DOCUMENT)
        if method == "post" and operation.get("x-openai-isConsequential") is not False
    ]
    assert not asking, "Write `x-openai-isConsequential: false`."
