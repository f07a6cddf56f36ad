"""Workbooks as rows of text, a sheet at a time: DuckDB's own reader is an extension that would have to be downloaded."""

from __future__ import annotations

import datetime
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from inquery.databases.engines.files.layout import Layout, Row, find_layout
from inquery.databases.engines.files.noticed import Noticed, examples
from inquery.errors import BadDataFile, MissingDriver

HAND_MADE = 2 << 20
"""Of workbooks up to this size merged cells are known: openpyxl reads them only where it holds the whole sheet."""


class Sheet(list[Row]):
    """The rows of a sheet that has cells, with where its table is."""

    def __init__(self, title: str, rows: Sequence[Row], notes: Sequence[Noticed]) -> None:
        super().__init__(rows)
        self.title = title
        self.notes = list(notes)
        self.layout: Layout = find_layout(rows)


def read_sheets(path: Path) -> list[Sheet]:
    """The sheets that hold cells; hidden ones only where no other does."""
    book = _opened(path)
    try:
        shown = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"]
        hidden = [sheet for sheet in book.worksheets if sheet.sheet_state != "visible"]
        found = list(_with_cells(shown)) or list(_with_cells(hidden))
        left = [sheet.title for sheet in hidden if sheet.title not in {each.title for each in found}]
        if found and left:
            found[0].notes.append(Noticed("hidden", count=len(left), shown=examples(left)))
        return found
    finally:
        book.close()


def _opened(path: Path) -> Any:
    try:
        from openpyxl import load_workbook
        from openpyxl.utils.exceptions import InvalidFileException
    except ImportError as error:
        raise MissingDriver(str(error), engine="XLSX", extra="xlsx") from error
    try:
        return load_workbook(path, read_only=path.stat().st_size > HAND_MADE, data_only=True)
    except (InvalidFileException, zipfile.BadZipFile, KeyError, ValueError) as error:
        raise BadDataFile.because(
            "it is not an XLSX workbook", "不是 XLSX 工作簿", detail=str(error), name=path.name
        ) from error


def _with_cells(sheets: Sequence[Any]) -> Iterator[Sheet]:
    for sheet in sheets:
        rows = [list(row) for row in sheet.iter_rows(values_only=True)]
        filled = _fill_merged(rows, getattr(sheet, "merged_cells", None))
        texts = _as_text(rows)
        while texts and not any(texts[-1]):
            texts.pop()
        if texts:
            yield Sheet(sheet.title, texts, [Noticed("merged", count=filled)] if filled else [])


def _fill_merged(rows: list[list[Any]], merged: Any) -> int:
    """Give every cell of a merged range its value; returns how many ranges within the table were filled downwards."""
    down = 0
    for area in merged.ranges if merged is not None else ():
        value = rows[area.min_row - 1][area.min_col - 1] if area.min_row <= len(rows) else None
        if value is None:
            continue
        for row in rows[area.min_row - 1 : area.max_row]:
            for at in range(area.min_col - 1, min(area.max_col, len(row))):
                row[at] = value
        down += area.max_row > area.min_row
    return down


def _as_text(rows: list[list[Any]]) -> list[Row]:
    """Cells as text that DuckDB reads back; a column of dates at midnight is one of days."""
    width = max(map(len, rows), default=0)
    days = [_at_midnight([row[at] for row in rows if at < len(row)]) for at in range(width)]
    return [[_cell(value, days[at]) for at, value in enumerate(row)] for row in rows]


def _at_midnight(values: Sequence[Any]) -> bool:
    moments = [value for value in values if isinstance(value, datetime.datetime)]
    return all(value.time() == datetime.time() for value in moments)


def _cell(value: Any, days: bool) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, datetime.datetime):
        return value.date().isoformat() if days else value.isoformat(" ")
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value).strip()
