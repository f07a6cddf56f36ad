"""Begins a turn: every per-turn field is reset, whatever the last turn left."""

from __future__ import annotations

import copy
import re
from typing import cast

from langchain_core.messages import HumanMessage, RemoveMessage
from langgraph.runtime import Runtime

from inquery.agents.bilingual import answer_language
from inquery.agents.context import Context
from inquery.agents.curator import split, summarised, too_long
from inquery.agents.outcomes.turns import close_turn
from inquery.agents.questions.question_bounds import check_question
from inquery.agents.state import BLANK, State, Turn, Update
from inquery.agents.state_types import told_error
from inquery.errors import InqueryError
from inquery.llm.chat import text_of

_INVISIBLE = re.compile(r"[\u0000-\u0008\u000b-\u001f\u200b-\u200f\u202a-\u202e\u2060\ufeff]")


EMBEDDED_CHARACTERS = 2400
"""The embedded model reads 400 tokens of a question; English has five characters in one, Chinese less than one."""


async def begin_turn(state: State, runtime: Runtime[Context]) -> Update:
    """Reset, read the message, and bound the history."""
    settings = runtime.context.settings
    messages = state.get("messages", [])
    said = next((text_of(m) for m in reversed(messages) if isinstance(m, HumanMessage)), "")
    question = _INVISIBLE.sub(" ", said).strip()
    language = answer_language(question, settings.language)
    # The keys are BLANK's own, which no checker can follow through a loop.
    left = {key: copy.deepcopy(value) for key, value in BLANK.items() if state.get(key, value) != value}
    fresh: Turn = cast("Turn", left) | {
        "question": question,
        "standalone_question": question,
        "language": language,
        "model": runtime.context.model_named,
        "refresh": bool(state.get("refresh")) or runtime.context.refresh,
    }
    error = _refusal(question, _longest(runtime.context))
    if error is not None:
        told = told_error(error, language)
        begun: State = {**state, **fresh}
        return {**fresh, **close_turn(begun, outcome="failed", text=told["message"], error=told)}
    return {**fresh, **_bounded(state, settings.agent.history_messages, settings.agent.history_tokens)}


def _longest(context: Context) -> int:
    """The most characters of a question; what the embedded model could not read anyway is not linked for a second first."""
    most = context.settings.agent.question_characters
    alone = context.writer is None and context.model.provider == "embedded"
    return min(most, EMBEDDED_CHARACTERS) if alone else most


def _refusal(question: str, most: int) -> InqueryError | None:
    try:
        check_question(question, most)
    except InqueryError as error:
        return error
    return None


def _bounded(state: State, most: int, budget: int) -> Update:
    """Old messages go into the summary when the history is too long."""
    messages = state.get("messages", [])
    if not too_long(messages, most, budget):
        return {}
    old, _ = split(messages)
    gone = [RemoveMessage(id=message.id) for message in old if message.id]
    return {"messages": gone, "summary": summarised(state.get("summary", ""), old, budget // 4)}
