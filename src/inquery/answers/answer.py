"""What a person gets back: one typed answer, the same through every door."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field

Status = Literal["answered", "clarification", "approval", "refused", "failed", "chat"]


class AnswerColumn(BaseModel):
    """A column of the result; `kind` decides how it is formatted and charted."""

    name: str
    kind: str = "other"


class Fact(BaseModel):
    """Something computed from the rows; prose may quote `value` and nothing else.

    `kind` is one of count, total, average, top, bottom, share, change, unfinished, outlier, nulls, truncated, single.
    """

    kind: str
    column: str | None = None
    label: str | None = None
    value: float | int | str | None = None
    detail: dict[str, Any] = Field(default_factory=dict)


class ChartSeries(BaseModel):
    """One drawn series: a column of the chart's data."""

    key: str
    name: str = ""


class ChartSpec(BaseModel):
    """A chart as typed data, never code; every renderer reads this."""

    type: Literal["bar", "line", "pie", "scatter"]
    title: str = ""
    x: str
    series: list[ChartSeries]
    data: list[dict[str, Any]]
    stacked: bool = False
    aggregated: bool = False
    why: str = ""
    picture: str = Field("", description="address of a picture that a chart server drew; shown as a link, never loaded")


class Step(BaseModel):
    """One node's run."""

    name: str
    ms: float


class Usage(BaseModel):
    """What a run cost."""

    model_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0
    model: str = ""
    ms: float = 0.0


class Option(BaseModel):
    """One way to read an ambiguous question."""

    id: str
    label: str
    reading: dict[str, Any] = Field(default_factory=dict)


class Pending(BaseModel):
    """What a clarification or an approval waits for."""

    id: str
    kind: Literal["clarification", "approval"]
    question: str = ""
    options: list[Option] = Field(default_factory=list)
    sql: str | None = None
    estimate: dict[str, Any] | None = None


class Answer(BaseModel):
    """The end of a run; fields that do not apply are empty."""

    status: Status
    question: str
    language: str = "en"
    sql: str | None = None
    columns: list[AnswerColumn] = Field(default_factory=list)
    rows: list[list[Any]] = Field(default_factory=list)
    row_count: int = 0
    truncated: str | None = None
    text: str = ""
    reading: dict[str, Any] = Field(default_factory=dict)
    facts: list[Fact] = Field(default_factory=list)
    chart: ChartSpec | None = None
    followups: list[str] = Field(default_factory=list)
    confidence: float | None = None
    provenance: dict[str, Any] = Field(default_factory=dict)
    cache: dict[str, Any] | None = None
    warnings: list[str] = Field(default_factory=list)
    steps: list[Step] = Field(default_factory=list)
    usage: Usage = Field(default_factory=Usage)
    thread_id: str = ""
    run_id: str = ""
    connection_id: str = ""
    permission: str = Field("", description="fingerprint of the rights the data was read under")
    result_id: str | None = None
    pending: Pending | None = None
    error: dict[str, Any] | None = None
