"""Calendar arithmetic on half-open spans of days."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

OPEN_START = date.min
OPEN_END = date.max
DAY, WEEK, MONTH, QUARTER, HALF, YEAR = "day", "week", "month", "quarter", "half", "year"
MONTHS_IN = {MONTH: 1, QUARTER: 3, HALF: 6, YEAR: 12}


@dataclass(frozen=True, slots=True)
class Span:
    """Days from `start` up to, not including, `end`; `rolling` spans end today instead of at a calendar border.

    `moment` is the day that stands for a span without sharp borders where it begins or ends another.
    """

    start: date
    end: date
    grain: str
    rolling: bool = False
    moment: date | None = None

    @property
    def is_one_unit(self) -> bool:
        """Whether it is one calendar day, week, month, quarter, half or year, and not a part or several of them."""
        if self.rolling or self.start == OPEN_START or self.end == OPEN_END:
            return False
        if self.grain in {DAY, WEEK}:
            return (self.end - self.start).days == (7 if self.grain == WEEK else 1)
        return self.start.day == 1 and add_months(self.start, MONTHS_IN[self.grain]) == self.end


@dataclass(frozen=True, slots=True)
class Clock:
    """What relative words are relative to."""

    today: date
    week_start: int = 1
    fiscal_start: int = 1

    @property
    def tomorrow(self) -> date:
        return self.today + timedelta(1)


def add_months(day: date, months: int) -> date:
    """The same day some months on, or the last day of a shorter month."""
    index = day.year * 12 + day.month - 1 + months
    year, month = divmod(index, 12)
    first = date(year, month + 1, 1)
    return date(year, month + 1, min(day.day, (next_month(first) - first).days))


def next_month(day: date) -> date:
    """The first day of the month after."""
    return date(day.year + day.month // 12, day.month % 12 + 1, 1)


def unit_at(clock: Clock, grain: str, offset: int = 0) -> Span:
    """The calendar day, week, month, quarter, half or year that is `offset` units from now."""
    if grain == DAY:
        start = clock.today + timedelta(offset)
        return Span(start, start + timedelta(1), grain)
    if grain == WEEK:
        back = (clock.today.isoweekday() - clock.week_start) % 7
        start = clock.today + timedelta(7 * offset - back)
        return Span(start, start + timedelta(7), grain)
    size = MONTHS_IN[grain]
    first = date(clock.today.year, (clock.today.month - 1) // size * size + 1, 1)
    return months(add_months(first, size * offset), grain)


def months(first: date, grain: str) -> Span:
    """The month, quarter, half or year that starts on a day."""
    return Span(first, add_months(first, MONTHS_IN[grain]), grain)


def part_of_year(year: int, grain: str, number: int) -> Span | None:
    """The n-th month, quarter or half of a year."""
    size = MONTHS_IN[grain]
    if not (1 <= number <= 12 // size and 1 <= year < 9999):
        return None
    return months(date(year, (number - 1) * size + 1, 1), grain)


def middle(year: int) -> Span:
    """The middle of a year: June and July, the two months around 1 July, which is its moment.

    `in mid-2024` is these two months; since, before, from or to mid-2024 is since, before, from or to 1 July 2024, as
    年初 and 年底 are the first and last moment of their year there.
    """
    return Span(date(year, 6, 1), date(year, 8, 1), MONTH, moment=date(year, 7, 1))


def portion(span: Span, count: int, grain: str, *, last: bool) -> Span:
    """The first or last `count` units of a span, as far as it goes."""
    if grain in {DAY, WEEK}:
        size = timedelta(count * (7 if grain == WEEK else 1))
        start, end = span.end - min(size, span.end - span.start), span.start + min(size, span.end - span.start)
    else:
        start = max(span.start, add_months(span.end, -count * MONTHS_IN[grain]))
        end = min(span.end, add_months(span.start, count * MONTHS_IN[grain]))
    return Span(start, span.end, grain) if last else Span(span.start, end, grain)


def single_day(year: int, month: int, day: int) -> Span | None:
    """One day, None where the calendar has no such day."""
    try:
        start = date(year, month, day)
    except ValueError:
        return None
    return Span(start, start + timedelta(1), DAY)


def fiscal_year(clock: Clock, year: int) -> Span:
    """The fiscal year named by the calendar year in which it ends."""
    return months(date(year - (clock.fiscal_start > 1), clock.fiscal_start, 1), YEAR)


def this_fiscal_year(clock: Clock) -> int:
    """The name of the fiscal year that holds today."""
    return clock.today.year + (clock.fiscal_start > 1 and clock.today.month >= clock.fiscal_start)


def rolling(clock: Clock, count: int, grain: str) -> Span:
    """The last `count` units up to and with today: 7 days are today and the six days before."""
    if grain in {DAY, WEEK}:
        start = clock.tomorrow - timedelta(min(count, 400_000) * (7 if grain == WEEK else 1))
    else:
        start = add_months(clock.tomorrow, -min(count * MONTHS_IN[grain], 12_000))
    return Span(start, clock.tomorrow, grain, rolling=True)


def ahead(clock: Clock, count: int, grain: str) -> Span:
    """The next `count` units, from tomorrow on."""
    if grain in {DAY, WEEK}:
        end = clock.tomorrow + timedelta(min(count, 400_000) * (7 if grain == WEEK else 1))
    else:
        end = add_months(clock.tomorrow, min(count * MONTHS_IN[grain], 12_000))
    return Span(clock.tomorrow, end, grain, rolling=True)


def to_date(clock: Clock, grain: str) -> Span:
    """From the start of the current unit up to and with today."""
    return Span(unit_at(clock, grain).start, clock.tomorrow, grain, rolling=True)


def before(span: Span) -> Span:
    """The period of the same kind just before: what 环比 compares with."""
    size = MONTHS_IN.get(span.grain, 0)
    if size and add_months(span.start, size) == span.end:
        return Span(add_months(span.start, -size), span.start, span.grain, span.rolling)
    return _earlier(span)


def _earlier(span: Span) -> Span:
    return Span(span.start - (span.end - span.start), span.start, span.grain, span.rolling)


def year_before(span: Span, years: int = 1) -> Span:
    """The same period a year before: what 同比 compares with."""
    if span.grain == WEEK:
        return _days_before(span, 364 * years)
    return _months_before(span, 12 * years)


def unit_before(span: Span, unit: str) -> Span:
    """The same part of the week, month or quarter before: 上月同期."""
    return _days_before(span, 7) if unit == WEEK else _months_before(span, MONTHS_IN[unit])


def _days_before(span: Span, days: int) -> Span:
    return Span(span.start - timedelta(days), span.end - timedelta(days), span.grain, span.rolling)


def _months_before(span: Span, count: int) -> Span:
    whole = span.end.day == 1 and span.start.day == 1
    last = add_months(span.end - timedelta(1), -count) + timedelta(1)
    return Span(
        add_months(span.start, -count), add_months(span.end, -count) if whole else last, span.grain, span.rolling
    )
