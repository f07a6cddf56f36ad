"""The plan of solving one placeholder: which tool may follow which, what each needs first, and when to give up.

The table is the plan. A repair may choose another of its row, by rule or, where a chat model is set up, by its advice;
nothing leaves the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypedDict

from inquery.agents.resource_pool import ResourcePool
from inquery.agents.state import State
from inquery.agents.state_types import Fault, Successor
from inquery.errors import InternalError

LIST, COLUMNS, GENERATE = "schema.list_tables", "schema.get_columns", "sql.generate"
VALIDATE, REFINE, EXECUTE = "sql.validate", "sql.refine", "sql.execute"
DONE, STOP = "done", "stop"

# tool: (allowed successors, default first).
ROUTES: dict[str, tuple[str, ...]] = {
    LIST: (COLUMNS, STOP),
    COLUMNS: (GENERATE, REFINE, STOP),
    GENERATE: (VALIDATE, REFINE, STOP),
    VALIDATE: (EXECUTE, REFINE, STOP),
    EXECUTE: (DONE, REFINE, STOP),
    REFINE: (GENERATE, COLUMNS, DONE, STOP),
}
NEEDS: dict[str, tuple[str, str]] = {
    GENERATE: ("sql_generation", COLUMNS),
    VALIDATE: ("sql_validation", GENERATE),
    EXECUTE: ("sql_validation", GENERATE),
}
"""A tool, the step of the pool it belongs to, and the tool that brings what is missing."""
NODE_TOOLS: dict[Successor, str] = {
    "link_schema": COLUMNS,
    "detect_ambiguity": GENERATE,
    "write_sql": GENERATE,
    "check_sql": VALIDATE,
    "run_sql": EXECUTE,
    "approve": EXECUTE,
    "recover": REFINE,
    "analyse": DONE,
    "end": STOP,
}
MOST_STEPS = 24
SAME_TOOL = 3
MOST_SCHEMA, MOST_WITHOUT_SQL = 2, 5


class PlainStep(TypedDict):
    """A step as plain data, for the store and for JSON."""

    tool: str
    ok: bool
    ms: float
    note: str


@dataclass(frozen=True, slots=True)
class SolvingStep:
    """One turn of the loop: the tool, whether it did what it should, and how long it took."""

    tool: str
    ok: bool
    ms: float
    note: str = ""

    def to_dict(self) -> PlainStep:
        """Plain data."""
        return {"tool": self.tool, "ok": self.ok, "ms": round(self.ms, 1), "note": self.note}


def following(tool: str, decision: Literal[""] | Successor) -> str:
    """The successor that a tool's last node decided on, the first of its row where it decided nothing."""
    if not decision:
        return ROUTES[tool][0]
    wanted = NODE_TOOLS.get(decision, decision)
    if wanted not in ROUTES[tool]:
        raise InternalError(f"{tool} decided on {decision}, and only {', '.join(ROUTES[tool])} may follow it")
    return wanted


def gated(tool: str, pool: ResourcePool) -> str:
    """The tool, or the one that brings what it still needs."""
    step, source = NEEDS.get(tool, ("", ""))
    return gated(source, pool) if step and pool.missing(step) else tool


def exhausted(steps: Sequence[SolvingStep], pool: ResourcePool) -> str:
    """Why going on would not help; empty while it may."""
    if len(steps) >= MOST_STEPS:
        return "steps"
    last = steps[-SAME_TOOL:]
    if len(last) == SAME_TOOL and len({step.tool for step in last}) == 1 and not any(step.ok for step in last):
        return "same_tool"
    memory = pool.memory()
    looked = sum(step.tool in {LIST, COLUMNS} for step in steps)
    if not memory.schema_available and looked > MOST_SCHEMA:
        return "no_schema"
    if not memory.has_sql and sum(step.tool == GENERATE for step in steps) >= MOST_WITHOUT_SQL:
        return "no_sql"
    return ""


def last_fault(state: State) -> Fault | None:
    """The newest fault of a state, if it has one."""
    history = state["error_history"]
    return history[-1] if history else None
