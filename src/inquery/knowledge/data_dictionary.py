"""The data dictionary of a connection: what its tables, columns and codes mean, where the database itself does not say.

A file names tables and columns as people do; what it says lies over the comments of the database whenever the catalogue
is read, and so is part of the catalogue's version.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from inquery.catalog.enumerations import read_enumeration
from inquery.catalog.meanings import as_stored, meanings_of
from inquery.catalog.stored import forget_catalog
from inquery.errors import BadRequest
from inquery.knowledge.dictionary_files import Entry, read_dictionary
from inquery.language.nearest import nearest_names
from inquery.settings import Settings
from inquery.sql import Catalog, Column, Table
from inquery.store import Store, open_store, shipped_with
from inquery.store.dictionary_rows import Dictionaries

MOST_MISSING = 50
"""Names that are not there, as many as are listed: a person mends the first and tries again."""


@dataclass(frozen=True, slots=True)
class Missing:
    """A name of the file that the database does not have, and the nearest it has."""

    name: str
    nearest: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ImportedDictionary:
    """What was taken of a file: how many tables and columns are described, how many codes, and what is not there."""

    tables: int
    columns: int
    values: int
    missing: tuple[Missing, ...]
    not_there: int


def import_dictionary(
    connection_id: str, content: bytes, filename: str, catalog: Catalog, settings: Settings
) -> ImportedDictionary:
    """Keep what a file says of the tables and columns that are there, in place of the last file.

    Raises BadRequest, with nothing kept, where the file cannot be read or names nothing of this database.
    """
    entries = read_dictionary(content, filename)
    there, missing = sort_entries(entries, catalog)
    if not there:
        named = ", ".join(dict.fromkeys(entry.table for entry in entries[:3]))
        raise BadRequest.because(
            f"nothing of {filename} is in this database; it speaks of {named}",
            f"{filename} 中的内容与此数据库无关；它描述的是 {named}",
            detail=filename,
        )
    store = open_store(settings)
    Dictionaries(store).put(connection_id, [entry.plain() for entry in there])
    forget_catalog(connection_id, home=settings.home)  # read anew with the new words, whatever its age
    return ImportedDictionary(
        tables=sum(bool(entry.comment) and not entry.column for entry in there),
        columns=sum(bool(entry.comment) and bool(entry.column) for entry in there),
        # Codes are explained in comments at least as often as in columns of their own.
        values=sum(len(entry.values) or len(read_enumeration(entry.comment)) for entry in there),
        missing=tuple(missing[:MOST_MISSING]),
        not_there=len(missing),
    )


def remove_dictionary(connection_id: str, settings: Settings) -> bool:
    """Forget what a file said of a connection; whether there was one."""
    gone = Dictionaries(open_store(settings)).remove(connection_id)
    if gone:
        forget_catalog(connection_id, home=settings.home)
    return gone


def entries_of(connection_id: str, store: Store) -> tuple[Entry, ...]:
    """What is kept for a connection."""
    return tuple(Entry.from_plain(each) for each in Dictionaries(store).get(connection_id) or ())


def description_of(connection_id: str, settings: Settings) -> Callable[[Catalog], Catalog] | None:
    """What to do with a catalogue that was just read: comments that ship with a connection, then those of its dictionary."""
    shipped = shipped_with(connection_id)
    entries = entries_of(connection_id, open_store(settings))
    if not entries:
        return shipped.describe if shipped else None
    return lambda catalog: apply_dictionary(shipped.describe(catalog) if shipped else catalog, entries)


def apply_dictionary(catalog: Catalog, entries: Iterable[Entry]) -> Catalog:
    """The catalogue with a dictionary's comments and meanings over its own; what is not there is passed over."""
    by_path: dict[tuple[str, ...], list[Entry]] = {}
    for entry in entries:
        table = _table(entry.table, catalog)
        if table is not None:
            by_path.setdefault(table.path, []).append(entry)
    tables = tuple(_described(table, by_path.get(table.path, ())) for table in catalog.tables)
    return replace(catalog, tables=tables)


def sort_entries(entries: Sequence[Entry], catalog: Catalog) -> tuple[list[Entry], list[Missing]]:
    """Entries of what is there, and the names of what is not, each once."""
    there: list[Entry] = []
    missing: dict[str, Missing] = {}
    names = [table.full_name for table in catalog.tables]
    for entry in entries:
        table = _table(entry.table, catalog)
        if table is None:
            near = nearest_names(entry.table, [*names, *(name.rpartition(".")[2] for name in names)])
            missing.setdefault(entry.table, Missing(entry.table, tuple(near)))
        elif entry.column and table.column(entry.column) is None:
            name = f"{entry.table}.{entry.column}"
            columns = nearest_names(entry.column, [column.name for column in table.columns])
            missing.setdefault(name, Missing(name, tuple(columns)))
        else:
            there.append(entry)
    return there, list(missing.values())


def _table(name: str, catalog: Catalog) -> Table | None:
    """The table that a file means: by its full name, by its last where one alone has it, else without the file's schema."""
    folded = name.casefold().replace('"', "").replace("`", "")
    exact = [table for table in catalog.tables if table.full_name.casefold() == folded]
    last = exact or catalog.by_last_name.get(folded, []) or catalog.by_last_name.get(folded.rpartition(".")[2], [])
    return last[0] if len(last) == 1 else None


def _described(table: Table, entries: Sequence[Entry]) -> Table:
    if not entries:
        return table
    about: dict[str, list[Entry]] = {}
    for entry in entries:
        about.setdefault(entry.column.casefold(), []).append(entry)
    columns = tuple(_meant(column, about) for column in table.columns)
    comment = next((entry.comment for entry in about.get("", ()) if entry.comment), table.comment)
    return replace(table, columns=columns, comment=comment)


def _meant(column: Column, about: Mapping[str, Sequence[Entry]]) -> Column:
    told = about.get(column.name.casefold(), ())
    comment = next((entry.comment for entry in told if entry.comment), column.comment)
    values = [pair for entry in told for pair in as_stored(entry.values, column)]
    return replace(column, comment=comment, meanings=meanings_of(values) or column.meanings)
