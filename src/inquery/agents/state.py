"""The state of a thread: plain data only, per-turn fields reset at the start of every turn.

No connection, secret, checked statement or result row lives here: rows are in the result store, details in the
catalogue, and both are fetched again by name.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from langchain_core.messages import AnyMessage, BaseMessage
from langgraph.graph.message import add_messages
from typing_extensions import TypedDict

from inquery.agents.bilingual import Language
from inquery.agents.state_types import (
    AnsweredUsage,
    Approval,
    Candidate,
    ChartState,
    Clarification,
    Executed,
    FactState,
    FailedStatement,
    Fault,
    Intent,
    Judged,
    LastAnswer,
    NoError,
    PlannedStatement,
    QuestionAnalysis,
    Repair,
    SchemaInfo,
    Stage,
    Successor,
    TurnRecord,
    Validation,
)
from inquery.answers.answer import AnswerError, CacheLevel, MatchedValue, Provenance, Reading, Status
from inquery.cache.entry import CacheEntry
from inquery.llm.usage import UsageCounts


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
    language: Language
    intent: Intent
    query_analysis: QuestionAnalysis
    assumptions: list[str]
    # schema
    schema_info: SchemaInfo
    values: list[MatchedValue]
    # statement
    plan: PlannedStatement
    candidates: list[Candidate]
    generated_sql: str
    sql_why: str
    template: str
    template_p: float | None
    validation_result: Validation
    execution_result: Executed
    agreement: float
    judged: Judged
    # control
    current_stage: Stage
    retry_count: int
    repairs: list[Repair]
    route_decision: Literal[""] | Successor
    reached: str
    error_history: list[Fault]
    error_recovery_context: FailedStatement
    # cache
    cache_hit: bool
    cache_hit_type: Literal[""] | CacheLevel
    as_of: str
    refresh: bool
    # fast mode
    fast_mode: bool
    skip_sample_retrieval: bool
    skip_chart_generation: bool
    # clarification and approval
    clarification: Clarification
    approval: Approval
    # the saved model that the question names
    model: str
    # answer
    facts: list[FactState]
    text: str
    chart_config: ChartState
    recommended_questions: list[str]
    reading: Reading
    provenance: Provenance
    warnings: list[str]
    usage: UsageCounts | AnsweredUsage
    outcome: Literal[""] | Status
    error: AnswerError | NoError


class Thread(Turn, total=False):
    """A thread without its messages: its identity and history last, its turn does not."""

    connection_id: str
    agent_id: str
    thread_id: str
    user_id: str
    pagination: Pagination
    summary: str
    turns: list[TurnRecord]
    last_answer: LastAnswer
    thread_cache: dict[str, CacheEntry]


class State(Thread, total=False):
    """A thread as nodes read it."""

    messages: Annotated[list[AnyMessage], add_messages]


class Update(Thread, total=False):
    """What a node changes: fields are replaced, messages are added or taken away."""

    messages: Sequence[BaseMessage]


class Input(TypedDict, total=False):
    """What a caller gives; everything else is the graph's own."""

    messages: Annotated[list[AnyMessage], add_messages]
    connection_id: str
    agent_id: str
    thread_id: str
    pagination: Pagination
    refresh: bool


BLANK: Turn = {
    "question": "",
    "standalone_question": "",
    "enriched_question": "",
    "language": "en",
    "intent": "data",
    "query_analysis": {},
    "assumptions": [],
    "schema_info": {},
    "values": [],
    "plan": {},
    "candidates": [],
    "generated_sql": "",
    "sql_why": "",
    "template": "",
    "template_p": None,
    "validation_result": {},
    "execution_result": {},
    "agreement": 0.0,
    "judged": {},
    "current_stage": "init",
    "retry_count": 0,
    "repairs": [],
    "route_decision": "",
    "reached": "",
    "error_history": [],
    "error_recovery_context": {},
    "cache_hit": False,
    "cache_hit_type": "",
    "as_of": "",
    "refresh": False,
    "fast_mode": False,
    "skip_sample_retrieval": False,
    "skip_chart_generation": False,
    "clarification": {},
    "approval": {},
    "model": "",
    "facts": [],
    "text": "",
    "chart_config": {},
    "recommended_questions": [],
    "reading": {},
    "provenance": {},
    "warnings": [],
    "usage": {},
    "outcome": "",
    "error": {},
}
"""A fresh turn. A test holds these keys equal to Turn's, so that no new field survives a turn unnoticed."""


def fill_blanks(state: State) -> State:
    """The state with what nobody set yet: blank fields are not kept, which keeps checkpoints small."""
    return {**BLANK, **state}


def used_plan(state: State) -> PlannedStatement | None:
    """The plan whose statement is the one in hand; None where there is none, or a writer's was taken instead."""
    plan = state.get("plan")
    return plan if plan and plan["sql"] == state.get("generated_sql") else None
