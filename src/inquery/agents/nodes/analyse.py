"""Says what the result means: facts computed in code, prose that quotes only them."""

from __future__ import annotations

import json
import re

from langchain_core.messages import HumanMessage
from langgraph.runtime import Runtime

from inquery.agents.bilingual import say
from inquery.agents.context import Context, Kept
from inquery.agents.curator import compressed
from inquery.agents.emitting import emit, token
from inquery.agents.events import FactsEvent
from inquery.agents.outcomes.rows import rows_of
from inquery.agents.outcomes.turns import question_of
from inquery.agents.questions.question_plan import told_of
from inquery.agents.state import State, Update, used_plan
from inquery.agents.state_types import fact_states
from inquery.answers.answer import Fact
from inquery.answers.facts import compute_facts
from inquery.answers.formats import json_cell
from inquery.answers.number_check import SentenceGate, drop_unknown_numbers, known_numbers
from inquery.answers.plan_answer import plan_facts, plan_prose
from inquery.answers.prose import explain_result
from inquery.errors import ModelUnavailable
from inquery.llm.privacy import shown_text
from inquery.llm.prompting import load_prompt


async def analyse(state: State, runtime: Runtime[Context]) -> Update:
    """Facts and an explanation of them."""
    context, language = runtime.context, state["language"]
    kept = await rows_of(context, state)
    facts, text = _planned(state, context, kept) or _explained(state, context, kept)
    if context.profile and context.profile.analysis in {"none", "short"}:
        text = first_sentence(text)
    update: Update = {}
    # Whoever tells an analyst how to write wants to read it, and no rule can write in a style.
    if context.settings.agent.prose == "model" or (context.profile and context.profile.prompt):
        text = await _told(state, runtime, kept, facts) or text
        update["usage"] = context.meter.snapshot()
    assumed = say(language, " ", "").join(state["assumptions"])
    text = f"{assumed}{say(language, '. ', '。')}{text}" if assumed else text
    emit(runtime, FactsEvent(facts=facts, text=text))
    return {"facts": fact_states(facts), "text": text, **update}


def _explained(state: State, context: Context, kept: Kept) -> tuple[list[Fact], str]:
    facts = compute_facts(kept.columns, kept.rows, truncated=kept.truncated, today=context.day())
    return facts, explain_result(
        question_of(state), facts, kept.columns, kept.rows, language=state["language"], truncated=kept.truncated
    )


def _planned(state: State, context: Context, kept: Kept) -> tuple[list[Fact], str] | None:
    """Facts and the sentence of a plan's result; a plain list is told as any other."""
    plan = used_plan(state)
    if plan is None or not kept.rows:
        return None
    told = told_of(plan)
    facts = plan_facts(told, kept.columns, kept.rows, truncated=kept.truncated, today=context.day())
    text = plan_prose(told, kept.rows, state["language"])
    return (facts, text) if text else (facts, _explained(state, context, kept)[1])


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
