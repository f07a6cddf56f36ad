"""DuckDB beyond the contract: files that cannot be opened, parameters, names, processes that will not stop."""

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from inquery.databases.engine import Limits, no_progress
from inquery.databases.engines.duckdb.engine import DuckdbEngine, DuckdbSession
from inquery.databases.engines.duckdb.served import classify
from inquery.databases.engines.duckdb.spilling import spill_folder
from inquery.databases.registry import open_engine
from inquery.databases.transport.address import parse_address
from inquery.errors import (
    BadConnectionUrl,
    ConnectFailed,
    ConnectionLost,
    NotADatabase,
    PermissionDenied,
    QueryTimeout,
    ReadOnlyViolation,
    ResultTooLarge,
)
from inquery.sql.policy import _mint


def make(path: Path, *statements: str) -> Path:
    with duckdb.connect(str(path)) as db:
        for statement in statements:
            db.execute(statement)
    return path


def engine_for(path: Path, query: str = "") -> DuckdbEngine:
    engine = open_engine(parse_address(f"duckdb:///{path}{query}"))
    assert isinstance(engine, DuckdbEngine)
    return engine


@pytest.fixture
def engine(tmp_path: Path) -> DuckdbEngine:
    return engine_for(make(tmp_path / "a.duckdb", "CREATE TABLE t AS SELECT 1 AS n"))


@pytest.fixture
def session(engine: DuckdbEngine) -> Iterator[DuckdbSession]:
    opened = engine.open()
    yield opened
    engine.close(opened)


def rows(engine: DuckdbEngine, session: DuckdbSession, text: str, **limits: Any) -> list[tuple[Any, ...]]:
    batches = engine.stream(session, _mint(text, dialect="duckdb"), Limits(**limits))
    return [row for batch in batches for row in batch.rows]


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "x.duckdb").write_bytes(b"hello" * 1000)
    with pytest.raises(NotADatabase) as caught:
        engine_for(tmp_path / "x.duckdb").open()
    assert "x.duckdb" in caught.value.public_message("zh")
    assert str(tmp_path) not in caught.value.public_message("en")


def test_a_folder_is_no_database(tmp_path: Path) -> None:
    with pytest.raises(NotADatabase):
        engine_for(tmp_path)


def test_a_file_somebody_writes(tmp_path: Path) -> None:
    path = make(tmp_path / "a.duckdb", "CREATE TABLE t (n INTEGER)")
    with duckdb.connect(str(path)), pytest.raises(ConnectFailed) as caught:
        engine_for(path).open()
    assert "写入" in caught.value.public_message("zh")


@pytest.mark.parametrize("query", ["?memory_limit=lots", "?threads=many", "?threads=1000", "?access_mode=READ_WRITE"])
def test_parameters_are_checked(tmp_path: Path, query: str) -> None:
    path = make(tmp_path / "a.duckdb")
    with pytest.raises(BadConnectionUrl):
        engine_for(path, query)


def test_a_schema_with_the_name_of_the_file(tmp_path: Path) -> None:
    path = make(
        tmp_path / "shop.duckdb", "CREATE SCHEMA shop", "CREATE TABLE shop.shop.t (n INTEGER)", "CREATE TABLE u (n INT)"
    )
    catalog = engine_for(path).introspect(no_progress)
    assert [t.path for t in catalog.tables] == [("shop", "main", "u"), ("shop", "shop", "t")]
    assert catalog.default_schema == ("shop", "main")


def test_one_opcode_cannot_outlive_its_limit(engine: DuckdbEngine, session: DuckdbSession) -> None:
    started = time.monotonic()
    with pytest.raises(QueryTimeout):
        rows(engine, session, "SELECT levenshtein(repeat('a', 300000), repeat('b', 300000))", timeout_s=0.5)
    assert time.monotonic() - started < 10
    with pytest.raises(ConnectionLost):
        engine.reset(session)


def test_memory_is_bounded(tmp_path: Path) -> None:
    engine = engine_for(make(tmp_path / "a.duckdb"), "?memory_limit=100MB&threads=1")
    session = engine.open()
    try:
        with pytest.raises(ResultTooLarge):
            rows(engine, session, "SELECT len(list(i)) FROM range(300000000) AS r(i)")
    finally:
        engine.close(session)


def test_nothing_is_spilled_next_to_the_file(engine: DuckdbEngine, session: DuckdbSession, tmp_path: Path) -> None:
    assert rows(engine, session, "SELECT n FROM t") == [(1,)]
    assert [p.name for p in tmp_path.iterdir()] == ["a.duckdb"]
    engine.close(session)
    assert not spill_folder(session.process.pid).exists()


def test_the_process_holds_no_secrets(engine: DuckdbEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INQUERY_LLM__API_KEY", "canary")
    session = engine.open()
    try:
        environment = Path(f"/proc/{session.process.pid}/environ").read_bytes()
    finally:
        engine.close(session)
    assert b"canary" not in environment


def test_a_closed_session_leaves_no_process(engine: DuckdbEngine) -> None:
    session = engine.open()
    pid = session.process.pid
    engine.close(session)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SELECT * FROM read_csv('/etc/passwd')", PermissionDenied),
        ("SELECT 1; SELECT 2", ReadOnlyViolation),
        ("PRAGMA database_list", ReadOnlyViolation),
    ],
)
def test_refusals(engine: DuckdbEngine, session: DuckdbSession, text: str, expected: type[Exception]) -> None:
    with pytest.raises(expected):
        rows(engine, session, text)


def test_wide_values_come_whole(engine: DuckdbEngine, session: DuckdbSession) -> None:
    text = "SELECT 170141183460469231731687303715884105727::HUGEINT, {'a': [1, 2]}, uuid()::VARCHAR IS NOT NULL, INTERVAL 3 DAY"
    assert rows(engine, session, text) == [(2**127 - 1, {"a": [1, 2]}, True, "3 days 00:00:00")]


def test_an_error_of_the_driver_is_mapped(engine: DuckdbEngine) -> None:
    with duckdb.connect() as db, pytest.raises(duckdb.Error) as caught:
        db.execute("SELEC 1")
    assert engine.classify(caught.value).code == classify(caught.value).code == "sql_syntax"
