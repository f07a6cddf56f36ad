"""Runs the statement: the one node that executes, and it checks again under the policy of now."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from langgraph.runtime import Runtime

from inquery.agents.context import Context
from inquery.agents.emitting import emit
from inquery.agents.nodes.check_sql import refused
from inquery.agents.outcomes.entries import rows_event
from inquery.agents.outcomes.rows import check_again, kept_of, limits_of, run_checked, store_result
from inquery.agents.outcomes.turns import question_of
from inquery.agents.questions.readings import assumptions_of
from inquery.agents.state import State, Update, used_plan
from inquery.agents.state_types import Executed, make_candidate
from inquery.agents.statements.candidate_choice import Choice, Tried, choose_candidate
from inquery.agents.statements.emptiness import suspicion
from inquery.agents.truth.weighing import judge_choice
from inquery.agents.truth.withholding import withhold
from inquery.aside import run_aside
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
        long = context.is_long(question_of(state))
        choice, judged = await run_aside(long, judge_choice, await _choice(state, context), state, context)
        result, sql = choice.taken
    except InqueryError as error:
        return refused(state, error, sql) | {"execution_result": {"success": False}}
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
        "agreement": round(choice.agreement, 4),
        "assumptions": _assumed(state, context, sql),
        "judged": judged,
        "warnings": _warned(state["warnings"], judged.get("doubt", "")),
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
    if withheld := await run_aside(long, withhold, cast("State", {**state, **update}), context):
        return update | withheld
    emit(runtime, rows_event(described))
    return update


def _warned(warnings: list[str], doubt: str) -> list[str]:
    """What is told beside the answer, nothing twice: a doubt may give a warning as its reason."""
    return [*(text for text in warnings if text not in doubt), *([doubt] if doubt else [])]


async def _counted(context: Context, sql: str, truncated: str | None) -> int | None:
    """The rows of the whole result, where they are wanted and were cut; a count that fails is no reason to fail."""
    if not context.count_rows or truncated != "rows":
        return None
    try:
        result = await run_checked(context, f"SELECT COUNT(*) AS counted FROM ({sql}) AS whole_result")
    except InqueryError:
        return None
    return int(result.rows[0][0])


async def _choice(state: State, context: Context) -> Choice:
    """The statement in hand alone, or the candidates that were compared by running them."""
    sql = state["generated_sql"]
    others = [c for c in state["candidates"] if c["status"] == "new"]
    fresh = bool(state.get("refresh"))
    current = [c for c in state["candidates"] if c["status"] == "current"] or [make_candidate(sql)]
    if not others or context.settings.agent.approval != "never" or not _cheap(state, context):
        alone = Candidate(sql, current[0]["score"], current[0]["why"])
        return Choice((Tried(alone, 1.0, await run_checked(context, sql, fresh=fresh)),))
    ordered = [Candidate(c["sql"], c["score"], c["why"]) for c in [*current, *others]]

    async def run(text: str) -> Result:
        if text == sql:
            return await run_checked(context, text, fresh=fresh)
        try:
            return await run_checked(context, text, replace(limits_of(context), timeout_s=VOTE_S))
        except QueryLimit as error:
            raise SqlFailed(error.detail) from error

    return await choose_candidate(ordered, run)


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
