"""What a database is about: its main tables, what they measure, when, and by what their rows are told apart."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from inquery.catalog.column_prefixes import own_prefix
from inquery.catalog.enumerations import heading_of
from inquery.catalog.key_names import ARCHIVES
from inquery.catalog.time_columns import time_columns
from inquery.language.lexicon import lexicon, stem_term, vocabulary
from inquery.language.person_names import name_part
from inquery.language.text import has_cjk, name_words, stem, word_set
from inquery.language.translation import english_wording, spelled_out
from inquery.sql import Catalog, Column, Table

MOST = 4
_NUMERIC = re.compile(r"int|real|num|dec|doub|float|money", re.I)
_TEXTUAL = re.compile(r"char|text|string|enum|clob|^$", re.I)
_SUMMED = re.compile(
    r"amount|total|revenue|sales|cost|quantity|qty|fee|paid|payment|profit|income|expense|spend|volume|hours|points|budget"
    r"|gross|(?:^|_)net(?:_|$)|金额|数量|销售|费用|总额|收入|成本|利润|支出|件数|工时|预算|合计|额$",
    re.I,
)
_AVERAGED = re.compile(
    r"price|rate|rating|score|salary|age|percent|ratio|duration|weight|height|discount|balance|stock|grade|temperature"
    r"|价|率|评分|得分|分数|成绩|工资|年龄|占比|时长|重量|折扣|余额|库存",
    re.I,
)
_NO_MEASURE = re.compile(
    r"(?:^|_)(?:id|no|code|key|uuid|year|month|day|flag|is|has|sort|order|seq|rank|version|zip|postcode|phone|lat|lng|lon"
    r"|latitude|longitude|status|state|type|level|port|index|number)(?:$|_)|(?<=[a-z])(?<!pa)Id$|(?-i:(?<=[a-z])No$)|编号|代码|编码|年份|月份|序号|排序|号$|状态|类型",
    re.I,
)
_ASIDE = ARCHIVES | word_set(
    "audit migration migrations session sessions cache token tokens permission permissions role roles menu config setting "
    "settings job jobs queue schema sys system dict dictionary sequence django alembic flyway meta metadata attachment "
    "notification notifications message messages template templates 配置 权限 菜单 字典 消息 模板 附件 会话"
)
_UNCOUNTED = re.compile(
    r"(?:inventory|stock|equipment|information|info|history|staff|news|traffic|detail|data|sales|list|table|sheet)$",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Thing:
    """A main table; sums and averages are columns, best first, `groups` those with few values, `time` when rows happen."""

    table: Table
    sums: tuple[Column, ...]
    averages: tuple[Column, ...]
    groups: tuple[Column, ...]
    time: str


def main_things(catalog: Catalog, most: int = MOST) -> list[Thing]:
    """The tables a newcomer should hear of first."""
    ranked = sorted(catalog.tables, key=lambda table: (-_weight(catalog, table), table.path))
    found = [thing_of(table) for table in ranked[: most * 2] if table.estimated_rows != 0]
    return found[:most]


def thing_of(table: Table) -> Thing:
    """What a table's columns are for."""
    keys = {name for key in table.foreign_keys for name in key.columns}
    plain = [c for c in table.columns if not c.primary_key and c.name not in keys]
    numbers = [c for c in plain if _NUMERIC.search(c.type) and not c.meanings and not _says(_NO_MEASURE, c)]
    sums = [c for c in numbers if _is_summed(c)]
    averages = [c for c in numbers if _says(_AVERAGED, c) and c not in sums]
    prefix = own_prefix(table)
    when = next((each.name for each in time_columns(table) if each.recommended), "")
    groups = [
        c
        for c in plain
        if _TEXTUAL.search(c.type)
        and c.name != when
        and not name_part(c.name.removeprefix(prefix))
        and 2 <= len(set(c.samples)) <= 7
        and len(set(c.samples)) != table.estimated_rows  # six employees have six names
    ]
    groups += [c for c in plain if c not in groups and (_is_named_group(c) or len(c.meanings) > 1) and c.name != when]
    return Thing(table, tuple(sums), tuple(averages), tuple(groups), when)


def _is_summed(column: Column) -> bool:
    """Whether its figures add up; the name goes before the comment, for "amount after discounts" is no discount."""
    if _is_named(_SUMMED, column):
        return not _is_named(_AVERAGED, column)
    return _says(_SUMMED, column) and not _says(_AVERAGED, column)


def _says(pattern: re.Pattern[str], column: Column) -> bool:
    """Whether a column is called so, by its name in full or by its comment: `amt` is an amount, and so is jine "金额"."""
    return _is_named(pattern, column) or bool(pattern.search(heading_of(column.comment)))


def _is_named(pattern: re.Pattern[str], column: Column) -> bool:
    full = spelled_out(column.name).replace(" ", "_")
    return any(pattern.search(text) for text in (_snake(column.name), full))


def _is_named_group(column: Column) -> bool:
    """A text column with more values whose name says that rows are told apart by it."""
    named = re.search(
        r"city|region|department|category|country|brand|channel|部门|城市|地区|类别|省|品牌|渠道", column.name, re.I
    )
    return bool(named) and bool(_TEXTUAL.search(column.type)) and len(column.samples) > 1


def _weight(catalog: Catalog, table: Table) -> float:
    rows = table.estimated_rows
    if rows == 0 or not table.columns:
        return -10.0
    thing = thing_of(table)
    near = catalog.joins_of([table.path])
    score = math.log10((rows or 100) + 1)
    score += 1.5 * bool(thing.time) + 1.0 * bool(thing.sums) + 0.5 * bool(thing.averages) + 0.5 * bool(thing.groups)
    score += 0.6 * min(4, len({(join.left, join.right) for join in near}))
    score -= 4.0 * bool(set(name_words(table.name)) & _ASIDE)
    return score


def told_name(name: str, comment: str, language: str, question: str = "") -> str:
    """What a table or column is called in a language; empty where nothing says it and the name itself would read badly.

    Of several words for one, that of the question is taken: who asks for 保单 is not told of 政策, though both are policy.
    """
    return _told_zh(name, comment, question) if language == "zh" else _told_en(name, comment)


@lru_cache(maxsize=4096)
def _told_zh(name: str, comment: str, question: str) -> str:
    parts = [part.strip() for part in re.split(r"[，,：:；;（(/。\n]| - ", comment)]
    named = [part for part in parts[:2] if has_cjk(part) and len(part) <= 10]
    if named:
        return re.sub(r"表$", "", named[0]) or named[0]
    if has_cjk(name):
        return re.sub(r"[_\s]+", "", name)
    words = _without_initial(name_words(name))
    whole = lexicon().chinese.get(stem_term(" ".join(words)))
    if whole:
        return _said_or_first(whole, question)
    each = [lexicon().chinese.get(stem_term(word)) for word in words]
    # More than two words put together one by one rarely make a phrase that anybody would say.
    return (
        "".join(_said_or_first(found, question) for found in each if found) if 1 < len(words) <= 2 and all(each) else ""
    )


def _without_initial(words: Sequence[str]) -> Sequence[str]:
    """A name without the letter of its table: o_price of tbl_order is a price."""
    return words[1:] if len(words) > 1 and len(words[0]) == 1 and words[0].isalpha() else words


def _said_or_first(words: Sequence[str], question: str) -> str:
    return next((word for word in words if word in question), words[0])


@lru_cache(maxsize=4096)
def _told_en(name: str, comment: str) -> str:
    if has_cjk(name):
        return english_wording((), (name,)).names.get(name, "")
    words = _without_initial((spelled_out(name) or " ".join(name_words(name))).split())
    return " ".join(words) if words and all(map(_is_word, words)) else _english_part(comment)


def _is_word(word: str) -> bool:
    """Whether somebody would say it: a word of the lexicon, or one that looks like one; xq and kz do not."""
    return word.isalpha() and (
        stem(word) in vocabulary() or (len(word) > 3 and re.search("[aeiouy]", word) is not None)
    )


def _english_part(comment: str) -> str:
    parts = [part.strip() for part in re.split(r"[,:;(/.\n]", comment)]
    return next((p.lower() for p in parts if p and p.isascii() and len(p.split()) <= 3 and "." not in p), "")


def counted_name(told: str, language: str) -> str:
    """What rows of a table are called where they are counted: several in English; empty where they cannot be counted."""
    if not told or language == "zh":
        return told
    if _UNCOUNTED.search(told) or told[-1].isdigit():  # gifts 2023-24 are no gifts 2023-24s
        return ""
    last = told.rpartition(" ")[2]
    if last.endswith("s") and not last.endswith(("ss", "us")):
        return told
    if last.endswith("y") and last[-2:-1] not in "aeiou":
        return told[:-1] + "ies"
    return told + ("es" if last.endswith(("s", "x", "z", "ch", "sh")) else "s")


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)
