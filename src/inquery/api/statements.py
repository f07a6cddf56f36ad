"""A statement that somebody wrote: their right to do so, the guard, a place among the runs, and the audit log."""

from __future__ import annotations

import time

from inquery.agents.own_sql import OwnResult, limits_for, run_own_sql
from inquery.api.access import source_of
from inquery.api.auditing import write_audit
from inquery.api.identity import User
from inquery.api.rights import RIGHTS
from inquery.api.shared import Shared
from inquery.errors import Forbidden, InqueryError
from inquery.store.audit import Deed


async def run_statement(
    here: Shared, user: User, connection: str | None, sql: str, rows: int | None = None
) -> OwnResult:
    """Run a statement under the user's policy of now; raises what the guard or the database says."""
    started, outcome, count, place = time.perf_counter(), "ok", None, connection or ""
    try:
        if not user.may(RIGHTS["sql"].role):
            raise Forbidden("sql")
        source, policy = await source_of(here, user, connection)
        place, limits = source.id, limits_for(here.settings.query, rows)
        ran = await run_own_sql(
            source.id, sql, catalog=source.catalog, policy=policy, limits=limits, place=here.runs.place(user)
        )
        count = ran.result.row_count
        return ran
    except InqueryError as error:
        outcome = error.code
        raise
    finally:
        ms = round((time.perf_counter() - started) * 1000, 1)
        entry = Deed("sql.run", user.id, user.name, user.address, "", place, outcome, sql, rows=count, ms=ms)
        await write_audit(here.audit, entry)
