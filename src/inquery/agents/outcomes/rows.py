"""Rows by their id; a result that expired is read again through the same gate."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

from inquery.agents.context import Context, Kept
from inquery.agents.state import State
from inquery.agents.state_types import Executed, column_states
from inquery.answers.answer import AnswerColumn
from inquery.answers.formats import json_cell
from inquery.aside import LONG_STATEMENT, run_aside
from inquery.databases.engine import Limits, Result
from inquery.databases.executor.execute import attached_ids, execute
from inquery.sql import CheckedSql, check

PREVIEW = 5


def limits_of(context: Context) -> Limits:
    """The bounds of one execution."""
    return Limits.of(context.settings.query)


def check_again(context: Context, sql: str) -> CheckedSql:
    """The statement under the policy of now; raises SqlRefused."""
    source = context.here
    return _checked(sql, source.dialect, _ById(source.catalog), context.rules.hash, _ById(context.rules))


async def check_aside(context: Context, sql: str) -> CheckedSql:
    """The same, off the event loop where the statement is long; asked again, it is known."""
    return await run_aside(len(sql) > LONG_STATEMENT, check_again, context, sql)


class _ById:
    """An object as a cache key: the very same one, kept alive by the cache itself."""

    def __init__(self, thing: Any) -> None:
        self.thing = thing

    def __hash__(self) -> int:
        return id(self.thing)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ById) and other.thing is self.thing


@lru_cache(maxsize=128)
def _checked(sql: str, dialect: str, catalog: _ById, policy_hash: str, policy: _ById) -> CheckedSql:
    # The guard is a pure function, so that asking it again for the same catalogue and policy says the same.
    return check(sql, dialect=dialect, catalog=catalog.thing, policy=policy.thing)


async def run_checked(context: Context, sql: str, limits: Limits | None = None, *, fresh: bool = False) -> Result:
    """The rows of a statement: checked, then executed."""
    statement = await check_aside(context, sql)
    run = context.run_id or None
    down = context.here.down
    if down is not None and context.here.id not in attached_ids():
        raise type(down)(down.detail, **down.fields)  # it was not even there to be attached
    return await execute(context.here.id, statement, limits=limits or limits_of(context), fresh=fresh, run=run)


def kept_of(result: Result, sql: str) -> Kept:
    """A result as the result store keeps it."""
    columns = tuple(AnswerColumn(name=column.name, kind=column.kind) for column in result.columns)
    return Kept(columns, [list(row) for row in result.rows], sql, result.truncated)


async def store_result(context: Context, thread_id: str, kept: Kept, ms: float) -> Executed:
    """Keep a result and describe it for the state, which holds no rows but a short preview."""
    # Whether a result may be taken away as a file is asked of the grant on its database.
    kept = replace(kept, connection_id=context.here.id)
    result_id = await context.services.results.save(context.user, thread_id, kept)
    context.kept[result_id] = kept
    return describe_result(kept, result_id, ms)


def describe_result(kept: Kept, result_id: str, ms: float) -> Executed:
    """A result as the state knows it."""
    return {
        "success": True,
        "columns": column_states(kept.columns),
        "preview": [[json_cell(cell) for cell in row] for row in kept.rows[:PREVIEW]],
        "row_count": len(kept.rows),
        "truncated": kept.truncated,
        "execution_time": round(ms, 1),
        "result_id": result_id,
    }


async def rows_of(context: Context, state: State) -> Kept:
    """The rows of the state's result, read again when they are gone."""
    result = state.get("execution_result") or {}
    result_id, sql = str(result.get("result_id") or ""), state.get("generated_sql", "")
    if result_id not in context.kept:
        kept = await context.services.results.load(result_id, context.user)
        context.kept[result_id] = kept or kept_of(await run_checked(context, sql), sql)
    return context.kept[result_id]
