"""Rows as bytes and back, each cell with its own type."""

from __future__ import annotations

import datetime
import ipaddress
import uuid
import zlib
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any

import ormsgpack

_OPTIONS = (
    ormsgpack.OPT_PASSTHROUGH_DATETIME
    | ormsgpack.OPT_PASSTHROUGH_UUID
    | ormsgpack.OPT_PASSTHROUGH_BIG_INT
    | ormsgpack.OPT_PASSTHROUGH_SUBCLASS
    | ormsgpack.OPT_NON_STR_KEYS
    | ormsgpack.OPT_REPLACE_SURROGATES
)
_TAGS = {
    1: Decimal,
    2: datetime.datetime,
    3: datetime.date,
    4: datetime.time,
    5: datetime.timedelta,
    6: uuid.UUID,
    7: int,
}


def pack(rows: Iterable[Sequence[Any]]) -> bytes:
    """The rows, compressed; a cell of a type unknown here is kept as its text."""
    return zlib.compress(ormsgpack.packb([list(row) for row in rows], _to_ext, _OPTIONS), 1)


def unpack(content: bytes) -> list[tuple[Any, ...]]:
    """The rows that `pack` was given."""
    rows = ormsgpack.unpackb(zlib.decompress(content), ext_hook=_from_ext, option=ormsgpack.OPT_NON_STR_KEYS)
    return [tuple(row) for row in rows]


def _to_ext(cell: Any) -> Any:
    # datetime before date: one is a subclass of the other.
    for tag, kind in _TAGS.items():
        if isinstance(cell, kind):
            return ormsgpack.Ext(tag, _spelt(cell).encode())
    if isinstance(cell, memoryview | bytearray):
        return bytes(cell)
    if isinstance(cell, set | frozenset):
        return sorted(cell, key=str)
    if isinstance(cell, ipaddress.IPv4Address | ipaddress.IPv6Address):
        return str(cell)
    return str(cell)


def _spelt(cell: Any) -> str:
    if isinstance(cell, datetime.timedelta):
        return f"{cell.days} {cell.seconds} {cell.microseconds}"
    return cell.isoformat() if isinstance(cell, datetime.date | datetime.time) else str(cell)


def _from_ext(tag: int, content: bytes) -> Any:
    text, kind = content.decode(), _TAGS[tag]
    if kind is datetime.timedelta:
        days, seconds, microseconds = map(int, text.split())
        return datetime.timedelta(days, seconds, microseconds)
    if kind in (datetime.datetime, datetime.date, datetime.time):
        return kind.fromisoformat(text)
    return kind(text)
