"""The alert rules for Prometheus: each fires on the metrics of a service that has its fault."""

from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Final

import pytest
import yaml
from flask.testing import FlaskClient
from prometheus_client.parser import text_string_to_metric_families

from best_move.web.api import routes
from best_move.web.api.handling import OVERLOADED
from best_move.web.middleware import observed
from best_move.web.observability.logs import LineHandler
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


@dataclass(frozen=True)
class Fault:
    """What a service suffers from, and the alert that fires, if any."""

    alert: str | None
    failing: int = 0  # moves per minute
    rejected: int = 0  # moves per minute, because too many others wait
    slow: int = 0  # moves per minute
    dropped: int = 0  # lines of the log per minute
    is_up: bool = True  # so that Prometheus can scrape it
    free: float = 0.5  # share of /dev/shm


#  In pairs on both sides of a threshold.
FAULTS: Final = {
    "none": Fault(None),
    "0.5% of moves fail": Fault(None, failing=1),
    "2% of moves fail": Fault("BestMoveErrors", failing=4),
    "0.5% of moves are rejected": Fault(None, rejected=1),
    "2% of moves are rejected": Fault("BestMoveErrors", rejected=4),
    "0.5% of moves are slow": Fault(None, slow=1),
    "2% of moves are slow": Fault("BestMoveSlow", slow=4),
    "a line of the log is dropped per minute": Fault("BestMoveLogLinesDropped", dropped=1),
    "no worker responds": Fault("BestMoveDown", is_up=False),
    "the memory of the cache is almost full": Fault(None, free=0.12),
    "the memory of the cache is full": Fault("BestMoveCacheFull", free=0.08),
}


@pytest.fixture(scope="module")
def promtool() -> str:
    """Return Prometheus's tool."""
    return program("promtool", "PROMETHEUS_REQUIRED")


def test_promtool_accepts_the_rules(promtool: str) -> None:
    """It finds no fault in them."""
    checked = completed([promtool, "check", "rules", FILE])
    assert checked.returncode == 0, checked.stderr


def test_each_alert_has_a_fault() -> None:
    """The faults above name all alerts, and no other."""
    assert {fault.alert for fault in FAULTS.values()} == {None, *(rule["alert"] for rule in RULES)}


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


def drop_a_line() -> None:
    """Log a line to a disk that is full."""
    with (
        pytest.MonkeyPatch.context() as patch,
        Path("/dev/full").open("w", encoding="utf-8") as full,
    ):
        patch.setattr("sys.stdout", full)
        handler = LineHandler()
        handler.write("line")
        handler.close()


def metrics_of_a_minute(client: FlaskClient, fault: Fault) -> dict[str, str]:
    """Return the value of each metric and its growth per minute, with a fault."""
    scrapes = []
    for _ in range(2):  # so that the first scrape has all metrics
        for number in range(MOVES):
            with pytest.MonkeyPatch.context() as patch:
                seconds = 0.2 if number < fault.slow else 0.001
                patch.setattr(observed, "perf_counter", count(0, seconds).__next__)
                if number < fault.failing:
                    patch.setattr(routes, "consult_and_count", None)
                environ = {OVERLOADED: True} if number < fault.rejected else {}
                client.get("/best-move?board=X...O....", environ_overrides=environ)
        for _ in range(fault.dropped):
            drop_a_line()
        scrapes.append(scrape(client))
    before, after = scrapes
    return {name: f"{before.get(name, 0)}+{after[name] - before.get(name, 0)}" for name in after}


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_exactly_the_alert_of_a_fault_fires(
    promtool: str, client: FlaskClient, tmp_path: Path, fault: Fault
) -> None:
    """After twenty minutes with a fault, its alert fires and no other."""
    metrics = metrics_of_a_minute(client, fault)
    metrics[f"up{labels(TARGET)}"] = f"{fault.is_up:d}+0"
    metrics[f"node_filesystem_avail_bytes{labels(SHM)}"] = f"{fault.free}+0"
    metrics[f"node_filesystem_size_bytes{labels(SHM)}"] = "1+0"
    checks = []
    for rule in RULES:
        name = rule["alert"]
        kept = {"BestMoveDown": TARGET, "BestMoveCacheFull": SHM}  # the labels of its metric
        found = {**rule["labels"], "instance": "one:8000", **kept.get(name, {})}
        fired = {"exp_labels": found, "exp_annotations": rule["annotations"]}
        expected = [fired] if name == fault.alert else []
        checks.append({"eval_time": "20m", "alertname": name, "exp_alerts": expected})
    series = [{"series": name, "values": f"{each}x20"} for name, each in metrics.items()]
    test = {"interval": "1m", "input_series": series, "alert_rule_test": checks}
    path = tmp_path / "test.yaml"
    path.write_text(yaml.safe_dump({"rule_files": [str(FILE)], "tests": [test]}), encoding="utf-8")
    tested = completed([promtool, "test", "rules", path])
    assert tested.returncode == 0, tested.stdout + tested.stderr
