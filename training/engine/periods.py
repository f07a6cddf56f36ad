"""Spans of time as people name them, with the day they are said on."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from inquery.form.ast import Comparison

if TYPE_CHECKING:
    from training.engine.talk import Talk

Day = datetime.date
_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]


@dataclass(frozen=True)
class Span:
    """A period, start included and end excluded, how a date relates to it, and its wordings."""

    start: str
    end: str
    op: Comparison
    english: tuple[str, ...]
    chinese: tuple[str, ...]
    today: str = ""

    def say(self, talk: Talk) -> str:
        """One wording; a relative one is true on one day only."""
        if self.today:
            talk.todays.add(self.today)
        return talk.pick(*(self.chinese if talk.zh else self.english))


def month_start(year: int, month: int) -> Day:
    """The first day of a month; months past 12 run on."""
    return Day(year + (month - 1) // 12, (month - 1) % 12 + 1, 1)


def _year(day: Day) -> tuple[Day, Day, list[str], list[str]]:
    return Day(day.year, 1, 1), Day(day.year + 1, 1, 1), [str(day.year)], [f"{day.year}年"]


def _month(day: Day) -> tuple[Day, Day, list[str], list[str]]:
    start = day.replace(day=1)
    name = _MONTHS[day.month - 1]
    return (
        start,
        month_start(day.year, day.month + 1),
        [f"{name} {day.year}", f"{name} of {day.year}"],
        [f"{day.year}年{day.month}月", f"{day.year}年{day.month}月份"],
    )


def _quarter(day: Day) -> tuple[Day, Day, list[str], list[str]]:
    number = (day.month + 2) // 3
    first = month_start(day.year, number * 3 - 2)
    words = [f"Q{number} {day.year}", f"the {['first', 'second', 'third', 'fourth'][number - 1]} quarter of {day.year}"]
    return (
        first,
        month_start(day.year, number * 3 + 1),
        words,
        [
            f"{day.year}年第{'一二三四'[number - 1]}季度",
            f"{day.year}年Q{number}",
            f"{day.year}年{'一二三四'[number - 1]}季度",
        ],
    )


def _half(day: Day) -> tuple[Day, Day, list[str], list[str]]:
    second = day.month > 6
    start = Day(day.year, 7 if second else 1, 1)
    return (
        start,
        month_start(day.year, start.month + 6),
        [f"the {'second' if second else 'first'} half of {day.year}"],
        [f"{day.year}年{'下' if second else '上'}半年"],
    )


def _date(day: Day) -> tuple[Day, Day, list[str], list[str]]:
    name = _MONTHS[day.month - 1]
    english = [day.isoformat(), f"{name} {day.day}, {day.year}", f"{day.day} {name} {day.year}"]
    return day, day + datetime.timedelta(days=1), english, [day.isoformat(), f"{day.year}年{day.month}月{day.day}日"]


def _inside(grain: str, words: list[str]) -> tuple[str, ...]:
    return tuple(f"{'on' if grain == 'day' else 'in'} {word}" for word in words) + (
        (f"during {words[0]}",) if grain != "day" else ()
    )


_GRAINS = {"year": _year, "month": _month, "quarter": _quarter, "half": _half, "day": _date}


def pick_span(rng: Random, days: list[str], *, birth: bool = False) -> Span:
    """A span that holds for some of the days."""
    day = Day.fromisoformat(rng.choice(days))
    roll = rng.random()
    if birth:
        return _compared(rng, day, "year")
    if roll < 0.26:
        return relative(rng, day)
    grain = rng.choices(["year", "month", "quarter", "half", "day"], (46, 28, 14, 4, 8))[0]
    if roll < 0.68 and grain != "day":
        start, end, english, chinese = _GRAINS[grain](day)
        return Span(start.isoformat(), end.isoformat(), "in", _inside(grain, english), tuple(chinese))
    if roll < 0.76:
        return _range(rng, days)
    return _compared(rng, day, grain)


def _compared(rng: Random, day: Day, grain: str) -> Span:
    start, end, english, chinese = _GRAINS[grain](day)
    op: Comparison = rng.choices([">", ">=", "<", "in"], (36, 26, 28, 10))[0]  # type: ignore[assignment]
    if op == "in":
        words, words_zh = _inside(grain, english), tuple(chinese)
    elif op == ">":
        words, words_zh = (
            tuple(f"after {w}" for w in english),
            tuple(f"{c}{t}" for c in chinese for t in ("之后", "以后")),
        )
    elif op == ">=":
        words = tuple(
            f"{t} {w}"
            for w in english
            for t in ("since", "since the start of" if grain in ("year", "month") else "since")
        )
        words_zh = tuple(t.format(c) for c in chinese for t in ("{}以来", "{}起", "自{}以来", "从{}开始"))
    else:
        words, words_zh = (
            tuple(f"before {w}" for w in english),
            tuple(f"{c}{t}" for c in chinese for t in ("之前", "以前")),
        )
    return Span(start.isoformat(), end.isoformat(), op, words, words_zh)


def _range(rng: Random, days: list[str]) -> Span:
    """From one month or year to another, both included."""
    first, last = sorted(Day.fromisoformat(d) for d in (rng.choice(days), rng.choice(days)))
    if first.year == last.year and first.month != last.month:
        english = (
            f"between {_MONTHS[first.month - 1]} and {_MONTHS[last.month - 1]} {first.year}",
            f"from {_MONTHS[first.month - 1]} to {_MONTHS[last.month - 1]} {first.year}",
        )
        chinese = (
            f"{first.year}年{first.month}月到{last.month}月",
            f"{first.year}年{first.month}月至{last.month}月期间",
        )
        return Span(
            first.replace(day=1).isoformat(), month_start(last.year, last.month + 1).isoformat(), "in", english, chinese
        )
    if first.year == last.year:
        start, end, words, words_zh = _month(first)
        return Span(start.isoformat(), end.isoformat(), "in", _inside("month", words), tuple(words_zh))
    english = (f"between {first.year} and {last.year}", f"from {first.year} to {last.year}")
    return Span(
        f"{first.year}-01-01",
        f"{last.year + 1}-01-01",
        "in",
        english,
        (f"{first.year}年到{last.year}年", f"{first.year}年至{last.year}年之间"),
    )


def relative(rng: Random, day: Day) -> Span:
    """Last month, this year, the past 30 days: seen from a day that makes it hold for `day`."""
    kind = rng.choice(
        [
            "last month",
            "this month",
            "last year",
            "this year",
            "last week",
            "this week",
            "yesterday",
            "today",
            "last quarter",
            "this quarter",
            "past days",
            "past months",
            "year to date",
        ]
    )
    delta = datetime.timedelta
    first = day.replace(day=1)
    monday = day - delta(days=day.weekday())
    quarter = month_start(day.year, (day.month + 2) // 3 * 3 - 2)
    table: dict[str, tuple[Day, Day, Day, tuple[str, ...], tuple[str, ...]]] = {
        "last month": (first, month_start(day.year, day.month + 1), month_start(day.year, day.month + 1) + delta(days=rng.randrange(25)), ("last month", "in the last month", "in the previous month"), ("上个月", "上月")),
        "this month": (first, month_start(day.year, day.month + 1), day, ("this month", "in the current month"), ("本月", "这个月", "当月")),
        "last year": (Day(day.year, 1, 1), Day(day.year + 1, 1, 1), Day(day.year + 1, rng.randint(1, 12), rng.randint(1, 28)), ("last year", "in the last year", "in the previous year"), ("去年", "上一年")),
        "this year": (Day(day.year, 1, 1), Day(day.year + 1, 1, 1), day, ("this year",), ("今年", "本年度")),
        "last week": (monday, monday + delta(days=7), monday + delta(days=rng.randrange(7, 14)), ("last week",), ("上周", "上个星期")),
        "this week": (monday, monday + delta(days=7), day, ("this week",), ("本周", "这周")),
        "yesterday": (day, day + delta(days=1), day + delta(days=1), ("yesterday",), ("昨天", "昨日")),
        "today": (day, day + delta(days=1), day, ("today",), ("今天", "今日")),
        "last quarter": (quarter, month_start(quarter.year, quarter.month + 3), month_start(quarter.year, quarter.month + 3) + delta(days=rng.randrange(80)), ("last quarter", "in the previous quarter"), ("上季度", "上个季度")),
        "this quarter": (quarter, month_start(quarter.year, quarter.month + 3), day, ("this quarter",), ("本季度", "这个季度")),
    }  # fmt: skip
    if kind in table:
        start, end, today, english, chinese = table[kind]
        return Span(start.isoformat(), end.isoformat(), "in", english, chinese, today.isoformat())
    return _running(rng, kind, day)


def _running(rng: Random, kind: str, day: Day) -> Span:
    """Spans that end today, today included."""
    delta = datetime.timedelta
    english: tuple[str, ...]
    chinese: tuple[str, ...]
    if kind == "past days":
        count = rng.choice([7, 10, 14, 30, 60, 90])
        today = day + delta(days=rng.randrange(count))
        start = today - delta(days=count - 1)
        english, chinese = (
            (f"in the last {count} days", f"in the past {count} days"),
            (f"最近{count}天", f"近{count}天", f"过去{count}天"),
        )
    elif kind == "past months":
        count = rng.choice([2, 3, 6, 12])
        today = day + delta(days=rng.randrange(28 * count - 1))
        back = month_start(today.year, today.month - count)
        start = back.replace(day=min(today.day, 28)) + delta(days=1)
        english = (f"in the last {count} months", f"in the past {count} months")
        chinese = (f"最近{count}个月", f"近{count}个月", f"过去{count}个月")
    else:
        today, start = day, Day(day.year, 1, 1)
        english, chinese = ("this year so far", "year to date"), ("今年以来", "年初至今")
    return Span(start.isoformat(), (today + delta(days=1)).isoformat(), "in", english, chinese, today.isoformat())
