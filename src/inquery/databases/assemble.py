"""A catalogue from the rows of an engine's bulk introspection queries."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from inquery.lasting import rest_collector
from inquery.sql import Catalog, Column, ForeignKey, Table

Path = tuple[str, ...]


@dataclass
class Raw:
    """Rows as engines give them; a table's key is its path.

    tables: path, kind, comment, estimated rows; columns: path, name, type, nullable, comment, in order;
    keys: path, column of the primary key; foreign: constraint id, path, column, other path, other column, in order;
    inherits: path, path of a table above it, near or far.
    """

    tables: list[Sequence[Any]] = field(default_factory=list)
    columns: list[Sequence[Any]] = field(default_factory=list)
    keys: list[Sequence[Any]] = field(default_factory=list)
    foreign: list[Sequence[Any]] = field(default_factory=list)
    inherits: list[Sequence[Any]] = field(default_factory=list)


def assemble_catalog(raw: Raw, *, dialect: str, default_schema: Path = ()) -> Catalog:
    """Tables sorted by path, each with its columns, primary key and declared references."""
    with rest_collector():  # half of the time went into looking for objects that do not stay
        return _build(raw, dialect, default_schema)


def _build(raw: Raw, dialect: str, default_schema: Path) -> Catalog:
    keys = {(tuple(path), name) for path, name in raw.keys}
    columns: dict[Path, list[Column]] = defaultdict(list)
    for path, name, type_name, nullable, comment in raw.columns:
        where = tuple(path)
        columns[where].append(Column(name, type_name or "", bool(nullable), comment or "", (where, name) in keys))
    foreign = _references(raw.foreign)
    above: dict[Path, list[Path]] = defaultdict(list)
    for path, other in raw.inherits:
        above[tuple(path)].append(tuple(other))
    tables = [
        Table(
            path=tuple(path),
            columns=tuple(columns[tuple(path)]),
            comment=comment or "",
            estimated_rows=None if rows is None else max(0, int(rows)),
            foreign_keys=tuple(foreign.get(tuple(path), ())),
            kind=kind,
            inherits=tuple(sorted(above.get(tuple(path), ()))),
        )
        for path, kind, comment, rows in raw.tables
    ]
    return Catalog(dialect=dialect, tables=tuple(sorted(tables, key=lambda t: t.path)), default_schema=default_schema)


def _references(rows: Iterable[Sequence[Any]]) -> dict[Path, list[ForeignKey]]:
    grouped: dict[tuple[Any, Path], tuple[Path, list[str], list[str]]] = {}
    for name, path, column, other, other_column in rows:
        entry = grouped.setdefault((name, tuple(path)), (tuple(other), [], []))
        entry[1].append(column)
        entry[2].append(other_column)
    found: dict[Path, list[ForeignKey]] = defaultdict(list)
    for (_, path), (other, columns, references) in grouped.items():
        found[path].append(ForeignKey(tuple(columns), other, tuple(references)))
    return found
