"""Periods of time that a question names, resolved to half-open spans of days, in English and Chinese.

Open sides are `date.min` and `date.max`. Rolling periods end today: "last 7 days" is today and the six days
before, "last three months" begins on the day after the same date three months ago; "last month" is the calendar
month. A month, quarter or day without a year is the latest one that has begun.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache

from inquery.language import period_parts as parts
from inquery.language import period_rules as rules
from inquery.language.dates import (
    DAY,
    HALF,
    MONTH,
    OPEN_END,
    OPEN_START,
    QUARTER,
    WEEK,
    YEAR,
    Clock,
    Span,
    before,
    part_of_year,
    unit_at,
    unit_before,
    year_before,
)
from inquery.language.numbers import ORDINALS
from inquery.language.period_rules import Found
from inquery.language.period_sides import one_sided
from inquery.language.period_words import CAPITAL_MONTHS, led_by, year_of

LONGEST_GAP = 24  # characters between the two ends of a range: " through to the end of "
GRAIN_ORDER = (DAY, WEEK, MONTH, "quarter", "half", YEAR)


@dataclass(frozen=True, slots=True)
class Period:
    """Days from `start` up to, not including, `end`, with the words that said so."""

    start: date
    end: date
    text: str
    span: tuple[int, int]
    grain: str


SPACED = re.compile(r"(?<=[\u4e00-\u9fff])[ \t]+(?=\d)|(?<=\d)[ \t]+(?=[年月日号天周季旬个])")
"""Spaces that many set around figures in Chinese."""
BETWEEN_BEFORE = re.compile(
    r"(?:\b(?:between|from)\s+(?:the\s+)?(?:(?:start|beginning)\s+of\s+)?|介于|从|自|在)$", re.I
)
BETWEEN_MIDDLE = re.compile(r"\s*(?:and|和|与|以及|到|至)\s*(?:the\s+end\s+of\s+)?", re.I)
RANGE_MIDDLE = re.compile(
    r"(?:年?初)?\s*(?:to|until|till|through|thru|up\s+to|到|至|直到|-|–|—|~|～|－)\s*(?:the\s+)?(?:end\s+of\s+)?", re.I
)
BETWEEN_AFTER = re.compile(r"\s*(?:之间|期间|间)")
LIST_MIDDLE = re.compile(
    r"\s*(?:,|、|，|and|or|和|与|及|vs\.?|versus|than|against|compared\s+(?:to|with)|对比|比|较|跟|&|/)\s*(?:and\s+|in\s+|of\s+)?",
    re.I,
)
YEAR_ON_YEAR = re.compile(r"同比|\byear[\s-]+(?:over|on)[\s-]+year\b|\bYoY\b", re.I)
SAME_PART = re.compile(
    r"\b(?:same|corresponding|equivalent|comparable)\s+(?:number\s+of\s+|(?!of\b|in\b|as\b)\w+\s+){0,2}?"
    r"(?:period|time(?:\s?frame)?|stretch|span|window|point|part|portion|stage|days?|dates?|weeks?|months?|quarters?|half|halves)\s+"
    r"(?:(?:of|in|from|during|for|the|that|one|a)\s+)*"
    r"(?:(?P<named>(?:19|20)\d\d)|(?:last|previous|prior|preceding)\s+(?P<unit>year|month|quarter|week)"
    r"|(?P<ago>year|month|quarter|week)\s+(?:before|ago|earlier|prior|previous(?:ly)?))\b"
    r"|(?:(?P<named_zh>(?:19|20)\d\d)年?度?|(?P<year_zh>[去上]年度?|上一年度?|前一年度?)|上一?个?(?P<unit_zh>月|季度?|周|星期))的?"
    r"(?:同期|同一?(?:时期|时间段?|时段|期间|个?季度?|个?月份?|周)|同样的?(?:时期|时间段?|时段)|相同(?:时期|时间段?|时段))",
    re.I,
)
"""A part of another year, quarter, month or week that is named by the one it is held against."""
PERIOD_ON_PERIOD = re.compile(
    r"环比|上期|\b(?:month|quarter|week|day)[\s-]+(?:over|on)[\s-]+(?:month|quarter|week|day)\b|\b(?:MoM|QoQ|WoW|DoD)\b"
    r"|\b(?:compared\s+(?:to|with)|vs\.?|versus|than)\s+the\s+(?:previous|prior|preceding)\s+(?:period|one)\b",
    re.I,
)
UNIT_BEFORE_IT = re.compile(
    r"\bthe\s+(?P<unit>month|quarter|week|day|year)\s+(?:before|prior|earlier)\b(?!\s+(?:the|last|that|this|it\b|\d))"
    r"|\b(?:that\s+of\s+)?the\s+(?:previous|preceding|prior)\s+(?P<unit2>month|quarter|week|day|year)\b"
    r"|(?<![\d一二三四五六七八九十])前一个?(?P<unit_zh>月|季度?|周|星期)(?!来|以)",
    re.I,
)
"""The period before the one that was named, and not before today."""
VERSUS_BEFORE = re.compile(
    r"(?:\b(?:vs\.?|versus|compared\s+(?:to|with)|against|relative\s+to)\s+(?:the\s+)?(?:that\s+(?:of|in)\s+)?|对比|相比|较|比)$",
    re.I,
)
ORDINAL_AFTER = re.compile(
    r"\b(?:vs\.?|versus|compared\s+(?:to|with)|against|relative\s+to|than|over|from|and)\s+(?P<part>the\s+(?P<which>first|second|third|fourth))"
    r"(?=\s*(?:[?,.;!)]|$)|\s+(?:one|by|in|for)\b)",
    re.I,
)
VERB_AFTER = re.compile(rf"\s+(?:\w+ing|to(?!\s+(?:{CAPITAL_MONTHS})\b)|be|I|we|you|the|it)\b")
UNITS_SAID = {
    "month": MONTH,
    "quarter": "quarter",
    "week": WEEK,
    "day": DAY,
    "m": MONTH,
    "q": "quarter",
    "w": WEEK,
    "d": DAY,
}
CHANGE = re.compile(
    r"\b(?:gr[eo]w\w*|growth|increas\w*|decreas\w*|r[io]se|risen|rising|fall(?:en|ing|s)?|fell|drop\w*|declin\w*|gain\w*|shr[aiu]nk\w*|lost"
    r"|percentage change|up or down)\b|增长|增减|增加|减少|下降|上升|上涨|下跌|增幅|降幅|涨幅|跌幅|增了|减了|涨了|跌了",
    re.I,
)
DEVELOPMENT = re.compile(r"\b(?:chang\w*|develop\w*|evol\w*|compar\w*|differ\w*)\b|变化|相比|对比|差了", re.I)
SERIES = re.compile(
    r"\b(?:each|every|per|by|the|which|what)\s+(?:year|month|quarter|week|day)s?\b(?!\s+to\b)|\b(?:monthly|yearly|annual\w*|quarterly|weekly|daily)\b"
    r"|\b(?:year|month|quarter|week|day)[- ](?:by|on|over)[- ](?:year|month|quarter|week|day)\b|\btrends?\b|\bhistory\b"
    r"|[每各逐按][一个]?(?:年|月|季|周|天|日)|(?:列出|显示)(?:年份|月份|季度|日期)|趋势|走势|同比|环比|[上前][个一]?(?:月|年|季度|周)",
    re.I,
)
"""What makes of a span a series of its years or months."""
UNITS_ZH = {"月": MONTH, "季": QUARTER, "季度": QUARTER, "周": WEEK, "星期": WEEK}


def periods_in(question: str, *, today: date, week_start: int = 1, fiscal_start: int = 1) -> list[Period]:
    """Every period the question names, in order; a comparison gives both of its periods."""
    return list(_periods(question, Clock(today, week_start, fiscal_start))) if rules.TRIGGER.search(question) else []


@lru_cache(maxsize=64)  # a run asks six times of one question: for its key, its schema, its words and its check
def _periods(question: str, clock: Clock) -> tuple[Period, ...]:
    text, places = _closed_up(question)
    found = _ranges(text, _atoms(text, clock))
    found = _unit_before_it(_same_part([one_sided(text, each) for each in found], text, clock), text)
    found += _compared(text, found, clock)
    found.sort(key=lambda f: (f.start, f.span.start))
    borders = [(places[f.start], places[f.end - 1] + 1) for f in found]
    return tuple(
        Period(f.span.start, f.span.end, question[start:end], (start, end), f.span.grain)
        for f, (start, end) in zip(found, borders, strict=True)
        if f.span.start < f.span.end
    )


def _closed_up(question: str) -> tuple[str, Sequence[int]]:
    """The question without the spaces of 去年 11 月, and where each of its characters stood."""
    if not SPACED.search(question):
        return question, range(len(question))
    left_out = {place for match in SPACED.finditer(question) for place in range(match.start(), match.end())}
    places = [place for place in range(len(question)) if place not in left_out]
    return "".join(question[place] for place in places), places


def _atoms(question: str, clock: Clock) -> list[Found]:
    """Single periods; of overlapping ones the longest stays."""
    found = [*_whole(question, clock), *_parts(question, clock), *_years(question, clock)]
    found += [week for each in found if (week := rules.week_of(question, each, clock))]
    # `March 2024` is found as the year 2024 too, which is more than was said.
    kept: list[Found] = []
    taken = bytearray(len(question))  # a mark a character: to compare each with all others takes a second for 1,700
    for each in sorted(found, key=lambda f: (f.start - f.end, f.start)):
        if not any(taken[each.start : each.end]):
            taken[each.start : each.end] = b"\1" * (each.end - each.start)
            kept.append(each)
    return sorted(kept, key=lambda f: f.start)


def _whole(question: str, clock: Clock) -> Iterator[Found]:
    ascii_only = question.isascii()
    for pattern, reader, chinese in rules.whole_rules():
        for match in pattern.finditer(question) if not (chinese and ascii_only) else ():
            span = reader(match, clock)
            if span:
                part = rules.portion_said(match) if reader is rules.year_portion else None
                yield Found(span, match.start(), match.end(), part=part)


def _parts(question: str, clock: Clock) -> Iterator[Found]:
    ascii_only = question.isascii()
    for pattern, dated, chinese in rules.part_rules():
        for match in pattern.finditer(question) if not (chinese and ascii_only) else ():
            yield from _with_year(question, match, dated, clock)
    for match in parts.SHY_MONTHS.finditer(question):
        yield from _with_year(question, match, parts.month_part, clock, shy=True)


def _with_year(
    question: str, match: re.Match[str], dated: parts.Dated, clock: Clock, *, shy: bool = False
) -> Iterator[Found]:
    """A part of a year together with the year said before or after it."""
    in_year = dated(match)
    start, end = match.span()
    if following := _in_next_year(question, match, in_year, clock, shy=shy):
        yield following
        return
    earlier = led_by(parts.YEAR_BEFORE, question, start)
    later = parts.YEAR_AFTER.match(question, end)
    lean = led_by(parts.LEAN_BEFORE, question, start)
    if later and not (earlier and earlier.group(1)):
        span, end = in_year(year_of(later.group(1) or later.group(2), clock)), later.end()
    elif earlier:
        span, start = in_year(year_of(earlier.group(1) or earlier.group(2), clock)), earlier.start()
    elif lean:
        span, start = _leaning(in_year, lean.group(1).lower(), clock), lean.start()
    elif (shy and not _capital_or_led(question, match)) or _is_a_person(question, match):
        return
    else:
        span = parts.latest(in_year, clock)
        if span:
            yield Found(span, start, end, in_year)
        return
    if span:
        yield Found(span, start, end, part=in_year)


def _in_next_year(
    question: str, match: re.Match[str], in_year: parts.InYear, clock: Clock, *, shy: bool
) -> Found | None:
    """A part of the year after another: 次年2月, `February of the following year`; alone it is read as ever."""
    a_word = shy and not _capital_or_led(question, match)  # the following may be late
    led = None if a_word else led_by(parts.NEXT_BEFORE, question, match.start())
    tail = parts.NEXT_AFTER.match(question, match.end())
    span = in_year(clock.today.year + 1) if tail else parts.latest(in_year, clock) if led else None
    if span is None:
        return None
    return Found(span, led.start() if led else match.start(), tail.end() if tail else match.end(), follows=in_year)


def _leaning(in_year: parts.InYear, word: str, clock: Clock) -> Span | None:
    """`last November`, `this March`, `next May`."""
    year = clock.today.year
    this = in_year(year)
    if this is None or word == "this":
        return this
    if word == "last":
        return this if this.end <= clock.today else in_year(year - 1)
    return this if this.start > clock.today else in_year(year + 1)


def _capital_or_led(question: str, match: re.Match[str]) -> bool:
    """May and Mar are months after a preposition; other short names also when they are capitalised."""
    led = led_by(parts.PREPOSITION, question, match.start()) is not None
    if match["month"].lower() in {"may", "march"}:
        followed = VERB_AFTER.match(question, match.end()) is not None
        return (match["month"][0].isupper() or (led and match["month"] == "march")) and not followed
    return led or match["month"][0].isupper()


def _is_a_person(question: str, match: re.Match[str]) -> bool:
    return bool(led_by(parts.PERSON_BEFORE, question, match.start()) or parts.PERSON_AFTER.match(question, match.end()))


def _years(question: str, clock: Clock) -> Iterator[Found]:
    for match in rules.BARE_YEAR.finditer(question):
        if match["short"] and not rules.is_short_year(match["short"], clock):
            continue
        year = year_of(match["y"] or match["zh"] or match["short"] or match["old"], clock)
        yield Found(Span(date(year, 1, 1), date(year + 1, 1, 1), YEAR), match.start(), match.end(), is_year=True)


def _ranges(question: str, atoms: list[Found]) -> list[Found]:
    """Joins `from A to B` and `between A and B`; a neighbour lends its year to a period without one."""
    made: list[Found] = []
    for each in atoms:
        gap = question[made[-1].end : each.start] if made else ""
        if not made or len(gap) > LONGEST_GAP:
            made.append(each)
            continue
        ranged = _is_range(question, made[-1], each, gap)
        first, second = _year_after(question, made.pop(), each, ranged=ranged)
        if ranged and (sides := _sides(question, first, second)):
            made += sides
        elif ranged:
            made.append(_join(question, first, second))
        else:
            made += _lend(*_alike(question, first, second)) if LIST_MIDDLE.fullmatch(gap) else (first, second)
    return made


def _alike(question: str, first: Found, second: Found) -> tuple[Found, Found]:
    """Two years of a list with the part that one of them names: 24年和25年上半年, `the first half of 2024 and of 2025`."""
    if first.is_year and second.part and "年" in question[second.start : second.end]:
        span = second.part(first.span.start.year)
        return (Found(span, first.start, first.end) if span else first), second
    if second.is_year and first.part and "年" not in question[first.start : first.end]:
        span = first.part(second.span.start.year)
        return first, (Found(span, second.start, second.end, part=first.part) if span else second)
    return first, second


def _year_after(question: str, first: Found, second: Found, *, ranged: bool) -> tuple[Found, Found]:
    """The second in the year after the first where it says so; `next year` alone means that in a range from 2024 on."""
    bare = parts.NEXT_YEAR.search(question[second.start : second.end])
    if not second.follows or (bare and not (ranged and re.search(r"\d{4}", question[first.start : first.end]))):
        return first, second
    span = second.follows(first.span.start.year + 1)
    return replace(first, in_year=None), replace(second, span=span, follows=None) if span else second


def _is_range(question: str, first: Found, second: Found, gap: str) -> bool:
    if RANGE_MIDDLE.fullmatch(gap):
        return True
    if not BETWEEN_MIDDLE.fullmatch(gap):
        return False
    # 在3月和4月 are two months, 在3月和4月之间 is one period: 在 alone only says in.
    led = led_by(BETWEEN_BEFORE, question, first.start)
    return (led is not None and led.group().strip() != "在") or BETWEEN_AFTER.match(question, second.end) is not None


def _sides(question: str, first: Found, second: Found) -> tuple[Found, Found] | None:
    """The two sides of a change: how sales grew from 2023 to 2024 is not what was sold in both years; None for a span.

    What is asked for each year or month of a span is a series, and neighbours alone are sides of a mere development.
    """
    hard = CHANGE.search(question)
    if not (hard or DEVELOPMENT.search(question)) or SERIES.search(question):
        return None
    left, right = _lend(first, second)
    apart = left.span.grain == right.span.grain and left.span.end <= right.span.start
    near = left.span.end == right.span.start
    return (left, right) if apart and (near or (hard and left.is_year and right.is_year)) else None


def _lend(first: Found, second: Found) -> tuple[Found, Found]:
    """Give both the same year where only one of them says it."""
    if first.in_year and not second.in_year and not second.is_year:
        span = first.in_year(second.span.start.year)
        first = Found(span, first.start, first.end) if span else first
    elif second.in_year and not first.in_year and not first.is_year:
        span = second.in_year(first.span.start.year)
        second = Found(span, second.start, second.end) if span else second
    return first, second


def _join(question: str, first: Found, second: Found) -> Found:
    left, right = _lend(first, second)
    if left.span.start > right.span.start:
        left, right = _across_new_year(first, second, left, right)
    grain = min(left.span.grain, right.span.grain, key=GRAIN_ORDER.index)
    start, end = sorted((left.span, right.span), key=lambda s: s.start)
    led = led_by(BETWEEN_BEFORE, question, first.start)
    tail = BETWEEN_AFTER.match(question, second.end)
    # This year through October ends with it.
    last = end.end if start.start < end.start else max(start.end, end.end)
    span = Span(start.moment or start.start, end.moment or last, grain, rolling=True)
    return Found(span, led.start() if led else first.start, tail.end() if tail else second.end)


def _across_new_year(first: Found, second: Found, left: Found, right: Found) -> tuple[Found, Found]:
    """`November to March`, `November to March 2025` and `November 2024 to March`: the one without a year moves."""
    if first.in_year:
        # January to December are of one year, though the latest January is later than the latest December.
        same = first.in_year(right.span.start.year)
        if same and same.start <= right.span.start:
            return replace(left, span=same), right
        earlier = first.in_year(right.span.start.year - 1)
        return (replace(left, span=earlier) if earlier else left), right
    later = second.in_year(left.span.start.year + 1) if second.in_year else None
    return left, (replace(right, span=later) if later else right)


def _same_unit_after(question: str, only: Found, clock: Clock) -> Found | None:
    """The second quarter of `the third quarter against the second`: the unit is said once."""
    said = ORDINAL_AFTER.search(question, only.end)
    if said is None or only.span.grain not in (HALF, QUARTER):
        return None
    number = ORDINALS[said["which"].lower()]
    year = only.span.start.year
    spans = [part_of_year(year - back, only.span.grain, number) for back in (0, 1)]
    begun = [span for span in spans if span is not None and span.start <= clock.today]
    return Found(begun[0], said.start("part"), said.end("part")) if begun else None


def _same_part(found: list[Found], question: str, clock: Clock) -> list[Found]:
    """The periods with the part that is the same of another time: `last year` alone is not what `the same days of last year` says."""
    said = SAME_PART.search(question)
    if said is None:
        return found
    others = _around(found, said)
    if others is None:
        return found
    closed = [each for each in others if each.span.start != OPEN_START and each.span.end != OPEN_END]
    named, unit = said["named"] or said["named_zh"], (said["unit"] or said["ago"] or said["unit_zh"] or "year").lower()
    led = [each.span for each in closed if each.start < said.start()]
    base = led[-1] if led else next((each.span for each in closed), None)
    if base is None and (others or named or unit != "year"):
        return found
    base = base or unit_at(clock, MONTH)
    if named and int(named) == base.start.year:
        return found
    if named or unit == "year":
        span = year_before(base, base.start.year - int(named) if named else 1)
    else:
        span = unit_before(base, UNITS_SAID.get(unit) or UNITS_ZH[unit])
    return [*others, Found(span, *said.span())]


def _unit_before_it(found: list[Found], question: str) -> list[Found]:
    """The periods with the one before one of them: how many last month and how many the month before."""
    said = UNIT_BEFORE_IT.search(question)
    led = [each for each in found if said and each.end <= said.start()]
    if said is None or not led:
        return found
    unit, base = (said["unit"] or said["unit2"] or said["unit_zh"]).lower(), led[-1].span
    grain = YEAR if unit == "year" else UNITS_SAID.get(unit) or UNITS_ZH[unit]
    if not base.is_one_unit or grain not in (YEAR, base.grain):
        return found
    earlier = before(base) if base.grain == grain else year_before(base)
    others = _around(found, said)
    return found if others is None else [*others, Found(earlier, *said.span())]


def _around(found: list[Found], said: re.Match[str]) -> list[Found] | None:
    """The periods but those within some words; None where one goes beyond them: September of the previous year."""
    others = [each for each in found if each.start < said.start() or said.end() < each.end]
    return None if any(each.start < said.end() and said.start() < each.end for each in others) else others


def _compared(question: str, found: list[Found], clock: Clock) -> list[Found]:
    """The second period of a comparison that names only one: 同比, 环比, MoM, `vs last month`."""
    extra: list[Found] = []
    closed = [f.span for f in found if f.span.start != OPEN_START and f.span.end != OPEN_END]
    for pattern, other in ((YEAR_ON_YEAR, year_before), (PERIOD_ON_PERIOD, before)):
        match = pattern.search(question)
        if not match:
            continue
        base = next(iter(closed), None)
        if base is None:
            said = re.split(r"[\s-]|o", match.group().lower())[0]
            base = unit_at(clock, UNITS_SAID.get(said, MONTH))
            extra.append(Found(base, *match.span()))
        extra.append(Found(other(base), *match.span()))
    if len(found) == 1 and not extra and found[0].span in closed:
        only = found[0]
        if part := _same_unit_after(question, only, clock):
            return [part]
        if led_by(VERSUS_BEFORE, question, only.start) and not only.span.rolling:
            this = unit_at(clock, only.span.grain)
            if this.start != only.span.start:
                extra.append(Found(this, only.start, only.end))
    return extra
