"""Who comes next: a table of each stage's successors, the limits of repair, and the loop detector. Conditional
edges, not a node."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from inquery.agents.state import State
from inquery.agents.state_types import Fault, Repair

# stage: (allowed successors, default first). `recover` may choose another of its own; nothing may leave the table.
ROUTES: dict[str, tuple[str, ...]] = {
    "begin_turn": ("load_profile", "end"),
    "load_profile": ("route_intent", "end"),
    "route_intent": ("rewrite_followup", "general_chat", "describe_data", "use_last_answer", "check_sql", "end"),
    "use_last_answer": ("end", "write_sql", "rewrite_followup"),
    "rewrite_followup": ("detect_fast_mode", "write_sql"),
    "detect_fast_mode": ("check_thread",),
    "check_thread": ("check_cache", "end"),
    "check_cache": ("link_schema", "write_sql", "end"),
    "link_schema": ("detect_ambiguity", "write_sql", "recover", "end"),
    "detect_ambiguity": ("write_sql", "ask_user"),
    "ask_user": ("check_cache", "end"),
    "write_sql": ("check_sql", "recover"),
    "check_sql": ("run_sql", "approve", "recover"),
    "approve": ("run_sql", "check_sql", "end"),
    "run_sql": ("analyse", "recover"),
    "recover": ("write_sql", "link_schema", "analyse", "end"),
}
MAX_SAME_CLASS = 3
MAX_SAME_MESSAGE = 2
STOPPING = frozenset({"permission", "read_only", "connection", "model", "limit"})
"""Classes that no better statement mends."""
FREE: frozenset[Repair] = frozenset({"next_candidate", "mended", "first_statement"})
"""Repairs that ask no model: each statement a model wrote has at most one, so that they need no other limit."""
MAX_NO_SCHEMA, MAX_NO_SQL = 2, 5


def decided(state: Mapping[str, Any], stage: str) -> str:
    """The successor the stage decided on, if the table allows it, else the table's default."""
    wanted = str(state.get("route_decision", ""))
    allowed = ROUTES[stage]
    return wanted if wanted in allowed else allowed[0]


def normalised(message: str) -> str:
    """A message without what changes from try to try: numbers and spaces. Quoted names stay, they tell faults apart."""
    return " ".join(re.sub(r"\d+", "0", message).split()).casefold()


def looping(history: Sequence[Fault]) -> Literal["", "message", "class"]:
    """Why a run goes round in circles: the same fault twice, or one class three times."""
    if not history:
        return ""
    last = history[-1]
    if 1 + sum(_same(each, last) for each in history[:-1]) >= MAX_SAME_MESSAGE:
        return "message"
    if sum(e["class"] == last["class"] for e in history) >= MAX_SAME_CLASS:
        return "class"
    return ""


def _same(earlier: Fault, last: Fault) -> bool:
    """Whether two faults are one: the same words, and the same statement where the words name nothing."""
    if earlier["class"] != last["class"] or normalised(earlier["message"]) != normalised(last["message"]):
        return False
    if not last.get("refused") or last.get("name"):
        return True
    # "Only one statement is allowed" says nothing of what changed. A writing statement gets plainer words each time.
    return earlier.get("sql") == last.get("sql") and last["class"] != "not_a_query"


def may_repair(state: State, error_class: str, max_retries: int) -> bool:
    """Whether the limits leave another repair."""
    history = state.get("error_history", [])
    rounds = sum(bool(error["class"] == "no_sql") for error in history)
    schemas = sum(bool(error["class"] == "no_schema") for error in history)
    if error_class in STOPPING or rounds >= MAX_NO_SQL or schemas >= MAX_NO_SCHEMA:
        return False
    free = sum(repair in FREE for repair in state.get("repairs", []))
    return state.get("retry_count", 0) - free < max_retries and not looping(history)
