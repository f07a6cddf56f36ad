"""The state of a thread: plain data only, per-turn fields reset at the start of every turn.

No connection, secret, checked statement or result row lives here: rows are in the result store, details in the
catalogue, and both are fetched again by name.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from langchain_core.messages import AnyMessage
from langgraph.graph.message import add_messages
from typing_extensions import TypedDict

from inquery.agents.state_types import Candidate, Fault, Repair, Stage

Intent = Literal["data", "chat", "catalog", "last_answer"]


class Pagination(TypedDict, total=False):
    """Which page of the result is wanted."""

    page: int
    page_size: int


class Turn(TypedDict, total=False):
    """Everything that belongs to one turn; `begin_turn` resets each field to BLANK."""

    # question
    question: str
    standalone_question: str
    enriched_question: str
    language: Literal["en", "zh"]
    intent: Intent
    query_analysis: dict[str, Any]
    assumptions: list[str]
    # schema
    schema_info: dict[str, Any]
    values: list[dict[str, Any]]
    # statement
    candidates: list[Candidate]
    generated_sql: str
    sql_why: str
    template: str
    validation_result: dict[str, Any]
    execution_result: dict[str, Any]
    agreement: float
    # control
    current_stage: Stage
    retry_count: int
    repairs: list[Repair]
    route_decision: str
    reached: str
    error_history: list[Fault]
    error_recovery_context: dict[str, Any]
    # cache
    cache_hit: bool
    cache_hit_type: Literal["", "thread", "exact", "semantic"]
    as_of: str
    refresh: bool
    # fast mode
    fast_mode: bool
    skip_sample_retrieval: bool
    skip_chart_generation: bool
    # clarification and approval
    clarification: dict[str, Any]
    approval: dict[str, Any]
    # answer
    facts: list[dict[str, Any]]
    text: str
    chart_config: dict[str, Any]
    recommended_questions: list[str]
    reading: dict[str, Any]
    provenance: dict[str, Any]
    warnings: list[str]
    usage: dict[str, Any]
    outcome: str
    error: dict[str, Any]


class State(Turn, total=False):
    """A thread: its identity and history last, its turn does not."""

    messages: Annotated[list[AnyMessage], add_messages]
    connection_id: str
    agent_id: str
    thread_id: str
    user_id: str
    pagination: Pagination
    summary: str
    turns: list[dict[str, Any]]
    last_answer: dict[str, Any]
    thread_cache: dict[str, Any]


class Input(TypedDict, total=False):
    """What a caller gives; everything else is the graph's own."""

    messages: Annotated[list[AnyMessage], add_messages]
    connection_id: str
    agent_id: str
    thread_id: str
    pagination: Pagination
    refresh: bool


BLANK: dict[str, Any] = {
    "question": "", "standalone_question": "", "enriched_question": "", "language": "en", "intent": "data",
    "query_analysis": {}, "assumptions": [], "schema_info": {}, "values": [], "candidates": [], "generated_sql": "",
    "sql_why": "", "template": "", "validation_result": {}, "execution_result": {}, "agreement": 0.0,
    "current_stage": "init", "retry_count": 0, "repairs": [], "route_decision": "", "reached": "", "error_history": [],
    "error_recovery_context": {}, "cache_hit": False, "cache_hit_type": "", "as_of": "", "refresh": False,
    "fast_mode": False, "skip_sample_retrieval": False, "skip_chart_generation": False, "clarification": {},
    "approval": {}, "facts": [], "text": "", "chart_config": {}, "recommended_questions": [], "reading": {},
    "provenance": {}, "warnings": [], "usage": {}, "outcome": "", "error": {},
}  # fmt: skip
"""A fresh turn. A test holds these keys equal to Turn's, so that no new field survives a turn unnoticed."""
