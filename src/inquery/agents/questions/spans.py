"""Whether a statement keeps to the periods its question names, as far as its own dates tell."""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence

from inquery.agents.bilingual import say
from inquery.agents.state_types import FoundPeriod

_DATES = re.compile(r"'(\d{4}(?:-\d{2}(?:-\d{2})?)?)|\b((?:19|20)\d{2})\b")
_PREFIX = {"year": 4, "month": 7, "day": 10}
_OPEN = {datetime.date.min.isoformat(), datetime.date.max.isoformat()}


def period_warnings(sql: str, periods: Sequence[FoundPeriod], language: str) -> list[str]:
    """A remark for each period that the statement's dates leave out; statements without dates are believed."""
    dates = {literal or year for literal, year in _DATES.findall(sql)}
    if not dates:
        return []
    return [
        say(
            language,
            f"The period “{period['text']}” may not be what the statement filters by.",
            f"语句的筛选可能与时间“{period['text']}”不一致。",
        )
        for period in periods
        if not _kept(period, dates)
    ]


def _kept(period: FoundPeriod, dates: set[str]) -> bool:
    start, end = period["start"], period["end"]
    whole = start[: _PREFIX.get(period["grain"], 10)]
    if whole in dates or (period["grain"] == "month" and start[:4] in dates and str(int(start[5:7])) in dates):
        return True
    last = (datetime.date.fromisoformat(end) - datetime.timedelta(1)).isoformat() if end not in _OPEN else end
    return (start in _OPEN or bool(_spellings(start) & dates)) and (
        end in _OPEN or bool((_spellings(end) | _spellings(last)) & dates)
    )


def _spellings(day: str) -> set[str]:
    """A border as statements write it: of a year's first or last day also the year, as for a column of years."""
    return {day, day[:4]} if day[5:] in {"01-01", "12-31"} else {day}
