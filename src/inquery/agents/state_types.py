"""The parts of a thread's state: plain data with a shape, each made by one function.

They are TypedDicts because checkpoints hold them: what is written here is read again by the next release. Keys are
added, never renamed; a key that an older release did not write is NotRequired.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

from inquery.errors import Text

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
CandidateStatus = Literal["current", "new", "failed", "used"]
"""The statement in hand, one that waits, one that is no good, and the one that gave the answer."""
Repair = Literal["next_candidate", "mended", "first_statement", "refresh_schema", "regenerate"]


class Candidate(TypedDict):
    """A statement that may answer the question; `made` says which repair wrote it, where no model did."""

    sql: str
    score: float
    why: str
    status: CandidateStatus
    made: NotRequired[Repair]


def make_candidate(
    sql: str, status: CandidateStatus = "current", *, score: float = 0.0, why: str = "", made: Repair | None = None
) -> Candidate:
    """A statement as the state holds it."""
    candidate: Candidate = {"sql": sql, "score": score, "why": why, "status": status}
    return candidate | {"made": made} if made else candidate


class ColumnState(TypedDict):
    """A column of a result; `AnswerColumn` as plain data."""

    name: str
    kind: str


class Executed(TypedDict, total=False):
    """A result as the state describes it: no rows but a short preview, and which page of them is shown."""

    success: bool
    columns: list[ColumnState]
    preview: list[list[Any]]
    row_count: int
    truncated: str | None
    execution_time: float
    result_id: str
    page: int
    page_size: int
    total_count: int
    total_pages: int
    has_next: bool
    has_prev: bool


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
    },
)
"""What went wrong, for recovery: `message` and `suggestions` are for the writer, `public` is for people. `rule` is the
guard's, `name` and `nearest` say which name was unknown and what there is. `result` is an empty one that was doubted."""


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
