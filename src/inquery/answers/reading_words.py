"""How a question was read, in one line that a person can check: what is measured, when, of which, and what was not used."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence

from inquery.answers.answer import Reading
from inquery.language.dates import OPEN_END, OPEN_START

Names = Mapping[str, str]
"""What columns are called, by table.column."""


def reading_line(
    reading: Reading,
    language: str,
    *,
    measures: Sequence[str] = (),
    groups: Sequence[str] = (),
    names: Names | None = None,
    conditions: Sequence[str] = (),
    definitions: Mapping[str, str] | None = None,
    database: str = "",
) -> str:
    """The reading in words, its parts apart by dots; of a plan the plan's own words."""
    zh = language == "zh"
    plan = reading.get("plan")
    parts = [plan["text"]] if plan else _read_parts(reading, measures, groups, names or {}, conditions, zh=zh)
    for name, definition in (definitions or {}).items():
        parts.append(f"{name}：{definition}" if zh else f"{name}: {definition}")
    if chosen := reading.get("chosen"):
        parts.append(f"您选择了：{chosen}" if zh else f"you chose: {chosen}")
    if ignored := reading.get("ignored"):
        listed = ("、" if zh else ", ").join(f"“{part}”" for part in ignored)
        parts.append(f"未用到：{listed}" if zh else f"not used: {listed}")
    if database:
        parts.append(f"数据库 {database}" if zh else f"database {database}")
    return " · ".join(part for part in parts if part)


def _read_parts(
    reading: Reading,
    measures: Sequence[str],
    groups: Sequence[str],
    names: Names,
    conditions: Sequence[str],
    *,
    zh: bool,
) -> list[str]:
    parts = [("、" if zh else ", ").join(dict.fromkeys(measures))]
    if groups:
        listed = ("、" if zh else ", ").join(dict.fromkeys(groups))
        parts.append(f"按{listed}" if zh else f"by {listed}")
    parts += [days_named(each["start"], each["end"], zh=zh) for each in reading.get("period", [])]
    for each in reading.get("filters", []):
        name = names.get(f"{each['table']}.{each['column']}", "")
        value = each["phrase"] if each["phrase"].casefold() == each["value"].casefold() else each["value"]
        if each.get("denied"):
            parts.append(f"{name}不含{value}" if zh else f"without {name} {value}")
        else:
            parts.append(f"{name}为{value}" if zh else f"{name} {value}".strip())
    parts += conditions
    parts += reading.get("assumptions", [])
    return parts


def days_named(start: str, end: str, *, zh: bool) -> str:
    """A period as people say it: a year, a quarter, a month, else its first and last day."""
    first, after = datetime.date.fromisoformat(start), datetime.date.fromisoformat(end)
    if first == OPEN_START and after == OPEN_END:
        return ""
    if after == OPEN_END:
        return f"{start}起" if zh else f"since {start}"
    if first == OPEN_START:
        return f"{end}之前" if zh else f"before {end}"
    last = after - datetime.timedelta(1)
    if (first.month, first.day, last.month, last.day) == (1, 1, 12, 31) and first.year == last.year:
        return f"{first.year}年" if zh else str(first.year)
    if first.day == 1 and after.day == 1 and (last.year, last.month) == (first.year, first.month):
        return f"{first.year}年{first.month}月" if zh else f"{first:%B} {first.year}"
    quarter = (first.month + 2) // 3
    if first.day == 1 and first.month % 3 == 1 and after == _next_quarter(first):
        return f"{first.year}年第{quarter}季度" if zh else f"Q{quarter} {first.year}"
    if first == last:
        return start
    return f"{start} 至 {last.isoformat()}" if zh else f"{start} to {last.isoformat()}"


def _next_quarter(first: datetime.date) -> datetime.date:
    return first.replace(year=first.year + first.month // 10, month=(first.month + 2) % 12 + 1)
