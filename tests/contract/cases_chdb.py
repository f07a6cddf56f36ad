"""chdb under the contract; administration runs in a process of its own, since chdb takes one folder a process."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest
from tests.contract.case import NUMBERS, ColumnSpec, EngineCase, TableSpec
from tests.contract.cases_sqlite import _holders, _is_busy

from inquery.databases.transport.address import parse_address

ADMIN = """
import json, sys
import chdb
folder, statements = json.load(sys.stdin)
connection = chdb.connect(folder)
print(json.dumps([str(connection.query(text, "TSV")) for text in statements]))
connection.close()
"""


class ChdbCase(EngineCase):
    name = "chdb"
    dialect = "clickhouse"
    union = "UNION DISTINCT"
    quote_mark = "`"
    types: ClassVar[Mapping[str, str]] = {
        "integer": "Int32", "bigint": "Int64", "real": "Float64", "decimal": "Decimal(12, 2)", "text": "String",
        "boolean": "Bool", "date": "Date32", "datetime": "DateTime64(3)", "blob": "FixedString(3)",
    }  # fmt: skip
    endless_sql = "SELECT sum(sipHash64(number)) FROM numbers(100000000000000)"
    has_foreign_keys = False
    session_changes = (
        "SET max_threads = 1",
        "SET readonly = 0",
        "USE system",
        "CREATE TEMPORARY TABLE left_behind (id Int32)",
        "SELECT 1 SETTINGS readonly = 0",
    )
    session_probe_sql = (
        "SELECT currentDatabase(), getSetting('readonly'), getSetting('max_threads'), "
        "(SELECT count() FROM system.tables WHERE is_temporary)"
    )
    gaps: ClassVar[Mapping[str, str]] = {
        "test_foreign_keys_are_found": "ClickHouse has no foreign keys",
        "test_cyclic_foreign_keys_are_all_found": "ClickHouse has no foreign keys",
        "test_a_syntax_error": "ClickHouse reads a lone FROM as the name of a column",
        "test_a_subquery_with_too_many_columns": "ClickHouse makes the columns one tuple: a type that does not fit",
        "test_an_ambiguous_column": "ClickHouse takes the column of the left table",
        "test_a_statement_estimated_too_costly_is_refused": "EXPLAIN ESTIMATE counts whole granules of 8192 rows",
    }

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def make_database(self, tables: Sequence[TableSpec] = ()) -> str:
        path = self.folder / f"资料 {next(NUMBERS)}"
        # A table made and dropped leaves the folders that a used database has.
        statements = ["CREATE TABLE t (a Int8) ENGINE = MergeTree ORDER BY a", "DROP TABLE t SYNC"]
        for table in tables:
            statements.append(self.create_sql(table))
            if table.rows:
                rows = ", ".join(f"({', '.join(map(_literal, row))})" for row in table.rows)
                statements.append(f"INSERT INTO {self.quote(table.name)} VALUES {rows}")
        _administer(path, statements)
        return f"chdb:///{path}"

    def create_sql(self, table: TableSpec, *, foreign_keys: bool = True) -> str:
        columns = ", ".join(self._column(c, c.name in table.primary_key) for c in table.columns)
        key = ", ".join(map(self.quote, table.primary_key))
        comment = f" COMMENT {_literal(table.comment)}" if table.comment else ""
        return f"CREATE TABLE {self.quote(table.name)} ({columns}) ENGINE = MergeTree ORDER BY ({key}){comment}"

    def _column(self, column: ColumnSpec, key: bool) -> str:
        kind = self.types[column.kind]
        comment = f" COMMENT {_literal(column.comment)}" if column.comment else ""
        return f"{self.quote(column.name)} {f'Nullable({kind})' if column.nullable and not key else kind}{comment}"

    def quote(self, name: str) -> str:
        return "`" + name.replace("\\", "\\\\").replace("`", "\\`") + "`"

    def run_as_admin(self, url: str, *statements: str) -> None:
        _administer(_folder(url), statements)

    def digest(self, url: str) -> str:
        """Of the content: ClickHouse itself writes into its folder while it only reads."""
        tables = _administer(
            _folder(url),
            ["SELECT database, name, create_table_query FROM system.tables WHERE database NOT IN"
             " ('system', 'INFORMATION_SCHEMA', 'information_schema') ORDER BY ALL"],
        )  # fmt: skip
        names = [line.split("\t")[:2] for line in tables[0].splitlines()]
        counts = [f"SELECT count(), groupBitXor(cityHash64(*)) FROM `{db}`.`{name}`" for db, name in names]
        rest = [
            "SELECT name FROM system.databases ORDER BY name",
            "SELECT name FROM system.functions WHERE origin != 'System'",
        ]
        return repr([tables, _administer(_folder(url), [*counts, *rest])])

    def running(self, url: str) -> int:
        return sum(_is_busy(process) for process in _holders(str(_folder(url) / "status")))

    def kill_sessions(self, url: str) -> None:
        _kill_holders(_folder(url))

    def numbers_sql(self, n: int) -> str:
        return f"SELECT toInt64(number + 1) AS n FROM numbers({n}) ORDER BY n"

    def wide_text_sql(self, length: int) -> str:
        return f"SELECT repeat('x', {length}) AS t"


def _folder(url: str) -> Path:
    return Path(parse_address(url).database)


def _administer(folder: Path, statements: Sequence[str]) -> list[str]:
    """chdb locks its folder: the reader's process goes first, and again when it was only just starting."""
    order = json.dumps([str(folder), list(statements)])
    for _ in range(10):
        _kill_holders(folder)
        done = subprocess.run([sys.executable, "-c", ADMIN], input=order, capture_output=True, text=True, check=False)
        if "Cannot lock file" not in done.stderr:
            break
    assert done.returncode == 0, done.stderr
    answers: list[str] = json.loads(done.stdout)
    return answers


def _kill_holders(folder: Path) -> None:
    status = str(folder / "status")
    for process in _holders(status):
        with contextlib.suppress(ProcessLookupError):
            os.kill(int(process.name), signal.SIGKILL)
    while _holders(status):
        time.sleep(0.01)


def _literal(value: Any) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, bytes):
        return f"unhex('{value.hex()}')"
    if isinstance(value, (bool, int, float)):
        return str(value).lower()
    text = value if isinstance(value, str) else str(value)
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def open_case(request: pytest.FixtureRequest, folder: Path) -> ChdbCase:
    pytest.importorskip("chdb")
    request.addfinalizer(lambda: shutil.rmtree(folder, ignore_errors=True))
    return ChdbCase(folder)
