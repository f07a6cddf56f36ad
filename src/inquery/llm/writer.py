"""The seat of every SQL-writing model: what it is given and what it returns."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from inquery.catalog.value_index import ValueMatch
from inquery.settings import get_settings
from inquery.sql import Join, Table

__all__ = [
    "Candidate",
    "Example",
    "Failure",
    "Measure",
    "SchemaView",
    "Signs",
    "SqlWriter",
    "ValueMatch",
    "WriteRequest",
]


@dataclass(frozen=True, slots=True)
class SchemaView:
    """The part of a catalogue shown to a writer: whole tables, best first, and the joins between them.

    `relevance` gives (table full name, column) pairs ranked for the question; it may be empty.
    """

    tables: tuple[Table, ...]
    joins: tuple[Join, ...] = ()
    relevance: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Example:
    """A verified question and its SQL, shown to the writer; `same` where it asks the same with the same literals."""

    question: str
    sql: str
    score: float = 1.0
    same: bool = False


@dataclass(frozen=True, slots=True)
class Measure:
    """A metric of the glossary: an SQL aggregate over `tables`, taken under `condition`."""

    name: str
    expression: str
    condition: str = ""
    tables: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WriteRequest:
    """Everything a writer may use for one question.

    `phrases` are words of the question that people here use for a table or a measure: (phrase, its name). `analyst` is
    what a custom analyst is told, `surroundings` what a report says around the question; the embedded model reads neither.
    """

    question: str
    language: str
    dialect: str
    schema: SchemaView
    values: tuple[ValueMatch, ...] = ()
    samples: tuple[Example, ...] = ()
    template: str | None = None
    glossary: Mapping[str, str] = field(default_factory=dict)
    measures: tuple[Measure, ...] = ()
    phrases: tuple[tuple[str, str], ...] = ()
    analyst: str = ""
    surroundings: str = ""
    today: datetime.date = field(default_factory=lambda: get_settings().day())
    n: int = 1


@dataclass(frozen=True, slots=True)
class Signs:
    """What a writer shows of its own doubt, in nats, where its probabilities are known.

    `least` is its least certain choice, `forced` what it was made to say, `again` what it thought of the same text when
    it was shown the same tables otherwise, `nothing` how likely it found it that the tables hold no answer, `verdict` by how
    much it finds the whole rather right than wrong, where it was trained to tell.
    """

    logprob: float
    least: float
    forced: float
    again: float
    words: int
    nothing: float | None = None
    verdict: float | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """One proposed statement; `score` is comparable within one call only."""

    sql: str
    score: float = 0.0
    why: str = ""
    signs: Signs | None = None


@dataclass(frozen=True, slots=True)
class Failure:
    """What went wrong with an earlier statement, as far as the writer may know."""

    sql: str
    error_class: str
    message: str
    suggestions: tuple[str, ...] = ()


class SqlWriter(Protocol):
    """Writes SQL for a question; choosing among candidates by running them is not its business."""

    async def write(self, request: WriteRequest) -> list[Candidate]:
        """Candidates, best first, from one model call."""

    async def repair(self, request: WriteRequest, failed: Failure) -> list[Candidate]:
        """Candidates that avoid an earlier failure, best first."""


def verified_candidates(request: WriteRequest) -> list[Candidate]:
    """Statements kept for the same question with the same literals; a small model would not do better."""
    known = [Candidate(sample.sql, score=0.0, why="sample") for sample in request.samples if sample.same]
    kept = [Candidate(request.template, score=0.0, why="template")] if request.template else []
    return list({candidate.sql: candidate for candidate in (*known, *kept)}.values())
