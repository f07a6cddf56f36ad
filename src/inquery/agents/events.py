"""The one event stream of a run; every door sends these and nothing else."""

from __future__ import annotations

import datetime
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, Field, TypeAdapter

from inquery.answers.answer import (
    Answer,
    AnswerColumn,
    CacheLevel,
    ChartSpec,
    Fact,
    Option,
    StatementEstimate,
    Usage,
)


class _Event(BaseModel):
    """What every event carries; the runner numbers and stamps it."""

    seq: int = 0
    run_id: str = ""
    at: datetime.datetime | None = None


class TurnEvent(_Event):
    """A question begins a turn, before its first step; a run that goes on with a turn sends none."""

    type: Literal["turn"] = "turn"
    question: str


class StepEvent(_Event):
    type: Literal["step"] = "step"
    name: str
    status: Literal["started", "finished"]
    ms: float | None = None


class TokenEvent(_Event):
    type: Literal["token"] = "token"
    text: str


class SqlEvent(_Event):
    type: Literal["sql"] = "sql"
    sql: str
    attempt: int = 1


class RowsEvent(_Event):
    type: Literal["rows"] = "rows"
    result_id: str
    columns: list[AnswerColumn]
    preview: list[list[Any]]
    row_count: int
    truncated: str | None = None


class FactsEvent(_Event):
    type: Literal["facts"] = "facts"
    facts: list[Fact]
    text: str = ""


class ChartEvent(_Event):
    type: Literal["chart"] = "chart"
    chart: ChartSpec


class CacheEvent(_Event):
    type: Literal["cache"] = "cache"
    level: CacheLevel
    as_of: datetime.datetime | None = None


class ClarificationEvent(_Event):
    type: Literal["clarification"] = "clarification"
    id: str
    question: str
    options: list[Option]


class ApprovalEvent(_Event):
    type: Literal["approval"] = "approval"
    id: str
    sql: str
    estimate: StatementEstimate | None = None


class RetryEvent(_Event):
    type: Literal["retry"] = "retry"
    error_class: str = Field(alias="class")
    attempt: int

    model_config = {"populate_by_name": True, "serialize_by_alias": True}


class FollowupsEvent(_Event):
    type: Literal["followups"] = "followups"
    questions: list[str]


class UsageEvent(_Event):
    type: Literal["usage"] = "usage"
    usage: Usage


class ErrorEvent(_Event):
    type: Literal["error"] = "error"
    code: str
    message: str
    retryable: bool = False
    detail: str = Field("", description="the model provider's own words, where it gave any")


class DoneEvent(_Event):
    type: Literal["done"] = "done"
    answer: Answer


Event: TypeAlias = Annotated[
    TurnEvent
    | StepEvent
    | TokenEvent
    | SqlEvent
    | RowsEvent
    | FactsEvent
    | ChartEvent
    | CacheEvent
    | ClarificationEvent
    | ApprovalEvent
    | RetryEvent
    | FollowupsEvent
    | UsageEvent
    | ErrorEvent
    | DoneEvent,
    Field(discriminator="type"),
]

EVENT: TypeAdapter[Event] = TypeAdapter(Event)
