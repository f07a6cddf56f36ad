"""Why a result may be empty by mistake: a value that is not there, or a period outside the column's range."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence

from sqlglot import exp

from inquery.agents.context import Context
from inquery.agents.outcomes.rows import run_checked
from inquery.agents.state import State
from inquery.agents.state_types import Fault, make_fault
from inquery.catalog.time_columns import time_columns, time_kind
from inquery.databases.engine import Limits, Result
from inquery.errors import InqueryError, Text
from inquery.sql import Table
from inquery.sql.statement import Filter, Place

RANGE_ROWS = 2_000_000
RANGE_S = 2.0
_RANGES = frozenset({"GTE", "GT", "LT", "LTE", "Between"})
_DAY = re.compile(r"^(\d{4}-\d{2}-\d{2})")


async def suspicion(state: State, context: Context, sql: str, result: Result) -> Fault | None:
    """A fault of class empty_result or wrong_time_column; a second empty result is believed."""
    empty = not result.rows or (len(result.rows) == 1 and all(cell in (None, 0) for cell in result.rows[0]))
    before = {error["class"] for error in state["error_history"]}
    if not empty or before & {"empty_result", "wrong_time_column"} or state["query_analysis"].get("what") == "sql":
        return None
    statement = context.statement_of(sql)
    filters = [(each, each.place) for each in statement.filters() if each.is_text and each.place] if statement else []
    return _absent_value(filters, context, sql) or await _outside(filters, context, sql)


def _absent_value(filters: Sequence[tuple[Filter, Place]], context: Context, sql: str) -> Fault | None:
    """A value that no row has; what is compared through a function or left out by NOT may well be none."""
    per_column = context.settings.knowledge.values_per_column
    for each, place in filters:
        values = context.stored(place.table.full_name, place.column)
        if each.operator not in {"EQ", "In"} or each.negated or not each.bare:
            continue
        if not values or len(values) >= per_column or each.literal in values:
            continue
        near = difflib.get_close_matches(each.literal, values, n=5, cutoff=0.3) or values[:5]
        message = f"no row has {place.column} = '{each.literal}'"
        return _fault("empty_result", message, sql, [f"{place.table.name}.{place.column} holds: {', '.join(near)}"])
    return None


async def _outside(filters: Sequence[tuple[Filter, Place]], context: Context, sql: str) -> Fault | None:
    """A period that lies outside what the column holds, where another time column could be meant."""
    for each, place in filters:
        table, found, known = place.table, _DAY.match(each.literal), place.table.column(place.column)
        if not found or known is None or time_kind(known) is None or each.operator not in _RANGES:
            continue
        others = [other.name for other in time_columns(table) if other.name != known.name]
        tables = [at.table for _, at in filters if at.table is not table]
        others += [f"{other.name}.{column.name}" for other in tables for column in time_columns(other)]
        if not others or (table.estimated_rows or 0) > RANGE_ROWS:
            continue
        span = await column_range(context, table, known.name)
        late = each.operator in {"GTE", "GT", "Between"}
        if span and (found.group(1) > span[1] if late else found.group(1) <= span[0]):
            message = f"{table.name}.{known.name} lies between {span[0]} and {span[1]}"
            return _fault("wrong_time_column", message, sql, [f"other time columns: {', '.join(others)}"])
    return None


async def column_range(context: Context, table: Table, column: str) -> tuple[str, str] | None:
    """The first and last day that a time column holds; None where it holds none or takes too long."""
    name = exp.column(exp.to_identifier(column, quoted=True))
    parts = [exp.to_identifier(part, quoted=True) for part in reversed(table.path)]
    source = exp.Table(**dict(zip(("this", "db", "catalog"), parts, strict=False)))
    query = exp.select(exp.Min(this=name), exp.Max(this=name.copy())).from_(source)
    try:
        result = await run_checked(context, query.sql(dialect=context.here.dialect), Limits(RANGE_S, 1))
    except InqueryError:
        return None
    low, high = result.rows[0] if result.rows else (None, None)
    return (str(low)[:10], str(high)[:10]) if low is not None and high is not None else None


def _fault(kind: str, message: str, sql: str, suggestions: list[str]) -> Fault:
    return make_fault(
        kind, Text("The result is empty.", "结果为空。"), sql=sql, message=message, suggestions=suggestions
    )
