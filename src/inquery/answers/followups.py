"""What to ask next: from the tables just used, the shape of the result and what was asked before."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from inquery.answers.answer import AnswerColumn
from inquery.answers.shape import Rows, read_shape
from inquery.catalog.key_names import entity_of
from inquery.catalog.main_things import told_name
from inquery.catalog.time_columns import time_columns
from inquery.language.text import name_words, stem, word_set
from inquery.sql import Catalog, Column, Table

MOST = 4

_NUMERIC = re.compile(r"int|real|num|dec|doub|float|money", re.I)
_DATED = re.compile(r"date|time", re.I)
_KEY = re.compile(r"(^|_)(id|no|code|key|uuid)$|(?<=[a-z])(Id|ID|No)$|编号|代码|编码", re.I)
_MEASURE = re.compile(
    r"amount|price|total|cost|salary|revenue|sales|quantity|qty|value|balance|fee|score|rating|金额|价格|数量|销售|余额|费用|工资|评分",
    re.I,
)


_DETAIL = re.compile(r"(?:item|line|detail|entr(?:y|ie)|position|mapping|link)s?$|明细|关联|关系", re.I)
"""Tables whose rows are parts of what people count: an order has them, and nobody asks for the five with the highest quantity."""
_BEGINS = frozenset(
    map(
        stem,
        word_set(
            "opened founded established built hired joined registered registration signup enrolled launched started"
        ),
    )
)
_BEGINS_ZH = ("开业", "成立", "入职", "注册", "上市", "建立", "加入")
_UNCOUNTED = frozenset(
    ("inventory", "stock", "equipment", "information", "info", "history", "staff", "news", "traffic", "log", "detail")
)
_PLURALS = frozenset(("people", "children", "data", "media", "series"))


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A question and what it needs, so that the caller can prove it answerable before showing it."""

    question: str
    tables: tuple[tuple[str, ...], ...]
    columns: tuple[tuple[str, str], ...] = ()
    by: str = ""
    """What its rows are split by, in words."""


def suggest_questions(
    question: str,
    catalog: Catalog,
    used: Sequence[tuple[str, ...]],
    columns: Sequence[AnswerColumn],
    rows: Rows,
    *,
    language: str = "en",
    asked: Sequence[str] = (),
    names: Mapping[str, str] | None = None,
) -> list[Suggestion]:
    """Up to four questions that differ from those asked; `names` gives a table's or column's wording."""
    spoken = {**_records(catalog, language), **(names or {})}
    before = {_plain(text) for text in (question, *asked)}
    found: dict[str, Suggestion] = {}
    split = {column.name.casefold() for column in columns} if len(rows) > 1 else set()
    for made in _all(catalog, used, columns, rows, language, spoken):
        key = _plain(made.question)
        if key not in before and not _is_answered(made, split, _plain(question)):
            found.setdefault(key, made)
    return _varied(list(found.values()))[:MOST]


def _is_answered(made: Suggestion, split: set[str], question: str) -> bool:
    """Whether the rows just shown are split by what a suggestion splits by, in the words of the question."""
    by = _plain(made.by)
    # A writer calls reason 原因 where the glossary says 退货原因.
    shown = bool(by) and (made.columns[0][1].casefold() in split or any(len(name) > 1 and name in by for name in split))
    return shown and by in question


def _records(catalog: Catalog, language: str) -> dict[str, str]:
    """What rows of the only table are called: it is often a file, and named after a draft."""
    word = "记录" if language == "zh" else "record"
    return {table.full_name: word for table in catalog.tables} if len(catalog.tables) == 1 else {}


def _all(
    catalog: Catalog,
    used: Sequence[tuple[str, ...]],
    columns: Sequence[AnswerColumn],
    rows: Rows,
    language: str,
    spoken: Mapping[str, str],
) -> Iterator[Suggestion]:
    tables = [catalog.by_path[path] for path in used if path in catalog.by_path]
    shape = read_shape(columns, rows)
    for table in tables:
        if not shape.of_role("time"):
            yield from _by_time(catalog, table, language, spoken)
        yield from _by_group(table, language, spoken)
        if _is_asked_for(table):
            yield from _largest(table, language, spoken)
    for table in _neighbours(catalog, used)[:2]:
        if _is_asked_for(table):
            yield from _count(table, language, spoken)
        yield from _by_group(table, language, spoken)


def _is_asked_for(table: Table) -> bool:
    """Whether people ask for its rows as such: for orders, not for lines of orders or records of stock."""
    return not _DETAIL.search(table.name) and _words(table.name).rpartition(" ")[2] not in _UNCOUNTED


def tells_events(catalog: Catalog, table: Table, column: str) -> bool:
    """Whether rows happen at that time: orders do; stores, which opened once, and customers only exist since."""
    words = {stem(word) for word in name_words(column)}
    if words & {stem(word) for word in entity_of(table.name)}:
        return True
    if words & _BEGINS or any(word in column for word in _BEGINS_ZH):
        return False
    near = catalog.joins_of([table.path])
    referring = any(join.left == table.path and join.right != table.path for join in near)
    referred = any(join.right == table.path and join.left != table.path for join in near)
    return referring or not referred


def _by_time(catalog: Catalog, table: Table, language: str, spoken: Mapping[str, str]) -> Iterator[Suggestion]:
    name = _name(table, spoken, language)
    for column in (each for each in time_columns(table) if each.recommended):
        if tells_events(catalog, table, column.name):
            text = f"每个月有多少{name}？" if language == "zh" else f"How many {name} were there each month?"
            yield Suggestion(_tidy(text), (table.path,), ((table.full_name, column.name),))


def _by_group(table: Table, language: str, spoken: Mapping[str, str]) -> Iterator[Suggestion]:
    name = _name(table, spoken, language)
    for column in _categories(table)[:2]:
        word = _column_name(table, column, spoken, language)
        text = f"按{word}统计{name}数量" if language == "zh" else f"How many {name} are there for each {word}?"
        yield Suggestion(_tidy(text), (table.path,), ((table.full_name, column.name),), word)


def _largest(table: Table, language: str, spoken: Mapping[str, str]) -> Iterator[Suggestion]:
    name = _name(table, spoken, language)
    for column in (c for c in table.columns if _NUMERIC.search(c.type) and _MEASURE.search(c.name)):
        word = _column_name(table, column, spoken, language)
        text = f"{word}最高的 5 个{name}是哪些？" if language == "zh" else f"Which 5 {name} have the highest {word}?"
        yield Suggestion(_tidy(text), (table.path,), ((table.full_name, column.name),))
        return


def _count(table: Table, language: str, spoken: Mapping[str, str]) -> Iterator[Suggestion]:
    name = _name(table, spoken, language)
    text = f"一共有多少{name}？" if language == "zh" else f"How many {name} are there?"
    yield Suggestion(_tidy(text), (table.path,))


def _categories(table: Table) -> list[Column]:
    """Text columns with few known values; a column without samples is a guess and is not offered.

    What rows are called by tells them apart, one from the other: artists for each name are one.
    """
    keys = {*table.display, *(column for key in table.foreign_keys for column in key.columns)}
    return [
        column
        for column in table.columns
        if 2 <= len(set(column.samples)) <= 7
        and len(set(column.samples)) != table.estimated_rows
        and not column.primary_key
        and column.name not in keys
        and not _NUMERIC.search(column.type)
        and not _DATED.search(column.type)
        and not _KEY.search(column.name)
    ]


def _neighbours(catalog: Catalog, used: Sequence[tuple[str, ...]]) -> list[Table]:
    """Tables one join away, in the order of the join graph."""
    near: dict[tuple[str, ...], None] = {}
    for join in catalog.joins_of(used):
        for here, there in ((join.left, join.right), (join.right, join.left)):
            if here in used and there not in used:
                near[there] = None
    return [catalog.by_path[path] for path in near if path in catalog.by_path]


def _name(table: Table, spoken: Mapping[str, str], language: str) -> str:
    """What the rows of a table are called: several of them in English, with spaces around it in Chinese."""
    name = spoken.get(table.full_name) or _told(table.name, table.comment, language)
    return _spaced(name) if language == "zh" else _plural(name)


def _column_name(table: Table, column: Column, spoken: Mapping[str, str], language: str) -> str:
    name = spoken.get(f"{table.full_name}.{column.name}") or _told(column.name, column.comment, language)
    return _spaced(name) if language == "zh" else name


def _told(name: str, comment: str, language: str) -> str:
    """What a reader calls it: a Chinese one in Chinese, an English one in English where the name is not."""
    foreign = name.isascii() == (language == "zh")
    return (told_name(name, comment, language) if foreign else "") or _words(name)


def _spaced(name: str) -> str:
    return f" {name} " if name.isascii() else name


def _tidy(question: str) -> str:
    spaced = re.sub(r" +", " ", question).replace(" ？", "？").strip()
    return re.sub("(?:个|(?<=多少))记录", "条记录", spaced)


def _plural(name: str) -> str:
    """order → orders, category → categories; what cannot be counted has records."""
    last = name.rpartition(" ")[2]
    if last in _UNCOUNTED or not last.isascii() or not last.isalpha():
        return f"{name} records"
    if last in _PLURALS or (last.endswith("s") and not last.endswith(("ss", "us"))):
        return name
    if last.endswith("y") and last[-2:-1] not in "aeiou":
        return f"{name[:-1]}ies"
    return name + ("es" if last.endswith(("s", "x", "z", "ch", "sh")) else "s")


def _words(name: str) -> str:
    """order_items → order items; totalAmount → total amount."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name).replace("_", " ").strip().lower()


def _plain(question: str) -> str:
    return re.sub(r"[\W_]+", "", question).casefold()


def _varied(found: list[Suggestion]) -> list[Suggestion]:
    """One suggestion a table first, then the rest: four questions about one table bore."""
    first: dict[tuple[tuple[str, ...], ...], Suggestion] = {}
    for item in found:
        first.setdefault(item.tables, item)
    leading = list(first.values())
    return leading + [item for item in found if item not in leading]
