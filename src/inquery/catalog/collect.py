"""Reads what columns hold, through the guard and the executor: frequent values as samples, text values for the index."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from sqlglot import exp

from inquery.catalog.key_names import type_family
from inquery.catalog.suitable import LONGEST_VALUE, private
from inquery.catalog.value_index import PER_COLUMN, Place, ValueIndex
from inquery.databases.engine import Limits, Progress, no_progress
from inquery.databases.executor.execute import execute
from inquery.errors import QueryLimit, SqlDenied, SqlFixable, SqlRefused
from inquery.sql import Catalog, Column, Policy, Table, check

SAMPLES = 8
LARGE = 1_000_000  # estimated rows above which only a part of a table is read
PART = 100_000
GLANCE = 1_000  # rows enough for samples of amounts and times, which are never categories
SMALL, SMALL_CELLS = 1_000, 50_000
"""Rows, and cells, up to which a table is read whole."""
TIMEOUT_S = 5.0
AT_ONCE = 4
MEASURED = re.compile(r"real|float|double|decimal|numeric|money|date|time", re.I)


@dataclass
class Gathered:
    """What was read: samples and indexable text by (full table name, column)."""

    samples: dict[Place, tuple[str, ...]] = field(default_factory=dict)
    values: dict[Place, list[str]] = field(default_factory=dict)


async def gather_values(
    connection_id: str,
    catalog: Catalog,
    *,
    tables: Sequence[Table] | None = None,
    policy: Policy | None = None,
    per_column: int = PER_COLUMN,
    progress: Progress = no_progress,
    at_once: int = AT_ONCE,
) -> Gathered:
    """Samples and values of some tables, `at_once` so many; columns that cannot be read are left out."""
    wanted = catalog.tables if tables is None else tables
    found = Gathered()
    turn = asyncio.Semaphore(at_once)
    done = 0

    async def one(table: Table) -> None:
        nonlocal done
        async with turn:
            if not table.is_empty:
                await _read_table(connection_id, catalog, table, policy or Policy(), per_column, found)
        done += 1
        progress("values", done, len(wanted))

    async with asyncio.TaskGroup() as group:
        for table in wanted:
            group.create_task(one(table))
    places = [(table.full_name, column.name) for table in wanted for column in table.columns]
    # Tasks end in any order; the index should not depend on it.
    return Gathered(
        {place: found.samples[place] for place in places if place in found.samples},
        {place: found.values[place] for place in places if place in found.values},
    )


async def collect(
    connection_id: str,
    catalog: Catalog,
    *,
    policy: Policy | None = None,
    per_column: int = PER_COLUMN,
    progress: Progress = no_progress,
) -> ValueIndex:
    """The value index of a connection, as far as the policy lets its values be seen."""
    found = await gather_values(connection_id, catalog, policy=policy, per_column=per_column, progress=progress)
    return ValueIndex.of(found.values, per_column=per_column)


async def _read_table(
    connection_id: str, catalog: Catalog, table: Table, policy: Policy, per_column: int, found: Gathered
) -> None:
    """What the columns of a table hold; of a small one by one statement, of another by one for each column.

    Three quarters of the time to read a system of 1,100 columns went into proving and running as many statements.
    """
    wanted = [each for each in table.columns if not private(each.name) and type_family(each.type) != "other"]
    limits = Limits(TIMEOUT_S, SMALL)
    if wanted and table.counted and _is_small(table, len(wanted)):
        rows = await _run(connection_id, whole_statement(table, wanted, catalog.dialect), catalog, policy, limits)
        if rows is not None:
            for at, column in enumerate(wanted):
                alone = _is_lone_key(table, column)
                _keep(table, column, by_frequency([row[at] for row in rows], keys=alone), per_column, found)
            return
    for column in wanted:
        textual = type_family(column.type) in {"text", ""}
        sql = statement(table, column, catalog.dialect, limit=max(SAMPLES, per_column) if textual else SAMPLES)
        limits = Limits(TIMEOUT_S, max(SAMPLES, per_column))
        rows = await _run(connection_id, sql, catalog, policy, limits, cut=True)
        if rows is not None:
            _keep(table, column, [row[0] for row in rows], per_column, found)


async def _run(
    connection_id: str, sql: str, catalog: Catalog, policy: Policy, limits: Limits, *, cut: bool = False
) -> Sequence[Sequence[Any]] | None:
    """The rows of a statement; None where it cannot be read, or not whole unless it may be `cut`."""
    try:
        checked = check(sql, dialect=catalog.dialect, catalog=catalog, policy=replace(policy, row_cap=None))
        result = await execute(connection_id, checked, limits=limits, fresh=True)
    except (SqlRefused, SqlFixable, SqlDenied, QueryLimit):
        return None
    return result.rows if cut or not result.truncated else None


def _keep(table: Table, column: Column, read: Sequence[Any], per_column: int, found: Gathered) -> None:
    place = (table.full_name, column.name)
    if type_family(column.type) == "flag":  # MySQL sends a bit as a byte
        read = [int.from_bytes(value) if isinstance(value, bytes) else value for value in read]
    values = [value for value in read if value is not None and not isinstance(value, bytes | memoryview)]
    found.samples[place] = tuple(text for value in values[:SAMPLES] if len(text := spelt(value)) <= LONGEST_VALUE)
    texts = [value for value in values if isinstance(value, str) and 0 < len(value) <= LONGEST_VALUE]
    if texts and type_family(column.type) in {"text", ""}:
        found.values[place] = texts[:per_column]
    elif texts:
        found.values[place] = texts[:SAMPLES]


def by_frequency(values: Iterable[Any], *, keys: bool = False) -> list[Any]:
    """Distinct values as a database gives them: most frequent first, then numbers before texts; keys in their own order."""
    counts = Counter(value for value in values if value is not None)
    return sorted(counts, key=lambda v: (0 if keys else -counts[v], isinstance(v, str), isinstance(v, bytes), v))


def whole_statement(table: Table, columns: Sequence[Column], dialect: str) -> str:
    """All rows of a small table, with some of its columns."""
    names = ", ".join(_quoted(column.name, dialect) for column in columns)
    return f"SELECT {names} FROM {table_named(table).sql(dialect)}"


def _is_small(table: Table, columns: int) -> bool:
    rows = table.estimated_rows or 0
    return rows <= SMALL and rows * columns <= SMALL_CELLS


def _is_lone_key(table: Table, column: Column) -> bool:
    return column.primary_key and sum(each.primary_key for each in table.columns) == 1


def statement(table: Table, column: Column, dialect: str, *, limit: int) -> str:
    """Values of a column, most frequent first; keys in their own order, large tables in part."""
    alone = _is_lone_key(table, column)
    part = GLANCE if MEASURED.search(column.type) else PART if (table.estimated_rows or 0) > LARGE else None
    # A column that is called as the count or the value is here would be taken for it.
    apart = part is not None or any(each.name.casefold() in {"v", "n"} for each in table.columns)
    pattern = _pattern(dialect, limit, part, alone, apart)
    # A tree for each of a thousand columns took a fifth of the time to read a database; their shapes are three.
    named = table_named(table).sql(dialect)
    return pattern.replace(_quoted(_COLUMN, dialect), _quoted(column.name, dialect)).replace(
        _quoted(_TABLE, dialect), named
    )


_TABLE, _COLUMN = "\u27e8table\u27e9", "\u27e8column\u27e9"
"""Places in a statement's pattern; no name of a database is called so, and if one were, the guard would not know it."""


@lru_cache(maxsize=256)
def _pattern(dialect: str, limit: int, part: int | None, alone: bool, apart: bool) -> str:
    """The statement of a column of a kind, with places for its name and its table's."""
    name = exp.column(exp.to_identifier(_COLUMN, quoted=True))
    table = exp.Table(this=exp.to_identifier(_TABLE, quoted=True))
    value, number = exp.to_identifier("v", quoted=True), exp.to_identifier("n", quoted=True)
    source = exp.select(name.as_("v", quoted=True)).from_(table).where(name.is_(exp.null()).not_())
    if alone:
        return source.order_by(name.copy()).limit(limit).sql(dialect)
    count = exp.alias_(exp.Count(this=exp.Star()), number)
    if apart:
        source = source.limit(part) if part is not None else source
        counted = exp.select(exp.column(value), count).from_(source.subquery("part")).group_by(exp.column(value.copy()))
    else:
        # Without a derived table: the guard reads half as much, and it reads everything twice.
        counted = source.select(count).group_by(name.copy())
    return counted.order_by(exp.column(number.copy()).desc(), exp.column(value.copy())).limit(limit).sql(dialect)


@lru_cache(maxsize=8192)
def _quoted(name: str, dialect: str) -> str:
    return exp.to_identifier(name, quoted=True).sql(dialect)


def table_named(table: Table) -> exp.Table:
    """A table of the catalogue as a statement names it."""
    parts: list[Any] = [exp.to_identifier(part, quoted=True) for part in reversed(table.path)]
    return exp.Table(**dict(zip(("this", "db", "catalog"), parts, strict=False)))


def spelt(value: object) -> str:
    """A value as a person writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)
