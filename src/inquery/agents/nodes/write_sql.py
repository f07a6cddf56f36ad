"""Has SQL written: one model call for up to n candidates; unused ones are taken before another call is made."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from langgraph.runtime import Runtime

from inquery.agents.context import Context
from inquery.agents.emitting import emit
from inquery.agents.events import SqlEvent
from inquery.agents.outcomes.cache_key import names_in
from inquery.agents.outcomes.turns import close_turn, question_of
from inquery.agents.questions.unanswerable import check_answerable, with_questions
from inquery.agents.state import State, Update
from inquery.agents.state_types import VERIFIED, Candidate, QuestionAnalysis, ask_back, make_candidate, told_error
from inquery.agents.statements.faults import recorded
from inquery.agents.statements.left_out_rows import leave_out_rows
from inquery.agents.statements.numeric_date_terms import write_numeric_dates
from inquery.agents.statements.ranking_figure import with_figure
from inquery.agents.statements.shown_names import show_names
from inquery.agents.statements.spelling import correct_spelling
from inquery.agents.statements.told_codes import tell_codes
from inquery.agents.statements.without_deleted import without_deleted
from inquery.agents.truth.read_claims import is_from_people
from inquery.aside import run_aside
from inquery.cache.answer_key import names_of
from inquery.cache.slots import same_slots
from inquery.catalog.value_index import ValueMatch
from inquery.errors import AnswerCut, BadOutput, InqueryError, ModelRefused, ModelUnavailable, Unanswerable, Unclear
from inquery.knowledge.narrowing import is_readable
from inquery.knowledge.samples import Sample
from inquery.llm.context_fit import fitted
from inquery.llm.writer import Candidate as WrittenCandidate
from inquery.llm.writer import Example, Failure, WriteRequest, verified_candidates
from inquery.llm.writers import IN_PROCESS
from inquery.sql.native import write_natively
from inquery.tracing import span

SCHEMA_SHARE = 0.6
"""Of a model's context, what the schema may take."""


async def write_sql(state: State, runtime: Runtime[Context]) -> Update:
    """The statement to check next."""
    context = runtime.context
    waiting = next((c for c in state["candidates"] if c["status"] == "current"), None)
    if waiting is not None:
        return _written(state, runtime, state["candidates"], waiting)
    absent = None
    try:
        found, samples = await _ask(state, context)
        if not any(sample.same for sample in samples) and context.model.provider in IN_PROCESS:
            periods = state["query_analysis"].get("periods", [])
            absent = await check_answerable(question_of(state), [each.sql for each in found], context, periods)
    except (Unanswerable, ModelRefused) as error:
        return await run_aside(context.is_long(question_of(state)), _declined, state, context, error)
    except ModelUnavailable as error:
        return _failed(state, context, error)
    except Unclear as error:
        return _asked_back(state, context, error)
    # A model that takes a statement which people approved for this very question is believed as they are.
    approved = {sample.sql for sample in samples if sample.same}
    found = [replace(c, why=VERIFIED) if c.sql in approved else c for c in found]
    long = context.is_long(question_of(state))
    planned = {state["plan"]["sql"]} if "sql" in state["plan"] else set()
    found = [
        c if c.sql in planned else replace(c, sql=await run_aside(long, _settled, c.sql, state, context)) for c in found
    ]
    failed = {c["sql"] for c in state["candidates"]}
    # A statement that failed already is only tried again when there is nothing else.
    fresh = [c for c in found if c.sql not in failed] or found[:1]
    made = [make_candidate(c.sql, "new", score=c.score, why=c.why, signs=c.signs) for c in fresh]
    made[0]["status"] = "current"
    provenance = state["provenance"] | {"samples": [sample.question for sample in samples]}
    update = _written(state, runtime, [*state["candidates"], *made], made[0])
    if absent is not None:
        missed: QuestionAnalysis = {"absent": {"en": absent.en, "zh": absent.zh}}
        update["query_analysis"] = state["query_analysis"] | missed
    return update | {"provenance": provenance, "usage": context.meter.snapshot()}


def _asked_back(state: State, context: Context, error: Unclear) -> Update:
    """The model's own question to the person, once; where nobody can reply it is why there is no answer.

    Unlike a doubt of the rules', there is no likelier reading to take, so that it is asked wherever a reply may come.
    """
    if not context.can_ask or state["clarification"].get("reply") is not None:
        return _declined(state, context, error)
    asking = ask_back("model", error.detail, [])
    spent = context.meter.snapshot()
    return {"clarification": asking, "usage": spent, "current_stage": "clarification", "route_decision": "ask_user"}


def _declined(state: State, context: Context, error: Unanswerable | Unclear | ModelRefused) -> Update:
    told = told_error(error, state["language"])
    text, questions = with_questions(told["message"], question_of(state), context, state["language"])
    return close_turn(
        state,
        outcome="declined",
        text=text,
        error=told,
        recommended_questions=questions,
        usage=context.meter.snapshot(),
    )


def _settled(sql: str, state: State, context: Context) -> str:
    """The statement in the engine's own words: values as stored, names beside keys, the figure that ranks, rows that count."""
    sql = write_natively(sql, context.here.dialect)
    seen = context.here.seen(context.rules)
    if statement := context.statement_of(sql):
        sql = correct_spelling(statement, question_of(state), state["values"], context)
    if statement := context.statement_of(sql):
        sql = show_names(statement, question_of(state), seen)
    if context.statement_of(sql) is None:
        return sql
    if (statement := context.statement_of(sql)) and not is_from_people(sql, state):
        sql = without_deleted(statement, question_of(state), context.here.glossary)
        if rows := context.statement_of(sql):
            sql = tell_codes(rows, question_of(state))
    sql = leave_out_rows(write_numeric_dates(sql, seen), seen, context.here.glossary)
    statement = context.statement_of(sql) if context.wanted.shape == "rows" else None
    measures = {each.expression: each.name for each in context.here.measures}
    return with_figure(statement, measures) if statement else sql


def _written(state: State, runtime: Runtime[Context], candidates: list[Candidate], current: Candidate) -> Update:
    emit(runtime, SqlEvent(sql=current["sql"], attempt=state["retry_count"] + 1))
    return {
        "candidates": candidates,
        "generated_sql": current["sql"],
        "sql_why": current["why"],
        "current_stage": "sql_validation",
        "route_decision": "check_sql",
    }


async def _ask(state: State, context: Context) -> tuple[list[WrittenCandidate], list[Example]]:
    failure = state["error_recovery_context"]
    samples = await _samples(state, context) if not failure else []
    plan = state["plan"]
    # What people verified comes first, then what code reads whole; a writer never invents a metric that is defined.
    if not failure and "sql" in plan and not any(sample.same for sample in samples):
        return [WrittenCandidate(plan["sql"], 1.0, plan["text"])], []
    request = await run_aside(context.is_long(question_of(state)), request_for, state, context, samples)
    if not failure and context.model.provider == "embedded" and (known_already := verified_candidates(request)):
        return known_already, samples  # so that verified questions are answered where no weights are installed
    writer = await context.sql_writer()
    with span("model", what="repair" if failure else "write", model=type(writer).__name__):
        if not failure:
            return await writer.write(request) or _nothing(), samples
        known = Failure(failure["failed_sql"], failure["error_type"], failure["message"], tuple(failure["suggestions"]))
        return await writer.repair(request, known) or _nothing(), samples


def _nothing() -> list[WrittenCandidate]:
    raise BadOutput("no statement")


def request_for(state: State, context: Context, samples: list[Example]) -> WriteRequest:
    """Everything the writer may use; schema details come from the catalogue, not from the state."""
    source, info = context.here, state["schema_info"]
    names = info.get("tables", [])
    relevance = [(table, column) for table, column in info.get("relevance", [])]
    view = fitted(source.view(names, relevance, context.rules), round(context.model.context_tokens * SCHEMA_SHARE))
    return WriteRequest(
        question=question_of(state),
        language=state["language"],
        dialect=source.dialect,
        schema=view,
        values=tuple(ValueMatch(**value) for value in state["values"]),
        samples=tuple(samples),
        template=state["template"] or None,
        glossary=_glossary(state, context),
        measures=source.measures,
        phrases=source.phrases(question_of(state)),
        analyst=context.profile.prompt if context.profile else "",
        surroundings=context.wanted.surroundings,
        today=context.day(),
        n=context.model.statements,
    )


def _glossary(state: State, context: Context) -> dict[str, str]:
    chosen = state["clarification"].get("reading", {})
    question = f"{chosen['metric']} {question_of(state)}" if "metric" in chosen else question_of(state)
    lines = dict(context.here.glossary.relevant(question, state["language"]))
    if "metric" in chosen:
        lines[chosen["phrase"]] = context.here.glossary.metrics[chosen["metric"]].definition
    return lines


async def _samples(state: State, context: Context) -> list[Example]:
    """Verified questions like this one; being late or unavailable is no reason to fail."""
    skipped = state["skip_sample_retrieval"] and context.model.provider != "embedded"
    if skipped or context.services.samples is None or not context.may_encode():
        return []
    known = context.settings.knowledge
    try:
        async with asyncio.timeout(known.sample_timeout_s):
            samples = await context.services.samples_for(context.here)
            if samples is None:
                return []
            found = await samples.find(
                context.here.id, question_of(state), k=known.samples, least=known.sample_score, user=context.user
            )
            return [
                Example(sample.question, sample.sql, sample.score, _asks_the_same(sample, state, context))
                for sample in found
                if is_readable(sample.sql, context.here.catalog, context.rules)
            ]
    except (TimeoutError, InqueryError):
        return []


def _asks_the_same(sample: Sample, state: State, context: Context) -> bool:
    """Whether an approved sample is this question in other words, as near as L2 asks for, with the same literals."""
    if not sample.verified or sample.score < context.settings.cache.semantic_threshold:
        return False
    return same_slots(
        question_of(state), sample.question, names_in(context, state), names_of(context.matches(sample.question))
    )


def _failed(state: State, context: Context, error: ModelUnavailable) -> Update:
    entry = recorded(error, "sql_generation")
    if isinstance(error, BadOutput) and not isinstance(error, AnswerCut):
        entry["class"] = "no_sql"  # another try may do better; an answer that was cut had one with more room already
    return {
        "error_history": [*state["error_history"], entry],
        "current_stage": "error_recovery",
        "usage": context.meter.snapshot(),
        "route_decision": "recover",
    }
