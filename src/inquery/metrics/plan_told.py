"""A plan in words a person can check: what is measured, of what, when, and against what."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable
from dataclasses import dataclass

from inquery.language.dates import OPEN_END, OPEN_START
from inquery.language.text import has_cjk
from inquery.metrics.buckets import bucket_starts, label_of
from inquery.metrics.compile_plan import plan_metrics
from inquery.metrics.metric_book import Book, code_words
from inquery.metrics.plan_types import Plan, PlanFilter, PlanPeriod

Say = Callable[[str, str], str]
_UNITS = {
    "day": ("day", "日"), "week": ("week", "周"), "month": ("month", "月"), "quarter": ("quarter", "季度"), "year": ("year", "年"),
    "weekpart": ("weekend and weekday", "周末与工作日"), "weekday": ("day of the week", "星期"), "hour": ("hour", "小时"),
}  # fmt: skip
_BEFORE = {"day": "前一日", "week": "上周", "month": "上月", "quarter": "上季度", "year": "上年"}
_SIGNS = {
    ">": ("more than", "高于"),
    ">=": ("at least", "不低于"),
    "<": ("less than", "低于"),
    "<=": ("at most", "不高于"),
}

_FIGURES = {
    "value": ("{}", "{}"),
    "difference": ("change in {}", "{}变化"),
    "percent": ("change in {} in per cent", "{}变化百分比"),
    "share": ("share of {}", "{}占比"),
}
_PLACE = re.compile(r"\b(?:region|city|country|province|state|district|continent|county|town|area)$", re.I)
"""Dimensions whose members people are in: orders in the east, but orders of channel web."""
_SIDE = re.compile(r"(?:(?:north|south)[- ]?)?(?:east|west)|north|south|cent(?:er|re)", re.I)


@dataclass(frozen=True, slots=True)
class ToldFilter:
    """A filter in words that say what is narrowed to; where it is `denied`, just that is left out."""

    text: str
    denied: bool


def period_name(period: PlanPeriod, language: str) -> str:
    """A period as people call it: October 2026, Q3 2026, 2025, else its first and last day."""
    start, end = period.start, period.end
    zh = language == "zh"
    if start == OPEN_START or end == OPEN_END:
        if start == end:
            return ""
        day = end if start == OPEN_START else start
        told = f"{day.year}年{day.month}月{day.day}日" if zh else day.isoformat()
        if start == OPEN_START:
            return f"{told}之前" if zh else f"before {told}"
        return f"{told}以来" if zh else f"since {told}"
    for unit in ("year", "quarter", "month"):
        if bucket_starts(unit, start) == start and label_of(unit, end - datetime.timedelta(1)) == label_of(unit, start):
            after = bucket_starts(unit, end)
            if after == end:
                return _unit_name(unit, start, zh=zh)
    last = end - datetime.timedelta(1)
    if last == start:
        return f"{start.year}年{start.month}月{start.day}日" if zh else start.isoformat()
    if zh:
        return f"{start.year}年{start.month}月{start.day}日至{last.year}年{last.month}月{last.day}日"
    return f"{start.isoformat()} to {last.isoformat()}"


def _unit_name(unit: str, start: datetime.date, *, zh: bool) -> str:
    if unit == "year":
        return f"{start.year}年" if zh else f"{start.year}"
    if unit == "quarter":
        quarter = (start.month + 2) // 3
        return f"{start.year}年第{quarter}季度" if zh else f"Q{quarter} {start.year}"
    return f"{start.year}年{start.month}月" if zh else f"{start:%B} {start.year}"


def period_before(plan: Plan, language: str) -> str:
    """What the period is called that figures are held against: 2025, Q3 2025, the month before; empty without one."""
    say: Say = (lambda en, zh: zh) if language == "zh" else (lambda en, zh: en)
    known, period = plan.comparison, plan.period
    if known is None:
        return ""
    if known.period is not None:
        return period_name(known.period, language)
    if known.against == "previous":
        unit = next((each.unit for each in plan.groups if each.unit), "period")
        return say(f"the {unit} before", _BEFORE.get(unit, "上一期"))
    bounded = period is not None and period.start > OPEN_START and period.end < OPEN_END
    if period is not None and bounded and (period.end - datetime.timedelta(1)).year == period.start.year:
        return say(f"{period.start.year - 1}", f"{period.start.year - 1}年")
    return say("a year before", "上年同期")


def describe_plan(plan: Plan, book: Book, language: str) -> str:
    """The plan in one line."""
    say: Say = (lambda en, zh: zh) if language == "zh" else (lambda en, zh: en)
    parts = [_measured(plan, book, say)]
    groups = group_names(plan, book, language)
    if groups:
        parts.append(say("by " + ", ".join(groups), "按" + "、".join(groups)))
    parts += [_narrowed(each, plan, book, say) for each in plan.filters]
    if plan.period:
        parts.append(period_name(plan.period, language))
    if plan.comparison:
        parts.append(_against(plan, language, say))
    if plan.membership and plan.membership.also:
        other = period_name(plan.membership.also, language)
        parts.append(
            say(
                f"{'and' if plan.membership.active else 'but not'} {other}",
                f"{'且' if plan.membership.active else '但不在'}{other}",
            )
        )
    parts += _taking_part(plan, say)
    if plan.threshold:
        en, zh = _SIGNS[plan.threshold.operator]
        parts.append(say(f"{en} {plan.threshold.number:,.15g}", f"{zh} {plan.threshold.number:,.15g}"))
    if plan.ranking and plan.ranking.n:
        first = plan.ranking.descending
        parts.append(
            say(f"{'first' if first else 'last'} {plan.ranking.n}", f"{'前' if first else '后'} {plan.ranking.n}")
        )
    return say(", ", "，").join(part for part in parts if part)


def group_names(plan: Plan, book: Book, language: str) -> list[str]:
    """What figures are split by, as people call it."""
    say: Say = (lambda en, zh: zh) if language == "zh" else (lambda en, zh: en)
    return [_group_name(each.dimension, each.unit or "", book, say) for each in plan.groups]


def _measured(plan: Plan, book: Book, say: Say) -> str:
    names = []
    for metric in plan_metrics(plan, book):
        names.append(say(metric.label.en or metric.name, metric.label.zh or metric.name))
    told = say(" and ", "、").join(names)
    if plan.share or plan.share_of:
        return say(f"share of {told}", f"{told}占比")
    if plan.spread:
        return say(f"highest and lowest {told}", f"最高与最低{told}")
    if plan.concentration:
        return say(f"share of {told} of the first {plan.concentration}", f"前 {plan.concentration} 名占{told}的比例")
    if plan.contribution:
        return say(f"contribution to the change of {told}", f"对{told}变化的贡献")
    if plan.running:
        return say(f"running total of {told}", f"累计{told}")
    if plan.moving:
        return say(f"moving average of {told} over {plan.moving.size}", f"{told}的 {plan.moving.size} 期移动平均")
    return told


def _group_name(dimension: str, unit: str, book: Book, say: Say) -> str:
    if unit:
        return say(*_UNITS[unit])
    label = book.dimension(dimension).label
    return say(label.en or dimension, label.zh or label.en or dimension)


def told_filters(plan: Plan, book: Book, language: str) -> list[ToldFilter]:
    """Every filter of a plan: channel store, which the plan keeps to or leaves out."""
    say: Say = (lambda en, zh: zh) if language == "zh" else (lambda en, zh: en)
    return [_told(each, plan, book, say) for each in plan.filters]


def told_limits(plan: Plan, book: Book, language: str) -> list[str]:
    """What else a plan lists by: the first few, those above a figure, and those that were there in another period."""
    say: Say = (lambda en, zh: zh) if language == "zh" else (lambda en, zh: en)
    measured = say(" and ", "、").join(_named(m.label.said(language), say) for m in plan_metrics(plan, book))
    found = []
    if plan.membership and plan.membership.also:
        other = period_name(plan.membership.also, language)
        active = plan.membership.active
        found.append(say(f"{'also' if active else 'not'} in {other}", f"{other}{'也有' if active else '没有'}的"))
    found += _taking_part(plan, say)
    if plan.threshold:
        en, zh = _SIGNS[plan.threshold.operator]
        of = say(*_FIGURES[plan.threshold.of]).format(measured)
        number = f"{plan.threshold.number:,.15g}"
        found.append(say(f"{of} {en} {number}", f"{of}{zh}{number}"))
    if plan.ranking and plan.ranking.n:
        of, n = say(*_FIGURES[plan.ranking.by]).format(measured), plan.ranking.n
        first = plan.ranking.descending
        ranked = say(f"{'highest' if first else 'lowest'} {n} by {of}", f"按{of}取{'最高' if first else '最低'}的{n}项")
        found.append(say(f"{ranked}, in each group", f"每组{ranked}") if plan.ranking.per_group else ranked)
    return found


def _taking_part(plan: Plan, say: Say) -> list[str]:
    """Which members are looked at by what they did."""
    wanted = plan.membership
    if wanted is None:
        return []
    every = say(f"in every {wanted.every}", f"每{_UNITS[wanted.every][1]}都有") if wanted.every else ""
    told = (
        say("those without any", "没有记录的") if wanted.absent else "",
        say("with each of them", "同时满足每一项") if wanted.each else "",
        every,
    )
    return [text for text in told if text]


def narrowing(plan: Plan, book: Book, language: str) -> str:
    """What a plan's figures are narrowed to, as a sentence goes on with it: in the east without channel store.

    What the rows themselves name is left to them: members that are split by, held against each other or shared in.
    """
    say: Say = (lambda en, zh: zh) if language == "zh" else (lambda en, zh: en)
    shown = {each.dimension for each in plan.groups if each.dimension}
    told = [
        _within_sentence(each, plan, book, say)
        for each in plan.filters
        if each.dimension != plan.share_of and (each.negated or each.dimension not in shown)
    ]
    # In 2024 but not in 2025: it follows the period, and in Chinese stands before what else narrows.
    took_part = _took_part(plan, language, say)
    told = [*took_part, *told] if language == "zh" else [*told, *took_part]
    return say(" ", "、").join(told) + say("", "的" if told else "")


def _took_part(plan: Plan, language: str, say: Say) -> list[str]:
    wanted = plan.membership
    if wanted is None or not (wanted.also or wanted.absent):
        return []
    if wanted.also is None:
        return [say("without any", "没有记录")]
    other = period_name(wanted.also, language)
    if wanted.active:
        return [say(f"and also in {other}", f"和{other}都有")]
    return [say(f"but not in {other}", f"有而{other}没有")]


def shared_part(plan: Plan, book: Book, language: str) -> str:
    """The part of a whole that a share is of: channel web."""
    say: Say = (lambda en, zh: zh) if language == "zh" else (lambda en, zh: en)
    part = [each for each in plan.filters if plan.share_of and each.dimension == plan.share_of]
    return say(" ", "、").join(_narrowed(each, plan, book, say) for each in part)


def _told(wanted: PlanFilter, plan: Plan, book: Book, say: Say) -> ToldFilter:
    name, values = _name_of(wanted, book, say), _values_of(wanted, plan, book, say)
    if not values:
        return ToldFilter(name if wanted.negated else say(f"with {name}", f"有{name}"), wanted.negated)
    if wanted.holding:
        return ToldFilter(values if wanted.negated else say(f"with {values}", f"含{values}"), wanted.negated)
    return ToldFilter(say(f"{name} {values}", f"{name}为{values}"), wanted.negated)


def _narrowed(wanted: PlanFilter, plan: Plan, book: Book, say: Say) -> str:
    """A filter in one line with others."""
    told = _told(wanted, plan, book, say)
    if not wanted.negated:
        return told.text
    values = _values_of(wanted, plan, book, say)
    if not values:
        return say(f"without {told.text}", f"无{told.text}")
    held = "" if wanted.holding else _name_of(wanted, book, say)
    return say(f"without {told.text}", f"{held}不含{values}")


def _within_sentence(wanted: PlanFilter, plan: Plan, book: Book, say: Say) -> str:
    """A filter behind the name of a measure: revenue in the east, revenue for channel web."""
    plain = bool(wanted.values) and not wanted.holding and not wanted.negated
    line = _narrowed(wanted, plan, book, say)
    if not plain:
        return line
    values = _values_of(wanted, plan, book, say)
    if not _PLACE.search(book.dimension(wanted.dimension).label.en):
        return say(f"for {line}", line)
    return say(f"in {'the ' if _SIDE.fullmatch(values) else ''}{values}", values)


def _name_of(wanted: PlanFilter, book: Book, say: Say) -> str:
    label = book.dimension(wanted.dimension).label
    return _named(say(label.en, label.zh or label.en) or wanted.dimension, say)


def _named(name: str, say: Say) -> str:
    """A name within a line: channel and food orders, but SKU."""
    return say(name[:1].lower() + name[1:] if name[1:2].islower() else name, name)


def _values_of(wanted: PlanFilter, plan: Plan, book: Book, say: Say) -> str:
    """The members of a filter; `Alpha or Beta` is without both where it is left out."""
    each = plan.membership.each if plan.membership else ""
    of_all = bool(each) and book.dimension(each) == book.dimension(wanted.dimension)
    return say(" and " if of_all else " or ", "、").join(_worded(wanted, book, say))


def _worded(wanted: PlanFilter, book: Book, say: Say) -> list[str]:
    """The members of a filter, codes by what they stand for and others by their word in the reader's language."""
    dimension = book.dimension(wanted.dimension)
    home = book.catalog.by_name.get(dimension.table)
    known = home.column(dimension.column) if home else None
    words = code_words(known, say("en", "zh")) if known else {}
    return [words.get(value) or _in_language(value, wanted, book, say) for value in wanted.values]


def _in_language(value: str, wanted: PlanFilter, book: Book, say: Say) -> str:
    """A member as it is stored, or by its word in the glossary or question where those are of the reader's language."""
    chinese = say("", "zh") == "zh"
    if re.search(r"[^\W\d_]", value) and has_cjk(value) == chinese:
        return value
    dimension = book.dimension(wanted.dimension)
    taught = book.glossary.values
    place = taught.get(f"{dimension.table}.{dimension.column}") or taught.get(
        f"{dimension.table.rpartition('.')[2]}.{dimension.column}", {}
    )
    said = [*place.get(value, ()), *([wanted.text] if len(wanted.values) == 1 else [])]
    return next((word for word in said if word and has_cjk(word) == chinese), value)


def _against(plan: Plan, language: str, say: Say) -> str:
    comparison = plan.comparison
    assert comparison is not None
    if comparison.period is None:
        if comparison.against == "year_before":
            return say("against the year before", "与去年同期比")
        return say("against the one before", "与上一期比")
    told = period_name(comparison.period, language)
    return say(f"against {told}", f"对比{told}")
