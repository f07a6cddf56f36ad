"""Decades and centuries: the 1990s, 上世纪90年代, the 19th century, 二十世纪."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date

from inquery.language.dates import YEAR, Clock, Span
from inquery.language.numbers import ORDINALS, chinese_number
from inquery.language.period_words import DECADES, alternatives

RELATIVE = {"last": -1, "previous": -1, "this": 0, "current": 0, "上": -1, "上个": -1, "本": 0, "这个": 0}
WORDS = {word: number for word, number in ORDINALS.items() if number > 10} | {"twenty-first": 21}


def _decade(m: re.Match[str], clock: Clock) -> Span | None:
    return _years(int(m["y"]), 10)


def _decade_of_century(m: re.Match[str], clock: Clock) -> Span | None:
    """The nineties, the '90s, 九十年代, 20世纪90年代; without a century, of the twentieth."""
    said = (m["decade"] or m["word"]).lower()
    decade = DECADES.get(said) or (int(said) if said.isdigit() else int(chinese_number(said) or 0))
    century = m.groupdict().get("century")
    return _years((_number(century, clock) if century else 20) * 100 - 100 + decade, 10)


def _century(m: re.Match[str], clock: Clock) -> Span | None:
    """A century, the half of one, or some in a row; the 19th is 1800 to 1899, so that it holds its decades."""
    last = _number(m["century"], clock)
    said = m.groupdict()
    first = _number(said["first"], clock) if said.get("first") else last
    if first > last or (said.get("both") and first + 1 < last):
        return None
    half = (said.get("half") or "").lower()
    start = last * 100 - (50 if half in {"second", "下", "后"} else 100)
    return _years(start, 50) if half else _years(first * 100 - 100, 100 * (last - first + 1))


def _number(said: str, clock: Clock) -> int:
    """The number of a century: 19th, nineteenth, 19, 十九, last, 上个."""
    text = said.lower().removesuffix("世纪").strip().replace(" ", "-")
    if text in RELATIVE:
        return clock.today.year // 100 + 1 + RELATIVE[text]
    digits = re.match(r"\d+", text)
    return int(digits.group()) if digits else WORDS.get(text) or int(chinese_number(text) or 0)


def _years(start: int, count: int) -> Span:
    return Span(date(start, 1, 1), date(start + count, 1, 1), YEAR)


ORDINAL = rf"(?:1[1-9]th|20th|21st|{alternatives(WORDS)}|twenty\s+first)"
NUMERAL = r"(?<!公元前)(?:(?<!\d)(?:1[1-9]|2[01])|(?<![一二三四五六七八九十第])(?:二十一?|十[一二三四五六七八九]))"
# A capital after a capital is a name, 20th Century Fox; so is the studio in small letters.
ENGLISH = r"(?:(?-i:century|centuries)\b|centur(?:y|ies)\b(?!\s+(?-i:[A-Z])))(?!\s+(?:fox|studios|bce?)\b)"
NO_NAME = r"(?!福克斯|影业|不动产|经济报道|的?\s?(?:[1-9]0(?!\d)|[一二三四五六七八九]{1,2}十))"

CENTURIES: tuple[tuple[str, Callable[[re.Match[str], Clock], Span | None]], ...] = (
    (r"\b(?:the\s+)?(?P<y>(?:1[5-9]|20)\d0)'?s\b", _decade),
    (r"(?<!\d)(?P<y>(?:1[6-9]|20)\d0)\s?年代", _decade),
    (rf"\bthe\s+(?:['‘’]?(?P<decade>[5-9]0)['’]?s|(?P<word>{alternatives(DECADES)}))\b", _decade_of_century),
    (rf"(?P<century>(?:上个?|本|{NUMERAL})\s?世纪)的?\s?(?P<decade>[1-9]0|[一二三四五六七八九]十)\s?年代", _decade_of_century),
    (r"(?<![\d世纪])(?P<decade>[5-9]0|[五六七八九]十)年代", _decade_of_century),
    (rf"(?:\bthe\s+)?(?:\b(?P<half>first|second)\s+half\s+of\s+(?:the\s+)?)?\b(?P<century>{ORDINAL})[\s-]+{ENGLISH}", _century),
    (rf"\bbetween\s+(?:the\s+)?(?P<first>{ORDINAL})(?:\s+century)?\s+and\s+(?:the\s+)?(?P<century>{ORDINAL})[\s-]+{ENGLISH}", _century),
    (rf"(?:\bthe\s+)?\b(?P<first>{ORDINAL})\s*(?:(?P<both>and|or)|to|through|-|–)\s*(?:the\s+)?(?P<century>{ORDINAL})[\s-]+{ENGLISH}", _century),
    (r"(?:\bthe\s+)?\b(?P<century>last|previous|this|current)\s+century\b", _century),
    (rf"(?P<century>(?:上个?|本|这个|{NUMERAL})\s?世纪)(?:的?(?P<half>[上下前后])半叶)?{NO_NAME}", _century),
    (rf"(?P<first>{NUMERAL})\s?(?:世纪)?\s?(?:到|至|-|–|—|~|～)\s?(?P<century>(?:{NUMERAL})\s?世纪){NO_NAME}", _century),
)  # fmt: skip
