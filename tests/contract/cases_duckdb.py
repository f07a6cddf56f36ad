"""DuckDB under the contract."""

import hashlib
import os
import signal
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, ClassVar

import pytest
from tests.contract.case import NUMBERS, EngineCase, TableSpec
from tests.contract.cases_sqlite import _holders, _is_busy

from inquery.databases.transport.address import parse_address


class DuckdbCase(EngineCase):
    name = "duckdb"
    dialect = "duckdb"
    types: ClassVar[Mapping[str, str]] = {
        "integer": "INTEGER", "bigint": "BIGINT", "real": "DOUBLE", "decimal": "DECIMAL(12,2)", "text": "VARCHAR",
        "boolean": "BOOLEAN", "date": "DATE", "datetime": "TIMESTAMP", "blob": "BLOB",
    }  # fmt: skip
    endless_sql = "SELECT count(*) FROM range(1000000000000) AS r(i) WHERE i % 7 = 3"
    session_changes = (
        "SET schema = 'information_schema'",
        "CREATE TEMP TABLE left_behind (id INTEGER)",
        "CREATE TEMP MACRO left_behind(a) AS a + 1",
        "SET TimeZone = 'Asia/Shanghai'",
        "SET VARIABLE left_behind = 7",
        "PREPARE left_behind AS SELECT 1",
        "BEGIN",
        "ATTACH ':memory:' AS left_behind",
    )
    session_probe_sql = (
        "SELECT current_schema(), current_setting('TimeZone'), getvariable('left_behind'), "
        "(SELECT count(*) FROM duckdb_tables() WHERE temporary), (SELECT count(*) FROM duckdb_databases())"
    )
    gaps: ClassVar[Mapping[str, str]] = {
        "test_cyclic_foreign_keys_are_all_found": "DuckDB has no ALTER TABLE ADD FOREIGN KEY, so no cycles",
    }

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def make_database(self, tables: Sequence[TableSpec] = ()) -> str:
        path = self.folder / f"资料 {next(NUMBERS)}.duckdb"
        with closing(_admin(path)) as db:
            for table in tables:
                self._make(db, table)
        return str(path)

    def _make(self, db: Any, table: TableSpec) -> None:
        name = self.quote(table.name)
        db.execute(self.create_sql(table))
        db.execute(f"COMMENT ON TABLE {name} IS '{table.comment}'")
        for column in table.columns:
            if column.comment:
                db.execute(f"COMMENT ON COLUMN {name}.{self.quote(column.name)} IS '{column.comment}'")
        if table.rows:
            db.executemany(f"INSERT INTO {name} VALUES ({', '.join('?' * len(table.columns))})", table.rows)

    def run_as_admin(self, url: str, *statements: str) -> None:
        """DuckDB lets nobody write while a reader has the file: the reader's process goes first."""
        self.kill_sessions(url)
        with closing(_admin(Path(url))) as db:
            for statement in statements:
                db.execute(statement)

    def digest(self, url: str) -> str:
        path = Path(parse_address(url).database)
        names = sorted(p.name for p in path.parent.iterdir() if p.name.startswith(path.stem))
        return hashlib.sha256(path.read_bytes()).hexdigest() + repr(names)

    def running(self, url: str) -> int:
        return sum(_is_busy(process) for process in _holders(url))

    def kill_sessions(self, url: str) -> None:
        for process in _holders(url):
            os.kill(int(process.name), signal.SIGKILL)
        while _holders(url):
            time.sleep(0.01)

    def numbers_sql(self, n: int) -> str:
        return f"SELECT n::INTEGER AS n FROM range(1, {n + 1}) AS r(n)"

    def wide_text_sql(self, length: int) -> str:
        return f"SELECT repeat('x', {length}) AS t"


def _admin(path: Path) -> Any:
    import duckdb

    return duckdb.connect(str(path))


def open_case(request: pytest.FixtureRequest, folder: Path) -> DuckdbCase:
    pytest.importorskip("duckdb")
    return DuckdbCase(folder)
