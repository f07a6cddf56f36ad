"""Decides what a message wants, by rules."""

from __future__ import annotations

from langgraph.runtime import Runtime

from inquery.agents.bilingual import say
from inquery.agents.context import Context
from inquery.agents.questions.intents import Wanted, read_intent
from inquery.agents.questions.other_messages import Other, is_about, read_other, split_questions
from inquery.agents.state import State, Update
from inquery.agents.state_types import Intent, Successor, make_candidate

_NEXT: dict[Intent, Successor] = {
    "chat": "general_chat",
    "catalog": "describe_data",
    "last_answer": "use_last_answer",
    "data": "rewrite_followup",
}


def _is_data_here(found: Wanted, message: str, context: Context) -> bool:
    """Whether what would be no question elsewhere is one here: a chat model reads every language, data may be of weather."""
    other: Other = read_other(message)
    if found.what != other:
        return False
    if other == "foreign" and context.chat_model() is not None:
        return True
    return is_about(context.here.seen(context.rules), message, other)


async def route_intent(state: State, runtime: Runtime[Context]) -> Update:
    """The intent and the node that serves it; pasted SQL skips the writer."""
    context, language = runtime.context, state["language"]
    found = read_intent(state["question"], state.get("last_answer"))
    if found.intent == "chat" and _is_data_here(found, state["question"], context):
        found = Wanted("data")
    update: Update = {
        "intent": found.intent,
        "query_analysis": {"what": found.what},
        "route_decision": _NEXT[found.intent],
    }
    first, *others = split_questions(state["question"]) if found == Wanted("data") else [state["question"]]
    if others:
        told = say(
            language,
            "This answers the first question, the other is offered next",
            "这是第一个问题的回答，另一个问题列在下面",
        )
        update |= {"standalone_question": first, "assumptions": [told], "recommended_questions": others}
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
