"""The parts of a thread's state: plain data with a shape, each made by one function.

They are TypedDicts because checkpoints hold them: what is written here is read again by the next release. Keys are
added, never renamed; a key that an older release did not write is NotRequired. A part that is blank until its node has
run has no required key at all. What doors send as well (readings, provenance, values, errors) is in answers/answer.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Literal, NotRequired

from pydantic import JsonValue
from typing_extensions import TypedDict

from inquery.agents.bilingual import Language
from inquery.answers.answer import (
    AnswerColumn,
    AnswerError,
    ChartPoint,
    ChartSpec,
    ChartType,
    ColumnFormat,
    Fact,
    FactDetail,
    MatchedValue,
    OptionReading,
    ReadPeriod,
    StatementEstimate,
)
from inquery.cache.answer_key import CacheKey
from inquery.catalog.value_index import ValueMatch
from inquery.databases.engine import Estimate
from inquery.errors import InqueryError, Text
from inquery.language.periods import Period
from inquery.llm.usage import UsageCounts
from inquery.llm.writer import Signs

Stage = Literal[
    "init",
    "schema_analysis",
    "clarification",
    "sql_generation",
    "sql_validation",
    "approval",
    "sql_execution",
    "analysis",
    "chart_generation",
    "error_recovery",
    "recommendation",
    "completed",
]
Successor = Literal[
    "load_profile",
    "route_intent",
    "general_chat",
    "describe_data",
    "use_last_answer",
    "rewrite_followup",
    "detect_fast_mode",
    "check_thread",
    "check_cache",
    "link_schema",
    "detect_ambiguity",
    "ask_user",
    "write_sql",
    "check_sql",
    "approve",
    "run_sql",
    "recover",
    "analyse",
    "end",
]
"""Where a node may lead; which of them is the matter of its row in `supervisor.ROUTES`."""
Intent = Literal["data", "chat", "catalog", "last_answer"]
CandidateStatus = Literal["current", "new", "failed", "used"]
"""The statement in hand, one that waits, one that is no good, and the one that gave the answer."""
Repair = Literal["next_candidate", "mended", "first_statement", "taken_back", "refresh_schema", "regenerate"]


class FoundPeriod(ReadPeriod):
    """A period that the question names; `grain` is its unit."""

    grain: str


def found_period(period: Period) -> FoundPeriod:
    """A period as the state holds it."""
    start, end = period.start.isoformat(), period.end.isoformat()
    return {"text": period.text, "start": start, "end": end, "grain": period.grain}


class QuestionAnalysis(TypedDict, total=False):
    """What the rules read in a message: what it wants, and the metrics (by their words) and periods it names.

    `unlinked` is whether no word of it was found in the database, `absent` says what it speaks of that nothing there is about.
    """

    what: str
    metrics: dict[str, list[str]]
    periods: list[FoundPeriod]
    unlinked: bool
    absent: dict[str, str]


class SchemaInfo(TypedDict, total=False):
    """The tables for the writer, by name; details come from the catalogue. `relevance` is pairs of table and column."""

    version: str
    tables: list[str]
    relevance: list[list[str]]
    best: list[str]


def matched_value(match: ValueMatch) -> MatchedValue:
    """A value that the question names, as the state holds it."""
    return {
        "table": match.table,
        "column": match.column,
        "value": match.value,
        "phrase": match.phrase,
        "score": match.score,
        "start": match.start,
        "end": match.end,
    }


VERIFIED = "sample"
"""What a candidate's `why` says where people approved it for this very question."""


class Candidate(TypedDict):
    """A statement that may answer the question; `made` says which repair wrote it, where no model did.

    `signs` are those of `llm.writer.Signs`, from writers that have them.
    `breaches` are the codes of the claims it breaks (`agents/truth`), sure or not; `check_sql` fills them.
    """

    sql: str
    score: float
    why: str
    status: CandidateStatus
    made: NotRequired[Repair]
    signs: NotRequired[dict[str, float]]
    breaches: NotRequired[list[str]]


def make_candidate(
    sql: str,
    status: CandidateStatus = "current",
    *,
    score: float = 0.0,
    why: str = "",
    made: Repair | None = None,
    signs: Signs | None = None,
) -> Candidate:
    """A statement as the state holds it."""
    candidate: Candidate = {"sql": sql, "score": score, "why": why, "status": status}
    if made:
        candidate["made"] = made
    if signs:
        candidate["signs"] = {name: round(value, 4) for name, value in asdict(signs).items() if value is not None}
    return candidate


class PlannedColumn(TypedDict):
    """A column of a plan's result: its role, and how its metric is called and shown."""

    name: str
    role: str
    label: str
    format: str
    unit: str


class PlannedStatement(TypedDict, total=False):
    """The statement of a plan; `fields` are the plan's own, `text` says it in words, `accepted` that people defined it, `plain`
    that it counts or adds up what the question names, so that there is nothing to define.
    """

    sql: str
    fields: dict[str, JsonValue]
    text: str
    accepted: bool
    plain: bool
    columns: list[PlannedColumn]
    now: str
    then: str
    narrowed: str
    part: str
    things: str
    before: str
    open: str
    sums: bool


class Validation(TypedDict, total=False):
    """What the guard and the engine say of the statement; `ok` alone where it was refused."""

    ok: bool
    tables: list[str]
    columns: list[str]
    ordered: bool
    estimate: StatementEstimate | None
    advice: list[str]


def statement_estimate(estimate: Estimate | None) -> StatementEstimate | None:
    """What the engine expects, as the state holds it: without its plan, which may be long."""
    if estimate is None:
        return None
    return {"rows": estimate.rows, "cost": estimate.cost, "full_scans": list(estimate.full_scans)}


class WordedColumn(TypedDict):
    """A column of another reading, as a reader calls it: `AnswerColumn` as plain data."""

    name: str
    kind: str
    label: str
    format: ColumnFormat
    unit: str
    words: dict[str, str]


def worded_states(columns: Sequence[AnswerColumn]) -> list[WordedColumn]:
    """Columns with their words, as the state holds them."""
    return [
        {
            "name": each.name,
            "kind": each.kind,
            "label": each.label,
            "format": each.format,
            "unit": each.unit,
            "words": each.words,
        }
        for each in columns
    ]


class OtherReading(TypedDict):
    """Another statement that may be meant, with other rows; a few of these are kept to be shown beside the answer's."""

    sql: str
    confidence: float
    text: str
    columns: list[str]
    words: NotRequired[list[WordedColumn]]
    preview: list[list[Any]]
    row_count: int


class Weighed(TypedDict):
    """A candidate that ran, as the judge saw it."""

    sql: str
    p: float
    evidence: dict[str, float]


class Judged(TypedDict, total=False):
    """What the judge made of the run: the probability that it is right, why, and what else may be meant.

    `verified` says that people own every word of the statement; `weighed` are the candidates that ran, the one taken first;
    `doubt` is why it wants checking, for a person.
    """

    p: float
    verified: bool
    doubt: str
    evidence: dict[str, float]
    weighed: list[Weighed]
    others: list[OtherReading]


class ColumnState(TypedDict):
    """A column of a result: `AnswerColumn` as plain data."""

    name: str
    kind: str


class Executed(TypedDict, total=False):
    """A result without its rows, of which it has a short preview; `outcomes.rows.describe_result` makes it.

    The page and what follows is which of the rows are shown. `as_of` is there where they were read earlier,
    `counted` where the rows of the whole result were counted.
    """

    success: bool
    columns: list[ColumnState]
    preview: list[list[Any]]
    row_count: int
    truncated: str | None
    execution_time: float
    result_id: str
    as_of: str
    page: int
    page_size: int
    total_count: int
    total_pages: int
    has_next: bool
    has_prev: bool
    counted: int


def column_states(columns: Sequence[AnswerColumn]) -> list[ColumnState]:
    """Columns as the state holds them."""
    return [{"name": column.name, "kind": column.kind} for column in columns]


class InBothLanguages(TypedDict):
    """A text as plain data."""

    en: str
    zh: str


# Written as a call, since `class` is no name for a field of a class.
Fault = TypedDict(
    "Fault",
    {
        "class": str,
        "rule": NotRequired[str],
        "code": str,
        "stage": str,
        "message": str,
        "public": InBothLanguages,
        "retryable": bool,
        "refused": bool,
        "sql": str,
        "name": str | None,
        "nearest": list[str],
        "suggestions": NotRequired[list[str]],
        "result": NotRequired[Executed],
        "said": NotRequired[str],
    },
)
"""What went wrong, for recovery: `message` and `suggestions` are for the writer, `public` is for people. `rule` is the
guard's, `name` and `nearest` say which name was unknown and what there is. `result` is an empty one that was doubted.
`said` is a model provider's own words."""


def make_fault(
    kind: str,
    public: Text,
    *,
    stage: Stage = "sql_execution",
    sql: str = "",
    message: str = "",
    suggestions: Sequence[str] = (),
    code: str = "",
    rule: str = "",
    name: str | None = None,
    nearest: Sequence[str] = (),
    retryable: bool = False,
    refused: bool = False,
) -> Fault:
    """A fault of one of recovery's classes; without a code of its own it goes by its class."""
    return {
        "class": kind,
        "rule": rule,
        "code": code or kind,
        "stage": stage,
        "message": message or public.en,
        "public": {"en": public.en, "zh": public.zh},
        "retryable": retryable,
        "refused": refused,
        "sql": sql,
        "name": name,
        "nearest": list(nearest),
        "suggestions": list(suggestions),
    }


class FailedStatement(TypedDict, total=False):
    """What the writer is told when it is asked again."""

    failed_sql: str
    error_type: str
    message: str
    suggestions: list[str]


def failed_statement(fault: Fault, suggestions: list[str]) -> FailedStatement:
    """A fault as the writer is told it."""
    return {
        "failed_sql": fault["sql"],
        "error_type": fault["class"],
        "message": fault["message"],
        "suggestions": suggestions,
    }


class OptionState(TypedDict):
    """One way to read an ambiguous question: `Option` as plain data."""

    id: str
    label: str
    reading: OptionReading


def make_option(option_id: str, label: str, reading: OptionReading) -> OptionState:
    """A reading that may be chosen."""
    return {"id": option_id, "label": label, "reading": reading}


class Exchange(TypedDict):
    """A question back and what was said to it."""

    question: str
    reply: str


class Clarification(TypedDict, total=False):
    """A doubt about the question: what is asked back, then the reply and the reading it chose.

    `left_open` means that the writer decides, since nobody is there to ask.
    """

    id: str
    question: str
    options: list[OptionState]
    history: list[Exchange]
    round: int
    left_open: bool
    reply: str
    option: str
    reading: OptionReading


def ask_back(key: str, question: str, options: list[OptionState]) -> Clarification:
    """A doubt that nobody has resolved yet; what is remembered of a user goes by its key."""
    return {"id": key, "question": question, "options": options, "history": [], "round": 1}


class Approval(TypedDict, total=False):
    """A statement that waits for a person; `approved` is the text they let run."""

    sql: str
    estimate: StatementEstimate | None
    id: str
    approved: str
    rejected: bool


def ask_approval(sql: str, estimate: Estimate | None, number: int) -> Approval:
    """A statement that nobody has decided on yet; the number tells it from those before it in the turn."""
    return {"sql": sql, "estimate": statement_estimate(estimate), "id": f"approve-{number}"}


class AskedBack(TypedDict):
    """The interrupt of a clarification, as it waits in a checkpoint."""

    kind: Literal["clarification"]
    id: str
    question: str
    options: list[OptionState]


class AskedApproval(TypedDict):
    """The interrupt of an approval, as it waits in a checkpoint."""

    kind: Literal["approval"]
    id: str
    sql: str
    estimate: StatementEstimate | None


class FactState(TypedDict):
    """`Fact` as plain data."""

    kind: str
    column: str | None
    label: str | None
    value: float | int | str | None
    detail: FactDetail


def fact_states(facts: Sequence[Fact]) -> list[FactState]:
    """Facts as the state holds them."""
    return [
        {"kind": fact.kind, "column": fact.column, "label": fact.label, "value": fact.value, "detail": fact.detail}
        for fact in facts
    ]


class SeriesState(TypedDict):
    """One drawn series: `ChartSeries` as plain data."""

    key: str
    name: str
    format: NotRequired[ColumnFormat]
    unit: NotRequired[str]
    compares: NotRequired[bool]


class ChartState(TypedDict, total=False):
    """`ChartSpec` as plain data; blank where nothing is drawn."""

    type: ChartType
    title: str
    x: str
    x_name: str
    split: str
    split_name: str
    measure: str
    series: list[SeriesState]
    data: list[ChartPoint]
    stacked: bool
    whole: bool
    sums: bool
    open: list[str]
    language: str
    aggregated: bool
    why: str
    picture: str


def chart_state(chart: ChartSpec) -> ChartState:
    """A chart as the state holds it."""
    return {
        "type": chart.type,
        "title": chart.title,
        "x": chart.x,
        "x_name": chart.x_name,
        "split": chart.split,
        "split_name": chart.split_name,
        "measure": chart.measure,
        "series": [
            {
                "key": series.key,
                "name": series.name,
                "format": series.format,
                "unit": series.unit,
                "compares": series.compares,
            }
            for series in chart.series
        ],
        "data": chart.data,
        "stacked": chart.stacked,
        "whole": chart.whole,
        "sums": chart.sums,
        "open": chart.open,
        "language": chart.language,
        "aggregated": chart.aggregated,
        "why": chart.why,
        "picture": chart.picture,
    }


def told_error(error: InqueryError, language: Language) -> AnswerError:
    """An error as doors send it."""
    told = error.to_dict(language)
    shown: AnswerError = {"code": told["code"], "message": told["message"], "retryable": told["retryable"]}
    return {**shown, "detail": told["detail"]} if "detail" in told else shown


def final_error(code: str, message: str) -> AnswerError:
    """The end of a turn that asking again would not change."""
    return {"code": code, "message": message, "retryable": False}


class NoError(TypedDict):
    """Nothing went wrong."""


class AnsweredUsage(UsageCounts):
    """What a turn that was answered has spent on models, and the milliseconds of each step."""

    steps: dict[str, float]


class TurnRecord(TypedDict):
    """A line of the thread's history."""

    question: str
    standalone: str
    sql: str
    outcome: str
    intent: str


class LastAnswer(TypedDict, total=False):
    """What a later turn may refer to; `key` is what the caches know it by, so that a thumb down finds it there."""

    question: str
    standalone: str
    sql: str
    result_id: str | None
    columns: list[ColumnState]
    connection_id: str
    text: str
    chart: ChartState
    key: dict[str, str]
    plan: dict[str, JsonValue]
    planned: PlannedStatement
    judged: Judged


def key_state(key: CacheKey) -> dict[str, str]:
    """A cache key as the state holds it: all of its fields are texts."""
    return asdict(key)
