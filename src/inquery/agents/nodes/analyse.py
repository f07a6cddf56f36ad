"""Says what the result means: facts computed in code, prose that quotes only them."""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import HumanMessage
from langgraph.runtime import Runtime
from sqlglot import exp

from inquery.agents.bilingual import say
from inquery.agents.context import Context, Kept
from inquery.agents.curator import compressed
from inquery.agents.emitting import emit, token
from inquery.agents.events import FactsEvent
from inquery.agents.outcomes.result_words import data_begins, first_day, ranked_by, tell_left_out, worded_columns
from inquery.agents.outcomes.rows import rows_of
from inquery.agents.outcomes.turns import question_of
from inquery.agents.questions.question_plan import told_of
from inquery.agents.state import State, Update, used_plan
from inquery.agents.state_types import fact_states
from inquery.agents.statements.lost_rows import count_lost, telling
from inquery.answers.answer import AnswerColumn, Fact
from inquery.answers.facts import compute_facts
from inquery.answers.formats import json_cell
from inquery.answers.number_check import SentenceGate, drop_unknown_numbers, known_numbers
from inquery.answers.plan_answer import plan_facts, plan_prose
from inquery.answers.prose import Beside, caveats_of, explain_result, led_by
from inquery.answers.prose_check import sentences_in
from inquery.errors import ModelUnavailable
from inquery.llm.privacy import shown_text
from inquery.llm.prompting import load_prompt
from inquery.sql.statement import Statement

_ASKS_TOTAL = re.compile(r"\b(?:totals?|sum|altogether|overall|in all|combined)\b|合计|总|一共|共计|加起来", re.I)


async def analyse(state: State, runtime: Runtime[Context]) -> Update:
    """Facts and an explanation of them."""
    context, language = runtime.context, state["language"]
    kept = await rows_of(context, state)
    statement = context.statement_of(kept.sql)
    columns = worded_columns(state, context, kept)
    left_out = await count_lost(context, statement, language) if statement and kept.rows else []
    beside = Beside(
        ranked=ranked_by(statement, context, language),
        repeated=statement is not None and next(statement.repeated(), None) is not None,
        assumed=say(language, "; ", "；").join(state["assumptions"]),
        left_out=telling(left_out),
    )
    lost = [
        Fact(kind="left_out", value=each.count, label=each.text, detail={"share": each.share, "of": each.of})
        for each in left_out
    ]
    since = first_day(state) or (await data_begins(context, statement) if statement and len(kept.rows) > 2 else None)
    adds_up = _adds_up(statement, question_of(state))
    excluded = tell_left_out(state, context, statement) if kept.rows else ""
    result = _Result(columns, kept.rows, kept.truncated, lost, since, adds_up, excluded)
    facts, text = _explained(state, context, result, beside)
    if context.profile and context.profile.analysis in {"none", "short"}:
        text = first_sentence(text)
    update: Update = {"warnings": [*state["warnings"], *(_as_sentence(each.text, language) for each in left_out)]}
    # Whoever tells an analyst how to write wants to read it, and no rule can write in a style.
    if context.settings.agent.prose == "model" or (context.profile and context.profile.prompt):
        text = await _told(state, runtime, kept, facts) or text
        update["usage"] = context.meter.snapshot()
    emit(runtime, FactsEvent(facts=facts, text=text))
    return {"facts": fact_states(facts), "text": text, **update}


def _as_sentence(text: str, language: str) -> str:
    return say(language, f"{text[:1].upper()}{text[1:]}.", f"{text}。")


def _adds_up(statement: Statement | None, question: str) -> bool:
    """Whether a total says something: of groups it does, of a list of seven beers and their strengths only if asked for."""
    if statement is None or statement.top is None or statement.top.select.find(exp.AggFunc) is not None:
        return True
    return _ASKS_TOTAL.search(question) is not None


@dataclass(frozen=True, slots=True)
class _Result:
    """A result with its columns in words, and facts of the rows it leaves out."""

    columns: Sequence[AnswerColumn]
    rows: list[list[Any]]
    truncated: str | None
    lost: list[Fact]
    since: datetime.date | None
    adds_up: bool = True
    left_out: str = ""
    """Values of the question whose rows are left out, in words."""


def _explained(state: State, context: Context, result: _Result, beside: Beside) -> tuple[list[Fact], str]:
    """Facts and prose; of a plan its own sentence, where it has one, with what must be known besides."""
    language, plan = state["language"], used_plan(state)
    columns, rows, truncated = result.columns, result.rows, result.truncated
    if plan is not None and rows and len(plan["columns"]) == len(columns):
        told = told_of(plan)
        facts = (
            plan_facts(told, columns, rows, truncated=truncated, today=context.day(), since=result.since) + result.lost
        )
        text = plan_prose(told, columns, rows, language)
        if text:
            caveats = caveats_of(facts, columns, rows, language, beside) if sentences_in(text) < 2 else ""
            return facts, say(language, " ", "").join(filter(None, (text, caveats)))
    else:
        whole = result.adds_up and not beside.repeated and not (beside.ranked and beside.ranked.cut)
        facts = compute_facts(columns, rows, truncated=truncated, today=context.day(), since=result.since, whole=whole)
        facts += result.lost
    text = explain_result(
        question_of(state), facts, columns, rows, language=language, truncated=truncated, beside=beside
    )
    return facts, led_by(plan.get("narrowed", "") if plan else result.left_out, text, columns, language)


def first_sentence(text: str) -> str:
    """The direct answer alone, for analysts that keep it short."""
    found = re.match(r".*?(?:[。！？]|[.!?](?=\s|$)|$)", text, re.S)
    return found.group() if found else text


async def _told(state: State, runtime: Runtime[Context], kept: Kept, facts: list[Fact]) -> str:
    """A model's explanation, less every sentence with a number that is not in the result; empty without a model."""
    context = runtime.context
    chat = context.chat_model() if context.here.privacy(context.settings) == "full" else None
    if chat is None:
        return ""
    rows = [[json_cell(cell) for cell in row] for row in kept.rows]
    prompt = load_prompt("explain_result", context.settings.prompts_folder).fill(
        question=question_of(state),
        language=say(state["language"], "English", "中文"),
        facts=shown_text("\n".join(fact.model_dump_json(exclude_none=True) for fact in facts), context.model),
        rows=shown_text(
            json.dumps(compressed([c.name for c in kept.columns], rows), ensure_ascii=False), context.model
        ),
        style=context.profile.prompt if context.profile else "",
    )
    # A number that is not in the result is never shown, not even for the moment until the text is whole.
    gate = SentenceGate(known_numbers(facts, kept.rows, [question_of(state)]), token(runtime))
    try:
        told = await chat.complete([HumanMessage(prompt)], usage=context.meter, on_token=gate.feed)
    except ModelUnavailable:
        return ""
    gate.end()
    clean, _ = drop_unknown_numbers(told, facts, kept.rows, [question_of(state)])
    return clean
