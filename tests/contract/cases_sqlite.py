"""SQLite under the contract."""

import hashlib
import os
import signal
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from decimal import Decimal
from pathlib import Path
from typing import Any, ClassVar

import pytest
from tests.contract.case import NUMBERS, ColumnSpec, EngineCase, TableSpec

from inquery.databases.transport.address import parse_address


class SqliteCase(EngineCase):
    name = "sqlite"
    dialect = "sqlite"
    types: ClassVar[Mapping[str, str]] = {
        "integer": "INTEGER", "bigint": "INTEGER", "real": "REAL", "decimal": "DECIMAL(12,2)", "text": "TEXT",
        "boolean": "BOOLEAN", "date": "DATE", "datetime": "DATETIME", "blob": "BLOB",
    }  # fmt: skip
    endless_sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
    mismatch_sql = "SELECT abs(-9223372036854775808) FROM customer"
    session_changes = (
        "PRAGMA case_sensitive_like = ON",
        "PRAGMA query_only = OFF",
        "CREATE TEMP TABLE left_behind (id INTEGER)",
        "ATTACH DATABASE ':memory:' AS left_behind",
        "BEGIN",
    )
    session_probe_sql = "SELECT 'A' LIKE 'a', (SELECT count(*) FROM sqlite_temp_master)"
    gaps: ClassVar[Mapping[str, str]] = {
        "test_explain_estimates_rows": "EXPLAIN QUERY PLAN gives no rows",
        "test_a_statement_estimated_too_costly_is_refused": "EXPLAIN QUERY PLAN gives no rows",
    }

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def make_database(self, tables: Sequence[TableSpec] = ()) -> str:
        path = self.folder / f"资料 {next(NUMBERS)}.sqlite"
        with closing(sqlite3.connect(path)) as db:
            for table in tables:
                db.execute(self.create_sql(table))
                marks = ", ".join("?" * len(table.columns))
                rows = [[_stored(v) for v in row] for row in table.rows]
                db.executemany(f"INSERT INTO {self.quote(table.name)} VALUES ({marks})", rows)
            db.commit()
            db.execute("VACUUM")  # so that an empty database is a file with a header
        return str(path)

    def create_sql(self, table: TableSpec, *, foreign_keys: bool = True) -> str:
        """SQLite keeps comments only where they stand in the text of CREATE TABLE."""
        made = super().create_sql(table, foreign_keys=foreign_keys)
        return made.replace("(", f"( /* {table.comment} */", 1) if table.comment else made

    def column_comment(self, column: ColumnSpec) -> str:
        return f" /* {column.comment} */" if column.comment else ""

    def run_as_admin(self, url: str, *statements: str) -> None:
        with closing(sqlite3.connect(url)) as db:
            for statement in statements:
                db.execute(statement)
            db.commit()

    def add_foreign_key(self, url: str, table: str, column: str, other: str, other_column: str) -> None:
        """SQLite adds none later: the table, which is empty, is made again."""
        columns = "id INTEGER NOT NULL, other_id INTEGER, PRIMARY KEY (id)"
        self.run_as_admin(
            url,
            f"DROP TABLE {table}",
            f"CREATE TABLE {table} ({columns}, FOREIGN KEY ({column}) REFERENCES {other} ({other_column}))",
        )

    def digest(self, url: str) -> str:
        path = Path(parse_address(url).database)
        names = sorted(p.name for p in path.parent.iterdir() if p.name.startswith(path.stem))
        return hashlib.sha256(path.read_bytes()).hexdigest() + repr(names)

    def running(self, url: str) -> int:
        """Processes that hold the file open: a killed session's process is gone."""
        return sum(_is_busy(process) for process in _holders(url))

    def kill_sessions(self, url: str) -> None:
        for process in _holders(url):
            os.kill(int(process.name), signal.SIGKILL)

    def numbers_sql(self, n: int) -> str:
        return f"WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < {n}) SELECT n FROM s"

    def wide_text_sql(self, length: int) -> str:
        return f"SELECT replace(hex(zeroblob({length})), '00', 'x') AS t"


def _holders(path: str) -> list[Path]:
    """Processes that hold a file open, as their folders in /proc."""
    found = []
    for folder in Path("/proc").glob("[0-9]*/fd"):
        try:
            if any(str(link.readlink()) == path for link in folder.iterdir()):
                found.append(folder.parent)
        except OSError:
            continue
    return found


def _is_busy(process: Path) -> bool:
    states = [stat.read_text().rpartition(")")[2].split()[0] for stat in process.glob("task/*/stat")]
    return "R" in states


def _stored(value: Any) -> Any:
    if isinstance(value, Decimal):
        return float(value)
    return value.isoformat(" ") if hasattr(value, "hour") else str(value) if hasattr(value, "isoformat") else value


def open_case(request: pytest.FixtureRequest, folder: Path) -> SqliteCase:
    return SqliteCase(folder)
