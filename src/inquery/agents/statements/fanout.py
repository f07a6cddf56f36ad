"""Joins that count rows twice or lose some: read from the statement's tree and the catalogue, without running."""

from __future__ import annotations

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from inquery.agents.bilingual import say
from inquery.sql import Catalog, Join, Table

MOST = 3


def join_warnings(sql: str, catalog: Catalog, language: str) -> list[str]:
    """What a reader should know of the joins of a statement."""
    try:
        tree = sqlglot.parse_one(sql, dialect=catalog.dialect)
    except (SqlglotError, RecursionError):
        return []
    found: list[str] = []
    for select in tree.find_all(exp.Select):
        found += _of_one(select, catalog, language)
    return list(dict.fromkeys(found))[:MOST]


def _of_one(select: exp.Select, catalog: Catalog, language: str) -> list[str]:
    sources = _sources(select, catalog)
    if len(sources) < 2:
        return []
    return [*_repeated(select, sources, catalog, language), *_lost(select, sources, catalog, language)]


def _sources(select: exp.Select, catalog: Catalog) -> dict[str, Table]:
    """The catalogue's tables of one FROM, by alias."""
    start = select.args.get("from_") or select.args.get("from")
    nodes = [start.this] if start else []
    nodes += [join.this for join in select.args.get("joins") or ()]
    found: dict[str, Table] = {}
    for node in nodes:
        known = catalog.by_last_name.get(node.name.casefold(), []) if isinstance(node, exp.Table) else []
        if len(known) == 1:
            found[node.alias_or_name.casefold()] = known[0]
    return found


def _repeated(select: exp.Select, sources: dict[str, Table], catalog: Catalog, language: str) -> list[str]:
    """Sums and counts over a table whose rows a one-to-many join repeats; COUNT(*) names no table, so it is left alone."""
    paths = {table.path for table in sources.values()}
    found = []
    for call in select.find_all(exp.Sum, exp.Avg, exp.Count):
        owners = {_owner(column, sources) for column in call.find_all(exp.Column)} - {None}
        if call.find(exp.Distinct) or len(owners) != 1 or call.find_ancestor(exp.Select) is not select:
            continue
        table = sources[str(owners.pop())]
        many = _many_side(table, paths, catalog)
        if many:
            text = call.sql(dialect=catalog.dialect)
            found.append(
                say(
                    language,
                    f"{text}: rows of {table.name} repeat for each row of {many}, so they may be counted several times.",
                    f"{text}：{table.name} 的行会因关联 {many} 而重复，可能被重复计算。",
                )
            )
    return found


def _many_side(table: Table, paths: set[tuple[str, ...]], catalog: Catalog) -> str:
    for join in catalog.joins_of([table.path]):
        if join.right == table.path and join.left in paths and join.left != table.path and _is_key(join, catalog):
            return ".".join(join.left)
    return ""


def _is_key(join: Join, catalog: Catalog) -> bool:
    """Whether the right side is the one the left refers to, and the left may refer to it many times."""
    left, right = catalog.by_path[join.left], catalog.by_path[join.right]
    alone = {c.name for c in right.columns if c.primary_key} == set(join.right_columns)
    own = {c.name for c in left.columns if c.primary_key} == set(join.left_columns)
    return alone and not own


def _owner(column: exp.Column, sources: dict[str, Table]) -> str | None:
    if column.table:
        return column.table.casefold() if column.table.casefold() in sources else None
    holders = [alias for alias, table in sources.items() if table.column(column.name)]
    return holders[0] if len(holders) == 1 else None


def _lost(select: exp.Select, sources: dict[str, Table], catalog: Catalog, language: str) -> list[str]:
    """Inner joins over a key that may be empty: those rows are left out."""
    found = []
    for join in select.args.get("joins") or ():
        if join.side or join.kind in {"CROSS", "OUTER"}:
            continue
        for equal in (join.args.get("on") or exp.Null()).find_all(exp.EQ):
            for side in (equal.left, equal.right):
                alias = _owner(side, sources) if isinstance(side, exp.Column) else None
                table = sources.get(alias or "")
                column = table.column(side.name) if table else None
                keys = {name for key in table.foreign_keys for name in key.columns} if table else set()
                if table and column and column.nullable and not column.primary_key and column.name in keys:
                    found.append(
                        say(
                            language,
                            f"Rows of {table.name} without {column.name} are left out.",
                            f"{table.name} 中 {column.name} 为空的行未计入。",
                        )
                    )
    return found
