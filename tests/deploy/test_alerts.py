"""The alert rules for Prometheus: each fires on the metrics of a service that has its fault."""

from itertools import count
from pathlib import Path
from typing import Final

import pytest
import yaml
from flask.testing import FlaskClient
from prometheus_client.parser import text_string_to_metric_families

from best_move.web.api import routes
from best_move.web.middleware import observed
from tests.processes import completed, program
from tests.readme import ROOT

FILE: Final = ROOT / "service/deploy/alerts.yaml"
RULES: Final = [
    rule
    for group in yaml.safe_load(FILE.read_text(encoding="utf-8"))["groups"]
    for rule in group["rules"]
]
TARGET: Final = {"job": "best-move", "instance": "one:8000"}
SHM: Final = {"instance": "one:8000", "mountpoint": "/dev/shm"}  # noqa: S108, a label

MOVES: Final = 200  # per minute

#  fault -> how many moves per minute fail, how many are slow, whether Prometheus can scrape, the
#  share of /dev/shm that is free, and the alert that fires; in pairs on both sides of a threshold
FAULTS: Final = {
    "none": (0, 0, True, 0.5, None),
    "0.5% of moves fail": (1, 0, True, 0.5, None),
    "2% of moves fail": (4, 0, True, 0.5, "BestMoveErrors"),
    "0.5% of moves are slow": (0, 1, True, 0.5, None),
    "2% of moves are slow": (0, 4, True, 0.5, "BestMoveSlow"),
    "no worker responds": (0, 0, False, 0.5, "BestMoveDown"),
    "the memory of the cache is almost full": (0, 0, True, 0.12, None),
    "the memory of the cache is full": (0, 0, True, 0.08, "BestMoveCacheFull"),
}


@pytest.fixture(scope="module")
def promtool() -> str:
    """Return Prometheus's tool."""
    return program("promtool", "PROMETHEUS_REQUIRED")


def test_promtool_accepts_the_rules(promtool: str) -> None:
    """It finds no fault in them."""
    checked = completed([promtool, "check", "rules", FILE])
    assert checked.returncode == 0, checked.stderr


def scrape(client: FlaskClient) -> dict[str, float]:
    """Return the value of each metric, by its name with the labels that Prometheus gives it."""
    return {
        f"{sample.name}{labels(sample.labels | TARGET)}": sample.value
        for family in text_string_to_metric_families(client.get("/metrics").text)
        for sample in family.samples
    }


def labels(named: dict[str, str]) -> str:
    """Return labels in the notation of Prometheus."""
    pairs = ", ".join(f'{name}="{value}"' for name, value in named.items())
    return f"{{{pairs}}}"


def metrics_of_a_minute(client: FlaskClient, failing: int, slow: int) -> dict[str, str]:
    """Return the value of each metric and its growth, if so many moves fail or are slow."""
    scrapes = []
    for _ in range(2):  # so that the first scrape has all metrics
        for number in range(MOVES):
            with pytest.MonkeyPatch.context() as patch:
                seconds = 0.2 if number < slow else 0.001
                patch.setattr(observed, "perf_counter", count(0, seconds).__next__)
                if number < failing:
                    patch.setattr(routes, "consult_and_count", None)
                client.get("/best-move?board=X...O....")
        scrapes.append(scrape(client))
    before, after = scrapes
    return {name: f"{before.get(name, 0)}+{after[name] - before.get(name, 0)}" for name in after}


@pytest.mark.parametrize("fault", FAULTS)
def test_exactly_the_alert_of_a_fault_fires(
    promtool: str, client: FlaskClient, tmp_path: Path, fault: str
) -> None:
    """After twenty minutes with a fault, its alert fires and no other."""
    failing, slow, is_up, free, alert = FAULTS[fault]
    metrics = metrics_of_a_minute(client, failing, slow)
    metrics[f"up{labels(TARGET)}"] = f"{is_up:d}+0"
    metrics[f"node_filesystem_avail_bytes{labels(SHM)}"] = f"{free}+0"
    metrics[f"node_filesystem_size_bytes{labels(SHM)}"] = "1+0"
    checks = []
    for rule in RULES:
        name = rule["alert"]
        kept = {"BestMoveDown": TARGET, "BestMoveCacheFull": SHM}  # the labels of its metric
        found = {**rule["labels"], "instance": "one:8000", **kept.get(name, {})}
        fired = {"exp_labels": found, "exp_annotations": rule["annotations"]}
        expected = [fired] if name == alert else []
        checks.append({"eval_time": "20m", "alertname": name, "exp_alerts": expected})
    series = [{"series": name, "values": f"{each}x20"} for name, each in metrics.items()]
    test = {"interval": "1m", "input_series": series, "alert_rule_test": checks}
    path = tmp_path / "test.yaml"
    path.write_text(yaml.safe_dump({"rule_files": [str(FILE)], "tests": [test]}), encoding="utf-8")
    tested = completed([promtool, "test", "rules", path])
    assert tested.returncode == 0, tested.stdout + tested.stderr
