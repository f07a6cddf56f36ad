"""A person's own statement: checked like every other, capped, run anew, and told apart from one that was cut."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, replace

from inquery.aside import LONG_STATEMENT, run_aside
from inquery.databases.engine import Limits, Result
from inquery.databases.executor.execute import execute
from inquery.errors import SqlRefused, SqlSyntax
from inquery.settings import QuerySettings
from inquery.sql import Catalog, CheckedSql, Policy, check
from inquery.sql.quoting import explained


@dataclass(frozen=True, slots=True)
class OwnResult:
    """What a statement gave, and its text as it ran."""

    result: Result
    text: str


def limits_for(query: QuerySettings, rows: int | None) -> Limits:
    """The bounds of a statement of somebody who may ask for fewer rows than the settings allow, not for more."""
    return replace(Limits.of(query), rows=min(rows or query.rows, query.rows))


def check_own_sql(sql: str, *, catalog: Catalog, policy: Policy, limits: Limits) -> CheckedSql:
    """The statement capped by the limits; raises SqlRefused."""
    # One more row than is shown, so that a full result can be told from a cut one.
    cap = None if limits.rows is None else limits.rows + 1
    return check(sql, dialect=catalog.dialect, catalog=catalog, policy=replace(policy, row_cap=cap))


async def run_own_sql(
    connection_id: str,
    sql: str,
    *,
    catalog: Catalog,
    policy: Policy,
    limits: Limits,
    place: AbstractAsyncContextManager[object] | None = None,
) -> OwnResult:
    """Run a statement; raises what the guard or the database says. `place` is held while it runs, not while it is checked."""
    long = len(sql) > LONG_STATEMENT
    try:
        checked = await run_aside(long, check_own_sql, sql, catalog=catalog, policy=policy, limits=limits)
        async with place or nullcontext():
            return OwnResult(await execute(connection_id, checked, limits=limits, fresh=True), checked.text)
    except (SqlRefused, SqlSyntax) as error:
        told = await run_aside(long, explained, error, sql, dialect=catalog.dialect, catalog=catalog, policy=policy)
        if told is error:
            raise
        raise told from error
