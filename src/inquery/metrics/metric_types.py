"""Metrics and dimensions as plans use them: what the glossary says, bound to the tables of one catalogue."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Literal

from inquery.knowledge.glossary import Additivity, Both, MetricFormat, MetricStatus

Kind = Literal["simple", "ratio", "members"]
Column = tuple[str, str]
"""The full name of a table and a column of it."""


@dataclass(frozen=True, slots=True)
class Metric:
    """A measure bound to its tables.

    `entity` is the table whose rows are measured: everything else that is read hangs on it by many-to-one joins, so that
    no row is counted twice. A ratio has none of its own: its two metrics are summed apart and then divided.
    """

    name: str
    label: Both
    synonyms: tuple[str, ...] = ()
    kind: Kind = "simple"
    entity: str = ""
    expression: str = ""
    filter: str = ""
    time: Column | None = None
    additivity: Additivity = "additive"
    unit: str = ""
    format: MetricFormat = "number"
    numerator: str = ""
    denominator: str = ""
    per: Column | None = None
    having: str = ""
    needs_period: bool = False
    status: MetricStatus = "accepted"
    description: Both = field(default_factory=Both)
    finer_than: str = ""
    """The metric that tells the same of whole documents, where it can be split as asked: invoices before their lines."""

    @property
    def version(self) -> str:
        """A hash of what decides its figures: the same version gives the same figure on the same data."""
        decides = (
            self.entity, self.expression, self.filter, self.time, self.numerator, self.denominator, self.per, self.having,
        )  # fmt: skip
        return hashlib.sha256(repr(decides).encode()).hexdigest()[:8]


@dataclass(frozen=True, slots=True)
class Dimension:
    """A column by which figures are split or narrowed.

    An entity's dimension is grouped by its `key` and shown by its name, since two stores may be called alike; people are
    shown by first and last name, of which the last is `further`.
    """

    name: str
    table: str
    column: str
    key: tuple[str, ...] = ()
    label: Both = field(default_factory=Both)
    words: tuple[str, ...] = ()
    further: str = ""

    @property
    def is_entity(self) -> bool:
        """Whether it stands for the rows of its table."""
        return bool(self.key)
