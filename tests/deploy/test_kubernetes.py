"""The manifests: they are valid and agree with the image and with gunicorn."""

from typing import Any

import kubernetes_validate  # type: ignore[import-untyped]  # it ships no types
import pytest
import yaml
from flask import Flask

from best_move import __version__
from best_move.web.serving.server import configuration
from best_move.web.settings import Settings
from tests.readme import ROOT, rows

DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
TEXT = (ROOT / "service/deploy/kubernetes.yaml").read_text(encoding="utf-8")
MANIFESTS: dict[str, Any] = {manifest["kind"]: manifest for manifest in yaml.safe_load_all(TEXT)}
POD = MANIFESTS["Deployment"]["spec"]["template"]["spec"]
(CONTAINER,) = POD["containers"]


@pytest.mark.parametrize("version", ["1.30", kubernetes_validate.latest_version()])
@pytest.mark.parametrize("kind", MANIFESTS)
def test_every_manifest_is_valid(kind: str, version: str) -> None:
    """The schemas are those of the oldest and the newest supported version of Kubernetes."""
    assert version.startswith(kubernetes_validate.validate(MANIFESTS[kind], version, strict=True))


@pytest.mark.parametrize("probe", ["startupProbe", "readinessProbe", "livenessProbe"])
def test_every_probe_requests_an_existing_route(app: Flask, probe: str) -> None:
    """The port is that of the image."""
    get = CONTAINER[probe]["httpGet"]
    assert app.test_client().get(get["path"]).status_code == 200
    assert {"name": get["port"], "containerPort": Settings.port} in CONTAINER["ports"]
    assert f"PORT={Settings.port}" in DOCKERFILE


def test_the_times_of_the_pod_agree_with_those_of_gunicorn() -> None:
    """A pod has time to leave rotation, for as long as a probe of it may be old, and to finish.

    Gunicorn has time to replace a hanging worker.
    """
    gunicorn = configuration(Settings())
    leaving = CONTAINER["lifecycle"]["preStop"]["sleep"]["seconds"]
    assert leaving >= CONTAINER["readinessProbe"]["periodSeconds"]
    assert leaving + gunicorn["graceful_timeout"] < POD["terminationGracePeriodSeconds"]
    liveness = CONTAINER["livenessProbe"]
    assert liveness["periodSeconds"] * liveness["failureThreshold"] > gunicorn["timeout"]


def test_the_pod_runs_as_the_user_of_the_image_without_privileges() -> None:
    """The pod's disk is read-only."""
    context = POD["securityContext"]
    assert f"\nUSER {context['runAsUser']}:{context['runAsGroup']}\n" in DOCKERFILE
    assert context["runAsNonRoot"]
    assert context["seccompProfile"] == {"type": "RuntimeDefault"}
    assert CONTAINER["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }


def test_the_image_has_the_version_of_the_service() -> None:
    """The Deployment and the label of the built image name the version."""
    assert CONTAINER["image"].rpartition(":")[2] == __version__
    assert f'image.version="{__version__}"' in DOCKERFILE


def test_the_service_accepts_the_environment_of_the_pod(monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment sets one worker per CPU of the container's limit."""
    for variable in CONTAINER["env"]:
        monkeypatch.setenv(variable["name"], variable["value"])
    config = Settings.from_environment()
    assert config.workers == int(CONTAINER["resources"]["limits"]["cpu"])


def test_the_references_of_the_manifests_resolve() -> None:
    """Every selector matches the pods of the Deployment; every named port or Deployment exists."""
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


def test_an_update_never_reduces_the_replicas() -> None:
    """A new pod is ready before an old pod is removed."""
    assert MANIFESTS["Deployment"]["spec"]["strategy"]["rollingUpdate"]["maxUnavailable"] == 0


def test_the_commands_for_kubernetes_name_the_deployment_and_its_container() -> None:
    """They set the image of the manifest, without its version, and wait for the rollout."""
    [(update, back)] = [row[1:] for row in rows("Update and go back") if row[0] == "Kubernetes"]
    deployment = f"deployment/{MANIFESTS['Deployment']['metadata']['name']}"
    image = CONTAINER["image"].rpartition(":")[0]
    wait = f"`kubectl rollout status {deployment}`"
    assert update.startswith(
        f"`kubectl set image {deployment} {CONTAINER['name']}={image}:NEW`, then {wait}"
    )
    assert back == f"`kubectl rollout undo {deployment}`, then {wait}"
