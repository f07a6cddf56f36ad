"""DuckDB inside its process: a locked read-only database, one cursor a session."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import duckdb

from inquery.databases.engines.duckdb.spilling import spill_folder
from inquery.databases.engines.pinned import refuse_other_reading
from inquery.databases.sandbox.child import Deadline
from inquery.databases.values import BatchSize
from inquery.errors import (
    AggregationError,
    AmbiguousColumn,
    BadDataFile,
    ConnectFailed,
    ConnectionLost,
    InqueryError,
    NotADatabase,
    PermissionDenied,
    QueryCancelled,
    QueryTimeout,
    ReadOnlyViolation,
    ResultTooLarge,
    SqlFailed,
    SqlSyntax,
    SubqueryCardinality,
    TypeMismatch,
    UnknownColumn,
    UnknownTable,
)

_LOCKED: dict[str, Any] = {
    "autoload_known_extensions": False,
    "autoinstall_known_extensions": False,
    "allow_community_extensions": False,
    "python_enable_replacements": False,
    "errors_as_json": True,
}
# The defaults of how text is read, which nothing outside this process can change, and the lock that keeps them.
_READING = {"integer_division": "False", "lock_configuration": "True", "enable_external_access": "False"}

_WIDE = frozenset({"VARCHAR", "BLOB", "JSON", "BIT"})


class DuckdbFile:
    """One database file, opened once and then locked."""

    errors = (duckdb.Error,)

    def __init__(self, path: str, memory_limit: str, threads: int, allowed: Sequence[str] = ()) -> None:
        self.path, self.memory_limit, self.threads, self.allowed = path, memory_limit, threads, allowed
        self._root: duckdb.DuckDBPyConnection | None = None
        self._lock = threading.Lock()

    def open(self) -> DuckdbSession:
        """A session on a cursor of its own."""
        with self._lock:
            if self._root is None:
                self._root = self._connect()
        return DuckdbSession(self._root)

    def classify(self, error: BaseException) -> InqueryError:
        """See `classify`; what is wrong with the file itself names the file."""
        if self._root is None and isinstance(error, (duckdb.IOException, duckdb.SerializationException)):
            return _cannot_open(str(error), Path(self.path).name)
        return classify(error)

    def _connect(self) -> duckdb.DuckDBPyConnection:
        config = _LOCKED | {
            "memory_limit": self.memory_limit,
            "threads": self.threads,
            "temp_directory": str(spill_folder(os.getpid())),
            "max_temp_directory_size": "8GB",
        }
        root = duckdb.connect(self.path, read_only=True, config=config)
        if self.allowed:
            paths = ", ".join("'" + path.replace("'", "''") + "'" for path in self.allowed)
            root.execute(f"SET GLOBAL allowed_paths = [{paths}]")
        root.execute("SET GLOBAL TimeZone = 'UTC'")
        root.execute("SET GLOBAL enable_external_access = false")
        root.execute("SET GLOBAL lock_configuration = true")
        told = ", ".join(f"current_setting('{name}')" for name in _READING)
        found = root.execute(f"SELECT {told}").fetchone() or ()
        refuse_other_reading(_READING, dict(zip(_READING, found, strict=False)))
        return root


class DuckdbSession:
    """A cursor; a reset takes a new one, so nothing a statement changed survives."""

    def __init__(self, root: duckdb.DuckDBPyConnection) -> None:
        self._root = root
        self._cursor = root.cursor()

    def stream(
        self, text: str, timeout_s: float, rows: int | None, cell: int | None
    ) -> Iterator[tuple[list[tuple[str, str]], list[tuple[Any, ...]]]]:
        """Columns and rows in batches, one row past the cap at most."""
        deadline = Deadline(timeout_s, self._cursor.interrupt)
        try:
            with deadline:
                self._cursor.execute(self._only_query(text))
                columns = [(column[0], str(column[1])) for column in self._cursor.description or ()]
            wide = [i for i, (_, kind) in enumerate(columns) if kind in _WIDE or kind.startswith("ENUM")]
            size = BatchSize(rows)
            batch = None
            while size.next and batch != []:
                with deadline:
                    batch = self._cursor.fetchmany(size.next)
                if cell is not None:
                    batch = _cut(batch, cell, wide)
                if batch or size.first:
                    yield columns, batch
                size.saw(batch)
        except duckdb.InterruptException as error:
            raise (QueryTimeout(seconds=f"{timeout_s:g}") if deadline.passed else QueryCancelled()) from error

    def explain(self, text: str) -> str:
        """The plan as JSON text."""
        self._only_query(text)
        row = self._cursor.execute("EXPLAIN (FORMAT JSON) " + text).fetchone()
        return str(row[1]) if row else "[]"

    def introspect(self) -> dict[str, list[tuple[Any, ...]]]:
        """Rows of DuckDB's own catalogue functions, in three bulk queries."""
        return {name: self._cursor.execute(sql).fetchall() for name, sql in INTROSPECTION.items()}

    def reset(self) -> None:
        """Forget everything the session holds."""
        self._cursor.close()
        self._cursor = self._root.cursor()

    def interrupt(self) -> None:
        """Stop the running statement."""
        self._cursor.interrupt()

    def close(self) -> None:
        """Free the cursor."""
        self._cursor.close()

    def _only_query(self, text: str) -> duckdb.Statement:
        # Even without the guard: a read-only file still accepts temp tables, SET SCHEMA, BEGIN and PREPARE.
        statements = self._cursor.extract_statements(text)
        if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
            raise ReadOnlyViolation("only one SELECT runs")
        return statements[0]


def _cut(batch: list[tuple[Any, ...]], cell: int, wide: list[int]) -> list[tuple[Any, ...]]:
    """Long cells cut to one past the bound, so that the reader sees they were too long."""
    if not any(len(row[i]) > cell for i in wide for row in batch if row[i] is not None):
        return batch
    return [tuple(v[: cell + 1] if isinstance(v, (str, bytes)) else v for v in row) for row in batch]


INTROSPECTION = {
    "tables": """
        SELECT database_name, schema_name, table_name, 'table', comment, estimated_size FROM duckdb_tables()
        WHERE database_name = current_database() AND NOT internal AND NOT temporary
        UNION ALL
        SELECT database_name, schema_name, view_name, 'view', comment, NULL FROM duckdb_views()
        WHERE database_name = current_database() AND NOT internal AND NOT temporary""",
    # A row a table, not a column: twenty thousand rows cost more to carry than to read.
    "columns": """
        SELECT database_name, schema_name, table_name, list(column_name ORDER BY column_index),
               list(data_type ORDER BY column_index), list(is_nullable ORDER BY column_index),
               list(comment ORDER BY column_index)
        FROM duckdb_columns() WHERE database_name = current_database() AND NOT internal GROUP BY ALL""",
    "constraints": """
        SELECT constraint_type, database_name, schema_name, table_name, constraint_column_names, constraint_name,
               referenced_table, referenced_column_names, constraint_index
        FROM duckdb_constraints()
        WHERE database_name = current_database() AND constraint_type IN ('PRIMARY KEY', 'FOREIGN KEY')
        ORDER BY schema_name, table_name, constraint_index""",
}


def _cannot_open(text: str, name: str) -> InqueryError:
    if "lock" in text.casefold():
        return ConnectFailed.because(
            "another program has the file open for writing", "文件正被其他程序写入", detail=text
        )
    return NotADatabase(text, name=name)


# Exceptions whose class says enough.
_BY_CLASS: tuple[tuple[str, type[InqueryError]], ...] = (
    ("InterruptException", QueryCancelled),
    ("PermissionException", PermissionDenied),
    ("ParserException", SqlSyntax),
    ("SyntaxException", SqlSyntax),
    ("ConversionException", TypeMismatch),
    ("TypeMismatchException", TypeMismatch),
    ("OutOfRangeException", TypeMismatch),
    ("OutOfMemoryException", ResultTooLarge),
    ("ConnectionException", ConnectionLost),
    ("FatalException", ConnectionLost),
)
# The rest by subtype, then by a piece of the message.
_BY_TEXT: tuple[tuple[str, type[InqueryError]], ...] = (
    ("COLUMN_NOT_FOUND", UnknownColumn),
    ("does not have a column named", UnknownColumn),
    ("Ambiguous reference to column", AmbiguousColumn),
    ("Referenced table", UnknownTable),
    ("Table with name", UnknownTable),
    ("View with name", UnknownTable),
    ("must appear in the GROUP BY", AggregationError),
    ("cannot contain aggregates", AggregationError),
    ("aggregate function calls cannot be nested", AggregationError),
    ("More than one row returned by a subquery", SubqueryCardinality),
    ("Subquery returns", SubqueryCardinality),
    ("Could not choose a best candidate", TypeMismatch),
    ("No function matches", TypeMismatch),
    ("Cannot compare values", TypeMismatch),
    ("Cannot mix values of type", TypeMismatch),
    ("an explicit cast is required", TypeMismatch),
    ("read-only mode", ReadOnlyViolation),
    ("configuration has been locked", ReadOnlyViolation),
    ("lock_configuration", ReadOnlyViolation),
)


def classify(error: BaseException) -> InqueryError:
    """The error of the tree for a DuckDB error, by class and subtype first."""
    if isinstance(error, InqueryError):
        return error
    text, facts = str(error), _facts(str(error))
    detail = facts.get("exception_message", text)
    if "CSV Error on Line" in detail:
        return ragged(detail.split("CSV Error on Line:", 1)[1].strip().split("\n", 1)[0].strip(), detail)
    if "No files found that match" in detail:
        return BadDataFile.because("the file is gone", "文件已不存在", detail=detail, name="…")
    ancestors = {cls.__name__ for cls in type(error).__mro__}
    for name, found in _BY_CLASS:
        if name in ancestors:
            return found(detail)
    for piece, found in _BY_TEXT:
        if piece in text:
            return found(detail)
    return SqlFailed(detail)


def ragged(line: str, detail: str) -> BadDataFile:
    """The error for a line of a CSV file that has more or fewer cells than the others."""
    return BadDataFile.because(
        f"line {line} does not fit the columns of the file", f"第 {line} 行与文件的列不符", detail=detail, name="CSV"
    )


def _facts(text: str) -> dict[str, str]:
    start = text.find("{")
    try:
        found = json.loads(text[start:]) if start >= 0 else {}
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
