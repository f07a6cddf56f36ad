"""The periods of a question before they belong to a plan, and periods held against others."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import cast

from inquery.language.dates import OPEN_END, OPEN_START, Clock, Span, add_months
from inquery.language.numbers import numbers_in
from inquery.language.periods import Period, periods_in
from inquery.language.text import singular, tokens_of
from inquery.metrics.buckets import bucket_starts
from inquery.metrics.compile_plan import shift
from inquery.metrics.plan_types import (
    Against,
    Comparison,
    PlanPeriod,
    TimeUnit,
)
from inquery.metrics.question_cover import LONGEST, Vocabulary

_OVER_YEAR = re.compile(r"\bover(?= (?:19|20)\d\d\b)", re.I)
_CHANGES = re.compile(
    r"\b(?:(?:19|20)\d\d|year|quarter|month|half)\b.*\bover (?:19|20)\d\d"
    r"|\b(?:grow|grew|growth|increase|rise|rose|fall|fell|drop|change)",
    re.I,
)
_FIRST_DAYS = re.compile(r"[前头](?P<number>\d+|[一二三四五六七八九十]+)[天日]")


def named_periods(question: str, vocabulary: Vocabulary, clock: Clock) -> list[Period]:
    """The periods that the question names by itself.

    `same month last year` speaks of no whole year: such phrases are taken away first, unless they are part of a longer
    period (`the year before last`).
    """

    def found(text: str) -> list[Period]:
        return periods_in(text, today=clock.today, week_start=clock.week_start, fiscal_start=clock.fiscal_start)

    # After `over` a number is a quantity to the periods; between two years it is what is compared with.
    question = _OVER_YEAR.sub(
        "vs. " if _CHANGES.search(question) else "in  ", question
    )  # sales over 2023 are those in it
    whole = [period.span for period in found(question)]
    masked = question
    for start, end in _relative_spans(question, vocabulary):
        inside = [span for span in whole if span[0] <= start and end <= span[1] and span[1] - span[0] > end - start]
        if not inside:
            masked = masked[:start] + ";" * (end - start) + masked[end:]
    return list(_first_days(found(masked), masked))


def _first_days(periods: list[Period], text: str) -> Iterator[Period]:
    """上个月前18天 is one period: the first days of the month that stands right before them."""
    merged: set[int] = set()
    for at, period in enumerate(periods):
        days = _FIRST_DAYS.fullmatch(text[period.span[0] : period.span[1]])
        ahead = [
            n
            for n, p in enumerate(periods)
            if re.fullmatch(r"的?", text[p.span[1] : period.span[0]]) and p is not period
        ]
        whole = periods[ahead[0]] if days and len(ahead) == 1 else None
        if days is None or whole is None or whole.grain not in ("month", "quarter", "year", "half"):
            continue
        hits = numbers_in(days["number"])
        if (
            len(hits) == 1
            and hits[0].value == int(hits[0].value)
            and 0 < hits[0].value < (whole.end - whole.start).days
        ):
            span = (whole.span[0], period.span[1])
            end = whole.start + datetime.timedelta(int(hits[0].value))
            yield replace(whole, end=end, grain="day", span=span, text=text[span[0] : span[1]])
            merged |= {at, ahead[0]}
    yield from (period for at, period in enumerate(periods) if at not in merged)


def _relative_spans(question: str, vocabulary: Vocabulary) -> Iterator[tuple[int, int]]:
    """Where phrases such as 去年同期 and `the month before` stand, the longest at each place."""
    tokens = tokens_of(question)
    keys = [token.text if token.cjk else singular(token.text) for token in tokens]
    at = 0
    while at < len(keys):
        for end in range(min(len(keys), at + LONGEST), at, -1):
            senses = vocabulary.phrases.get(tuple(keys[at:end]))
            if senses is not None and senses.words & {"year_before", "before", "to_date"}:
                yield tokens[at].start, tokens[end - 1].end
                at = end - 1
                break
        at += 1


def moved_to_year(period: PlanPeriod, year: int) -> PlanPeriod:
    months = (period.end.year - period.start.year) * 12 + period.end.month - period.start.month
    start = period.start.replace(year=year)
    return period.model_copy(update={"start": start, "end": add_months(start, months)})


def whole_buckets(period: PlanPeriod, units: Sequence[TimeUnit | None], clock: Clock) -> PlanPeriod:
    """The last twelve months by month begin with a whole one: the half that today cuts off would look like a rise."""
    unit = units[0] if units else None
    if unit is None or period.end != clock.tomorrow or period.start == OPEN_START:
        return period
    first = bucket_starts(unit, period.start)
    if first == period.start or shift(first, unit, 1) >= period.end:
        return period
    return period.model_copy(update={"start": shift(first, unit, 1)})


def _is_over(period: PlanPeriod, clock: Clock) -> bool:
    """Whether today is the last day of a month, quarter, half or year: on 30 June the second quarter is over."""
    whole = period.grain in ("month", "quarter", "half", "year") and period.start.day == period.end.day == 1
    if not whole or period.end != clock.tomorrow:
        return False
    months = {"month": 1, "quarter": 3, "half": 6, "year": 12}[period.grain]
    return add_months(period.start, months) == period.end


def is_now(period: PlanPeriod, clock: Clock) -> bool:
    return period.start <= clock.today < period.end


def is_within_a_year(period: PlanPeriod) -> bool:
    return not is_whole_year(period) and period.start.year == (period.end - datetime.timedelta(1)).year


def is_whole_year(period: PlanPeriod) -> bool:
    return period.start.month == period.start.day == 1 and add_months(period.start, 12) == period.end


def plan_period(period: Period) -> PlanPeriod:
    return PlanPeriod(start=period.start, end=period.end, grain=period.grain, text=period.text)


def earlier_period(period: PlanPeriod, other: Callable[[Span], Span]) -> PlanPeriod:
    """The period before, of the whole unit where this one is the begun part of one: month to date, the month before."""
    end = period.end
    if period.grain in ("week", "month", "quarter", "year") and period.start == bucket_starts(
        period.grain, period.start
    ):
        end = max(end, shift(period.start, cast(TimeUnit, period.grain), 1)) if period.start != OPEN_START else end
    span = other(Span(period.start, end, period.grain))
    return PlanPeriod(start=span.start, end=span.end, grain=period.grain, text=period.text)


def like_for_like(now: PlanPeriod, then: PlanPeriod, against: Against, clock: Clock) -> tuple[Comparison, PlanPeriod]:
    """Two periods held against each other, both up to the same day where the current one is not over."""
    tomorrow = clock.tomorrow
    whole = now.end > tomorrow or (now.end == tomorrow and now.start < then.end)
    if now.end < tomorrow or (not whole and now.end != tomorrow) or now.grain == "day" or _is_over(now, clock):
        return Comparison(against=against, period=then), now
    if now.start.day == 1 and then.start.day == 1 and now.grain != "week":
        apart = (now.start.year - then.start.year) * 12 + now.start.month - then.start.month
        end = add_months(clock.today, -apart) + datetime.timedelta(1)
    else:
        end = then.start + (tomorrow - now.start)
    cut = then.model_copy(update={"end": min(end, then.end) if then.end > then.start else end})
    current = now.model_copy(update={"end": tomorrow})
    return Comparison(against=against, period=cut, aligned=True), current


def halves_of(period: PlanPeriod) -> tuple[PlanPeriod, PlanPeriod] | None:
    """The two units of a range of two, from 2024 to 2025; of a longer one its ends where they are one part of two years."""
    size = {"month": 1, "quarter": 3, "half": 6, "year": 12}.get(period.grain)
    if size is None or period.start in (OPEN_START,) or period.end == OPEN_END:
        return None
    middle = add_months(period.start, size)
    last = add_months(period.end, -size)
    years = last.year > period.start.year and (last.month, last.day) == (period.start.month, period.start.day)
    if last != middle and not (years and size < 12):
        return None
    first = PlanPeriod(start=period.start, end=middle, grain=period.grain, text=period.text)
    return first, PlanPeriod(start=last, end=period.end, grain=period.grain, text=period.text)
