"""What one user may read, and the proof that a statement was checked against it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

RULES = 2
"""How policies are understood; a higher number makes what was kept under the rules before it unknown."""


@dataclass(frozen=True)
class Policy:
    """A user's view of a database.

    `tables` are full names (dots) that may be read, None for all; `hidden_columns` are `table.column`;
    `row_filters` map a full table name to a trusted SQL condition over its columns;
    `functions` are extra allowed function names, lower case; `views` lists views that may be read
    although there are filters or hidden columns behind which they may look.
    """

    tables: frozenset[str] | None = None
    hidden_columns: frozenset[str] = frozenset()
    row_filters: Mapping[str, str] = field(default_factory=dict)
    row_cap: int | None = 1000
    functions: frozenset[str] = frozenset()
    views: frozenset[str] = frozenset()

    @cached_property
    def hash(self) -> str:
        """The permission fingerprint: equal policies have equal hashes."""
        shape = [
            None if self.tables is None else sorted(self.tables),
            sorted(self.hidden_columns),
            sorted(self.row_filters.items()),
            self.row_cap,
            sorted(self.functions),
            sorted(self.views),
            RULES,
        ]
        return hashlib.sha256(json.dumps(shape, ensure_ascii=False).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class CheckedSql:
    """A statement the guard has proved safe to run; made by `check` alone.

    `tables` are the catalogue paths read, `columns` (path, column) pairs, `ordered` says whether the
    outermost query has an ORDER BY, `silent` that the database's words about an error may hold what a filter hides.
    """

    text: str
    original: str
    dialect: str
    tables: tuple[tuple[str, ...], ...]
    columns: tuple[tuple[tuple[str, ...], str], ...]
    row_cap: int | None
    ordered: bool
    catalog_version: str
    policy_hash: str
    silent: bool = False
    seal: object = field(repr=False, compare=False, default=None)

    def __post_init__(self) -> None:
        if self.seal is not _SEAL:
            raise TypeError("CheckedSql is made by inquery.sql.check alone")

    def __reduce__(self) -> str | tuple[object, ...]:
        raise TypeError("CheckedSql does not cross a process or a checkpoint: check again")


_SEAL = object()


def _mint(
    text: str,
    *,
    original: str = "",
    dialect: str,
    tables: tuple[tuple[str, ...], ...] = (),
    columns: tuple[tuple[tuple[str, ...], str], ...] = (),
    row_cap: int | None = None,
    ordered: bool = False,
    catalog_version: str = "",
    policy_hash: str = "",
    silent: bool = False,
) -> CheckedSql:
    """Make a CheckedSql; for the guard and for tests that need unchecked SQL (an import test forbids the rest)."""
    return CheckedSql(
        text, original or text, dialect, tables, columns, row_cap, ordered, catalog_version, policy_hash, silent, _SEAL
    )
