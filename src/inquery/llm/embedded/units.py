"""Numbers said with a magnitude, as the column they are compared with holds them: 300万 is 300 of a column in 万元."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from inquery.form.ast import Agg, Arith, Block, ColumnRef, Literal, Predicate, Source, rebuild_tree, walk_tree
from inquery.form.name_words import snake_case
from inquery.language.numbers import NUMBER, as_integer, numbers_in
from inquery.sql.catalog import Column, Table

Units = Mapping[tuple[str, str], int]
"""By (table, or source of a form; column): how many ones the number 1 of that column stands for."""

SCALES_ZH = {
    "千": 10**3,
    "万": 10**4,
    "十万": 10**5,
    "百万": 10**6,
    "千万": 10**7,
    "亿": 10**8,
    "十亿": 10**9,
    "百亿": 10**10,
    "千亿": 10**11,
    "万亿": 10**12,
}
SCALES_EN = {
    "k": 10**3, "thousand": 10**3, "10k": 10**4, "10,000": 10**4, "wan": 10**4, "ten thousand": 10**4,
    "tens of thousand": 10**4, "m": 10**6, "mn": 10**6, "million": 10**6, "ten million": 10**7, "hundred million": 10**8,
    "bn": 10**9, "billion": 10**9,
}  # fmt: skip
CONVERSIONS = frozenset([*SCALES_ZH.values(), *SCALES_EN.values()])

_COUNTED = "元人民币|人民币|美元|港元|欧元|日元|元|人次|人|户|家|件|吨|辆|台|套|股|次|个|度|千瓦时|平方米|平米|册|桶|亩|份|张|只|头|箱"
# After these it is a number or a rate: 300万, 三百万, 每千人.
_ZH = rf"(?<![\d每几数上第超逾过近满达一二两三四五六七八九十百千])(?P<unit>[十百千]?[万亿]|万亿|千)(?:{_COUNTED})?"
_MONEY = r"(?:us\$|[$€£¥]|(?:usd|eur|gbp|cny|rmb|hkd|jpy|yuan|dollars?|euros?|yen|people|units|tonn?e?s)\b)"
_LONG = r"(?:(?:ten\s+|hundred\s+|tens\s+of\s+)?(?:thousand|million|billion)s?|10k|10,000|wan|mn|bn)\b"
_EN = rf"(?:{_MONEY}\s*)?(?P<unit>{_LONG})(?:\s+(?:of\s+)?{_MONEY})?"

_PATTERNS = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        rf"[(（\[【]\s*(?:单位\s*[:：]?\s*|人民币)?{_ZH}(?:/\w{{1,3}})?\s*[)）\]】]",
        rf"(?:单位\s*[:：为是]?|以)\s*{_ZH}(?=为单位|计|\W|$)",
        rf"(?!千$){_ZH}$",
        rf"[(\[]\s*(?:in\s+)?{_EN}\s*[)\]]",
        rf"[(\[]\s*(?:in\s+)?{_MONEY}\s*(?P<unit>k|m)\s*[)\]]",
        rf"(?:\bin\s+(?:units?\s+of\s+)?|\bunits?\s*[:=]?\s*){_EN}(?=\s*(?:$|[.,;:)\]/]))",
        rf"[,:;–-]\s*{_EN}$",
        r"(?<!per )\b(?P<unit>wan|10k)$",
    )
)
_NAME = re.compile(
    r"(?<!per)(?<!per_)(?<!\d)(?:_in)?(?:_(?P<unit>(?:ten_|hundred_|tens_of_)?(?:thousand|million|billion)|wan|mn|bn)s?|_?(?P<ten>10)_?k)(?:_?yuan|_(?:rmb|cny|usd|eur|gbp|dollars))?$"
)
_MAGNITUDE = re.compile(r"[千万亿]|thousand|million|billion|trillion|\d(?:k|mn?|bn?)$", re.I)


def unit_of(column: Column) -> int | None:
    """What a column counts in, from its name, else from its comment: 万元, `_wan`, "revenue in thousands"."""
    if named := _NAME.search(snake_case(column.name)):
        return SCALES_EN.get("10k" if named["ten"] else named["unit"].replace("_", " "))
    for text in (column.name.replace("_", " "), column.comment):
        for pattern in _PATTERNS:
            if found := pattern.search(text.strip()):
                return _scale(found["unit"])
    return None


def _scale(said: str) -> int | None:
    word = " ".join(said.lower().split())
    return SCALES_ZH.get(word) or SCALES_EN.get(word) or SCALES_EN.get(word.removesuffix("s"))


def units(tables: Mapping[str, Table]) -> dict[tuple[str, str], int]:
    """The columns that have a unit, by the names a form's tree uses."""
    return {
        (name, column.name): unit
        for name, table in tables.items()
        for column in table.columns
        if (unit := unit_of(column))
    }


def magnitudes(question: str) -> frozenset[int | float]:
    """The numbers said with 千, 万, 亿, thousand, k, million …; one that is also said bare is left out."""
    hits = [hit for hit in numbers_in(question) if hit.kind == NUMBER]
    said = {hit for hit in hits if _MAGNITUDE.search(hit.text) and "分之" not in hit.text}
    return frozenset({hit.value for hit in said} - {hit.value for hit in hits if hit not in said})


def in_units(query: Any, said: frozenset[int | float], columns: Units) -> Any:
    """The form with the magnitudes that a column with a unit is compared with divided by that unit."""
    sources = [node for node in walk_tree(query) if isinstance(node, Source)]
    held = {(s.name, column): unit for s in sources for (table, column), unit in columns.items() if table == s.table}

    def change(node: Any) -> Any:
        unit = _unit(node.left, held) if isinstance(node, Predicate) else None
        return replace(node, right=_divided(node.right, said, unit)) if unit else node

    return rebuild_tree(query, change) if held else query


def _unit(expr: Any, held: Units) -> int | None:
    """The unit of an expression: that of its column; a count and a ratio of two amounts have none."""
    match expr:
        case ColumnRef(source, column):
            return held.get((source, column))
        case Agg("sum" | "avg" | "min" | "max", of):
            return _unit(of, held)
        case Block(show=(first, *_)):
            return _unit(first, held)
        case Arith(op, left, right) if not (_converts(left) or _converts(right)):
            return _unit_of_both(op, _unit(left, held), _unit(right, held))
    return None


def _unit_of_both(op: str, left: int | None, right: int | None) -> int | None:
    if op in "+-":
        return left if left == right else None
    if op == "*":
        return left or right if None in (left, right) else None
    return left if right is None else None


def _converts(expr: Any) -> bool:
    """A factor such as 10000 is taken for a change of unit: what stands beside it is in ones already."""
    return isinstance(expr, Literal) and expr.value in CONVERSIONS


def _divided(right: Any, said: frozenset[int | float], unit: int) -> Any:
    if isinstance(right, tuple):
        return tuple(_divided(item, said, unit) for item in right)
    if isinstance(right, Literal) and isinstance(right.value, int | float) and abs(right.value) in said:
        return Literal(as_integer(right.value / unit), "number")
    return right
