"""Reads what columns hold, through the guard and the executor: frequent values as samples, text values for the index."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
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
            for column in table.columns:
                await _read(connection_id, catalog, table, column, policy or Policy(), per_column, found)
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


async def _read(
    connection_id: str, catalog: Catalog, table: Table, column: Column, policy: Policy, per_column: int, found: Gathered
) -> None:
    family = type_family(column.type)
    if private(column.name) or family == "other":
        return
    textual = family in {"text", ""}
    sql = statement(table, column, catalog.dialect, limit=max(SAMPLES, per_column) if textual else SAMPLES)
    try:
        checked = check(sql, dialect=catalog.dialect, catalog=catalog, policy=replace(policy, row_cap=None))
        result = await execute(connection_id, checked, limits=Limits(TIMEOUT_S, max(SAMPLES, per_column)), fresh=True)
    except (SqlRefused, SqlFixable, SqlDenied, QueryLimit):
        return
    read = [row[0] for row in result.rows if row[0] is not None and not isinstance(row[0], bytes | memoryview)]
    place = (table.full_name, column.name)
    found.samples[place] = tuple(text for value in read[:SAMPLES] if len(text := spelt(value)) <= LONGEST_VALUE)
    texts = [value for value in read if isinstance(value, str) and 0 < len(value) <= LONGEST_VALUE]
    if texts:
        found.values[place] = texts[:per_column]


def statement(table: Table, column: Column, dialect: str, *, limit: int) -> str:
    """Values of a column, most frequent first; keys in their own order, large tables in part."""
    name = exp.column(exp.to_identifier(column.name, quoted=True))
    source = exp.select(name.as_("v", quoted=True)).from_(table_named(table)).where(name.is_(exp.null()).not_())
    alone = column.primary_key and sum(c.primary_key for c in table.columns) == 1
    value = exp.column(exp.to_identifier("v", quoted=True))
    if alone:
        return source.order_by(name.copy()).limit(limit).sql(dialect)
    if MEASURED.search(column.type):
        source = source.limit(GLANCE)
    elif (table.estimated_rows or 0) > LARGE:
        source = source.limit(PART)
    number = exp.to_identifier("n", quoted=True)
    counted = exp.select(value, exp.alias_(exp.Count(this=exp.Star()), number)).from_(source.subquery("part"))
    ordered = counted.group_by(value.copy()).order_by(exp.column(number.copy()).desc(), value.copy())
    return ordered.limit(limit).sql(dialect)


def table_named(table: Table) -> exp.Table:
    """A table of the catalogue as a statement names it."""
    parts: list[Any] = [exp.to_identifier(part, quoted=True) for part in reversed(table.path)]
    return exp.Table(**dict(zip(("this", "db", "catalog"), parts, strict=False)))


def spelt(value: object) -> str:
    """A value as a person writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)
