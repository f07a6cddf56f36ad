"""Asks before a statement runs: interrupts and does nothing else, since the node runs again from its start."""

from __future__ import annotations

from langgraph.runtime import Runtime
from langgraph.types import interrupt

from inquery.agents.bilingual import say
from inquery.agents.context import Context
from inquery.agents.outcomes.turns import close_turn
from inquery.agents.state import State, Update
from inquery.agents.state_types import AskedApproval, final_error, make_candidate

NO = frozenset(
    {"reject", "rejected", "no", "n", "cancel", "false", "0", "拒绝", "不同意", "否", "取消", "不", "不执行"}
)
YES = frozenset(
    {"approve", "approved", "yes", "y", "ok", "run", "true", "1", "同意", "批准", "是", "执行", "好", "可以"}
)


def is_decision(message: str) -> bool:
    """Whether a message during an approval decides it; anything else is a new question."""
    return message.strip().casefold() in YES | NO


async def approve(state: State, runtime: Runtime[Context]) -> Update:
    """Approved, edited (which is checked anew) or rejected."""
    asking = state["approval"]
    waiting: AskedApproval = {
        "kind": "approval",
        "id": asking["id"],
        "sql": asking["sql"],
        "estimate": asking["estimate"],
    }
    reply = interrupt(waiting)
    edited = reply.get("sql") or reply.get("edit") if isinstance(reply, dict) else None
    decision = str(reply.get("decision", "") if isinstance(reply, dict) else reply).strip().casefold()
    if edited and edited.strip() != asking["sql"].strip():
        # The person wrote it and wants it run, so it is approved as it stands; the guard still checks it.
        candidate = make_candidate(edited, why="edited")
        kept = [c | {"status": "failed"} if c["status"] == "current" else c for c in state["candidates"]]
        return {
            "generated_sql": edited,
            "candidates": [*kept, candidate],
            "approval": asking | {"approved": edited},
            "route_decision": "check_sql",
        }
    if decision in YES or (edited and not decision):
        return {
            "approval": asking | {"approved": asking["sql"]},
            "current_stage": "sql_execution",
            "route_decision": "run_sql",
        }
    text = say(state["language"], "Not run: the statement was rejected.", "未执行：语句已被拒绝。")
    error = final_error("rejected", text)
    return close_turn(state, approval=asking | {"rejected": True}, outcome="refused", text=text, error=error)
