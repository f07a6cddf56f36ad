"""Answers what is no question about data: greetings, thanks, help, and wishes to write."""

from __future__ import annotations

from langchain_core.messages import HumanMessage
from langgraph.runtime import Runtime

from inquery.agents.bilingual import say
from inquery.agents.context import Context
from inquery.agents.emitting import token
from inquery.agents.outcomes.turns import close_turn
from inquery.agents.questions.connection_glossary import short_names
from inquery.agents.state import State, Update
from inquery.agents.state_types import final_error
from inquery.errors import ModelUnavailable
from inquery.llm.prompting import load_prompt

MENTIONED = 4


async def general_chat(state: State, runtime: Runtime[Context]) -> Update:
    """A canned text in the user's language; a chat model only where one is set up."""
    context, language = runtime.context, state["language"]
    what = state["query_analysis"].get("what", "")
    if what == "refuse":
        text = say(
            language,
            "Inquery only reads: it never changes, adds or deletes data. Ask what you would like to know instead.",
            "Inquery 只读取数据，不会修改、新增或删除任何内容。请直接询问您想了解的数据。",
        )
        return close_turn(state, outcome="refused", text=text, error=final_error("read_only", text))
    text = canned(what, context, language)
    chat = context.chat_model() if what in {"", "help", "unclear"} else None
    if chat is not None:
        prompt = load_prompt("general_chat", context.settings.prompts_folder).fill(
            about=about(context, language), language=say(language, "English", "中文"), message=state["question"]
        )
        try:
            text = await chat.complete([HumanMessage(prompt)], usage=context.meter, on_token=token(runtime))
        except ModelUnavailable:
            text = canned(what, context, language)
    return close_turn(state, outcome="chat", text=text)


def canned(what: str, context: Context, language: str) -> str:
    """The text for one kind of small talk."""
    known = about(context, language)
    match what:
        case "thanks":
            return say(language, "You are welcome.", "不客气。")
        case "bye":
            return say(language, "Goodbye.", "再见。")
        case "greeting":
            return say(language, f"Hello! {known}", f"您好！{known}")
        case _:
            return known


def about(context: Context, language: str) -> str:
    """What this connection can answer, from its catalogue."""
    tables = context.here.seen(context.rules).tables
    largest = sorted(tables, key=lambda table: -(table.estimated_rows or 0))[:MENTIONED]
    names = short_names(context.here.glossary, language)
    named = [names.get(table.full_name) or table.name.replace("_", " ") for table in largest]
    listed = say(language, ", ", "、").join(named)
    return say(
        language,
        f"I answer questions about the data of {context.here.connection.name}: {len(tables)} tables, among them {listed}. "
        "Ask in plain words, for example how many rows there are, totals by month, or the top ten.",
        f"我可以回答关于 {context.here.connection.name} 数据的问题：共 {len(tables)} 张表，例如{listed}。"
        "请直接用自然语言提问，例如数量、按月统计或排名。",
    )
