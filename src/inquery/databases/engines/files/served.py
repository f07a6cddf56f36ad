"""Data files made into a DuckDB database: views over CSV, Parquet and JSON, tables for what DuckDB cannot read."""

from __future__ import annotations

import codecs
import csv
import re
from collections.abc import Iterator
from pathlib import Path

import duckdb

from inquery.databases.engines.duckdb.served import classify, ragged
from inquery.databases.engines.files.workbooks import load_workbook_tables
from inquery.errors import BadDataFile, InqueryError

_WHOLE = 64 << 20
"""Files up to this size are read whole when they are registered, so that a bad line is found then."""
_CHUNK = 1 << 20
_NUMBER = re.compile(r"[-+]?[\d.,]+%?|\d{4}-\d\d?-\d\d?.*")


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

    def build(self, files: list[str], target: str) -> list[tuple[str, str, int | None, str]]:
        """Write the database; returns for each table its name, its file, its rows, and the path read at query time."""
        made: list[tuple[str, str, int | None, str]] = []
        taken: set[str] = set()
        folder = Path(target).parent
        with duckdb.connect(target, config={"autoinstall_known_extensions": False, "errors_as_json": True}) as db:
            for number, file in enumerate(files):
                path = Path(file)
                try:
                    made += _add(db, path, folder / str(number), taken)
                except (duckdb.Error, OSError, BadDataFile) as error:
                    raise _named(error, path.name) from error
        return made

    def interrupt(self) -> None:
        """A build is stopped by ending its process."""

    def close(self) -> None:
        """Nothing is held."""


def _add(
    db: duckdb.DuckDBPyConnection, path: Path, spare: Path, taken: set[str]
) -> Iterator[tuple[str, str, int | None, str]]:
    suffix = path.suffix.lower()
    if suffix == ".xlsx":
        for sheet, rows in load_workbook_tables(db, path, spare, lambda stem: table_name(stem, taken)):
            yield sheet, path.name, rows, ""
        return
    read = _readable(path, spare)
    if suffix in {".csv", ".tsv"}:
        source = _csv_source(db, read)
    elif suffix == ".parquet":
        source = f"read_parquet({_quoted(read)})"
    else:
        source = f"read_json({_quoted(read)}, sample_size = -1)"
    name = table_name(path.stem, taken)
    db.execute(f'CREATE VIEW "{name}" AS SELECT * FROM {source}')
    yield name, path.name, _count(db, name, suffix, path.stat().st_size), str(read)


def _count(db: duckdb.DuckDBPyConnection, name: str, suffix: str, size: int) -> int | None:
    if suffix == ".parquet":
        found = db.execute(f'SELECT count(*) FROM "{name}"').fetchone()
    elif size <= _WHOLE:
        found = db.execute(f'SELECT count(*), count(COLUMNS(*)) FROM "{name}"').fetchone()
    else:
        return None
    return int(found[0]) if found else None


def _readable(path: Path, spare: Path) -> Path:
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
            return copy
    if re.search(r"[*?\[\]{}]", str(path)):
        link = spare.with_suffix(path.suffix.lower())
        link.symlink_to(path)
        return link
    return path


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
    for encoding in ("cp1252", "gb18030") if alone * 2 > len(runs) else ("gb18030", "cp1252"):
        if _decodes(path, encoding):
            return encoding
    raise BadDataFile.because(
        "its text encoding is not known; save it as UTF-8",
        "无法识别文本编码，请另存为 UTF-8",
        detail=str(path),
        name=path.name,
    )


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


def _csv_source(db: duckdb.DuckDBPyConnection, path: Path) -> str:
    """A read_csv call with everything fixed, so that nothing is guessed again and no line is skipped silently."""
    size = path.stat().st_size
    if size == 0:
        raise BadDataFile.because("it is empty", "文件为空", detail=str(path), name=path.name)
    sample = -1 if size <= _WHOLE else 200_000
    delim = "'\\t'" if path.suffix.lower() == ".tsv" else _quoted_text(_delimiter(path))
    fixed = f"delim = {delim}, quote = '\"', escape = '\"', skip = 0, header = {str(_has_header(path, delim)).lower()}"
    try:
        row = db.execute(
            f"SELECT Columns, DateFormat, TimestampFormat FROM sniff_csv({_quoted(path)}, {fixed}, "
            f"sample_size = {sample}, strict_mode = true, null_padding = false)"
        ).fetchone()
    except duckdb.InvalidInputException as error:
        raise _unsniffable(path, delim, error) from error
    assert row is not None
    columns = ", ".join(f"{_quoted_text(c['name'])}: {_quoted_text(c['type'])}" for c in row[0])
    formats = "".join(
        f", {name} = {_quoted_text(value)}"
        for name, value in (("dateformat", row[1]), ("timestampformat", row[2]))
        if value
    )
    return f"read_csv({_quoted(path)}, auto_detect = false, {fixed}, columns = {{{columns}}}{formats}, null_padding = false)"


def _unsniffable(path: Path, delim: str, error: duckdb.Error) -> InqueryError:
    """DuckDB only says that it found no columns: the first line of another width is looked for here."""
    width = None
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.reader(file, delimiter=_character(delim))
        for row in reader:
            width = len(row) if width is None else width
            if row and len(row) != width:
                return ragged(str(reader.line_num), str(error))
    return classify(error)


def _character(delim: str) -> str:
    return "\t" if delim == "'\\t'" else delim[1:-1]


def _first_lines(path: Path) -> str:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return file.read(64 << 10)


def _delimiter(path: Path) -> str:
    try:
        return csv.Sniffer().sniff(_first_lines(path), delimiters=",;\t|").delimiter
    except csv.Error:
        return ","


def _has_header(path: Path, delim: str) -> bool:
    first = next(csv.reader(_first_lines(path).splitlines(), delimiter=_character(delim)), [])
    return not any(_NUMBER.fullmatch(cell.strip()) for cell in first if cell.strip())


def _quoted(path: Path) -> str:
    return _quoted_text(str(path))


def _quoted_text(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _named(error: BaseException, name: str) -> InqueryError:
    """The error with the file's own name in it."""
    found = classify(error) if isinstance(error, (duckdb.Error, BadDataFile)) else None
    if isinstance(found, BadDataFile):
        return BadDataFile(found.detail, name=name, reason=found.fields.get("reason", "…"))
    return BadDataFile.because(
        "its content does not match its kind", "内容与文件类型不符", detail=str(error), name=name
    )
