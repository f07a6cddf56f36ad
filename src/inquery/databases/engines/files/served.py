"""Data files made into a DuckDB database: views over CSV, Parquet and JSON, tables for what DuckDB cannot read."""

from __future__ import annotations

import codecs
import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import astuple
from pathlib import Path

import duckdb

from inquery.databases.engines.duckdb.served import classify, ragged
from inquery.databases.engines.files.cell_kinds import quoted
from inquery.databases.engines.files.layout import Layout, Row, find_layout
from inquery.databases.engines.files.noticed import Noticed
from inquery.databases.engines.files.typing_columns import WHOLE, csv_table
from inquery.databases.engines.files.workbooks import read_sheets
from inquery.errors import BadDataFile, InqueryError

_CHUNK = 1 << 20
_ALL_ROWS = 8 << 20
"""Of files up to this size every row is looked at for its place in the table; of larger ones the first and the last."""
_ENDS = 64 << 10
_HELD = 256 << 20
"""So much of the files is taken over into tables, which are faster than files; the rest is read where it lies."""

Made = tuple[str, str, int | None, str, list[tuple[object, ...]]]
"""A table: its name, its file, its rows, the path read at query time, and what was noticed."""


def table_name(stem: str, taken: set[str]) -> str:
    """A name to type in SQL: letters of any script, digits and underscores, unique."""
    name = re.sub(r"\W+", "_", stem).strip("_").lower() or "data"
    name = f"t_{name}" if name[0].isdigit() else name
    unique, number = name, 1
    while unique in taken:
        number += 1
        unique = f"{name}_{number}"
    taken.add(unique)
    return unique


class FilesBuilder:
    """Builds the database in a process of its own: parsing files is hostile-size work too."""

    errors = (duckdb.Error, OSError)

    def open(self) -> BuildSession:
        """The one session."""
        return BuildSession()

    def classify(self, error: BaseException) -> InqueryError:
        """Errors that no file was named for."""
        return classify(error) if isinstance(error, duckdb.Error) else BadDataFile(str(error), name="…", reason="…")


class BuildSession:
    """One build."""

    def build(self, files: list[str], target: str) -> list[Made]:
        """Write the database; returns its tables."""
        made: list[Made] = []
        taken: set[str] = set()
        room = _HELD
        folder = Path(target).parent
        with duckdb.connect(target, config={"autoinstall_known_extensions": False, "errors_as_json": True}) as db:
            for number, file in enumerate(files):
                path = Path(file)
                room -= path.stat().st_size
                try:
                    made += _add(db, path, folder / str(number), taken, held=room >= 0)
                except (duckdb.Error, OSError, BadDataFile) as error:
                    raise _named(error, path.name) from error
        return made

    def interrupt(self) -> None:
        """A build is stopped by ending its process."""

    def close(self) -> None:
        """Nothing is held."""


def _add(db: duckdb.DuckDBPyConnection, path: Path, spare: Path, taken: set[str], *, held: bool) -> Iterator[Made]:
    suffix = path.suffix.lower()
    if suffix == ".xlsx":
        yield from _add_workbook(db, path, spare, taken)
    elif suffix in {".csv", ".tsv"}:
        yield _add_csv(db, path, spare, taken, held=held)
    else:
        read, _ = _readable(path, spare)
        name = table_name(path.stem, taken)
        source = "read_parquet({})" if suffix == ".parquet" else "read_json({}, sample_size = -1)"
        db.execute(f'CREATE VIEW "{name}" AS SELECT * FROM {source.format(quoted(str(read)))}')
        yield name, path.name, _count(db, name, suffix, path.stat().st_size), str(read), []


def _add_workbook(db: duckdb.DuckDBPyConnection, path: Path, spare: Path, taken: set[str]) -> Iterator[Made]:
    sheets = read_sheets(path)
    if not sheets:
        raise BadDataFile.because("it holds no cells", "文件中没有单元格", detail=str(path), name=path.name)
    for sheet in sheets:
        name = table_name(path.stem if len(sheets) == 1 else f"{path.stem}_{sheet.title}", taken)
        copy = spare.with_suffix(".xlsx.csv")
        notes = [*_write_table(copy, sheet, sheet.layout), *sheet.notes]
        table = csv_table(db, copy, ",", header=True)
        db.execute(f'CREATE TABLE "{name}" AS {table.select}')
        copy.unlink()
        yield name, path.name, _rows(db, name), "", [astuple(note) for note in (*notes, *table.notes)]


def _add_csv(db: duckdb.DuckDBPyConnection, path: Path, spare: Path, taken: set[str], *, held: bool) -> Made:
    read, notes = _readable(path, spare)
    if not _first_lines(read).strip():
        raise BadDataFile.because("it is empty", "文件为空", detail=str(path), name=path.name)
    delimiter = "\t" if path.suffix.lower() == ".tsv" else _delimiter(read)
    size = read.stat().st_size
    rows = list(_read_rows(read, delimiter, size))
    layout = find_layout(rows)
    header = layout.header
    if not layout.plain and size <= WHOLE:
        if size > _ALL_ROWS:
            rows = list(_read_rows(read, delimiter, 0))
            layout = find_layout(rows)
        _refuse_ragged(rows, layout, read, delimiter)
        read, delimiter, header = spare.with_suffix(".rows.csv"), ",", True
        notes += _write_table(read, rows, layout)
    elif not layout.header:
        notes += [note for note in layout.notes if note.kind == "no_header"]
    table = csv_table(db, read, delimiter, header=header)
    name = table_name(path.stem, taken)
    kind = "TABLE" if held and size <= WHOLE else "VIEW"
    db.execute(f'CREATE {kind} "{name}" AS {table.select}')
    count = _rows(db, name) if kind == "TABLE" else _count(db, name, ".csv", size)
    return (
        name,
        path.name,
        count,
        "" if kind == "TABLE" else str(read),
        [astuple(note) for note in (*notes, *table.notes)],
    )


def _rows(db: duckdb.DuckDBPyConnection, name: str) -> int:
    found = db.execute(f'SELECT count(*) FROM "{name}"').fetchone()
    return int(found[0]) if found else 0


def _write_table(path: Path, rows: Sequence[Row], layout: Layout) -> list[Noticed]:
    """The table alone as CSV; returns what was left out around it."""
    body = list(layout.body(rows))
    kept = [at for at, name in enumerate(layout.given) if name or any(row[at] for row in body)]
    notes = list(layout.notes)
    if empty := layout.width - len(kept):
        notes.append(Noticed("empty_columns", count=empty))
    with path.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, quoting=csv.QUOTE_MINIMAL)
        writer.writerow([layout.names[at] for at in kept])
        writer.writerows([row[at] for at in kept] for row in body)
    return notes


def _refuse_ragged(rows: Sequence[Row], layout: Layout, path: Path, delimiter: str) -> None:
    """A line of another width within the table is no remark but a fault: cells would stand under wrong names."""
    data = [number for number in range(layout.first, len(rows)) if number not in layout.dropped]
    if all(len(rows[number]) == layout.cells for number in data):
        return
    # One line with a cell too many makes the table wider than all others are: it is the odd one, not they.
    usual = Counter(len(rows[number]) for number in (max(layout.first - 1, 0), *data)).most_common(1)[0][0]
    for number in data:
        if len(rows[number]) != usual:
            with path.open(encoding="utf-8-sig", newline="") as file:
                reader = csv.reader(file, delimiter=delimiter)
                line = next((reader.line_num for at, _ in enumerate(reader) if at == number), number + 1)
            raise ragged(str(line), f"{len(rows[number])} cells, {usual} columns")


def _read_rows(path: Path, delimiter: str, size: int) -> Iterator[Row]:
    """The stripped cells of every row, or of the first and the last rows of a large file."""
    if size <= _ALL_ROWS:
        with path.open(encoding="utf-8-sig", newline="") as file:
            yield from ([cell.strip() for cell in row] for row in csv.reader(file, delimiter=delimiter))
        return
    head = _first_lines(path).splitlines()[:-1]
    with path.open("rb") as file:
        file.seek(-_ENDS, 2)
        tail = file.read().decode("utf-8", "ignore").splitlines()[1:]
    yield from ([cell.strip() for cell in row] for row in csv.reader([*head, *tail], delimiter=delimiter))


def _count(db: duckdb.DuckDBPyConnection, name: str, suffix: str, size: int) -> int | None:
    if suffix == ".parquet":
        found = db.execute(f'SELECT count(*) FROM "{name}"').fetchone()
    elif size <= WHOLE:
        found = db.execute(f'SELECT count(*), count(COLUMNS(*)) FROM "{name}"').fetchone()
    else:
        return None
    return int(found[0]) if found else None


def _readable(path: Path, spare: Path) -> tuple[Path, list[Noticed]]:
    """The path DuckDB reads: a link where the name looks like a pattern, a copy where the text is not UTF-8."""
    if path.suffix.lower() in {".csv", ".tsv", ".json", ".jsonl", ".ndjson"}:
        encoding = find_encoding(path)
        if encoding != "utf-8":
            copy = spare.with_suffix(path.suffix.lower())
            with (
                path.open(encoding=encoding, newline="") as source,
                copy.open("w", encoding="utf-8", newline="") as out,
            ):
                while chunk := source.read(_CHUNK):
                    out.write(chunk)
            return copy, [Noticed("encoding", shown=(ENCODINGS[encoding],))]
    if re.search(r"[*?\[\]{}]", str(path)):
        link = spare.with_suffix(path.suffix.lower())
        link.symlink_to(path)
        return link, []
    return path, []


ENCODINGS = {
    "utf-16": "UTF-16",
    "gb18030": "GBK / GB18030",
    "cp1252": "Latin-1 (Windows-1252)",
    "big5": "Big5",
    "cp932": "Shift JIS",
}
_PAIRED = 0.15
"""The share of pairs whose second byte is below those of simplified Chinese, from which on they are of another script."""


def find_encoding(path: Path) -> str:
    """utf-8 (with or without a mark), utf-16, gb18030 or cp1252, by reading the file; raises BadDataFile."""
    with path.open("rb") as file:
        head = file.read(4)
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    if _decodes(path, "utf-8"):
        return "utf-8"
    with path.open("rb") as file:
        sample = file.read(_CHUNK)
    # In GB text high bytes come in runs; in Western text they stand alone between ASCII letters.
    runs = re.findall(rb"[\x80-\xff]+", sample)
    alone = sum(len(run) == 1 for run in runs)
    wide = [*_other_scripts(sample), "gb18030"]
    for encoding in ("cp1252", *wide) if alone * 2 > len(runs) else (*wide, "cp1252"):
        if _decodes(path, encoding):
            return encoding
    raise BadDataFile.because(
        "its text encoding is not known; save it as UTF-8",
        "无法识别文本编码，请另存为 UTF-8",
        detail=str(path),
        name=path.name,
    )


def _other_scripts(sample: bytes) -> list[str]:
    """The encodings of traditional Chinese and Japanese, where the pairs of bytes are theirs: as GBK they decode too."""
    pairs, at = [], 0
    while at < len(sample) - 1:
        if sample[at] < 0x80:
            at += 1
        else:
            pairs.append((sample[at], sample[at + 1]))
            at += 2
    if sum(second < 0xA1 for _, second in pairs) <= _PAIRED * len(pairs):
        return []
    kana = sum(first in (0x82, 0x83) for first, _ in pairs)
    usual = sum(0xA1 <= first <= 0xC9 for first, _ in pairs)  # the signs and the first, common plane of Big5
    return ["cp932"] * (kana * 10 > len(pairs)) + ["big5"] * (usual * 10 > 8 * len(pairs))


def _decodes(path: Path, encoding: str) -> bool:
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        with path.open("rb") as file:
            while chunk := file.read(_CHUNK):
                decoder.decode(chunk)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _first_lines(path: Path) -> str:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return file.read(_ENDS)


def _delimiter(path: Path) -> str:
    """The sign that cuts most lines into equally many cells."""
    lines = [line for line in _first_lines(path).splitlines()[:200] if line.strip()]
    best, found = 0, ","
    for sign in ",;\t|":
        widths = Counter(len(row) for row in csv.reader(lines, delimiter=sign) if len(row) > 1)
        usual = max(widths.values(), default=0)
        if usual > best:
            best, found = usual, sign
    return found


def _named(error: BaseException, name: str) -> InqueryError:
    """The error with the file's own name in it."""
    found = classify(error) if isinstance(error, (duckdb.Error, BadDataFile)) else None
    if isinstance(found, BadDataFile):
        return BadDataFile(found.detail, name=name, reason=found.fields.get("reason", "…"))
    return BadDataFile.because(
        "its content does not match its kind", "内容与文件类型不符", detail=str(error), name=name
    )
