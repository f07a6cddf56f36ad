"""Runs the statement: the one node that executes, and it checks again under the policy of now."""

from __future__ import annotations

from dataclasses import replace

from langgraph.runtime import Runtime

from inquery.agents.context import Context
from inquery.agents.emitting import emit
from inquery.agents.nodes.check_sql import refused
from inquery.agents.outcomes.entries import rows_event
from inquery.agents.outcomes.rows import check_again, kept_of, limits_of, run_checked, store_result
from inquery.agents.questions.readings import assumptions_of
from inquery.agents.state import State, Update, used_plan
from inquery.agents.state_types import Executed
from inquery.agents.statements.candidate_choice import choose_candidate
from inquery.agents.statements.emptiness import suspicion
from inquery.databases.engine import Result
from inquery.errors import InqueryError, QueryLimit, SqlFailed
from inquery.llm.writer import Candidate

VOTE_S = 1.0
VOTE_ROWS = 2_000_000
"""Candidates are compared by running them only where the tables they read are no larger than this in all."""


async def run_sql(state: State, runtime: Runtime[Context]) -> Update:
    """The result, described; its rows go to the result store."""
    context, sql = runtime.context, state["generated_sql"]
    try:
        result, sql, agreement = await _result(state, context)
    except InqueryError as error:
        return refused(state, context, error, sql) | {"execution_result": {"success": False}}
    kept = kept_of(result, sql)
    counted = await _counted(context, sql, kept.truncated)
    described = await store_result(context, state.get("thread_id", ""), kept, result.ms)
    if counted is not None:
        described["counted"] = counted
    if result.as_of:
        described["as_of"] = result.as_of
    update: Update = {
        "generated_sql": sql,
        "candidates": [c | {"status": "used"} if c["sql"] == sql else c for c in state["candidates"]],
        "execution_result": described | _paged(state, context, described["row_count"]),
        "agreement": round(agreement, 4),
        "assumptions": _assumed(state, context, sql),
        "current_stage": "analysis",
        "route_decision": "analyse",
    }
    doubt = await suspicion(state, context, sql, result) if used_plan(state) is None else None
    if doubt is not None:
        doubt["result"] = update["execution_result"]
        return update | {
            "error_history": [*state["error_history"], doubt],
            "current_stage": "error_recovery",
            "route_decision": "recover",
        }
    emit(runtime, rows_event(described))
    context.pool.merge("executed", True)
    return update


async def _counted(context: Context, sql: str, truncated: str | None) -> int | None:
    """The rows of the whole result, where they are wanted and were cut; a count that fails is no reason to fail."""
    if not context.count_rows or truncated != "rows":
        return None
    try:
        result = await run_checked(context, f"SELECT COUNT(*) AS counted FROM ({sql}) AS whole_result")
    except InqueryError:
        return None
    return int(result.rows[0][0])


async def _result(state: State, context: Context) -> tuple[Result, str, float]:
    sql = state["generated_sql"]
    others = [c for c in state["candidates"] if c["status"] == "new"]
    fresh = bool(state.get("refresh"))
    if not others or context.settings.agent.approval != "never" or not _cheap(state, context):
        return await run_checked(context, sql, fresh=fresh), sql, 1.0
    current = [c for c in state["candidates"] if c["status"] == "current"]
    ordered = [Candidate(c["sql"], c["score"], c["why"]) for c in [*current, *others]]

    async def run(text: str) -> Result:
        if text == sql:
            return await run_checked(context, text, fresh=fresh)
        try:
            return await run_checked(context, text, replace(limits_of(context), timeout_s=VOTE_S))
        except QueryLimit as error:
            raise SqlFailed(error.detail) from error

    choice = await choose_candidate(ordered, run)
    best = choice.best
    if best.result is None:
        raise best.error or SqlFailed()
    return best.result, best.candidate.sql, choice.agreement


def _assumed(state: State, context: Context, sql: str) -> list[str]:
    """What the statement that ran took for granted: candidates may take different readings."""
    if not state["clarification"].get("left_open"):
        return state["assumptions"]
    return assumptions_of(state, {f"{'.'.join(path)}.{column}" for path, column in check_again(context, sql).columns})


def _cheap(state: State, context: Context) -> bool:
    tables = context.here.catalog.by_name
    names = state["validation_result"].get("tables", [])
    return sum(tables[name].estimated_rows or 0 for name in names if name in tables) <= VOTE_ROWS


def _paged(state: State, context: Context, total: int) -> Executed:
    """Which page is shown, of the rows that were fetched."""
    wanted = state.get("pagination") or {}
    page, size = max(1, wanted.get("page", 1)), wanted.get("page_size") or context.settings.query.page_size
    pages = max(1, -(-total // size))
    return {
        "page": page,
        "page_size": size,
        "total_count": total,
        "total_pages": pages,
        "has_next": page < pages,
        "has_prev": page > 1,
    }
