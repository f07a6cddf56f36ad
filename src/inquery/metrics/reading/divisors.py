"""Ratios that nobody named: what a measure is divided by."""

from __future__ import annotations

from itertools import pairwise

from inquery.metrics.metric_types import Metric
from inquery.metrics.question_cover import Phrase
from inquery.metrics.reading.draft import COUNTERS, Draft, NoPlanError


def find_divisor(draft: Draft) -> Phrase | None:
    """What a measure is divided by: the order of `returns per order`, 平均每单; the employee of `each store's revenue per employee`."""
    for at, phrase in enumerate(draft.phrases[:-1]):
        follows = draft.phrases[at + 1]
        earlier = draft.previous(phrase)
        measured = earlier is not None and bool(earlier.senses.metrics)
        if phrase.text.lower() in ("per", "divided by", "除以") and measured:
            found: Phrase | None = follows
        elif phrase.says("every") and phrase.text.startswith("每") and _is_averaged(draft, at):
            found = follows if follows.text not in COUNTERS or at + 2 >= len(draft.phrases) else draft.phrases[at + 2]
            found = follows if follows.text == "单" else found
        elif phrase.text == "人均" and (heads := _counted_heads(draft, at)) is not None:
            found = heads
        elif phrase.text == "人均" and earlier is not None and not earlier.senses.metrics:
            led = draft.previous(earlier)
            found = None if led is not None and led.says("each", "every") else earlier  # 每个员工的人均 is not clear
        else:
            continue
        if found is None or not _counting_of(draft, found):
            continue
        if draft.is_entity(found) and not _divides_rather(draft, phrase, found):
            continue
        near = draft.phrases[at : draft.phrases.index(found) + 1] if phrase.text != "人均" else []
        for each in near or [phrase, found]:
            each.used = True
        return found
    return None


def _counted_heads(draft: Draft, at: int) -> Phrase | None:
    """The 员工数 of 人均销售额（按员工数）: who is counted is said behind the figure."""
    for earlier, later in pairwise(draft.phrases[at + 1 :]):
        if earlier.text == "按" and later.senses.metrics and _counting_of(draft, later):
            return later
    return None


def _is_averaged(draft: Draft, at: int) -> bool:
    """平均每: what is each's is asked on average; 每单 alone can only be meant so."""
    led = at > 0 and draft.phrases[at - 1].says("average")
    return led or draft.phrases[at + 1].text == "单"


def _divides_rather(draft: Draft, phrase: Phrase, divisor: Phrase) -> bool:
    """Whether it divides where it could split: something else splits already, or an average is asked for."""
    ranked = draft.says("top", "bottom", "rank", "rank_up", "which", "which_many", "fast", "slow")
    if phrase.text.lower() == "per" and divisor.says("head") and not ranked:
        return True  # revenue per employee is what the staff brings in; who sold how much is asked by employee
    split = any(
        (p.says("each", "every") or p.unit("series.")) and p is not phrase and not p.senses.metrics
        for p in draft.phrases
        if p is not divisor
    )
    return split or draft.says("average")


def _counting_of(draft: Draft, phrase: Phrase) -> list[Metric]:
    """The accepted metrics that count what a phrase names, each row or member once."""
    if phrase.text == "单":
        return draft.known("number of orders", "订单数")
    if phrase.senses.metrics and not draft.is_entity(phrase):
        named = [draft.book.metric(name) for name in phrase.senses.metrics]
        return [m for m in named if m.status == "accepted" and m.additivity != "ratio"]
    entities = [d for d in phrase.senses.dimensions if draft.book.dimension(d).is_entity]
    return [
        m
        for m in draft.book.metrics.values()
        if m.entity in entities
        and m.status == "accepted"
        and m.kind == "simple"
        and not m.filter
        and draft.counts_rows(m)
        and m.time is None  # new customers are those of a day, and not all there are
    ]


def divide_by(draft: Draft, divisor: Phrase | None) -> None:
    if divisor is None:
        return
    counting = _counting_of(draft, divisor)
    if len(counting) != 1 or len(draft.measures) != 1 or draft.measures[0].additivity == "ratio":
        raise NoPlanError(f"a figure per {divisor.text} is not defined")
    part, by = draft.measures[0], _under_the_same_condition(draft, counting[0])
    if part.name == by.name or part.status != "accepted":
        raise NoPlanError(f"a figure per {divisor.text} is not defined")
    known = [m for m in draft.book.metrics.values() if (m.numerator, m.denominator) == (part.name, by.name)]
    if len(known) == 1:
        draft.measures = known
    else:
        draft.per = by
    draft.use("average")


def _under_the_same_condition(draft: Draft, by: Metric) -> Metric:
    """Discounts of orders that are not cancelled are divided by such orders, where people count them."""
    condition = draft.measures[0].filter
    alike = [
        m
        for m in draft.book.metrics.values()
        if m.entity == by.entity and m.filter == condition and m.status == "accepted" and m.kind == "simple"
        and draft.counts_rows(m)
    ]  # fmt: skip
    return alike[0] if condition and len(alike) == 1 else by
