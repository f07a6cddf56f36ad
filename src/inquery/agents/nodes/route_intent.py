"""Decides what a message wants, by rules."""

from __future__ import annotations

from langgraph.runtime import Runtime

from inquery.agents.context import Context
from inquery.agents.questions.intents import read_intent
from inquery.agents.state import State, Update
from inquery.agents.state_types import Intent, Successor, make_candidate

_NEXT: dict[Intent, Successor] = {
    "chat": "general_chat",
    "catalog": "describe_data",
    "last_answer": "use_last_answer",
    "data": "rewrite_followup",
}


async def route_intent(state: State, runtime: Runtime[Context]) -> Update:
    """The intent and the node that serves it; pasted SQL skips the writer."""
    found = read_intent(state["question"], state.get("last_answer"))
    update: Update = {
        "intent": found.intent,
        "query_analysis": {"what": found.what},
        "route_decision": _NEXT[found.intent],
    }
    if found.what == "sql" and found.intent == "data":
        sql = state["question"].strip().strip("`").removeprefix("sql").strip().rstrip(";")
        update |= {
            "candidates": [make_candidate(sql)],
            "generated_sql": sql,
            "schema_info": {"tables": []},
            "current_stage": "sql_validation",
            "route_decision": "check_sql",
        }
    return update
