"""Ways of saying that other words say as well: a question is put into these before its words are owned.

Nothing here knows a database, but one rule asks whether a word is one of its things. What is taken away says again what stands
beside it, and only where it says the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from inquery.language.numbers import numbers_in

IsThing = Callable[[str], bool]
"""Whether a word names a thing or a column of the database."""

_ORDINAL = r"(?:first|second|third|fourth|1st|2nd|3rd|4th)"
_UNIT_SAID = re.compile(rf"\b{_ORDINAL} (?P<unit>quarter|half)\b", re.I)
_UNIT_LEFT_OUT = re.compile(rf"\bthe {_ORDINAL}(?=\s*(?:[,.;:?!)]|$|of\b|and\b|by\b|in\b))", re.I)
_ONE_BY_ONE = re.compile(r"\b(?P<thing>[a-z]+(?: [a-z]+)?) (?:by|for) (?P=thing)\b", re.I)
_UNITS_OF_TIME = ("day", "week", "month", "quarter", "year", "one", "side")
_GO_INTO = re.compile(
    r"\bhow many (?P<part>\w+) (?:go|goes|went|are there|are|were|fit|come|does|do) (?:into|in|on|to|with)? ?"
    r"(?:an?|one|each|every|a single|the average) (?P<whole>\w+)"
    r"(?: (?:have|contain|hold|include)\b)?",
    re.I,
)
_ON_AVERAGE = re.compile(r"\b(?:on average|average|typical(?:ly)?|mean)\b", re.I)
_ONE_OF = re.compile(r"平均(?:来说|下来)?[，,]?一(?P<unit>[单个张家位名])")
_YEAR_AGO = re.compile(
    r"(?:一年前|1年前|上一年|上年)的?(?=(?:\d{1,2}|[一二三四五六七八九十]{1,2})月|[一二三四]季度|第[一二三四]季度|[上下]半年)"
)
# Where a year is named, the one before is the one before that, and not before today.
_YEAR_BEFORE_IT = re.compile(
    r"(?<=(?:19|20)\d\d)(?P<named>年?[^，,。；;？?\d]*[比较与和跟同]了?)(?:上一年度?|上年度?|上一个年度)(?![的同\d一二三四五六七八九十第上下])"
)
_SAME_PART = re.compile(
    r"(?P<part>(?:the )?(?:first|last) (?:\w+ )?(?:months?|weeks?|days?|quarters?|half)) of (?P<year>(?:19|20)\d\d)"
    r"(?P<between>[^.?!;]*?)\b(?:the )?(?:same|corresponding|equivalent) (?:months?|weeks?|days?|quarters?|half|period|part|stretch|time)"
    r" (?:of|in) (?P<other>(?:19|20)\d\d)\b",
    re.I,
)
# 与2025年同期相比 of a part of 2026 is 去年同期 of it.
_SAME_OF_YEAR = re.compile(r"(?P<year>(?:19|20)\d\d)\s*年?度?的?(?:同期|同一时期|同一时段|同时期)")
_SAME_OF_YEAR_EN = re.compile(
    r"\b(?:the )?(?:same|corresponding|equivalent) (?:period|time|months?|weeks?|days?|quarters?|half|stretch)"
    r" (?:of|in) (?P<year>(?:19|20)\d\d)\b",
    re.I,
)
_THAT_YEAR = re.compile(r"(?<!\d)(?:当年|该年|那年)(?:度)?")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
# 被取消的订单 are 取消的订单; a 被保险人 is no 保险人.
_PASSIVE = re.compile(r"被(?=取消|退[回货款订]|拒[绝收]|驳回|作废|删除|关闭|终止|撤[销回])")
_SELLER = re.compile(
    r"(?P<led>最[好高多差低少强佳]的|第一的|[名位]|哪个|哪一个)销售(?=是谁|是哪|有哪|叫|[，,。？?、和]|$|各|分别)"
)
_INCLUDED = re.compile(
    r"(?P<open>[（(，,])\s*(?:含|包括|包含|含有)\s*(?P<number>\d+)\s*[次单个家件名位人张笔]?\s*(?:在内)?(?=[）)，,])"
    r"|(?P<open_en>[(,])\s*(?P<number_en>\d+) (?:itself |is )?included(?=[),.?]|$)",
    re.I,
)
_EDGE = re.compile(r"以上|及以上|以下|及以下|\bor more\b|\bor fewer\b|\bor less\b|\bat least\b|\bat most\b", re.I)
_MOVING = re.compile(r"\b(?:moving|rolling|trailing) (?:average|mean)|移动平均|滚动平均|移动均值", re.I)
_WINDOW = re.compile(
    r"[,;:(—–]\s*(?:i\.e\.,? |that is,? |meaning |so )?(?:each|every|the|this|that|current)\b[^.?!,;()]*?"
    r"\b(?:averaged|plus|and|with|together)\b[^.?!,;()]*\b(?:before|preceding|previous|prior)\b[^.?!,;()]*\)?"
    r"|[（(，,：:][^）)，,。]*(?:当|本|该)(?:月|季度|季|周|日|天|期)[^）)，,。]*[前上][^）)，,。]*[）)]?",
    re.I,
)


def put_plainly(question: str, is_thing: IsThing) -> str:
    """The question in words that have an owner; what it asks stays the same."""
    question = _SAME_PART.sub(_lend_part, lend_unit(question))
    question = same_part_a_year_earlier(question)
    question = _PASSIVE.sub("", question)
    question = _ONE_BY_ONE.sub(lambda said: _by(said, is_thing), question)
    if _ON_AVERAGE.search(question):
        question = _GO_INTO.sub(lambda said: f"average {said['part']} per {said['whole']}", question)
    if not re.search(r"(?<!\d)(?:19|20)\d\d", question):
        question = _YEAR_AGO.sub("去年", question)
    else:
        question = _YEAR_BEFORE_IT.sub(lambda said: f"{said['named']}前一年", question)
    question = _ONE_OF.sub(lambda said: f"平均每{said['unit']}", question)
    if is_thing("销售员"):
        question = _SELLER.sub(lambda said: f"{said['led']}销售员", question)
    return without_window(without_edge(question))


def _lend_part(said: re.Match[str]) -> str:
    """`The first five months of 2025 with the same months of 2024`: the first five months of 2024."""
    return f"{said['part']} of {said['year']}{said['between']}{said['part']} of {said['other']}"


def same_part_a_year_earlier(question: str) -> str:
    """`The first quarter of 2026 against the same period of 2025`: a year earlier, where no other year is named.

    当年 of a question about one year is that year, and not this one.
    """
    years = {int(said) for said in _YEAR.findall(question)}
    if len(years) == 1:
        return _THAT_YEAR.sub("", question)
    for pattern, words in ((_SAME_OF_YEAR, "去年同期"), (_SAME_OF_YEAR_EN, "the same period a year earlier")):
        said = pattern.search(question)
        if said and years == {int(said["year"]), int(said["year"]) + 1}:
            rest = question[: said.start()] + words + question[said.end() :]
            # The other year has to be said by itself: of 2025 and 2026 the same period is that of 2026.
            return rest if str(int(said["year"]) + 1) in rest else question
    return question


def lend_unit(question: str) -> str:
    """`Sold in the second quarter but not in the third`: the third quarter."""
    said = _UNIT_SAID.search(question)
    if said is None:
        return question
    head, tail = question[: said.end()], question[said.end() :]
    return head + _UNIT_LEFT_OUT.sub(lambda found: f"{found[0]} {said['unit']}", tail)


def _by(said: re.Match[str], is_thing: IsThing) -> str:
    """`Channel by channel` is by channel; month by month has a phrase of its own."""
    thing = said["thing"]
    return f"by {thing}" if thing.lower() not in _UNITS_OF_TIME and is_thing(thing) else said[0]


def without_edge(question: str) -> str:
    """35次以上（含35次）: that the edge counts is said by 以上 already."""
    said = _INCLUDED.search(question)
    if said is None or not _EDGE.search(question[: said.start()]):
        return question
    number = said["number"] or said["number_en"]
    if not re.search(rf"(?<!\d){number}(?!\d)", question[: said.start()]):
        return question
    head, rest = question[: said.start()], question[said.end() :]
    opened = said["open"] or said["open_en"]
    if opened in "（(":
        rest = rest[1:] if rest[:1] in "）)" else opened + re.sub(r"^[，,]\s*", "", rest)
    return head + rest


def without_window(question: str) -> str:
    """`Three-month moving average, each month averaged with the two before it`: the window once more, where it is as long."""
    moving = _MOVING.search(question)
    told = _WINDOW.search(question, moving.end()) if moving else None
    if moving is None or told is None:
        return question
    sizes = {hit.value for hit in numbers_in(question[: moving.start()])}
    before = [hit.value for hit in numbers_in(told[0])]
    if len(before) != 1 or before[0] + 1 not in sizes:
        return question
    return question[: told.start()] + question[told.end() :]
