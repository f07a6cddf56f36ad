"""What a question says, and what a statement may be found to break."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from inquery.agents.state_types import FoundPeriod
from inquery.catalog.value_index import ValueMatch
from inquery.errors import Text
from inquery.knowledge.glossary import Glossary, Metric
from inquery.sql import Catalog
from inquery.sql.statement import Statement


@dataclass(frozen=True, slots=True)
class Claims:
    """A question with what is known about its words."""

    question: str
    shape: str
    catalog: Catalog
    glossary: Glossary
    matches: Sequence[ValueMatch] = ()
    periods: Sequence[FoundPeriod] = ()
    given: Sequence[str] = ()
    today: datetime.date = datetime.date.max

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
    """A rule that a statement breaks: why, and what would keep it."""

    code: str
    reason: Text
    advice: str
    sure: bool = True


Rule = Callable[[Statement, Claims], Breach | None]
