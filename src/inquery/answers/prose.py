"""The explanation by template: a direct answer, a few insights, a suggestion; in English and Chinese."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from typing import Any

from inquery.answers.answer import AnswerColumn, Fact, FactDetail
from inquery.answers.formats import format_cell, format_label, format_number, format_percent
from inquery.answers.number_check import drop_unknown_numbers
from inquery.answers.shape import Rows, read_shape
from inquery.language import dates

LISTED = 5
INSIGHTS = 3

Say = Callable[[str, str], str]


def explain_result(
    question: str,
    facts: Sequence[Fact],
    columns: Sequence[AnswerColumn],
    rows: Rows,
    *,
    language: str = "en",
    truncated: str | None = None,
) -> str:
    """Checked prose about a result."""
    say: Say = (lambda en, zh: zh) if language == "zh" else (lambda en, zh: en)
    parts = [_direct(facts, columns, rows, language, say)]
    parts += _unfinished(facts, language, say)
    parts += _insights(facts, language, say)[:INSIGHTS]
    parts += _notes(facts, rows, truncated, say)
    joiner = "" if language == "zh" else " "
    text, _ = drop_unknown_numbers(joiner.join(part for part in parts if part), facts, rows, [question])
    return text


def _direct(facts: Sequence[Fact], columns: Sequence[AnswerColumn], rows: Rows, language: str, say: Say) -> str:
    if not rows:
        return say("No rows match the question.", "没有符合条件的数据。")
    singles = [fact for fact in facts if fact.kind == "single"]
    if len(singles) == 1:
        value = _value(singles[0].value, language)
        return say(f"The answer is {value}.", f"答案是{value}。")
    if singles:
        pairs = say(", ", "，").join(
            f"{fact.column}{say(': ', '：')}{_value(fact.value, language)}" for fact in singles
        )
        return say(f"One row: {pairs}.", f"共一条结果，{pairs}。")
    return _listing(facts, columns, rows, language, say)


def _listing(facts: Sequence[Fact], columns: Sequence[AnswerColumn], rows: Rows, language: str, say: Say) -> str:
    shape = read_shape(columns, rows)
    measures = shape.of_role("measure")
    label = shape.label or (shape.fields[0] if shape.fields else None)
    count = format_number(len(rows), language)
    if label is None:
        return say(f"There are {count} rows.", f"共{count}条结果。")
    shown = [
        _pair(row[label.index], row[measures[0].index] if measures else None, language, say) for row in rows[:LISTED]
    ]
    more = say(" and others", "等") if len(rows) > LISTED else ""
    listed = say(", ", "、").join(shown)
    return say(f"There are {count} results: {listed}{more}.", f"共{count}条结果：{listed}{more}。")


def _pair(label: Any, value: Any, language: str, say: Say) -> str:
    name = format_label(label, language)
    if value is None:
        return name
    return say(f"{name} ({_value(value, language)})", f"{name}（{_value(value, language)}）")


def _value(value: Any, language: str) -> str:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return format_number(value, language) if number else format_cell(value, language)


def _unfinished(facts: Sequence[Fact], language: str, say: Say) -> list[str]:
    """One sentence a period, whatever the number of measures."""
    periods: dict[str | None, list[Fact]] = {}
    for fact in facts:
        if fact.kind == "unfinished":
            periods.setdefault(fact.label, []).append(fact)
    return [_not_over(found, language, say) for found in periods.values()]


def _not_over(found: list[Fact], language: str, say: Say) -> str:
    name = _period_name(found[0].detail, say)
    if not found[0].detail["begun"]:
        return say(f"{name} has not begun.", f"{name}尚未开始。")
    values = [(fact.column, _value(fact.value, language)) for fact in found]
    if len(values) == 1:
        return say(f"{name} is not over: {values[0][1]} so far.", f"{name}尚未结束，目前为{values[0][1]}。")
    en = ", ".join(f"{column} {value}" for column, value in values)
    zh = "、".join(f"{column}为{value}" for column, value in values)
    return say(f"{name} is not over: {en} so far.", f"{name}尚未结束，目前{zh}。")


def _period_name(detail: FactDetail, say: Say) -> str:
    start = datetime.date.fromisoformat(detail["start"])
    year, month, day = start.year, start.month, start.day
    match detail["grain"]:
        case dates.DAY:
            return say(f"{start:%B} {day}, {year}", f"{year}年{month}月{day}日")
        case dates.WEEK:
            return say(f"The week of {start:%B} {day}, {year}", f"{year}年{month}月{day}日当周")
        case dates.MONTH:
            return say(f"{start:%B} {year}", f"{year}年{month}月")
        case dates.QUARTER:
            return say(f"Q{detail['quarter']} {year}", f"{year}年第{detail['quarter']}季度")
    return say(f"{year}", f"{year}年")


def _insights(facts: Sequence[Fact], language: str, say: Say) -> list[str]:
    order = ("change", "top", "total", "bottom", "outlier", "average")
    spoken = [(order.index(fact.kind), _sentence(fact, language, say)) for fact in facts if fact.kind in order]
    return [text for _, text in sorted(spoken, key=lambda pair: pair[0]) if text]


def _sentence(fact: Fact, language: str, say: Say) -> str:
    value = format_number(fact.value, language) if isinstance(fact.value, int | float) else ""
    share = format_percent(fact.detail["share"]) if "share" in fact.detail else ""
    match fact.kind:
        case "change":
            return _change(fact, language, say)
        case "top" | "bottom":
            en, zh = ("highest", "最高") if fact.kind == "top" else ("lowest", "最低")
            part = say(f", {share} of the total", f"，占总数的{share}") if share and fact.kind == "top" else ""
            among = say("Of the finished periods, ", "已结束的时段中，") if "finished_only" in fact.detail else ""
            return among + say(
                f"{fact.label} has the {en} {fact.column} ({value}{part}).",
                f"{fact.column}{zh}的是{fact.label}（{value}{part}）。",
            )
        case "total":
            return say(f"The total of {fact.column} is {value}.", f"{fact.column}合计{value}。")
        case "average":
            return say(f"The average of {fact.column} is {value}.", f"{fact.column}平均{value}。")
        case "outlier":
            middle = format_number(fact.detail["median"], language)
            return say(
                f"{fact.label} stands out with {value}, against a median of {middle}.",
                f"{fact.label}明显偏离（{value}，中位数为{middle}）。",
            )
    return ""


def _change(fact: Fact, language: str, say: Say) -> str:
    detail = fact.detail
    first, last = format_number(detail["first"], language), format_number(detail["last"], language)
    rate = format_percent(abs(detail["rate"])) if "rate" in detail else ""
    grew = isinstance(fact.value, int | float) and fact.value >= 0
    moved = (say(f", {'up' if grew else 'down'} {rate}", f"，{'增长' if grew else '下降'}{rate}")) if rate else ""
    return say(
        f"From {detail['from']} to {detail['to']}, {fact.column} went from {first} to {last}{moved}.",
        f"从{detail['from']}到{detail['to']}，{fact.column}由{first}变为{last}{moved}。",
    )


def _notes(facts: Sequence[Fact], rows: Rows, truncated: str | None, say: Say) -> list[str]:
    if not rows:
        return [say("Try a wider period or fewer conditions.", "可以放宽时间范围或减少筛选条件。")]
    if truncated:
        count = len(rows)
        return [
            say(
                f"Only the first {count} rows are shown, so totals are left out; add a filter to see all.",
                f"仅显示前{count}条，因此未计算合计；可添加筛选条件查看全部。",
            )
        ]
    empty = [fact for fact in facts if fact.kind == "nulls"]
    if empty:
        return [
            say(f"{empty[0].column} is empty in {empty[0].value} rows.", f"{empty[0].column}有{empty[0].value}条为空。")
        ]
    return []
