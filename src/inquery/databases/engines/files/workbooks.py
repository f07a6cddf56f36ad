"""Workbooks as tables: DuckDB's own reader is an extension that would have to be downloaded."""

from __future__ import annotations

import csv
import datetime
import zipfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from inquery.errors import BadDataFile, MissingDriver

_NULL = "\\N"


def load_workbook_tables(db: Any, path: Path, spare: Path, name_for: Callable[[str], str]) -> Iterator[tuple[str, int]]:
    """Make a table of each sheet that has cells; yields its name and rows."""
    sheets = list(_sheets(path))
    if not sheets:
        raise BadDataFile.because("it holds no cells", "文件中没有单元格", detail=str(path), name=path.name)
    for title, rows in sheets:
        table = name_for(path.stem if len(sheets) == 1 else f"{path.stem}_{title}")
        columns = _header(rows[0])
        body = [list(row) + [None] * (len(columns) - len(row)) for row in rows[1:]]
        types = [_type([row[i] for row in body]) for i in range(len(columns))]
        _insert(db, table, columns, types, body, spare.with_suffix(".xlsx.csv"))
        yield table, len(body)


def _sheets(path: Path) -> Iterator[tuple[str, list[tuple[Any, ...]]]]:
    try:
        from openpyxl import load_workbook
        from openpyxl.utils.exceptions import InvalidFileException
    except ImportError as error:
        raise MissingDriver(str(error), engine="XLSX", extra="export") from error
    try:
        book = load_workbook(path, read_only=True, data_only=True)
    except (InvalidFileException, zipfile.BadZipFile, KeyError, ValueError) as error:
        raise BadDataFile.because(
            "it is not an XLSX workbook", "不是 XLSX 工作簿", detail=str(error), name=path.name
        ) from error
    try:
        for sheet in book.worksheets:
            rows = [row for row in sheet.iter_rows(values_only=True) if any(cell is not None for cell in row)]
            if rows:
                yield sheet.title, rows
    finally:
        book.close()


def _header(cells: Sequence[Any]) -> list[str]:
    """Names of columns: what the first row says, numbered where it says nothing or the same twice."""
    names: list[str] = []
    taken: set[str] = set()
    while cells and cells[-1] is None:
        cells = cells[:-1]
    for index, cell in enumerate(cells, 1):
        name = str(cell).strip() if cell is not None else ""
        name = name or f"column_{index}"
        unique, number = name, 0
        while unique.casefold() in taken:
            number += 1
            unique = f"{name}_{number}"
        taken.add(unique.casefold())
        names.append(unique)
    return names


def _type(values: Sequence[Any]) -> str:
    kinds = {type(value) for value in values if value is not None}
    if not kinds:
        return "VARCHAR"
    if kinds == {bool}:
        return "BOOLEAN"
    if kinds == {int}:
        return "BIGINT" if all(abs(v) < 1 << 63 for v in values if v is not None) else "DOUBLE"
    if kinds <= {int, float}:
        return "DOUBLE"
    if kinds <= {datetime.datetime, datetime.date}:
        midnight = all(getattr(v, "hour", 0) == getattr(v, "minute", 0) == 0 for v in values if v is not None)
        return "DATE" if midnight else "TIMESTAMP"
    return "TIME" if kinds == {datetime.time} else "VARCHAR"


def _insert(db: Any, table: str, columns: list[str], types: list[str], rows: list[list[Any]], spare: Path) -> None:
    described = ", ".join(f'"{_escaped(name)}" {kind}' for name, kind in zip(columns, types, strict=True))
    db.execute(f'CREATE TABLE "{table}" ({described})')
    # Through a file: DuckDB takes rows from Python one statement at a time.
    with spare.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out)
        for row in rows:
            writer.writerow([_cell(value, kind) for value, kind in zip(row, types, strict=False)])
    if rows:
        where = str(spare).replace("'", "''")
        db.execute(
            f"COPY \"{table}\" FROM '{where}' (FORMAT csv, AUTO_DETECT false, HEADER false, NULLSTR '{_NULL}', "
            "DELIMITER ',', QUOTE '\"', ESCAPE '\"')"
        )
    spare.unlink()


def _escaped(name: str) -> str:
    return name.replace('"', '""')


def _cell(value: Any, kind: str) -> str:
    if value is None:
        return _NULL
    if kind == "DATE" and isinstance(value, datetime.datetime):
        return value.date().isoformat()
    if isinstance(value, datetime.datetime):
        return value.isoformat(" ")
    return str(value)
