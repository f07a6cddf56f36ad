"""What the columns of a result mean: time, category, measure; the ground of facts and charts."""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

from inquery.answers.answer import AnswerColumn
from inquery.answers.formats import as_number

Role = Literal["time", "category", "measure", "identifier", "other"]
Rows = Sequence[Sequence[Any]]

FIGURES = frozenset({"count", "money", "percent", "fraction"})
"""Formats of numbers that were worked out or are amounts, whatever their columns are called."""
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[\u4e00-\u9fff]+")
_IDENTIFIER = {"id", "ids", "no", "code", "key", "number", "uuid", "zip", "postcode", "phone", "isbn", "sku"}
_IDENTIFIER_ZH = re.compile(r"编号|代码|编码|号码|电话|邮编|主键|工号|单号|ID$")
_TIME = {"year", "quarter", "month", "week", "day", "date", "time", "hour", "period", "yr", "mth", "dt"}
_TIME_ZH = re.compile(r"^(年|月|日|季|周|时)|年份|月份|季度|日期|时间|年$|月$|周$")
_NOT_ADDED = {
    "avg", "average", "mean", "median", "min", "max", "minimum", "maximum", "rate", "ratio", "pct", "percent",
    "percentage", "share", "price", "age", "rating", "score", "rank", "per", "highest", "lowest", "latitude",
    "longitude", "level", "temperature",
}  # fmt: skip
_NOT_ADDED_ZH = re.compile(r"平均|均值|均价|单价|价格|率|占比|比例|百分比|最大|最小|最高|最低|年龄|评分|得分|排名|中位")
_PERIOD_TEXT = re.compile(
    r"^\d{4}([-/]?(0?[1-9]|1[0-2])([-/](0?[1-9]|[12]\d|3[01]))?|[- ]?[QqWw]\d{1,2})?([ T]\d\d:\d\d.*)?$"
)


_ORDINAL = re.compile(
    r"\d|^(mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|[周季月日]$|^(星期|周|礼拜)[一二三四五六日天]",
    re.I,
)
"""Names that have an order of their own; the page goes by the same words."""


@dataclass(frozen=True, slots=True)
class Field:
    """A column with its role; `additive` says whether its values may be summed."""

    index: int
    name: str
    role: Role
    additive: bool = False


@dataclass(frozen=True, slots=True)
class Shape:
    """The fields of a result."""

    fields: tuple[Field, ...]

    def of_role(self, role: Role) -> list[Field]:
        """The fields of one role, in order."""
        return [field for field in self.fields if field.role == role]

    @property
    def label(self) -> Field | None:
        """What names a row: its category, else its time, else its identifier."""
        for role in ("category", "time", "identifier"):
            if found := self.of_role(role):
                return found[0]
        return None


def read_shape(columns: Sequence[AnswerColumn], rows: Rows) -> Shape:
    """The roles of all columns, from their names and what they hold."""
    return Shape(tuple(_field(i, column, [row[i] for row in rows]) for i, column in enumerate(columns)))


def _field(index: int, column: AnswerColumn, cells: list[Any]) -> Field:
    present = [cell for cell in cells if cell is not None]
    role = _role(column, present)
    return Field(
        index,
        column.name,
        role,
        additive=role == "measure"
        and column.format not in {"percent", "fraction"}
        and not _is_ratio(column.name)
        and not any(named(name, _NOT_ADDED, _NOT_ADDED_ZH) for name in (column.name, column.label)),
    )


_SUMMED = re.compile(r"(?:total|sum|average|avg|mean)_", re.I)
"""A writer's name for an amount: total_number of a column `number`, which holds portions."""


def _is_ratio(name: str) -> bool:
    """Whether a piece of SQL divides: ratios add up to nothing."""
    return "(" in name and "/" in name


def _role(column: AnswerColumn, present: list[Any]) -> Role:
    if column.kind in {"date", "datetime"} or (present and all(isinstance(c, datetime.date) for c in present)):
        return "time"
    numbers = bool(present) and all(as_number(cell) is not None for cell in present)
    if numbers or (not present and column.kind == "number"):
        if column.format in FIGURES:
            return "measure"
        if named(column.name, _IDENTIFIER, _IDENTIFIER_ZH) and not _SUMMED.match(column.name):
            return "identifier"
        if named(column.name, _TIME, _TIME_ZH) and _few_digits(present):
            return "time"
        return "category" if column.words and not column.format else "measure"  # 0 is Sunday, whoever made it a number
    if present and all(isinstance(cell, str) for cell in present):
        timely = all(_PERIOD_TEXT.match(cell) for cell in present) and any(len(cell) >= 6 for cell in present)
        return "time" if timely or (named(column.name, _TIME, _TIME_ZH) and _short_digits(present)) else "category"
    return "category" if present and all(isinstance(cell, bool) for cell in present) else "other"


def _few_digits(cells: list[Any]) -> bool:
    return all(
        (number := as_number(cell)) is not None and number.is_integer() and 0 <= number <= 9999 for cell in cells
    )


def _short_digits(cells: list[str]) -> bool:
    return all(cell.isdigit() and len(cell) <= 4 for cell in cells)


def named(name: str, words: set[str], chinese: re.Pattern[str]) -> bool:
    """Whether the name of a column holds one of the English words or the Chinese pattern."""
    return bool({word.lower() for word in _WORDS.findall(name)} & words) or bool(chinese.search(name))


def ordered(cells: Sequence[Any]) -> bool:
    """Whether the cells never fall or never rise: the axis of a line must be ordered."""
    present = [cell for cell in cells if cell is not None]
    numbers = [number for cell in present if (number := as_number(cell)) is not None]
    if numbers and len(numbers) < len(present):
        return False
    return _sorted(numbers) if numbers else _sorted([str(cell) for cell in present])


def _sorted(keys: list[float] | list[str]) -> bool:
    risen = sorted(keys)
    return keys in (risen, risen[::-1])


def largest_first(names: Sequence[Any], amounts: Sequence[float]) -> list[int]:
    """The places of plain names by their amounts, so that a chart and the words beside it go the same way.

    Names that have an order of their own keep it, and so do amounts that rise all the way, for somebody ranked them; of two
    that says nothing.
    """
    places = list(range(len(names)))
    ranked = len(amounts) > 2 and all(low <= high for low, high in pairwise(amounts))
    if ranked or any(isinstance(name, int | float) or _ORDINAL.search(str(name)) for name in names):
        return places
    return sorted(places, key=lambda place: -amounts[place])
