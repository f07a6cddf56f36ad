"""Whether two results say the same, however a bucket or a number is written and whatever is told beside it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from itertools import islice, product
from typing import Any

from inquery.databases.engine import Result

MOST_WAYS = 200
"""Of laying the columns of one result on those of the other; more are tried only where many columns hold the same."""
_DAY = re.compile(
    r"(?P<year>(?:19|20)\d\d)(?:\s*[-/.年]\s*(?P<month>\d{1,2})(?:\s*[-/.月]\s*(?P<day>\d{1,2}))?)?[年月日]?(?:[ T]00:00(?::00)?(?:\.0+)?)?"
)
_NUMBER = re.compile(r"[-+]?\d[\d,]*(?:\.\d+)?|[-+]?\.\d+")

Cell = str
Column = tuple[Cell, ...]


def tell_same(one: Result, other: Result) -> bool:
    """Whether the columns of the one with fewer are all in the other, row by row: an e-mail beside it is no other reading."""
    if one.truncated or other.truncated or len(one.rows) != len(other.rows) or not one.rows:
        return False
    few, many = sorted((_columns(one.rows), _columns(other.rows)), key=len)
    alike = [[at for at, held in enumerate(many) if sorted(held) == sorted(column)] for column in few]
    rows = Counter(zip(*few, strict=True))
    return any(
        len(set(way)) == len(way) and Counter(zip(*(many[at] for at in way), strict=True)) == rows
        for way in islice(product(*alike), MOST_WAYS)
    )


def _columns(rows: Sequence[Sequence[Any]]) -> list[Column]:
    """All that tell one row from another, or a figure: three rows of Sales Support Agent say no more than their figures."""
    columns = [_column([row[at] for row in rows]) for at in range(len(rows[0]))]
    telling = [held for held in columns if len(set(held)) > 1 or _NUMBER.fullmatch(held[0])]
    return telling if len(rows) > 1 and telling else columns


def _column(cells: Sequence[Any]) -> Column:
    """The cells in one spelling: 2026-01, 2026/1/1 and 2026年1月 are a month where the column holds none but first days."""
    days = [None if cell is None else _DAY.fullmatch(str(cell).strip()) for cell in cells]
    if not all(day or cell is None for day, cell in zip(days, cells, strict=True)) or not any(days):
        return tuple(map(_cell, cells))
    parts = [tuple(int(day[part] or 1) for part in ("year", "month", "day")) if day else () for day in days]
    size = 3
    while size > 1 and all(part[size - 1] == 1 for part in parts if part):
        size -= 1
    return tuple("-".join(map(str, part[:size])) for part in parts)


def _cell(value: Any) -> Cell:
    if value is None or isinstance(value, bool):
        return "" if value is None else str(value)
    text = str(value).strip()
    if not isinstance(value, int | float | Decimal) and not _NUMBER.fullmatch(text):
        return text
    return f"{float(text.replace(',', '')):.6g}"
