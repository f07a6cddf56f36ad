"""Asks which reading is meant: interrupts and does nothing else, since the node runs again from its start."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime
from langgraph.types import interrupt

from inquery.agents.context import Context
from inquery.agents.questions.readings import answered
from inquery.agents.state import State


async def ask_user(state: State, runtime: Runtime[Context]) -> dict[str, Any]:
    """The reply makes the enriched question."""
    asking = state["clarification"]
    payload = {key: asking[key] for key in ("id", "question", "options")}
    return answered(state, interrupt({"kind": "clarification", **payload}))
