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
from inquery.agents.state import State, Update
from inquery.agents.state_types import fact_states
from inquery.answers.answer import Fact
from inquery.answers.facts import compute_facts
from inquery.answers.formats import json_cell
from inquery.answers.number_check import drop_unknown_numbers
from inquery.answers.prose import explain_result
from inquery.errors import ModelUnavailable
from inquery.llm.prompting import load_prompt


async def analyse(state: State, runtime: Runtime[Context]) -> Update:
    """Facts and an explanation of them."""
    context, language = runtime.context, state["language"]
    kept = await rows_of(context, state)
    facts = compute_facts(kept.columns, kept.rows, truncated=kept.truncated, today=context.day())
    text = explain_result(
        question_of(state), facts, kept.columns, kept.rows, language=language, truncated=kept.truncated
    )
    if context.profile and context.profile.analysis in {"none", "short"}:
        text = first_sentence(text)
    update: Update = {}
    if context.settings.agent.prose == "model":
        text = await _told(state, runtime, kept, facts) or text
        update["usage"] = context.meter.snapshot()
    assumed = say(language, " ", "").join(state["assumptions"])
    text = f"{assumed}{say(language, '. ', '。')}{text}" if assumed else text
    emit(runtime, FactsEvent(facts=facts, text=text))
    return {"facts": fact_states(facts), "text": text, **update}


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
        facts="\n".join(fact.model_dump_json(exclude_none=True) for fact in facts),
        rows=json.dumps(compressed([c.name for c in kept.columns], rows), ensure_ascii=False),
        style=context.profile.prompt if context.profile else "",
    )
    try:
        told = await chat.complete([HumanMessage(prompt)], usage=context.meter, on_token=token(runtime))
    except ModelUnavailable:
        return ""
    clean, _ = drop_unknown_numbers(told, facts, kept.rows, [question_of(state)])
    return clean
