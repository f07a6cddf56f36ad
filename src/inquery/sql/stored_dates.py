"""Days and months that a column keeps as plain numbers or text: 20250630, 202506, '2025-06', '2025/06/30', seconds since 1970.

Old systems, warehouses and spreadsheets keep dates so, and their engines know nothing of it. What a column keeps is told by its
samples, so the same is found at run time and in training.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Literal, cast

from inquery.sql.catalog import Column

Kind = Literal["day", "moment", "month", "iso_month", "slashed", "dotted", "slashed_month", "seconds", "millis"]

_YEAR, _MONTH, _DAY = r"(?:19[4-9]\d|20[0-6]\d)", r"(?:0[1-9]|1[0-2])", r"(?:0[1-9]|[12]\d|3[01])"
_CLOCK = r"(?:[ T](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?)?"
_SHAPES: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("day", re.compile(rf"{_YEAR}{_MONTH}{_DAY}")),
    ("moment", re.compile(rf"{_YEAR}{_MONTH}{_DAY}(?:[01]\d|2[0-3])[0-5]\d(?:[0-5]\d)?")),
    ("iso_month", re.compile(rf"{_YEAR}-{_MONTH}")),
    ("month", re.compile(rf"{_YEAR}{_MONTH}")),
    ("slashed", re.compile(rf"{_YEAR}/{_MONTH}/{_DAY}{_CLOCK}")),
    ("dotted", re.compile(rf"{_YEAR}\.{_MONTH}\.{_DAY}{_CLOCK}")),
    ("slashed_month", re.compile(rf"{_YEAR}/{_MONTH}")),
    ("seconds", re.compile(r"(?:[3-9]\d{8}|[12]\d{9})")),
    ("millis", re.compile(r"(?:[3-9]\d{11}|[12]\d{12})")),
)
_NONE = frozenset(["", "0", "00000000", "99999999", "99991231", "-1"])
"""What such columns hold where there is no day."""
_NUMBER = re.compile(r"int|num|dec|doub|float|real|long|serial", re.I)
_DECLARED = re.compile(r"date|time", re.I)
_TEXT = re.compile(r"char|text|string|clob|^$", re.I)
_SAYS_WHEN = re.compile(
    r"date|time|day|month|period|year|(?:^|[_\W\d])(?:at|on|dt|ts|ym|mon|dat|tm|ymd|created|updated|modified|deleted|expires?|rq|sj|ny|yf|kjqj|zq|perio|perid)(?:$|[_\W\d])"
    r"|(?:rq|sj|dt|dat|ymd|yymm|ym)$|[a-z](?:At|On|Dt|Date|Time|Ts)$|日期|时间|月份|年月|账期|期间|[日月期]$",
    re.I,
)
"""Names of columns that say when; needed where a number of that shape may as well be something else."""
_SURE: frozenset[Kind] = frozenset(["iso_month", "slashed", "dotted", "slashed_month"])
SEPARATED: Mapping[Kind, str] = {"slashed": "/", "dotted": ".", "slashed_month": "/"}
"""What stands between year, month and day where it is no hyphen."""


@dataclass(frozen=True, slots=True)
class StoredDate:
    """What a column keeps: `kind`, as text or as a number."""

    kind: Kind
    text: bool

    @property
    def monthly(self) -> bool:
        """Whether it knows no days."""
        return self.kind in {"month", "iso_month", "slashed_month"}

    def border(self, day: str) -> int | str:
        """The least stored value of a day (ISO) or a later one."""
        return self._spelled(date.fromisoformat(day))

    def after(self, day: str) -> int | str:
        """The least stored value that is no longer in a period whose end, excluded, is this day."""
        end = date.fromisoformat(day)
        # A month that is cut is kept whole: the column cannot cut it. The end of all time is that of a period left open.
        if self.monthly and end.day > 1 and end < date(date.max.year, 12, 1):
            end = (end.replace(day=1) + timedelta(32)).replace(day=1)
        return self._spelled(end)

    def _spelled(self, day: date) -> int | str:
        if self.kind in {"seconds", "millis"}:
            seconds = int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp())
            value = seconds * (1000 if self.kind == "millis" else 1)
            return str(value) if self.text else value
        form = {"day": "%Y%m%d", "moment": "%Y%m%d", "month": "%Y%m", "iso_month": "%Y-%m"}.get(self.kind, "")
        if between := SEPARATED.get(self.kind):
            form = between.join(("%Y", "%m") if self.monthly else ("%Y", "%m", "%d"))
        # strftime writes no leading noughts of years before 1000 on every platform
        text = day.strftime(form.replace("%Y", f"{day.year:04d}"))
        if self.text:
            return text
        return int(text) * (10**6 if self.kind == "moment" else 1)

    def period(self, value: str) -> tuple[str, str] | None:
        """The days, end excluded, that a stored value means; None for a moment within a day."""
        try:
            if self.kind in {"seconds", "millis"}:
                seconds, rest = divmod(int(value), 1000 if self.kind == "millis" else 1)
                days, rest = (seconds // 86400, rest or seconds % 86400)
                start = date(1970, 1, 1) + timedelta(days)
                return None if rest else (start.isoformat(), (start + timedelta(1)).isoformat())
            digits = re.sub(r"\D", "", value)
            if self.monthly:
                first = date(int(digits[:4]), int(digits[4:]), 1)
                return first.isoformat(), (first + timedelta(32)).replace(day=1).isoformat()
            if digits[8:].strip("0"):
                return None
            start = date(int(digits[:4]), int(digits[4:6]), int(digits[6:8]))
            return start.isoformat(), (start + timedelta(1)).isoformat()
        except (ValueError, OverflowError):
            return None


_KEEPS = "days: "


def keeps_days(column: Column) -> str:
    """How a column keeps days, for those who may not see its samples."""
    found = stored_date(column)
    return f"{_KEEPS}{found.kind} as {'text' if found.text else 'number'}" if found else ""


@lru_cache(maxsize=8192)
def stored_date(column: Column) -> StoredDate | None:
    """How a column keeps days, where its engine takes them for numbers or text; None for all others."""
    if column.keeps.startswith(_KEEPS):
        kind, _, written = column.keeps.removeprefix(_KEEPS).partition(" as ")
        return StoredDate(cast("Kind", kind), text=written == "text")
    number, text = _NUMBER.search(column.type) is not None, _TEXT.search(column.type) is not None
    if column.primary_key and not _SAYS_WHEN.search(column.name):
        return None
    samples = [sample.removesuffix(".0") for sample in column.samples]
    samples = [sample for sample in samples if sample not in _NONE]
    # SQLite's DATE is a number to it, and holds whatever a program put there.
    declared = _DECLARED.search(column.type) is not None
    number |= declared and all(map(str.isdigit, samples))
    text |= declared and any(SEPARATED[kind] in sample for sample in samples for kind in SEPARATED)
    if not (number or text):
        return None
    said = declared or any(_SAYS_WHEN.search(text) for text in (column.name, column.comment))
    if not samples or (len(samples) < 2 and not said):
        return None
    for kind, shape in _SHAPES:
        if not all(shape.fullmatch(sample) for sample in samples):
            continue
        found = StoredDate(kind, text=not number)
        if kind == "day" and all(found.period(sample) for sample in samples) and (said or len(samples) > 3):
            return found
        if kind != "day" and (said or kind in _SURE):
            return found
    return None
