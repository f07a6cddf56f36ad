"""Rows of SQLite tables: counted where that is quick, else estimated and marked so."""

import sqlite3
from pathlib import Path

import pytest

from inquery.databases.engines.sqlite import served
from inquery.databases.engines.sqlite.engine import SqliteEngine, catalogue
from inquery.databases.registry import open_engine
from inquery.databases.transport.address import parse_address
from inquery.sql import Table


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A table numbered by another system's keys, one without rows, one without rowid, and a view."""
    made = tmp_path / "shop.sqlite"
    database = sqlite3.connect(made)
    database.executescript(
        """
        CREATE TABLE parts (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE vacant (id INTEGER PRIMARY KEY);
        CREATE TABLE pairs (a TEXT, b TEXT, PRIMARY KEY (a, b)) WITHOUT ROWID;
        CREATE VIEW listed AS SELECT name FROM parts;
        INSERT INTO parts VALUES (1200000, 'bolt'), (1200001, 'nut'), (7, 'washer');
        INSERT INTO pairs VALUES ('x', 'y'), ('x', 'z');
        """
    )
    database.commit()
    database.close()
    return made


def by_name(tables: tuple[Table, ...]) -> dict[str, tuple[int | None, bool]]:
    return {table.name: (table.estimated_rows, table.counted) for table in tables}


def test_rows_are_counted_whatever_their_numbers(path: Path) -> None:
    engine = open_engine(parse_address(str(path)))
    assert isinstance(engine, SqliteEngine)
    found = engine.introspect(lambda *_: None)
    assert by_name(found.tables) == {
        "listed": (None, False),
        "vacant": (0, True),
        "pairs": (2, True),
        "parts": (3, True),
    }
    assert [table.name for table in found.tables if table.is_empty] == ["vacant"]


def read(path: Path) -> dict[str, tuple[int | None, bool]]:
    session = served.SqliteSession(str(path))
    try:
        return by_name(catalogue(session.introspect(), "sqlite").tables)
    finally:
        session.close()


def test_without_time_to_count_the_largest_number_is_an_estimate(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(served, "_COUNT_S", -1.0)
    monkeypatch.setattr(served, "_OPCODES", 1)
    assert read(path)["parts"] == (1200001, False)


def test_what_analyze_found_is_nearer_unless_there_cannot_be_so_many(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = sqlite3.connect(path)
    database.executescript("CREATE INDEX by_name ON parts (name); ANALYZE")
    database.close()
    monkeypatch.setattr(served, "_COUNT_S", -1.0)
    monkeypatch.setattr(served, "_OPCODES", 1)
    assert read(path)["parts"] == (3, False)
    database = sqlite3.connect(path)
    database.execute("UPDATE sqlite_stat1 SET stat = '5000000 1' WHERE tbl = 'parts'")
    database.commit()
    database.close()
    assert read(path)["parts"] == (1200001, False)
