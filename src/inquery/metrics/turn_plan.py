"""A follow-up as a change of the plan before it: by region, against last year, only online, top 3, 换成环比.

As with whole questions every word must be owned, and the parts must say one change each; else the text is edited instead.
"""

from __future__ import annotations

import re
from typing import cast

from inquery.errors import BadRequest
from inquery.language.dates import Clock, before, year_before
from inquery.metrics.compile_plan import compile_plan
from inquery.metrics.metric_types import Metric
from inquery.metrics.plan_types import (
    SERIES,
    Against,
    Comparison,
    Grouping,
    Plan,
    PlanFilter,
    PlanPeriod,
    PlanRanking,
    TimeUnit,
)
from inquery.metrics.question_cover import Member, Phrase, Vocabulary, cover, means_all
from inquery.metrics.reading.draft import STATE_FILTER
from inquery.metrics.reading.plan_periods import earlier_period, like_for_like, named_periods

_IDLE = (
    "skip",
    "join",
    "each",
    "every",
    "versus",
    "compare",
    "instead",
    "which",
    "total",
    "to_date",
    "growth",
    "grow",
    "percent",
)


def turn_plan(message: str, plan: Plan, vocabulary: Vocabulary, clock: Clock) -> Plan | None:
    """The plan as the message changes it; None where a word is nobody's or nothing changes."""
    if plan.membership or plan.contrast or plan.spread or plan.contribution or plan.moving or plan.concentration:
        return None  # of these a changed part makes another kind of question
    phrases, left_over = cover(message, vocabulary, named_periods(message, vocabulary, clock))
    if left_over or not phrases:
        return None
    turned = _Turn(plan, vocabulary, phrases, clock).turned()
    if turned is None or turned == plan:
        return None
    try:
        compile_plan(turned, vocabulary.book, vocabulary.book.catalog.dialect, today=clock.today)
    except BadRequest:
        return None
    return turned


class _Turn:
    def __init__(self, plan: Plan, vocabulary: Vocabulary, phrases: list[Phrase], clock: Clock) -> None:
        self.plan, self.book, self.phrases, self.clock = plan, vocabulary.book, phrases, clock

    def turned(self) -> Plan | None:
        plan: Plan | None = self.plan
        for at, phrase in enumerate(self.phrases):
            if plan is None:
                return None
            plan = self._part(plan, phrase, at)
        return plan

    def _part(self, plan: Plan, phrase: Phrase, at: int) -> Plan | None:
        if phrase.periods:
            held = any(each.says("versus", "compare") for each in self.phrases[:at])
            return self._against_period(plan, phrase) if held else self._in_period(plan, phrase)
        if phrase.number is not None:
            ranked = any(each.says("top", "bottom", "rank") for each in self.phrases)
            return plan if ranked else None
        if phrase.says("running"):
            return _running(plan)
        if unit := phrase.unit("series.") or phrase.unit("unit."):
            return self._split(plan, Grouping(unit=cast(TimeUnit, unit)))
        if phrase.says("year_before", "before"):
            yearly = phrase.says("year_before")
            return (
                self._moved(plan, phrase, yearly=yearly)
                if self._asks_anew(plan)
                else self._against(plan, yearly=yearly)
            )
        if phrase.says("top", "bottom"):
            return self._ranked(plan, descending=phrase.says("top"))
        if phrase.says("rank", "rank_up"):
            return self._ordered(plan, descending=phrase.says("rank"))
        alone = all(each.says("percent", "skip", "instead") for each in self.phrases)
        if phrase.says("share") or (phrase.says("percent") and alone):
            return _shared(plan)
        if not phrase.says("each", "every") and at and self.phrases[at - 1].senses.members and phrase.senses.dimensions:
            return plan  # the customers of `only corporate customers`
        led = at > 0 and any(each.says("each", "every") for each in self.phrases[:at])
        if phrase.senses.dimensions and (led or not phrase.senses.members):
            return self._split_by(plan, phrase)
        if phrase.senses.members:
            return self._only(plan, phrase, negated=any(each.says("not") for each in self.phrases[:at]))
        if phrase.senses.metrics:
            name = phrase.senses.metrics[0]
            return plan.model_copy(update={"measures": (name,)}) if len(phrase.senses.metrics) == 1 else None
        return plan if phrase.says(*_IDLE, "not") else None

    def _ranked(self, plan: Plan, *, descending: bool) -> Plan | None:
        numbers = [each.number for each in self.phrases if each.number is not None]
        if len(numbers) != 1 or not plan.groups:
            return None
        by = plan.ranking.by if plan.ranking else "value"
        ranking = PlanRanking(by=by, n=int(numbers[0].value), descending=descending)
        return plan.model_copy(update={"ranking": ranking})

    def _ordered(self, plan: Plan, *, descending: bool) -> Plan | None:
        """In order; a first ten stays one of ten, by what is measured now: 换成按销量排."""
        if not plan.groups:
            return None
        n = plan.ranking.n if plan.ranking else None
        return plan.model_copy(update={"ranking": PlanRanking(n=n, descending=descending)})

    def _split_by(self, plan: Plan, phrase: Phrase) -> Plan | None:
        usable = [name for name in phrase.senses.dimensions if self._reaches(plan, name)]
        return self._split(plan, Grouping(dimension=usable[0])) if len(usable) == 1 else None

    def _split(self, plan: Plan, new: Grouping) -> Plan | None:
        """`By region instead` of by month: the one grouping there is gives way, and what it was held against moves along."""
        if len(plan.groups) != 1 or not any(each.says("instead") for each in self.phrases):
            return _split(plan, new)
        known = plan.comparison
        alone = _split(plan.model_copy(update={"groups": (), "comparison": None, "running": False}), new)
        if alone is None or known is None:
            return alone
        if known.against == "period":
            return None if new.unit else alone.model_copy(update={"comparison": known})
        return self._against(alone, yearly=known.against == "year_before")

    def _only(self, plan: Plan, phrase: Phrase, *, negated: bool) -> Plan | None:
        usable: list[Member] = [m for m in phrase.senses.members if self._reaches(plan, m.dimension)]
        dimension = usable[0].dimension if usable else ""
        values = tuple(dict.fromkeys(m.value for m in usable))
        if any(m.dimension != dimension for m in usable) or not values or (len(values) > 1 and not means_all(usable)):
            return None
        if not negated and self._is_defined_otherwise(plan, dimension, values):
            return None
        kept = tuple(each for each in plan.filters if each.dimension != dimension)
        narrowed = PlanFilter(dimension=dimension, values=values, negated=negated, text=phrase.text)
        return plan.model_copy(update={"filters": (*kept, narrowed)})

    def _is_defined_otherwise(self, plan: Plan, dimension: str, values: tuple[str, ...]) -> bool:
        """The definition of a measure is of other members: completed ones are no cancelled orders, and none are both."""
        column = self.book.dimension(dimension).column
        states = (STATE_FILTER.fullmatch(leaf.filter.strip()) for leaf in self._leaves(plan))
        return any(
            state is not None and state["column"].rpartition(".")[2] == column and state["value"] not in values
            for state in states
        )

    def _leaves(self, plan: Plan) -> list[Metric]:
        names = (*plan.measures, plan.per) if plan.per else plan.measures
        return [leaf for name in names for leaf in self.book.leaves(self.book.metric(name))]

    def _reaches(self, plan: Plan, dimension: str) -> bool:
        goal = self.book.catalog.by_name[self.book.dimension(dimension).table].path
        starts = [self.book.catalog.by_name[leaf.entity].path for leaf in self._leaves(plan)]
        return all(self.book.routes.route(start, goal) is not None for start in starts)

    def _asks_anew(self, plan: Plan) -> bool:
        """Whether another time is asked about and nothing is compared: 去年同期呢 after a top three wants last year's own.

        Those three beside last year would be no answer: who was first then may be another. A plain split shows both.
        """
        chosen = plan.threshold is not None or (plan.ranking is not None and plan.ranking.n is not None)
        compared = any(each.says("held", "versus", "compare", "growth", "grow", "fall", "gap") for each in self.phrases)
        return (chosen or plan.share is not None or bool(plan.share_of)) and not compared

    def _moved(self, plan: Plan, phrase: Phrase, *, yearly: bool) -> Plan | None:
        """The same question of the period before or a year before, up to the same day where this one is not over."""
        if plan.period is None:
            return None
        earlier, _ = like_for_like(
            plan.period,
            earlier_period(plan.period, year_before if yearly else before),
            "year_before" if yearly else "previous",
            self.clock,
        )
        assert earlier.period is not None
        # Cut to the same days it is no month any more: what comes after is held against as many days.
        grain = "day" if earlier.aligned else earlier.period.grain
        return self._dated(plan, earlier.period.model_copy(update={"text": phrase.text, "grain": grain}))

    def _dated(self, plan: Plan, period: PlanPeriod) -> Plan | None:
        """The plan of another period; what it is compared with moves along."""
        moved, known = plan.model_copy(update={"period": period}), plan.comparison
        if known is None or known.period is None:
            return moved
        if known.against == "period":
            return None
        return self._against(moved, yearly=known.against == "year_before")

    def _in_period(self, plan: Plan, phrase: Phrase) -> Plan | None:
        if len(phrase.periods) != 1:
            return None
        said = phrase.periods[0]
        shown = plan.period
        over = shown is not None and shown.grain == said.grain and shown.end <= self.clock.tomorrow
        if over and _BEFORE.match(phrase.text):
            return self._moved(plan, phrase, yearly=False)  # before the one that is shown, and not before today
        return self._dated(plan, PlanPeriod(start=said.start, end=said.end, grain=said.grain, text=said.text))

    def _against(self, plan: Plan, *, yearly: bool) -> Plan | None:
        against: Against = "year_before" if yearly else "previous"
        if any(each.unit in SERIES for each in plan.groups):
            return plan.model_copy(update={"comparison": Comparison(against=against)})
        if plan.period is None or plan.share or plan.share_of:
            return None
        other = earlier_period(plan.period, year_before if yearly else before)
        comparison, period = like_for_like(plan.period, other, against, self.clock)
        return plan.model_copy(update={"comparison": comparison, "period": period})

    def _against_period(self, plan: Plan, phrase: Phrase) -> Plan | None:
        """`Against last year` means the same days a year before, unless the year is what was asked about."""
        if plan.period is None or plan.share or plan.share_of:
            return None
        said = min(
            phrase.periods, key=lambda each: each.start
        )  # `against 2024` is read with the year of today beside it
        if said.grain == "year" and said.start.year == plan.period.start.year - 1:
            return self._against(plan, yearly=True)
        if any(each.unit in SERIES for each in plan.groups) or said.end > plan.period.start:
            return None
        other = PlanPeriod(start=said.start, end=said.end, grain=said.grain, text=said.text)
        return plan.model_copy(update={"comparison": Comparison(against="period", period=other)})


_BEFORE = re.compile(r"(?:the )?(?:previous|prior|preceding)\b|前一|再?上一", re.I)


def _running(plan: Plan) -> Plan | None:
    """A series of sums as what there is up to each bucket."""
    series = any(each.unit in SERIES for each in plan.groups)
    plain = not (plan.comparison or plan.share or plan.share_of or plan.ranking or plan.threshold)
    return plan.model_copy(update={"running": True}) if series and plain else None


def _shared(plan: Plan) -> Plan | None:
    """What each makes up of the whole, where figures are split by one thing and held against nothing."""
    split = [each for each in plan.groups if each.dimension]
    if len(plan.groups) != 1 or len(split) != 1 or plan.comparison or plan.share_of or plan.threshold:
        return None
    return plan.model_copy(update={"share": "total"})


def _split(plan: Plan, new: Grouping) -> Plan | None:
    """Another dimension takes the place of a dimension, another unit that of a unit; else it is added."""
    kept = tuple(each for each in plan.groups if bool(each.unit) != bool(new.unit))
    if new.unit and plan.comparison is not None and plan.comparison.period is not None:
        return None  # a series is held against its own buckets
    ranking = None if plan.ranking and plan.ranking.n else plan.ranking
    return plan.model_copy(update={"groups": (*kept, new) if new.dimension else (new, *kept), "ranking": ranking})
