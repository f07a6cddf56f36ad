"""What a question asks for, part by part: measures, groupings, rankings, negations, numbers with their words.

Read by rules of words alone, without a schema, in both languages to the same few kinds, so that a small model reads 每个部门的平均工资
and "the average salary of each department" alike. What no rule knows is left out: a part that is missing costs less than
a wrong one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from inquery.language.concepts import segments
from inquery.language.lexicon import lexicon
from inquery.language.numbers import ORDINAL, YEAR, NumberHit, numbers_in
from inquery.language.text import has_cjk

MOST = 10
"""Parts of one question; who asks for more is asked to say it in two."""


@dataclass(frozen=True, slots=True)
class Part:
    """One thing a question asks for: its kind, the words it is about, and where these stand.

    Kinds: count, sum, avg, max, min, share, distinct, by, sort, desc, asc, top, not, and the comparisons of a number.
    """

    kind: str
    words: str
    start: int
    end: int
    number: str = ""


_STOP = (
    "a|an|the|of|in|on|at|by|for|to|from|with|and|or|is|are|was|were|be|been|do|does|did|has|have|had|that|which|who|whose|"
    "their|its|there|each|every|per|than|as|it|they|we|our|all|any|how|what|when|where|show|list|give|me|please|"
    "more|less|most|least|over|under|above|below|between|during|not|no|but|if|so|then|ever|only|also|whether|first|last|got|"
    "descending|ascending|desc|asc|total|average|them|ones|one|come|comes|came|make|makes|made|go|goes|went|get|gets|can|will"
)
_NOUN = rf"((?:(?!(?:{_STOP})\b)[A-Za-z]\w*(?:-\w+)*)(?:[ \t]+(?!(?:{_STOP})\b)[A-Za-z]\w*(?:-\w+)*)?)"
_OF = r"\s+(?:of\s+)?(?:(?:all|the|our|its|their|different|distinct|unique)\s+)*"

_ENGLISH: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern, re.I))
    for kind, pattern in (
        ("count", rf"\b(?:how many|(?:total )?number of|count of|count the|count)\b{_OF[:-1]}*{_NOUN}"),
        ("avg", rf"\b(?:average|mean|avg)\b{_OF}{_NOUN}"),
        ("sum", rf"\b(?:total|sum|combined|overall)\b(?! number| count){_OF}{_NOUN}"),
        ("max", rf"\b(?:maximum|max)\b{_OF}{_NOUN}"),
        ("min", rf"\b(?:minimum|min)\b{_OF}{_NOUN}"),
        ("share", rf"\b(?:percentage|percent|per cent|proportion|share|rate)\s+of\s+(?:all |the |our )*{_NOUN}"),
        ("distinct", rf"\b(?:distinct|different|unique)\s+{_NOUN}"),
        ("sort", rf"\b(?:sort|sorted|order|ordered|rank|ranked|arranged)\s+(?:\w+\s+){{0,2}}?by\s+(?:the |their |its )*{_NOUN}"),
        ("by", rf"\b(?:(?:broken down|grouped|split|group|break\w* \w+ down) by|by each|for (?:each|every)|per|each|every)\s+(?:the )?{_NOUN}"),
        ("desc", rf"\b(?:highest|largest|biggest|greatest|most|longest|best|latest|newest|oldest|dearest)\s+(?:number of\s+)?(?:the )?{_NOUN}"),
        ("asc", rf"\b(?:lowest|smallest|least|fewest|shortest|worst|earliest|youngest|cheapest)\s+(?:number of\s+)?(?:the )?{_NOUN}"),
        ("not", rf"\b(?:not|never|without|excluding|except(?: for)?|other than|no|nor|neither)\s+(?:(?:a|an|any|the|been|yet|have|has|having|in|on|from|ever)\s+)*{_NOUN}"),
        ("not", rf"\b(?:\w+n['’]t)\s+(?:(?:a|an|any|the|been|yet|have|has|in|on|from|ever)\s+)*{_NOUN}"),
    )
)  # fmt: skip
_GROUPED_BY = re.compile(rf"(?<!sorted )(?<!ordered )(?<!ranked )\bby\s+(?:the )?{_NOUN}", re.I)
_NOT_BY = re.compile(
    r"\b(?:\w+ed|made|written|sold|won|led|driven|held|taught|paid|bought|run|taken|given|sort|order|rank)\s+by\b", re.I
)
"""Who did it, or how it is ordered: not what it is grouped by."""

_HAN = r"[^\W\d_a-zA-Z的了吗呢是在和与及或各每为有被把按从到且并但而]"
_RUN = rf"({_HAN}{{1,8}})"
_UNIT_ZH = "个名位条笔种家次单张台款部件辆本座所只人项场门节套份间层册首篇届批"
_CHINESE: tuple[tuple[str, bool, re.Pattern[str]], ...] = tuple(
    (kind, ahead, re.compile(pattern))
    for kind, ahead, pattern in (
        ("distinct", False, rf"(?:不同|不重复)的?[{_UNIT_ZH}]?{_RUN}"),
        ("count", False, rf"(?:多少|几)[{_UNIT_ZH}]?(?!钱|元|天|不同){_RUN}"),
        ("count", False, rf"(?:多少|几)([{_UNIT_ZH}])(?![\u4e00-\u9fff])"),
        ("count", True, rf"{_RUN}的?(?:总?数量|个数|总数|数目|数)(?![据字学码])"),
        ("avg", False, rf"平均(?:每[{_UNIT_ZH}]?)?{_RUN}"),
        ("sum", True, rf"{_RUN}的?(?:总和|之和|合计|总额|总量|总计)"),
        ("sum", False, rf"(?:合计|累计|总)(?!数|共|计|和|额|量|体|部|经){_RUN}"),
        ("share", True, rf"{_RUN}的?(?:占比|比例|比率|百分比)"),
        ("sort", False, rf"按照?({_HAN}{{1,6}}?)(?=从|由|排|升|降|倒)"),
        ("by", False, rf"按照?({_HAN}{{1,6}}?)(?=统计|汇总|分组|划分|计算|分类|分别|分(?!数)|看|列)"),
        ("by", False, rf"(?:各个?|每一?[{_UNIT_ZH}]?)(?!自|有|种情况){_RUN}"),
        ("desc", True, rf"{_RUN}(?:最高|最大|最多|最贵|最长|最新|最晚|最好|最重)"),
        ("asc", True, rf"{_RUN}(?:最低|最小|最少|最便宜|最短|最早|最差|最轻)"),
        ("not", False, rf"(?:没有|从未|尚未|未曾|并未|除了|不包括|不包含|不含|不是|未|没|无|非)(?:被|过|在|有)?{_RUN}"),
    )
)  # fmt: skip
"""Kind, whether its word stands ahead of what says so, and the pattern."""
_DOWN = re.compile(r"\bdescending\b|\bdesc\b|从高到低|从大到小|从多到少|由高到低|由大到小|由多到少|降序|倒序", re.I)
_UP = re.compile(r"\bascending\b|\basc\b|从低到高|从小到大|从少到多|由低到高|由小到大|由少到多|升序", re.I)

_BEFORE: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(rf"(?:{pattern})\s*(?:[$¥￥€£]|rmb|usd|a |the )?\s*$", re.I))
    for kind, pattern in (
        ("<=", r"\b(?:at most|up to|no more than|not more than|not over|maximum of|not exceeding)|不超过|不高于|不多于|不大于|至多|最多"),
        (">=", r"\b(?:at least|no less than|no fewer than|not less than|not under|minimum of)|不少于|不低于|不小于|至少|不下"),
        (">", r"\b(?:more than|over|above|greater than|larger than|higher than|exceed(?:s|ing)?|older than|longer than|beyond|beats?)|超过|大于|高于|多于|超出|早过|满"),
        ("<", r"\b(?:less than|fewer than|under|below|lower than|smaller than|shorter than|younger than|cheaper than)|少于|低于|小于|不到|不足|短于"),
        ("between", r"\bbetween|介于"),
        ("top", r"\b(?:top|first|best|last|bottom)|前|最\w{1,3}的"),
    )
)  # fmt: skip
_AFTER: tuple[tuple[str, re.Pattern[str]], ...] = (
    (">=", re.compile(rf"\s*[{_UNIT_ZH}元岁天年月分%％]*(?:\w+\s+)?(?:or (?:more|over|above|later|older|higher)|及?以上|或更[多高])", re.I)),
    ("<=", re.compile(rf"\s*[{_UNIT_ZH}元岁天年月分%％]*(?:\w+\s+)?(?:or (?:less|fewer|under|below|younger|lower)|及?以下|以内|或更[少低])", re.I)),
)  # fmt: skip
_NEXT = re.compile(rf"\s*(?:(?:of|the|different|distinct)\s+)*{_NOUN}", re.I)
_NEXT_ZH = re.compile(rf"\s*[{_UNIT_ZH}]?{_RUN}")
_LAST = re.compile(r"([A-Za-z][\w'’-]*)\s+(?:(?:is|are|was|were|of|a|the|has|have|had)\s+)*$", re.I)
_LAST_ZH = re.compile(rf"{_RUN}$")
_MEASURED = re.compile("元|块|万|亿|岁|天|年|月|日|小时|分钟|以上|以下|以内|%|％")
"""What a number is measured in: then it belongs to what is compared with it."""


def parts_in(question: str) -> list[Part]:
    """The parts of a question, in its order; of two over the same words the first rule's stays."""
    found = list(_chinese(question) if has_cjk(question) else _english(question))
    found += list(_numbers(question))
    direction = "desc" if _DOWN.search(question) else "asc" if _UP.search(question) else ""
    kept: list[Part] = []
    for part in found:
        if not any(part.start < other.end and other.start < part.end for other in kept):
            kept.append(Part(direction, *_rest(part)) if part.kind == "sort" and direction else part)
    return sorted(kept, key=lambda part: part.start)[:MOST]


def _english(question: str) -> Iterator[Part]:
    for kind, pattern in _ENGLISH:
        yield from (Part(kind, hit.group(1), *hit.span(1)) for hit in pattern.finditer(question))
    doers = [hit.end() for hit in _NOT_BY.finditer(question)]
    for hit in _GROUPED_BY.finditer(question):
        if not any(hit.start() <= end <= hit.start(1) for end in doers):
            yield Part("by", hit.group(1), *hit.span(1))


def _chinese(question: str) -> Iterator[Part]:
    for kind, ahead, pattern in _CHINESE:
        for hit in pattern.finditer(question):
            word = _nearest_word(hit.group(1), ahead=ahead)
            at = hit.end(1) - len(word) if ahead else hit.start(1) + hit.group(1).find(word)
            if word:
                yield Part(kind, word, at, at + len(word))


def _nearest_word(run: str, *, ahead: bool) -> str:
    """The word of a run that is next to what speaks of it: 部门 of 部门统计, 工资 of 员工工资; nothing where it only asks."""
    found = segments(run, lexicon())
    return (found[-1] if ahead else found[0]) if found else ""


def _rest(part: Part) -> tuple[str, int, int]:
    return part.words, part.start, part.end


def _numbers(question: str) -> Iterator[Part]:
    """Numbers with how they are compared and the word they belong to; years are periods, ordinals are names of places."""
    for hit in numbers_in(question):
        if hit.kind not in {YEAR, ORDINAL}:
            kind, before = _comparison(question, hit)
            digits = f"{hit.value:g}" if isinstance(hit.value, float) else str(hit.value)
            yield Part(kind, _bound_word(question, hit, before), hit.start, hit.end, digits)


def _comparison(question: str, hit: NumberHit) -> tuple[str, int]:
    """How a number is compared, and where the words that say so begin."""
    before = question[: hit.start]
    for kind, pattern in _AFTER:
        if pattern.match(question, hit.end):
            return kind, hit.start
    for kind, pattern in _BEFORE:
        if said := pattern.search(before):
            return kind, said.start()
    return "", hit.start


def _bound_word(question: str, hit: NumberHit, before: int) -> str:
    """The word a number belongs to: what it counts, else what is compared with it."""
    if not has_cjk(question):
        after = _NEXT.match(question, hit.end)
        ahead = _LAST.search(question[:before])
        return after.group(1).split()[0] if after else ahead.group(1) if ahead else ""
    after, ahead = _NEXT_ZH.match(question, hit.end), _LAST_ZH.search(question[:before])
    counted = _nearest_word(after.group(1), ahead=False) if after else ""
    if counted and counted not in _UNIT_ZH and not _MEASURED.match(question, hit.end):
        return counted
    return _nearest_word(ahead.group(1), ahead=True) if ahead else ""
