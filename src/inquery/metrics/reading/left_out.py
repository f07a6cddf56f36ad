"""What a clause of its own leaves out, and whether there is any of a thing."""

from __future__ import annotations

import re
from functools import partial

from inquery.language.text import has_cjk
from inquery.metrics.plan_types import (
    PlanFilter,
)
from inquery.metrics.question_cover import Member, Phrase, Senses
from inquery.metrics.reading.asked_members import is_left_out_anyway
from inquery.metrics.reading.draft import COUNTERS, ENDED, STATE_FILTER, STATES, Draft, NoPlanError

_PRESENT = re.compile(r"(?P<column>[\w.]+) IS NOT NULL", re.I)


def set_aside(draft: Draft) -> None:
    """`…, cancelled ones left out`, `Ignore cancelled orders.`, 取消的单不算: a clause that says no more than that."""
    for clause in _clauses(draft):
        denied = [p for p in clause if p.says("not") and not p.says("skip")]
        states = [(p, member) for p in clause if (member := _ended_state(draft, p)) is not None]
        others = [p for p in clause if p not in denied and all(p is not state for state, _ in states)]
        if len(states) != 1 or len(denied) != 1 or not all(map(partial(_says_no_more, draft), others)):
            continue
        draft.left_out.append(states[0][1])
        # Marked as said: no rule after this reads a condition or a second measure in it.
        for phrase in clause:
            phrase.senses, phrase.used = Senses(words={"skip"}), True


def _clauses(draft: Draft) -> list[list[Phrase]]:
    found: list[list[Phrase]] = []
    for phrase in draft.phrases:
        if phrase.begins or not found:
            found.append([])
        found[-1].append(phrase)
    return found


def _says_no_more(draft: Draft, phrase: Phrase) -> bool:
    if phrase.periods or phrase.number is not None or phrase.senses.members:
        return False
    weak = bool(phrase.senses.metrics) and all(
        draft.book.metric(name).kind == "simple" and draft.is_weak_noun(phrase, name) for name in phrase.senses.metrics
    )
    return phrase.says("skip", "join", "total", "amount", "activity") or weak or phrase.text in COUNTERS


def _ended_state(draft: Draft, phrase: Phrase) -> Member | None:
    """The state that cancelled ones, 取消的单 and cancelled orders are in; none for what is no end of anything."""
    found = {m for m in phrase.senses.members if STATES.search(m.dimension) and ENDED.search(m.value)}
    for name in phrase.senses.metrics:
        metric = draft.book.metric(name)
        state = STATE_FILTER.fullmatch(metric.filter.strip()) if metric.kind == "simple" else None
        if state is not None and ENDED.search(state["value"]):
            found.add(Member(state["column"], state["value"], told=True))
    return next(iter(found)) if len({(m.dimension, m.value) for m in found}) == 1 else None


def leave_out(draft: Draft) -> None:
    """Nothing where the definition leaves it out anyway, else a condition."""
    for member in draft.left_out:
        if is_left_out_anyway(draft, member.dimension, [member.value]):
            continue
        if not draft.splits(member.dimension):
            raise NoPlanError(f"{member.value} cannot be left out")
        draft.filters.append(
            PlanFilter(dimension=member.dimension, values=(member.value,), negated=True, text=member.value)
        )


def take_presence_by_name(draft: Draft) -> None:
    """`Revenue from orders using a promotion`, 使用促销的订单的销售额: what counts such rows is a condition beside another measure."""
    named = [p for p in draft.phrases if p.senses.metrics]
    for phrase in named:
        if not phrase.senses.metrics:
            continue
        metric = draft.book.metric(phrase.senses.metrics[0])
        kept = _PRESENT.fullmatch(metric.filter.strip()) if metric.kind == "simple" else None
        others = [p for p in named if p is not phrase and p.senses.metrics and not draft.is_weak(p)]
        if kept is None or not others or len(phrase.senses.metrics) != 1 or not _is_taken_from(draft, phrase):
            continue
        phrase.senses, phrase.used = Senses(words={"skip"}), True
        draft.filters.append(PlanFilter(dimension=kept["column"], values=(), text=phrase.text))


def _is_taken_from(draft: Draft, phrase: Phrase) -> bool:
    """Whether it is what another figure comes from: revenue from promotion orders, 促销订单的销售额."""
    at = draft.phrases.index(phrase)
    if has_cjk(phrase.text):
        led = at > 0 and draft.phrases[at - 1].text in ("来自", "来源于", "出自")
        follows = draft.phrases[at + 1 : at + 3]
        led = led or (bool(follows) and follows[0].says("share"))
        return led or (len(follows) == 2 and follows[0].text == "的" and bool(follows[1].senses.metrics))
    led_by = draft.phrases[at - 1].text.lower().split()[-1] if at else ""
    return led_by in ("from", "of", "in", "by", "on", "with", "through", "via")


def find_presence(draft: Draft) -> None:
    """`Orders that used a promotion`, 没有参加促销活动的订单: whether anything is referred to, where that is left open."""
    for at, phrase in enumerate(draft.phrases):
        led = draft.phrases[at - 1] if at else None
        if (
            phrase.used
            or led is None
            or not led.says("attached", "detached")
            or not draft.is_entity(phrase)
            or phrase.begins
        ):
            continue
        found = [d for d in phrase.senses.dimensions if draft.book.dimension(d).is_entity and _is_optional(draft, d)]
        if len(found) != 1 or draft.says("which", "which_many", "top", "bottom"):
            continue
        led.used = phrase.used = True
        draft.filters.append(
            PlanFilter(dimension=found[0], values=(), negated=led.says("detached"), text=f"{led.text} {phrase.text}")
        )


def _is_optional(draft: Draft, dimension: str) -> bool:
    """Whether what is measured may do without: the reference to it may be empty."""
    goal = draft.path(draft.book.dimension(dimension).table)
    for leaf in draft.leaves():
        route = draft.book.routes.route(draft.path(leaf.entity), goal)
        if route is None or not route.joins:
            return False
        home, last = draft.book.catalog.by_path[route.joins[-1].left], route.joins[-1]
        known = home.column(last.left_columns[0])
        if known is None or not known.nullable or len(last.left_columns) != 1:
            return False
    return True
