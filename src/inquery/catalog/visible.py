"""The catalogue and the value index as one user may see them."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from threading import Lock

from inquery.catalog.values import Place, ValueIndex
from inquery.sql import Catalog, ForeignKey, Join, Policy, Table
from inquery.sql.names import View, view_of

_KEPT = 64
_kept: OrderedDict[tuple[int, str], tuple[Catalog, Catalog]] = OrderedDict()
_lock = Lock()


def visible(catalog: Catalog, policy: Policy) -> Catalog:
    """The tables, columns and joins a policy leaves; the same object when it hides nothing."""
    if policy.tables is None and not policy.hidden_columns:
        return catalog
    key = (id(catalog), policy.hash)
    with _lock:
        if key not in _kept:
            _kept[key] = (catalog, _restrict(catalog, policy))
        _kept.move_to_end(key)
        while len(_kept) > _KEPT:
            _kept.popitem(last=False)
        return _kept[key][1]


def _restrict(catalog: Catalog, policy: Policy) -> Catalog:
    view = view_of(catalog, policy, catalog.dialect)
    seen = {each.table.path: frozenset(each.columns) for each in view.tables()}
    tables = tuple(_table(table, seen) for table in catalog.tables if table.path in seen)
    joins = tuple(join for join in catalog.joins if _joins_seen(join, seen))
    return replace(catalog, tables=tables, joins=joins)


Seen = dict[tuple[str, ...], frozenset[str]]


def _table(table: Table, seen: Seen) -> Table:
    columns = tuple(column for column in table.columns if column.name in seen[table.path])
    keys = tuple(key for key in table.foreign_keys if _key_seen(table, key, seen))
    return replace(table, columns=columns, foreign_keys=keys)


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
    if policy.tables is None and not policy.hidden_columns and not policy.row_filters:
        return values
    return values.only(_open_places(view_of(catalog, policy, catalog.dialect)))


def without_filtered_samples(catalog: Catalog, policy: Policy) -> Catalog:
    """The visible catalogue, without the samples of tables whose rows are filtered for this user."""
    seen = visible(catalog, policy)
    if not policy.row_filters:
        return seen
    open_tables = {table for table, _ in _open_places(view_of(catalog, policy, catalog.dialect))}
    tables = tuple(table if table.full_name in open_tables else _bare(table) for table in seen.tables)
    return replace(seen, tables=tables)


def _bare(table: Table) -> Table:
    return replace(table, columns=tuple(replace(column, samples=()) for column in table.columns))


def _open_places(view: View) -> set[Place]:
    """Columns of tables that carry no row filter; views may read filtered tables, so they need to be listed."""
    restricted = bool(view.policy.row_filters)
    listed = {name.casefold() for name in view.policy.views}
    return {
        (each.table.full_name, column)
        for each in view.tables()
        if each.condition is None and not (restricted and each.table.kind != "table" and each.table.full_name.casefold() not in listed)
        for column in each.columns
    }  # fmt: skip
