"""Members without any of a thing, and those who have some."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from itertools import pairwise

from sqlglot import exp

from inquery.language.text import has_cjk, tokens_of
from inquery.metrics.metric_types import Metric
from inquery.metrics.plan_types import (
    Grouping,
    Membership,
    Plan,
)
from inquery.metrics.propose_members import counts_members
from inquery.metrics.propose_sales import counts_buyers
from inquery.metrics.question_cover import Phrase, key_of
from inquery.metrics.reading.asked_periods import one_period, time_column
from inquery.metrics.reading.draft import HOW_MANY, LOST, SOLD, Draft, NoPlanError

_NOT_ABSENT = (
    "top", "bottom", "fast", "slow", "share", "percent", "growth", "grow", "fall", "gap", "average", "before", "year_before",
    "running", "moving", "contribution", "both", "trend", "compare",
)  # fmt: skip
"""What those without any are never asked with."""
_NONE_OF = re.compile(r"\b(?:no|without|none)\b", re.I)
_NOT_LAPSED = tuple(kind for kind in _NOT_ABSENT if kind not in ("fall", "before", "year_before"))
_ORDERED_NONE = re.compile(r"\border|下单|下过单|订单|一单|下$|^下", re.I)
_BOUGHT = re.compile(r"\b(?:b[uo]y|bought|buying|purchase|shop)|买|消费|成交", re.I)
_SOUGHT_BEFORE = re.compile(r"(?:多少|几)(?:个|位|名|家|种|款|辆|台|间|套|条|所|只|艘)?(?:不同的?)?$")
_SOUGHT_BEHIND = re.compile(
    r"(?:一共|总共|共|分别)?(?:有|是)?(?:多少|几)(?:个|位|名|家|人|种|款|辆|台|间|套|条|所|只|艘)?(?:[?？,，。]|$)"
)


def find_absent(draft: Draft) -> bool:
    """`Products never ordered`, 一单都没下的客户: members of which what is denied has no row.

    Only what was done is denied here; who did it in one period and not in another is told by two periods.
    """
    denied = [p for p in draft.phrases if p.says("not") and not p.says("skip")]
    subjects = [p for p in draft.phrases if draft.is_entity(p)]
    if len(denied) != 1 or len(subjects) != 1 or draft.says(*_NOT_ABSENT) or draft.threshold_phrase() is not None:
        return False
    if sum(bool(p.periods) for p in draft.phrases) > 1 or any(p.number for p in draft.phrases):
        return False
    entity = next(d for d in subjects[0].senses.dimensions if draft.book.dimension(d).is_entity)
    at, place = draft.phrases.index(denied[0]), draft.phrases.index(subjects[0])
    if place == at + 1 and at and (_NONE_OF.search(denied[0].text) or denied[0].says("detached")):
        return False  # orders that had no promotion are no promotions without an order
    deeds = [
        p
        for p in draft.phrases
        if p is not subjects[0] and (p.says("activity") or p.senses.metrics or SOLD.search(p.text) or p is denied[0])
    ]
    near = [p for p in deeds if abs(draft.phrases.index(p) - at) <= 3]
    asked = draft.says("which", "which_many", "count") or (has_cjk(draft.question) and at < place)
    asked = asked or (place < at and denied[0].text.lower().startswith("without"))
    found = _denied_measure(draft, near, entity) if near == deeds and asked else None
    if found is None:
        return False
    draft.measures, draft.absent = [found], entity
    for phrase in (*deeds, *denied, *subjects):
        phrase.used = True
    return True


def find_lapsed(draft: Draft) -> bool:
    """`Products sold in the second quarter but not in the third`, 去年买过、今年一次没买的客户: counted by when they were active.

    They are counted by the measure that counts them once, and whatever names the deed says no more than it does.
    """
    denied = [p for p in draft.phrases if p.says("not") and not p.says("skip") and not p.used]
    subjects = [p for p in draft.phrases if draft.is_entity(p) and not p.used]
    relative = sum(p.says("before", "year_before") for p in draft.phrases)
    if len(denied) != 1 or len(subjects) != 1 or draft.says(*_NOT_LAPSED) or draft.threshold_phrase() is not None:
        return False
    if sum(bool(p.periods) for p in draft.phrases) + relative != 2 or any(p.number for p in draft.phrases):
        return False
    entity = next(d for d in subjects[0].senses.dimensions if draft.book.dimension(d).is_entity)
    deeds = [
        p
        for p in draft.phrases
        if p is not subjects[0]
        and (p.says("activity") or p.senses.metrics or SOLD.search(p.text) or LOST.search(p.text))
    ]
    counting = [m for m in counting_by_deed(draft, entity) if m.time is not None]
    if len(counting) != 1 or not deeds or any(_is_another_deed(draft, p, counting[0]) for p in deeds):
        return False
    if not (draft.says("count", "which", "which_many") or HOW_MANY.search(draft.question)):
        return False
    draft.measures = counting
    past = [
        p for p, after in pairwise([*draft.phrases, *draft.phrases[-1:]]) if p.text == "过" and after.number is None
    ]
    for phrase in (*deeds, *subjects, *past):
        phrase.used = True
    draft.use("count", "which", "which_many", "fall" if any(LOST.search(p.text) for p in deeds) else "count")
    return True


def counting_by_deed(draft: Draft, entity: str) -> list[Metric]:
    """What counts the members of an entity by the sales that leave out what was cancelled."""
    sold = [m.filter for m in draft.known("sales", "销售额")]
    return [
        m
        for m in draft.book.metrics.values()
        if draft.counts(m, entity) and (m.filter in sold or (not sold and counts_buyers(m)))
    ]


def _is_another_deed(draft: Draft, phrase: Phrase, counting: Metric) -> bool:
    """Reviews written are no orders: a measure is of the deed where it is of the same rows, or of those they are parts of."""
    paths = {draft.path(counting.entity)}
    for metric in draft.known("sales", "销售额"):
        paths.add(draft.path(metric.entity))
    for metric in draft.known("number of orders", "订单数"):
        paths.add(draft.path(metric.entity))
    return any(
        draft.book.metric(name).kind != "simple" or draft.path(draft.book.metric(name).entity) not in paths
        for name in phrase.senses.metrics
    )


def _denied_measure(draft: Draft, deeds: Sequence[Phrase], entity: str) -> Metric | None:
    """The accepted metric whose rows the deed is: named, or what is sold, ordered or bought."""
    named = list(dict.fromkeys(name for p in deeds for name in p.senses.metrics))
    text = " ".join(p.text for p in deeds).lower()
    if len(named) == 1 and not _is_weak_order(draft, named[0]):
        tried = [[draft.book.metric(named[0])]]
    elif named and not all(map(partial(_is_weak_order, draft), named)):
        return None
    elif SOLD.search(text):
        tried = [draft.known("units sold", "销量")]
    elif _ORDERED_NONE.search(text):
        tried = [_order_metric(draft), draft.known("number of order lines", "订单明细数")]
    elif _BOUGHT.search(text):
        tried = [
            draft.known("valid orders", "有效订单数"),
            draft.known("units sold", "销量"),
            _proposed_orders(draft),
        ]
    else:
        return None
    goal = draft.path(draft.book.dimension(entity).table)
    for metric in (each for found in tried for each in found):
        known = metric.status == "accepted" or metric in _proposed_orders(draft)
        accepted = metric.kind == "simple" and known and metric.additivity != "ratio"
        if accepted and draft.book.routes.route(draft.path(metric.entity), goal) is not None:
            return metric
    return None


def _is_weak_order(draft: Draft, name: str) -> bool:
    """The order of `placed no order`, which is as good as the deed."""
    return name in {metric.name for metric in _order_metric(draft)}


def _order_metric(draft: Draft) -> list[Metric]:
    return draft.known("number of orders", "订单数") or _proposed_orders(draft)


def _proposed_orders(draft: Draft) -> list[Metric]:
    """What counts the rows by which people bought, where nobody defined it."""
    homes = {m.entity for m in draft.book.metrics.values() if counts_buyers(m)}
    return [m for m in draft.book.metrics.values() if m.entity in homes and m.expression == "COUNT(*)" and not m.filter]


def absent_plan(draft: Draft) -> Plan:
    if any(group.dimension != draft.absent for _, group in draft.groups):
        raise NoPlanError("those without any are not split")
    draft.use("which", "which_many", "count", "activity")
    counted = draft.says("count") or bool(HOW_MANY.search(draft.question))
    return Plan(
        measures=(draft.measures[0].name,),
        groups=(Grouping(dimension=draft.absent),),
        filters=tuple(draft.filters),
        period=one_period(draft),
        time=time_column(draft),
        count=counted,
        membership=Membership(absent=True),
    )


def find_taking_part(draft: Draft) -> bool:
    """`How many patients had a visit in 2024`, 2024年有过就诊的患者有多少: those who have such rows, each counted once.

    Only where nobody defined metrics: what counts customers there says which orders make one.
    """
    if draft.book.glossary.metrics or draft.threshold_phrase() is not None or draft.says(*_NOT_LAPSED, "average"):
        return False
    subjects = [p for p in draft.phrases if table_counted(draft, p) and _is_asked_for(draft, p)]
    if len(subjects) != 1:
        return False
    home = table_counted(draft, subjects[0])
    deeds = [p for p in draft.phrases if p is not subjects[0] and p.senses.metrics]
    tables = {table_counted(draft, p) for p in deeds}
    if not deeds and any(p.says("activity") and _ORDERED_NONE.search(p.text) for p in draft.phrases):
        tables = {home for word in ("order", "订单") for home in _tables_called(draft, word)}
    if len(tables) != 1 or not (table := tables.pop()) or table == home:
        return False
    found = [m for m in draft.book.metrics.values() if counts_members(m) and m.entity == table]
    found = [m for m in found if _refers(draft, m, home)]
    denied = [p for p in draft.phrases if p.says("not") and not p.says("skip")]
    dates = sum(bool(p.periods) for p in draft.phrases) + sum(p.says("before", "year_before") for p in draft.phrases)
    if len(found) != 1 or len(denied) > 1 or (denied and dates != 2) or (dates and found[0].time is None):
        return False
    last = draft.phrases.index(deeds[0]) if deeds else 0
    if any(p.says("each", "every") for p in draft.phrases[last:]):
        return False  # how many visits each patient had
    draft.measures = found
    for phrase in (*deeds, *subjects):
        phrase.used = True
    draft.use("count", "deed", "activity", "once")
    return True


def table_counted(draft: Draft, phrase: Phrase) -> str:
    """The table whose rows a noun names, empty for any other phrase."""
    names = phrase.senses.metrics
    metric = draft.book.metric(names[0]) if len(names) == 1 else None
    counted = metric is not None and metric.expression == "COUNT(*)" and draft.is_weak_noun(phrase, metric.name)
    return metric.entity if counted and metric is not None else ""


def _tables_called(draft: Draft, word: str) -> list[str]:
    senses = draft.vocabulary.phrases.get(key_of(word))
    found = [draft.book.metric(name) for name in senses.metrics] if senses else []
    return [m.entity for m in found if m.expression == "COUNT(*)"]


def _refers(draft: Draft, metric: Metric, home: str) -> bool:
    """Whether what is counted once is the key of a table."""
    column = next(iter(draft.book.parse(metric.expression).find_all(exp.Column)), None)
    if column is None:
        return False
    holder, goal = draft.path(column.table), draft.path(home)
    return any(
        join.left == holder and join.right == goal and join.left_columns == (column.name,)
        for join in draft.book.catalog.joins_of([holder])
    )


def _is_asked_for(draft: Draft, phrase: Phrase) -> bool:
    """Whether this noun is what is counted: `how many different patients`, 多少个患者, 的患者有多少人."""
    at = draft.phrases.index(phrase)
    if not has_cjk(phrase.text):
        led = [p for p in draft.phrases[max(0, at - 2) : at] if p.says("count")]
        between = draft.phrases[draft.phrases.index(led[-1]) + 1 : at] if led else []
        return bool(led) and not phrase.begins and all(p.says("skip", "once") for p in between)
    tokens = tokens_of(draft.question)
    before, behind = (
        draft.question[: tokens[phrase.start].start],
        draft.question[tokens[phrase.end - 1].end :],
    )
    return bool(_SOUGHT_BEFORE.search(before) or _SOUGHT_BEHIND.match(behind))
