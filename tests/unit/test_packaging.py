"""What installing brings: no heavy package in the core, every extra that is named exists, the page in both archives."""

import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from inquery.api import web_page as page
from inquery.cli.doctor import CLIENTS
from inquery.databases.registry import ENGINES

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
TEST_TOOLS = {"pytest", "mypy", "ruff", "hypothesis", "schemathesis", "playwright", "langgraph-cli", "build"}
HEAVY = {"torch", "transformers", "chdb", "pyarrow", "pandas", "paramiko", "grpcio", "llvmlite", "scipy"}
HUB_CLIENTS = {"tokenizers", "huggingface-hub", "hf-xet", "fsspec", "hf-transfer"}
MODEL_CLIENTS = {"openai", "anthropic", "ollama", "langchain-openai", "langchain-anthropic", "langchain-ollama"}


def brought_by(wanted: list[str]) -> set[str]:
    """Every package that these requirements bring, theirs included, as far as they are installed here."""
    found: set[str] = set()
    looked_at: set[tuple[str, str]] = set()
    waiting = [(Requirement(line), "") for line in wanted]
    while waiting:
        asked, extra = waiting.pop()
        if asked.marker is not None and not asked.marker.evaluate({"extra": extra}):
            continue
        name = canonicalize_name(asked.name)
        for part in ("", *asked.extras):
            if (name, part) in looked_at:
                continue
            looked_at.add((name, part))
            if name == "inquery":  # of this tree, whatever is installed
                lines = EXTRAS[part] if part else PROJECT["dependencies"]
            else:
                found.add(name)
                try:
                    lines = requires(name) or []
                except PackageNotFoundError:
                    lines = []
            waiting += [(Requirement(line), part) for line in lines]
    return found


def test_the_core_has_nothing_heavy_and_no_client_of_a_model() -> None:
    core = brought_by(["inquery"])
    assert {"langgraph", "onnxruntime", "pydantic-core"} <= core, "the walk reaches what is brought indirectly"
    assert core & (HEAVY | TEST_TOOLS | MODEL_CLIENTS | HUB_CLIENTS) == set()


def test_the_first_run_has_what_the_page_offers_and_no_tool_of_development() -> None:
    first = brought_by(["inquery[page]"])
    assert {"openai", "duckdb", "openpyxl", "python-docx", "typst", "mcp"} <= first
    assert first & (HEAVY | TEST_TOOLS | HUB_CLIENTS) == set()
    recipe = (ROOT / "Makefile").read_text("utf-8").split("$(RUNS): ")[1].split("\n\n")[0]
    assert "$(call install,page)" in recipe


def test_development_has_all_that_running_has() -> None:
    assert brought_by(["inquery[page]"]) <= brought_by(["inquery[dev]"])


def test_every_extra_that_a_message_names_exists() -> None:
    source = "\n".join(path.read_text("utf-8") for path in (ROOT / "src").rglob("*.py"))
    named = (
        set(re.findall(r'MissingDriver\(.*extra="([a-z]+)"', source))
        | {known.extra for known in ENGINES.values()}
        | set(CLIENTS)
    )
    assert {"openai", "ssh", "chdb", "reports"} <= named
    assert named - {""} - set(EXTRAS) == set()


@pytest.mark.parametrize("file", ["Dockerfile", "README.md", "docs/deployment.md", "docs/connecting.md", "docs/mcp.md"])
def test_every_extra_that_people_are_told_of_exists(file: str) -> None:
    text = (ROOT / file).read_text("utf-8")
    told = {name for group in re.findall(r"(?:inquery|'\.)\[([a-z,]+)\]", text) for name in group.split(",")}
    assert told
    assert told - set(EXTRAS) == set()


@pytest.fixture(scope="module")
def small_tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """This tree with a page and without the weights, which take all the time of a build."""
    pytest.importorskip("build", reason="needs the development environment: make env")
    tree = tmp_path_factory.mktemp("tree")
    for name in ("pyproject.toml", "README.md", "CHANGELOG.md", "LICENSE", "NOTICE", "constraints.txt", ".gitignore"):
        shutil.copy(ROOT / name, tree / name)
    ignored = shutil.ignore_patterns("__pycache__", "web_dist", "weights*")
    shutil.copytree(ROOT / "src", tree / "src", ignore=ignored)
    for folder in ("web/src", "tests", "docs"):  # what an sdist pattern without an anchor would take along
        (tree / folder).mkdir(parents=True)
        (tree / folder / "README.md").write_text("not of the package")
    built = tree / "src" / "inquery" / "web_dist" / "assets"
    built.mkdir(parents=True)
    (built.parent / "index.html").write_text("<title>Inquery</title>")
    (built / "app.js").write_text("")
    return tree


def test_the_wheel_that_is_built_from_the_sdist_has_the_page(small_tree: Path) -> None:
    subprocess.run([sys.executable, "-m", "build", "--no-isolation"], cwd=small_tree, check=True, capture_output=True)
    (sdist,) = (small_tree / "dist").glob("*.tar.gz")
    (wheel,) = (small_tree / "dist").glob("*.whl")
    with tarfile.open(sdist) as archive:
        source = {name.partition("/")[2] for name in archive.getnames()}
    with zipfile.ZipFile(wheel) as packed:
        package = set(packed.namelist())
    for file in ("web_dist/index.html", "web_dist/assets/app.js", "py.typed"):
        assert f"src/inquery/{file}" in source
        assert f"inquery/{file}" in package
    assert {name.split("/")[0] for name in source} <= {
        "src", "pyproject.toml", "README.md", "CHANGELOG.md", "LICENSE", "NOTICE", "constraints.txt", ".gitignore",
        "PKG-INFO",
    }  # fmt: skip
    assert {name.split("/")[0] for name in package} == {"inquery", f"inquery-{PROJECT['version']}.dist-info"}


@pytest.mark.parametrize(("clone", "advice"), [(True, "make web"), (False, "wheel")])
def test_a_missing_page_says_what_to_do_in_both_languages(clone: bool, advice: str, tmp_path: Path) -> None:
    if clone:
        (tmp_path / "web").mkdir()
        (tmp_path / "web" / "package.json").touch()
    app = FastAPI()
    page.install(app, tmp_path / "src" / "inquery" / "web_dist")
    text = TestClient(app).get("/").text
    assert text.count(advice) == 2
    assert ("make" in text) is clone
    assert "API 说明" in text
