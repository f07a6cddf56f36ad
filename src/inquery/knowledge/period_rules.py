"""The table of words for periods: each rule is a pattern and the span of days it means."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TypeVar

from inquery.knowledge.dates import (
    DAY,
    HALF,
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
    part,
    rolling,
    single,
    this_fiscal_year,
    to_date,
    unit,
)
from inquery.knowledge.literals import ORDINALS, UNITS, chinese_number, english_number


@dataclass(frozen=True, slots=True)
class Found:
    """A period before ranges are built; `in_year` re-reads it in another year when none was said."""

    span: Span
    start: int
    end: int
    in_year: Callable[[int], Span | None] | None = None
    is_year: bool = False


Reader = Callable[[re.Match[str], Clock], Span | None]
InYear = Callable[[int], Span | None]
Dated = Callable[[re.Match[str]], InYear]
Action = TypeVar("Action")

MONTHS_EN = {
    name: number
    for number, names in enumerate(
        [
            "january jan",
            "february feb",
            "march mar",
            "april apr",
            "may",
            "june jun",
            "july jul",
            "august aug",
            "september sep sept",
            "october oct",
            "november nov",
            "december dec",
        ],
        1,
    )
    for name in names.split()
}
GRAINS = {
    "day": DAY, "week": WEEK, "month": MONTH, "quarter": QUARTER, "year": YEAR,
    "天": DAY, "日": DAY, "周": WEEK, "星期": WEEK, "礼拜": WEEK, "月": MONTH, "个月": MONTH, "季度": QUARTER, "个季度": QUARTER,
    "年": YEAR, "年度": YEAR, "个星期": WEEK, "个礼拜": WEEK, "财年": YEAR,
}  # fmt: skip
OFFSETS = {
    "this": 0, "current": 0, "last": -1, "previous": -1, "prior": -1, "next": 1, "coming": 1, "following": 1,
    "本": 0, "这": 0, "这个": 0, "这一": 0, "当": 0, "当前": 0, "今": 0, "上": -1, "上个": -1, "上一": -1, "上一个": -1,
    "上上": -2, "上上个": -2, "下": 1, "下个": 1, "下一": 1, "下一个": 1, "下下": 2, "下下个": 2,
}  # fmt: skip
DAYS = {
    "today": 0, "yesterday": -1, "tomorrow": 1, "day before yesterday": -2, "day after tomorrow": 2,
    "今天": 0, "今日": 0, "昨天": -1, "昨日": -1, "前天": -2, "前日": -2, "大前天": -3, "明天": 1, "明日": 1, "后天": 2,
}  # fmt: skip
YEARS_ZH = {
    "今年": 0,
    "本年": 0,
    "本年度": 0,
    "去年": -1,
    "上年": -1,
    "上一年": -1,
    "前年": -2,
    "大前年": -3,
    "明年": 1,
    "后年": 2,
}
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
WEEKDAYS_ZH = "一二三四五六日"
HOLIDAYS = {
    "双十一": (11, 11), "双11": (11, 11), "光棍节": (11, 11), "singles' day": (11, 11), "singles day": (11, 11),
    "double 11": (11, 11), "double eleven": (11, 11), "双十二": (12, 12), "双12": (12, 12), "double 12": (12, 12),
    "元旦": (1, 1), "圣诞节": (12, 25), "圣诞": (12, 25), "christmas day": (12, 25), "christmas": (12, 25),
    "情人节": (2, 14), "valentine's day": (2, 14), "劳动节": (5, 1), "儿童节": (6, 1), "618大促": (6, 18), "618": (6, 18),
}  # fmt: skip


def alternatives(words: Iterable[str]) -> str:
    """A pattern of any of the words, longest first."""
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


NUMBER_EN = rf"(?:\d{{1,3}}|a\s+couple\s+of|{'|'.join(k for k in UNITS if k != 'zero')}|twenty|thirty|sixty|ninety)"
NUMBER_ZH = r"(?:\d{1,3}|[一二两三四五六七八九十百]+)"
MONTH_NAMES = alternatives(MONTHS_EN)
FULL_MONTHS = alternatives(k for k in MONTHS_EN if len(k) > 3 and k not in {"march", "sept"})
YEAR_EN = r"(?:(?:19|20)\d\d|(?:this|last|next|the\s+(?:previous|prior|current))\s+year)"
YEAR_ZH = rf"(?:(?:19|20)\d\d\s*年?|[一二][零〇一二三四五六七八九]{{3}}年|(?<!\d)[1-4]\d年|{alternatives(YEARS_ZH)})"
AFTER_NUMBER = r"(?!\s*(?:[%％個个元块人次件名张条台辆岁万亿千百]|(?:million|thousand|billion|hundred|dollars|yuan|rmb|usd|units|people)\b))"
COMPARED = (
    r"(?<!than )(?<!least )(?<!most )(?<!over )(?<!above )(?<!under )(?<!below )(?<!exceeding )(?<!top )(?<!exceeds )"
)
COMPARED_ZH = (
    r"(?<!大于)(?<!超过)(?<!高于)(?<!低于)(?<!小于)(?<!不足)(?<!达到)(?<!多于)(?<!少于)(?<!至少)(?<!等于)(?<!前)"
)


def count_of(text: str) -> int:
    """The number of units said: digits, words, Chinese numerals; a couple is two."""
    text = " ".join(text.lower().split())
    if text.isdigit():
        return int(text)
    if text.startswith("a couple"):
        return 2
    value = english_number(text) if text.isascii() else chinese_number(text)
    return int(value or 1)


def year_of(text: str, clock: Clock) -> int:
    """The year a phrase names: 2024, 2024年, 24年, 二〇二四年, last year, 去年."""
    text = " ".join(text.lower().split())
    if text in YEARS_ZH:
        return clock.today.year + YEARS_ZH[text]
    digits = text.removesuffix("年").strip()
    if digits.isdigit():
        return int(digits) + (2000 if len(digits) == 2 else 0)
    if not text.isascii():
        return int(chinese_number(digits) or clock.today.year)
    word = text.removeprefix("the ").split()[0]
    return clock.today.year + OFFSETS[word]


def latest(in_year: InYear, clock: Clock) -> Span | None:
    """The reading that has begun already: March said in January is last year's."""
    this = in_year(clock.today.year)
    if this is None:  # 29 February said in a common year
        return next((s for back in range(1, 9) if (s := in_year(clock.today.year - back))), None)
    return this if this.start <= clock.today else in_year(clock.today.year - 1)


def quarter_number(text: str) -> int:
    """1 to 4 from a digit, an English ordinal or a Chinese numeral."""
    text = text.lower()
    if text.isdigit():
        return int(text)
    return ORDINALS.get(text) or int(chinese_number(text) or 0)


def month_number(text: str) -> int:
    """1 to 12 from digits, an English name or a Chinese numeral."""
    if text.isdigit():
        return int(text)
    return MONTHS_EN.get(text.lower()) or int(chinese_number(text) or 0)


def _month_day(m: re.Match[str]) -> InYear:
    month = month_number(m["month"])
    day = int(m["day"]) if m["day"].isdigit() else int(chinese_number(m["day"]) or 0)
    return lambda year: single(year, month, day)


def month_part(m: re.Match[str]) -> InYear:
    number = month_number(m["month"])
    return lambda year: part(year, MONTH, number)


def _quarter(m: re.Match[str]) -> InYear:
    number = quarter_number(m["q"])
    return lambda year: part(year, QUARTER, number)


def _half(m: re.Match[str]) -> InYear:
    number = {"上": 1, "下": 2, "first": 1, "second": 2, "1": 1, "2": 2}[m["h"].lower()]
    return lambda year: part(year, HALF, number)


def _holiday(m: re.Match[str]) -> InYear:
    month, day = HOLIDAYS[" ".join(m["holiday"].lower().split())]
    return lambda year: single(year, month, day)


def _national_day(m: re.Match[str]) -> InYear:
    return lambda year: Span(date(year, 10, 1), date(year, 10, 8), DAY)


def _black_friday(m: re.Match[str]) -> InYear:
    def day(year: int) -> Span | None:
        first = date(year, 11, 1)
        return single(year, 11, 1 + (4 - first.isoweekday()) % 7 + 21 + 1)

    return day


ORDINAL_DAY = r"(?P<day>3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?"

# Parts of a year; a year may stand before or after them, otherwise the latest one that has begun is meant.
PARTS: tuple[tuple[str, Dated], ...] = (
    (rf"(?P<month>{MONTH_NAMES})\.?\s+(?:the\s+)?{ORDINAL_DAY}(?!\d|\s*[:%])", _month_day),
    (rf"(?:the\s+)?{ORDINAL_DAY}\s+(?:of\s+)?(?P<month>{MONTH_NAMES})\b", _month_day),
    (r"(?P<month>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])月(?:份)?的?(?P<day>3[01]|[12]\d|0?[1-9]|[一二三]?十[一二三四五六七八九]?|[一二三四五六七八九])[日号]", _month_day),
    (rf"\b(?P<month>{FULL_MONTHS})\b", month_part),
    (r"(?<!\d)(?P<month>1[0-2]|0?[1-9]|十[一二]|(?<!十)[一二三四五六七八九十])月(?:份)?(?!\d)", month_part),
    (r"(?:Q\s?(?P<q>[1-4])(?![\w]))", _quarter),
    (r"(?:the\s+)?(?P<q>first|second|third|fourth)\s+quarter\b", _quarter),
    (r"第?(?P<q>[1-4一二三四])季度?(?!节)", _quarter),
    (r"\bH(?P<h>[12])\b", _half),
    (r"(?:the\s+)?(?P<h>first|second)\s+half(?:\s+year)?\b", _half),
    (r"(?<!以)(?P<h>[上下])半年", _half),
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
MONTH_NAMES = alternatives(name.capitalize() for name in MONTHS_EN)
PREPOSITION = re.compile(
    r"(?:\b(?:in|of|since|from|during|until|till|before|after|for|to|through|and|between|this|last|next|early|late|by|vs\.?)\s+|[-–,]\s?)$",
    re.I,
)
YEAR_AFTER_EN = re.compile(rf"(?:,|'s|\s+of|\s+in|\s+for)?\s*(?:the\s+)?({YEAR_EN})\b", re.I)
YEAR_BEFORE = re.compile(rf"(?:({YEAR_ZH})(?:的|\s)*|\b({YEAR_EN})(?:'s)?\s*(?:,|in|the|/|-)?\s*)$", re.I)
LEAN_BEFORE = re.compile(r"\b(?:the\s+)?(this|last|next)\s+$", re.I)


def _relative_unit(m: re.Match[str], clock: Clock) -> Span | None:
    return unit(clock, GRAINS[m["grain"].lower()], OFFSETS[" ".join(m["which"].lower().split())])


def _rolling(m: re.Match[str], clock: Clock) -> Span | None:
    said = m["n"] or "one"
    grain = m["grain"].lower()
    if said == "半":
        return rolling(clock, 6, MONTH) if grain.startswith("年") else rolling(clock, 15, DAY)
    return rolling(clock, count_of(said), GRAINS[grain])


def _ahead(m: re.Match[str], clock: Clock) -> Span | None:
    return ahead(clock, count_of(m["n"]), GRAINS[m["grain"].lower()])


def _ago(m: re.Match[str], clock: Clock) -> Span | None:
    return unit(clock, GRAINS[m["grain"].lower()], -count_of(m["n"]))


def _iso(m: re.Match[str], clock: Clock) -> Span | None:
    return single(int(m["y"]), int(m["m"]), int(m["d"]))


def _us(m: re.Match[str], clock: Clock) -> Span | None:
    first, second = int(m["m"]), int(m["d"])
    return single(int(m["y"]), second, first) if first > 12 else single(int(m["y"]), first, second)


def _iso_month(m: re.Match[str], clock: Clock) -> Span | None:
    return part(int(m["y"]), MONTH, int(m["m"] or m["m2"]))


def _compact_quarter(m: re.Match[str], clock: Clock) -> Span | None:
    return part(year_of(m["y"], clock), QUARTER, int(m["q"]))


def _to_date(m: re.Match[str], clock: Clock) -> Span | None:
    said = m["grain"].lower()
    return to_date(clock, {"y": YEAR, "q": QUARTER, "m": MONTH, "w": WEEK, "年初": YEAR}.get(said) or GRAINS[said])


def _this_to_date(m: re.Match[str], clock: Clock) -> Span | None:
    return to_date(clock, GRAINS[m["grain"]])


def _month_range(m: re.Match[str], clock: Clock) -> Span | None:
    year = year_of(m["y"], clock) if m["y"] else clock.today.year - (int(m["a"]) > clock.today.month)
    first, last = part(year, MONTH, int(m["a"])), part(year, MONTH, int(m["b"]))
    return Span(first.start, last.end, MONTH) if first and last and first.start <= last.start else None


def _day_range(m: re.Match[str], clock: Clock) -> Span | None:
    year = year_of(m["y"], clock) if m["y"] else clock.today.year
    first, last = single(year, int(m["m"]), int(m["a"])), single(year, int(m["m"]), int(m["b"]))
    return Span(first.start, last.end, DAY) if first and last and first.start <= last.start else None


def _day_of_month(m: re.Match[str], clock: Clock) -> Span | None:
    month = unit(clock, MONTH, OFFSETS[m["which"]])
    return single(month.start.year, month.start.month, int(m["d"]))


def _fiscal_year(m: re.Match[str], clock: Clock) -> Span | None:
    said = m["y"]
    if said.isdigit():
        return fiscal_year(clock, int(said) + (2000 if len(said) == 2 else 0))
    return fiscal_year(clock, this_fiscal_year(clock) + OFFSETS[said.lower()])


def _fiscal_quarter(m: re.Match[str], clock: Clock) -> Span | None:
    year = fiscal_year(clock, this_fiscal_year(clock))
    passed = (clock.today.year - year.start.year) * 12 + clock.today.month - year.start.month
    return months(add_months(year.start, passed // 3 * 3 + 3 * OFFSETS[m["y"].lower()]), QUARTER)


def _decade(m: re.Match[str], clock: Clock) -> Span | None:
    year = int(m["y"]) // 10 * 10
    return Span(date(year, 1, 1), date(year + 10, 1, 1), YEAR)


def _before_last(m: re.Match[str], clock: Clock) -> Span | None:
    return unit(clock, GRAINS[m["grain"].lower()], -2)


def _day_word(m: re.Match[str], clock: Clock) -> Span | None:
    start = clock.today + timedelta(DAYS[" ".join(m["day"].lower().split())])
    return Span(start, start + timedelta(1), DAY)


def _weekday(m: re.Match[str], clock: Clock) -> Span | None:
    week = unit(clock, WEEK, OFFSETS[m["which"].lower()])
    said = m["weekday"].lower()
    number = WEEKDAYS_ZH.index(said) + 1 if said in WEEKDAYS_ZH else 7 if said == "天" else WEEKDAYS.index(said) + 1
    start = week.start + timedelta((number - clock.week_start) % 7)
    return Span(start, start + timedelta(1), DAY)


# Whole periods that need no year.
WHOLE: tuple[tuple[str, Reader], ...] = (
    (r"(?<!\d)(?P<y>(?:19|20)\d\d)\s?[-/.]\s?(?P<m>0?[1-9]|1[0-2])\s?[-/.]\s?(?P<d>3[01]|[12]\d|0?[1-9])(?!\d)", _iso),
    (r"(?<![\d/])(?P<m>0?[1-9]|[12]\d|3[01])/(?P<d>0?[1-9]|[12]\d|3[01])/(?P<y>(?:19|20)\d\d)(?!\d)", _us),
    (r"(?<!\d)(?P<y>(?:19|20)\d\d)(?:[-/](?P<m>0?[1-9]|1[0-2])|\.(?P<m2>0[1-9]|1[0-2]))(?![\d\-/.])", _iso_month),
    (r"(?<![\dA-Za-z])(?P<y>(?:20)?\d\d)\s?Q(?P<q>[1-4])(?!\w)", _compact_quarter),
    (rf"(?:\bthe\s+)?\b(?P<day>{alternatives(k for k in DAYS if k.isascii())})\b", _day_word),
    (rf"(?P<day>{alternatives(k for k in DAYS if not k.isascii())})", _day_word),
    (r"\b(?P<which>this|current|last|previous|prior|next|coming|following)\s+(?:calendar\s+)?(?P<grain>day|week|month|quarter|year)\b(?!\s+(?:to\s+date|so\s+far))", _relative_unit),
    (r"(?P<which>上上个?|下下个?|上一?个?|下一?个?|本|这个?|这一|当前?)(?P<grain>周|星期|礼拜|月|季度)(?!内)(?:度|份)?", _relative_unit),
    (r"(?P<which>本|上一|下一|当前?)(?P<grain>年度?)(?!龄)", _relative_unit),
    (r"(?P<which>今)(?P<grain>年)", _relative_unit),
    (rf"(?:{alternatives(k for k in YEARS_ZH if k[0] in '去前大明后上')})(?!同期)", lambda m, c: unit(c, YEAR, YEARS_ZH[m.group()])),
    (rf"(?:\b(?:in|over|during|within|for|from)\s+)?(?:the\s+)?\b(?:last|past|previous|prior|recent|trailing|latest)\s+(?P<n>{NUMBER_EN})\s+(?:calendar\s+|full\s+)?(?P<grain>day|week|month|quarter|year)s?\b", _rolling),
    (r"(?:the\s+)?\b(?:past|trailing)\s+(?P<n>)(?P<grain>day|week|month|quarter|year)\b", _rolling),
    (rf"\bwithin\s+(?P<n>{NUMBER_EN})\s+(?P<grain>day|week|month|quarter|year)s?\b", _rolling),
    (rf"(?:最近|过去|近|前|这|往前)(?:的)?\s?(?P<n>{NUMBER_ZH}|半)\s?(?P<grain>天|日|个?星期|个?礼拜|周|个?月|个?季度|年)(?:之?内|以?来|间|中)?(?!级|度报|前)", _rolling),
    (rf"(?<![\d第])(?P<n>{NUMBER_ZH}|半)\s?(?P<grain>天|日|个?星期|周|个月|年)(?:之内|以内|内)(?!部)", _rolling),
    (rf"\b(?:the\s+)?(?:next|coming|following)\s+(?P<n>{NUMBER_EN})\s+(?P<grain>day|week|month|quarter|year)s?\b", _ahead),
    (rf"(?:未来|接下来|今后)(?:的)?\s?(?P<n>{NUMBER_ZH})\s?(?P<grain>天|日|个?星期|周|个?月|个?季度|年)(?:内)?", _ahead),
    (rf"\b(?P<n>{NUMBER_EN})\s+(?P<grain>day|week|month|quarter|year)s?\s+ago\b", _ago),
    (rf"(?<![\d近去])(?P<n>{NUMBER_ZH})\s?(?P<grain>天|周|个星期|个月|个季度|年)(?:以|之)?前(?!\d|[一二三四五六七八九十])", _ago),
    (r"\b(?P<grain>year|quarter|month|week)\s+to\s+date\b|\b(?:so\s+far\s+)?this\s+(?P<g2>year|quarter|month|week)\s+(?:to\s+date|so\s+far)\b", lambda m, c: to_date(c, GRAINS[(m["grain"] or m["g2"]).lower()])),
    (r"\b(?P<grain>Y|Q|M|W)TD\b", _to_date),
    (r"(?:本|今|这个?|当)(?P<grain>年度?|月|周|季度)(?:初)?(?:以来|至今|到现在|到目前为止|到今天)", _this_to_date),
    (r"(?:自|从)?(?P<grain>年初)(?:至今|以来|到现在|到今天)", _to_date),
    (r"(?<!\d)(?:(?P<y>(?:19|20)\d\d年|[1-4]\d年|今年|去年|前年))?(?P<a>1[0-2]|[1-9])月?\s?(?:到|至|-|—|–|~|～)\s?(?P<b>1[0-2]|[1-9])月(?:份)?(?!\d)", _month_range),
    (r"(?<!\d)(?:(?P<y>(?:19|20)\d\d年|今年|去年|前年))?(?P<m>1[0-2]|0?[1-9])月(?P<a>3[01]|[12]\d|0?[1-9])[日号]?\s?(?:到|至|-|—|–|~|～)\s?(?P<b>3[01]|[12]\d|0?[1-9])[日号]", _day_range),
    (r"(?P<which>本|这个|上个?|上一|上一个|下个?)月(?P<d>3[01]|[12]\d|0?[1-9])[日号]", _day_of_month),
    (r"\b(?:FY|fiscal\s+(?:year\s+)?)\s?'?(?P<y>(?:20)?\d\d)\b", _fiscal_year),
    (r"\b(?P<y>this|last|next|previous|current)\s+fiscal\s+year\b", _fiscal_year),
    (r"\b(?P<y>this|last|next|previous|current)\s+fiscal\s+quarter\b", _fiscal_quarter),
    (r"(?P<y>20\d\d)\s?财年|财年(?P<y2>20\d\d)", lambda m, c: fiscal_year(c, int(m["y"] or m["y2"]))),
    (r"(?P<y>本|上个?|上一|上一个|下个?)财年", _fiscal_year),
    (r"\b(?:the\s+)?(?P<y>(?:19|20)\d0)'?s\b", _decade),
    (rf"\b(?P<which>this|last|next)\s+(?P<weekday>{alternatives(WEEKDAYS)})\b", _weekday),
    (r"(?P<which>本|这|上个?|上上|下个?)(?:周|星期|礼拜)(?P<weekday>[一二三四五六日天])(?!共|件|个|次|单|均|常|直|些)", _weekday),
    (r"\b(?:the\s+)?(?P<grain>week|month|quarter|year)\s+before\s+last\b", _before_last),
)  # fmt: skip

NAMED = r"(?<!id )(?<!number )(?<!no )(?<!code )(?<!model )(?<!iPhone )(?<!#)"
BARE_YEAR = re.compile(
    r"(?<!\d)(?P<zh>(?:19|20)\d\d|[一二][零〇一二三四五六七八九]{3})\s?年(?:度|全年)?(?!龄)"
    rf"|(?<![A-Za-z_\d.,$¥￥])(?<!\b\d[-/])(?<!\b\d\d[-/]){NAMED}{COMPARED}{COMPARED_ZH}(?P<y>(?:19|20)\d\d)"
    rf"(?![A-Za-z_\d%％]|[.,:]\d|[-/]\d{{1,2}}(?!\d)){AFTER_NUMBER}",
    re.I,
)

CHINESE = re.compile("[\u4e00-\u9fff]")


def compiled(table: tuple[tuple[str, Action], ...]) -> tuple[tuple[re.Pattern[str], Action, bool], ...]:
    """Rules ready to run; the flag says that only a text with Chinese in it can match."""
    return tuple((re.compile(pattern, re.I), act, CHINESE.search(pattern) is not None) for pattern, act in table)


COMPILED_PARTS = compiled(PARTS)
COMPILED_WHOLE = compiled(WHOLE)
# No rule matches a text without one of these.
TRIGGER = re.compile(
    r"\d{4}|\d[-/]\d|Q\d|H[12]|day|week|month|quarter|year|tomorrow|half|YTD|QTD|MTD|WTD|FY|fiscal|christmas|double"
    r"|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|[年月日号天周季旬期旦诞节双黑]|国庆|礼拜|环比|同比|[YMQWD]o[YMQWD]|\d0'?s|ago|618",
    re.I,
)
