"""The figures of a plan for somebody: a place among the runs, their rights, and a line in the audit log."""

from __future__ import annotations

import time

from inquery.agents.metric_desk import MetricDesk
from inquery.answers.answer import Answer
from inquery.api.auditing import write_audit
from inquery.api.identity import User
from inquery.api.shared import Shared
from inquery.errors import InqueryError
from inquery.metrics.plan_types import Plan
from inquery.store.audit import Deed


async def run_plan(here: Shared, user: User, desk: MetricDesk, plan: Plan) -> Answer:
    """Answer a plan at a desk that was opened under the user's policy; raises what the guard or the database says."""
    started, outcome, answer = time.perf_counter(), "ok", None
    try:
        async with here.runs.place(user):
            answer = await desk.answer(plan)
        return answer
    except InqueryError as error:
        outcome = error.code
        raise
    finally:
        ms = round((time.perf_counter() - started) * 1000, 1)
        sql, rows = (answer.sql, answer.row_count) if answer else (None, None)
        place = desk.context.here.id
        deed = Deed("metrics.query", user.id, user.name, user.address, "", place, outcome, sql, rows=rows, ms=ms)
        await write_audit(here.audit, deed)
