"""A table of a CSV file: what DuckDB finds of its columns, corrected to what a person sees in them."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from inquery.databases.engines.duckdb.served import classify, ragged
from inquery.databases.engines.files.cell_kinds import (
    TELLING,
    Kind,
    currencies_of,
    date_of_digits,
    is_decorated,
    kind_of_cells,
    present_sql,
    quoted,
    stays_text,
)
from inquery.databases.engines.files.noticed import Noticed, examples
from inquery.errors import InqueryError

WHOLE = 64 << 20
"""Files up to this size are read whole when they are registered, so that a bad line or cell is found then."""
_PART = 200_000
_LOOK = 2_000
"""Rows of the first look, which says what a column may be; all rows then say whether it is."""
_INTEGERS = frozenset({"BIGINT", "INTEGER", "HUGEINT", "SMALLINT", "TINYINT"})
_AT_ONCE = 20
"""Columns counted by one statement: every pattern has a matcher, and 900 of them exhaust the process's memory."""
_FURTHER = 20
"""Odd cells that are looked at, for what they say of the column."""


@dataclass(frozen=True, slots=True)
class CsvTable:
    """A SELECT over a file with everything fixed, so that nothing is guessed again and no line is skipped in silence."""

    select: str
    notes: tuple[Noticed, ...]


@dataclass(frozen=True, slots=True)
class _Fixed:
    """How the file is read: its options and the types of its columns."""

    path: Path
    options: str
    types: dict[str, str]
    days: str = ""
    """The format of its dates, where they are not written year first."""

    def source(self, types: Mapping[str, str] | None = None) -> str:
        columns = ", ".join(f"{quoted(name)}: {quoted(kind)}" for name, kind in (types or self.types).items())
        return f"read_csv({quoted(str(self.path))}, auto_detect = false, {self.options}, columns = {{{columns}}}, null_padding = false)"

    def raw(self) -> str:
        return self.source(dict.fromkeys(self.types, "VARCHAR"))


def csv_table(db: duckdb.DuckDBPyConnection, path: Path, delimiter: str, *, header: bool) -> CsvTable:
    """The table of a CSV file in UTF-8."""
    fixed = _sniffed(db, path, delimiter, header)
    looked = db.execute(f"SELECT * FROM {fixed.raw()} LIMIT {_LOOK}").fetchall()
    cells = {name: [row[at] for row in looked if row[at] is not None] for at, name in enumerate(fixed.types)}
    wanted = {name: kind for name, held in cells.items() if (kind := _wanted(name, fixed.types[name], held))}
    kinds: dict[str, Kind] = {}
    notes: list[Noticed] = []
    if order := {"%d": "day_first", "%m": "month_first"}.get(fixed.days[:2]):
        dated = [name for name, kind in fixed.types.items() if kind == "DATE"]
        notes += [Noticed(order, name, len(cells[name]), len(cells[name]), examples(cells[name])[:2]) for name in dated]
    for name, kind, counts in _counted(db, fixed, wanted):
        if note := _judged(name, kind, counts, cells[name]):
            notes.append(note)
            if note.kind != "text":
                kinds[name] = kind
            if note.kind == "number" and len(several := currencies_of(cells[name])) > 1:
                notes.append(Noticed("currencies", name, len(several), shown=several))
    types = {name: "VARCHAR" if name in kinds else kind for name, kind in fixed.types.items()}
    shown = ", ".join(_column(name, kinds.get(name)) for name in types)
    return CsvTable(f"SELECT {shown} FROM {fixed.source(types)}", tuple(notes))


def _sniffed(db: duckdb.DuckDBPyConnection, path: Path, delimiter: str, header: bool) -> _Fixed:
    sample = -1 if path.stat().st_size <= WHOLE else _PART
    delim = "'\\t'" if delimiter == "\t" else quoted(delimiter)
    fixed = f"delim = {delim}, quote = '\"', escape = '\"', skip = 0, header = {str(header).lower()}"
    try:
        row = db.execute(
            f"SELECT Columns, DateFormat, TimestampFormat FROM sniff_csv({quoted(str(path))}, {fixed}, "
            f"sample_size = {sample}, strict_mode = true, null_padding = false)"
        ).fetchone()
    except duckdb.InvalidInputException as error:
        raise _unsniffable(path, delimiter, error) from error
    assert row is not None
    formats = "".join(
        f", {name} = {quoted(value)}" for name, value in (("dateformat", row[1]), ("timestampformat", row[2])) if value
    )
    return _Fixed(path, fixed + formats, {column["name"]: column["type"] for column in row[0]}, str(row[1] or ""))


def _unsniffable(path: Path, delimiter: str, error: duckdb.Error) -> InqueryError:
    """DuckDB only says that it found no columns: the first line of another width is looked for here."""
    width = None
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.reader(file, delimiter=delimiter)
        for row in reader:
            width = len(row) if width is None else width
            if row and len(row) != width:
                return ragged(str(reader.line_num), str(error))
    return classify(error)


def _wanted(name: str, type_name: str, cells: Sequence[str]) -> Kind | None:
    if type_name == "VARCHAR":
        return kind_of_cells(name, cells)
    return date_of_digits(name, cells) if type_name in _INTEGERS else None


@dataclass(frozen=True, slots=True)
class _Counts:
    present: int
    fitting: int
    odd: tuple[str, ...]


def _counted(
    db: duckdb.DuckDBPyConnection, fixed: _Fixed, wanted: Mapping[str, Kind]
) -> Iterator[tuple[str, Kind, _Counts]]:
    """How many cells of each column fit its kind, over all rows, with some that do not."""
    items = list(wanted.items())
    for start in range(0, len(items), _AT_ONCE):
        batch = items[start : start + _AT_ONCE]
        parts: list[str] = []
        for name, kind in batch:
            column = _named(name)
            there, value = present_sql(column), kind.sql(column)
            parts += [
                f"count(*) FILTER ({there})",
                f"count({value})",
                f"list(DISTINCT {column}) FILTER ({there} AND ({value}) IS NULL)[1:{_FURTHER}]",
            ]
        row: Sequence[Any] = db.execute(f"SELECT {', '.join(parts)} FROM {fixed.raw()}").fetchone() or ()
        for at, (name, kind) in enumerate(batch):
            present, fitting, odd = row[3 * at : 3 * at + 3]
            yield name, kind, _Counts(int(present), int(fitting), tuple(map(str, sorted(odd or ()))))


def _judged(name: str, kind: Kind, counts: _Counts, cells: Sequence[str]) -> Noticed | None:
    """What comes of a column: converted, or text after all; None for text that nobody took for anything else."""
    odd = counts.present - counts.fitting
    decorated = is_decorated([cell for cell in cells if cell not in counts.odd])
    if odd and any(re.fullmatch(r"0\d+", cell.strip()) for cell in counts.odd):
        return None
    if stays_text(name, kind, counts.fitting, counts.odd, odd, decorated):
        told = counts.fitting >= TELLING * counts.present and counts.fitting >= 2
        return Noticed("text", name, 0, counts.present, (), odd, examples(counts.odd)) if told else None
    usual = [cell for cell in cells if cell not in counts.odd and cell.strip()]
    shown = examples(sorted(usual, key=lambda cell: cell.strip().isdigit()))[:2]
    return Noticed(kind.name, name, counts.fitting, counts.present, shown, odd, examples(counts.odd))


def _column(name: str, kind: Kind | None) -> str:
    column = _named(name)
    return column if kind is None else f"CAST({kind.sql(column)} AS {kind.type}) AS {column}"


def _named(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
