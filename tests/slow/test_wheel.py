"""The wheel of `make dist` in an empty environment: the page is served and a question answered, with the network cut."""

import json
import os
import re
import shutil
import subprocess
import sys
import urllib.request
import venv
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ALONE = ["unshare", "--user", "--map-root-user", "--net"]
"""In a network of its own, which has no way out."""


@pytest.fixture(scope="module")
def inquery(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command of an environment that holds the wheel's core and nothing else."""
    wheels = list((ROOT / "dist").glob("*.whl"))
    if not wheels:
        pytest.skip("there is no wheel: make dist")
    folder = tmp_path_factory.mktemp("empty")
    venv.create(folder, with_pip=True)
    install = [folder / "bin" / "python", "-m", "pip", "install", "--quiet", "-c", ROOT / "constraints.txt", wheels[0]]
    subprocess.run(install, check=True)
    return folder / "bin" / "inquery"


@pytest.fixture
def surroundings(tmp_path: Path) -> dict[str, str]:
    """A home of its own, nothing of this checkout, and proxies that lead nowhere where the network cannot be cut."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    nowhere = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"), "http://127.0.0.1:9")
    return {**kept, **nowhere, "INQUERY_HOME": str(tmp_path)}


def cut_off() -> list[str]:
    if shutil.which(ALONE[0]) and subprocess.run([*ALONE, "true"], capture_output=True).returncode == 0:
        return ALONE
    return []


def test_a_question_is_answered_with_the_network_cut(inquery: Path, surroundings: dict[str, str]) -> None:
    asked = [*cut_off(), inquery, "ask", "How many orders were there last month?", "--json"]
    done = subprocess.run(asked, env=surroundings, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["status"] == "answered"
    assert len(answer["rows"]) == 1
    assert int(answer["rows"][0][0]) > 0


def test_a_model_whose_client_is_missing_names_the_extra(inquery: Path, surroundings: dict[str, str]) -> None:
    chosen = {"INQUERY_LLM__PROVIDER": "openai", "INQUERY_LLM__MODEL": "m", "INQUERY_LLM__API_KEY": "k"}
    for question, words in (("How many orders are there?", "not installed"), ("有多少订单？", "未安装")):
        asked = [inquery, "ask", question]
        done = subprocess.run(asked, env=surroundings | chosen, capture_output=True, text=True, check=False)
        assert done.returncode == 1
        assert words in done.stdout + done.stderr
        assert "inquery[openai]" in done.stdout + done.stderr


@pytest.fixture
def address(inquery: Path, surroundings: dict[str, str]) -> Iterator[str]:
    serving = subprocess.Popen([inquery, "serve", "--port", "0"], env=surroundings, stdout=subprocess.PIPE, text=True)
    assert serving.stdout is not None
    found = re.search(r"http://127\.0\.0\.1:\d+", serving.stdout.readline())
    assert found
    yield found[0]
    serving.terminate()
    serving.wait(30)
    serving.stdout.close()


def test_the_page_is_served(address: str) -> None:
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(address + "/", timeout=30) as answer:
        assert '<div id="root">' in answer.read().decode()


def test_the_wheel_has_no_trace_of_this_machine(inquery: Path) -> None:
    packages = inquery.parents[1] / "lib" / f"python{sys.version_info.major}.{sys.version_info.minor}" / "site-packages"
    metadata = next(packages.glob("inquery-*.dist-info")) / "METADATA"
    assert str(ROOT) not in metadata.read_text("utf-8")
