"""A statement that somebody wrote: their right to do so, the guard, a place among the runs, and the audit log."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from inquery.agents.sources import Source
from inquery.api.access import source_of
from inquery.api.auditing import write_audit
from inquery.api.identity import User
from inquery.api.rights import RIGHTS
from inquery.api.shared import Shared
from inquery.databases.engine import Limits, Result
from inquery.databases.executor.execute import execute
from inquery.errors import Forbidden, InqueryError
from inquery.sql import check
from inquery.sql.quoting import quoting_explained
from inquery.store.audit import Deed


@dataclass(frozen=True, slots=True)
class Ran:
    """What a statement gave, and its text as it ran."""

    source: Source
    result: Result
    text: str


async def run_statement(here: Shared, user: User, connection: str | None, sql: str, rows: int | None = None) -> Ran:
    """Run a statement under the user's policy of now; raises what the guard or the database says."""
    started, outcome, count, place = time.perf_counter(), "ok", None, connection or ""
    try:
        if not user.may(RIGHTS["sql"].role):
            raise Forbidden("sql")
        source, policy = await source_of(here, user, connection)
        place, query = source.id, here.settings.query
        most = min(rows or query.rows, query.rows)
        # One more row than is shown, so that a full result can be told from a cut one.
        capped = replace(policy, row_cap=most + 1)
        limits = Limits(query.timeout_s, most, query.bytes, query.cell)
        with quoting_explained(sql, dialect=source.dialect, catalog=source.catalog, policy=policy):
            checked = check(sql, dialect=source.dialect, catalog=source.catalog, policy=capped)
            async with here.runs.place(user):
                result = await execute(source.id, checked, limits=limits, fresh=True)
        count = result.row_count
        return Ran(source, result, checked.text)
    except InqueryError as error:
        outcome = error.code
        raise
    finally:
        ms = round((time.perf_counter() - started) * 1000, 1)
        entry = Deed("sql.run", user.id, user.name, user.address, "", place, outcome, sql, rows=count, ms=ms)
        await write_audit(here.audit, entry)
