"""Proves the statement safe and sound: what the question claims, the guard, every name, and the engine's estimate."""

from __future__ import annotations

from typing import cast

from langgraph.runtime import Runtime

from inquery.agents.bilingual import say
from inquery.agents.context import Context
from inquery.agents.emitting import emit
from inquery.agents.events import SqlEvent
from inquery.agents.outcomes.rows import check_aside
from inquery.agents.outcomes.turns import question_of
from inquery.agents.questions.spans import period_warnings
from inquery.agents.state import State, Update, used_plan
from inquery.agents.state_types import Validation, ask_approval, statement_estimate
from inquery.agents.statements.fanout import join_warnings
from inquery.agents.statements.faults import recorded
from inquery.agents.statements.left_out_rows import left_out_told
from inquery.agents.statements.numeric_date_terms import days_as_written
from inquery.agents.truth.sifting import Sifted, sift
from inquery.aside import LONG_STATEMENT, run_aside
from inquery.databases.engine import Estimate
from inquery.databases.executor.execute import explain
from inquery.databases.note_words import notes_on
from inquery.errors import InqueryError, Text
from inquery.sql import CheckedSql

LARGE = 1_000_000
MOST_NOTES = 3


async def check_sql(state: State, runtime: Runtime[Context]) -> Update:
    """Pass the statement on to approval or execution, or to recovery."""
    context = runtime.context
    long = any(len(c["sql"]) > LONG_STATEMENT for c in state["candidates"]) or context.is_long(question_of(state))
    sifted = await run_aside(long, sift, state, context)
    held = _held(state, runtime, sifted)
    state = cast("State", {**state, **held})  # no messages among them
    if sifted.fault is not None:
        return held | {
            "error_history": [*state["error_history"], sifted.fault],
            "current_stage": "error_recovery",
            "route_decision": "recover",
        }
    sql = state["generated_sql"]
    try:
        statement = await check_aside(context, sql)
        estimate = await _estimate(context, statement)
    except InqueryError as error:
        return {**held, **refused(state, error, sql)}
    read = await run_aside(len(sql) > LONG_STATEMENT, context.statement_of, sql)
    names = [".".join(path) for path in statement.tables]
    result: Validation = {
        "ok": True,
        "tables": names,
        "columns": [f"{'.'.join(path)}.{column}" for path, column in statement.columns],
        "ordered": statement.ordered,
        "estimate": statement_estimate(estimate),
        "advice": _advice(state, context, names, estimate),
    }
    wanted = _needs_approval(state, context, estimate)
    return {
        **held,
        "validation_result": result,
        "warnings": [
            *_broken_claims(sifted, state["language"]),
            *(join_warnings(read, context.here.glossary, state["language"]) if read else ()),
            *_period_warnings(state, sifted, context),
            *_read_notes(context, statement, state["language"]),
            *left_out_told(sql, context.here.seen(context.rules), context.here.glossary, state["language"]),
        ],
        "approval": ask_approval(sql, estimate, len(state["error_history"])) if wanted else {},
        "current_stage": "approval" if wanted else "sql_execution",
        "route_decision": "approve" if wanted else "run_sql",
    }


def _held(state: State, runtime: Runtime[Context], sifted: Sifted) -> Update:
    """The candidates as they stand beside the question, and the statement that is taken."""
    update: Update = {"candidates": sifted.candidates}
    if sifted.sql != state["generated_sql"]:
        emit(runtime, SqlEvent(sql=sifted.sql, attempt=state["retry_count"] + 1))
        why = next((c["why"] for c in sifted.candidates if c["sql"] == sifted.sql), "")
        update |= {"generated_sql": sifted.sql, "sql_why": why}
    return update


def _broken_claims(sifted: Sifted, language: str) -> list[str]:
    """What the statement surely breaks although no better one was found; joins have a warning of their own."""
    return [_sentence(each.reason, language) for each in sifted.broken if each.code != "multiplied"]


def _sentence(reason: Text, language: str) -> str:
    said = say(language, reason.en[:1].upper() + reason.en[1:], reason.zh)
    stop = say(language, ".", "。")
    return said if said.endswith(stop) else said + stop


def _period_warnings(state: State, sifted: Sifted, context: Context) -> list[str]:
    """Periods that the statement's dates leave out, where that is not told already."""
    # A plan may cut a period at today's day on purpose, and says so.
    if used_plan(state) is not None or any(each.code == "wrong_period" for each in sifted.broken):
        return []
    periods = state["query_analysis"].get("periods", [])
    sql = days_as_written(state["generated_sql"], context.here.seen(context.rules))
    return period_warnings(sql, periods, state["language"])


def _read_notes(context: Context, statement: CheckedSql, language: str) -> list[str]:
    """What the columns of a data file leave out, where the statement uses them."""
    used: dict[tuple[str, ...], set[str]] = {}
    for path, column in statement.columns:
        used.setdefault(path, set()).add(column)
    tables = context.here.seen(context.rules).by_path
    found = [text for path, names in used.items() if path in tables for text in notes_on(tables[path], names)]
    return [say(language, *text) for text in found[:MOST_NOTES]]


def refused(state: State, error: InqueryError, sql: str) -> Update:
    """The fault recorded and its candidate marked."""
    return {
        "validation_result": {"ok": False},
        "error_history": [*state["error_history"], recorded(error, state["current_stage"], sql)],
        "candidates": [c | {"status": "failed"} if c["status"] == "current" else c for c in state["candidates"]],
        "current_stage": "error_recovery",
        "route_decision": "recover",
    }


async def _estimate(context: Context, statement: CheckedSql) -> Estimate | None:
    """EXPLAIN, where approval or size makes it worth a round trip."""
    large = any((context.here.catalog.by_path[path].estimated_rows or 0) > LARGE for path in statement.tables)
    if context.here.down is not None or (context.settings.agent.approval == "never" and not large):
        return None
    return await explain(context.here.id, statement)


def _needs_approval(state: State, context: Context, estimate: Estimate | None) -> bool:
    agent = context.settings.agent
    if not context.can_ask or agent.approval == "never" or state["approval"].get("approved") == state["generated_sql"]:
        return False
    if agent.approval == "always":
        return True
    return estimate is not None and (estimate.rows or 0) > agent.approval_rows


def _advice(state: State, context: Context, names: list[str], estimate: Estimate | None) -> list[str]:
    """What would make the statement cheaper."""
    language = state["language"]
    scans = [
        name
        for name in (estimate.full_scans if estimate else ())
        if any(
            t.name == name or t.full_name == name
            for t in context.here.catalog.tables
            if (t.estimated_rows or 0) > LARGE
        )
    ]
    found = [say(language, f"reads all of {name}", f"需要扫描整张表 {name}") for name in scans]
    if scans and not state["query_analysis"].get("periods"):
        found.append(say(language, "a period would make it faster", "指定时间范围会更快"))
    return found
