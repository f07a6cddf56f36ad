"""How values look: to people by language, to JSON without loss."""

from __future__ import annotations

import datetime
import json
import math
import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any

from inquery.aside import run_aside

CURRENCIES = {
    "CNY": ("¥", "元"), "USD": ("$", "美元"), "EUR": ("€", "欧元"), "GBP": ("£", "英镑"), "JPY": ("¥", "日元"), "HKD": ("HK$", "港元"),
}  # fmt: skip
SAFE_INTEGER = 1 << 53
"""JavaScript reads larger integers wrongly, so they travel as text."""
LONGEST_TEXT = 200
MANY_CELLS = 50_000
"""Cells above which rows are written aside: some 10 ms."""


def json_cell(value: Any) -> Any:
    """A cell as JSON: decimals and integers beyond 2^53 as text, dates in ISO form, bytes in hex."""
    # Nearly every cell is one of these, and a wide result has a million: by its exact type it is told at once.
    kind = type(value)
    if kind is str or value is None or (kind is int and -SAFE_INTEGER <= value <= SAFE_INTEGER):
        return value
    match value:
        case bool() | str():
            return value
        case int():
            return value if abs(value) <= SAFE_INTEGER else str(value)
        case float():
            return value if math.isfinite(value) else str(value)
        case datetime.datetime() | datetime.date() | datetime.time():
            return value.isoformat()
        case bytes() | bytearray() | memoryview():
            return bytes(value).hex()
        case list() | tuple():
            return [json_cell(item) for item in value]
        case dict():
            return {str(key): json_cell(item) for key, item in value.items()}
        case _:
            return str(value)


def json_rows(rows: Iterable[Iterable[Any]]) -> list[list[Any]]:
    """Rows as JSON."""
    return [[json_cell(cell) for cell in row] for row in rows]


async def json_rows_aside(rows: Sequence[Sequence[Any]]) -> list[list[Any]]:
    """Rows as JSON; a result of very many cells leaves the event loop free meanwhile."""
    return await run_aside(sum(map(len, rows)) > MANY_CELLS, json_rows, rows)


def as_number(value: Any) -> float | None:
    """A cell as a number, where it is one; decimals may have travelled as text."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float | Decimal):
        number = float(value)
        return number if math.isfinite(number) else None
    return None


def format_number(value: float | int | Decimal, language: str = "en", *, digits: int = 2) -> str:
    """A number for a sentence: grouped, at most `digits` decimals, large ones in 万 and 亿 in Chinese."""
    number = float(value)
    size = abs(number)
    if language == "zh" and size >= 1e8:
        return f"{_trim(number / 1e8, digits)}亿"
    if language == "zh" and size >= 1e5:
        return f"{_trim(number / 1e4, digits)}万"
    if isinstance(value, int) or (number.is_integer() and size < 1e15):
        return f"{int(value):,}"
    if 0 < size < 0.01:
        return f"{number:.3g}"
    return _trim(number, digits)


def _trim(number: float, digits: int) -> str:
    text = f"{number:,.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


NAMES_THINGS = re.compile(
    r"(?:^|_)(?:ids?|year|yr|code|no|number|zip|zipcode|postcode|phone)$|^(?:年|年度)$|(?:年份|号|号码|代码|编码|邮编|电话)$",
    re.IGNORECASE,
)
"""Columns whose numbers are names: 2,026 is no year. The page's table goes by the same words."""


def group_digits(value: int | float | Decimal) -> str:
    """A number of a table: every digit but the noise of binary fractions, in groups."""
    return f"{value:,.12g}" if isinstance(value, float) and abs(value) < 1e15 else f"{value:,}"


def format_percent(share: float) -> str:
    """A fraction as a percentage with one decimal at most."""
    return f"{_trim(share * 100, 1)}%"


def format_figure(value: Any, style: str, unit: str, language: str = "en") -> str:
    """A number of a sentence with its unit: ¥1,200, 1,200元, 12.3%; anything else as a cell."""
    number = as_number(value)
    if number is None:
        return format_cell(value, language)
    if style in {"percent", "fraction"}:
        return f"{_trim(number * (100 if style == 'fraction' else 1), 2)}%"
    whole = number.is_integer() and abs(number) < 1e15
    text = format_number(int(number) if whole else number, language)
    if style != "money" or not unit:
        return text
    if not whole and text[-1].isdigit() and abs(number) >= 0.01:
        text = f"{number:,.2f}"  # prices that end in 4 and in 4.05 side by side look like a mistake
    sign, word = CURRENCIES.get(unit, (f"{unit} ", unit))
    if language == "zh":
        return f"{text}{word}"
    return f"-{sign}{text[1:]}" if text.startswith("-") else f"{sign}{text}"


_SHORT = {"en": ((1e9, "B"), (1e6, "M"), (1e4, "K")), "zh": ((1e8, "亿"), (1e4, "万"))}
"""From which size on a number is written short, and by what; thousands are read well as they are."""


def format_short(value: float, style: str = "", unit: str = "", language: str = "en") -> str:
    """A number of a chart, short enough for an axis: ¥1.2M, 120万, 4.3%."""
    if style in {"percent", "fraction"}:
        return f"{_trim(value * (100 if style == 'fraction' else 1), 1)}%"
    sign = CURRENCIES.get(unit, (f"{unit} ", ""))[0] if style == "money" and unit else ""
    size, word = next((each for each in _SHORT["zh" if language == "zh" else "en"] if abs(value) >= each[0]), (1.0, ""))
    size, word = (1e3, "K") if word == "K" else (size, word)
    text = (
        _trim(abs(value) / size, 1) if word else format_number(int(value) if value == int(value) else value).lstrip("-")
    )
    return f"{'-' if value < 0 else ''}{sign}{text}{word}"


def humanise(name: str) -> str:
    """A name of a database as words: total_amount and totalAmount are total amount."""
    if not name.isascii():
        return name.replace("_", " ").strip()
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name.rpartition(".")[2].replace("_", " "))
    shouted = name.isupper() and len(name) > 4
    return " ".join(w if w.isupper() and len(w) > 1 and not shouted else w.lower() for w in spaced.split())


def format_cell(value: Any, language: str = "en") -> str:
    """A cell for a table or a sentence."""
    if value is None:
        return "—"
    if isinstance(value, bool):
        return ("是" if value else "否") if language == "zh" else ("yes" if value else "no")
    if isinstance(value, int | float | Decimal):
        number = float(value)
        if not math.isfinite(number):
            return str(value)
        return f"{value:,}" if isinstance(value, int) else f"{number:,.10g}" if abs(number) < 1e6 else f"{number:,.2f}"
    if isinstance(value, bytes | bytearray | memoryview):
        return f"0x{bytes(value)[:8].hex()}… ({len(bytes(value))} B)"
    if isinstance(value, datetime.datetime):
        return value.isoformat(sep=" ", timespec="seconds")
    plain = json_cell(value)
    text = plain if isinstance(plain, str) else json.dumps(plain, ensure_ascii=False)
    flat = " ".join(text.split())
    return flat if len(flat) <= LONGEST_TEXT else flat[: LONGEST_TEXT - 1] + "…"


def format_label(value: Any, language: str = "en") -> str:
    """A cell that names its row: a year or the number of an order has no thousands."""
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal) or value != value // 1:
        return format_cell(value, language)
    return f"{value:.0f}" if isinstance(value, float | Decimal) else str(value)
