"""The catalogue types: what a database holds, as plain immutable data."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property


@dataclass(frozen=True, slots=True)
class Column:
    """One column; `type` is the engine's own spelling, `samples` a few values as text."""

    name: str
    type: str = ""
    nullable: bool = True
    comment: str = ""
    primary_key: bool = False
    samples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ForeignKey:
    """A declared reference from columns of one table to columns of another (full path)."""

    columns: tuple[str, ...]
    table: tuple[str, ...]
    references: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """One table or view; `path` is its qualified name, outermost part first.

    `inherits` are the paths of all tables above it, near and far, that read its rows as their own (PostgreSQL).
    """

    path: tuple[str, ...]
    columns: tuple[Column, ...] = ()
    comment: str = ""
    estimated_rows: int | None = None
    foreign_keys: tuple[ForeignKey, ...] = ()
    kind: str = "table"
    inherits: tuple[tuple[str, ...], ...] = ()

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.path[-1]

    @property
    def full_name(self) -> str:
        """The path joined by dots, for people and for keys; never for SQL text."""
        return ".".join(self.path)

    def column(self, name: str) -> Column | None:
        """The column of that name, exactly, else regardless of case."""
        folded = name.casefold()
        loose = None
        for column in self.columns:
            if column.name == name:
                return column
            if loose is None and column.name.casefold() == folded:
                loose = column
        return loose


@dataclass(frozen=True, slots=True)
class Join:
    """An edge of the join graph: left.columns equal right.columns pairwise."""

    left: tuple[str, ...]
    left_columns: tuple[str, ...]
    right: tuple[str, ...]
    right_columns: tuple[str, ...]
    declared: bool = True
    confidence: float = 1.0
    reason: str = "declared foreign key"


@dataclass(frozen=True)
class Catalog:
    """All tables of one connection that may be named, with the join graph; versioned by content."""

    dialect: str
    tables: tuple[Table, ...] = ()
    joins: tuple[Join, ...] = ()
    default_schema: tuple[str, ...] = field(default=())

    @classmethod
    def of(cls, tables: Mapping[str | tuple[str, ...], Sequence[str]], *, dialect: str) -> Catalog:
        """A catalogue from names alone; string keys are split at dots."""
        made = []
        for key, columns in tables.items():
            path = tuple(key.split(".")) if isinstance(key, str) else tuple(key)
            made.append(Table(path, tuple(Column(name) for name in columns)))
        return cls(dialect=dialect, tables=tuple(made))

    @cached_property
    def version(self) -> str:
        """A content hash of structure and comments; estimates and samples do not change it."""
        shape = [
            (
                t.path,
                t.comment,
                t.kind,
                [(c.name, c.type, c.nullable, c.comment, c.primary_key) for c in t.columns],
                [(k.columns, k.table, k.references) for k in t.foreign_keys],
                *([t.inherits] if t.inherits else ()),
            )
            for t in sorted(self.tables, key=lambda t: t.path)
        ]
        joins = sorted(json.dumps(asdict(join), sort_keys=True) for join in self.joins)
        text = json.dumps([self.dialect, shape, joins], ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    @cached_property
    def by_path(self) -> dict[tuple[str, ...], Table]:
        """Tables by exact path."""
        return {table.path: table for table in self.tables}

    # A question must not look at every table and join of a warehouse: what it needs of them is indexed once.
    @cached_property
    def by_name(self) -> dict[str, Table]:
        """Tables by full name."""
        return {table.full_name: table for table in self.tables}

    @cached_property
    def by_last_name(self) -> dict[str, list[Table]]:
        """Tables by their case-folded last name."""
        found: dict[str, list[Table]] = {}
        for table in self.tables:
            found.setdefault(table.name.casefold(), []).append(table)
        return found

    @cached_property
    def column_names(self) -> frozenset[str]:
        """The case-folded names of all columns."""
        return frozenset(column.name.casefold() for table in self.tables for column in table.columns)

    @cached_property
    def _joins_by_table(self) -> dict[tuple[str, ...], list[int]]:
        found: dict[tuple[str, ...], list[int]] = {}
        for number, join in enumerate(self.joins):
            for path in {join.left, join.right}:
                found.setdefault(path, []).append(number)
        return found

    def joins_of(self, paths: Iterable[tuple[str, ...]]) -> list[Join]:
        """The joins with an end at one of some tables, in the order of the catalogue."""
        numbers = {number for path in set(paths) for number in self._joins_by_table.get(path, ())}
        return [self.joins[number] for number in sorted(numbers)]
