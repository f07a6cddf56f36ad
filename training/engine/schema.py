"""A schema with its meaning: tables, columns, what they stand for, and their rows."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, field

from inquery.sql.catalog import Column as CatalogColumn
from inquery.sql.catalog import ForeignKey
from inquery.sql.catalog import Table as CatalogTable
from training.engine import pools
from training.engine.naming import Style
from training.engine.spec import Attribute, Domain, Entity, Reference

_NAME_KINDS = (
    "name",
    "person",
    "title",
    "company",
    "place",
    "team",
    "ship",
    "pet",
    "drug",
    "dish",
    "material",
    "machine",
    "nick",
    "university",
    "school",
    "party",
)


Cell = str | int | float | None


@dataclass(eq=False)
class Column:
    """A column with its meaning: an attribute, a key, or a reference to another table."""

    name: str
    type: str
    label: str
    chinese: str
    attribute: Attribute | None = None
    key: bool = False
    reference: Reference | None = None
    target: Table | None = None
    stored: list[Cell] = field(default_factory=list)
    cells: list[Cell] = field(default_factory=list)
    comment: str = ""

    @property
    def kind(self) -> str:
        """The attribute's kind, or key or ref."""
        return self.attribute.kind if self.attribute else "key" if self.key else "ref"

    def spoken(self, cell: Cell) -> tuple[str, str]:
        """A stored category or flag as said in English and Chinese."""
        assert self.attribute
        return self.labels[self.stored.index(cell)]

    @property
    def labels(self) -> tuple[tuple[str, str], ...]:
        assert self.attribute
        return pools.POOLS[self.attribute.pool] if self.attribute.pool else self.attribute.values


@dataclass(eq=False)
class Table:
    name: str
    entity: Entity
    noun: str
    chinese: str
    columns: list[Column] = field(default_factory=list)
    rows: int = 0
    comment: str = ""
    declared: bool = True

    @property
    def data(self) -> list[Column]:
        """Columns that hold an attribute."""
        return [c for c in self.columns if c.attribute]

    @property
    def display(self) -> list[Column]:
        """What names a row to people: a name, first and last name, or nothing."""
        named = [c for c in self.data if is_name(c)]
        if len(named) > 1 and {a.attribute.pool for a in named[:2] if a.attribute} == {"first", "last"}:
            return named[:2]
        return named[:1]

    @property
    def references(self) -> list[Column]:
        return [c for c in self.columns if c.target is not None]

    def key_column(self) -> Column | None:
        """The single primary key column, if there is one."""
        keys = [c for c in self.columns if c.key]
        return keys[0] if len(keys) == 1 else None


def is_name(column: Column) -> bool:
    """Whether the column is the entity's own name."""
    attribute = column.attribute
    if attribute is None:
        return False
    last = attribute.names[-1]
    if attribute.kind == "text":
        own = last in ("name", "title", "nickname", "user name", "login", "theme") or attribute.pool in (
            "first",
            "last",
        )
        return own and attribute.pool in (*_NAME_KINDS, "first", "last")
    if attribute.kind == "code":
        return last == "name"
    return attribute.kind == "category" and last in ("name", "title") and not attribute.names[0].startswith("job")


@dataclass(eq=False)
class Schema:
    id: str
    domain: Domain
    language: str
    style: Style
    tables: list[Table] = field(default_factory=list)

    def database(self) -> sqlite3.Connection:
        """The rows in memory."""
        db = sqlite3.connect(":memory:")
        for table in self.tables:
            parts = ", ".join(f"{quote(c.name)} {c.type}" for c in table.columns)
            db.execute(f"CREATE TABLE {quote(table.name)} ({parts})")
            rows = zip(*(c.cells for c in table.columns), strict=True)
            db.executemany(f"INSERT INTO {quote(table.name)} VALUES ({', '.join('?' * len(table.columns))})", rows)
        return db

    def catalog_tables(self) -> list[CatalogTable]:
        """The same as catalogue types, for the form's join graph."""
        return [_catalog_table(table) for table in self.tables]


def quote(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _catalog_table(table: Table) -> CatalogTable:
    columns = tuple(CatalogColumn(c.name, c.type, True, c.comment, c.key) for c in table.columns)
    keys = []
    for column in table.references:
        far = column.target.key_column() if column.target else None
        if table.declared and column.target and far:
            keys.append(ForeignKey((column.name,), (column.target.name,), (far.name,)))
    return CatalogTable((table.name,), columns, table.comment, table.rows, tuple(keys))
