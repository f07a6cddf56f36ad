"""Parts of a year, and the words that say of which year: March, 10 to 20 February, Q3 of last year, 下半年, 双十一."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date

from inquery.language.dates import DAY, HALF, MONTH, QUARTER, Clock, Span, middle, part_of_year, portion, single_day
from inquery.language.numbers import chinese_number
from inquery.language.period_words import (
    AFTER_NUMBER,
    AFTER_NUMBER_EN,
    FULL_MONTHS,
    GRAINS,
    HOLIDAYS,
    MONTH_NAMES,
    MONTHS_EN,
    NAMED,
    NUMBER_EN,
    NUMBER_ZH,
    YEAR_EN,
    YEAR_ZH,
    alternatives,
    count_of,
    month_number,
    quarter_number,
)

InYear = Callable[[int], Span | None]
Dated = Callable[[re.Match[str]], InYear]


def latest(in_year: InYear, clock: Clock) -> Span | None:
    """The reading that has begun already: March said in January is last year's."""
    this = in_year(clock.today.year)
    if this is None:  # 29 February said in a common year
        return next((s for back in range(1, 9) if (s := in_year(clock.today.year - back))), None)
    return this if this.start <= clock.today else in_year(clock.today.year - 1)


def _month_day(m: re.Match[str]) -> InYear:
    month = month_number(m["month"])
    day = int(m["day"]) if m["day"].isdigit() else int(chinese_number(m["day"]) or 0)
    return lambda year: single_day(year, month, day)


def month_part(m: re.Match[str]) -> InYear:
    number = month_number(m["month"])
    return lambda year: part_of_year(year, MONTH, number)


def _quarter(m: re.Match[str]) -> InYear:
    number = quarter_number(m["q"])
    return lambda year: part_of_year(year, QUARTER, number)


def _half(m: re.Match[str]) -> InYear:
    number = {"上": 1, "下": 2, "first": 1, "second": 2, "1": 1, "2": 2}[m["h"].lower()]
    return lambda year: part_of_year(year, HALF, number)


def _days(m: re.Match[str]) -> InYear:
    """`10 to 20 February`."""
    month, first, last = month_number(m["month"]), int(m["a"]), int(m["b"])

    def days(year: int) -> Span | None:
        start, end = single_day(year, month, first), single_day(year, month, last)
        return Span(start.start, end.end, DAY) if start and end and first <= last else None

    return days


def _third(m: re.Match[str]) -> InYear:
    """5月上旬: ten days, ten days, and what is left of the month."""
    number = month_number(m["month"])
    return lambda year: third_of(part_of_year(year, MONTH, number), m["third"])


def third_of(month: Span | None, third: str) -> Span | None:
    if month is None:
        return None
    first, last = {"上": (1, 11), "中": (11, 21), "下": (21, 0)}[third]
    return Span(month.start.replace(day=first), month.start.replace(day=last) if last else month.end, DAY)


def _month_portion(m: re.Match[str]) -> InYear:
    """`the first ten days of May`, 5月前十天."""
    number, count = month_number(m["month"]), count_of(m["n"] or "one")
    grain, last = GRAINS[m["grain"].lower()], m["which"].lower() in LAST

    def days(year: int) -> Span | None:
        month = part_of_year(year, MONTH, number)
        return portion(month, count, grain, last=last) if month else None

    return days


def _middle(m: re.Match[str]) -> InYear:
    return middle


def _side(m: re.Match[str]) -> InYear:
    """`early 2024` is its first quarter, `late 2024` its last."""
    return lambda year: part_of_year(year, QUARTER, 4 if m["which"].lower() == "late" else 1)


def _side_of_month(m: re.Match[str]) -> InYear:
    """`early March` is 3月上旬, `late March` 3月下旬."""
    number, third = month_number(m["month"]), "下" if m["which"].lower() == "late" else "上"
    return lambda year: third_of(part_of_year(year, MONTH, number), third)


def _holiday(m: re.Match[str]) -> InYear:
    month, day = HOLIDAYS[" ".join(m["holiday"].lower().split())]
    return lambda year: single_day(year, month, day)


def _national_day(m: re.Match[str]) -> InYear:
    return lambda year: Span(date(year, 10, 1), date(year, 10, 8), DAY)


def _black_friday(m: re.Match[str]) -> InYear:
    def day(year: int) -> Span | None:
        first = date(year, 11, 1)
        return single_day(year, 11, 1 + (4 - first.isoweekday()) % 7 + 21 + 1)

    return day


LAST = {"last", "final", "最后"}
ORDINAL_DAY = r"(?P<day>3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?"
DAY_A, DAY_B = (rf"(?P<{name}>3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?\b" for name in "ab")
DAY_TO = r"\s*(?:to|until|till|through|thru|-|–|—)\s*(?:the\s+)?"
NO_VERB = r"\b(?!\s+(?:be|have|not|also|need|only)\b)"  # the top 10 may be late
ONLY_DAYS = rf"(?!\d|\s*[:%]|\s*[ap]m\b|\s+(?:of\s+)?(?:{MONTH_NAMES})\b){AFTER_NUMBER_EN}"
# 2024年中 is the middle of 2024 only where a side of it is meant: 2024年中的订单 are the orders in 2024.
OPENED_ZH = r"以来|起|为止|[之以]?前(?!\d|[一二两三四五六七八九十])|[之以]?后(?!半)|[至到](?!期|货|账|店|达|场)"
# A side of a year or a month is meant after a preposition only: shipments may be late last month, or arrive late in 2024.
BEFORE_SIDE = "in|during|of|since|from|until|till|to|through|before|after|between|and"
LED = "|".join(rf"(?<=\b{word} )" for word in BEFORE_SIDE.split("|"))
SIDE = rf"(?:{LED})(?P<which>early|late)(?:\s+|-)"

# Parts of a year; a year may stand before or after them, otherwise the latest one that has begun is meant.
PARTS: tuple[tuple[str, Dated], ...] = (
    (rf"(?P<month>{MONTH_NAMES})\.?\s+(?:the\s+)?{ORDINAL_DAY}(?!\d|\s*[:%])", _month_day),
    (rf"(?:the\s+)?{ORDINAL_DAY}\s+(?:of\s+)?(?P<month>{MONTH_NAMES}){NO_VERB}", _month_day),
    (rf"(?:\bfrom\s+)?(?:the\s+)?(?<![\d/.\-]){DAY_A}{DAY_TO}{DAY_B}\s+(?:of\s+)?(?P<month>{MONTH_NAMES}){NO_VERB}", _days),
    (rf"\b(?:between|from)\s+(?:the\s+)?{DAY_A}\s+and\s+(?:the\s+)?{DAY_B}\s+(?:of\s+)?(?P<month>{MONTH_NAMES}){NO_VERB}", _days),
    (rf"(?:\bfrom\s+)?\b(?P<month>{MONTH_NAMES})\.?\s+(?:the\s+)?{DAY_A}{DAY_TO}{DAY_B}{ONLY_DAYS}", _days),
    (rf"\bbetween\s+(?P<month>{MONTH_NAMES})\.?\s+(?:the\s+)?{DAY_A}\s+and\s+(?:the\s+)?{DAY_B}{ONLY_DAYS}", _days),
    (rf"(?:the\s+)?\b(?P<which>first|last|final)\s+(?:(?P<n>{NUMBER_EN})\s+)?(?P<grain>day|week)s?\s+of\s+(?P<month>{MONTH_NAMES})\b", _month_portion),
    (rf"(?<!\d)(?P<month>1[0-2]|0?[1-9]|十[一二]|(?<!十)[一二三四五六七八九十])月(?:份)?的?(?P<which>前|头|最后)(?P<n>{NUMBER_ZH})?\s?(?P<grain>天|周|个?星期|个?礼拜)", _month_portion),
    (r"(?<!\d)(?P<month>1[0-2]|0?[1-9]|十[一二]|(?<!十)[一二三四五六七八九十])月(?:份)?的?(?P<third>[上中下])旬", _third),
    (r"(?P<month>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])月(?:份)?的?(?P<day>3[01]|[12]\d|0?[1-9]|[一二三]?十[一二三四五六七八九]?|[一二三四五六七八九])[日号]", _month_day),
    (rf"\b(?P<month>{FULL_MONTHS})\b", month_part),
    (r"(?<!\d)(?P<month>1[0-2]|0?[1-9]|十[一二]|(?<!十)[一二三四五六七八九十])(?:月(?:份)?(?!\d)|(?=(?:[、和与及](?:1[0-2]|[1-9])){1,11}月)(?<!\d\.))", month_part),
    (rf"(?<![A-Za-z\d])(?<![A-Za-z]-){NAMED}Q\s?(?P<q>[1-4])(?!\w|[-./]\d|\s\d(?!\d))", _quarter),
    (r"(?:the\s+)?(?P<q>first|second|third|fourth)[\s-]quarters?\b", _quarter),
    (r"第?(?P<q>[1-4一二三四])季度?(?!节)", _quarter),
    (r"\bH(?P<h>[12])\b", _half),
    (r"(?:the\s+)?(?P<h>first|second)[\s-](?:half(?:\s+year)?|halves)\b", _half),
    (r"(?<!以)(?P<h>[上下])半年", _half),
    (rf"(?:\bthe\s+)?\b(?:mid(?:-?year)?(?:\s+|-)|(?:mid-?year|middle)\s+of\s+)(?:the\s+year\s+)?(?={YEAR_EN}\b)", _middle),
    (r"(?:(?<=\d\d年)|(?<=[今去前明]年)|(?<=[零〇一二三四五六七八九]{3}年))年中", _middle),
    (rf"(?:(?<=\d{{4}}年)|(?<=[今去明]年)|(?<=[零〇一二三四五六七八九]{{3}}年))中(?={OPENED_ZH})", _middle),
    (rf"{SIDE}(?={YEAR_EN}\b(?!-\d))", _side),
    (rf"{SIDE}(?P<month>{MONTH_NAMES})\b", _side_of_month),
    (rf"\b(?P<holiday>{alternatives(k for k in HOLIDAYS if k.isascii() and k != '618')})", _holiday),
    (rf"(?P<holiday>{alternatives(k for k in HOLIDAYS if not k.isascii())})", _holiday),
    (r"(?<![\d.])(?P<holiday>618)(?=大促|活动|期间|当天|购物节)", _holiday),
    (r"国庆(?:节|假期|黄金周)?(?:期间)?", _national_day),
    (r"\bblack\s+friday\b", _black_friday),
    (r"黑色星期五|黑五", _black_friday),
)  # fmt: skip
# Month names that are also words, or short: only after a preposition, before a year, or capitalised (see bare_month).
SHY_MONTHS = re.compile(
    rf"\b(?P<month>{alternatives(k for k in MONTHS_EN if k not in FULL_MONTHS.split('|'))})\b\.?", re.I
)
PREPOSITION = re.compile(
    r"(?:\b(?:in|of|since|from|during|until|till|before|after|for|to|through|and|between|this|last|next|early|late|by|vs\.?)\s+|[-–,]\s?)$",
    re.I,
)
YEAR_AFTER = re.compile(
    rf"(?:,|'s|\s+of|\s+in|\s+for)?\s*(?:the\s+)?({YEAR_EN}|1[6-8]\d\d{AFTER_NUMBER})\b|\s*[(（]\s*({YEAR_EN}|{YEAR_ZH})\s*[)）]",
    re.I,
)
YEAR_BEFORE = re.compile(rf"(?:({YEAR_ZH})(?:的|\s)*|\b({YEAR_EN})(?:'s)?\s*(?:,|in|the|/|-)?\s*)$", re.I)
# The year after the one said before: October 2024 to February of the following year, 2024年10月到次年2月.
NEXT_BEFORE = re.compile(r"(?:次年|翌年|第二年|(?<!以)来年)(?:的|\s)*$|\bthe\s+following\s+$", re.I)
NEXT_AFTER = re.compile(
    r"(?:,|\s+of|\s+in)?\s*(?:next\s+year|the\s+(?:next|following|subsequent)\s+year|the\s+year\s+after(?!\s+\w))\b",
    re.I,
)
NEXT_YEAR = re.compile(r"(?<!the )\bnext\s+year$", re.I)
# A month that is somebody's name: customers named May, May Chen's orders.
PERSON_BEFORE = re.compile(r"\b(?:named|called|Ms\.?|Mrs\.?|Miss|Mr\.?|Dr\.?)\s+$", re.I)
PERSON_AFTER = re.compile(r"\s+[A-Z][a-z]+['’]s\b")
LEAN_BEFORE = re.compile(r"\b(?:the\s+)?(this|last|next)\s+$", re.I)
