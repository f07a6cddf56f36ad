"""Spans of time on the scale of the columns they are compared with: five hours are 300 of a column in minutes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from inquery.form.ast import Agg, Arith, Block, ColumnRef, Literal, Predicate, Source, rebuild_tree, walk_tree
from inquery.form.name_words import snake_case
from inquery.language.numbers import NUMBER, as_integer, numbers_in
from inquery.sql.catalog import Column, Table

Seconds = Mapping[int | float, float]
"""By a number of the question: the seconds of the unit it is said in."""

_UNITS: dict[str, float] = {
    "ms|millis|millisecs?|milliseconds?|毫秒": 0.001,
    "s|secs?|seconds?|秒钟?": 1,
    "mins?|minutes?|分钟": 60,
    "h|hrs?|hours?|个?小时|个?钟头|工时": 3_600,
    "days?|天": 86_400,
    "weeks?|周": 604_800,
}
_ANY = "|".join(_UNITS)
_LONG = "millis|milliseconds?|seconds?|minutes?|hours?|days?|weeks?"
_ZH = "毫秒|秒|分钟|小时|工时|天|周"
_SAID = re.compile(rf"[\s-]*({_ANY})(?![a-z])", re.I)
_NAMED = re.compile(rf"(?:^|_)({_ANY})(?:_(?:played|spent|worked|late|used))?$|({_ZH})数?$")
_TOLD = re.compile(
    rf"[(（\[]\s*(?:单位\s*[:：为]?\s*|in\s+)?({_ANY})\s*[)）\]]|\bin\s+({_LONG})\b"
    rf"|(?:单位\s*[:：为是]?|以|按)\s*({_ZH})|({_ZH})数?$",
    re.I,
)
_LENGTH = re.compile(r"(?:^|_)(?:length|duration|runtime|run_time|running_time|playtime|elapsed|time)$|时长|片长", re.I)
FEWEST_VALUES = 3
WITHIN = 1.2
"""How far above the longest known value a span may lie: only some values were read."""
_FIGURES = frozenset({"avg", "sum", "min", "max"})
_ASKED = re.compile(
    rf"\bin (?:whole |full )?({_LONG})\b|\bhow many ({_LONG})\b|(?:多少|几)个?({_ZH})|(?:以|按|用)({_ZH})(?:为单位|计|表示)",
    re.I,
)
_NUMERIC = re.compile(r"int|num|dec|real|doub|float", re.I)


def durations(question: str) -> dict[int | float, float]:
    """The numbers said with a unit of time; one that is also said bare, or in two units, is left out."""
    found: dict[int | float, set[float]] = {}
    for hit in numbers_in(question):
        if hit.kind == NUMBER:
            unit = _SAID.match(question, hit.end)
            found.setdefault(hit.value, set()).add(_seconds(unit[1]) if unit else 0.0)
    return {value: next(iter(units)) for value, units in found.items() if len(units) == 1 and 0.0 not in units}


def in_column_time(query: Any, said: Seconds, tables: Mapping[str, Table]) -> Any:
    """The form with what a column of another unit is compared with on that column's scale."""
    sources = {node.name: node.table for node in walk_tree(query) if isinstance(node, Source)}

    def compared(expr: Any) -> Column | None:
        match expr:
            case ColumnRef(source, column) if (table := tables.get(sources.get(source, ""))) is not None:
                return table.column(column)
            case Agg("avg" | "min" | "max", of):
                return compared(of)
        return None

    def unit_of(expr: Any, right: Any) -> float | None:
        match expr:
            case Agg("sum", ColumnRef() as of):  # adds up beyond what single values say
                return column_seconds(compared(of))
        column = compared(expr)
        return column_seconds(column) or _seconds_by_values(column, right, said)

    def change(node: Any) -> Any:
        unit = unit_of(node.left, node.right) if isinstance(node, Predicate) else None
        return replace(node, right=_scaled(node.right, said, unit)) if unit else node

    return rebuild_tree(query, change)


def asked_seconds(question: str) -> float | None:
    """The seconds of the one unit that a figure is asked in: in minutes, how many hours, 多少分钟."""
    said = {_seconds(next(filter(None, hit.groups()))) for hit in _ASKED.finditer(question)}
    return said.pop() if len(said) == 1 else None


def shown_in_time(query: Any, asked: float, tables: Mapping[str, Table]) -> Any:
    """The form with its figures in the unit they are asked in, where their columns count in another."""
    if not isinstance(query, Block):
        return query
    sources = {source.name: source.table for source in query.sources}

    def told(expr: Any) -> Any:
        match expr:
            case Arith("/", Agg(func, ColumnRef()) as figure, Literal()) if func in _FIGURES and figure != told(figure):
                return told(figure)  # divided already, by whatever the writer took the unit for
            case Agg(func, ColumnRef(source, column), False) if func in _FIGURES:
                table = tables.get(sources.get(source, ""))
                unit = column_seconds(table.column(column)) if table is not None else None
                if unit and unit != asked:
                    return Arith("/", expr, Literal(as_integer(round(asked / unit, 6)), "number"))
        return expr

    return replace(query, show=tuple(map(told, query.show)))


def named_seconds(name: str) -> float | None:
    """The seconds of the unit that a column's name says it counts in."""
    found = _NAMED.search(snake_case(name))
    return _seconds(next(filter(None, found.groups()))) if found else None


def column_seconds(column: Column | None) -> float | None:
    """The seconds of what a column counts in, by its name, else by its comment."""
    if column is None or not _NUMERIC.search(column.type):
        return None
    found = _NAMED.search(snake_case(column.name)) or _TOLD.search(column.comment.strip())
    return _seconds(next(filter(None, found.groups()))) if found else None


def _seconds_by_values(column: Column | None, right: Any, said: Seconds) -> float | None:
    """Minutes or seconds, where a length without a unit holds no value near the number said, and many near it in these.

    Films of 46 to 185 are all longer than three; three hours are 180 of them if they are minutes.
    """
    if column is None or not _LENGTH.search(snake_case(column.name)) or not _NUMERIC.search(column.type):
        return None
    values = [float(value) for value in column.samples if re.fullmatch(r"\d+(?:\.\d+)?", value)]
    number = right.value if isinstance(right, Literal) and isinstance(right.value, int | float) else None
    if len(values) < FEWEST_VALUES or number not in said or number is None or number >= min(values):
        return None
    near = [unit for unit in (60.0, 1.0) if min(values) < number * said[number] / unit <= WITHIN * max(values)]
    return near[0] if len(near) == 1 and near[0] < said[number] else None


def _seconds(unit: str) -> float:
    return next(seconds for words, seconds in _UNITS.items() if re.fullmatch(words, unit, re.I))


def _scaled(right: Any, said: Seconds, unit: float) -> Any:
    if isinstance(right, tuple):
        return tuple(_scaled(item, said, unit) for item in right)
    if isinstance(right, Literal) and isinstance(right.value, int | float) and right.value in said:
        return Literal(as_integer(round(right.value * said[right.value] / unit, 6)), "number")
    return right
