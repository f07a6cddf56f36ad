"""The answer of a run, made from its last state."""

from __future__ import annotations

from typing import get_args

from inquery.agents.bilingual import answer_language, say
from inquery.agents.context import Context, Kept
from inquery.agents.outcomes.provenance import confidence_of, graded
from inquery.agents.outcomes.result_words import worded_columns
from inquery.agents.state import State
from inquery.agents.state_types import AskedApproval, AskedBack, Executed, told_error
from inquery.answers.answer import (
    Alternative,
    Answer,
    AnswerColumn,
    CacheUse,
    ChartSpec,
    Fact,
    Option,
    Pending,
    Status,
    Usage,
)
from inquery.answers.formats import json_cell
from inquery.errors import InqueryError
from inquery.llm.writers import IN_PROCESS


def make_answer(state: State, context: Context, kept: Kept | None, *, ms: float) -> Answer:
    """The answer as every door sends it."""
    result = state.get("execution_result") or {}
    status = state.get("outcome") or "failed"
    answer = Answer(
        status=status if status in get_args(Status) else "failed",
        question=state.get("question", ""),
        language=state.get("language", "en"),
        sql=(state.get("generated_sql") or None) if status != "declined" else None,
        text=state.get("text", ""),
        reading=state.get("reading") or {},
        facts=[Fact(**fact) for fact in state.get("facts") or ()],
        chart=ChartSpec(**state["chart_config"]) if state.get("chart_config") else None,
        followups=list(state.get("recommended_questions") or ()),
        confidence=confidence_of(state),
        grade=graded(state),
        guess=(state.get("generated_sql") or None) if status == "declined" else None,
        alternatives=_alternatives(state),
        provenance=state.get("provenance") or {},
        cache=_cache(state),
        warnings=[*(state.get("warnings") or ()), *(state.get("assumptions") or ()), *_unheard(state, context)],
        steps=list(context.steps),
        usage=Usage(**context.meter.snapshot(), ms=round(ms, 1)),
        thread_id=state.get("thread_id", ""),
        run_id=context.run_id,
        connection_id=state.get("connection_id", ""),
        permission=context.policy.hash,
        error=state.get("error") or None,
        unverified=is_unverified(state),
    )
    if kept is not None and status == "answered":
        answer = _with_rows(answer, state, context, kept, result)
    return answer


def _alternatives(state: State) -> list[Alternative]:
    """The other readings that the judge found worth showing."""
    return [
        Alternative(
            sql=other["sql"],
            confidence=other["confidence"],
            text=other["text"],
            columns=other["columns"],
            words=[AnswerColumn(**column) for column in other.get("words", [])],
            rows=other["preview"],
            row_count=other["row_count"],
        )
        for other in (state.get("judged") or {}).get("others", [])
    ]


def _unheard(state: State, context: Context) -> list[str]:
    """What a custom analyst is told and the embedded model cannot heed: it reads schemas and questions alone."""
    told = context.profile is not None and bool(context.profile.prompt.strip())
    if not told or context.model.provider not in IN_PROCESS or state.get("outcome") != "answered":
        return []
    return [
        say(
            state.get("language", "en"),
            "The embedded model does not read this analyst's instructions; its tables, chart and language settings apply.",
            "内置模型不读取该分析师的指示；其表范围、图表与语言设置仍然有效。",
        )
    ]


def is_unverified(state: State) -> bool:
    """Whether a statement passed every check and only its database was not there to run it."""
    return (state.get("error") or {}).get("class") == "connection" and bool(state.get("generated_sql"))


def _with_rows(answer: Answer, state: State, context: Context, kept: Kept, result: Executed) -> Answer:
    """The answer with the rows of the page that was asked for, or all."""
    rows = kept.rows
    if (state.get("pagination") or {}).get("page"):
        size, page = result.get("page_size", len(rows)), result.get("page", 1)
        rows = rows[(page - 1) * size : page * size]
    shown = {
        "columns": worded_columns(state, context, kept),
        "rows": [[json_cell(cell) for cell in row] for row in rows],
        "row_count": len(kept.rows),
        "truncated": kept.truncated,
        "total_count": result.get("counted", len(kept.rows) if kept.truncated != "rows" else None),
        "result_id": result.get("result_id"),
    }
    return answer.model_copy(update=shown)


def _cache(state: State) -> CacheUse | None:
    level = state.get("cache_hit_type")
    if not state.get("cache_hit"):
        return {"level": "semantic"} if level == "semantic" else None
    return {"level": level, "as_of": state["as_of"]} if level else None


def pending_of(value: AskedBack | AskedApproval, interrupt_id: str) -> Pending:
    """What an interrupt waits for."""
    if value["kind"] == "approval":
        return Pending(id=interrupt_id, kind="approval", sql=value["sql"], estimate=value["estimate"])
    options = [Option(**option) for option in value["options"]]
    return Pending(id=interrupt_id, kind="clarification", question=value["question"], options=options)


def waiting(state: State, context: Context, pending: Pending, *, ms: float) -> Answer:
    """The answer of a run that waits for a person."""
    answer = make_answer(state | {"outcome": pending.kind}, context, None, ms=ms)
    text = pending.question
    if pending.kind == "approval":
        zh = state.get("language") == "zh"
        text = "执行前需要您的批准。" if zh else "This statement needs your approval before it runs."
    return answer.model_copy(update={"pending": pending, "text": text, "sql": pending.sql or answer.sql})


def failed(question: str, error: InqueryError, context: Context, thread_id: str, *, ms: float) -> Answer:
    """The answer of a run that an error ended."""
    language = answer_language(question, context.settings.language)
    told = told_error(error, language)
    return Answer(
        status="failed",
        question=question,
        language=language,
        text=told["message"],
        error=told,
        steps=list(context.steps),
        usage=Usage(**context.meter.snapshot(), ms=round(ms, 1)),
        thread_id=thread_id,
        run_id=context.run_id,
        connection_id=context.source.id if context.source else "",
        permission=context.policy.hash,
    )
