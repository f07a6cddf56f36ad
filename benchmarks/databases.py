"""Engines under load: bulk introspection, ten million rows, the row cap, and a runaway statement's end.

    python -m benchmarks.databases [--engines sqlite postgres mariadb duckdb chdb] [--rows 10000000]
                                   [--measures introspect small cap runaway stream]

Figures are added to benchmarks/results/databases.json, so that a run can be split; `python -m benchmarks.table` writes
docs/benchmarks-databases.md from it.
"""

from __future__ import annotations

import argparse
import asyncio
import csv
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from benchmarks.machine import RESULTS, facts, keep
from tests.contract.case import ColumnSpec, EngineCase, TableSpec
from tests.servers_mariadb import mariadb_server
from tests.servers_postgres import postgres_server

from inquery.databases.engine import Limits
from inquery.databases.executor import execute as executor
from inquery.databases.registry import open_engine
from inquery.databases.transport.address import parse_address
from inquery.errors import QueryTimeout
from inquery.sql.policy import _mint

TABLES, COLUMNS = 1000, 20
LIMIT_S = 2.0
KINDS = ("integer", "text", "decimal", "date", "datetime")


def open_case(name: str, stack: ExitStack, folder: Path) -> EngineCase:
    """The contract suite's case of an engine, with a private server where it needs one."""
    if name == "postgres":
        from tests.contract.cases_postgres import PostgresCase

        return PostgresCase(stack.enter_context(postgres_server()))
    if name == "mariadb":
        from tests.contract.cases_mariadb import MariadbCase

        return MariadbCase(stack.enter_context(mariadb_server()))
    if name == "duckdb":
        from tests.contract.cases_duckdb import DuckdbCase

        return DuckdbCase(folder)
    if name == "chdb":
        from tests.contract.cases_chdb import ChdbCase

        return ChdbCase(folder)
    from tests.contract.cases_sqlite import SqliteCase

    return SqliteCase(folder)


def many_tables() -> list[TableSpec]:
    """A thousand tables of twenty columns, each but the first with a foreign key."""
    columns = [ColumnSpec("id", "integer", nullable=False), ColumnSpec("parent_id", "integer")]
    columns += [ColumnSpec(f"column_{i}", KINDS[i % len(KINDS)], comment=f"列 {i}") for i in range(COLUMNS - 2)]
    return [
        TableSpec(f"table_{i}", columns, [], ["id"], [("parent_id", f"table_{i - 1}", "id")] if i else [], f"表 {i}")
        for i in range(TABLES)
    ]


@contextmanager
def attached(url: str) -> Iterator[str]:
    """A connection for the length of a block."""
    executor.attach(url, open_engine(parse_address(url)))
    try:
        yield url
    finally:
        executor.detach(url)


def introspection(case: EngineCase) -> dict[str, Any]:
    """Best of ten, each with a new session: seconds, and processor seconds of client, process and server together."""
    times, spent = [], []
    with attached(case.make_database(many_tables())) as url:
        for _ in range(10):
            started, before = time.perf_counter(), processor_seconds()
            catalog = asyncio.run(executor.introspect(url))
            times.append(time.perf_counter() - started)
            spent.append(processor_seconds() - before)
        assert len(catalog.tables) == TABLES
        assert all(len(table.columns) == COLUMNS for table in catalog.tables)
    return {"introspect_s": round(min(times), 2), "introspect_cpu_s": round(min(spent), 2)}


def processor_seconds() -> float:
    """What this process, everything below it and everything it has waited for have used."""
    parents: dict[int, int] = {}
    used: dict[int, int] = {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = file.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        pid = int(file.parent.name)
        parents[pid], used[pid] = int(fields[1]), sum(map(int, fields[11:15]))
    below = {os.getpid()}
    while more := {pid for pid, parent in parents.items() if parent in below} - below:
        below |= more
    return sum(used.get(pid, 0) for pid in below) / os.sysconf("SC_CLK_TCK")


def wide_rows(case: EngineCase, rows: int) -> str:
    """Rows of a number, two more and a text."""
    return f"SELECT s.n, s.n * 2 AS twice, s.n / 7.0 AS part, {case.text_of('s.n')} AS name FROM ({case.numbers_sql(rows)}) AS s"


def streaming(case: EngineCase, url: str, rows: int) -> dict[str, Any]:
    """All rows to a CSV file in a process of its own, whose memory is watched."""
    request = {"url": url, "dialect": case.dialect, "sql": wide_rows(case, rows)}
    command = [sys.executable, "-m", "benchmarks.databases", "--stream", json.dumps(request)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    found: dict[str, Any] = json.loads(done.stdout)
    assert found.pop("rows") == rows
    return found


def stream_to_csv(request: dict[str, str]) -> None:
    """The child of `streaming`: prints seconds and growth of memory, its own and its database process's."""
    unlimited = Limits(timeout_s=3600, rows=None, bytes=None, cell=None)
    with attached(request["url"]) as url, tempfile.TemporaryFile("w", encoding="utf-8", newline="") as file:
        list(executor.stream(url, _mint("SELECT 1", dialect=request["dialect"]), unlimited))
        before = _peak_mb()
        started, count, writer = time.perf_counter(), 0, csv.writer(file)
        for batch in executor.stream(url, _mint(request["sql"], dialect=request["dialect"]), unlimited):
            writer.writerows(batch.rows)
            count += len(batch.rows)
        seconds = time.perf_counter() - started
        growth = _peak_mb() - before
        child = max(map(_peak_mb, _children()), default=0)
    print(
        json.dumps(
            {"rows": count, "stream_s": round(seconds, 1), "growth_mb": round(growth), "process_mb": round(child)}
        )
    )


def _peak_mb(process: str = "self") -> float:
    # Not getrusage: its peak starts at that of the process that started this one.
    status = Path(f"/proc/{process}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def _children() -> list[str]:
    return [pid for file in Path("/proc/self/task").glob("*/children") for pid in file.read_text().split()]


def capped(case: EngineCase, url: str, rows: int) -> dict[str, Any]:
    """A thousand rows of the same statement, on a connection that is warm."""
    sql = _mint(wide_rows(case, rows), dialect=case.dialect)

    async def fetch() -> tuple[int, str | None, float]:
        await executor.execute(url, _mint("SELECT 1", dialect=case.dialect))
        started = time.perf_counter()
        result = await executor.execute(url, sql, limits=Limits(rows=1000), fresh=True)
        return result.row_count, result.truncated, time.perf_counter() - started

    with attached(url):
        count, truncated, seconds = asyncio.run(fetch())
    assert (count, truncated) == (1000, "rows")
    return {"cap_1000_s": round(seconds, 3)}


def runaway(case: EngineCase, url: str) -> dict[str, Any]:
    """From the start of an endless statement to its absence on the server."""

    async def end() -> None:
        try:
            await executor.execute(
                url, _mint(case.endless_sql, dialect=case.dialect), limits=Limits(timeout_s=LIMIT_S), fresh=True
            )
        except QueryTimeout:
            return
        raise AssertionError("an endless statement ended by itself")

    with attached(url):
        asyncio.run(executor.execute(url, _mint("SELECT 1", dialect=case.dialect)))
        started = time.perf_counter()
        asyncio.run(end())
        while case.running(url):
            time.sleep(0.01)
        return {"runaway_past_limit_s": round(time.perf_counter() - started - LIMIT_S, 2)}


def overhead(case: EngineCase, url: str) -> dict[str, Any]:
    """The median of small statements through the executor."""

    async def times() -> list[float]:
        found = []
        for number in range(200):
            started = time.perf_counter()
            await executor.execute(url, _mint(f"SELECT {number}", dialect=case.dialect), fresh=True)
            found.append(time.perf_counter() - started)
        return sorted(found)

    with attached(url):
        return {"small_query_ms": round(asyncio.run(times())[100] * 1000, 2)}


def measure(name: str, rows: int, wanted: list[str]) -> dict[str, Any]:
    """The wanted figures of one engine."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="iq-bench-")))
        case = open_case(name, stack, folder)
        url = case.make_database()
        measures: dict[str, Callable[[], dict[str, Any]]] = {
            "introspect": lambda: introspection(case),
            "small": lambda: overhead(case, url),
            "cap": lambda: capped(case, url, rows),
            "runaway": lambda: runaway(case, url),
            "stream": lambda: streaming(case, url, rows),
        }
        found: dict[str, Any] = {"engine": name}
        for measure_name in wanted:
            found |= measures[measure_name]()
        return found


MEASURES = ["introspect", "small", "cap", "runaway", "stream"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engines", nargs="+", default=["sqlite", "postgres", "mariadb", "duckdb", "chdb"])
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--measures", nargs="+", default=MEASURES, choices=MEASURES)
    parser.add_argument(
        "--results", type=Path, default=RESULTS / "databases.json", help="a file that figures are added to"
    )
    parser.add_argument("--stream", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.stream:
        stream_to_csv(json.loads(options.stream))
        return
    machine = facts()
    before: dict[str, Any] = json.loads(options.results.read_text("utf-8")) if options.results.exists() else {}
    kept: dict[str, dict[str, Any]] = {row["engine"]: row for row in before.get("rows", [])}
    settings = {"rows": options.rows, "tables": TABLES, "columns": COLUMNS, "limit_s": LIMIT_S}
    for name in options.engines:
        kept[name] = kept.get(name, {}) | measure(name, options.rows, options.measures)
        print(json.dumps(kept[name]), flush=True)
        keep(options.results, "databases", machine, settings, rows=list(kept.values()))


if __name__ == "__main__":
    main()
