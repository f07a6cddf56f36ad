"""Messages between Inquery and a database process: length, then MessagePack; nothing in them can run code."""

from __future__ import annotations

import datetime
import struct
import uuid
from decimal import Decimal
from typing import IO, Any

import ormsgpack

_HEAD = struct.Struct(">I")
_PACK = (
    ormsgpack.OPT_PASSTHROUGH_DATETIME
    | ormsgpack.OPT_PASSTHROUGH_UUID
    | ormsgpack.OPT_PASSTHROUGH_SUBCLASS
    | ormsgpack.OPT_NON_STR_KEYS
)
_TEXT, _DATE, _DATETIME, _TIME, _SECONDS, _DECIMAL, _INT, _UUID = range(1, 9)


def write(pipe: IO[bytes], message: Any) -> None:
    """Send one message whole."""
    body = encode(message)
    pipe.write(_HEAD.pack(len(body)) + body)
    pipe.flush()


def read(pipe: IO[bytes]) -> Any:
    """The next message; raises EOFError when the other side is gone."""
    head = pipe.read(_HEAD.size)
    if len(head) < _HEAD.size:
        raise EOFError
    (length,) = _HEAD.unpack(head)
    body = pipe.read(length)
    if len(body) < length:
        raise EOFError
    return decode(body)


def encode(message: Any) -> bytes:
    """Bytes of a message; lone surrogates become question marks, unknown objects their text."""
    try:
        return ormsgpack.packb(message, default=_extra, option=_PACK)
    except TypeError:
        # Integers past 64 bits and lone surrogates are refused without asking `default`.
        return ormsgpack.packb(_plain(message), default=_extra, option=_PACK)


def decode(body: bytes) -> Any:
    """The message of `encode`; tuples come back as lists."""
    return ormsgpack.unpackb(body, ext_hook=_restore, option=ormsgpack.OPT_NON_STR_KEYS)


class _Wide:
    """An integer past 64 bits."""

    def __init__(self, value: int) -> None:
        self.value = value


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, int) and not -(1 << 63) <= value < 1 << 64:
        return _Wide(value)
    if isinstance(value, dict):
        return {_key(k): _plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_plain(item) for item in value]
    return value


def _key(key: Any) -> Any:
    return str(key) if isinstance(key, int) and not -(1 << 63) <= key < 1 << 64 else _plain(key)


def _extra(value: Any) -> Any:
    kind, text = _spell(value)
    return ormsgpack.Ext(kind, text.encode("utf-8", "replace"))


def _spell(value: Any) -> tuple[int, str]:
    if isinstance(value, datetime.datetime):
        return _DATETIME, value.isoformat()
    if isinstance(value, datetime.date):
        return _DATE, value.isoformat()
    if isinstance(value, Decimal):
        return _DECIMAL, str(value)
    if isinstance(value, datetime.time):
        return _TIME, value.isoformat()
    if isinstance(value, datetime.timedelta):
        return _SECONDS, f"{value.days} {value.seconds} {value.microseconds}"
    if isinstance(value, _Wide):
        return _INT, str(value.value)
    if isinstance(value, uuid.UUID):
        return _UUID, str(value)
    return _TEXT, str(value)


def _restore(kind: int, data: bytes) -> Any:
    return _RESTORE[kind](bytes(data).decode())


def _delta(text: str) -> datetime.timedelta:
    days, seconds, microseconds = map(int, text.split())
    return datetime.timedelta(days, seconds, microseconds)


_RESTORE: dict[int, Any] = {
    _TEXT: str,
    _DATE: datetime.date.fromisoformat,
    _DATETIME: datetime.datetime.fromisoformat,
    _TIME: datetime.time.fromisoformat,
    _SECONDS: _delta,
    _DECIMAL: Decimal,
    _INT: int,
    _UUID: uuid.UUID,
}
