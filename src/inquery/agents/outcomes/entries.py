"""Answers as the caches keep them: all but the rows, which are fetched by id or read again."""

from __future__ import annotations

import datetime
from typing import Any

from langgraph.runtime import Runtime

from inquery.agents.context import Context, Kept
from inquery.agents.emitting import emit
from inquery.agents.events import CacheEvent, RowsEvent, SqlEvent
from inquery.agents.outcomes.cache_key import key_of
from inquery.agents.outcomes.rows import describe_result, kept_of, run_checked, store_result
from inquery.agents.outcomes.turns import close_turn, moment_text, question_of
from inquery.agents.state import State
from inquery.answers.answer import AnswerColumn
from inquery.answers.chart_choice import choose_chart
from inquery.answers.facts import compute_facts
from inquery.cache.entry import CacheEntry
from inquery.errors import InqueryError

KEPT = (
    "generated_sql", "facts", "text", "chart_config", "recommended_questions", "reading", "provenance", "warnings",
    "assumptions", "agreement",
)  # fmt: skip


def make_entry(state: dict[str, Any]) -> CacheEntry:
    """What a cache keeps of an answer."""
    result = state["execution_result"]
    return {
        "sql": state["generated_sql"],
        "result_id": result["result_id"],
        "answer": {key: state[key] for key in KEPT if key in state},
        "as_of": moment_text(),
    }


def slim(entry: CacheEntry) -> CacheEntry:
    """An entry for the thread's own state, which is written at every step: what the rows give again is left out."""
    answer = {key: value for key, value in entry.get("answer", {}).items() if key not in {"facts", "chart_config"}}
    drawn = entry.get("answer", {}).get("chart_config") or {}
    return {**entry, "answer": answer | {"drawn": drawn.get("type", "")}}


def _whole(answer: dict[str, Any], kept: Kept, question: str, today: datetime.date) -> dict[str, Any]:
    """A slim answer with its facts and chart made again from the rows."""
    if "drawn" not in answer:
        return answer
    drawn = answer.pop("drawn")
    facts = compute_facts(kept.columns, kept.rows, truncated=kept.truncated, today=today)
    chart = choose_chart(question, kept.columns, kept.rows, wanted=drawn) if drawn else None
    return answer | {
        "facts": [fact.model_dump() for fact in facts],
        "chart_config": chart.model_dump() if chart else {},
    }


async def served(state: State, runtime: Runtime[Context], entry: CacheEntry, level: str) -> dict[str, Any] | None:
    """The turn answered from an entry; None when its statement no longer passes or runs, which is a miss."""
    context = runtime.context
    as_of = str(entry["as_of"])
    result_id = str(entry.get("result_id") or "")
    kept = await context.services.results.load(result_id, context.user)
    if kept is not None:
        context.kept[result_id] = kept
        result = describe_result(kept, result_id, 0.0)
    else:
        try:
            fresh = await run_checked(context, entry["sql"])
        except InqueryError:
            return None
        kept = kept_of(fresh, entry["sql"])
        result = await store_result(context, state.get("thread_id", ""), kept, fresh.ms)
        as_of = moment_text()
    answer = _whole(dict(entry.get("answer", {})), kept, question_of(state), context.day())
    emit(runtime, CacheEvent(level=level, as_of=datetime.datetime.fromisoformat(as_of)))
    emit(runtime, SqlEvent(sql=entry["sql"]))
    emit(runtime, rows_event(result))
    return close_turn(
        state,
        key=key_of(context, state), **answer, execution_result=result, cache_hit=True, cache_hit_type=level, as_of=as_of,
        outcome="answered",
    )  # fmt: skip


def rows_event(result: dict[str, Any]) -> RowsEvent:
    """The rows of a result as an event."""
    columns = [AnswerColumn(**column) for column in result["columns"]]
    return RowsEvent(
        result_id=result["result_id"], columns=columns, preview=result["preview"], row_count=result["row_count"],
        truncated=result["truncated"],
    )  # fmt: skip
