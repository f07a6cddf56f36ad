"""One engine under the contract: how to make databases, and what it is known not to do."""

import datetime
import itertools
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, ClassVar

KINDS = ("integer", "bigint", "real", "decimal", "text", "boolean", "date", "datetime", "blob")


@dataclass(frozen=True)
class ColumnSpec:
    """A portable column: `kind` is one of KINDS."""

    name: str
    kind: str = "integer"
    nullable: bool = True
    comment: str = ""


@dataclass(frozen=True)
class TableSpec:
    """A portable table; foreign keys are (column, other table, other column)."""

    name: str
    columns: Sequence[ColumnSpec]
    rows: Sequence[Sequence[Any]] = ()
    primary_key: Sequence[str] = ()
    foreign_keys: Sequence[tuple[str, str, str]] = ()
    comment: str = ""


NUMBERS = itertools.count(1)
"""Databases are numbered across cases: pytest makes a case anew when its parameter comes up again, on the same server."""


class EngineCase(ABC):
    """What the contract suite needs of one engine; cases live in cases_<name>.py.

    `gaps` maps a test function's name to why it cannot pass here; such a test is a strict xfail, so a gap
    that closes fails the suite until it is taken out.
    """

    name: ClassVar[str]
    dialect: ClassVar[str]
    types: ClassVar[Mapping[str, str]]  # kind → this engine's type
    gaps: ClassVar[Mapping[str, str]] = {}
    quote_mark: ClassVar[str] = '"'
    # A statement that runs for minutes and needs no table.
    endless_sql: ClassVar[str]
    # A statement over `customer` whose types do not fit.
    mismatch_sql: ClassVar[str] = "SELECT id FROM customer WHERE CAST(name AS integer) > 1"
    has_foreign_keys: ClassVar[bool] = True
    widest: ClassVar[int] = 2000
    # Statements that would change a session, and one whose answer would show it.
    session_changes: ClassVar[Sequence[str]]
    session_probe_sql: ClassVar[str]
    # Shapes of tests/contract/queries.py that the engine's SQL has not.
    shapes_missing: ClassVar[frozenset[str]] = frozenset()
    # How a union without duplicates is written; ClickHouse wants the word DISTINCT.
    union: ClassVar[str] = "UNION"
    names_refused: ClassVar[Sequence[str]] = ()

    @abstractmethod
    def make_database(self, tables: Sequence[TableSpec] = ()) -> str:
        """Create a fresh database holding `tables`; return the URL of an account that may only read."""

    @abstractmethod
    def run_as_admin(self, url: str, *statements: str) -> None:
        """Run engine-specific statements with full rights on the database of `url`."""

    @abstractmethod
    def digest(self, url: str) -> str:
        """A digest of everything in the database: structure, rows, settings that last."""

    @abstractmethod
    def running(self, url: str) -> int:
        """How many statements of the reader run on the server now."""

    @abstractmethod
    def kill_sessions(self, url: str) -> None:
        """End the reader's sessions from outside, as a server restart would."""

    @abstractmethod
    def numbers_sql(self, n: int) -> str:
        """A statement giving n rows of one column `n`, 1 to n."""

    @abstractmethod
    def wide_text_sql(self, length: int) -> str:
        """A statement giving one row with one text of `length` characters x."""

    def grant(self, url: str, table: str) -> None:  # noqa: B027
        """Let the reader read a table or view made by `run_as_admin`, where that takes a grant."""

    def add_foreign_key(self, url: str, table: str, column: str, other: str, other_column: str) -> None:
        """Add a reference between tables that both exist."""
        q = self.quote
        self.run_as_admin(
            url,
            f"ALTER TABLE {q(table)} ADD CONSTRAINT added FOREIGN KEY ({q(column)}) "
            f"REFERENCES {q(other)} ({q(other_column)})",
        )

    def text_of(self, expression: str) -> str:
        """A number as text, in this engine's SQL."""
        return f"'name ' || CAST({expression} AS {self.types['text']})"

    def allows_name(self, name: str) -> bool:
        """Whether the engine itself takes the name for a table."""
        return name not in self.names_refused

    def quote(self, name: str) -> str:
        mark = self.quote_mark
        return mark + name.replace(mark, mark * 2) + mark

    def create_sql(self, table: TableSpec, *, foreign_keys: bool = True) -> str:
        """CREATE TABLE for most engines; cases override pieces."""
        parts = [
            f"{self.quote(c.name)} {self.types[c.kind]}{'' if c.nullable else ' NOT NULL'}{self.column_comment(c)}"
            for c in table.columns
        ]
        if table.primary_key:
            parts.append(f"PRIMARY KEY ({', '.join(map(self.quote, table.primary_key))})")
        if foreign_keys and self.has_foreign_keys:
            parts += [
                f"FOREIGN KEY ({self.quote(c)}) REFERENCES {self.quote(t)} ({self.quote(r)})"
                for c, t, r in table.foreign_keys
            ]
        return f"CREATE TABLE {self.quote(table.name)} ({', '.join(parts)}){self.table_suffix(table)}"

    def column_comment(self, column: ColumnSpec) -> str:
        return ""

    def table_suffix(self, table: TableSpec) -> str:
        return ""


CITIES = ["上海", "Beijing", "Zürich", None]
SHOP: tuple[TableSpec, ...] = (
    TableSpec(
        "customer",
        [
            ColumnSpec("id", "integer", nullable=False),
            ColumnSpec("name", "text", nullable=False, comment="客户名称"),
            ColumnSpec("city", "text"),
            ColumnSpec("manager_id", "integer"),
        ],
        [(i, f"客户 {i} 🙂", CITIES[i % 4], i // 3 or None) for i in range(1, 41)],
        primary_key=["id"],
        foreign_keys=[("manager_id", "customer", "id")],
        comment="People who buy",
    ),
    TableSpec(
        "order",
        [
            ColumnSpec("id", "bigint", nullable=False),
            ColumnSpec("customer_id", "integer"),
            ColumnSpec("amount", "decimal"),
            ColumnSpec("paid", "boolean"),
            ColumnSpec("placed_on", "date"),
            ColumnSpec("changed_at", "datetime"),
            ColumnSpec("rate", "real"),
            ColumnSpec("picture", "blob"),
        ],
        [
            (
                i,
                i % 45 if 0 < i % 45 <= 40 else None,
                Decimal(i) * Decimal("1.25"),
                i % 2 == 0,
                datetime.date(2024, 1, 1) + datetime.timedelta(days=i),
                datetime.datetime(2024, 1, 1, 12, 30) + datetime.timedelta(hours=i),
                i / 4,
                bytes([i % 256, 0, 255]) if i % 3 else None,
            )
            for i in range(1, 201)
        ],
        primary_key=["id"],
        foreign_keys=[("customer_id", "customer", "id")],
    ),
)
