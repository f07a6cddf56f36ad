"""The parts of a question that change its answer although its words look alike, in both languages."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date

from inquery.language.numbers import numbers_in, quoted_spans
from inquery.language.periods import periods_in
from inquery.language.text import fold

# A fixed day: two questions are compared with each other, so any will do; relative ones agree on it too.
_DAY = date(2000, 7, 5)
_CODES = re.compile(r"\b(?=\w*\d)(?=\w*[a-z_])[\w-]+\b|\b\w+@[\w.]+\b", re.I)
_CAPITALS = re.compile(r"(?<![.?!。？！]\s)(?<!^)(?<![\"'“‘])\b(?:[A-Z][\w'&.-]*)(?:\s+(?:of\s+|de\s+)?[A-Z][\w'&-]*)*")
# Words that begin with a capital letter wherever they stand and name nothing in the data.
_NO_NAMES = frozenset(
    [
        "i",
        "sql",
        "id",
        "ids",
        "kpi",
        "yoy",
        "mom",
        "qoq",
        "ytd",
        "mtd",
        "qtd",
        "gmv",
        "aov",
        "roi",
        "usd",
        "cny",
        "rmb",
        "eur",
    ]
)

_OPERATORS: tuple[tuple[str, str], ...] = (
    ("most", r"\b(?:most|highest|largest|biggest|greatest|best|top|max(?:imum)?|longest|oldest|priciest|descending|desc)\b|最高|最多|最大|最好|最长|最贵|前|降序|倒序|从高到低|从大到小"),
    ("least", r"\b(?:least|fewest|lowest|smallest|worst|bottom|min(?:imum)?|shortest|youngest|cheapest|ascending|asc)\b|最低|最少|最小|最差|最短|最便宜|后|倒数|升序|正序|从低到高|从小到大"),
    ("more", r"\b(?:more|above|over|greater|exceed\w*|at\s+least|higher|larger|longer|older)\b|超过|大于|高于|多于|以上|不少于|不低于|至少|长于"),
    ("less", r"\b(?:less|fewer|below|under|at\s+most|lower|smaller|shorter|younger)\b|少于|小于|低于|以下|不足|不超过|不高于|至多|最多不"),
    ("not", r"\b(?:not|no|never|without|except|excluding|non|neither|nor|none|n't|lack\w*|missing)\b|n't\b|不|没|未|非|无|除了?|排除|缺"),
    ("average", r"\b(?:average|mean|avg)\b|平均|均值|人均|客单"),
    ("median", r"\bmedian\b|中位"),
    ("total", r"\b(?:total|sum|overall|altogether)\b|总|合计|之和|累计"),
    ("count", r"\b(?:how\s+many|number\s+of|count)\b|多少[个家名人位件条笔单张台]|数量|几[个家名人位件条笔单张台]|个数|[人单件]数"),
    ("distinct", r"\b(?:distinct|unique|different)\b|不同|去重|不重复"),
    ("share", r"\b(?:share|percent\w*|proportion|ratio|rate|fraction)\b|占比|比例|比率|百分|率"),
    ("change", r"\b(?:change|growth|grow\w*|increase\w*|trend|versus|vs|compar\w+)\b|增长|变化|趋势|同比|环比|对比|相比|增幅"),
    ("fall", r"\b(?:decreas\w+|declin\w+|drop\w*|fall|fell|shrink\w*)\b|下降|减少|下滑|降幅|跌"),
    ("earliest", r"\b(?:first|earliest|oldest)\b|最早|首次|第一"),
    ("latest", r"\b(?:latest|newest|most\s+recent|last)\b|最新|最近|最晚|最后"),
    ("any", r"\bor\b|或"),
    ("only", r"\bonly\b|仅|只"),
    ("both", r"\bboth\b|同时|都"),
    ("cumulative", r"\b(?:cumulative|running)\b|累计|累积"),
)  # fmt: skip
_COMPILED = tuple((name, re.compile(pattern, re.I)) for name, pattern in _OPERATORS)
_GRAINS = (
    ("day", r"\b(?:daily|per\s+day|by\s+day|each\s+day|every\s+day)\b|按[天日]|每[天日]|逐日"),
    ("week", r"\b(?:weekly|per\s+week|by\s+week|each\s+week|every\s+week)\b|按周|每周|逐周"),
    ("month", r"\b(?:monthly|per\s+month|by\s+month|each\s+month|every\s+month)\b|按月|每[个]?月|逐月|各月|月度"),
    (
        "quarter",
        r"\b(?:quarterly|per\s+quarter|by\s+quarter|each\s+quarter|every\s+quarter)\b|按季|每[个]?季|逐季|各季",
    ),
    ("year", r"\b(?:yearly|annual(?:ly)?|per\s+year|by\s+year|each\s+year|every\s+year)\b|按年|每年|逐年|各年|年度"),
)
_GRAINS_COMPILED = tuple((name, re.compile(pattern, re.I)) for name, pattern in _GRAINS)

Slots = tuple[tuple[str, tuple[str, ...]], ...]


def slots(question: str, names: Iterable[str] = ()) -> Slots:
    """Numbers, dates, quoted texts, codes, names and operators that the question states.

    `names` are the values the catalogue's index found (`keys.names_of`): a Chinese name carries no sign of its own.
    """
    found = {
        "numbers": [f"{hit.kind}:{hit.value}" for hit in numbers_in(question)],
        "dates": [f"{p.start}/{p.end}/{p.grain}" for p in periods_in(question, today=_DAY)],
        "quoted": [fold(each.text) for each in quoted_spans(question)],
        "codes": [fold(code) for code in _CODES.findall(question)],
        "names": [*_capitals(question), *names],
        "operators": [name for name, pattern in _COMPILED if pattern.search(question)],
        "grains": [name for name, pattern in _GRAINS_COMPILED if pattern.search(question)],
    }
    return tuple((kind, tuple(sorted(texts))) for kind, texts in found.items() if texts)


def _capitals(question: str) -> list[str]:
    """Capitalised English words within a sentence: Berlin, New York, Acme; not in a question all in capitals."""
    letters = [c for c in question if c.isascii() and c.isalpha()]
    if letters and sum(c.isupper() for c in letters) > len(letters) * 0.7:
        return []
    return [fold(name) for name in _CAPITALS.findall(question) if fold(name) not in _NO_NAMES]


def same_slots(one: str, other: str, names: Iterable[str] = (), other_names: Iterable[str] = ()) -> bool:
    """Whether two questions state the same literals."""
    return slots(one, names) == slots(other, other_names)
