"""The alert rules for Prometheus: each fires on the metrics of a service that has its fault."""

import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from tests.processes import completed
from tests.readme import ROOT
from tests.server import Server, ask, running

FILE: Final = ROOT / "service/deploy/alerts.yaml"
RULES: Final = {
    rule["alert"]: rule
    for group in yaml.safe_load(FILE.read_text(encoding="utf-8"))["groups"]
    for rule in group["rules"]
}
INSTANCE: Final = "one:8000"
MINUTES: Final = 20

#  Serves with a clock by which each request takes the same time.
SERVE: Final = """
from itertools import count
from best_move.web.api import routes
from best_move.web.middleware import observed
observed.perf_counter = count(0, {seconds}).__next__
{change}
from best_move.__main__ import main
main(["serve"])
"""
WELL: Final = SERVE.format(seconds=0.001, change="")
SLOW: Final = SERVE.format(seconds=0.2, change="")
FAILING: Final = SERVE.format(seconds=0.001, change="routes.consult_and_count = None")


@pytest.fixture(scope="module")
def promtool() -> str:
    """Return promtool; without it skip the test, or fail it if PROMETHEUS_REQUIRED is set."""
    found = shutil.which("promtool")
    if found is None:
        if os.environ.get("PROMETHEUS_REQUIRED") == "1":
            pytest.fail("promtool is required, and not installed")
        pytest.skip("promtool is not installed")
    return found


def scrape(service: Server) -> dict[str, float]:
    """Return the value of each metric of a service, by its name and labels."""
    values = {}
    for family in text_string_to_metric_families(ask(service, "/metrics").body.decode()):
        for sample in family.samples:
            values[series(sample.name, sample.labels)] = sample.value
    return values


def series(name: str, labels: Mapping[str, str]) -> str:
    """Return a name with labels, to which Prometheus has added the job and the instance."""
    named = {**labels, "job": "best-move", "instance": INSTANCE}
    pairs = ", ".join(f'{label}="{value}"' for label, value in named.items())
    return f"{name}{{{pairs}}}"


def metrics_of(program: str) -> list[dict[str, str]]:
    """Return the metrics of a service that gets the same ten moves each minute."""
    with running(
        (sys.executable, "-c", program), WEB_CONCURRENCY="1", LOG_LEVEL="critical"
    ) as service:
        for _ in range(2):  # so that the first scrape has all metrics
            before = scrape(service)
            for _ in range(10):
                ask(service, "/best-move?board=X...O....")
        after = scrape(service)
    found = [constant(series("up", {}), 1)]
    for name, value in after.items():
        start = before.get(name, 0)
        found.append({"series": name, "values": f"{start}+{value - start}x{MINUTES}"})
    return found


def constant(name: str, value: float) -> dict[str, str]:
    """Return a metric that does not change."""
    return {"series": name, "values": f"{value}x{MINUTES}"}


def memory(available: int) -> list[dict[str, str]]:
    """Return the metrics of the Node exporter for /dev/shm."""
    label = f'{{instance="{INSTANCE}", mountpoint="/dev/shm"}}'
    return [
        constant(f"node_filesystem_avail_bytes{label}", available),
        constant(f"node_filesystem_size_bytes{label}", 2**26),
    ]


def assert_that_alerts_fire(
    promtool: str, folder: Path, metrics: list[dict[str, str]], expected: set[str]
) -> None:
    """Assert that after twenty minutes of these metrics exactly the expected alerts fire."""
    checks = []
    for name, rule in RULES.items():
        fired: dict[str, Any] = {
            "exp_labels": {**rule["labels"], "instance": INSTANCE},
            "exp_annotations": rule["annotations"],
        }
        if name == "BestMoveDown":
            fired["exp_labels"]["job"] = "best-move"
        if name == "BestMoveCacheFull":
            fired["exp_labels"]["mountpoint"] = "/dev/shm"  # noqa: S108, a label
        alerts = [fired] if name in expected else []
        checks.append({"eval_time": f"{MINUTES}m", "alertname": name, "exp_alerts": alerts})
    test = {"interval": "1m", "input_series": metrics, "alert_rule_test": checks}
    path = folder / "test.yaml"
    path.write_text(yaml.safe_dump({"rule_files": [str(FILE)], "tests": [test]}), encoding="utf-8")
    tested = completed([promtool, "test", "rules", path])
    assert tested.returncode == 0, tested.stdout + tested.stderr


def test_promtool_accepts_the_rules_and_the_metrics(promtool: str, tmp_path: Path) -> None:
    """It finds no fault in them, and none of the alerts fires while the service is well."""
    checked = completed([promtool, "check", "rules", FILE])
    assert checked.returncode == 0, checked.stderr
    metrics = metrics_of(WELL)
    assert_that_alerts_fire(promtool, tmp_path, metrics + memory(2**25), set())


@pytest.mark.parametrize(
    ("program", "alert"),
    [(FAILING, "BestMoveErrors"), (SLOW, "BestMoveSlow")],
    ids=["errors", "slow moves"],
)
def test_an_alert_fires_if_moves_fail_or_are_slow(
    promtool: str, tmp_path: Path, program: str, alert: str
) -> None:
    """The metrics are those of a service with this fault."""
    assert_that_alerts_fire(promtool, tmp_path, metrics_of(program), {alert})


def test_an_alert_fires_if_no_worker_responds(promtool: str, tmp_path: Path) -> None:
    """Prometheus sets `up` to 0 if it cannot scrape an instance."""
    metrics = [constant(series("up", {}), 0)]
    assert_that_alerts_fire(promtool, tmp_path, metrics, {"BestMoveDown"})


def test_an_alert_fires_if_the_memory_of_the_cache_is_full(promtool: str, tmp_path: Path) -> None:
    """It fires before no memory is left."""
    assert_that_alerts_fire(promtool, tmp_path, memory(2**22), {"BestMoveCacheFull"})
