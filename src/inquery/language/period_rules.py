"""The table of words for periods: each rule is a pattern and the span of days it means."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from typing import TypeVar

from inquery.language.dates import (
    DAY,
    MONTH,
    QUARTER,
    WEEK,
    YEAR,
    Clock,
    Span,
    add_months,
    ahead,
    fiscal_year,
    months,
    part_of_year,
    portion,
    rolling,
    single_day,
    this_fiscal_year,
    to_date,
    unit_at,
)
from inquery.language.period_centuries import CENTURIES
from inquery.language.period_parts import LAST, PARTS, Dated, latest, third_of
from inquery.language.period_words import (
    AFTER_NUMBER,
    COMPARED,
    COMPARED_ZH,
    DAYS,
    GRAINS,
    NAMED,
    NUMBER_EN,
    NUMBER_ZH,
    OFFSETS,
    OLD_YEAR,
    WEEKDAYS,
    WEEKDAYS_ZH,
    YEAR_EN,
    YEAR_ZH,
    YEARS_ZH,
    alternatives,
    count_of,
    led_by,
    year_of,
)


@dataclass(frozen=True, slots=True)
class Found:
    """A period before ranges are built; `in_year` re-reads it in another year when none was said.

    `follows` re-reads it where the year after that of the period before it was said. `part` reads the same part of
    another year where its own was said.
    """

    span: Span
    start: int
    end: int
    in_year: Callable[[int], Span | None] | None = None
    is_year: bool = False
    follows: Callable[[int], Span | None] | None = None
    part: Callable[[int], Span | None] | None = None


SHORT_YEARS = 12
"""So many years back two digits are said for a year."""
Reader = Callable[[re.Match[str], Clock], Span | None]
Action = TypeVar("Action")
Compiled = tuple[tuple[re.Pattern[str], Action, bool], ...]


def _relative_unit(m: re.Match[str], clock: Clock) -> Span | None:
    return unit_at(clock, GRAINS[m["grain"].lower()], OFFSETS[" ".join(m["which"].lower().split())])


def _rolling(m: re.Match[str], clock: Clock) -> Span | None:
    said = m["n"] or "one"
    grain = m["grain"].lower()
    if said == "半":
        return rolling(clock, 6, MONTH) if grain.startswith("年") else rolling(clock, 15, DAY)
    return rolling(clock, count_of(said), GRAINS[grain])


def _ahead(m: re.Match[str], clock: Clock) -> Span | None:
    return ahead(clock, count_of(m["n"]), GRAINS[m["grain"].lower()])


def _ago(m: re.Match[str], clock: Clock) -> Span | None:
    # 18年以前 is before 2018, 3年以前 three years ago, and 20年前 twenty.
    if m["grain"] == "年" and m.group()[-2:] in {"以前", "之前"} and is_short_year(m["n"], clock):
        return None
    return unit_at(clock, GRAINS[m["grain"].lower()], -count_of(m["n"]))


def _iso(m: re.Match[str], clock: Clock) -> Span | None:
    return single_day(int(m["y"]), int(m["m"]), int(m["d"]))


def _us(m: re.Match[str], clock: Clock) -> Span | None:
    first, second = int(m["m"]), int(m["d"])
    return single_day(int(m["y"]), second, first) if first > 12 else single_day(int(m["y"]), first, second)


def _iso_month(m: re.Match[str], clock: Clock) -> Span | None:
    return part_of_year(int(m["y"]), MONTH, int(m["m"] or m["m2"]))


def _compact_quarter(m: re.Match[str], clock: Clock) -> Span | None:
    return part_of_year(year_of(m["y"], clock), QUARTER, int(m["q"]))


def _to_date(m: re.Match[str], clock: Clock) -> Span | None:
    said = m["grain"].lower()
    return to_date(clock, {"y": YEAR, "q": QUARTER, "m": MONTH, "w": WEEK, "年初": YEAR}.get(said) or GRAINS[said])


def _this_to_date(m: re.Match[str], clock: Clock) -> Span | None:
    return to_date(clock, GRAINS[m["grain"]])


def year_portion(m: re.Match[str], clock: Clock) -> Span | None:
    """`the last quarter of 2024`, 2025年前三个月."""
    return portion_said(m)(year_of(m["y"], clock))


def portion_said(m: re.Match[str]) -> Callable[[int], Span | None]:
    """The portion that a match of `year_portion` says, of any year."""
    count, grain, last = count_of(m["n"] or "one"), GRAINS[m["grain"].lower()], m["which"].lower() in LAST
    return lambda year: portion(Span(date(year, 1, 1), date(year + 1, 1, 1), YEAR), count, grain, last=last)


def _third_of_month(m: re.Match[str], clock: Clock) -> Span | None:
    return third_of(unit_at(clock, MONTH, OFFSETS[m["which"]]), m["third"])


WEEK_BEFORE = re.compile(
    r"(?:\bthe\s+)?\bweek\s+(of|starting|beginning|commencing|ending)\s+(?:on\s+)?(?:the\s+)?$", re.I
)
WEEK_AFTER = re.compile(r"的?(?:那一?|当|这一|所在的?(?:那一?)?)(?:周|个?星期)(?![一二三四五六日天末])")


def week_of(question: str, found: Found, clock: Clock) -> Found | None:
    """The week of a day: `the week of 3 March` holds it, `the week ending 9 March` ends with it."""
    led, tail = led_by(WEEK_BEFORE, question, found.start), WEEK_AFTER.match(question, found.end)
    day = found.span.start
    if found.span.grain != DAY or found.span.end - day > timedelta(1) or not (led or tail):
        return None
    said = led.group(1).lower() if led else "of"
    back = {"of": (day.isoweekday() - clock.week_start) % 7, "ending": 6}.get(said, 0)
    start = day - timedelta(back)
    span = Span(start, start + timedelta(7), WEEK)
    return Found(span, led.start() if led else found.start, tail.end() if tail else found.end)


def _month_range(m: re.Match[str], clock: Clock) -> Span | None:
    year = year_of(m["y"], clock) if m["y"] else clock.today.year - (int(m["a"]) > clock.today.month)
    first, last = part_of_year(year, MONTH, int(m["a"])), part_of_year(year, MONTH, int(m["b"]))
    return Span(first.start, last.end, MONTH) if first and last and first.start <= last.start else None


def _day_range(m: re.Match[str], clock: Clock) -> Span | None:
    def days(year: int) -> Span | None:
        first, last = single_day(year, int(m["m"]), int(m["a"])), single_day(year, int(m["m"]), int(m["b"]))
        return Span(first.start, last.end, DAY) if first and last and first.start <= last.start else None

    return days(year_of(m["y"], clock)) if m["y"] else latest(days, clock)


def _day_of_month(m: re.Match[str], clock: Clock) -> Span | None:
    month = unit_at(clock, MONTH, OFFSETS[m["which"]])
    return single_day(month.start.year, month.start.month, int(m["d"]))


def _fiscal_year(m: re.Match[str], clock: Clock) -> Span | None:
    said = m["y"]
    if said.isdigit():
        return fiscal_year(clock, int(said) + (2000 if len(said) == 2 else 0))
    return fiscal_year(clock, this_fiscal_year(clock) + OFFSETS[said.lower()])


def _quarter_of_fiscal_year(m: re.Match[str], clock: Clock) -> Span | None:
    year = _fiscal_year(m, clock)
    return months(add_months(year.start, 3 * int(m["q"]) - 3), QUARTER) if year else None


def _fiscal_quarter(m: re.Match[str], clock: Clock) -> Span | None:
    year = fiscal_year(clock, this_fiscal_year(clock))
    passed = (clock.today.year - year.start.year) * 12 + clock.today.month - year.start.month
    return months(add_months(year.start, passed // 3 * 3 + 3 * OFFSETS[m["y"].lower()]), QUARTER)


def _before_last(m: re.Match[str], clock: Clock) -> Span | None:
    return unit_at(clock, GRAINS[m["grain"].lower()], -2)


def _day_word(m: re.Match[str], clock: Clock) -> Span | None:
    start = clock.today + timedelta(DAYS[" ".join(m["day"].lower().split())])
    return Span(start, start + timedelta(1), DAY)


def _weekday(m: re.Match[str], clock: Clock) -> Span | None:
    week = unit_at(clock, WEEK, OFFSETS[m["which"].lower()])
    said = m["weekday"].lower()
    number = WEEKDAYS_ZH.index(said) + 1 if said in WEEKDAYS_ZH else 7 if said == "天" else WEEKDAYS.index(said) + 1
    start = week.start + timedelta((number - clock.week_start) % 7)
    return Span(start, start + timedelta(1), DAY)


def is_short_year(text: str, clock: Clock) -> bool:
    """Whether two digits before 年 are a year near this one (25年) rather than a number of years."""
    return len(text) == 2 and text.isdigit() and -SHORT_YEARS <= int(text) + 2000 - clock.today.year <= 3


# Whole periods that need no year.
WHOLE: tuple[tuple[str, Reader], ...] = (
    (r"(?<!\d)(?P<y>(?:1[6-9]|20)\d\d)\s?[-/.]\s?(?P<m>0?[1-9]|1[0-2])\s?[-/.]\s?(?P<d>3[01]|[12]\d|0?[1-9])(?!\d)", _iso),
    (r"(?<![\d/])(?P<m>0?[1-9]|[12]\d|3[01])/(?P<d>0?[1-9]|[12]\d|3[01])/(?P<y>(?:19|20)\d\d)(?!\d)", _us),
    (r"(?<!\d)(?P<y>(?:19|20)\d\d)(?:[-/](?P<m>0?[1-9]|1[0-2])|\.(?P<m2>0[1-9]|1[0-2]))(?![\d\-/.])", _iso_month),
    (r"(?<![\dA-Za-z])(?P<y>(?:20)?\d\d)\s?Q(?P<q>[1-4])(?!\w)", _compact_quarter),
    (rf"(?:\bthe\s+)?\b(?P<day>{alternatives(k for k in DAYS if k.isascii())})\b", _day_word),
    (rf"(?P<day>{alternatives(k for k in DAYS if not k.isascii())})", _day_word),
    (r"\b(?P<which>this|current|last|previous|prior|next|coming|following)\s+(?:calendar\s+)?(?P<grain>day|week|month|quarter|year)\b(?!,?\s+(?:to\s+date|so\s+far|(?:up\s+to|until|till|through|as\s+of)\s+(?:now|today)))", _relative_unit),
    (r"(?P<which>上上个?|下下个?|上一?个?|下一?个?|本|这个?|这一|当前?)(?P<grain>周|星期|礼拜|月|季度)(?!内)(?:度|份)?", _relative_unit),
    (r"(?P<which>本|上一|下一|当前?)(?P<grain>年度?)(?!龄)", _relative_unit),
    (r"(?P<which>今)(?P<grain>年)", _relative_unit),
    (rf"(?:{alternatives(k for k in YEARS_ZH if k[0] in '去前大明后上')})(?!同期)", lambda m, c: unit_at(c, YEAR, YEARS_ZH[m.group()])),
    (rf"(?:\b(?:in|over|during|within|for|from)\s+)?(?:the\s+)?\b(?:last|past|previous|prior|recent|trailing|latest)\s+(?P<n>{NUMBER_EN})\s+(?:calendar\s+|full\s+)?(?P<grain>day|week|month|quarter|year)s?\b", _rolling),
    (r"(?:the\s+)?\b(?:past|trailing)\s+(?P<n>)(?P<grain>day|week|month|quarter|year)\b", _rolling),
    (rf"\bwithin\s+(?P<n>{NUMBER_EN})\s+(?P<grain>day|week|month|quarter|year)s?\b(?!\s+(?:of|after|before|from|following)\b)", _rolling),
    (rf"(?:最近|过去|近|前|这|往前)(?:的)?\s?(?P<n>{NUMBER_ZH}|半)\s?(?P<grain>天|日|个?星期|个?礼拜|周|个?月|个?季度|年)(?:之?内|以?来|间|中)?(?!级|度报|前|饼)", _rolling),
    (rf"(?<![\d第起后前])(?P<n>{NUMBER_ZH}|半)\s?(?P<grain>天|日|个?星期|周|个月|年)(?:之内|以内|内)(?!部)", _rolling),
    (rf"\b(?:the\s+)?(?:next|coming|following)\s+(?P<n>{NUMBER_EN})\s+(?P<grain>day|week|month|quarter|year)s?\b", _ahead),
    (rf"(?:未来|接下来|今后)(?:的)?\s?(?P<n>{NUMBER_ZH})\s?(?P<grain>天|日|个?星期|周|个?月|个?季度|年)(?:内)?", _ahead),
    (rf"\b(?P<n>{NUMBER_EN})\s+(?P<grain>day|week|month|quarter|year)s?\s+ago\b", _ago),
    (rf"(?<![\d近去])(?P<n>{NUMBER_ZH})\s?(?P<grain>天|周|个星期|个月|个季度|年)(?:以|之)?前(?!\d|[一二三四五六七八九十])", _ago),
    (r"\b(?P<grain>year|quarter|month|week)[\s-]+to[\s-]+date\b|\b(?:so\s+far\s+)?this\s+(?P<g2>year|quarter|month|week),?\s+(?:to\s+date|so\s+far|(?:up\s+to|until|till|through|as\s+of)\s+(?:now|today))\b", lambda m, c: to_date(c, GRAINS[(m["grain"] or m["g2"]).lower()])),
    (r"\b(?P<grain>Y|Q|M|W)TD\b", _to_date),
    (r"(?:本|今|这个?|当)(?P<grain>年度?|月|周|季度)(?:年?初)?(?:以来|至今|迄今|(?:截至|截止到?|到)(?:现在|目前|今天|今日)(?:为止)?)", _this_to_date),
    (r"(?<!年)(?:自|从)?(?<!年)(?P<grain>年初)(?:至今|以来|到现在|到今天)", _to_date),
    (r"(?<!\d)(?:(?P<y>(?:19|20)\d\d\s?年|[1-4]\d年|今年|去年|前年)\s?)?(?P<a>1[0-2]|[1-9])\s?月?\s?(?:到|至|-|—|–|~|～)\s?(?P<b>1[0-2]|[1-9])\s?月(?:份)?(?!\d)", _month_range),
    (r"(?<!\d)(?:(?P<y>(?:19|20)\d\d年|今年|去年|前年))?(?P<m>1[0-2]|0?[1-9])月(?P<a>3[01]|[12]\d|0?[1-9])[日号]?\s?(?:到|至|-|—|–|~|～)\s?(?P<b>3[01]|[12]\d|0?[1-9])[日号]", _day_range),
    (r"(?P<which>本|这个|上个?|上一|上一个|下个?)月(?P<d>3[01]|[12]\d|0?[1-9])[日号]", _day_of_month),
    (r"\b(?:FY|fiscal\s+(?:year\s+)?)\s?'?(?P<y>(?:20)?\d\d)\b", _fiscal_year),
    (r"\bFY\s?'?(?P<y>(?:20)?\d\d)[\s-]?Q(?P<q>[1-4])\b", _quarter_of_fiscal_year),
    (r"\bQ(?P<q>[1-4])[\s-](?:of\s+)?FY\s?'?(?P<y>(?:20)?\d\d)\b", _quarter_of_fiscal_year),
    (r"\b(?P<y>this|last|next|previous|current)\s+fiscal\s+year\b", _fiscal_year),
    (r"\b(?P<y>this|last|next|previous|current)\s+fiscal\s+quarter\b", _fiscal_quarter),
    (r"(?P<y>20\d\d)\s?财年|财年(?P<y2>20\d\d)", lambda m, c: fiscal_year(c, int(m["y"] or m["y2"]))),
    (r"(?P<y>本|上个?|上一|上一个|下个?)财年", _fiscal_year),
    (rf"(?:the\s+)?\b(?P<which>first|last|final)\s+(?:(?P<n>{NUMBER_EN})\s+)?(?P<grain>day|week|month|quarter|half)s?\s+of\s+(?P<y>{YEAR_EN})\b", year_portion),
    (rf"(?P<y>{YEAR_ZH})的?(?P<which>前|头|最后)(?P<n>{NUMBER_ZH})?\s?(?P<grain>天|周|个?星期|个?礼拜|个月|个?季度)(?!饼)", year_portion),
    (r"(?P<which>本|这个?|上上个?|上一?个?|下个?|当)月的?(?P<third>[上中下])旬", _third_of_month),
    (r"(?<![一二两三四五六七八九十\d年月今去前明后本上下每各几当半同个])(?P<grain>[年月])(?=[底末](?:之|以)?前)", lambda m, c: unit_at(c, GRAINS[m["grain"]])),
    (r"(?:(?<=\bby the end of )|(?<=\bbefore the end of )|(?<=\buntil the end of ))the\s+(?P<grain>year|quarter|month|week)\b(?!\s+(?:of\b|before\b|after\b|\d))", lambda m, c: unit_at(c, GRAINS[m["grain"].lower()])),
    (r"(?<![\d年])年初(?=[到至](?!今|现在|目前))", lambda m, c: part_of_year(c.today.year, MONTH, 1)),
    *CENTURIES,
    (rf"\b(?P<which>this|last|next)\s+(?P<weekday>{alternatives(WEEKDAYS)})\b", _weekday),
    (r"(?P<which>本|这|上个?|上上|下个?)(?:周|星期|礼拜)(?P<weekday>[一二三四五六日天])(?!共|件|个|次|单|均|常|直|些)", _weekday),
    (r"\b(?:the\s+)?(?P<grain>week|month|quarter|year)\s+before\s+last\b", _before_last),
)  # fmt: skip

BARE_YEAR = re.compile(
    r"(?<!\d)(?P<zh>(?:1[6-9]|20)\d\d|[一二][零〇一二三四五六七八九]{3})"
    r"(?:\s?年(?:度|全年)?(?!龄|的?历史)|(?=\s?[到至~～—-]\s?(?:1[6-9]|20)\d\d\s?年))"
    r"|(?<![\d.近前去满约达足共长第过])(?<!工龄)(?<!司龄)(?<!超过)(?<!至少)(?<!连续)(?<!大于)(?<!小于)(?<!过去)(?<!未来)(?<!最近)(?<!保修)(?<!质保)"
    r"(?P<short>[0-4]\d)(?:(?=[、和与及][0-4]\d两?年)|两年(?=的?[^内前后]|$)(?<=[、和与及]\d\d两年)|年(?:度|全年)?(?!级|龄|期|内|间|多|来|左右|以[上下内]|之[内久]|前|后|的?(?:历史|经验|老)|[制式份]))"
    rf"|{OLD_YEAR}"
    rf"|(?<![A-Za-z_\d.,$¥￥])(?<!\b\d[-/])(?<!\b\d\d[-/]){NAMED}{COMPARED}{COMPARED_ZH}(?P<y>(?:19|20)\d\d)"
    rf"(?![A-Za-z_\d%％]|[.,:]\d|[-/]\d{{1,2}}(?!\d)){AFTER_NUMBER}",
    re.I,
)

CHINESE = re.compile("[\u4e00-\u9fff]")


def compiled(table: tuple[tuple[str, Action], ...]) -> Compiled[Action]:
    """Rules ready to run; the flag says that only a text with Chinese in it can match."""
    return tuple((re.compile(pattern, re.I), act, CHINESE.search(pattern) is not None) for pattern, act in table)


# Compiled when a question first names a time: 88 patterns take 25 ms, and most questions name none.
@cache
def part_rules() -> Compiled[Dated]:
    """The rules for parts of a year."""
    return compiled(PARTS)


@cache
def whole_rules() -> Compiled[Reader]:
    """The rules for periods that need no year."""
    return compiled(WHOLE)


# No rule matches a text without one of these.
TRIGGER = re.compile(
    r"\d{4}|\d[-/]\d|Q\d|H[12]|day|week|month|quarter|year|tomorrow|half|YTD|QTD|MTD|WTD|FY|fiscal|christmas|double"
    r"|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|[年月日号天周季旬期旦诞节双黑]|ties\b|国庆|礼拜|环比|同比|[YMQWD]o[YMQWD]|centur|世纪|\d0'?s|ago|618",
    re.I,
)
