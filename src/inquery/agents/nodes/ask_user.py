"""Asks which reading is meant: interrupts and does nothing else, since the node runs again from its start."""

from __future__ import annotations

from langgraph.runtime import Runtime
from langgraph.types import interrupt

from inquery.agents.context import Context
from inquery.agents.questions.readings import answered
from inquery.agents.state import State, Update
from inquery.agents.state_types import AskedBack


async def ask_user(state: State, runtime: Runtime[Context]) -> Update:
    """The reply makes the enriched question."""
    asking = state["clarification"]
    waiting: AskedBack = {
        "kind": "clarification",
        "id": asking["id"],
        "question": asking["question"],
        "options": asking["options"],
    }
    return answered(state, interrupt(waiting))
