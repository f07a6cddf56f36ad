"""The catalogue types: what a database holds, as plain immutable data."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

from inquery.language.text import name_words, singular

How = Literal["declared", "stated", "name", "data"]
Cardinality = Literal["many_to_one", "one_to_one", "unknown"]


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a stored value stands for: 1 of orders.status is 已付款, and perhaps "paid"; the first word is shown."""

    value: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Column:
    """One column; `type` is the engine's own spelling, `samples` a few values as text, `meanings` what codes stand for.

    `keeps` says what its samples told of how it keeps figures and days, where they themselves are not for this reader.
    """

    name: str
    type: str = ""
    nullable: bool = True
    comment: str = ""
    primary_key: bool = False
    samples: tuple[str, ...] = ()
    meanings: tuple[Meaning, ...] = ()
    keeps: str = ""

    def meaning_of(self, value: str) -> Meaning | None:
        """What one of its values stands for, where that is known."""
        return next((meaning for meaning in self.meanings if meaning.value == value), None)


@dataclass(frozen=True, slots=True)
class ForeignKey:
    """A declared reference from columns of one table to columns of another (full path)."""

    columns: tuple[str, ...]
    table: tuple[str, ...]
    references: tuple[str, ...]


NoteKind = Literal[
    "encoding", "titles", "headers", "no_header", "blanks", "repeated", "totals", "footnotes", "merged", "hidden", "empty_columns",
    "number", "currencies", "percent", "date", "day_first", "month_first", "month", "year", "text",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class ReadNote:
    """How a data file was read where that was not plain: of the table, or of a column.

    `count` rows or cells of `of` are meant, with examples; `odd_count` cells did not fit and stay empty, or keep the column text.
    """

    kind: NoteKind
    column: str = ""
    count: int = 0
    of: int = 0
    shown: tuple[str, ...] = ()
    odd_count: int = 0
    odd: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """One table or view; `path` is its qualified name, outermost part first.

    `inherits` are the paths of all tables above it, near and far, that read its rows as their own (PostgreSQL).
    `display` are the columns by which people call a row, in the order in which they are said: name, or first_name and
    last_name; none where nothing but the key tells rows apart. `estimated_rows` is exact where they were `counted`.
    `notes` say how a data file was read; `time_column` is the one that people said its rows are dated by.
    """

    path: tuple[str, ...]
    columns: tuple[Column, ...] = ()
    comment: str = ""
    estimated_rows: int | None = None
    foreign_keys: tuple[ForeignKey, ...] = ()
    kind: str = "table"
    inherits: tuple[tuple[str, ...], ...] = ()
    display: tuple[str, ...] = ()
    counted: bool = False
    notes: tuple[ReadNote, ...] = ()
    time_column: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether it is known to have no rows; an engine that has not looked yet may estimate none."""
        return self.counted and self.estimated_rows == 0

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
        """A content hash of structure, comments, meanings, display names and joins; estimates and samples do not change it."""
        joins = sorted(json.dumps(_lasting(join), sort_keys=True) for join in self.joins)
        # The text of one list, written table by table: to write 5,000 in one call held every thread for a tenth of a second.
        found = hashlib.sha256(f"[{json.dumps(self.dialect)}, [".encode())
        for number, table in enumerate(sorted(self.tables, key=lambda t: t.path)):
            found.update(f"{', ' if number else ''}{json.dumps(_shape(table), ensure_ascii=False)}".encode())
        found.update(f"], {json.dumps(joins, ensure_ascii=False)}]".encode())
        return found.hexdigest()[:16]

    @cached_property
    def _hash(self) -> int:
        return hash((self.dialect, self.tables, self.joins, self.default_schema))

    def __hash__(self) -> int:
        """Kept, since what is made of a catalogue is looked up by it, and a tuple counts its hash anew each time."""
        return self._hash

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
    def by_full_name(self) -> dict[str, list[Table]]:
        """Tables by their case-folded full name."""
        found: dict[str, list[Table]] = {}
        for table in self.tables:
            found.setdefault(table.full_name.casefold(), []).append(table)
        return found

    @cached_property
    def column_names(self) -> frozenset[str]:
        """The case-folded names of all columns."""
        return frozenset(column.name.casefold() for table in self.tables for column in table.columns)

    @cached_property
    def first_words(self) -> Counter[str]:
        """How many tables' names begin with a word; kept, since each label of thousands of tables asks."""
        words = (name_words(table.name) for table in self.tables)
        return Counter(found[0] for found in words if found)

    @cached_property
    def last_words(self) -> frozenset[str]:
        """What tables are called at last: customer of crm_customers."""
        words = (name_words(table.name) for table in self.tables)
        return frozenset(singular(found[-1]) for found in words if found)

    @cached_property
    def _joins_by_table(self) -> dict[tuple[str, ...], list[int]]:
        found: dict[tuple[str, ...], list[int]] = {}
        for number, join in enumerate(self.joins):
            for path in {join.left, join.right}:
                found.setdefault(path, []).append(number)
        return found

    def prepare(self) -> None:
        """Make what checks and look-ups ask of it: of 5,000 tables in a thread, not on the event loop."""
        for name in ("version", "_hash", "by_path", "by_name", "by_last_name", "by_full_name", "column_names"):
            getattr(self, name)

    def joins_of(self, paths: Iterable[tuple[str, ...]]) -> list[Join]:
        """The joins with an end at one of some tables, in the order of the catalogue."""
        numbers = {number for path in set(paths) for number in self._joins_by_table.get(path, ())}
        return [self.joins[number] for number in sorted(numbers)]


def references_of(table: Table, joins: Iterable[Join]) -> tuple[ForeignKey, ...]:
    """What a table refers to: its declared keys, and the joins of the catalogue that nobody declared."""
    known = {(key.columns, key.table) for key in table.foreign_keys}
    further = (
        ForeignKey(join.left_columns, join.right, join.right_columns)
        for join in joins
        if join.left == table.path and join.condition is None and (join.left_columns, join.right) not in known
    )
    return (*table.foreign_keys, *further)


def with_references(tables: Sequence[Table], joins: Sequence[Join]) -> tuple[Table, ...]:
    """The tables, each with everything it refers to as its keys."""
    found = ((table, references_of(table, joins)) for table in tables)
    return tuple(t if keys == t.foreign_keys else replace(t, foreign_keys=keys) for t, keys in found)


def _shape(table: Table) -> tuple[Any, ...]:
    """What statements may depend on of a table."""
    return (
        table.path,
        table.comment,
        table.kind,
        [(c.name, c.type, c.nullable, c.comment, c.primary_key, *_known_words(c)) for c in table.columns],
        [(k.columns, k.table, k.references) for k in table.foreign_keys],
        *([table.inherits] if table.inherits else ()),
        *([{"display": table.display}] if table.display else ()),
    )


def _known_words(column: Column) -> list[list[tuple[str, tuple[str, ...]]]]:
    """What the values of a column stand for; nothing where that is unknown, so that its catalogue keeps its version."""
    return [[(meaning.value, meaning.words) for meaning in column.meanings]] if column.meanings else []


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
