"""The end of a turn: what the thread keeps of it."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from langchain_core.messages import AIMessage

from inquery.agents.state import State
from inquery.cache.answer_key import CacheKey

KEPT_TURNS = 20


def question_of(state: Mapping[str, Any]) -> str:
    """The question to answer: with its clarification, else on its own, else as it was typed."""
    return state.get("enriched_question") or state.get("standalone_question") or state.get("question") or ""


def close_turn(state: State, *, key: CacheKey | None = None, **update: Any) -> dict[str, Any]:
    """The update that ends a turn: the reply as a message, and a line in the thread's history.

    `key` is what the caches know the answer by, so that a thumbs-down can find it there.
    """
    whole = {**state, **update}
    turn = {
        "question": whole.get("question", ""),
        "standalone": question_of(whole),
        "sql": whole.get("generated_sql", ""),
        "outcome": whole.get("outcome", ""),
        "intent": whole.get("intent", ""),
    }
    ended: dict[str, Any] = {
        **update,
        "messages": [AIMessage(content=whole.get("text", "") or "…")],
        "turns": [*state.get("turns", []), turn][-KEPT_TURNS:],
        "current_stage": "completed",
        "refresh": False,
        "route_decision": "end",
    }
    if whole.get("outcome") == "answered" and whole.get("generated_sql"):
        ended["last_answer"] = kept_answer(whole) | ({"key": asdict(key)} if key else {})
    return ended


def kept_answer(whole: Mapping[str, Any]) -> dict[str, Any]:
    """What a later turn may refer to."""
    result = whole.get("execution_result") or {}
    return {
        "question": whole.get("question", ""),
        "standalone": question_of(whole),
        "sql": whole.get("generated_sql", ""),
        "result_id": result.get("result_id"),
        "columns": result.get("columns", []),
        "connection_id": whole.get("connection_id", ""),
        "text": whole.get("text", ""),
        "chart": whole.get("chart_config") or {},
    }


def moment_text() -> str:
    """The moment, as state and caches hold it."""
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
