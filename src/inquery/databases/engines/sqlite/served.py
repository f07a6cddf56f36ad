"""SQLite inside its process: a file opened read-only behind an authorizer that lets only reading through."""

from __future__ import annotations

import contextlib
import sqlite3
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

from inquery.databases.engines.driver_errors import Patterns, by_code, by_text
from inquery.databases.engines.pinned import refuse_other_reading
from inquery.databases.values import BatchSize
from inquery.errors import (
    AggregationError,
    AmbiguousColumn,
    ConnectFailed,
    DatabaseBusy,
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
    Text,
    TypeMismatch,
    UnknownColumn,
    UnknownTable,
)

_READING = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}
_FORBIDDEN = {"load_extension", "readfile", "writefile", "edit", "fts3_tokenizer", "sqlite_rename_table"}
_LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: 128 << 20,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 1 << 20,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 2000,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 1,
}
_SETUP = (
    "PRAGMA query_only = ON",
    "PRAGMA trusted_schema = OFF",
    "PRAGMA mmap_size = 0",
    "PRAGMA hard_heap_limit = 1073741824",
)
# Nothing in a file changes how text is read; a library built without the first two would not say so.
_PINNED = {"query_only": "1", "trusted_schema": "0"}
_TABLE_FUNCTIONS = ("json_each", "json_tree", "jsonb_each", "jsonb_tree", "generate_series")
_SPILL_BYTES = 8 << 30
_OPCODES = 20_000
_BUSY_S = 5.0
_COUNT_S = 1.0
"""For counting the rows of all tables of a file; some ten million rows."""


class SqliteFile:
    """One file; each session is a connection of its own."""

    errors = (sqlite3.Error, sqlite3.Warning)

    def __init__(self, path: str) -> None:
        self.path = path
        _limit_files()

    def open(self) -> SqliteSession:
        """A read-only connection behind the authorizer."""
        return SqliteSession(self.path)

    def classify(self, error: BaseException) -> InqueryError:
        """See `classify`; an error of the file itself names the file."""
        found = classify(error)
        return NotADatabase(found.detail, name=Path(self.path).name) if isinstance(found, NotADatabase) else found


class SqliteSession:
    """A connection; the deadline of the running statement is looked at by the progress handler."""

    def __init__(self, path: str) -> None:
        uri = f"file:{quote(path)}?mode=ro"
        self._db = sqlite3.connect(
            uri, uri=True, timeout=_BUSY_S, isolation_level=None, check_same_thread=False, cached_statements=8
        )
        # Spider's files, and many others, hold bytes that are not UTF-8.
        self._db.text_factory = lambda data: data.decode("utf-8", "replace")
        self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()
        for statement in _SETUP:
            self._db.execute(statement)
        found = {name: self._db.execute(f"PRAGMA {name}").fetchone()[0] for name in _PINNED}
        refuse_other_reading(_PINNED, found)
        for limit, value in _LIMITS.items():
            self._db.setlimit(limit, value)
        self._open_table_functions()
        self._deadline = float("inf")
        self._timed_out = False
        self._cursor: sqlite3.Cursor | None = None
        self._db.set_progress_handler(self._overdue, _OPCODES)
        self._db.set_authorizer(_authorize)

    def _open_table_functions(self) -> None:
        # Their first use declares a table, which the authorizer could not tell from a person's own: before it stands.
        for name in _TABLE_FUNCTIONS:
            with contextlib.suppress(sqlite3.OperationalError):  # a library built without it
                self._db.execute(f"SELECT 1 FROM {name}(1) LIMIT 0").fetchall()

    def stream(
        self, text: str, timeout_s: float, rows: int | None, cell: int | None
    ) -> Iterator[tuple[list[str], list[tuple[Any, ...]]]]:
        """Names and rows in batches, at most one row past the cap; the first batch may be empty."""
        self._timed_out, self._deadline = False, time.monotonic() + timeout_s
        try:
            cursor = self._cursor = self._db.execute(text)
            names = [column[0] for column in cursor.description or ()]
            batch = BatchSize(rows)
            while True:
                fetched = cursor.fetchmany(batch.next) if batch.next else []
                if cell is not None:
                    fetched = [_cut(row, cell) for row in fetched]
                first, done = batch.first, len(fetched) < batch.next or not batch.next
                if fetched or first:
                    yield names, fetched
                if done:
                    return
                batch.saw(fetched)
        except sqlite3.OperationalError as error:
            raise self._stopped(error, timeout_s) from error
        finally:
            self._deadline = float("inf")
            if self._cursor is not None:
                self._cursor.close()

    def explain(self, text: str) -> list[str]:
        """The lines of EXPLAIN QUERY PLAN."""
        return [row[3] for row in self._db.execute("EXPLAIN QUERY PLAN " + text)]

    def introspect(self) -> dict[str, list[tuple[Any, ...]]]:
        """Tables, columns and references in three bulk queries, and the rows of each table: how many, and whether counted."""
        self._db.set_authorizer(None)
        try:
            tables = _without_shadows(self._db.execute(_TABLES).fetchall())
            return {
                "tables": self._counted(tables),
                "columns": self._described(_COLUMNS, tables),
                "foreign": self._described(_FOREIGN, tables),
                "ddl": self._db.execute(_DDL).fetchall(),
            }
        finally:
            self._db.set_authorizer(_authorize)

    def reset(self) -> None:
        """Drop a statement that was left; a read-only connection keeps nothing else."""
        if self._cursor is not None:
            self._cursor.close()
        if self._db.in_transaction:
            self._db.rollback()

    def interrupt(self) -> None:
        """Stop the running statement, as far as SQLite looks."""
        self._db.interrupt()

    def close(self) -> None:
        """Free the file."""
        self._db.close()

    def _overdue(self) -> bool:
        if time.monotonic() < self._deadline:
            return False
        self._timed_out = True
        return True

    def _stopped(self, error: sqlite3.OperationalError, timeout_s: float) -> BaseException:
        if error.sqlite_errorcode == sqlite3.SQLITE_INTERRUPT:
            return QueryTimeout(seconds=f"{timeout_s:g}") if self._timed_out else QueryCancelled()
        return error

    def _counted(self, tables: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
        """(name, kind, rows, counted) of each table, the smallest counted first, as far as the time for it goes.

        The largest rowid is what 239 rows numbered by another system's keys made 1.2 million: it only bounds the count.
        """
        bounds = {name: self._highest(name) for name, kind in tables if kind == "table"}
        analysed = self._analysed()
        self._timed_out, self._deadline = False, time.monotonic() + _COUNT_S
        counts: dict[str, int] = {}
        for name in sorted(bounds, key=lambda name: (bounds[name] is None, bounds[name] or 0)):
            try:
                counts[name] = self._db.execute(f"SELECT count(*) FROM {_quoted(name)}").fetchone()[0]
            except sqlite3.Error:
                if self._timed_out:
                    break  # the rest is estimated
        self._deadline = float("inf")
        found = []
        for name, kind in tables:
            bound, known = bounds.get(name), analysed.get(name.casefold())
            # What ANALYZE found may be old, but there are no more rows than their numbers go.
            guess = known if known is not None and (bound is None or known <= bound) else bound
            found.append((name, kind, counts.get(name, guess), name in counts))
        return found

    def _highest(self, name: str) -> int | None:
        try:
            return self._db.execute(f"SELECT coalesce(max(rowid), 0) FROM {_quoted(name)}").fetchone()[0]  # type: ignore[no-any-return]
        except sqlite3.Error:
            return None  # WITHOUT ROWID, or a virtual table whose module is not here

    def _analysed(self) -> dict[str, int]:
        """The rows of tables as ANALYZE found them, where it was run."""
        try:
            rows = self._db.execute("SELECT tbl, stat FROM sqlite_stat1").fetchall()
        except sqlite3.Error:
            return {}
        found: dict[str, int] = {}
        for table, stat in rows:
            first = str(stat).split(" ")[0]
            if table is not None and first.isdigit():
                found[str(table).casefold()] = max(int(first), found.get(str(table).casefold(), 0))
        return found

    def _described(self, query: str, tables: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
        try:
            return self._db.execute(query).fetchall()
        except sqlite3.Error:
            # One view over a dropped table fails the bulk query: ask table by table and leave that one out.
            return [row for name, _ in tables for row in self._described_one(query, name)]

    def _described_one(self, query: str, name: str) -> list[tuple[Any, ...]]:
        try:
            return self._db.execute(query.replace("/*name*/", "AND m.name = ?"), (name,)).fetchall()
        except sqlite3.Error:
            return []


_TABLES = """
    SELECT name, type, sql LIKE 'CREATE VIRTUAL TABLE%' FROM sqlite_master
    WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"""
_COLUMNS = """
    SELECT m.name, c.name, c.type, NOT c."notnull" AND NOT c.pk, c.pk FROM sqlite_master m, pragma_table_xinfo(m.name) c
    WHERE m.type IN ('table', 'view') AND m.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND c.hidden <> 1 /*name*/
    ORDER BY m.name, c.cid"""
_DDL = "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND (sql LIKE '%--%' OR sql LIKE '%/*%')"
_FOREIGN = """
    SELECT m.name, f.id, f."table", f."from", f."to", f.seq FROM sqlite_master m, pragma_foreign_key_list(m.name) f
    WHERE m.type = 'table' /*name*/ ORDER BY m.name, f.id, f.seq"""


def _authorize(action: int, first: str | None, second: str | None, database: str | None, source: str | None) -> int:
    if action == sqlite3.SQLITE_FUNCTION and (second or "").lower() in _FORBIDDEN:
        return sqlite3.SQLITE_DENY
    if action == sqlite3.SQLITE_PRAGMA and first == "data_version" and second is None:
        return sqlite3.SQLITE_OK  # full-text tables look at it before every read
    return sqlite3.SQLITE_OK if action in _READING else sqlite3.SQLITE_DENY


def _without_shadows(rows: list[tuple[str, str, int]]) -> list[tuple[Any, ...]]:
    # A full-text or R-tree table keeps its data in tables named after it, which are nobody's business.
    virtual = tuple(name + "_" for name, _, is_virtual in rows if is_virtual)
    # Such a table may give the rows of another one (content=, fts5vocab), so that to a policy it is a view.
    shown = [row for row in rows if not (virtual and row[0].startswith(virtual))]
    return [(name, "view" if is_virtual else kind) for name, kind, is_virtual in shown]


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _cut(row: tuple[Any, ...], cell: int) -> tuple[Any, ...]:
    # One past the bound stays, so that the reader sees the cell was too long.
    if any(isinstance(value, (str, bytes)) and len(value) > cell for value in row):
        return tuple(value[: cell + 1] if isinstance(value, (str, bytes)) else value for value in row)
    return row


def _limit_files() -> None:
    # A sort spills to temporary files: bound them, or a hostile join fills the disk before its timeout.
    if sys.platform != "win32":
        import resource

        hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
        wanted = _SPILL_BYTES if hard == resource.RLIM_INFINITY else min(_SPILL_BYTES, hard)
        resource.setrlimit(resource.RLIMIT_FSIZE, (wanted, hard))


_LOCKED = Text("another program holds the file", "文件正被其他程序占用")
_CANNOT_OPEN = Text("the file cannot be opened", "无法打开文件")
_BY_CODE = by_code(
    {
        PermissionDenied: (sqlite3.SQLITE_AUTH, sqlite3.SQLITE_PERM),
        ReadOnlyViolation: (sqlite3.SQLITE_READONLY,),
        QueryCancelled: (sqlite3.SQLITE_INTERRUPT,),
        NotADatabase: (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_FORMAT),
        ResultTooLarge: (sqlite3.SQLITE_TOOBIG, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_FULL),
        TypeMismatch: (sqlite3.SQLITE_MISMATCH,),
    }
)
# Compile errors share one code: the text decides.
_BY_TEXT: Patterns = (
    (r"no such column|has no column named|cannot join using column", UnknownColumn),
    (r"no such table", UnknownTable),
    (r"ambiguous column name", AmbiguousColumn),
    (r"misuse of (aggregate|window)|aggregate|GROUP BY|HAVING clause", AggregationError),
    (r"sub-select returns|row value misused|do not have the same number of result columns", SubqueryCardinality),
    (r"not authorized|prohibited|unsafe use of", PermissionDenied),
    (r"attempt to write a readonly|cannot (rollback|commit|start)", ReadOnlyViolation),
    (r"datatype mismatch|integer overflow|malformed JSON", TypeMismatch),
    (r"string or blob too big|out of memory", ResultTooLarge),
    (r"one statement at a time", ReadOnlyViolation),
    (r"syntax error|incomplete input|unrecognized token|no such function|wrong number of arguments", SqlSyntax),
)


def classify(error: BaseException) -> InqueryError:
    """The error of the tree: SQLite's code first, then its text."""
    text = str(error)
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return DatabaseBusy(text, seconds=f"{_BUSY_S:g}", reason=_LOCKED)
    if code in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR):
        return ConnectFailed(text, reason=_CANNOT_OPEN)
    if code in _BY_CODE:
        return _BY_CODE[code](text)
    return (by_text(_BY_TEXT, text) or SqlFailed)(text)
