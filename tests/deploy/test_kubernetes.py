"""The manifests: they are valid, they fit the image and gunicorn, and they fit one another."""

import json
from pathlib import Path
from typing import Any

import kubernetes_validate  # type: ignore[import-untyped]  # it ships no types
import pytest
import yaml
from flask import Flask

from best_move import __version__
from best_move.web.serving.server import configuration
from best_move.web.settings import Settings

ROOT = Path(__file__).parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
TEXT = (ROOT / "service/deploy/kubernetes.yaml").read_text(encoding="utf-8")
MANIFESTS: dict[str, Any] = {manifest["kind"]: manifest for manifest in yaml.safe_load_all(TEXT)}
POD = MANIFESTS["Deployment"]["spec"]["template"]["spec"]
(CONTAINER,) = POD["containers"]


@pytest.mark.parametrize("version", ["1.30", kubernetes_validate.latest_version()])
@pytest.mark.parametrize("kind", MANIFESTS)
def test_every_manifest_is_valid(kind: str, version: str) -> None:
    """Each manifest fits the schema of the oldest Kubernetes that it is for and of the newest, to the last name."""
    assert version.startswith(kubernetes_validate.validate(MANIFESTS[kind], version, strict=True))


def test_a_misspelled_manifest_would_be_rejected() -> None:
    """The schema does look: one letter less, deep inside, and the manifest is invalid."""
    text = json.dumps(MANIFESTS["Deployment"]).replace("readOnlyRootFilesystem", "readOnlyRootFilesytem")
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(json.loads(text), "1.30", strict=True)


@pytest.mark.parametrize("probe", ["startupProbe", "readinessProbe", "livenessProbe"])
def test_every_probe_asks_for_a_path_that_there_is(app: Flask, probe: str) -> None:
    """Each probe asks a route of the service at the port of the image."""
    get = CONTAINER[probe]["httpGet"]
    assert app.test_client().get(get["path"]).status_code == 200
    assert {"name": get["port"], "containerPort": Settings.port} in CONTAINER["ports"]
    assert f"PORT={Settings.port}" in DOCKERFILE


def test_the_times_fit_those_of_gunicorn() -> None:
    """A pod has time to leave the rotation and to end its requests, and gunicorn has time to replace a worker."""
    gunicorn = configuration(Settings())
    leaving = CONTAINER["lifecycle"]["preStop"]["sleep"]["seconds"]
    assert leaving + gunicorn["graceful_timeout"] < POD["terminationGracePeriodSeconds"]
    liveness = CONTAINER["livenessProbe"]
    assert liveness["periodSeconds"] * liveness["failureThreshold"] > gunicorn["timeout"]


def test_the_pod_is_locked_down_as_the_image_is() -> None:
    """It runs as the image's user, without privileges, on a disk that it cannot write to."""
    context = POD["securityContext"]
    assert f"\nUSER {context['runAsUser']}:{context['runAsGroup']}\n" in DOCKERFILE
    assert context["runAsNonRoot"]
    assert context["seccompProfile"] == {"type": "RuntimeDefault"}
    assert CONTAINER["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }


def test_the_image_is_of_this_version() -> None:
    """The image that the Deployment names, and the label of the one that is built, have the version of the service."""
    assert CONTAINER["image"].rpartition(":")[2] == __version__
    assert f'image.version="{__version__}"' in DOCKERFILE


def test_the_environment_of_the_pod_is_accepted() -> None:
    """The service takes the variables of the container: a worker for each core that it may use."""
    config = Settings.from_environment({variable["name"]: variable["value"] for variable in CONTAINER["env"]})
    assert config.workers == int(CONTAINER["resources"]["limits"]["cpu"])


def test_the_manifests_name_one_another() -> None:
    """What selects pods selects those of the Deployment, and what names a port or the Deployment finds it."""
    deployment, service = MANIFESTS["Deployment"], MANIFESTS["Service"]
    labels = deployment["spec"]["template"]["metadata"]["labels"]
    assert deployment["spec"]["selector"]["matchLabels"] == labels
    assert POD["topologySpreadConstraints"][0]["labelSelector"]["matchLabels"] == labels
    assert service["spec"]["selector"] == labels
    assert MANIFESTS["PodDisruptionBudget"]["spec"]["selector"]["matchLabels"] == labels
    assert service["spec"]["ports"][0]["targetPort"] == CONTAINER["ports"][0]["name"]
    scaled = MANIFESTS["HorizontalPodAutoscaler"]["spec"]["scaleTargetRef"]
    assert scaled == {
        "apiVersion": deployment["apiVersion"],
        "kind": "Deployment",
        "name": deployment["metadata"]["name"],
    }
    assert "replicas" not in deployment["spec"], "the autoscaler's to say"


def test_no_update_takes_a_replica_away() -> None:
    """A new pod is ready before an old one goes."""
    assert MANIFESTS["Deployment"]["spec"]["strategy"]["rollingUpdate"]["maxUnavailable"] == 0
