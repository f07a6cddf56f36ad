"""Makes a follow-up a question of its own: by rules, with a chat model only where no rule reads it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from langchain_core.messages import HumanMessage
from langgraph.runtime import Runtime
from pydantic import BaseModel

from inquery.agents.context import Context
from inquery.agents.nodes.describe_data import mentioned
from inquery.agents.questions.other_messages import without_manners
from inquery.agents.questions.question_plan import parts_named, turn_question
from inquery.agents.state import State, Update
from inquery.agents.state_types import PlannedStatement, make_candidate
from inquery.agents.statements.edits import limited, sorted_as
from inquery.aside import run_aside
from inquery.errors import ModelUnavailable
from inquery.llm.prompting import load_prompt
from inquery.llm.token_count import last_tokens

if TYPE_CHECKING:
    from inquery.agents.questions.followup import Edit

SHOWN_TURNS = 4
SUMMARY_TOKENS = 500


class Rewritten(BaseModel):
    """The message as one question that can be understood on its own."""

    question: str


async def rewrite_followup(state: State, runtime: Runtime[Context]) -> Update:
    """The standalone question, or the last statement edited."""
    context, message = runtime.context, without_manners(state["question"])
    if state["query_analysis"].get("what") == "again":
        return {"route_decision": "detect_fast_mode"}
    before = _before(state)
    if not before:
        return {"route_decision": "detect_fast_mode"}
    # Here, since its patterns take 20 ms to compile, and the first question of a thread follows nothing.
    from inquery.agents.questions.followup import dated_question, merge_followup, stands_alone

    glossary = context.here.glossary
    long = context.is_long(message + before)
    seen = context.here.seen(context.rules)
    topical = await run_aside(
        long, lambda: bool(glossary.metrics_in(message)) or bool(mentioned(message, context, seen))
    )
    named = None if long else await asyncio.to_thread(parts_named, message, context)
    if stands_alone(message, named=named, topical=topical):
        return {"route_decision": "detect_fast_mode"}
    edit = await run_aside(
        long,
        merge_followup,
        message,
        before,
        match=_matcher(context),
        today=context.day(),
        metrics=lambda text: [word for word, _ in glossary.metrics_in(text)],
    )
    if planned := await _turned(state, context, before):
        question = edit.question if edit else planned["text"]
        if edit and edit.kind == "period" and planned["now"] and not planned["then"]:
            # `The same period last year` says nothing by itself: the days that it came to do.
            question = dated_question(before, planned["now"], context.day())
        return {
            "standalone_question": question,
            "plan": planned,
            "candidates": [make_candidate(planned["sql"], why=planned["text"])],
            "schema_info": {"tables": [table.full_name for table in seen.tables]},
            "route_decision": "write_sql",
        }
    if edit and edit.kind in {"top", "sort"}:
        sql = _edited(state, edit, before, context.here.dialect)
        if sql:
            candidate = make_candidate(sql, why=edit.kind)
            tables = [table.full_name for table in seen.tables]
            return {
                "standalone_question": edit.question,
                "candidates": [candidate],
                "schema_info": {"tables": tables},
                "route_decision": "write_sql",
            }
    question = edit.question if edit else await _asked(state, context, before)
    return {"standalone_question": question, "route_decision": "detect_fast_mode"}


async def _turned(state: State, context: Context, before: str) -> PlannedStatement | None:
    """The plan of the last answer with the fields that the message changes, where all of it can be read so."""
    from inquery.agents.questions.followup import bare

    last = state.get("last_answer") or {}
    if "plan" not in last or last.get("standalone") != before or last.get("connection_id") != context.here.id:
        return None
    return await asyncio.to_thread(turn_question, bare(state["question"]), last["plan"], context, state["language"])


def _before(state: State) -> str:
    """The newest question about data in this thread."""
    for turn in reversed(state.get("turns", [])):
        if turn.get("intent") in {"data", "last_answer"} and turn.get("standalone") and turn.get("sql"):
            return str(turn["standalone"])
    return str((state.get("last_answer") or {}).get("standalone", ""))


def _matcher(context: Context) -> Any:
    return context.matches


def _edited(state: State, edit: Edit, before: str, dialect: str) -> str | None:
    last = state.get("last_answer") or {}
    if last.get("standalone") != before or not last.get("sql"):
        return None
    if edit.kind == "top":
        return limited(last["sql"], dialect, edit.number, ascending=edit.ascending, ranked=edit.ranked)
    return sorted_as(last["sql"], dialect, ascending=edit.ascending)


async def _asked(state: State, context: Context, before: str) -> str:
    """A chat model's rewriting where there is one, else both questions in one line."""
    from inquery.agents.questions.followup import bare

    message = state["question"]
    chat = context.chat_model()
    joined = f"{before.rstrip(' ?？。.')} ({bare(message)})"
    if chat is None:
        return joined
    turns = [f"user: {turn['standalone']}" for turn in state.get("turns", [])[-SHOWN_TURNS:]]
    if summary := state.get("summary", ""):  # "the stores of the first question" may be twenty turns ago
        turns.insert(0, f"earlier: {last_tokens(summary, SUMMARY_TOKENS)}")
    prompt = load_prompt("rewrite_followup", context.settings.prompts_folder).fill(
        history="\n".join(turns), question=message
    )
    try:
        found = await chat.complete_as([HumanMessage(prompt)], Rewritten, usage=context.meter)
    except ModelUnavailable:
        return joined
    return found.question.strip() or joined
