"""Values as plain Python, their kinds, and how large a batch may be."""

from __future__ import annotations

import datetime
import json
import uuid
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

PLAIN = (int, float, str, bytes, bool, Decimal, datetime.date, datetime.time, type(None))
_KINDS: tuple[tuple[type, str], ...] = (
    (bool, "boolean"),
    (int, "number"),
    (float, "number"),
    (Decimal, "number"),
    (datetime.datetime, "datetime"),
    (datetime.date, "date"),
    (bytes, "binary"),
    (dict, "json"),
    (list, "json"),
    (str, "text"),
)
_CELL_OVERHEAD = 8
_BATCH_BYTES = 1 << 20
_FIRST_ROWS = 100
_MOST_ROWS = 10_000


def plain_value(value: Any) -> Any:
    """A driver's value as int, float, Decimal, str, bool, bytes, date, datetime, time, dict or list."""
    if isinstance(value, PLAIN):
        return value
    if isinstance(value, datetime.timedelta):
        return duration(value)
    if isinstance(value, (memoryview, bytearray)):
        return bytes(value)
    if isinstance(value, uuid.UUID):
        return str(value)
    if isinstance(value, Mapping):
        return {str(key): plain_value(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain_value(item) for item in value]
    return str(value)


def plain_rows(rows: Iterable[Sequence[Any]], odd: Sequence[int]) -> list[tuple[Any, ...]]:
    """Rows with the columns at `odd` made plain; the others already are."""
    if not odd:
        return [tuple(row) for row in rows]
    made = []
    for row in rows:
        cells = list(row)
        for index in odd:
            cells[index] = plain_value(cells[index])
        made.append(tuple(cells))
    return made


def duration(value: datetime.timedelta) -> str:
    """An interval the way PostgreSQL prints it: `3 days 04:05:06.5`."""
    sign = "-" if value < datetime.timedelta() else ""
    value = abs(value)
    minutes, seconds = divmod(value.seconds, 60)
    text = f"{minutes // 60:02}:{minutes % 60:02}:{seconds:02}"
    if value.microseconds:
        text += f".{value.microseconds:06}".rstrip("0")
    days = f"{value.days} day{'s' if value.days != 1 else ''} " if value.days else ""
    return sign + days + text


def value_kind(value: Any) -> str:
    """The kind of one value that is not None."""
    for cls, kind in _KINDS:
        if isinstance(value, cls):
            return kind
    return "other"


def size_of(value: Any) -> int:
    """About how many bytes a cell takes when it is sent."""
    if isinstance(value, str):
        return _CELL_OVERHEAD + (len(value) if value.isascii() else len(value.encode("utf-8", "replace")))
    if isinstance(value, bytes):
        return _CELL_OVERHEAD + len(value)
    if isinstance(value, (dict, list)):
        return _CELL_OVERHEAD + len(json.dumps(value, ensure_ascii=False, default=str))
    return _CELL_OVERHEAD


def cut_cell(value: Any, limit: int) -> Any:
    """The cell, or its first `limit` bytes when it is larger; the very same object when nothing was cut."""
    if isinstance(value, bytes):
        return value if len(value) <= limit else value[:limit]
    if isinstance(value, str):
        if len(value) * 4 <= limit or len(data := value.encode("utf-8", "replace")) <= limit:
            return value
        return data[:limit].decode("utf-8", "ignore")
    if isinstance(value, (dict, list)):
        text = json.dumps(value, ensure_ascii=False, default=str)
        return value if len(text) * 4 <= limit or len(text.encode()) <= limit else cut_cell(text, limit)
    return value


class BatchSize:
    """How many rows to fetch next: few at first, then about a megabyte, never past the cap."""

    def __init__(self, cap: int | None) -> None:
        # One row past the cap is fetched, so that truncation is seen and not guessed.
        self.left = None if cap is None else cap + 1
        self.first = True
        self.next = self._bounded(_FIRST_ROWS)

    def _bounded(self, rows: int) -> int:
        rows = max(1, min(rows, _MOST_ROWS))
        return rows if self.left is None else max(0, min(rows, self.left))

    def saw(self, rows: Sequence[Sequence[Any]]) -> None:
        """Learn from a batch; `next` is 0 when the cap is reached."""
        self.first = False
        if self.left is not None:
            self.left -= len(rows)
        if not rows:
            return
        sample = rows[:: max(1, len(rows) // 20)]
        average = sum(size_of(cell) for row in sample for cell in row) / len(sample)
        self.next = self._bounded(int(_BATCH_BYTES / max(average, 1)))
