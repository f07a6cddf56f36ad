"""How a value looks in a report: currency, percent, decimals, 万 and 亿, as the placeholder asks."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from inquery.answers.formats import as_number, format_cell
from inquery.reports.template_words import UNITS, style_of, unit_named

_SIGNS = {"CNY": "¥", "RMB": "¥", "JPY": "¥", "USD": "$", "EUR": "€", "GBP": "£", "HKD": "HK$"}
MOST_DECIMALS = 10


@dataclass(frozen=True, slots=True)
class Look:
    """A format hint, read."""

    style: str = ""
    decimals: int | None = None
    unit: str = ""
    suffix: str = ""
    currency: str = ""
    empty: str = "—"


def look_of(options: Sequence[tuple[str, str]], currency: str = "") -> Look:
    """The look that options ask for; a decimal count may follow the style, as in `percent 1`."""
    style, decimals, unit, suffix, empty, named = "", None, "", "", "—", currency
    for name, value in options:
        if name == "format":
            word, _, count = value.rpartition(" ")
            style, decimals = (style_of(word), int(count)) if count.isdigit() and word else (style_of(value), decimals)
            if not style and (found := unit_named(value)) is not None:
                unit, suffix = found, value.strip()
        elif name == "decimals" and value.isdigit():
            decimals = min(int(value), MOST_DECIMALS)
        elif name == "unit":
            found = unit_named(value)
            unit, suffix = (found, value.strip()) if found is not None else (unit, value.strip())
        elif name == "currency":
            style, named = "currency", value.upper() or currency
        elif name == "empty":
            empty = value
    return Look(style, decimals, unit, suffix, named, empty)


def shown(value: Any, look: Look, language: str = "en") -> str:
    """A value as its look wants it; numbers are rounded half up, as people do."""
    if value is None:
        return look.empty
    number = as_number(value)
    if number is None or look.style == "text":
        return _plain(value, language)
    if look.style == "percent":
        return f"{_rounded(number * 100, 1 if look.decimals is None else look.decimals)}%"
    scaled = number / UNITS[look.unit]
    if look.style == "currency":
        decimals = 2 if look.decimals is None else look.decimals
        sign = _SIGNS.get(look.currency, f"{look.currency} " if look.currency else "¥")
        return _signed(sign, _rounded(scaled, decimals)) + look.suffix.removesuffix("元")
    if look.style == "integer":
        return _rounded(scaled, 0) + look.suffix
    if look.decimals is None and not look.unit:
        return _plain_number(value, number) + look.suffix
    return _rounded(scaled, 2 if look.decimals is None else look.decimals) + look.suffix


def _signed(sign: str, text: str) -> str:
    return f"-{sign}{text[1:]}" if text.startswith("-") else sign + text


def _plain_number(value: Any, number: float) -> str:
    if isinstance(value, int) or number.is_integer():
        return f"{int(value):,}"
    return _rounded(number, 2) if abs(number) >= 0.01 else f"{number:.3g}"


def _rounded(number: float, decimals: int) -> str:
    exact = Decimal(repr(number)).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)
    return f"{exact:,f}" if exact else f"{abs(exact):,f}"


def _plain(value: Any, language: str) -> str:
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        value = value.date()
    if isinstance(value, datetime.date) and not isinstance(value, datetime.datetime):
        return value.isoformat()
    return format_cell(value, language)
