"""What is done with figures: thresholds, shares, rankings, gaps, moving averages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import cast

from inquery.language.numbers import PERCENT
from inquery.language.text import has_cjk, singular
from inquery.metrics.plan_types import (
    Comparison,
    Figure,
    Grouping,
    Moving,
    Operator,
    PlanFilter,
    PlanRanking,
    Share,
    Threshold,
    TimeUnit,
)
from inquery.metrics.question_cover import Phrase
from inquery.metrics.reading.asked_measures import named_behind
from inquery.metrics.reading.draft import COUNTERS, OPERATORS, Draft, NoPlanError

_RANKED_BY = frozenset(["by", "按", "按照", "依", "以"])
_EACH_SHARE = re.compile(
    r"\b(?:their|its|each)(?:\s+\w+)?\s+(?:share|percentage|per cent)|\b(?:with|and) (?:the |a )?(?:share|percentage) (?:of|in)\b"
    r"|[及和与、，,](?:其|各自|各)?(?:占比|占总|份额)",
    re.I,
)
"""The ten largest with their shares, and not what the ten make up together."""
_FROM = ("came from", "come from", "comes from", "stem", "来自")
_PLAIN_EXTREMES = (
    "最多",
    "最大",
    "最少",
    "最小",
    "most",
    "biggest",
    "largest",
    "the most",
    "greatest",
    "the biggest",
    "the largest",
    "the greatest",
)
_OUTSIDE = (
    "outside",
    "outside of",
    "other than",
    "not",
    "not in",
    "not from",
    "以外",
    "之外",
    "非",
    "不在",
    "不是",
    "不属于",
)


def moving_average(draft: Draft) -> Moving | None:
    phrase = next((p for p in draft.phrases if p.says("moving")), None)
    if phrase is None:
        return None
    phrase.used = True
    at = draft.phrases.index(phrase)
    numbers = [p for p in draft.phrases[:at] if p.number and not p.used]
    if not numbers:
        raise NoPlanError("an average over how many is not said")
    number = numbers[-1]
    number.used = True
    between = draft.phrases[draft.phrases.index(number) + 1 : at]
    unit = next((found for p in between if (found := p.unit("unit."))), "")
    for p in between:
        p.used = p.used or bool(p.unit("unit."))
    if all(group.unit is None for _, group in draft.groups):
        draft.groups.append((-1, Grouping(unit=cast(TimeUnit, unit or "month"))))
    assert number.number is not None
    return Moving(size=int(number.number.value))


def asked_threshold(draft: Draft, comparison: Comparison | None) -> Threshold | None:
    found = draft.threshold_phrase()
    if found is None:
        return None
    word, number = found
    word.used = number.used = True
    assert number.number is not None
    operator = next(OPERATORS[kind] for kind in OPERATORS if word.says(kind))
    percent = number.number.kind == PERCENT
    metric = draft.measures[0]
    follows = draft.phrases[draft.phrases.index(number) + 1 :][:1]
    if follows and follows[0].text in COUNTERS and (metric.format == "money" or metric.additivity == "ratio"):
        raise NoPlanError(f"{number.text}{follows[0].text} is a number of things")  # 台数超过10台的…平均金额
    if follows and follows[0].senses.metrics and not draft.counts_it(follows[0]) and follows[0] is not word:
        raise NoPlanError(f"{number.text} {follows[0].text} is another figure")  # those with at least 15 reviews
    of: Figure = "percent" if percent and comparison is not None else "value"
    if percent and comparison is None and metric.format != "percent":
        raise NoPlanError("a per cent of what is not said")
    value = float(number.number.value)
    if of == "percent" and draft.says("fall"):
        value, operator = -value, cast(Operator, {">": "<", ">=": "<=", "<": ">", "<=": ">="}[operator])
    if not draft.groups:
        raise NoPlanError("a condition on one figure")
    draft.use("which", "which_many")
    return Threshold(of=of, operator=operator, number=value)


def asked_move(draft: Draft, comparison: Comparison | None, unit: TimeUnit | None) -> Threshold | None:
    """`Which stores lost revenue` wants those that did, and no others."""
    up, down = draft.says("grow"), draft.says("fall")
    asked = draft.says("which", "which_many") or any(has_cjk(draft.phrases[at].text) for at in draft.targets)
    if comparison is None or unit is not None or up == down or not asked or not draft.targets:
        return None
    draft.use("which", "which_many")
    return Threshold(of="difference", operator=">" if up else "<", number=0)


def refuse_per_head(draft: Draft) -> None:
    """`Revenue per employee for each store` divides by the employees, where it does not list them."""
    if draft.per is not None:
        return
    for at, phrase in enumerate(draft.phrases):
        rows = draft.phrases[at + 1] if at + 1 < len(draft.phrases) and phrase.says("each", "every") else None
        if rows is not None and rows.senses.metrics and not rows.senses.dimensions and not draft.counts_it(rows):
            raise NoPlanError(f"a figure per {rows.text} is not defined")  # the average discount per order
        said = phrase.text.lower() == "per" and at and draft.phrases[at - 1].senses.metrics
        later = draft.next(phrase) if said else None
        heads = [d for d in later.senses.dimensions if draft.book.dimension(d).is_entity] if later else []
        if heads and len(draft.groups) > 1:
            raise NoPlanError(f"per {heads[0]} may divide or split")


def only_counted(draft: Draft) -> bool:
    """`How many stores sold more than …` wants the number of stores."""
    target = next((at for at, _ in draft.groups if at >= 0), None)
    if target is None or draft.says("which", "which_many"):
        return False
    earlier = draft.previous(draft.phrases[target])
    told = [p.text for p in draft.phrases[target + 1 :] if has_cjk(p.text)]
    return (earlier is not None and earlier.says("count")) or any(
        text.startswith(("有多少", "有几", "多少个", "多少家", "多少位", "几个", "几家", "几位")) for text in told
    )


def two_members(draft: Draft) -> bool:
    return any(
        len(draft.sides.get(each.dimension, each.values)) == 2
        and not each.negated
        and each.dimension not in draft.together
        for each in draft.filters
    )


def asked_contrast(draft: Draft, comparison: Comparison | None) -> bool:
    if comparison is not None or not two_members(draft) or not draft.says_unused("gap"):
        draft.use("versus") if two_members(draft) or comparison else None
        return False
    if len(draft.groups) != 1 or not draft.groups[0][1].dimension:
        raise NoPlanError("a gap between more than two")
    draft.use("gap", "versus", "percent", "which")
    return True


def asked_spread(draft: Draft) -> bool:
    """`The gap between the best and the worst store`, 最好和最差的门店相差多少: both ends of one dimension."""
    ends = [p for p in draft.phrases if p.says("top", "bottom") and not p.senses.metrics]
    both = {kind for p in ends for kind in ("top", "bottom") if p.says(kind)}
    if not draft.says_unused("gap") or both != {"top", "bottom"} or len(ends) != 2:
        return False
    if len(draft.groups) != 1 or len(draft.measures) != 1:
        raise NoPlanError("a gap between the ends of what is not said")
    if any(p.number and not p.used for p in draft.phrases):
        raise NoPlanError("a gap between several")
    draft.use("gap", "top", "bottom", "versus", "which", "percent")
    return True


def asked_share(
    draft: Draft, comparison: Comparison | None, contribution: bool
) -> tuple[Share | None, str, int | None]:
    wanted = draft.says_unused("share") or (draft.says_unused("percent") and comparison is None)
    rate = all(metric.format == "percent" for metric in draft.measures)
    if rate and draft.filters and any(p.text.lower().startswith(_FROM) and not p.used for p in draft.phrases):
        raise NoPlanError("a share of what a rate counts")  # the share of cancelled orders that came from the web
    if not wanted or contribution or (rate and not draft.says_unused("share")):
        if rate or comparison is not None:
            draft.use("percent")
        if rate and draft.says_unused("share"):
            draft.use("share")
        return None, "", None
    if rate:
        draft.use("share", "percent")
        return None, "", None
    if comparison is not None:
        raise NoPlanError("a share and a comparison")
    draft.use("share", "percent")
    dimensions = [(at, group) for at, group in draft.groups if group.dimension]
    targets = [at for at in draft.targets if any(at == place for place, _ in dimensions)]
    number = next((p for p in draft.phrases if p.number and not p.used), None)
    # 占比最大的十个客户 and `the ten with the largest share` list what each has.
    ranked = any(
        (one.says("share") and two.says("top")) or (one.says("top") and two.says("share"))
        for one, two in pairwise(draft.phrases)
    )
    ranked = ranked or _EACH_SHARE.search(draft.question) is not None
    if len(dimensions) == 1 and targets and number is not None and draft.says("top") and not ranked:
        number.used = True
        draft.use("top", "which", "which_many")
        assert number.number is not None
        return None, "", int(number.number.value)
    if part := _told_part(draft):
        return None, part, None
    if dimensions and any(not each.values for each in draft.filters):
        raise NoPlanError("a share within each, or of all that have any")
    if dimensions and draft.filters and has_cjk(draft.question) and not _splits_the_part(draft, dimensions[-1][0]):
        raise NoPlanError("a share of each, or of all that are meant")
    if len(dimensions) == 1 and not draft.filters:
        return "total", "", None
    if len(dimensions) == 2 and draft.parents:
        return "parent", "", None
    if len(dimensions) == 1 and any(each.dimension != dimensions[0][1].dimension for each in draft.filters):
        return "total", "", None
    parts = [each for each in draft.filters if not each.negated and not each.holding]
    if not dimensions and len(draft.filters) == 1 and _is_told_outside(draft, draft.filters[0]):
        parts = draft.filters  # revenue from customers outside China
    if not dimensions and len(parts) == 1:
        return None, parts[0].dimension, None
    raise NoPlanError("a share of what is not said")


def _is_told_outside(draft: Draft, wanted: PlanFilter) -> bool:
    """Whether what is left out makes the part: `from customers outside China`, 中国以外的客户; not `excluding the web`."""
    said = [p.text.lower() for p in draft.phrases if p.says("not") and not p.says("skip")]
    return wanted.negated and not wanted.holding and bool(said) and all(text in _OUTSIDE for text in said)


def _splits_the_part(draft: Draft, at: int) -> bool:
    """Whether what is split stands right before 占: 已离店订单的房费，各渠道占百分之几."""
    later = draft.next(draft.phrases[at]) if at >= 0 else None
    return later is None or later.says("share", "percent")


def _told_part(draft: Draft) -> str:
    """The filter that is the part of the whole, by where it stands; the whole is split as the part is.

    `What percentage of moves were cancelled, by kind`, 各供应商的维护费用里，保修内的占百分之几, 各手术间急诊手术占多少.
    """
    parts = [each for each in draft.filters if not each.negated and not each.holding]
    said = next((at for at, p in enumerate(draft.phrases) if p.says("share", "percent")), None)
    if len(parts) != 1 or len(draft.filters) != 1 or len(draft.measures) != 1 or said is None:
        return ""
    noun = next((at for at, p in enumerate(draft.phrases) if draft.measures[0].name in p.senses.metrics), None)
    part = next((at for at, p in enumerate(draft.phrases) if p.text in parts[0].text and p.senses.members), None)
    if noun is None or part is None:
        return ""
    if has_cjk(draft.question):
        split = max((at for at, group in draft.groups if group.dimension), default=-1)
        direct = all(p.says("skip") or at == noun for at, p in enumerate(draft.phrases) if part < at < said)
        asked = draft.phrases[said].text.startswith(("占百分", "占多", "占几")) or noun < part
        return parts[0].dimension if split < part < said and direct and asked else ""
    own = draft.book.dimension(parts[0].dimension).table == draft.measures[0].entity
    of_all = draft.measures[0].name in named_behind(draft, draft.phrases[said])  # payments that failed, of all payments
    return parts[0].dimension if own and (said < noun < part or (part < said and of_all)) else ""


def asked_ranking(
    draft: Draft, comparison: Comparison | None, contribution: bool, share: bool, concentration: int | None
) -> PlanRanking | None:
    up = [
        p
        for p in draft.phrases
        if p.says("top", "fast") and (not p.used or p.says("contribution", "grow")) and not p.senses.metrics
    ]
    down = [
        p for p in draft.phrases if p.says("bottom", "slow") and (not p.used or p.says("grow")) and not p.senses.metrics
    ]
    if concentration is not None:
        return None
    for p in (*up, *down):
        at = draft.phrases.index(p)
        beside = [near for near in draft.phrases[max(0, at - 1) : at + 2] if near.number is not None]
        if p.text in ("前", "后", "大") and not beside:
            raise NoPlanError(f"{p.text} what is not said")  # 受理后 speaks of what came after
    _lead_with_what_ranks(draft)
    if draft.take("rank_up") and not up and not down:
        _need_groups(draft)
        by = _ranked_figure(draft, comparison, contribution, share, up)
        return PlanRanking(by=by, n=_ranked_number(draft, None), descending=False)
    if draft.take("rank") and not up and not down:
        _need_groups(draft)
        return PlanRanking(by=_ranked_figure(draft, comparison, contribution, share, up), n=_ranked_number(draft, None))
    if not up and not down and contribution and draft.targets and any(p.number and not p.used for p in draft.phrases):
        return PlanRanking(
            by="difference", n=_ranked_number(draft, None), descending=not _is_falling(draft)
        )  # 主要靠哪五个品牌
    if not up and not down and _is_so_many_by(draft):
        return PlanRanking(by="value", n=_ranked_number(draft, None))
    if not up and not down:
        return None
    if up and down:
        raise NoPlanError("first and last at once")
    _need_groups(draft)
    falls = comparison is not None and _is_falling(draft)
    quick = any(p.says("fast", "slow") for p in (*up, *down))
    by = _ranked_figure(draft, comparison, contribution, share, [*up, *down])
    if falls and down and not quick:
        raise NoPlanError("the least fall")
    descending = bool(up) != falls
    # How many `which categories grew fastest` are is not said: all of them in order, the first one first.
    every = comparison is not None and len(draft.groups) == 1 and _asks_for_several(draft)
    n = _ranked_number(draft, None if every else _default_number(draft))
    for p in (*up, *down):
        p.used = True
    draft.use("which", "which_many")
    if not draft.targets and len(draft.groups) > 1:
        raise NoPlanError("what is ranked is not said")
    # 哪家酒店哪一天最高: both are sought, so that one place is taken by a pair of them.
    sought = [at for at, _ in draft.groups if at not in draft.targets]
    return PlanRanking(by=by, n=n, descending=descending, per_group=len(draft.groups) > 1 and bool(sought))


def _lead_with_what_ranks(draft: Draft) -> None:
    """Contacts and contract amount, `top 5 by amount`: the plan ranks by its first measure, whichever was said first."""
    for at, then in enumerate(draft.phrases):
        if len(draft.measures) < 2 or not is_behind_by(draft, at):
            continue
        led = [metric for metric in draft.measures if metric.name in then.senses.metrics]
        if not led and then.says("amount"):
            led = [metric for metric in draft.measures if not draft.counts_rows(metric) and metric.kind == "simple"]
            if len(led) != 1:
                raise NoPlanError("by which amount is not said")
        draft.measures.sort(key=lambda metric: metric not in led)


def is_behind_by(draft: Draft, at: int) -> bool:
    """Whether it is what something is ranked by: `by total fee`, 按金额, `sorted by revenue`."""
    while at and draft.phrases[at - 1].says("total", "count") and not draft.phrases[at - 1].senses.metrics:
        at -= 1
    return at > 0 and re.split(r"\s", draft.phrases[at - 1].text.lower())[-1] in _RANKED_BY


def _is_so_many_by(draft: Draft) -> bool:
    """`Five suppliers by units returned`: the first five of them, though no word says first."""
    for at in draft.targets:
        led, behind = draft.phrases[at - 1] if at else None, draft.phrases[at + 1 : at + 3]
        counted = led is not None and led.number is not None and not led.used and led.number.kind != PERCENT
        measured = len(behind) == 2 and behind[0].text.lower() == "by" and behind[1].senses.metrics
        if counted and measured and draft.counts_it(behind[1]) and len(draft.groups) == 1:
            return True
    return False


def _is_falling(draft: Draft) -> bool:
    return any(p.says("fall") for p in draft.phrases) and not any(p.says("grow") for p in draft.phrases)


def _need_groups(draft: Draft) -> None:
    if not draft.groups:
        raise NoPlanError("nothing to rank")


def _ranked_figure(
    draft: Draft, comparison: Comparison | None, contribution: bool, share: bool, said: Sequence[Phrase]
) -> Figure:
    if contribution:
        return "difference"
    if share:
        return "share"
    if comparison is None:
        return "value"
    rate = draft.says("percent", "fast", "slow") or any(_is_rate_word(p.text) for p in draft.phrases)
    # 环比最差 speaks of the rate, 环比下降最多 may speak of pieces.
    plain = any(p.text in _PLAIN_EXTREMES for p in said)
    rate = rate or (draft.says("year_before", "before") and not plain)
    if draft.measures[0].format == "percent":
        return "difference"
    # `Fell the most`, 下降最多: of two stores the one that lost more; a rate has words of its own.
    return "percent" if rate else "difference"


def _ranked_number(draft: Draft, default: int | None) -> int | None:
    numbers = [p for p in draft.phrases if p.number and not p.used and p.number.kind != PERCENT]
    if len(numbers) > 1:
        raise NoPlanError("several numbers")
    if not numbers:
        return default
    numbers[0].used = True
    assert numbers[0].number is not None
    value = numbers[0].number.value
    if value != int(value) or value < 1:
        raise NoPlanError("no count")
    return int(value)


def _asks_for_several(draft: Draft) -> bool:
    """Which categories, 哪些品类: more than one, and no number."""
    if any(p.number and not p.used for p in draft.phrases):
        return False
    asked = draft.says("which", "which_many") or any(p.text.lower().startswith("what") for p in draft.phrases)
    plural = any(draft.is_plural(draft.phrases[at]) for at in draft.targets)
    return draft.says("which_many") or (asked and plural)


def _default_number(draft: Draft) -> int:
    """One for `which store`; how many `which stores` are is not said."""
    if draft.says_unused("which_many") and not any(p.number and not p.used for p in draft.phrases):
        raise NoPlanError("how many is not said")
    for at in draft.targets:
        text = draft.phrases[at].text.lower()
        many = not has_cjk(text) and singular(text.split()[-1]) != text.split()[-1]
        if many and not any(p.number and not p.used for p in draft.phrases):
            raise NoPlanError("how many is not said")
    return 1


def _is_rate_word(text: str) -> bool:
    folded = text.lower()
    return folded in ("growth", "growth rate", "rate of growth", "change rate") or any(
        word in folded for word in ("率", "幅", "增速", "速度", "percent", "百分")
    )
