"""After a failure: classify it, choose a repair within the limits, or stop and tell."""

from __future__ import annotations

from typing import Any

from langchain_core.messages import HumanMessage
from langgraph.runtime import Runtime
from pydantic import BaseModel

from inquery.agents.context import Context
from inquery.agents.emitting import emit
from inquery.agents.entries import rows_event
from inquery.agents.events import RetryEvent
from inquery.agents.faults import suggestions
from inquery.agents.speech import say
from inquery.agents.state import State
from inquery.agents.supervisor import ROUTES, may_repair
from inquery.agents.turns import asked, closing
from inquery.errors import ModelUnavailable
from inquery.llm.prompting import load_prompt
from inquery.sql.repair import repair

NAMES = frozenset({"unknown_table", "unknown_column"})
MENDED = NAMES | {"sql_syntax", "not_a_query", "ambiguous_column"}


class Route(BaseModel):
    """The next step and why."""

    next: str
    why: str = ""


async def recover(state: State, runtime: Runtime[Context]) -> dict[str, Any]:
    """The next repair, or the end."""
    context, error = runtime.context, state["error_history"][-1]
    own = state["query_analysis"].get("what") == "sql"
    if own or not may_repair(state, error["class"], context.settings.agent.max_retries):
        return _stopped(state, runtime, error)
    attempt = state["retry_count"] + 1
    emit(runtime, RetryEvent(error_class=error["class"], attempt=attempt))
    told = error.get("suggestions") or suggestions(error, context.here.seen(context.rules), state["schema_info"].get("tables", []))  # fmt: skip
    context.pool.merge("last_error", {"class": error["class"], "message": error["message"]})
    update = {
        "retry_count": attempt,
        "current_stage": "sql_generation",
        "error_recovery_context": {
            "failed_sql": error["sql"], "error_type": error["class"], "message": error["message"], "suggestions": told,
        },
    }  # fmt: skip
    return update | await _repaired(state, context, error)


async def _repaired(state: State, context: Context, error: dict[str, Any]) -> dict[str, Any]:
    """The repairs in their order: the next candidate, a mended tree, a fresh catalogue, the writer."""
    candidates, done = state["candidates"], state["repairs"]
    unused = next((place for place, c in enumerate(candidates) if c["status"] == "new"), None)
    if unused is not None:
        promoted = [c | {"status": "current"} if n == unused else c for n, c in enumerate(candidates)]
        return {"candidates": promoted, "repairs": [*done, "next_candidate"], "route_decision": "write_sql"}
    if error["class"] in MENDED and "mended" not in done and error["sql"]:
        source = context.here
        found = repair(error["sql"], dialect=source.dialect, catalog=source.seen(context.rules), policy=context.rules)
        if found is not None and found.text not in {c["sql"] for c in candidates}:
            made = {"sql": found.text, "score": 0.0, "why": "; ".join(found.changes), "status": "current"}
            return {"candidates": [*candidates, made], "repairs": [*done, "mended"], "route_decision": "write_sql"}
    default = "write_sql"
    if error["class"] in NAMES and not error["nearest"] and "refresh_schema" not in done:
        default = "link_schema"
    if done and (chosen := await _asked(state, context, error)):
        default = chosen
    if default == "end":
        return _told(state, error)
    name = "refresh_schema" if default == "link_schema" else "regenerate"
    return {"repairs": [*done, name], "route_decision": default}


async def _asked(state: State, context: Context, error: dict[str, Any]) -> str:
    """A chat model's choice among the allowed successors, after a first repair has failed; empty without one."""
    # Messages and failed statements hold values, which such a connection does not show to remote models.
    chat = context.chat_model() if context.here.privacy(context.settings) == "full" else None
    if chat is None:
        return ""
    allowed = [step for step in ROUTES["recover"] if step != "analyse"]
    history = [f"{e['class']}: {e['message']}" for e in state["error_history"][-3:]]
    progress = f"tables: {len(state['schema_info'].get('tables', []))}, repairs: {', '.join(state['repairs'])}"
    prompt = load_prompt("route_recovery", context.settings.prompts_folder).fill(
        question=asked(state), stage=error["stage"], errors="\n".join(history), progress=progress,
        failed_sql=error["sql"], suggestions="; ".join(error.get("suggestions", [])), allowed=", ".join(allowed),
    )  # fmt: skip
    try:
        found = await chat.complete_as([HumanMessage(prompt)], Route, usage=context.meter)
    except ModelUnavailable:
        return ""
    return found.next if found.next in allowed else ""


def _stopped(state: State, runtime: Runtime[Context], error: dict[str, Any]) -> dict[str, Any]:
    """An empty result that could not be bettered is still an answer; everything else is told."""
    empty = next((e for e in reversed(state["error_history"]) if e.get("result")), None)
    if empty is not None:
        emit(runtime, rows_event(empty["result"]))
        return {
            "generated_sql": empty["sql"], "execution_result": empty["result"], "current_stage": "analysis",
            "route_decision": "analyse",
        }  # fmt: skip
    return _told(state, error)


def _told(state: State, error: dict[str, Any]) -> dict[str, Any]:
    language = state["language"]
    text = error["public"][language]
    tries = state["retry_count"]
    if tries:
        text += say(language, f" {tries} repairs were tried.", f"已尝试修复 {tries} 次。")
    refused = error["refused"] and error["class"] in {"not_a_query", "permission", "read_only"}
    shown = {"code": error["code"], "message": text, "retryable": error["retryable"], "class": error["class"]}
    return closing(state, outcome="refused" if refused else "failed", text=text, error=shown)
