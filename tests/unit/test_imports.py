"""Imports go one way; the rooms and their order are docs/architecture.md's."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from inquery.databases.engine_list import ENGINES

SOURCE = Path(__file__).parents[2] / "src" / "inquery"

# Lowest first. Rooms of one level are siblings and do not import each other.
LEVELS = [
    {"aside", "errors", "home", "lasting", "settings", "tracing"},
    {"language"},
    {"sql"},
    {"form"},
    {"databases"},
    {"store"},
    {"catalog"},
    {"knowledge", "demo"},
    {"metrics"},
    {"llm"},
    {"answers", "cache", "memory"},
    {"agents"},
    {"reports", "evals"},
    {"client"},
    {"mcp"},
    {"api"},
    {"cli"},
]
LEVEL_OF = {room: level for level, rooms in enumerate(LEVELS) for room in rooms}
ROOT = LEVELS[0]  # the package's own files, which may use each other

FILES = sorted(SOURCE.rglob("*.py"))


def room_of(file: Path) -> str:
    first = file.relative_to(SOURCE).parts[0]
    return first.removesuffix(".py")


def imported_rooms(file: Path) -> set[str]:
    rooms: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [node.module] if node.module != "inquery" else [f"inquery.{alias.name}" for alias in node.names]
        else:
            assert not (isinstance(node, ast.ImportFrom) and node.level), f"relative import in {file}"
            continue
        rooms |= {name.split(".")[1] for name in names if name.startswith("inquery.")}
    return rooms


@pytest.mark.parametrize("file", FILES, ids=lambda f: str(f.relative_to(SOURCE)))
def test_imports_go_one_way(file: Path) -> None:
    room = room_of(file)
    if room in {"__init__", "__main__"}:
        return
    assert room in LEVEL_OF, f"{room} is no room of the architecture"
    for other in imported_rooms(file) - {room}:
        assert LEVEL_OF[other] < LEVEL_OF[room] or {room, other} <= ROOT, f"{room} imports {other}"


@pytest.mark.parametrize("file", FILES, ids=lambda f: str(f.relative_to(SOURCE)))
def test_only_the_guard_mints_checked_sql(file: Path) -> None:
    if room_of(file) != "sql":
        assert "_mint" not in file.read_text("utf-8")


DRIVERS = {driver.module.partition(".")[0] for about in ENGINES.values() for driver in about.drivers}
OWN_FILES = {
    "home",
    "store",
    "memory",
    "knowledge",
    "demo",
}  # Inquery's own files and the demo generator are not user databases


@pytest.mark.parametrize("file", FILES, ids=lambda f: str(f.relative_to(SOURCE)))
def test_only_databases_touches_drivers(file: Path) -> None:
    if room_of(file) in {"databases"} | OWN_FILES:
        return
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module]
        assert not {name.split(".")[0] for name in names} & DRIVERS, f"{file} imports a driver"


def modules_after(code: str, home: Path) -> set[str]:
    """The modules that a process has loaded when it has run some code, its exit included."""
    said = home / "modules.txt"
    text = f"import atexit, pathlib, sys\natexit.register(lambda: pathlib.Path({str(said)!r}).write_text(' '.join(sys.modules)))\n"
    kept = {name: value for name, value in os.environ.items() if not name.startswith("INQUERY_")}
    environment = kept | {"INQUERY_HOME": str(home), "PYTHONPATH": str(SOURCE.parent)}
    subprocess.run([sys.executable, "-c", text + code], env=environment, capture_output=True, check=True, timeout=120)
    return {name.split(".")[0] for name in said.read_text().split()} | set(said.read_text().split())


ASK = "sys.argv = ['inquery', 'ask', 'What is the total revenue by region?']\nfrom inquery.cli import main\nmain()"
NEVER = {
    # a server's
    "fastapi", "starlette", "uvicorn", "prometheus_client", "mcp", "inquery.api", "inquery.mcp",
    # other models' and their tokenizers'
    "langchain_openai", "langchain_anthropic", "langchain_ollama", "openai", "anthropic", "tiktoken", "tokenizers", "huggingface_hub",
    "torch", "transformers", "langchain_core.language_models.chat_models",
    # other work's: migrations of a store that is up to date, pictures, reports, other engines
    "alembic", "typst", "docx", "duckdb", "psycopg", "pymysql", "inquery.answers.picture", "inquery.reports", "inquery.evals",
    # a later question's
    "inquery.agents.questions.followup",
}  # fmt: skip


def test_a_question_in_a_known_home_imports_nothing_of_servers_reports_and_other_models(tmp_path: Path) -> None:
    loaded = modules_after(ASK, tmp_path)
    assert "inquery.agents.graph" in loaded
    assert "inquery.demo.generate" in loaded  # the first process makes the demo
    again = modules_after(ASK, tmp_path)
    assert not again & (NEVER | {"inquery.demo.generate"})


def test_help_and_the_guard_import_no_store_and_no_graph(tmp_path: Path) -> None:
    heavy = {"sqlalchemy", "numpy", "langgraph", "langchain_core", "onnxruntime"}
    assert not modules_after("sys.argv = ['inquery', '--help']\nfrom inquery.cli import main\nmain()", tmp_path) & heavy
    assert not modules_after("from inquery.sql import check", tmp_path) & heavy


def test_the_records_of_engines_load_no_driver_and_no_parser(tmp_path: Path) -> None:
    loaded = modules_after("from inquery.databases.engine_list import ENGINES", tmp_path)
    assert not loaded & ((DRIVERS - {"sqlite3"}) | {"sqlglot", "inquery.databases.engines.sqlite.engine"})
