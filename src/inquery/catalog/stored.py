"""Catalogues on disk: one folder of Inquery's own files, a catalogue and a value index for each connection."""

from __future__ import annotations

import gzip
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import quote

from inquery.catalog.join_verdicts import Ends, Tested, Tests
from inquery.catalog.json_lines import read_lines, write_lines
from inquery.catalog.value_index import ValueIndex
from inquery.home import PREFIXES, close_home, write_file
from inquery.lasting import make_lasting
from inquery.settings import home_folder
from inquery.sql import Catalog, Column, ForeignKey, Join, Table
from inquery.sql.catalog import Meaning, ReadNote

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

FORMAT = 1
LISTED = ("tables", "joins", "tests")
"""What has a line of its own for each: one call that reads or writes 5,000 tables holds every thread for a tenth of a second."""
DEPTH = 5
"""How much is read of a database; what an earlier version read is known, but has to be read anew."""
LARGE_FILE = 400_000
"""Characters of a catalogue of some 400 tables."""
MOST_GIVEN = 30
LONG_AGO = datetime.fromtimestamp(0, UTC)


@dataclass(frozen=True, slots=True)
class Stored:
    """A catalogue with samples and joins, its values, when it was read, and what data was found to say of its joins.

    `tested` says whether the tests went to their end; what was learnt before they were cut short is kept all the same.
    `mark` is what the file was like when it was read: while it is the same, nothing has to be read again.
    """

    catalog: Catalog
    values: ValueIndex
    refreshed_at: datetime
    tests: Tests = field(default_factory=dict)
    tested: bool = False
    unread: frozenset[str] = frozenset()
    """Tables whose contents are still to be read; of a warehouse with thousands they are read while it is asked."""
    mark: tuple[int, ...] = ()


def files(connection_id: str, home: Path | None = None) -> tuple[Path, Path]:
    """Where a connection's catalogue and values are kept."""
    folder = (home or home_folder()) / "catalogs"
    name = quote(connection_id, safe="").replace(".", "%2E")
    return folder / f"{name}.json.gz", folder / f"{name}.values.gz"


def save_catalog(connection_id: str, stored: Stored, *, home: Path | None = None) -> None:
    """Write both files, each in one step."""
    close_home(home or home_folder())
    stored.values.save(files(connection_id, home)[1])
    save_structure(connection_id, stored, home=home)


def save_structure(connection_id: str, stored: Stored, *, home: Path | None = None) -> None:
    """Write the catalogue alone, beside the values that are there."""
    catalog_file, _ = files(connection_id, home)
    content = {
        "format": FORMAT,
        "depth": DEPTH,
        "refreshed_at": stored.refreshed_at.isoformat(),
        "tested": stored.tested,
        "unread": sorted(stored.unread),
        "mark": list(stored.mark),
        "tests": [_fields(test) for test in stored.tests.values()],
        **plain(stored.catalog),
    }
    write_file(catalog_file, gzip.compress(write_lines(content, LISTED), mtime=0))


def load_catalog(
    connection_id: str, *, home: Path | None = None, searchable: bool = True, since: datetime | None = None
) -> Stored | None:
    """What was saved; None when nothing was, when it was before `since`, or when it has to be read anew.

    Whoever only compares it with a newer one needs no `searchable` values.
    """
    catalog_file, values_file = files(connection_id, home)
    try:
        text = gzip.decompress(catalog_file.read_bytes())
        with make_lasting(len(text) > LARGE_FILE):
            return _read(text, values_file, searchable, since)
    except (OSError, EOFError, ValueError, KeyError, TypeError):
        return None


def _read(text: bytes, values_file: Path, searchable: bool, since: datetime | None) -> Stored | None:
    content = read_lines(text, LISTED)
    if content["format"] != FORMAT:
        return None
    read_at = datetime.fromisoformat(content["refreshed_at"]) if content.get("depth") == DEPTH else LONG_AGO
    if since is not None and read_at < since:
        return None
    tests = {test.ends: test for test in map(_test, content.get("tests", ()))}
    catalog = from_plain(content)
    values = ValueIndex.load(values_file, searchable=searchable)
    if searchable:
        values = values.with_meanings(catalog)
    unread, mark = frozenset(content.get("unread", ())), tuple(content.get("mark", ()))
    return Stored(catalog, values, read_at, tests, bool(content.get("tested")), unread, mark)


def forget_catalog(connection_id: str, *, home: Path | None = None) -> None:
    """Delete a connection's files, and read schemas of all: their names do not tell whose they are."""
    read = ((home or home_folder()) / PREFIXES).glob("*")
    for file in (*files(connection_id, home), *read):
        file.unlink(missing_ok=True)


def forget_unused(prefix: str, *, home: Path | None = None, most: int = MOST_GIVEN) -> None:
    """Delete the oldest catalogues of databases that nobody registered, beyond a number."""
    folder = (home or home_folder()) / "catalogs"
    found = sorted(folder.glob(f"{prefix}*.json.gz"), key=lambda file: file.stat().st_mtime, reverse=True)
    for file in found[most:]:
        file.unlink(missing_ok=True)
        file.with_name(file.name.removesuffix(".json.gz") + ".values.gz").unlink(missing_ok=True)


def read_time() -> datetime:
    """The time a catalogue was read."""
    return datetime.now(UTC)


def plain(catalog: Catalog) -> dict[str, Any]:
    """A catalogue as JSON can hold it."""
    return {
        "dialect": catalog.dialect,
        "default_schema": catalog.default_schema,
        "tables": [
            {
                **_fields(table),
                "columns": [
                    {**_fields(column), "meanings": [_fields(meaning) for meaning in column.meanings]}
                    for column in table.columns
                ],
                "foreign_keys": [_fields(key) for key in table.foreign_keys],
                "notes": [_fields(note) for note in table.notes],
            }
            for table in catalog.tables
        ],
        "joins": [_fields(join) for join in catalog.joins],
    }


def _fields(made: DataclassInstance) -> dict[str, Any]:
    """The fields of a record; `asdict` copies whatever they hold, which took a third of opening 5,000 tables."""
    return {name: getattr(made, name) for name in made.__dataclass_fields__}


def from_plain(content: dict[str, Any]) -> Catalog:
    """The catalogue `plain` described."""
    return Catalog(
        dialect=content["dialect"],
        tables=tuple(_table(each) for each in content["tables"]),
        joins=tuple(_join(each) for each in content["joins"]),
        default_schema=tuple(content["default_schema"]),
    )


def _table(content: dict[str, Any]) -> Table:
    columns = tuple(_column(each) for each in content["columns"])
    keys = tuple(ForeignKey(**_tuples(each)) for each in content["foreign_keys"])
    inherits = tuple(tuple(path) for path in content.get("inherits", ()))
    notes = tuple(ReadNote(**_tuples(each)) for each in content.get("notes", ()))
    read = {
        "path": tuple(content["path"]),
        "columns": columns,
        "foreign_keys": keys,
        "inherits": inherits,
        "display": tuple(content.get("display", ())),
        "notes": notes,
    }
    return Table(**{**content, **read})


def _column(content: dict[str, Any]) -> Column:
    meanings = tuple(Meaning(each["value"], tuple(each["words"])) for each in content.get("meanings", ()))
    return Column(**{**_tuples(content), "meanings": meanings})


def _join(content: dict[str, Any]) -> Join:
    """A join; those that were kept before joins said how they are known are declared ones or told by names."""
    return Join(**_tuples({"how": "declared" if content["declared"] else "name", **content}))


def _test(content: dict[str, Any]) -> Tested:
    ends = tuple(tuple(end) if isinstance(end, list) else end for end in content["ends"])
    return Tested(**{**content, "ends": cast(Ends, ends)})


def _tuples(content: dict[str, Any]) -> dict[str, Any]:
    """JSON's lists as tuples."""
    return {key: tuple(value) if isinstance(value, list) else value for key, value in content.items()}
