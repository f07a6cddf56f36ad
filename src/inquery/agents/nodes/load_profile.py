"""Loads who asks and which database is meant; a history with unanswered tool calls is mended."""

from __future__ import annotations

from langchain_core.messages import AIMessage, AnyMessage, ToolMessage
from langgraph.runtime import Runtime

from inquery.agents.bilingual import say
from inquery.agents.context import Context
from inquery.agents.outcomes.turns import close_turn
from inquery.agents.state import State, Update
from inquery.agents.state_types import told_error
from inquery.errors import InqueryError

AUTO = "auto"


async def load_profile(state: State, runtime: Runtime[Context]) -> Update:
    """Prepare the run; a database that cannot be opened ends it with a message."""
    context = runtime.context
    try:
        reason = await _prepare(state, context)
    except InqueryError as error:
        language = state["language"]
        told = error.public_message(language)
        return close_turn(state, outcome="failed", text=told, error=told_error(error, language))
    update: Update = {"connection_id": context.here.id, "user_id": context.user}
    if context.profile and context.profile.language:
        update["language"] = context.profile.language
    if reason:
        update["provenance"] = {"connection_choice": reason.get(state["language"], "")}
    if context.here.id != (state.get("last_answer") or {}).get("connection_id", context.here.id):
        update["last_answer"] = {}
    if (under_way := context.services.sources.progress_of(context.here.id)) and context.here.shows_all(context.rules):
        done, total = under_way
        update["assumptions"] = [
            say(
                state["language"],
                f"the values of {done:,} of {total:,} tables are known so far; the others are being read",
                f"目前已读取 {total:,} 张表中 {done:,} 张的取值，其余正在读取",
            )
        ]
    if mended := _orphans(state.get("messages", [])):
        update["messages"] = mended
    return update


async def _prepare(state: State, context: Context) -> dict[str, str]:
    """Open the database: the thread's own, else the best of those the profile allows."""
    wanted, agent = state.get("connection_id", ""), state.get("agent_id", "")
    if agent and context.profile is None and context.services.profiles is not None:
        context.profile = await context.services.profiles.get(agent)
    allowed = context.profile.connections if context.profile else ()
    if wanted != AUTO and (wanted or len(allowed) < 2):
        await context.prepare(wanted or (allowed[0] if allowed else ""), agent)
        return {}
    sources = context.services.sources
    names = list(allowed) or await sources.names()
    chosen, reason = await sources.choose(state["question"], names, context.rules_on)
    context.take(chosen)
    await context.settle_model()
    return dict(reason)


def _orphans(messages: list[AnyMessage]) -> list[ToolMessage]:
    """Answers for tool calls that a crash left without one; models refuse such histories."""
    answered = {message.tool_call_id for message in messages if isinstance(message, ToolMessage)}
    calls = [call for m in messages if isinstance(m, AIMessage) for call in m.tool_calls]
    return [ToolMessage("interrupted", tool_call_id=str(c["id"])) for c in calls if c["id"] not in answered]
