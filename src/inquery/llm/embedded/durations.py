"""Spans of time on the scale of the columns they are compared with: five hours are 300 of a column in minutes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from inquery.form.ast import Agg, ColumnRef, Literal, Predicate, Source, rebuild_tree, walk_tree
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

    def unit_of(expr: Any) -> float | None:
        match expr:
            case ColumnRef(source, column) if (table := tables.get(sources.get(source, ""))) is not None:
                return column_seconds(table.column(column))
            case Agg("sum" | "avg" | "min" | "max", of):
                return unit_of(of)
        return None

    def change(node: Any) -> Any:
        unit = unit_of(node.left) if isinstance(node, Predicate) else None
        return replace(node, right=_scaled(node.right, said, unit)) if unit else node

    return rebuild_tree(query, change)


def column_seconds(column: Column | None) -> float | None:
    """The seconds of what a column counts in, by its name, else by its comment."""
    if column is None or not _NUMERIC.search(column.type):
        return None
    found = _NAMED.search(snake_case(column.name)) or _TOLD.search(column.comment.strip())
    return _seconds(next(filter(None, found.groups()))) if found else None


def _seconds(unit: str) -> float:
    return next(seconds for words, seconds in _UNITS.items() if re.fullmatch(words, unit, re.I))


def _scaled(right: Any, said: Seconds, unit: float) -> Any:
    if isinstance(right, tuple):
        return tuple(_scaled(item, said, unit) for item in right)
    if isinstance(right, Literal) and isinstance(right.value, int | float) and right.value in said:
        return Literal(as_integer(round(right.value * said[right.value] / unit, 6)), "number")
    return right
