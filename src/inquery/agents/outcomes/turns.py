"""The end of a turn: what the thread keeps of it."""

from __future__ import annotations

import datetime
from typing import Unpack

from langchain_core.messages import AIMessage

from inquery.agents.state import State, Thread, Turn, Update, used_plan
from inquery.agents.state_types import LastAnswer, TurnRecord, key_state
from inquery.cache.answer_key import CacheKey

KEPT_TURNS = 20


def question_of(state: Turn) -> str:
    """The question to answer: with its clarification, else on its own, else as it was typed."""
    return state.get("enriched_question") or state.get("standalone_question") or state.get("question") or ""


def close_turn(state: State, *, key: CacheKey | None = None, **update: Unpack[Thread]) -> Update:
    """The update that ends a turn: the reply as a message, and a line in the thread's history.

    `key` is what the caches know the answer by, so that a thumbs-down can find it there.
    """
    whole: State = {**state, **update}
    turn: TurnRecord = {
        "question": whole.get("question", ""),
        "standalone": question_of(whole),
        "sql": whole.get("generated_sql", ""),
        "outcome": whole.get("outcome", ""),
        "intent": whole.get("intent", ""),
    }
    ended: Update = {
        **update,
        "messages": [AIMessage(content=whole.get("text", "") or "…")],
        "turns": [*state.get("turns", []), turn][-KEPT_TURNS:],
        "current_stage": "completed",
        "refresh": False,
        "route_decision": "end",
    }
    if whole.get("outcome") == "answered" and whole.get("generated_sql"):
        ended["last_answer"] = kept_answer(whole, key)
    return ended


def kept_answer(whole: State, key: CacheKey | None) -> LastAnswer:
    """What a later turn may refer to."""
    result = whole.get("execution_result") or {}
    last: LastAnswer = {
        "question": whole.get("question", ""),
        "standalone": question_of(whole),
        "sql": whole.get("generated_sql", ""),
        "result_id": result.get("result_id"),
        "columns": result.get("columns", []),
        "connection_id": whole.get("connection_id", ""),
        "text": whole.get("text", ""),
        "chart": whole.get("chart_config") or {},
    }
    if plan := used_plan(whole):
        last |= {"plan": plan["fields"], "planned": plan}
    if "p" in (judged := whole.get("judged") or {}):
        last["judged"] = {"p": judged["p"], "verified": judged.get("verified", False)}
    return last | {"key": key_state(key)} if key else last


def moment_text() -> str:
    """The moment, as state and caches hold it."""
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
