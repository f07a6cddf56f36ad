"""After a failure: classify it, choose a repair within the limits, or stop and tell."""

from __future__ import annotations

from langchain_core.messages import HumanMessage
from langgraph.runtime import Runtime
from pydantic import BaseModel

from inquery.agents.bilingual import say
from inquery.agents.context import Context
from inquery.agents.emitting import emit
from inquery.agents.events import RetryEvent
from inquery.agents.outcomes.entries import rows_event
from inquery.agents.outcomes.turns import close_turn, question_of
from inquery.agents.state import State, Update
from inquery.agents.state_types import Fault, Repair, Successor, failed_statement, make_candidate
from inquery.agents.statements.faults import plainer, suggestions
from inquery.agents.supervisor import ROUTES, STOPPING, may_repair
from inquery.agents.truth.sifting import CLAIM
from inquery.answers.answer import AnswerError
from inquery.errors import ModelUnavailable
from inquery.llm.privacy import shown_text
from inquery.llm.prompting import load_prompt
from inquery.sql.repair import repair
from inquery.sql.several import first_of_several

NAMES = frozenset({"unknown_table", "unknown_column"})
MENDED = NAMES | {"sql_syntax", "not_a_query", "ambiguous_column"}
WRITTEN_AGAIN = frozenset({"sql_syntax", "not_a_query", "no_sql"})
"""Faults of the text itself: nothing but writing it again helps, so that no model need be asked what comes next."""


class Route(BaseModel):
    """The next step and why."""

    next: str
    why: str = ""


async def recover(state: State, runtime: Runtime[Context]) -> Update:
    """The next repair, or the end; what asks no model is tried first and needs no limit, since it ends by itself."""
    context, error = runtime.context, state["error_history"][-1]
    if error["class"] in STOPPING or state["query_analysis"].get("what") == "sql":
        back = _taken_back(state, context)
        return _going_on(state, runtime, error) | back if back else _stopped(state, runtime, error)
    repaired = _next_candidate(state) or _mended(state, context, error)
    if not repaired and may_repair(state, error["class"], context.settings.agent.max_retries):
        repaired = await _asked_again(state, context, error)
    repaired = repaired or _first_statement(state, context) or _taken_back(state, context)
    return _going_on(state, runtime, error) | repaired if repaired else _stopped(state, runtime, error)


def _going_on(state: State, runtime: Runtime[Context], error: Fault) -> Update:
    """What every repair tells: people and the writer."""
    context, attempt = runtime.context, state["retry_count"] + 1
    emit(runtime, RetryEvent(error_class=error["class"], attempt=attempt))
    told = error.get("suggestions") or suggestions(
        error, context.here.seen(context.rules), state["schema_info"].get("tables", [])
    )
    return {
        "retry_count": attempt,
        "current_stage": "sql_generation",
        "error_recovery_context": failed_statement(error, plainer(told, state["error_history"])),
    }


def _next_candidate(state: State) -> Update:
    """The next statement of the same call."""
    candidates = state["candidates"]
    unused = next((place for place, c in enumerate(candidates) if c["status"] == "new"), None)
    if unused is None:
        return {}
    promoted = [c | {"status": "current"} if n == unused else c for n, c in enumerate(candidates)]
    return {"candidates": promoted, "repairs": [*state["repairs"], "next_candidate"], "route_decision": "write_sql"}


def _mended(state: State, context: Context, error: Fault) -> Update:
    """The statement mended without a model; what was mended once is not mended again."""
    if error["class"] not in MENDED or not error["sql"]:
        return {}
    if any(c["sql"] == error["sql"] and c.get("made") == "mended" for c in state["candidates"]):
        return {}
    source = context.here
    found = repair(error["sql"], dialect=source.dialect, catalog=source.seen(context.rules), policy=context.rules)
    return _with_statement(state, found.text, "; ".join(found.changes), "mended") if found else {}


async def _asked_again(state: State, context: Context, error: Fault) -> Update:
    """A fresh catalogue, or the writer with what went wrong; empty where a model sees no use in either."""
    done = state["repairs"]
    default: Successor = "write_sql"
    if error["class"] in NAMES and not error["nearest"] and "refresh_schema" not in done:
        default = "link_schema"
    if done and error["class"] not in WRITTEN_AGAIN and (chosen := await _asked(state, context, error)):
        default = chosen
    if default == "end":
        return {}
    name: Repair = "refresh_schema" if default == "link_schema" else "regenerate"
    return {"repairs": [*done, name], "route_decision": default}


def _first_statement(state: State, context: Context) -> Update:
    """Of a model that keeps to several statements, the first that reads is better than no answer; it says so."""
    written = [error["sql"] for error in reversed(state["error_history"]) if error.get("rule") == "several_statements"]
    found = next((text for sql in written if (text := first_of_several(sql, context.here.dialect))), None)
    why = say(
        state["language"],
        "The model wrote several statements; this is the first.",
        "模型给出了多条语句，这里采用第一条。",
    )
    return _with_statement(state, found, why, "first_statement") if found else {}


def _taken_back(state: State, context: Context) -> Update:
    """A statement that only breaks a claim, where writing another brought nothing: it runs, and what it breaks is told."""
    if context.wanted.strict:
        return {}
    history = state["error_history"]
    others = {error["sql"] for error in history if error.get("rule") != CLAIM}
    broken = [error["sql"] for error in history if error.get("rule") == CLAIM and error["sql"] not in others]
    if not broken:
        return {}
    candidates = [c | {"status": "current"} if c["sql"] == broken[0] else c for c in state["candidates"]]
    return {"candidates": candidates, "repairs": [*state["repairs"], "taken_back"], "route_decision": "write_sql"}


def _with_statement(state: State, sql: str, why: str, name: Repair) -> Update:
    """A statement no model wrote as the next candidate, unless it was tried."""
    if sql in {c["sql"] for c in state["candidates"]}:
        return {}
    made = make_candidate(sql, why=why, made=name)
    repairs = [*state["repairs"], name]
    return {"candidates": [*state["candidates"], made], "repairs": repairs, "route_decision": "write_sql"}


async def _asked(state: State, context: Context, error: Fault) -> Successor | None:
    """A chat model's choice among the allowed successors, after a first repair has failed; none without a model."""
    # Messages and failed statements hold values, which such a connection does not show to remote models.
    chat = context.chat_model() if context.here.privacy(context.settings) == "full" else None
    if chat is None:
        return None
    allowed = [step for step in ROUTES["recover"] if step != "analyse"]
    history = [f"{e['class']}: {e['message']}" for e in state["error_history"][-3:]]
    progress = f"tables: {len(state['schema_info'].get('tables', []))}, repairs: {', '.join(state['repairs'])}"
    prompt = load_prompt("route_recovery", context.settings.prompts_folder).fill(
        question=question_of(state),
        stage=error["stage"],
        errors=shown_text("\n".join(history), context.model),
        progress=progress,
        failed_sql=shown_text(error["sql"], context.model),
        suggestions=shown_text("; ".join(error.get("suggestions", [])), context.model),
        allowed=", ".join(allowed),
    )
    try:
        found = await chat.complete_as([HumanMessage(prompt)], Route, usage=context.meter)
    except ModelUnavailable:
        return None
    return next((step for step in allowed if step == found.next), None)


def _stopped(state: State, runtime: Runtime[Context], error: Fault) -> Update:
    """An empty result that could not be bettered is still an answer; everything else is told."""
    empty = next((e for e in reversed(state["error_history"]) if e.get("result")), None)
    if empty is not None:
        emit(runtime, rows_event(empty["result"]))
        return {
            "generated_sql": empty["sql"],
            "execution_result": empty["result"],
            "current_stage": "analysis",
            "route_decision": "analyse",
        }
    return _told(state, error)


def _told(state: State, error: Fault) -> Update:
    language = state["language"]
    text = error["public"][language]
    tries = state["retry_count"]
    if tries:
        text += say(
            language, f" {tries} {'repair was' if tries == 1 else 'repairs were'} tried.", f"已尝试修复 {tries} 次。"
        )
    if error["class"] == "connection" and error["sql"]:
        text += say(
            language,
            " The statement was written and checked by what was last known of its tables, and has not been run.",
            "语句已根据最近一次读取的表结构生成并检查，但尚未执行。",
        )
    refused = error["refused"] and error["class"] in {"not_a_query", "permission", "read_only"}
    shown: AnswerError = {
        "code": error["code"],
        "message": text,
        "retryable": error["retryable"],
        "class": error["class"],
    }
    if error.get("said"):
        shown["detail"] = error["said"]
    return close_turn(state, outcome="refused" if refused else "failed", text=text, error=shown)
