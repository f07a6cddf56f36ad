"""The catalogue and the value index as one user may see them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from threading import Lock
from typing import Generic, TypeVar

from cachetools import LRUCache

from inquery.catalog.lookups import lookup_tables
from inquery.catalog.meanings import written_meanings
from inquery.catalog.value_index import Place, ValueIndex
from inquery.sql import Catalog, Column, ForeignKey, Join, Policy, Table
from inquery.sql.names import PolicyView, view_of
from inquery.sql.stored_dates import keeps_days
from inquery.sql.stored_numbers import keeps_numbers

T = TypeVar("T")


class _Last(Generic[T]):
    """What was made last of some objects under a policy; it holds them, so that their ids stay theirs."""

    def __init__(self, most: int) -> None:
        self._made: LRUCache[tuple[object, ...], tuple[tuple[object, ...], T]] = LRUCache(most)
        self._lock = Lock()

    def of(self, policy: Policy, *things: object, make: Callable[[], T]) -> T:
        """What was made of these very objects under an equal policy, made now where it was not."""
        key = (policy.hash, *map(id, things))
        with self._lock:
            known = self._made.get(key)
        made = known or (things, make())
        with self._lock:
            return self._made.setdefault(key, made)[1]


_catalogues: _Last[Catalog] = _Last(64)
_bare_catalogues: _Last[Catalog] = _Last(64)
_indexes: _Last[ValueIndex] = _Last(8)  # of a warehouse each may have millions of values


def visible_catalog(catalog: Catalog, policy: Policy) -> Catalog:
    """The tables, columns and joins a policy lets one read; the same object when it hides nothing."""
    if not _restricts(policy):
        return catalog
    return _catalogues.of(policy, catalog, make=lambda: _restrict(catalog, policy))


def _restricts(policy: Policy) -> bool:
    return policy.tables is not None or bool(policy.hidden_columns) or bool(policy.row_filters)


def _restrict(catalog: Catalog, policy: Policy) -> Catalog:
    view = view_of(catalog, policy, catalog.dialect)
    seen = {each.table.path: frozenset(each.columns) for each in view.tables()}
    tables = tuple(_table(table, seen) for table in catalog.tables if table.path in seen)
    open_to = {each.table.path for each in view.tables() if each.condition is None}
    if any(lookup.table.path not in open_to for lookup in lookup_tables(catalog)):
        tables = tuple(map(_without_looked_up, tables))
    joins = tuple(join for join in catalog.joins if _joins_seen(join, seen))
    return replace(catalog, tables=tables, joins=joins)


Seen = dict[tuple[str, ...], frozenset[str]]


def _table(table: Table, seen: Seen) -> Table:
    columns = tuple(column for column in table.columns if column.name in seen[table.path])
    keys = tuple(key for key in table.foreign_keys if _key_seen(table, key, seen))
    # Half of a name is not what people are called by.
    display = table.display if seen[table.path].issuperset(table.display) else ()
    notes = tuple(note for note in table.notes if not note.column or note.column in seen[table.path])
    return replace(table, columns=columns, foreign_keys=keys, display=display, notes=notes)


def _without_looked_up(table: Table) -> Table:
    """A table without what a look-up table says of its codes, for whoever may not read that table."""
    columns = tuple(replace(column, meanings=written_meanings(column)) for column in table.columns)
    return replace(table, columns=columns)


def _key_seen(table: Table, key: ForeignKey, seen: Seen) -> bool:
    ends = seen.get(key.table)
    return ends is not None and seen[table.path].issuperset(key.columns) and ends.issuperset(key.references)


def _joins_seen(join: Join, seen: Seen) -> bool:
    left, right = seen.get(join.left), seen.get(join.right)
    if left is None or right is None:
        return False
    return left.issuperset(join.left_columns) and right.issuperset(join.right_columns)


def visible_values(values: ValueIndex, catalog: Catalog, policy: Policy) -> ValueIndex:
    """The values a user may see: none of hidden columns, and none of tables whose rows are filtered for them."""
    if not _restricts(policy):
        return values

    def make() -> ValueIndex:
        places = _open_places(view_of(catalog, policy, catalog.dialect))
        return values.only(places).with_meanings(_restrict(catalog, policy)).only(places)

    return _indexes.of(policy, values, catalog, make=make)


def without_filtered_samples(catalog: Catalog, policy: Policy) -> Catalog:
    """The visible catalogue, without samples and counts of tables whose rows are filtered for this user."""
    seen = visible_catalog(catalog, policy)
    if not policy.row_filters:
        return seen
    return _bare_catalogues.of(policy, catalog, make=lambda: _without_samples(seen, catalog, policy))


def _without_samples(seen: Catalog, catalog: Catalog, policy: Policy) -> Catalog:
    open_tables = {table for table, _ in _open_places(view_of(catalog, policy, catalog.dialect))}
    tables = tuple(table if table.full_name in open_tables else _bare(table) for table in seen.tables)
    filtered = {table.path for table in seen.tables if table.full_name not in open_tables}
    joins = tuple(_uncounted(join) if filtered & {join.left, join.right} else join for join in seen.joins)
    return replace(seen, tables=tables, joins=joins)


def _bare(table: Table) -> Table:
    """A table that says nothing of its rows: neither what they hold nor how many there are, nor notes that quote cells."""
    columns = tuple(map(without_cells, table.columns))
    return replace(table, columns=columns, estimated_rows=None, notes=())


def without_cells(column: Column) -> Column:
    """A column without its samples; what they told of its format stays, lest its figures add up to nothing."""
    return replace(column, samples=(), keeps=keeps_numbers(column) or keeps_days(column))


def _uncounted(join: Join) -> Join:
    """A join whose values were counted among rows that are hidden."""
    return replace(join, found=0, sampled=0)


def _open_places(view: PolicyView) -> set[Place]:
    """Columns of tables that can be read and carry no row filter."""
    return {(seen.table.full_name, name) for seen in view.tables() if seen.condition is None for name in seen.columns}
