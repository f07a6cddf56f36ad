"""What is held against what: periods, members."""

from __future__ import annotations

import re

from inquery.language.dates import OPEN_END, OPEN_START, before, year_before
from inquery.metrics.compile_plan import shift
from inquery.metrics.plan_types import (
    SERIES,
    Comparison,
    PlanPeriod,
    TimeUnit,
)
from inquery.metrics.reading.done_with_figures import two_members
from inquery.metrics.reading.draft import EARLIER_SAID, FROM_TO, Draft, NoPlanError
from inquery.metrics.reading.plan_periods import earlier_period, halves_of, is_now, is_within_a_year, like_for_like

_YEARS = re.compile(r"\byear\b|前一年|上一年", re.I)


def asked_comparison(draft: Draft, unit: TimeUnit | None) -> tuple[Comparison | None, PlanPeriod | None]:
    change = draft.says("growth", "grow", "fall")
    yearly, prior = draft.says_unused("year_before"), draft.says_unused("before")
    if prior and not yearly and _means_the_year_before(draft):
        yearly, prior = True, False
    held = draft.says("versus", "gap") and not two_members(draft)
    if not change and any(p.says("contribution") and _is_change_word(p.text) for p in draft.phrases):
        change = True
    periods = [period for _, period in draft.periods]
    if yearly and prior and unit is None:
        raise NoPlanError("held against two periods")
    if unit in SERIES and (change or yearly or prior) and (yearly or prior or change):
        return _series_comparison(draft, unit, periods, yearly=yearly)
    if unit in SERIES and len(periods) == 2:
        return _series_of_two(draft, periods)
    if len(periods) == 2 and draft.periods[0][0] == draft.periods[1][0] and two_members(draft) and not change:
        # 对比2025年网页和App: the members are compared, and one period alone is named.
        periods = [period for period in periods if period.text in draft.question and not is_now(period, draft.clock)]
    if len(periods) > 2:
        raise NoPlanError("more than two periods")
    if len(periods) == 2:
        return _two_periods(draft, periods, yearly or prior)
    if not periods:
        if yearly or prior or change:
            raise NoPlanError("a change without a period")
        return None, None
    only = periods[0]
    if (yearly or prior or change) and (only.start == OPEN_START or only.end == OPEN_END):
        raise NoPlanError("a change over an open period")
    if yearly or prior:
        draft.use("year_before", "before", "growth", "grow", "fall", "versus", "gap", "percent", "compare")
        other = earlier_period(only, year_before if yearly else before)
        return like_for_like(only, other, "year_before" if yearly else "previous", draft.clock)
    if change:
        halves = halves_of(only)
        draft.use("growth", "grow", "fall", "versus", "gap", "percent")
        if halves is not None:
            return like_for_like(halves[1], halves[0], "period", draft.clock)
        if FROM_TO.search(only.text):
            raise NoPlanError("a change between the ends, or of all of it")
        if held and not draft.says("grow", "fall"):
            raise NoPlanError("held against nothing")
        return like_for_like(only, earlier_period(only, before), "previous", draft.clock)
    return None, only


def _means_the_year_before(draft: Draft) -> bool:
    """`March 2026 against the year before` is March 2025, not February."""
    said = [p for p in draft.phrases if p.says("before") and not p.used]
    shorter = all(period.grain in ("day", "week", "month", "quarter", "half") for _, period in draft.periods)
    return bool(draft.periods) and shorter and all(_YEARS.search(p.text) for p in said)


def _series_comparison(
    draft: Draft, unit: TimeUnit, periods: list[PlanPeriod], *, yearly: bool
) -> tuple[Comparison | None, PlanPeriod | None]:
    if len(periods) == 2:
        # `Month by month, each against last month`: the second names the bucket before, not a period of its own.
        within = [
            one
            for one in periods
            for two in periods
            if two.start <= one.start < one.end <= two.end and one != two and shift(one.start, unit, 1) < one.end
        ]  # from January to June, of 2025
        periods = within or [period for period in periods if period.grain != unit] or periods[:1]
    if len(periods) == 1 and periods[0].grain == unit and _is_held_against(draft, draft.periods[0][0]):
        periods = []  # 每年次数，比上年增减: the year before each, and not last year alone
    if len(periods) > 1:
        raise NoPlanError("a series held against a period")
    draft.use("year_before", "before", "growth", "grow", "fall", "versus", "percent", "compare")
    return Comparison(against="year_before" if yearly else "previous"), periods[0] if periods else None


def _is_held_against(draft: Draft, at: int) -> bool:
    """Whether a period is the one before, right behind a word that compares."""
    earlier = draft.phrases[at - 1] if at else None
    compared = earlier is not None and earlier.says("versus") and earlier.text.lower() != "from"
    return compared and EARLIER_SAID.search(draft.phrases[at].text) is not None


def _series_of_two(draft: Draft, periods: list[PlanPeriod]) -> tuple[Comparison | None, PlanPeriod | None]:
    """This year's months against last year's; other pairs of periods do not share their buckets."""
    first, second = periods
    now, then = (first, second) if first.start > second.start else (second, first)
    if earlier_period(now, year_before).start != then.start or now.grain != then.grain:
        raise NoPlanError("two periods in one series")
    draft.use("versus", "compare", "percent")
    return Comparison(against="year_before"), now


def _two_periods(
    draft: Draft, periods: list[PlanPeriod], relative: bool
) -> tuple[Comparison | None, PlanPeriod | None]:
    first, second = periods
    now, then = (first, second) if first.start > second.start else (second, first)
    if (
        relative
        and earlier_period(now, year_before).start != then.start
        and earlier_period(now, before).start != then.start
    ):
        raise NoPlanError("held against two periods")
    if then.grain == "year" and now.grain != "year" and (is_within_a_year(now) or relative):
        # `Q3 this year vs last year`, `Singles' Day against last year`: the same part of it. So is the same stretch of
        # last year for what began on January 1 and ends today.
        if then.start.year != now.start.year - 1:
            raise NoPlanError("a part of a year and a whole one")
        then = earlier_period(now, year_before)
    if then.end > now.start:
        raise NoPlanError("two periods that overlap")
    if any(day in (OPEN_START, OPEN_END) for each in periods for day in (each.start, each.end)):
        raise NoPlanError("an open period")
    draft.use("year_before", "before", "growth", "grow", "fall", "versus", "gap", "percent", "compare")
    return like_for_like(now, then, "period", draft.clock)


def _is_change_word(text: str) -> bool:
    return any(word in text.lower() for word in ("change", "增", "减", "变化"))
