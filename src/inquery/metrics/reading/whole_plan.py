"""The plan, put together from what was read."""

from __future__ import annotations

import re
from typing import cast

from inquery.language.dates import OPEN_START, before, year_before
from inquery.language.text import has_cjk
from inquery.metrics.buckets import bucket_labels, bucket_starts
from inquery.metrics.metric_types import Metric
from inquery.metrics.plan_types import (
    SERIES,
    Comparison,
    Grouping,
    Membership,
    Plan,
    PlanPeriod,
    PlanRanking,
    TimeUnit,
)
from inquery.metrics.question_cover import Phrase
from inquery.metrics.reading.asked_periods import one_period, time_column
from inquery.metrics.reading.compared import asked_comparison
from inquery.metrics.reading.done_with_figures import (
    asked_contrast,
    asked_move,
    asked_ranking,
    asked_share,
    asked_spread,
    asked_threshold,
    moving_average,
    only_counted,
    refuse_per_head,
)
from inquery.metrics.reading.draft import AS_WELL, HOW_MANY, LOST, Draft, NoPlanError
from inquery.metrics.reading.plan_periods import earlier_period, whole_buckets
from inquery.metrics.reading.taking_part import absent_plan

_WHICH_OF = re.compile(r"^\W*(?:which|who|list|name|show)\b|哪些|有谁|是谁|都有谁|列出|名单", re.I)


def assemble(draft: Draft) -> Plan:
    units = [group.unit for _, group in draft.groups if group.unit]
    unit = units[0] if units else None
    if draft.says("trend") and unit is None:
        unit = _trend_unit(draft)
        draft.groups.append((-1, Grouping(unit=unit)))
        draft.periods = [(at, whole_buckets(period, [unit], draft.clock)) for at, period in draft.periods]
        draft.use("trend")
    else:
        draft.use("trend")
    if draft.absent:
        return absent_plan(draft)
    if membership := _asked_membership(draft):
        return membership
    if any(LOST.search(p.text) and p.says("fall", "not") for p in draft.phrases) and any(
        metric.additivity == "distinct" for metric in draft.measures
    ):
        raise NoPlanError("who was lost, or how many fewer there are")
    comparison, period = asked_comparison(draft, unit)
    moving = moving_average(draft)
    running = _is_running(draft, unit, comparison)
    if running and unit is None:
        unit = _trend_unit(draft)
        draft.groups.append((-1, Grouping(unit=unit)))
    contribution = comparison is not None and draft.take("contribution")
    if comparison is None:
        draft.use("contribution")  # what someone contributed is what they brought in
    threshold = asked_threshold(draft, comparison)
    contrast = asked_contrast(draft, comparison)
    spread = comparison is None and asked_spread(draft)
    share, share_of, concentration = asked_share(draft, comparison, contribution)
    if threshold is not None and (share or share_of or concentration):
        raise NoPlanError("a share of those that pass")
    ranking = None if spread else asked_ranking(draft, comparison, contribution, bool(share), concentration)
    if threshold is None and ranking is None and not contribution and not contrast and not spread:
        threshold = asked_move(draft, comparison, unit)
    refuse_per_head(draft)
    ordered = _ordered_groups(draft, ranking)
    count = threshold is not None and only_counted(draft)
    period = _finished(draft, period, unit, PlanRanking(descending=False) if spread else ranking)
    plan = Plan(
        measures=tuple(metric.name for metric in draft.measures),
        per=draft.per.name if draft.per else "",
        groups=tuple(ordered),
        filters=tuple(draft.filters),
        period=period,
        time=time_column(draft),
        comparison=comparison,
        share=share,
        share_of=share_of,
        contribution=contribution,
        contrast=contrast,
        spread=spread,
        ranking=ranking,
        concentration=concentration,
        threshold=threshold,
        count=count,
        running=running,
        moving=moving,
    )
    if period is None and comparison is not None and comparison.against != "previous":
        raise NoPlanError("a comparison without a period")
    return plan


def _is_running(draft: Draft, unit: TimeUnit | None, comparison: Comparison | None) -> bool:
    """今年累计销售额 is what there is by now, and no series; a running total by itself is one."""
    said = [p for p in draft.phrases if p.says("running") and not p.used]
    for p in said:
        p.used = True
    summed = all(p.text in ("累计", "累积") for p in said) or (
        comparison is not None and all(p.text.lower() in ("cumulative", "cumulatively", "accumulated") for p in said)
    )
    return bool(said) and not (unit is None and summed)


def _finished(
    draft: Draft, period: PlanPeriod | None, unit: TimeUnit | None, ranking: PlanRanking | None
) -> PlanPeriod | None:
    """Without the month that is not over, where the lowest is sought: it would always be that one."""
    if ranking is None or ranking.descending or unit not in SERIES or unit is None:
        return period
    begun = bucket_starts(unit, draft.clock.today)
    if period is None:
        return PlanPeriod(start=OPEN_START, end=begun, grain=unit)
    if not (period.start < begun < period.end):
        return period
    return period.model_copy(update={"end": begun})


def _trend_unit(draft: Draft) -> TimeUnit:
    if len(draft.periods) == 1:
        period = draft.periods[0][1]
        if period.start != OPEN_START and (min(period.end, draft.clock.tomorrow) - period.start).days <= 62:
            return "day"
    return "month"


def _ordered_groups(draft: Draft, ranking: PlanRanking | None) -> list[Grouping]:
    """Outer groups first; what is ranked last."""
    ordered = [group for at, group in draft.groups if at not in draft.targets]
    ordered += [group for at, group in draft.groups if at in draft.targets]
    if not (ranking and ranking.per_group):
        return ordered
    return ordered


def _asked_membership(draft: Draft) -> Plan | None:
    """Members active in one period and not, or also, in another; or in every bucket of one."""
    metric = draft.measures[0]
    if len(draft.measures) != 1 or metric.additivity != "distinct" or metric.kind != "simple":
        return None
    relative = next((p for p in draft.phrases if p.says("before", "year_before") and not p.used), None)
    both = draft.says_unused("both") or any(p.text.lower() == "both" for p in draft.phrases)
    if len(draft.periods) == 1 and relative is not None and (draft.says_unused("not") or both):
        other = earlier_period(draft.periods[0][1], before if relative.says("before") else year_before)
        relative.used = True
        draft.periods = sorted([*draft.periods, (draft.phrases.index(relative), other)], key=lambda each: each[0])
    if each := _both_members(draft, both):
        draft.use("both", "activity", "join", "versus")
        return _members_plan(draft, metric, one_period(draft), Membership(each=each))
    if len(draft.periods) == 2:
        negation = next((p for p in draft.phrases if p.says("not") and not p.used and not p.says("skip")), None)
        if negation is not None:
            negation.used = True
            absent = _period_of(draft, negation)
            present = next(period for _, period in draft.periods if period != absent)
            draft.use("activity", "which", "which_many")
            return _members_plan(draft, metric, present, Membership(also=absent))
        if draft.take("both") or (both and draft.says("activity")):
            draft.use("activity", "which", "which_many")
            first, second = (period for _, period in draft.periods)
            return _members_plan(draft, metric, first, Membership(also=second, active=True))
    return _every_bucket(draft, metric)


def _both_members(draft: Draft, both: bool) -> str:
    """The dimension of `bought both on the web and in the app`, 既在网页又在应用下过单: members of all of these."""
    several = [
        each
        for each in draft.filters
        if len(each.values) > 1 and not each.negated and each.dimension not in draft.together
    ]
    said = both or bool(AS_WELL.search(draft.question))
    if len(several) != 1 or not said:
        return ""
    own = [group for _, group in draft.groups if group.dimension != several[0].dimension]
    if several[0].holding or own or len(draft.periods) > 1 or draft.says("before", "year_before"):
        raise NoPlanError("members of both are not split")
    draft.groups = []
    return several[0].dimension


def _every_bucket(draft: Draft, metric: Metric) -> Plan | None:
    units = [(at, group) for at, group in draft.groups if group.unit in SERIES]
    if len(units) != 1 or len(draft.periods) != 1 or len(draft.groups) != 1:
        return None
    group = units[0][1]
    said = [phrase.text.lower() for phrase in draft.phrases]
    english = any(text.startswith(("every", "in every")) for text in said)
    chinese = any(text.startswith("每") for text in said) and draft.says("both")
    if not (english or chinese) or (not draft.says("count") and "多少" not in draft.question):
        return None
    draft.use("both", "activity", "which", "which_many", "every")
    whole = len(bucket_labels(cast(str, group.unit), draft.periods[0][1].start, draft.periods[0][1].end))
    for number in draft.phrases:
        # 四个季度每个季度都: the number says again how many there are.
        number.used = number.used or (number.number is not None and number.number.value == whole)
    return _members_plan(draft, metric, draft.periods[0][1], Membership(every=group.unit))


def _members_plan(draft: Draft, metric: Metric, period: PlanPeriod | None, membership: Membership) -> Plan:
    if membership.also and any(group for _, group in draft.groups):
        raise NoPlanError("members over periods are not split")
    return Plan(
        measures=(metric.name,),
        groups=_listed_members(draft, metric, membership),
        filters=tuple(draft.filters),
        period=period,
        membership=membership,
        time=time_column(draft),
    )


def _listed_members(draft: Draft, metric: Metric, membership: Membership) -> tuple[Grouping, ...]:
    """`Which customers bought in 2024 but not in 2025` wants them, `how many customers` their number."""
    if (
        draft.says("count")
        or HOW_MANY.search(draft.question)
        or not (draft.says("which_many") or _WHICH_OF.search(draft.question))
    ):
        return ()
    found = [d for d, each in draft.book.dimensions.items() if each.is_entity and draft.counts(metric, d)]
    if membership.also is None or len(found) != 1:
        raise NoPlanError("members are only counted")
    return (Grouping(dimension=found[0]),)


def _period_of(draft: Draft, phrase: Phrase) -> PlanPeriod:
    """The period that a word belongs to: in English the one after it, in Chinese the one before it."""
    at = draft.phrases.index(phrase)
    later = [period for place, period in draft.periods if place > at]
    earlier = [period for place, period in draft.periods if place < at]
    if has_cjk(phrase.text):
        return earlier[-1] if earlier else later[0]
    return later[0] if later else earlier[-1]
