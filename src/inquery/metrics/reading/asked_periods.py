"""The periods that a question names, and the date column that counts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from inquery.language.dates import OPEN_END, OPEN_START, before, year_before
from inquery.language.text import name_words
from inquery.metrics.compile_plan import shift
from inquery.metrics.plan_types import (
    SERIES,
    Grouping,
    PlanPeriod,
    TimeUnit,
)
from inquery.metrics.question_cover import Phrase
from inquery.metrics.reading.draft import EARLIER_SAID, FROM_TO, Draft, NoPlanError
from inquery.metrics.reading.plan_periods import (
    earlier_period,
    is_whole_year,
    moved_to_year,
    plan_period,
    whole_buckets,
)

_YEAR_SAID = re.compile(r"\d{4}|\d\d年|\b(?:last|this|previous|next)\b|[去今前明上本]", re.I)
_YEAR_EARLIER = re.compile(
    r"\b(?:last|previous|prior|preceding) year\b|\byear (?:before|earlier|ago)\b|[去上]年|前一年", re.I
)
_SEVERAL: dict[TimeUnit, tuple[str, ...]] = {
    "month": ("months", "个月"), "week": ("weeks", "周"), "day": ("days", "天"), "quarter": ("quarters", "个季度"), "year": ("years", "年"),
}  # fmt: skip
_CHANGES_OF: dict[TimeUnit, tuple[str, ...]] = {
    "month": ("month o", "mom", "m o m"), "quarter": ("quarter o", "qoq", "q o q"), "week": ("week o", "wow"), "day": ("day o",),
}  # fmt: skip


def find_periods(draft: Draft) -> None:
    units = [group.unit for _, group in draft.groups if group.unit in SERIES]
    for at, phrase in enumerate(draft.phrases):
        for period in phrase.periods:
            draft.periods.append((at, whole_buckets(plan_period(period), units, draft.clock)))
        phrase.used = phrase.used or bool(phrase.periods)
    _begin_series(draft, units)
    _split_by_change(draft)
    _lend_the_year(draft)
    _split_each_of_several(draft)
    _drop_whole_years(draft)
    _move_a_year_back(draft)
    spans = [(period.start, period.end) for _, period in draft.periods]
    if (
        len(draft.periods) == 2
        and spans[0] == spans[1]
        and draft.says("versus", "growth", "grow", "fall", "gap", "compare")
    ):
        # `Last quarter against the previous quarter`: the second is the one before the first.
        at, second = draft.periods[1]
        if (
            _YEAR_EARLIER.search(second.text)
            and second.grain != "year"
            and not _YEAR_SAID.search(draft.periods[0][1].text)
        ):
            # `September versus September of the previous year`: the year of the second was lent to the first.
            first_at, first = draft.periods[0]
            later = moved_to_year(first, first.start.year + 1)
            draft.periods[0] = (first_at, later)
            if later.start >= draft.clock.tomorrow:
                raise NoPlanError("the future is not in the data")
            return
        if not EARLIER_SAID.search(second.text):
            raise NoPlanError("a period held against itself")
        draft.periods[1] = (at, earlier_period(second, before))
    tomorrow = draft.clock.tomorrow
    if any(period.start >= tomorrow for _, period in draft.periods):
        raise NoPlanError("the future is not in the data")


def _begin_series(draft: Draft, units: Sequence[TimeUnit | None]) -> None:
    """`By month from February`: a series that begins there, and not that month alone."""
    if len(draft.periods) != 1 or not units:
        return
    at, period = draft.periods[0]
    led = at > 0 and draft.phrases[at - 1].text.lower().split()[-1] == "from"
    if led and period.grain == units[0] and not FROM_TO.search(period.text):
        draft.periods = [(at, period.model_copy(update={"end": OPEN_END}))]


def _split_by_change(draft: Draft) -> None:
    """`Month over month since February` is told month by month: there is more than one month to tell."""
    if len(draft.periods) != 1 or any(group.unit for _, group in draft.groups):
        return
    at, period = draft.periods[0]
    said = [p.text.lower() for p in draft.phrases if p.says("held") and not p.used]
    unit = next((u for u, words in _CHANGES_OF.items() if any(text.startswith(words) for text in said)), None)
    if unit is None or period.start == OPEN_START or shift(period.start, unit, 1) >= period.end:
        return
    draft.groups.append((-1, Grouping(unit=unit)))
    draft.periods = [(at, whole_buckets(period, [unit], draft.clock))]


def _lend_the_year(draft: Draft) -> None:
    """`The first half of 2021 against the second half`: both are of the year that is said."""
    if len(draft.periods) != 2:
        return
    (first_at, first), (second_at, second) = draft.periods
    parts = ("half", "quarter", "month")
    if first.grain not in parts or second.grain not in parts or first.start.year == second.start.year:
        return
    if (first.start.month, first.grain) == (second.start.month, second.grain):
        return  # October against October last year: the year tells them apart
    named = [_YEAR_SAID.search(period.text) is not None for period in (first, second)]
    if named == [True, False]:
        draft.periods[1] = (second_at, moved_to_year(second, first.start.year))
    elif named == [False, True]:
        draft.periods[0] = (first_at, moved_to_year(first, second.start.year))


def _split_each_of_several(draft: Draft) -> None:
    """`Each of the last six months` splits by month."""
    for at, phrase in enumerate(draft.phrases):
        earlier = draft.previous(phrase)
        if not phrase.periods or earlier is None or not earlier.says("every") or earlier.used:
            continue
        unit = next((unit for unit, words in _SEVERAL.items() if phrase.text.lower().endswith(words)), None)
        if unit is None:
            continue
        if any(group.unit for _, group in draft.groups):
            raise NoPlanError("two units of time")
        earlier.used = True
        draft.groups.append((at, Grouping(unit=unit)))
        draft.periods = [
            (place, whole_buckets(period, [unit], draft.clock) if place == at else period)
            for place, period in draft.periods
        ]


def _move_a_year_back(draft: Draft) -> None:
    """`October against October a year ago`, `March 2025 against March a year earlier`: the second is a year before the first."""
    if len(draft.periods) != 2:
        return
    (_, first), (at, second) = draft.periods
    behind = draft.phrases[at + 1] if at + 1 < len(draft.phrases) else None
    alike = (first.start.month, first.start.day, first.grain) == (
        second.start.month,
        second.start.day,
        second.grain,
    )
    if behind is None or not behind.says("year_before") or behind.says("held") or not alike or behind.begins:
        return
    if second.grain == "year" or _YEAR_SAID.search(second.text):
        return
    behind.used = True
    earlier = earlier_period(first, year_before)
    draft.periods[1] = (at, earlier.model_copy(update={"text": f"{second.text} {behind.text}"}))


def _drop_whole_years(draft: Draft) -> None:
    """`Last year, from January to December` says one thing twice."""
    years = [each for each in draft.periods if each[1].grain == "year"]
    months = [each for each in draft.periods if each[1].grain == "month" and is_whole_year(each[1])]
    if len(years) == 1 and len(months) == 1 and len(draft.periods) == 2:
        draft.periods = years


def time_column(draft: Draft) -> str:
    """The date column that counts, where one was said or where two measures are dated by different ones."""
    said = [phrase for phrase in draft.phrases if phrase.senses.times and not phrase.used]
    usable = {t for phrase in said for t in phrase.senses.times if date_columns(draft, t)}
    if said and usable:
        if len(usable) > 1:
            raise NoPlanError("two dates are said")
        timed = draft.periods or any(group.unit for _, group in draft.groups)
        if not draft.book.glossary.metrics and not timed and not all(map(partial(_is_what_rows_are, draft), said)):
            raise NoPlanError("what happened is said, and no time")  # how many athletes have retired
        for phrase in said:
            phrase.used = True
        chosen = usable.pop()
        return "" if all(leaf.time and ".".join(leaf.time) == chosen for leaf in draft.leaves()) else chosen
    if draft.per is not None and draft.per.format == "money":
        return ""  # refunds of a year over its revenue: each is dated as people defined it
    times = list(dict.fromkeys(".".join(leaf.time) for leaf in draft.leaves() if leaf.time))
    timed = draft.periods or any(group.unit for _, group in draft.groups)
    if len(times) < 2 or not timed or _are_dated_alone(draft):
        return ""
    shared = [time for time in times if date_columns(draft, time)]
    if not shared:
        raise NoPlanError("the measures have no date in common")
    return shared[0]


def _are_dated_alone(draft: Draft) -> bool:
    """Revenue and refunds of a quarter: each by the one day that people defined for it; the parts of a rate share theirs."""
    dated = [{leaf.time for leaf in draft.book.leaves(metric)} for metric in draft.measures]
    known = all(metric.status == "accepted" for metric in draft.measures) or all(map(draft.counts_rows, draft.measures))
    return known and draft.per is None and all(len(times) == 1 and None not in times for times in dated)


def _is_what_rows_are(draft: Draft, phrase: Phrase) -> bool:
    """Units delivered of deliveries: what happened to every row says nothing more."""
    words = [word for leaf in draft.leaves() for word in name_words(leaf.entity)]
    return any(len(word) > 5 and phrase.text.lower()[:6] == word[:6] for word in words)


def date_columns(draft: Draft, time: str) -> bool:
    goal = draft.path(time.rpartition(".")[0])
    return all(draft.book.routes.route(draft.path(leaf.entity), goal) is not None for leaf in draft.leaves())


def one_period(draft: Draft) -> PlanPeriod | None:
    return draft.periods[0][1] if draft.periods else None
