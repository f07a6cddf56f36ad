"""Who comes next: a table of each stage's successors, the limits of repair, and the loop detector. Conditional
edges, not a node."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from inquery.agents.state import State
from inquery.agents.state_types import Fault, Repair, Successor
from inquery.errors import InternalError

# stage: (allowed successors, default first). A stage may choose another of its row; nothing may leave the table.
ROUTES: dict[str, tuple[Successor, ...]] = {
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
    "write_sql": ("check_sql", "recover", "ask_user", "end"),
    "check_sql": ("run_sql", "approve", "recover"),
    "approve": ("run_sql", "check_sql", "end"),
    "run_sql": ("analyse", "recover", "end"),
    "recover": ("write_sql", "link_schema", "analyse", "end"),
}
MAX_SAME_CLASS = 3
MAX_SAME_MESSAGE = 2
STOPPING = frozenset({"permission", "read_only", "connection", "model", "limit"})
"""Classes that no better statement mends."""
FREE: frozenset[Repair] = frozenset({"next_candidate", "mended", "first_statement", "taken_back"})
"""Repairs that ask no model: each statement a model wrote has at most one, so that they need no other limit."""
MAX_NO_SCHEMA, MAX_NO_SQL = 2, 5


def choose_next(stage: str, decision: Literal[""] | Successor) -> Successor:
    """The successor that a stage decided on, the first of its row where it decided nothing.

    Any other is a bug of ours: taking the default for it would be another way through the graph that nobody chose.
    """
    allowed = ROUTES[stage]
    if not decision:
        return allowed[0]
    if decision not in allowed:
        raise InternalError(f"{stage} decided on {decision}, and only {', '.join(allowed)} may follow it")
    return decision


def normalised(message: str) -> str:
    """A message without what changes from try to try: numbers and spaces. Names stay, sales_2023 is not sales_2024."""
    return " ".join(re.sub(r"(?<![\w.])\d+(?!\w|\.\d)", "0", message).split()).casefold()


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
    # The database's words, and the guard's where they name something, tell one fault from another.
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
    # Else candidates that were tried in vain would use up what the model may still mend.
    free = sum(repair in FREE for repair in state.get("repairs", []))
    return state.get("retry_count", 0) - free < max_retries and not looping(history)
