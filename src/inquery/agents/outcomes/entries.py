"""Answers as the caches keep them: all but the rows, which are fetched by id or read again."""

from __future__ import annotations

import datetime
from typing import Literal, cast

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from inquery.agents.context import Context, Kept
from inquery.agents.emitting import emit
from inquery.agents.events import CacheEvent, RowsEvent, SqlEvent
from inquery.agents.outcomes.cache_key import key_of
from inquery.agents.outcomes.result_words import worded_columns
from inquery.agents.outcomes.rows import describe_result, kept_of, run_checked, store_result
from inquery.agents.outcomes.turns import close_turn, moment_text, question_of
from inquery.agents.state import State, Update, used_plan
from inquery.agents.state_types import (
    ChartState,
    Executed,
    FactState,
    Judged,
    PlannedStatement,
    chart_state,
    fact_states,
)
from inquery.answers.answer import AnswerColumn, CacheLevel, ChartType, Provenance, Reading
from inquery.answers.chart_choice import choose_chart
from inquery.answers.facts import compute_facts
from inquery.cache.entry import CacheEntry
from inquery.errors import InqueryError


class CachedAnswer(TypedDict, total=False):
    """What the caches keep of a turn that was answered; each is a field of the state."""

    generated_sql: str
    facts: list[FactState]
    text: str
    chart_config: ChartState
    recommended_questions: list[str]
    reading: Reading
    provenance: Provenance
    warnings: list[str]
    assumptions: list[str]
    agreement: float
    judged: Judged
    plan: PlannedStatement


class SlimAnswer(CachedAnswer, total=False):
    """A cached answer without what its rows give again; `drawn` is the type of its chart, empty where it had none."""

    drawn: ChartType | Literal[""]


def make_entry(state: State) -> CacheEntry:
    """What a cache keeps of an answer."""
    answer: CachedAnswer = {
        "generated_sql": state["generated_sql"],
        "facts": state["facts"],
        "text": state["text"],
        "chart_config": state["chart_config"],
        "recommended_questions": state["recommended_questions"],
        "reading": state["reading"],
        "provenance": state["provenance"],
        "warnings": state["warnings"],
        "assumptions": state["assumptions"],
        "agreement": state["agreement"],
        "judged": _without_others(state["judged"]),
    }
    if plan := used_plan(state):
        answer["plan"] = plan  # its columns are called and shown as the plan says, and a follow-up turns it
    return {
        "sql": state["generated_sql"],
        "result_id": state["execution_result"]["result_id"],
        "answer": {**answer},
        "as_of": moment_text(),
    }


def _without_others(judged: Judged) -> Judged:
    """A judgement without the candidates that were not taken, which nobody reads again."""
    return cast("Judged", {key: value for key, value in judged.items() if key != "weighed"})


def _answer_in(entry: CacheEntry) -> SlimAnswer:
    """The answer of an entry: the caches keep any JSON, and what we put there is this."""
    return cast("SlimAnswer", dict(entry.get("answer", {})))


def slim(entry: CacheEntry) -> CacheEntry:
    """An entry for the thread's own state, which is written at every step: what the rows give again is left out."""
    answer = _answer_in(entry)
    if "plan" not in answer.get("reading", {}):
        answer.pop("facts", None)  # a plan's facts say more than its rows do
    chart = answer.pop("chart_config", {})
    answer["drawn"] = chart.get("type", "")
    return {**entry, "answer": {**answer}}


def _whole(answer: SlimAnswer, kept: Kept, state: State, context: Context) -> CachedAnswer:
    """A slim answer with its facts and chart made again from the rows."""
    if "drawn" not in answer:
        return answer
    drawn = answer.pop("drawn")
    of_entry: State = {**state, "generated_sql": kept.sql, "plan": answer.get("plan", {})}
    columns = worded_columns(of_entry, context, kept)
    facts = answer.get("facts") or fact_states(
        compute_facts(columns, kept.rows, truncated=kept.truncated, today=context.day())
    )
    language = state["language"]
    question, today = question_of(state), context.day()
    chart = choose_chart(question, columns, kept.rows, wanted=drawn, language=language, today=today) if drawn else None
    return answer | {
        "facts": facts,
        "chart_config": chart_state(chart) if chart else {},
    }


async def served(state: State, runtime: Runtime[Context], entry: CacheEntry, level: CacheLevel) -> Update | None:
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
    answer = _whole(_answer_in(entry), kept, state, context)
    answer.get("provenance", {}).pop("rows_as_of", None)  # `as_of` of the cache says when these were read
    emit(runtime, CacheEvent(level=level, as_of=datetime.datetime.fromisoformat(as_of)))
    emit(runtime, SqlEvent(sql=entry["sql"]))
    emit(runtime, rows_event(result))
    return close_turn(
        state,
        key=key_of(context, state),
        **answer,
        execution_result=result,
        cache_hit=True,
        cache_hit_type=level,
        as_of=as_of,
        outcome="answered",
    )


def rows_event(result: Executed) -> RowsEvent:
    """The rows of a result as an event."""
    columns = [AnswerColumn(**column) for column in result["columns"]]
    return RowsEvent(
        result_id=result["result_id"],
        columns=columns,
        preview=result["preview"],
        row_count=result["row_count"],
        truncated=result["truncated"],
    )
