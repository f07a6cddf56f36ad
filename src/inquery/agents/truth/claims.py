"""What a question says, and what a statement may be found to break."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from inquery.agents.state_types import FoundPeriod
from inquery.answers.column_words import name_of_column
from inquery.catalog.value_index import ValueMatch
from inquery.errors import Text
from inquery.knowledge.glossary import Glossary, Metric
from inquery.sql import Catalog
from inquery.sql.statement import Place, Statement


@dataclass(frozen=True, slots=True)
class Wanted:
    """What whoever asks adds to the words of a question.

    `shape` is "value" where one figure is wanted, else "rows"; `given` are values filled in apart, `refused` statements
    that people said no to, `surroundings` what stands around the question in a document. `strict` is for what nobody
    reads twice, as a report: a statement that only may be wrong is passed over too, and one that surely is wrong is no
    answer.
    """

    shape: str = "rows"
    given: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    strict: bool = False
    surroundings: str = ""


@dataclass(frozen=True, slots=True)
class Claims:
    """A question with what is known about its words; `time_column` is the one it most likely means."""

    question: str
    shape: str
    catalog: Catalog
    glossary: Glossary
    matches: Sequence[ValueMatch] = ()
    periods: Sequence[FoundPeriod] = ()
    given: Sequence[str] = ()
    today: datetime.date = datetime.date.max
    refused: Sequence[str] = ()
    time_column: str = ""
    stored: Callable[[str, str], Sequence[str]] | None = None
    """The values of a table's column, as far as they were read."""

    def called(self, place: Place) -> Text:
        """A column in words, as the reasons for people have it; what a writer is told has its name."""
        return Text(*(f"“{name_of_column(place, self.glossary, self.catalog, each)}”" for each in ("en", "zh")))

    @property
    def metrics(self) -> list[tuple[str, Metric]]:
        """Words that name one measure of the glossary."""
        found = [
            (word, [self.glossary.metrics[name] for name in names])
            for word, names in self.glossary.metrics_in(self.question)
        ]
        return [(word, metrics[0]) for word, metrics in found if len({m.definition for m in metrics}) == 1]


@dataclass(frozen=True, slots=True)
class Breach:
    """A rule that a statement breaks: why, and what would keep it; `rule` is its name."""

    code: str
    reason: Text
    advice: str
    sure: bool = True
    rule: str = ""


Rule = Callable[[Statement, Claims], Breach | None]
