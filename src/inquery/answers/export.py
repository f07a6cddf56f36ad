"""Results as files: CSV, JSON, JSON lines, Parquet and XLSX, written batch by batch in flat memory."""

from __future__ import annotations

import base64
import csv
import datetime
import io
import json
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import IO, Any

from inquery.answers.answer import AnswerColumn
from inquery.answers.formats import CURRENCIES, NAMES_THINGS
from inquery.answers.widths import cell_width
from inquery.databases.engine import Batch, ResultColumn
from inquery.errors import BadRequest, MissingDriver, TooManyRows

XLSX_ROWS = 1_048_575
SAFE_INTEGER = 1 << 53
_FORMULA = ("=", "+", "-", "@", "\t", "\r")

Seen = Callable[[int], None]
"""Called with the number of rows written so far."""


@dataclass(frozen=True, slots=True)
class ToldColumn(ResultColumn):
    """A column under the name that a reader of the answer knows it by."""

    stored: str = ""
    number_format: str = ""
    """As spreadsheets write it, where the answer knows what the figures are."""
    decimals: int | None = None
    """Those that CSV writes, where the answer knows what the figures are; None for 15 digits."""


def json_value(value: Any) -> Any:
    """A cell for JSON: decimals and integers beyond 2^53 are strings, so that no reader rounds them."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if isinstance(value, int):
        return value if -SAFE_INTEGER <= value <= SAFE_INTEGER else str(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, (bytes, bytearray, memoryview)):
        return base64.b64encode(bytes(value)).decode()
    if isinstance(value, dict):
        return {str(key): json_value(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [json_value(inner) for inner in value]
    return str(value)


def safe_text(text: str) -> str:
    """Text that a spreadsheet does not run: formulas get an apostrophe, numbers stay numbers."""
    if not text.startswith(_FORMULA):
        return text
    try:
        float(text)
    except ValueError:
        return "'" + text
    return text


def told_rows(columns: Sequence[AnswerColumn], rows: Sequence[Sequence[Any]]) -> list[Batch]:
    """An answer as its reader saw it, for files that people open: columns by their labels, codes as what they stand for."""
    heads = tuple(
        ToldColumn(
            column.label or column.name,
            "",
            column.kind,
            column.name,
            _told_format(column),
            _DECIMALS.get(column.format),
        )
        for column in columns
    )
    worded = [column.words for column in columns]
    if any(worded):
        rows = [[words.get(str(cell), cell) for cell, words in zip(row, worded, strict=True)] for row in rows]
    return [Batch(heads, [tuple(row) for row in rows])]


_DECIMALS: dict[str, int] = {"money": 4, "percent": 4, "fraction": 6}
"""Two more than a reader sees: 3713.2646518987362 is no amount that anybody meant, and what is summed up again stays right."""


def _told_format(column: AnswerColumn) -> str:
    if column.format == "money" and column.unit in CURRENCIES:
        return f'"{CURRENCIES[column.unit][0]}"#,##0.00'
    return {"percent": '0.00"%"', "fraction": "0.00%"}.get(column.format, "")


def write_export(batches: Iterable[Batch], form: str, out: IO[bytes], seen: Seen = lambda count: None) -> int:
    """Write all batches to a binary file in one of FORMATS; returns the number of rows."""
    return FORMATS[form](batches, out, seen)


def _counted(batches: Iterable[Batch], seen: Seen) -> Iterator[Batch]:
    count = 0
    for batch in batches:
        yield batch
        count += len(batch.rows)
        seen(count)


def _write_csv(batches: Iterable[Batch], out: IO[bytes], seen: Seen) -> int:
    text = io.TextIOWrapper(out, "utf-8", newline="", write_through=True)
    writer, count, headed = csv.writer(text, lineterminator="\n"), 0, False
    # Python quotes a cell for the end of line it writes itself, so a lone carriage return would split the row.
    careful = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL)
    for batch in _counted(batches, seen):
        if not headed:
            writer.writerow([safe_text(column.name) for column in batch.columns])
            headed = True
        for row in batch.rows:
            cells = [_flat(_rounded(value, column)) for value, column in zip(row, batch.columns, strict=True)]
            broken = any(isinstance(cell, str) and "\r" in cell for cell in cells)
            (careful if broken else writer).writerow(cells)
        count += len(batch.rows)
    text.flush()
    text.detach()
    return count


_NOISE = 1e-13
"""The relative error that adding thousands of amounts as floats leaves: 4618535.51 comes out as 4618535.50999999."""


def _without_noise(value: float) -> float:
    """A float as it was meant: what twelve digits say, where only noise tells it apart."""
    if not math.isfinite(value):
        return value
    short = float(f"{value:.12g}")
    return short if abs(short - value) <= _NOISE * abs(value) else value


_LEAST_DIGITS = 6


def _rounded(value: Any, column: ResultColumn) -> Any:
    """A figure with the decimals that its reader may want, small ones with six digits; other floats as 15 digits.

    Only in CSV that a person takes from an answer: a workbook hides digits by its format, and JSON and Parquet, as every
    file that programs ask for, are exact.
    """
    if not isinstance(column, ToldColumn) or not isinstance(value, float | Decimal) or not math.isfinite(value):
        return value
    if column.decimals is None:
        return float(f"{value:.15g}") if isinstance(value, float) else value
    size = math.floor(math.log10(abs(float(value)))) if value else 0
    return round(value, max(column.decimals, _LEAST_DIGITS - 1 - size))


def _flat(value: Any) -> Any:
    """A cell for CSV and XLSX."""
    if isinstance(value, float):
        return _without_noise(value)
    if isinstance(value, str):
        return safe_text(value)
    if isinstance(value, (bytes, bytearray, memoryview)):
        return "0x" + bytes(value).hex()
    if isinstance(value, (dict, list, tuple)):
        return json.dumps(json_value(value), ensure_ascii=False)
    if isinstance(value, datetime.datetime):
        return value.isoformat(" ")
    return value


def _write_jsonl(batches: Iterable[Batch], out: IO[bytes], seen: Seen) -> int:
    count = 0
    for batch in _counted(batches, seen):
        for record in _records(batch):
            out.write(json.dumps(record, ensure_ascii=False).encode() + b"\n")
        count += len(batch.rows)
    return count


def _write_json(batches: Iterable[Batch], out: IO[bytes], seen: Seen) -> int:
    count = 0
    out.write(b"[")
    for batch in _counted(batches, seen):
        for record in _records(batch):
            out.write((b",\n" if count else b"\n") + json.dumps(record, ensure_ascii=False).encode())
            count += 1
    out.write(b"\n]\n")
    return count


def _records(batch: Batch) -> Iterator[dict[str, Any]]:
    names = unique_names(batch.columns)
    for row in batch.rows:
        yield {name: json_value(value) for name, value in zip(names, row, strict=True)}


def unique_names(columns: Iterable[ResultColumn]) -> list[str]:
    """Column names that can be keys: the second `id` becomes `id_2`."""
    names: list[str] = []
    for column in columns:
        name, number = column.name, 2
        while name in names:
            name, number = f"{column.name}_{number}", number + 1
        names.append(name)
    return names


def _write_parquet(batches: Iterable[Batch], out: IO[bytes], seen: Seen) -> int:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise MissingDriver(str(error), engine="Parquet", extra="export") from error
    writer, count = None, 0
    try:
        for batch in _counted(batches, seen):
            names = unique_names(batch.columns)
            columns = list(zip(*batch.rows, strict=True)) or [()] * len(names)
            schema = writer.schema if writer else None
            arrays = [_array(pa, values, schema.field(i).type if schema else None) for i, values in enumerate(columns)]
            table = pa.Table.from_arrays(arrays, schema=schema) if schema else pa.table(arrays, names=names)
            writer = writer or pq.ParquetWriter(out, table.schema)
            writer.write_table(table)
            count += len(batch.rows)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, OverflowError) as error:
        raise BadRequest.because(
            "a column mixes types that Parquet cannot hold together; use csv or jsonl",
            "某列的类型不一致，Parquet 无法保存；请改用 csv 或 jsonl",
            detail=str(error),
        ) from error
    finally:
        if writer:
            writer.close()
    return count


def _array(pa: Any, values: tuple[Any, ...], kind: Any) -> Any:
    plain = [json.dumps(json_value(v), ensure_ascii=False) if isinstance(v, (dict, list)) else v for v in values]
    if kind is None and any(isinstance(v, Decimal) for v in plain):
        kind = pa.decimal128(
            38, max(-int(v.as_tuple().exponent) for v in plain if isinstance(v, Decimal) and v.is_finite())
        )
    made = pa.array(plain, type=kind)
    return made.cast(pa.string()) if pa.types.is_null(made.type) else made


_LOOKED_AT = 200
_WIDEST, _NARROWEST = 60, 8


def _number_format(column: ResultColumn, values: Sequence[Any]) -> str:
    """How a spreadsheet shows the numbers of a column; empty for what is not all numbers, or only names things."""
    told = column if isinstance(column, ToldColumn) else ToldColumn(column.name, stored=column.name)
    numbers = [value for value in values if value is not None]
    if not numbers or NAMES_THINGS.search(told.stored):
        return ""
    if not all(isinstance(value, (int, float, Decimal)) and not isinstance(value, bool) for value in numbers):
        return ""
    if told.number_format:
        return told.number_format
    finite = [value for value in numbers if math.isfinite(value)]
    if all(value == int(value) for value in finite):
        return "#,##0"
    # Two decimals would hide most of a rate.
    return "0.0000" if all(abs(value) < 1 for value in finite) else "#,##0.00"


def _write_xlsx(batches: Iterable[Batch], out: IO[bytes], seen: Seen) -> int:
    try:
        from openpyxl import Workbook
        from openpyxl.cell import WriteOnlyCell
        from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
        from openpyxl.styles import Font
        from openpyxl.utils import get_column_letter
    except ImportError as error:
        raise MissingDriver(str(error), engine="XLSX", extra="export") from error
    book = Workbook(write_only=True)
    sheet, count, headed = book.create_sheet("result"), 0, False

    def cell(value: Any) -> Any:
        flat = json_value(value) if isinstance(value, (Decimal, int)) and not isinstance(value, bool) else _flat(value)
        flat = float(value) if isinstance(value, Decimal) and value.is_finite() and abs(value) < SAFE_INTEGER else flat
        return ILLEGAL_CHARACTERS_RE.sub("", flat)[:32_767] if isinstance(flat, str) else flat

    def formatted(value: Any, form: str) -> Any:
        made = WriteOnlyCell(sheet, cell(value))
        made.number_format = form
        return made

    def head(column: ResultColumn) -> Any:
        made = WriteOnlyCell(sheet, cell(column.name))
        made.font = Font(bold=True)
        return made

    forms: list[str] = []
    for batch in _counted(batches, seen):
        if not headed:
            # Before the first row: the sheet is written as it goes.
            forms = [_number_format(column, [row[i] for row in batch.rows]) for i, column in enumerate(batch.columns)]
            for place, column in enumerate(batch.columns):
                shown = [column.name, *(str(_flat(row[place])) for row in batch.rows[:_LOOKED_AT])]
                wide = max(min(_WIDEST, max(map(cell_width, shown))), _NARROWEST) + 2
                sheet.column_dimensions[get_column_letter(place + 1)].width = wide
            sheet.freeze_panes = "A2"
            sheet.append([head(column) for column in batch.columns])
            headed = True
        count += len(batch.rows)
        if count > XLSX_ROWS:
            sheet.close()
            raise TooManyRows("an XLSX sheet holds no more", limit=XLSX_ROWS)
        for row in batch.rows:
            sheet.append(
                [
                    formatted(value, form) if form and value is not None else cell(value)
                    for value, form in zip(row, forms, strict=True)
                ]
            )
    book.save(out)
    return count


FORMATS: dict[str, Callable[[Iterable[Batch], IO[bytes], Seen], int]] = {
    "csv": _write_csv,
    "json": _write_json,
    "jsonl": _write_jsonl,
    "parquet": _write_parquet,
    "xlsx": _write_xlsx,
}
BINARY = frozenset({"parquet", "xlsx"})
