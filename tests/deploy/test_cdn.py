"""The number of requests whose responses a cache could hold, and the README's figures based on it."""

from best_move.web.api.openapi import document
from tests.deploy.nginx import CONFIGURATION
from tests.programs.benchmarks.space import CHOICES, POSITIONS, REQUESTS, SECONDS_PER_DAY
from tests.readme import section
from tests.truth import golden


def test_every_deterministic_combination_of_fields_is_counted() -> None:
    """The values are those of the schema, except random ones, and the default is first."""
    properties = document()["components"]["schemas"]["BestMoveRequest"]["properties"]
    assert {"board", "played", "starts", "difficulty", "seed", *CHOICES} == set(properties)
    schemas = document()["components"]["schemas"]
    assert set(CHOICES["algorithm"]) == set(schemas["Algorithm"]["enum"])
    assert set(CHOICES["scoring"]) == set(schemas["Scoring"]["enum"])
    assert {*CHOICES["tie_break"], "random"} == set(schemas["TieBreak"]["enum"])
    depths = properties["max_depth"]
    assert {int(depth) for depth in CHOICES["max_depth"]} == set(
        range(depths["minimum"], depths["maximum"] + 1)
    )
    for name, choices in CHOICES.items():
        assert choices[0] == str(properties[name]["default"]).lower()


def test_the_figures_of_the_readme_follow_from_the_number_of_requests() -> None:
    """The figures are those for a cache of all responses."""
    text = " ".join(section("A CDN").text.split())
    for figure in (
        f"{POSITIONS:,} positions",
        f"{REQUESTS:,} requests",
        f"{POSITIONS / SECONDS_PER_DAY:.2f} requests per second",
        f"{REQUESTS / SECONDS_PER_DAY:.1f} requests per second",
        f"{sum(golden.PERFT):,} sequences of moves",
        f"only {sum(golden.MET_BY_PERFECT.values())} of these responses",
        f"{golden.MET_BY_PERFECT['X']} if the oracle plays X and {golden.MET_BY_PERFECT['O']} if it plays O",
        f"{3.5e6 / SECONDS_PER_DAY:.0f} per second",
    ):
        assert figure in text, figure
    assert f"all positions together need {POSITIONS * 4096 / 1e6:.0f} MB" in CONFIGURATION, (
        "a block of 4 KiB each"
    )
