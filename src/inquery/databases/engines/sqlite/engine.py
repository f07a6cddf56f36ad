"""SQLite: each session is a process that opens the file read-only, and is killed when it will not stop."""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

from inquery.databases.assemble import Raw, assemble_catalog
from inquery.databases.engine import Batch, Engine, Estimate, Limits, Progress, ResultColumn
from inquery.databases.engines.sqlite import ABOUT
from inquery.databases.engines.sqlite.ddl_comments import read_comments
from inquery.databases.sandbox.process import Process
from inquery.databases.transport.address import Address
from inquery.databases.transport.hosts import check_file
from inquery.databases.values import value_kind
from inquery.errors import InqueryError, InternalError, NotADatabase, QueryCancelled
from inquery.settings import DatabaseSettings
from inquery.sql import Catalog, CheckedSql

SQLITE_VERSION = sqlite3.sqlite_version
# Address space of a session's process: SQLite's own heap limit of 1 GB, copies of a batch, and Python.
_MEMORY = 4 << 30
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_DATETIME = re.compile(r"\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?")
_SCAN = re.compile(r"SCAN (?:TABLE )?(\S+)(?! .*CONSTANT ROW)")


@dataclass
class SqliteSession:
    """A process and the one session in it."""

    process: Process
    number: int
    cancelled: bool = False


class SqliteEngine(Engine):
    """The engine of `sqlite:///file`."""

    about = ABOUT
    # Each session is a process: more of them than cores only adds memory.
    max_sessions = max(4, 2 * (os.cpu_count() or 1))

    def __init__(self, path: Path, settings: DatabaseSettings) -> None:
        self.path = path
        self.settings = settings

    @classmethod
    def from_address(cls, address: Address, settings: DatabaseSettings) -> Self:
        """Check the file; nothing is opened yet."""
        path = check_file(address.database, settings)
        if not path.is_file():
            raise NotADatabase(f"{path} is not a file", name=path.name)
        return cls(path, settings)

    def fingerprint(self) -> tuple[int, ...]:
        """When and how large the file and its log are: changes with every write."""
        found = []
        for path in (self.path, self.path.with_name(self.path.name + "-wal")):
            try:
                stat = path.stat()
            except OSError:
                continue
            found += [stat.st_mtime_ns, stat.st_size, stat.st_ino]
        return tuple(found)

    def open(self) -> SqliteSession:
        """Start a process and open the file in it."""
        check_file(str(self.path), self.settings)
        process = Process(
            "inquery.databases.engines.sqlite.served:SqliteFile", {"path": str(self.path)}, memory=_MEMORY
        )
        s = SqliteSession(process, process.session())
        try:
            process.call(s.number, "open")
        except InqueryError:
            self.close(s)
            raise
        return s

    def close(self, s: SqliteSession) -> None:
        """End the process."""
        s.process.kill()

    def introspect(self, progress: Progress) -> Catalog:
        """Tables, columns, keys and references; rows are counted as far as that is quick, else estimated."""
        s = self.open()
        try:
            progress("tables", 0, 1)
            rows = s.process.call(s.number, "introspect")
        finally:
            self.close(s)
        progress("tables", len(rows["tables"]), len(rows["tables"]))
        return catalogue(rows, self.dialect)

    def explain(self, s: SqliteSession, sql: CheckedSql) -> Estimate:
        """Which tables are read whole; SQLite says nothing about rows or cost."""
        lines: list[str] = s.process.call(s.number, "explain", sql.text)
        scans = dict.fromkeys(match[1] for line in lines if (match := _SCAN.match(line)))
        return Estimate(full_scans=tuple(scans), plan="\n".join(lines))

    def stream(self, s: SqliteSession, sql: CheckedSql, limits: Limits) -> Iterator[Batch]:
        """Batches as the process fetches them; the timeout runs inside the process too."""
        s.cancelled = False
        columns: tuple[ResultColumn, ...] | None = None
        args = (sql.text, limits.timeout_s, limits.rows, limits.cell)
        for names, rows in s.process.stream(s.number, "stream", *args):
            if columns is None:
                columns = columns_by_content(names, rows)
            yield Batch(columns, [tuple(row) for row in rows])
            if s.cancelled:
                raise QueryCancelled("cancelled between batches")

    def cancel(self, s: SqliteSession) -> None:
        """Interrupt, then kill the process if SQLite does not stop: one opcode can outlive an interrupt."""
        s.cancelled = True
        s.process.cancel(s.number)

    def abandon(self, s: SqliteSession) -> None:
        """Kill the process at once."""
        s.process.kill()

    def reset(self, s: SqliteSession) -> None:
        """Drop what was left; a dead process raises ConnectionLost."""
        s.process.call(s.number, "reset")

    def classify(self, error: BaseException) -> InqueryError:
        """Errors come classified out of the process."""
        return error if isinstance(error, InqueryError) else InternalError(repr(error))

    def check_role(self, s: SqliteSession) -> str | None:
        """A file has no accounts and is opened read-only."""
        return None


def columns_by_content(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> tuple[ResultColumn, ...]:
    """Kinds judged by the first batch: SQLite types values, not result columns, and keeps dates as text."""
    return tuple(ResultColumn(name, "", _kind([row[i] for row in rows])) for i, name in enumerate(names))


def _kind(values: Sequence[Any]) -> str:
    present = [value for value in values if value is not None]
    kinds = {value_kind(value) for value in present}
    if kinds != {"text"}:
        return kinds.pop() if len(kinds) == 1 else "other"
    if all(_DATE.fullmatch(text) for text in present):
        return "date"
    return "datetime" if all(_DATETIME.fullmatch(text) for text in present) else "text"


def catalogue(rows: dict[str, list[list[Any]]], dialect: str) -> Catalog:
    """The catalogue; a reference without columns means the other table's primary key."""
    keys: dict[str, list[str]] = {}
    for table, name, _, _, position in sorted(rows["columns"], key=lambda r: r[4]):
        if position:
            keys.setdefault(table.casefold(), []).append(name)
    names = {name.casefold(): name for name, *_ in rows["tables"]}
    of_table: dict[str, list[str]] = {}
    for table, name, *_ in rows["columns"]:
        of_table.setdefault(table, []).append(name)
    said = {table: read_comments(ddl, of_table.get(table, ())) for table, ddl in rows.get("ddl", ())}
    nothing: tuple[str, dict[str, str]] = ("", {})
    raw = Raw(
        tables=[((name,), kind, said.get(name, nothing)[0], count) for name, kind, count, _ in rows["tables"]],
        columns=[
            ((table,), name, type_name, nullable, said.get(table, nothing)[1].get(name, ""))
            for table, name, type_name, nullable, _ in rows["columns"]
        ],
        keys=[((table,), name) for table, name, _, _, position in rows["columns"] if position],
    )
    for table, number, other, column, reference, position in rows["foreign"]:
        others = keys.get(other.casefold(), [])
        target = reference or (others[position] if position < len(others) else None)
        if target is not None and other.casefold() in names:
            raw.foreign.append((number, (table,), column, (names[other.casefold()],), target))
    counted = {name for name, _, _, exact in rows["tables"] if exact}
    found = assemble_catalog(raw, dialect=dialect, default_schema=("main",))
    return replace(found, tables=tuple(replace(t, counted=t.name in counted) for t in found.tables))
