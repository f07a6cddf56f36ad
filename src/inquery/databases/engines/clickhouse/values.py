"""ClickHouse's blocks as rows of plain values; its String holds any bytes, so text is decoded here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from inquery.databases.kinds import kind_of_type

FORMATS = {"String": "bytes", "FixedString": "bytes"}
"""Asked of the driver, which would turn undecodable text into hexadecimal without saying so."""


def columns_of(source: Any) -> list[tuple[str, str]]:
    """Names and types of a stream."""
    return [(name, kind.name) for name, kind in zip(source.column_names, source.column_types, strict=True)]


def rows_of(block: Sequence[Sequence[Any]], columns: Sequence[tuple[str, str]]) -> list[tuple[Any, ...]]:
    """The rows of a block of columns."""
    decoded = [
        [_plain(value) for value in values] if kind_of_type(type_name) in {"text", "json", "other"} else values
        for values, (_, type_name) in zip(block, columns, strict=True)
    ]
    return list(zip(*decoded, strict=True))


def _plain(value: Any) -> Any:
    if isinstance(value, bytes):
        return _text(value)
    if isinstance(value, dict):
        return {_plain(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value


def _text(value: bytes) -> str | bytes:
    try:
        text = value.decode()
    except UnicodeDecodeError:
        return value
    # FixedString is padded with zero bytes.
    return text.rstrip("\0")
