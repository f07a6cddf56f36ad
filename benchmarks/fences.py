"""What a fence around row filters costs: statements over a filtered table with the fence and without, on each engine.

    python -m benchmarks.fences [--rows N] [--times N] [--only ENGINE ...]

Writes benchmarks/results/fences.json. Of each statement the guard's own text runs beside the same text without its fence,
in turn, and the ratio of the two medians is kept: that is what a filter's secrecy costs, whatever the machine. `fenced`
says whether the guard puts one there at all; where it does not, the ratio is of what it leaves out. PostgreSQL and
MariaDB are private servers, left out where they are not installed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.machine import RESULTS, facts, keep
from sqlglot import exp
from tests.contract.case import ColumnSpec, EngineCase, TableSpec
from tests.contract.conftest import connect
from tests.contract.running import unchecked
from tests.servers import NoServer
from tests.servers_mariadb import mariadb_server
from tests.servers_postgres import postgres_server

from inquery.databases.engine import Limits
from inquery.databases.executor import execute as executor
from inquery.sql import Catalog, Policy, check
from inquery.sql.dialects import grammar
from inquery.sql.guard.fences import fence_arguments
from inquery.sql.guard.wrapping import is_fenced

LIMITS = Limits(timeout_s=120, rows=None, bytes=None)
FILTERS = {
    "plain": "region = 'north'",
    "function": "lower(region) = 'north'",
    "subquery": "user_id IN (SELECT id FROM {allowed})",
}
STATEMENTS = {
    "one row by its key": "SELECT amount FROM orders WHERE id = {key}",
    "a sum": "SELECT sum(amount) AS s FROM orders WHERE amount > 500",
    "a pattern": "SELECT count(*) AS n FROM orders WHERE status LIKE 'pa%'",
    "groups of a computed column": "SELECT upper(status) AS st, sum(amount) AS s FROM orders GROUP BY upper(status)",
    "a join": "SELECT u.name, count(*) AS n FROM orders AS o JOIN users AS u ON u.id = o.user_id"
    " WHERE u.id < 50 GROUP BY u.name",
    "a join with a computed condition": "SELECT u.name, count(*) AS n FROM users AS u"
    " JOIN orders AS o ON o.user_id = u.id AND abs(o.amount) > 500 GROUP BY u.name",
}


def tables(rows: int) -> tuple[TableSpec, ...]:
    """Orders of a thousand users in four regions; a quarter of them may be seen."""
    places, states = ("north", "south", "east", "west"), ("paid", "open", "void")
    return (
        TableSpec(
            "orders",
            [
                ColumnSpec("id"),
                ColumnSpec("user_id"),
                ColumnSpec("region", "text"),
                ColumnSpec("status", "text"),
                ColumnSpec("amount"),
                ColumnSpec("note", "text"),
            ],
            [(i, i % 1000, places[i % 4], states[i % 3], i * 7 % 1000, f"note {i} of a row") for i in range(rows)],
            primary_key=["id"],
        ),
        TableSpec("users", [ColumnSpec("id"), ColumnSpec("name", "text")], [(i, f"u{i}") for i in range(1000)], ["id"]),
        TableSpec("allowed", [ColumnSpec("id")], [(i,) for i in range(0, 1000, 4)], ["id"]),
    )


def inserts(table: TableSpec) -> Iterator[str]:
    """Statements of some thousand rows each: drivers of engines for analysis take minutes for as many single ones."""
    for start in range(0, len(table.rows), 5000):
        rows = (
            ", ".join(f"'{cell}'" if isinstance(cell, str) else str(cell) for cell in row)
            for row in table.rows[start : start + 5000]
        )
        yield f"INSERT INTO {table.name} VALUES {', '.join(f'({row})' for row in rows)}"


@contextmanager
def opened(name: str, folder: Path) -> Iterator[EngineCase]:
    """An engine of the contract suite; raises NoServer where its server is not installed."""
    with ExitStack() as stack:
        if name == "postgres":
            from tests.contract.cases_postgres import PostgresCase

            yield PostgresCase(stack.enter_context(postgres_server()))
        elif name == "mariadb":
            from tests.contract.cases_mariadb import MariadbCase

            yield MariadbCase(stack.enter_context(mariadb_server()))
        elif name == "sqlite":
            from tests.contract.cases_sqlite import SqliteCase

            yield SqliteCase(folder)
        elif name == "duckdb":
            from tests.contract.cases_duckdb import DuckdbCase

            yield DuckdbCase(folder)
        else:
            from tests.contract.cases_chdb import ChdbCase

            yield ChdbCase(folder)


ENGINES = ("sqlite", "postgres", "mariadb", "duckdb", "chdb")


def both(text: str, dialect: str, catalog: Catalog, policy: Policy) -> tuple[str, str, bool]:
    """The statement with the fence and without, and whether the guard puts it there."""
    own = grammar(dialect)
    fence = own.facts.fence
    assert fence is not None
    # The filtered derived tables, as the guard wrote them.
    written = check(text, dialect=dialect, catalog=catalog, policy=policy).text
    tree = own.parse(written)[0]
    assert tree is not None
    name = next(iter(policy.row_filters)).rpartition(".")[2]
    inner = [
        select
        for table in tree.find_all(exp.Table)
        if table.name == name and table.parent and isinstance(select := table.parent.parent, exp.Select)
    ]
    fenced = any(is_fenced(select, fence) for select in inner)
    for select in inner:
        for key, value in fence_arguments(fence).items():
            select.set(key, value)
    with_fence = own.write(tree.copy())
    for select in inner:
        for key in fence_arguments(fence):
            select.set(key, None)
    return with_fence, own.write(tree), fenced


async def measured(case: EngineCase, url: str, rows: int, times: int) -> list[dict[str, Any]]:
    """Every filter and statement on one engine."""
    catalog = await executor.introspect(url)
    names = {table.name: table.full_name for table in catalog.tables}
    found = []
    for kind, condition in FILTERS.items():
        policy = Policy(row_filters={names["orders"]: condition.format(**names)})
        for title, statement in STATEMENTS.items():
            text = statement.format(key=rows // 8 * 4)
            *texts, fenced = both(text, case.dialect, catalog, policy)
            took: tuple[list[float], list[float]] = ([], [])
            for number in range(times + 1):
                for place, each in enumerate(texts):
                    started = time.perf_counter()
                    await executor.execute(url, unchecked(case, each), limits=LIMITS, fresh=True)
                    if number:
                        took[place].append((time.perf_counter() - started) * 1000)
            ms = [round(statistics.median(each), 2) for each in took]
            row = {
                "engine": case.name,
                "filter": kind,
                "statement": title,
                "fenced": fenced,
                "with_ms": ms[0],
                "without_ms": ms[1],
            }
            found.append({**row, "ratio": round(ms[0] / ms[1], 2)})
            print(json.dumps(found[-1]), flush=True)
    return found


def measure(rows: int, times: int, only: list[str]) -> dict[str, Any]:
    """All engines that are here."""
    found: list[dict[str, Any]] = []
    missing = []
    for name in only or ENGINES:
        with tempfile.TemporaryDirectory(prefix="iq-fences-") as folder, ExitStack() as stack:
            try:
                case = stack.enter_context(opened(name, Path(folder)))
            except NoServer as reason:
                missing.append(f"{name}: {reason}")
                continue
            url = case.make_database([replace(table, rows=()) for table in tables(rows)])
            case.run_as_admin(url, *(text for table in tables(rows) for text in inserts(table)))
            connect(stack, url)
            found += asyncio.run(measured(case, url, rows, times))
    return {"rows": found, "missing": missing}


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--times", type=int, default=7)
    parser.add_argument("--only", nargs="*", default=[], choices=ENGINES)
    parser.add_argument("--out", type=Path, default=RESULTS / "fences.json")
    args = parser.parse_args()
    machine = facts()
    figures = measure(args.rows, args.times, args.only)
    keep(args.out, "fences", machine, {"rows": args.rows, "times": args.times}, **figures)


if __name__ == "__main__":
    main()
