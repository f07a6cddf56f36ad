"""Periods opened to one side: since, after, before, until and their Chinese twins, and the edges they may name."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta

from inquery.language.dates import DAY, MONTH, OPEN_END, OPEN_START, WEEK, Span
from inquery.language.period_rules import Found
from inquery.language.period_words import led_by

OF = r"(?:the\s+)?(?:(?:year|date|season|day)\s+)*['\"“]?"
NOW_AFTER = re.compile(
    r"\s*(?:及(?:以|之)后|[(（]含[^)）]{0,4}[)）](?:以|之)?后|至今|到现在|到目前为止|以来|起(?![保租草诉飞运步点息薪始付售降])|开始|onwards?\b|on(?:ward)?\b|(?:and|or)\s+later\b"
    r"|(?:and|or)\s+after(?=\s*(?:[,.;?!)]|$))|to\s+(?:now|date)\b)",
    re.I,
)
AFTER_AFTER = re.compile(r"\s*(?:之后|以后|后(?!半))")
BEFORE_AFTER = re.compile(r"\s*(?:之前|以前|前(?!\d|[一二两三四五六七八九十]))")
UNTIL_AFTER = re.compile(
    r"\s*(?:为止|及(?:以|之)前|[(（]含[^)）]{0,4}[)）](?:以|之)?前|(?:以|之)?前\s*[(（]含[^)）]{0,4}[)）]|(?:and|or)\s+earlier\b|(?:and|or)\s+before(?=\s*(?:[,.;?!)]|$)))",
    re.I,
)
FROM_BEFORE = re.compile(r"(?:自从?|从|\bfrom\s+|\bsince\s+)$", re.I)
SINCE_BEFORE = re.compile(
    r"(?:\b(?:since|(?:valid|effective|dating|running|counting)\s+from|starting(?:\s+(?:from|in|on|at|with))?"
    r"|beginning\s+(?:in|on|at|with)|on\s+or\s+after|(?:no|not)\s+earlier\s+than|not\s+before)\s+"
    rf"{OF}|自从?|不早于)$",
    re.I,
)
# Policies starting in 2025 and 2025年开始的项目 begin then; what starts so at the head of a sentence goes on from there.
BEGUN_BEFORE = re.compile(r"(?<![,，.;:])\s(?:starting|beginning)\s+(?:in|on|at)\s+(?:the\s+)?$", re.I)
BEGUN_AFTER = re.compile(r"\s*开始(?:的|[执履]行|实施|生效|营业|施工|供货|合作|服务|上课|使用|投产|计[息费])")
UNTIL_BEFORE = re.compile(
    r"(?:\b(?:until|till|up\s+to|through|(?:no|not)\s+later\s+than|not\s+after|on\s+or\s+before)\s+"
    rf"{OF}|截至|截止到?|直到|不[晚迟]于)$",
    re.I,
)
AFTER_BEFORE = re.compile(rf"(?:\b(?:after|later\s+than|newer\s+than|following|past)\s+{OF}|晚于|迟于)$", re.I)
BEFORE_BEFORE = re.compile(rf"(?:\b(?:before|prior\s+to|earlier\s+than|older\s+than|preceding)\s+{OF}|早于)$", re.I)
# "by May" may be a grouping or a limit; "by 5 May" and "by the end of May" are limits.
# What stands as of a day is a matter of that day, of which a statement may still take all before.
BY_BEFORE = re.compile(r"\bby\s+(?:the\s+)?$", re.I)
EDGE_BEFORE = re.compile(r"\b(?:the\s+)?(?P<edge>start|beginning|end|close)\s+of\s+(?:the\s+)?(?:year\s+)?$", re.I)
AT_BEFORE = re.compile(r"\b(?:at|as\s+(?:of|at)|on|per)\s+$", re.I)
EDGE_AFTER = re.compile(r"[年月]?(?P<edge>[初底末])")


def one_sided(question: str, found: Found) -> Found:
    """The period that words around one make of it: `before the end of 2024`, 2024年底前, since March."""
    edge = _edge(question, found)
    return (edge and _opened(question, edge)) or _opened(question, found) or _last_day(question, found) or found


def _last_day(question: str, found: Found) -> Found | None:
    """The last day of a period whose end is a moment of its own, as stocks and balances have it: 5月底, `at the end of 2024`."""
    edge = _edge(question, found)
    if edge is None or edge.span.start != found.span.end or found.span.moment or found.span.rolling:
        return None
    if edge.start < found.start and found.span.grain != MONTH and not led_by(AT_BEFORE, question, edge.start):
        return None
    return replace(edge, span=Span(found.span.end - timedelta(1), found.span.end, DAY))


def _edge(question: str, found: Found) -> Found | None:
    """The first or last moment of a period, where one is named, as a span of no days."""
    span = found.span
    if span.moment:
        return Found(Span(span.moment, span.moment, span.grain), found.start, found.end)
    if led := led_by(EDGE_BEFORE, question, found.start):
        day = span.start if led["edge"].lower() in {"start", "beginning"} else span.end
        return Found(Span(day, day, span.grain), led.start(), found.end)
    tail = EDGE_AFTER.match(question, found.end)
    if tail and span.grain not in {DAY, WEEK}:  # 周末 is a weekend
        day = span.start if tail["edge"] == "初" else span.end
        return Found(Span(day, day, span.grain), found.start, tail.end())
    return None


def _opened(question: str, found: Found) -> Found | None:
    return _from_now_on(question, found) or _led(question, found) or _followed(question, found)


def _from_now_on(question: str, found: Found) -> Found | None:
    span, m = found.span, NOW_AFTER.match(question, found.end)
    if not m:
        return None
    led = led_by(FROM_BEFORE, question, found.start)
    if not led and BEGUN_AFTER.match(question, found.end):
        return None
    if led or not m.group().strip().startswith("on") or span.grain == DAY:
        return Found(Span(span.start, OPEN_END, span.grain), led.start() if led else found.start, m.end())
    return None


def _led(question: str, found: Found) -> Found | None:
    span = found.span
    # The inclusive ones come first: "on or before" ends with "before", 不晚于 with 晚于.
    sides = [
        (SINCE_BEFORE, span.start, OPEN_END),
        (UNTIL_BEFORE, OPEN_START, span.end),
        (AFTER_BEFORE, span.end, OPEN_END),
        (BEFORE_BEFORE, OPEN_START, span.start),
    ]
    if span.start == span.end:
        sides.insert(0, (BY_BEFORE, OPEN_START, span.end))
    elif span.grain == DAY:
        sides.append((BY_BEFORE, OPEN_START, span.end))
    begun = led_by(BEGUN_BEFORE, question, found.start)
    for pattern, start, end in sides if not begun else ():
        if m := led_by(pattern, question, found.start):
            return Found(Span(start, end, span.grain), m.start(), found.end)
    return None


def _followed(question: str, found: Found) -> Found | None:
    span = found.span
    for pattern, start, end in (
        (AFTER_AFTER, span.end, OPEN_END),
        (UNTIL_AFTER, OPEN_START, span.end),
        (BEFORE_AFTER, OPEN_START, span.start),
    ):
        if m := pattern.match(question, found.end):
            return Found(Span(start, end, span.grain), found.start, m.end())
    return None
