"""The catalogue types: what a database holds, as plain immutable data."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

How = Literal["declared", "stated", "name", "data"]
Cardinality = Literal["many_to_one", "one_to_one", "unknown"]


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
    """An edge of the join graph: left.columns equal right.columns pairwise.

    `how` it is known: declared by the database, stated by a person, told by names, or proved by data alone. Of `sampled`
    distinct values of the left side `found` are on the right; none were sampled where it was not tested.
    `condition` is the column of the left side and the value under which it refers to the right (`owner_type`, `order`).
    """

    left: tuple[str, ...]
    left_columns: tuple[str, ...]
    right: tuple[str, ...]
    right_columns: tuple[str, ...]
    declared: bool = True
    confidence: float = 1.0
    reason: str = "declared foreign key"
    how: How = "declared"
    found: int = 0
    sampled: int = 0
    cardinality: Cardinality = "unknown"
    condition: tuple[str, str] | None = None

    @property
    def ends(self) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
        """What it joins, without why."""
        return self.left, self.left_columns, self.right, self.right_columns


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
        """A content hash of structure, comments and joins; estimates, samples and counts of them do not change it."""
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
        joins = sorted(json.dumps(_lasting(join), sort_keys=True) for join in self.joins)
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


JOINS_ARE_REFERENCES = False
"""Whether joins that nobody declared are references for the prompt and the grammar of the embedded model too.

Off until the model is trained with them: the weights know `>` of declared keys alone.
"""


def references_of(table: Table, joins: Iterable[Join]) -> tuple[ForeignKey, ...]:
    """What a table refers to: its declared keys, and the joins of the catalogue once they count as references."""
    if not JOINS_ARE_REFERENCES:
        return table.foreign_keys
    known = {(key.columns, key.table) for key in table.foreign_keys}
    further = (
        ForeignKey(join.left_columns, join.right, join.right_columns)
        for join in joins
        if join.left == table.path and join.condition is None and (join.left_columns, join.right) not in known
    )
    return (*table.foreign_keys, *further)


def with_references(tables: Sequence[Table], joins: Sequence[Join]) -> tuple[Table, ...]:
    """The tables as the embedded model is shown them, each with what it refers to."""
    found = ((table, references_of(table, joins)) for table in tables)
    return tuple(t if keys is t.foreign_keys else replace(t, foreign_keys=keys) for t, keys in found)


def _lasting(join: Join) -> dict[str, Any]:
    """What a statement can depend on; how many values were sampled differs from one refresh to the next."""
    kept: dict[str, Any] = {
        "left": join.left,
        "left_columns": join.left_columns,
        "right": join.right,
        "right_columns": join.right_columns,
        "declared": join.declared,
        "confidence": join.confidence,
        "reason": join.reason,
    }
    return kept | {"condition": join.condition} if join.condition else kept
