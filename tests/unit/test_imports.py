"""Imports go one way; the rooms and their order are docs/architecture.md's."""

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "inquery"

# Lowest first. Rooms of one level are siblings and do not import each other.
LEVELS = [
    {"errors", "home", "settings"},
    {"sql"},
    {"databases"},
    {"store"},
    {"catalog"},
    {"knowledge"},
    {"llm"},
    {"answers", "cache", "memory"},
    {"agents"},
    {"reports", "evals"},
    {"client"},
    {"api", "cli", "mcp"},
]
LEVEL_OF = {room: level for level, rooms in enumerate(LEVELS) for room in rooms}
# The demo writes its own file and is read by the doors; it may use anything up to knowledge.
LEVEL_OF["demo"] = LEVEL_OF["knowledge"]

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
        assert LEVEL_OF[other] < LEVEL_OF[room] or {room, other} == {"errors", "settings"}, f"{room} imports {other}"


@pytest.mark.parametrize("file", FILES, ids=lambda f: str(f.relative_to(SOURCE)))
def test_only_the_guard_mints_checked_sql(file: Path) -> None:
    if file.parent.name != "sql":
        assert "_mint" not in file.read_text("utf-8")


DRIVERS = {
    "sqlite3", "psycopg", "pymysql", "duckdb", "clickhouse_connect", "chdb", "oracledb", "snowflake", "google",
    "pytds", "trino",
}  # fmt: skip
OWN_FILES = {
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
