"""What a cached answer must agree on before it is served again.

Every field of a key is compared; only the question is read loosely (case, width, spaces, closing punctuation).
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import date, timedelta
from functools import cached_property

from inquery.language.periods import periods_in
from inquery.language.text import fold


@dataclass(frozen=True)
class CacheKey:
    """Who asks what of which data, read by which model, in which language, and when."""

    tenant: str
    connection_id: str
    permission: str
    schema_version: str
    dialect: str
    model: str
    prompt_version: str
    language: str
    today_bucket: str
    question: str

    @cached_property
    def digest(self) -> str:
        """One name for the whole key: what L0 and L1 look up."""
        return _hash([self.scope, normal(self.question)])

    @cached_property
    def scope(self) -> str:
        """One name for all but the question: L2 searches within it."""
        fields = asdict(self)
        del fields["question"]
        return _hash(sorted(fields.items()))


def _hash(content: object) -> str:
    return hashlib.sha256(json.dumps(content, ensure_ascii=False).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def normal(question: str) -> str:
    """The question as people would call it the same."""
    spaced = re.sub(r"\s+", " ", fold(question)).strip(" .?!。？！;；,，、")
    return re.sub(r"(?<=[一-鿿]) (?=[一-鿿])", "", spaced)


# Words that mean another thing tomorrow and name no period; periods are compared on several days instead.
_NOW = re.compile(
    r"\b(?:now|current(?:ly)?|today|so\s+far|to\s+date|recent(?:ly)?|latest|lately|ago|age|ages|aged|upcoming|overdue"
    r"|expir\w+|due|nowadays|at\s+present|present(?:ly)?|newest|younger|older|tenure|yet|remaining|past|next|last|this)\b"
    r"|现在|目前|当前|如今|今|昨|明天|后天|最近|近期|近来|近日|至今|迄今|本[周月季年日]|这[周月季年个]|上个?[周月季]|下个?[周月季]|前天"
    r"|去年|前年|明年|年龄|岁|多久|到期|过期|逾期|剩余|近[\d一二两三四五六七八九十]|过去|未来",
    re.I,
)
_DAYS_ON = (1, 7, 32, 95, 400)


def today_bucket(question: str, today: date, *, week_start: int = 1, fiscal_start: int = 1) -> str:
    """The day, where the question means another span of time on another day, else nothing."""

    def spans(day: date) -> list[tuple[date, date]]:
        found = periods_in(question, today=day, week_start=week_start, fiscal_start=fiscal_start)
        return [(period.start, period.end) for period in found]

    if _NOW.search(question):
        return today.isoformat()
    first = spans(today)
    moved = first and any(spans(today + timedelta(days)) != first for days in _DAYS_ON)
    return today.isoformat() if moved else ""


def names_of(values: Iterable[object]) -> tuple[str, ...]:
    """Matched values as the names of `slots`: `table.column=value`, sorted."""
    return tuple(
        sorted({f"{getattr(v, 'table', '')}.{getattr(v, 'column', '')}={getattr(v, 'value', v)}" for v in values})
    )
