"""Which periods of a time series are not over yet, so that a part of one is not told as a fall."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from itertools import pairwise
from typing import Any

from inquery.answers.formats import as_number
from inquery.answers.shape import Rows, Shape, named
from inquery.language.dates import DAY, MONTH, MONTHS_IN, QUARTER, WEEK, YEAR, Span, part_of_year, single_day

FEWEST_FOR_WEEKS = 3
"""Dates seven days apart that make weeks where the column's name does not say so."""
YEARS = range(1000, 9000)
"""Dates beyond stand for never, as 9999-12-31 does."""

# Finest first: `year_month` holds months.
_GRAINS = {
    DAY: ({"day"}, re.compile(r"[日天]$|每[日天]")),
    WEEK: ({"week"}, re.compile(r"周(?!期)")),
    MONTH: ({"month", "mth"}, re.compile(r"月")),
    QUARTER: ({"quarter"}, re.compile(r"季")),
    YEAR: ({"year", "yr"}, re.compile(r"年")),
}
_ENDING = ({"end", "ending"}, re.compile(r"结束|截止|周末"))
_OTHER_YEARS = ({"fiscal", "financial", "fy", "academic", "school"}, re.compile(r"财年|财政|财务|学年"))
_MONTH_TEXT = re.compile(r"(\d{4})[-/]?(\d{1,2})")
_PART_TEXT = re.compile(r"(\d{4})[- ]?([QqWw])(\d{1,2})")
_DAY_TEXT = re.compile(
    r"(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[ T]00:00(?::00(?:\.0+)?)?(?: ?(?:Z|UTC|[-+]\d\d(?::?\d\d)?))?)?"
)


def unfinished(shape: Shape, rows: Rows, today: date) -> list[Span | None]:
    """For each row its period where that holds today or lies ahead, None where it is over or no period."""
    return [span if span and span.end > today else None for span in _periods(shape, rows)]


def begun_before(shape: Shape, rows: Rows, since: date) -> list[Span | None]:
    """For each row its period where that began before the first day taken, so that the row holds a part of it."""
    return [span if span and _is_cut(span, since) else None for span in _periods(shape, rows)]


def _is_cut(span: Span, since: date) -> bool:
    """Whether a tenth or more is missing: data that begin on the second of a month have the month."""
    return since < span.end and (since - span.start).days > (span.end - span.start).days / 10


def _periods(shape: Shape, rows: Rows) -> list[Span | None]:
    """The period of each row, where the rows are one series of periods; a row without a time has none."""
    nothing: list[Span | None] = [None] * len(rows)
    times = shape.of_role("time")
    if not times or shape.of_role("category") or named(times[0].name, *_OTHER_YEARS):
        return nothing
    cells = [row[times[0].index] for row in rows]
    spans = _spans(times[0].name, [cell for cell in cells if cell is not None])
    if not _one_series(spans) or _lists_things(shape, rows, spans[0].grain):
        return nothing
    # year | month | revenue: the months make the series, and a row is no year.
    if spans[0].grain == YEAR and len(times) > 1:
        return nothing
    found = iter(spans)
    return [None if cell is None else next(found) for cell in cells]


def _one_series(spans: Sequence[Span]) -> bool:
    return len({span.start for span in spans}) == len(spans) > 0 and len({span.grain for span in spans}) == 1


def _lists_things(shape: Shape, rows: Rows, grain: str) -> bool:
    """Whether rows are orders and the like, each with its number before its day."""
    before = [field for field in shape.of_role("identifier") if field.index < shape.of_role("time")[0].index]
    return grain == DAY and any(len({row[field.index] for row in rows}) == len(rows) for field in before)


def _spans(name: str, cells: Sequence[Any]) -> list[Span]:
    """What the cells stand for; nothing where one of them cannot be dated."""
    said = next((grain for grain, words in _GRAINS.items() if named(name, *words)), None)
    days = [day for cell in cells if (day := _day(cell))]
    spans = (
        _dated(days, said or _grain_of(days), ending=named(name, *_ENDING))
        if len(days) == len(cells)
        else [_written(cell, said) for cell in cells]
    )
    read = [span for span in spans if span]
    return read if len(read) == len(cells) else []


def _day(cell: Any) -> date | None:
    """The day of a date or of a midnight; another moment is no period."""
    if isinstance(cell, datetime):
        day = cell.date() if cell.time() == time() else None
    elif isinstance(cell, date):
        day = cell
    else:
        found = _DAY_TEXT.fullmatch(cell) if isinstance(cell, str) else None
        span = single_day(*map(int, found.groups())) if found and int(found[1]) in YEARS else None
        day = span.start if span else None
    return day if day and day.year in YEARS else None


def _written(cell: Any, said: str | None) -> Span | None:
    """The period of a label that names its year; a bare month, or one that the column's name gainsays, has none."""
    number = as_number(cell)
    text = f"{number:.0f}" if number is not None else str(cell)
    if text.isdigit() and len(text) == 4:
        return part_of_year(int(text), YEAR, 1) if said == YEAR else None
    if found := _MONTH_TEXT.fullmatch(text):
        return part_of_year(int(found[1]), MONTH, int(found[2])) if said in {None, MONTH} else None
    found = _PART_TEXT.fullmatch(text)
    if found is None or said not in {None, grain := QUARTER if found[2] in "Qq" else WEEK}:
        return None
    year, place = int(found[1]), int(found[3])
    return part_of_year(year, QUARTER, place) if grain == QUARTER else _iso_week(year, place)


def _iso_week(year: int, place: int) -> Span | None:
    try:
        return _week(date.fromisocalendar(year, place, 1)) if year in YEARS else None
    except ValueError:
        return None


def _week(start: date) -> Span:
    return Span(start, start + timedelta(7), WEEK)


def _dated(days: Sequence[date], grain: str, *, ending: bool) -> Sequence[Span | None]:
    """The periods that days stand for; a quarter or year off the calendar's is a fiscal one and is left."""
    if grain == WEEK:
        same = len({day.weekday() for day in days}) == 1
        return [_week(day - timedelta(6) if ending else day) for day in days] if same else []
    return [_holding(day, grain) for day in days] if grain in {DAY, MONTH} or _borders(days, grain) else []


def _holding(day: date, grain: str) -> Span | None:
    if grain == DAY:
        return single_day(day.year, day.month, day.day)
    return part_of_year(day.year, grain, (day.month - 1) // MONTHS_IN[grain] + 1)


def _borders(days: Sequence[date], grain: str) -> bool:
    """Whether all days are the first, or all the last, of such a period."""
    pairs = [(day, span) for day in days if (span := _holding(day, grain))]
    return all(day == span.start for day, span in pairs) or all(day == span.end - timedelta(1) for day, span in pairs)


def _grain_of(days: Sequence[date]) -> str:
    """The longest period that the days are borders of, else weeks where they are seven days apart, else days."""
    # First days of quarters are first days of months too; `period` with four of them means quarters.
    if longest := next((grain for grain in (YEAR, QUARTER, MONTH) if _borders(days, grain)), None):
        return longest
    steps = [(later - day).days for day, later in pairwise(sorted(days))]
    weekly = len(days) >= FEWEST_FOR_WEEKS and min(steps) == 7 and not any(step % 7 for step in steps)
    return WEEK if weekly else DAY
