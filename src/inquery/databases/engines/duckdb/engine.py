"""DuckDB: a file opened read-only in a process of its own, locked, and killed when it will not stop."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Self

from inquery.databases.assemble import Raw, assemble_catalog
from inquery.databases.engine import Batch, Engine, Estimate, Limits, Progress
from inquery.databases.engines.duckdb import ABOUT
from inquery.databases.engines.duckdb.spilling import spill_folder
from inquery.databases.registry import require_drivers
from inquery.databases.sandbox.process import Process
from inquery.databases.transport.address import Address
from inquery.databases.transport.hosts import check_file
from inquery.errors import BadConnectionUrl, InqueryError, InternalError, NotADatabase, QueryCancelled
from inquery.settings import DatabaseSettings
from inquery.sql import Catalog, CheckedSql

MEMORY_LIMIT = "2GB"
_SIZE = re.compile(r"(\d{1,6})\s*(MB|GB|MiB|GiB)", re.IGNORECASE)
# Address space beyond DuckDB's own limit: its allocator, its threads, Python, and strings it does not count.
_HEADROOM = 3 << 30


@dataclass
class DuckdbSession:
    """A process and the one session in it."""

    process: Process
    number: int
    cancelled: bool = False


class DuckdbEngine(Engine):
    """The engine of `duckdb:///file`."""

    about = ABOUT
    parameters = frozenset({"memory_limit", "threads"})
    max_sessions = 8

    def __init__(self, path: str, *, memory_limit: str = MEMORY_LIMIT, threads: int = 0) -> None:
        self.path = path
        self.memory_limit = memory_limit
        self.threads = threads or min(4, os.cpu_count() or 1)

    @classmethod
    def from_address(cls, address: Address, settings: DatabaseSettings) -> Self:
        """Check the file and its parameters; nothing is opened yet."""
        require_drivers("duckdb")
        path = check_file(address.database, settings)
        if not path.is_file():
            raise NotADatabase(f"{path} is a folder", name=path.name)
        return cls(str(path), **memory_and_threads(address))

    def open(self) -> DuckdbSession:
        """Start a process and open the file in it."""
        s = self._start(self.path, [])
        try:
            s.process.call(s.number, "open")
        except InqueryError:
            self.close(s)
            raise
        return s

    def close(self, s: DuckdbSession) -> None:
        """End the process and remove what it spilled."""
        s.process.kill()
        shutil.rmtree(spill_folder(s.process.pid), ignore_errors=True)

    def introspect(self, progress: Progress) -> Catalog:
        """Everything in three queries."""
        s = self.open()
        try:
            progress("tables", 0, 1)
            rows = s.process.call(s.number, "introspect")
        finally:
            self.close(s)
        progress("tables", 1, 1)
        return catalogue(rows)

    def explain(self, s: DuckdbSession, sql: CheckedSql) -> Estimate:
        """Cardinality and unfiltered scans from EXPLAIN, which runs nothing."""
        return estimate(s.process.call(s.number, "explain", sql.text))

    def stream(self, s: DuckdbSession, sql: CheckedSql, limits: Limits) -> Iterator[Batch]:
        """Batches as the process fetches them; the timeout runs inside the process too."""
        s.cancelled = False
        for batch in s.process.run(s.number, sql.text, limits):
            yield batch
            if s.cancelled:
                raise QueryCancelled("cancelled between batches")

    def cancel(self, s: DuckdbSession) -> None:
        """Interrupt, then kill the process if DuckDB does not stop."""
        s.cancelled = True
        s.process.cancel(s.number)

    def abandon(self, s: DuckdbSession) -> None:
        """Kill the process at once."""
        s.process.kill()

    def fingerprint(self) -> tuple[int, ...]:
        """When and how large the file and its log are: changes with every write."""
        return signature([self.path, self.path + ".wal"])

    def reset(self, s: DuckdbSession) -> None:
        """Take a fresh cursor; a dead process raises ConnectionLost."""
        s.process.call(s.number, "reset")

    def classify(self, error: BaseException) -> InqueryError:
        """Errors come classified out of the process; a driver's own error is mapped here."""
        if isinstance(error, InqueryError):
            return error
        if type(error).__module__.partition(".")[0] in {"duckdb", "_duckdb"}:
            from inquery.databases.engines.duckdb.served import classify

            return classify(error)
        return InternalError(repr(error))

    def check_role(self, s: DuckdbSession) -> str | None:
        """A file has no accounts and is opened read-only."""
        return None

    def _start(self, path: str, allowed: list[str]) -> DuckdbSession:
        options: dict[str, Any] = {
            "path": path,
            "memory_limit": self.memory_limit,
            "threads": self.threads,
            "allowed": allowed,
        }
        memory = _bytes(self.memory_limit) + _HEADROOM
        process = Process("inquery.databases.engines.duckdb.served:DuckdbFile", options, memory=memory)
        return DuckdbSession(process, process.session())


def signature(paths: Iterable[str]) -> tuple[int, ...]:
    """Times, sizes and numbers of files; those that are missing are left out."""
    found: list[int] = []
    for path in paths:
        try:
            stat = os.stat(path)
        except OSError:
            continue
        found += [stat.st_mtime_ns, stat.st_size, stat.st_ino]
    return tuple(found)


def memory_and_threads(address: Address) -> dict[str, Any]:
    """The two parameters of an address, checked."""
    memory, threads = address.params.get("memory_limit", MEMORY_LIMIT), address.params.get("threads", "0")
    if not _SIZE.fullmatch(memory):
        raise BadConnectionUrl.because(
            "memory_limit is written like 512MB or 4GB", "memory_limit 的写法如 512MB 或 4GB"
        )
    if not threads.isdigit() or int(threads) > 256:
        raise BadConnectionUrl.because("threads is a number from 1 to 256", "threads 是 1 到 256 之间的数字")
    return {"memory_limit": memory, "threads": int(threads)}


def _bytes(size: str) -> int:
    match = _SIZE.fullmatch(size)
    assert match is not None
    return int(match[1]) << (30 if match[2].upper().startswith("G") else 20)


def catalogue(rows: dict[str, list[list[Any]]]) -> Catalog:
    """The catalogue; the database's name is part of a path only where a schema has the same name."""
    tables = rows["tables"]
    schemas = {row[1].casefold() for row in tables}
    database = tables[0][0] if tables else ""
    skip = 0 if database.casefold() in schemas else 1
    keys = [row for row in rows["constraints"] if row[0] == "PRIMARY KEY"]
    raw = Raw(
        tables=[(row[skip:3], row[3], row[4], row[5]) for row in tables],
        columns=[
            (path, *column)
            for row in rows["columns"]
            for path in [tuple(row[skip:3])]
            for column in zip(*row[3:], strict=True)
        ],
        keys=[(row[1 + skip : 4], name) for row in keys for name in row[4]],
        foreign=[
            ((name, index), [database, schema, table][skip:], column, [database, schema, other][skip:], reference)
            for kind, _, schema, table, columns, name, other, references, index in rows["constraints"]
            if kind == "FOREIGN KEY"
            for column, reference in zip(columns, references, strict=True)
        ],
    )
    return assemble_catalog(raw, dialect="duckdb", default_schema=("main",) if skip else (database, "main"))


def estimate(plan: str) -> Estimate:
    """Rows of the root and the tables read without a filter."""
    roots = json.loads(plan)
    scans: dict[str, None] = {}
    rows = _walk(roots, scans)
    return Estimate(rows=rows, full_scans=tuple(scans), plan=plan)


def _walk(nodes: list[dict[str, Any]], scans: dict[str, None]) -> int | None:
    rows = None
    for node in nodes:
        info = node.get("extra_info") or {}
        count = str(info.get("Estimated Cardinality", ""))
        below = _walk(node.get("children") or [], scans)
        if rows is None:
            rows = int(count) if count.isdigit() else below
        if "SCAN" in node.get("name", "") and "Table" in info and "Filters" not in info:
            scans[str(info["Table"]).split(".")[-1]] = None
    return rows
