"""Answers what is no question about data: greetings, thanks, help, and wishes to write."""

from __future__ import annotations

from contextlib import suppress

from langchain_core.messages import HumanMessage
from langgraph.runtime import Runtime

from inquery.agents.bilingual import say
from inquery.agents.context import Context
from inquery.agents.emitting import emit, token
from inquery.agents.events import FollowupsEvent
from inquery.agents.outcomes.turns import close_turn
from inquery.agents.questions.offers import break_downs, main_figures, offer_questions
from inquery.agents.questions.other_messages import READS_TWO, third_language, without_manners
from inquery.agents.state import State, Update
from inquery.agents.state_types import final_error
from inquery.answers.column_words import name_of_rows
from inquery.catalog.main_things import main_things
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
    text = await _reply(what, state, context)
    chat = context.chat_model() if what in {"", "help", "unclear", "off_topic", "displeased"} else None
    if chat is not None:
        prompt = load_prompt("general_chat", context.settings.prompts_folder).fill(
            about=about(context, language), language=say(language, "English", "中文"), message=state["question"]
        )
        with suppress(ModelUnavailable):  # the text in hand says it too
            text = await chat.complete([HumanMessage(prompt)], usage=context.meter, on_token=token(runtime))
    questions = await _offers(what, state, context)
    if questions:
        emit(runtime, FollowupsEvent(questions=questions))
    return close_turn(state, outcome="chat", text=text, recommended_questions=questions)


async def _offers(what: str, state: State, context: Context) -> list[str]:
    """Three questions that can be answered here; who takes leave wants none."""
    if what == "bye":
        return []
    language = _spoken(what, state)
    if what in {"why", "advice"}:
        before = (state.get("last_answer") or {}).get("plan")
        return await break_downs(context, _topic(state), before, language)
    return await offer_questions(context, language)


def _topic(state: State) -> str:
    """What is asked about: a bare why is about the last answer."""
    return f"{state['question']} {(state.get('last_answer') or {}).get('standalone', '')}"


def _spoken(what: str, state: State) -> str:
    """The language to reply in: English to who writes a third one."""
    return "en" if what == "foreign" else state["language"]


async def _reply(what: str, state: State, context: Context) -> str:
    """One or two sentences for one kind of message."""
    language = _spoken(what, state)
    match what:
        case "thanks":
            return say(language, "You are welcome.", "不客气。")
        case "bye":
            return say(language, "Goodbye.", "再见。")
        case "agreed":
            return say(language, "All right. What would you like to know next?", "好的。接下来您想了解什么？")
        case "greeting":
            return say(language, f"Hello! {about(context, language)}", f"您好！{about(context, language)}")
        case "overview":
            return await main_figures(context, language) or about(context, language)
        case "why":
            return say(
                language,
                "The data show what changed, not why; these questions take the change apart.",
                "数据能说明发生了什么变化，但不能说明原因；可以用下面的问题拆解变化。",
            )
        case "advice":
            return say(
                language,
                "The data show what happened, not what to do; these questions show where to look.",
                "数据能说明发生了什么，但不能给出建议；可以从下面的问题入手。",
            )
        case "itself":
            return f"{_itself(context, language)}{say(language, ' ', '')}{about(context, language)}"
        case "displeased":
            return say(
                language,
                "I am sorry that this did not help. Say what should be different (the figure, the period or what is meant), "
                "or ask one of these questions.",
                "抱歉，没能帮上忙。请说明哪里需要调整（指标、时间或对象），或试试下面的问题。",
            )
        case "name":
            named = without_manners(state["question"]).strip(" .?!")
            name = context.here.connection.name
            return say(language, f"I found nothing called “{named}” in {name}.", f"{name} 中没有找到“{named}”。")
        case "off_topic":
            name = context.here.connection.name
            return say(
                language,
                f"That is not in the data: I answer questions about {name}.",
                f"这不在数据范围内：我回答关于 {name} 数据的问题。",
            )
        case "nonsense" | "unclear" | "talk":
            return say(
                language,
                "I could not read a question in that; here is what can be asked.",
                "没有看懂您的问题，您可以试试下面的问题。",
            )
        case "foreign":
            known = READS_TWO.get(third_language(state["question"]), "")
            return " ".join(filter(None, (known, "I read questions in English and Chinese.")))
        case _:
            return about(context, language)


def _itself(context: Context, language: str) -> str:
    """Who answers here, and what of a question leaves Inquery."""
    inside = context.model.provider == "embedded"
    model = context.model_named or context.model.model
    return say(
        language,
        "I am Inquery: I read questions in English and Chinese, write the SQL, prove that it only reads, and run it. "
        + (
            "The model that does so is built in, so that no model elsewhere sees questions or data."
            if inside
            else f"Questions and what they need of the database go to the language model that was set up here ({model})."
        ),
        "我是 Inquery：读懂中文和英文的问题，写出 SQL，确认它只读取数据后再运行。"
        + (
            "所用的模型是内置的，外部模型看不到您的问题和数据。"
            if inside
            else f"问题及所需的库内信息会发给这里配置的语言模型（{model}）。"
        ),
    )


def about(context: Context, language: str) -> str:
    """What this connection can answer, from its catalogue."""
    seen, glossary = context.here.seen(context.rules), context.here.glossary
    largest = [thing.table for thing in main_things(seen, MENTIONED)] or list(seen.tables[:MENTIONED])
    named = [name_of_rows(table, glossary, seen, language, several=True) for table in largest]
    listed, name = say(language, ", ", "、").join(named), context.here.connection.name
    return say(
        language,
        f"I answer questions about the data of {name}: {listed} and more." if listed else f"{name} has no tables yet.",
        f"我可以回答关于 {name} 数据的问题，例如{listed}等。" if listed else f"{name} 中还没有可读的表。",
    )
