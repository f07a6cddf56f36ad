"""A plan in words a person can check: what is measured, of what, when, and against what."""

from __future__ import annotations

import datetime
from collections.abc import Callable

from inquery.language.dates import OPEN_END, OPEN_START
from inquery.metrics.buckets import bucket_starts, label_of
from inquery.metrics.compile_plan import plan_metrics
from inquery.metrics.metric_book import Book, code_words
from inquery.metrics.plan_types import Plan, PlanFilter, PlanPeriod

Say = Callable[[str, str], str]
_UNITS = {
    "day": ("day", "日"), "week": ("week", "周"), "month": ("month", "月"), "quarter": ("quarter", "季度"), "year": ("year", "年"),
    "weekpart": ("weekend and weekday", "周末与工作日"), "weekday": ("day of the week", "星期"), "hour": ("hour", "小时"),
}  # fmt: skip
_SIGNS = {
    ">": ("more than", "高于"),
    ">=": ("at least", "不低于"),
    "<": ("less than", "低于"),
    "<=": ("at most", "不高于"),
}


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


def describe_plan(plan: Plan, book: Book, language: str) -> str:
    """The plan in one line."""
    say: Say = (lambda en, zh: zh) if language == "zh" else (lambda en, zh: en)
    parts = [_measured(plan, book, say)]
    groups = group_names(plan, book, language)
    if groups:
        parts.append(say("by " + ", ".join(groups), "按" + "、".join(groups)))
    parts += [_narrowed(each, book, say) for each in plan.filters]
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
    if plan.membership and plan.membership.absent:
        parts.append(say("those without any", "没有记录的"))
    if plan.membership and plan.membership.each:
        parts.append(say("with each of them", "同时满足每一项"))
    if plan.membership and plan.membership.every:
        parts.append(say(f"in every {plan.membership.every}", f"每{_UNITS[plan.membership.every][1]}都有"))
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


def _narrowed(wanted: PlanFilter, book: Book, say: Say) -> str:
    label = book.dimension(wanted.dimension).label
    name = say(label.en, label.zh or label.en)
    values = say(", ", "、").join(_worded(wanted, book, say))
    if not wanted.values:
        return say(f"{'without' if wanted.negated else 'with'} {name}", f"{'无' if wanted.negated else '有'}{name}")
    if wanted.holding:
        return say(f"with {values}", f"含{values}")
    return say(
        f"{name} {'not ' if wanted.negated else ''}{values}", f"{name}{'不含' if wanted.negated else '为'}{values}"
    )


def _worded(wanted: PlanFilter, book: Book, say: Say) -> list[str]:
    """The members of a filter, codes by what they stand for."""
    dimension = book.dimension(wanted.dimension)
    home = book.catalog.by_name.get(dimension.table)
    known = home.column(dimension.column) if home else None
    words = code_words(known, say("en", "zh")) if known else {}
    return [words.get(value, value) for value in wanted.values]


def _against(plan: Plan, language: str, say: Say) -> str:
    comparison = plan.comparison
    assert comparison is not None
    if comparison.period is None:
        if comparison.against == "year_before":
            return say("against the year before", "与去年同期比")
        return say("against the one before", "与上一期比")
    told = period_name(comparison.period, language)
    return say(f"against {told}", f"对比{told}")
