"""What the tools give back."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field

from inquery.agents.metric_desk import DimensionInfo, MetricInfo
from inquery.agents.own_sql import OwnResult
from inquery.answers.answer import Answer, AnswerError, CacheUse, ChartSpec, Option, Pending, Reading, Status
from inquery.answers.formats import json_cell
from inquery.catalog.browse import TableInfo


class Waiting(BaseModel):
    """What a question waits for; call `ask` again with the thread_id and a reply."""

    kind: Literal["clarification", "approval"]
    question: str
    options: list[Option] = Field(description="reply with an option's id or label, or in other words")
    sql: str | None = Field(description="the statement that waits for approve, reject or an edited one")


class AskResult(BaseModel):
    """An answer, or the question that has to be answered first."""

    status: Status
    text: str = Field(description="the answer in the language of the question")
    thread_id: str = Field(description="pass it to ask again: follow-ups and replies belong to a thread")
    waiting: Waiting | None = None
    sql: str | None = None
    columns: list[str] = Field(default_factory=list)
    rows: list[list[Any]] = Field(default_factory=list)
    row_count: int = 0
    truncated: str | None = Field(None, description="why there are more rows than these; empty when there are not")
    reading: Reading = Field(default_factory=Reading, description="how the question was understood")
    chart: ChartSpec | None = None
    followups: list[str] = Field(default_factory=list)
    warnings: list[str] = Field(default_factory=list)
    confidence: float | None = None
    cache: CacheUse | None = Field(None, description="set when the answer is an earlier one, with its time")
    error: AnswerError | None = None
    language: str = "en"

    @classmethod
    def of(cls, answer: Answer, rows: int) -> AskResult:
        """An answer as a tool gives it, with a bounded number of rows."""
        shared = answer.model_dump(include=set(cls.model_fields) - {"waiting", "columns", "rows"})
        more = "rows" if len(answer.rows) > rows else None
        return cls(
            **shared | {"truncated": answer.truncated or more},
            columns=[column.name for column in answer.columns],
            rows=[[json_cell(cell) for cell in row] for row in answer.rows[:rows]],
            waiting=_waiting(answer.pending),
        )


def _waiting(pending: Pending | None) -> Waiting | None:
    if pending is None:
        return None
    return Waiting(kind=pending.kind, question=pending.question, options=pending.options, sql=pending.sql)


class SqlResult(BaseModel):
    """The rows of a statement."""

    columns: list[str]
    rows: list[list[Any]]
    row_count: int
    truncated: str | None = Field(None, description="why there are more rows than these; empty when there are not")
    ms: float
    sql: str = Field(description="the statement as it ran: checked, with the caller's limits written into it")

    @classmethod
    def of(cls, ran: OwnResult) -> SqlResult:
        """A result as a tool gives it."""
        result = ran.result
        return cls(
            columns=[column.name for column in result.columns],
            rows=[[json_cell(cell) for cell in row] for row in result.rows],
            row_count=result.row_count,
            truncated=result.truncated,
            ms=round(result.ms, 1),
            sql=ran.text,
        )


class TableList(BaseModel):
    """The tables of a database that the caller may see."""

    connection: str
    dialect: str
    total: int
    tables: list[TableInfo]


class SampleFound(BaseModel):
    """A verified question near the one asked, with its statement."""

    question: str
    sql: str
    score: float
    verified: bool


class SampleList(BaseModel):
    """Samples, the nearest first."""

    samples: list[SampleFound]


class MetricList(BaseModel):
    """What can be measured, and what it can be split by."""

    metrics: list[MetricInfo]
    dimensions: list[DimensionInfo]
