"""Decides what a message wants, by rules."""

from __future__ import annotations

from langgraph.runtime import Runtime

from inquery.agents.bilingual import say
from inquery.agents.context import Context
from inquery.agents.questions.intents import Wanted, read_intent
from inquery.agents.questions.other_messages import (
    Other,
    is_about,
    names_subject,
    read_other,
    split_questions,
    without_manners,
)
from inquery.agents.state import State, Update
from inquery.agents.state_types import Intent, Successor, make_candidate
from inquery.language.text import words_of

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
    if other == "name" and (_holds_name(context, message) or context.here.glossary.metrics_in(message)):
        return True
    if other == "off_topic" and any(names_subject(match.phrase, message) for match in context.matches(message)):
        return True  # `the president of the club`, where a stored office is called President
    return is_about(context.here.seen(context.rules), message, other)


def _holds_name(context: Context, message: str) -> bool:
    """Whether a stored value has all words of a name, or several values of different columns share them: Sony Cameras."""
    words, found = set(words_of(message)), context.matches(message)
    said = {(match.table, match.column): set(words_of(match.phrase)) for match in found}
    return any(words <= each for each in said.values()) or (len(said) > 1 and words <= set().union(*said.values()))


async def route_intent(state: State, runtime: Runtime[Context]) -> Update:
    """The intent and the node that serves it; pasted SQL skips the writer."""
    context, language = runtime.context, state["language"]
    message = without_manners(state["question"])
    found = read_intent(message, state.get("last_answer"))
    if found.intent == "chat" and _is_data_here(found, message, context):
        found = Wanted("data")
    update: Update = {
        "intent": found.intent,
        "query_analysis": {"what": found.what},
        "route_decision": _NEXT[found.intent],
    }
    first, *others = split_questions(message) if found == Wanted("data") else [state["question"]]
    if found == Wanted("data"):
        update["standalone_question"] = first
    if others:
        told = say(
            language,
            "This answers the first question, the other is offered next",
            "这是第一个问题的回答，另一个问题列在下面",
        )
        update |= {"assumptions": [told], "recommended_questions": others}
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
