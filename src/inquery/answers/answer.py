"""What a person gets back: one typed answer, the same through every door."""

from __future__ import annotations

from typing import Any, Literal, NotRequired

from pydantic import BaseModel, Field, JsonValue

# pydantic reads typing's own TypedDict from Python 3.12 on only.
from typing_extensions import TypedDict

Status = Literal["answered", "clarification", "approval", "refused", "failed", "chat", "declined"]


ColumnFormat = Literal["", "number", "count", "money", "percent", "fraction"]
"""How numbers are shown: of a percentage 12.3 is 12.3%, of a fraction 0.123 is. Empty where nothing is known."""


class AnswerColumn(BaseModel):
    """A column of the result; `kind` decides how it is charted, the rest how a reader sees it."""

    name: str
    kind: str = "other"
    label: str = Field("", description="what the reader calls it, in the answer's language; empty where nobody knows")
    format: ColumnFormat = ""
    unit: str = Field("", description="the currency of an amount, as CNY")
    words: dict[str, str] = Field(default_factory=dict, description="what codes among its values stand for")


# Written as a call, since `from` is no name for a field of a class.
FactDetail = TypedDict(
    "FactDetail",
    {
        "share": float,
        "of": int,
        "finished_only": bool,
        "grain": str,
        "start": str,
        "quarter": int,
        "begun": bool,
        "from": str,
        "to": str,
        "first": float,
        "last": float,
        "rate": float,
        "rise": float,
        "rise_at": str,
        "fall": float,
        "fall_at": str,
        "median": float,
    },
    total=False,
)
"""What belongs to a fact of one kind: a share of the total, the period that is not over, the ends and steps of a change,
the median that an outlier stands out from."""


class Fact(BaseModel):
    """Something computed from the rows; prose may quote `value` and nothing else.

    `kind` is one of count, total, average, top, bottom, share, change, unfinished, cut, outlier, nulls, truncated, single,
    left_out (rows that a join does not find, with their share); of a plan also previous, difference, change_percent,
    share_percent and contribution_percent, where 12.3 is 12.3 per cent.
    """

    kind: str
    column: str | None = None
    label: str | None = None
    value: float | int | str | None = None
    detail: FactDetail = Field(default_factory=FactDetail)


class ChartSeries(BaseModel):
    """One drawn series: a column of the chart's data, with how its numbers look."""

    key: str
    name: str = ""
    format: ColumnFormat = ""
    unit: str = ""
    compares: bool = Field(False, description="it is there to be compared with: the same figure of an earlier period")


ChartType = Literal["bar", "line", "area", "pie", "scatter", "heat", "pivot"]
ChartPoint = dict[str, float | int | str | None]
"""The numbers of one place on the axis, and its label, by the names of their columns."""


class ChartSpec(BaseModel):
    """A chart as typed data, never code; every renderer reads this."""

    type: ChartType
    title: str = ""
    x: str
    x_name: str = Field("", description="what the reader calls `x`; empty where nobody knows")
    split: str = Field(
        "", description="the second dimension, whose values are the series; empty where series are columns"
    )
    split_name: str = ""
    measure: str = Field("", description="what the numbers are, where the series are values of a second dimension")
    series: list[ChartSeries]
    data: list[ChartPoint]
    stacked: bool = False
    whole: bool = Field(False, description="stacked, and every place is 100%")
    sums: bool = Field(False, description="the numbers may be added up, as a pivot table does")
    open: list[str] = Field(default_factory=list, description="labels of the places whose period is not over")
    language: str = Field("en", description="of its names, and how its numbers are written")
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
    cached_tokens: int = Field(0, description="of the prompt, what the provider had read before")
    completion_tokens: int = 0
    cost: float = 0.0
    model: str = ""
    ms: float = 0.0


class OptionReading(TypedDict, total=False):
    """What an option takes a phrase for: a metric, a value of a column, or a column that says when.

    `says` is the reading in words, which the question gets beside the phrase.
    """

    phrase: str
    metric: str
    table: str
    column: str
    time_column: str
    value: str
    says: str


class Option(BaseModel):
    """One way to read an ambiguous question."""

    id: str
    label: str
    reading: OptionReading = Field(default_factory=OptionReading)


class StatementEstimate(TypedDict):
    """What the engine expects of a statement that was not run; nothing where it does not say."""

    rows: int | None
    cost: float | None
    full_scans: list[str]


class Pending(BaseModel):
    """What a clarification or an approval waits for."""

    id: str
    kind: Literal["clarification", "approval"]
    question: str = ""
    options: list[Option] = Field(default_factory=list)
    sql: str | None = None
    estimate: StatementEstimate | None = None


class ReadFilter(TypedDict):
    """A phrase of the question that the statement compares a column with; `denied` where it leaves the value out."""

    phrase: str
    table: str
    column: str
    value: str
    denied: NotRequired[bool]


class ReadPeriod(TypedDict):
    """Days from `start` up to, not including, `end`, with the words that said so."""

    text: str
    start: str
    end: str


class ReadPlan(TypedDict):
    """The question as a plan: in words, whether all its definitions are accepted, and its fields (`metrics/plan_types.py`)."""

    text: str
    accepted: bool
    fields: dict[str, JsonValue]


PartKind = Literal[
    "measure",
    "group",
    "period",
    "date",
    "filter",
    "without",
    "definition",
    "assumption",
    "chosen",
    "ignored",
    "database",
]
"""What a part of a reading is; `without` is a condition whose rows are left out, where `filter` keeps them."""


class ReadChange(TypedDict):
    """What a part of a reading may be changed to, and the whole question so changed."""

    label: str
    question: str


class ReadPart(TypedDict):
    """One part of a reading in words, with what else could be meant."""

    kind: PartKind
    text: str
    changes: list[ReadChange]


class Reading(TypedDict, total=False):
    """The question as it was understood, in the user's words: in one line as `text`, part by part as `parts`.

    `ignored` are the words that nothing in the statement owns.
    """

    text: str
    parts: list[ReadPart]
    question: str
    ignored: list[str]
    filters: list[ReadFilter]
    period: list[ReadPeriod]
    metric: dict[str, str]
    assumptions: list[str]
    plan: ReadPlan
    chosen: str


class MatchedValue(TypedDict):
    """A phrase of the question that is a stored value: question[start:end] means `value` in table.column."""

    table: str
    column: str
    value: str
    phrase: str
    score: float
    start: int
    end: int


class Provenance(TypedDict, total=False):
    """Where an answer comes from: what was used, what was checked, and what had to be repaired.

    `rows_as_of` is when its rows were read, where they were kept from an earlier run of the same statement. `evidence` is
    what the confidence was judged by.
    """

    connection_choice: str
    samples: list[str]
    connection: str
    tables: list[str]
    columns: list[str]
    joins: list[str]
    glossary: dict[str, str]
    values: list[MatchedValue]
    template: str | None
    candidates: int
    agreement: float
    guard: str
    repairs: list[str]
    advice: list[str]
    model: str
    schema_version: str
    assumptions: list[str]
    source: str
    rows_as_of: str
    evidence: dict[str, float]


CacheLevel = Literal["thread", "exact", "semantic"]


class CacheUse(TypedDict):
    """Which cache gave the answer, and when its rows were read; a statement used as a template has no such time."""

    level: CacheLevel
    as_of: NotRequired[str]


# Written as a call, since `class` is no name for a field of a class.
AnswerError = TypedDict(
    "AnswerError",
    {"code": str, "message": str, "retryable": bool, "class": NotRequired[str], "detail": NotRequired[str]},
)
"""Why there is no answer, as every door says it; `class` is recovery's name for a statement's fault, `detail` what the
model's provider said in its own words."""


class Alternative(BaseModel):
    """Another reading of the question, with other rows: what would be told had it been taken."""

    sql: str
    confidence: float
    text: str = ""
    columns: list[str] = Field(default_factory=list)
    words: list[AnswerColumn] = Field(default_factory=list, description="the columns as a reader calls them")
    rows: list[list[Any]] = Field(default_factory=list, description="the first few")
    row_count: int = 0


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
    total_count: int | None = Field(
        None, description="rows of the whole result: counted where that was asked for, unknown where rows were cut"
    )
    text: str = ""
    reading: Reading = Field(default_factory=Reading)
    facts: list[Fact] = Field(default_factory=list)
    chart: ChartSpec | None = None
    followups: list[str] = Field(default_factory=list)
    confidence: float | None = Field(None, description="the probability that the answer is right; null unless answered")
    grade: Literal["verified", "likely", "check"] | None = Field(
        None, description="`verified` by people's definitions, `likely`, or to `check`; null unless answered"
    )
    guess: str | None = Field(None, description="the statement of an answer that was not sure enough to be shown")
    alternatives: list[Alternative] = Field(default_factory=list)
    provenance: Provenance = Field(default_factory=Provenance)
    cache: CacheUse | None = None
    warnings: list[str] = Field(default_factory=list)
    steps: list[Step] = Field(default_factory=list)
    usage: Usage = Field(default_factory=Usage)
    thread_id: str = ""
    run_id: str = ""
    connection_id: str = ""
    unverified: bool = Field(
        False,
        description="the database was not reached: `sql` was written and checked by its last known catalogue, not run",
    )
    permission: str = Field("", description="fingerprint of the rights the data was read under")
    result_id: str | None = None
    pending: Pending | None = None
    error: AnswerError | None = None
