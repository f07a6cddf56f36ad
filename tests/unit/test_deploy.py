"""What people deploy: every name in it exists, nothing secret is in it, and helm and systemd accept it."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import BaseModel

from inquery.settings import Settings

ROOT = Path(__file__).parents[2]
CHART = ROOT / "deploy" / "helm" / "inquery"
UNIT = ROOT / "deploy" / "systemd" / "inquery.service"
FILES = sorted(
    [ROOT / "Dockerfile", ROOT / "compose.yaml", ROOT / "docs" / "deployment.md", ROOT / "docs" / "mcp.md"]
    + [path for path in (ROOT / "deploy").rglob("*") if path.is_file()]
)
SECRET = re.compile(r"PASSWORD|SECRET|API_KEY|REDIS_URL|STORE__URL|MEMORY__URL|_KEY$")
NEEDED = {"INQUERY_STORE__URL": "postgresql://u:p@db/x", "INQUERY_MEMORY__URL": "postgresql://u:p@db/x", "INQUERY_STORE__SECRET_KEY": "k" * 44}  # fmt: skip


def variables() -> set[str]:
    """Every environment variable that is a setting."""
    names = {"INQUERY_HOME", "INQUERY_DEBUG"}
    for name, field in Settings.model_fields.items():
        group = field.annotation
        if isinstance(group, type) and issubclass(group, BaseModel):
            names |= {f"INQUERY_{name}__{inner}".upper() for inner in group.model_fields}
        else:
            names.add(f"INQUERY_{name}".upper())
    return names


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_every_setting_that_is_named_exists(file: Path) -> None:
    named = set(re.findall(r"\bINQUERY_[A-Z][A-Z_]*[A-Z]\b", file.read_text("utf-8"))) - {
        "INQUERY_PORT",
        "INQUERY_NAME",
    }
    assert named - variables() == set()


def compose() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))
    return found


def test_compose_starts_two_workers_after_what_they_share() -> None:
    services = compose()["services"]
    assert services["app"]["deploy"]["replicas"] == 2
    assert set(services["app"]["depends_on"]) == {"postgres", "redis", "milvus"}
    for name, service in services.items():
        for other, how in service.get("depends_on", {}).items():
            assert how["condition"] == "service_healthy"
            assert "healthcheck" in services[other] or "build" in services[other], f"{name} waits for {other}"
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            assert source in compose()["volumes"] or (ROOT / source).exists()


def test_compose_holds_no_secret_and_publishes_one_port_on_this_machine() -> None:
    services = compose()["services"]
    published = [port for service in services.values() for port in service.get("ports", [])]
    assert published == ["127.0.0.1:8080:8080"]
    for service in services.values():
        assert not service.get("image", "x:y").endswith(":latest")
        for name, value in service.get("environment", {}).items():
            if SECRET.search(name) and not name.endswith("_ID"):
                assert re.search(r"\$\{[A-Z_]+:[?-]", str(value)), name


def test_the_example_environment_names_what_compose_asks_for() -> None:
    asked = set(re.findall(r"\$\{([A-Z_]+):", (ROOT / "compose.yaml").read_text("utf-8")))
    lines = (ROOT / "deploy" / "env.example").read_text("utf-8").splitlines()
    offered = dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))
    assert asked == set(offered)
    assert [name for name, value in offered.items() if SECRET.search(name) and value] == []


def test_the_image_runs_as_nobody_in_particular_and_copies_what_exists() -> None:
    text = (ROOT / "Dockerfile").read_text("utf-8")
    stages = re.split(r"^FROM ", text, flags=re.MULTILINE)[1:]
    assert len(stages) == 3
    assert re.search(r"^USER 10001:10001$", stages[-1], re.MULTILINE)
    assert "HEALTHCHECK" in stages[-1]
    assert not SECRET.search(" ".join(re.findall(r"(?:ENV|ARG) (.+)", text)))
    for sources in re.findall(r"^COPY (?!--from)(.+) \S+$", text, re.MULTILINE):
        for source in sources.split():
            assert (ROOT / source).exists(), source
    ignored = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    assert ignored[0] == "**", "only what is named reaches the builder"
    extras = set(re.findall(r"'\.\[([a-z0-9,]+)\]'", text)[0].split(","))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert extras <= set(project["optional-dependencies"])


def helm(*arguments: str) -> "subprocess.CompletedProcess[str]":
    binary = shutil.which("helm") or str(Path(sys.executable).parent / "helm")
    if not Path(binary).exists():
        pytest.skip("helm is not installed")
    return subprocess.run([binary, *arguments], capture_output=True, text=True, check=False, timeout=60)


def drawn(*settings: str) -> dict[str, dict[str, Any]]:
    """What the chart makes, by kind."""
    given = [word for name, value in NEEDED.items() for word in ("--set-string", f"secrets.{name}={value}")]
    more = [word for setting in settings for word in ("--set", setting)]
    made = helm("template", "shop", str(CHART), *given, *more)
    assert made.returncode == 0, made.stderr
    return {document["kind"]: document for document in yaml.safe_load_all(made.stdout) if document}


def test_the_chart_is_accepted_and_asks_for_its_secrets() -> None:
    given = [word for name, value in NEEDED.items() for word in ("--set-string", f"secrets.{name}={value}")]
    assert helm("lint", "--strict", str(CHART), *given).returncode == 0
    missing = helm("template", "shop", str(CHART))
    assert missing.returncode != 0
    assert "INQUERY_STORE__URL is needed" in missing.stderr


def test_a_pod_is_locked_down_probed_and_given_time_to_end() -> None:
    made = drawn()
    pod = made["Deployment"]["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert container["securityContext"]["readOnlyRootFilesystem"] is True
    assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}
    assert container["livenessProbe"]["httpGet"]["path"] == "/health/live"
    assert container["readinessProbe"]["httpGet"]["path"] == "/health/ready"
    drain = int(made["ConfigMap"]["data"]["INQUERY_SERVER__DRAIN_S"])
    waits = int(container["lifecycle"]["preStop"]["exec"]["command"][1])
    assert pod["terminationGracePeriodSeconds"] > drain + waits
    assert container["ports"][0]["containerPort"] == int(made["ConfigMap"]["data"]["INQUERY_SERVER__PORT"])


def test_service_budget_and_scaling_mean_the_same_pods() -> None:
    made = drawn("ingress.enabled=true", "ingress.tlsSecret=tls", "home.create=true")
    labels = made["Deployment"]["spec"]["template"]["metadata"]["labels"]
    name = made["Deployment"]["metadata"]["name"]
    for selector in (
        made["Service"]["spec"]["selector"],
        made["PodDisruptionBudget"]["spec"]["selector"]["matchLabels"],
        made["Deployment"]["spec"]["selector"]["matchLabels"],
    ):
        assert selector.items() <= labels.items()
    assert made["HorizontalPodAutoscaler"]["spec"]["scaleTargetRef"]["name"] == name
    backend = made["Ingress"]["spec"]["rules"][0]["http"]["paths"][0]["backend"]["service"]
    assert backend == {"name": made["Service"]["metadata"]["name"], "port": {"name": "http"}}
    assert made["PersistentVolumeClaim"]["metadata"]["name"] in str(made["Deployment"]["spec"]["template"]["spec"])


def test_secrets_are_in_the_secret_alone_and_another_can_be_named() -> None:
    made = drawn()
    assert not any(SECRET.search(name) for name in made["ConfigMap"]["data"])
    assert NEEDED["INQUERY_STORE__SECRET_KEY"] in made["Secret"]["stringData"].values()
    assert "Ingress" not in made
    own = drawn("existingSecret=mine", "autoscaling.enabled=false", "replicaCount=3")
    assert "Secret" not in own
    assert "'name': 'mine'" in str(own["Deployment"])
    assert own["Deployment"]["spec"]["replicas"] == 3


def test_systemd_accepts_the_unit(tmp_path: Path) -> None:
    analyse = shutil.which("systemd-analyze")
    if analyse is None:
        pytest.skip("systemd-analyze is not installed")
    unit = tmp_path / UNIT.name
    text = UNIT.read_text("utf-8")
    unit.write_text(text.replace("/opt/inquery/bin/inquery", sys.executable))
    verified = subprocess.run([analyse, "verify", str(unit)], capture_output=True, text=True, check=False, timeout=60)
    assert [line for line in verified.stderr.splitlines() if unit.name in line] == []
    drain = int(re.findall(r"INQUERY_SERVER__DRAIN_S=(\d+)", text)[0])
    assert int(re.findall(r"TimeoutStopSec=(\d+)", text)[0]) > drain
