"""What kind of value a column holds, from the engine's own spelling of its type."""

from __future__ import annotations

import re
from functools import lru_cache

_WRAPPER = re.compile(r"(?:nullable|lowcardinality|simpleaggregatefunction\(\w+,)\(?\s*(.*?)\)*$")
_RULES: tuple[tuple[str, str], ...] = (
    ("json", r".*\[\d*\]$|(array|list|map|struct|tuple|row|nested|json|jsonb|variant|object|dynamic|super|union)\b"),
    ("boolean", r"bool(ean)?\b"),
    ("datetime", r"(timestamp|datetime|smalldatetime)"),
    ("date", r"date(32)?\b"),
    ("other", r"(interval|time|point|polygon|geometry|geography)"),
    (
        "number",
        r"(u?(tiny|small|medium|big|huge)?int(eger)?\d*|u?bigint|decimal\d*|dec|numeric|bignumeric|number|float\d*"
        r"|double|real|binary_(float|double)|money|smallmoney|serial|bigserial|fixed|byteint|bfloat16)\b",
    ),
    ("binary", r"(blob|tinyblob|mediumblob|longblob|binary|varbinary|bytea|bytes|raw|long raw|image|bfile)\b"),
    ("text", r".*(char|text|string|clob|enum|uuid|uniqueidentifier|xml|rowid|ipv4|ipv6|inet|set\b|name\b)"),
)
_COMPILED = tuple((kind, re.compile(pattern)) for kind, pattern in _RULES)


@lru_cache(maxsize=4096)
def kind_of_type(type_name: str) -> str:
    """One of number, text, date, datetime, boolean, binary, json, other."""
    text = type_name.strip().lower()
    while (match := _WRAPPER.match(text)) is not None:
        text = match[1]
    for kind, pattern in _COMPILED:
        if pattern.match(text):
            return kind
    return "other"
