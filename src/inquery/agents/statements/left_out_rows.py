"""Rows that do not count, as people said in the set-up: deleted ones, tests, cancelled orders.

The condition is written into the statement, where a person sees it; a statement that speaks of the column itself ("cancelled
orders", "orders by status") is left as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.scope import Scope, traverse_scope

from inquery.agents.bilingual import say
from inquery.knowledge.glossary import ANY_VALUE, Glossary
from inquery.sql import Catalog, Table

MOST_TOLD = 2


@dataclass(frozen=True, slots=True)
class _Left:
    """A table of a SELECT with a column whose values leave rows out, and whether the SELECT speaks of the column."""

    select: exp.Select
    source: exp.Table
    table: Table
    column: str
    values: tuple[str, ...]
    mentioned: bool


def leave_out_rows(sql: str, catalog: Catalog, glossary: Glossary) -> str:
    """The statement without the rows that do not count; the text itself where nothing is to be left out."""
    tree = _parsed(sql, catalog, glossary)
    found = [each for each in _places(tree, catalog, glossary) if not each.mentioned] if tree is not None else []
    for each in found:
        _attach(each)
    return tree.sql(dialect=catalog.dialect) if tree is not None and found else sql


def left_out_told(sql: str, catalog: Catalog, glossary: Glossary, language: str) -> list[str]:
    """What a statement leaves out so, in words."""
    tree = _parsed(sql, catalog, glossary)
    if tree is None:
        return []
    told = []
    for each in _places(tree, catalog, glossary):
        if each.mentioned and _has(each):
            name, values = f"{each.table.name}.{each.column}", ", ".join(each.values)
            told.append(
                say(language, f"Rows with {name} set are left out", f"已略去 {name} 有值的行")
                if each.values == (ANY_VALUE,)
                else say(language, f"Rows with {name} = {values} are left out", f"已略去 {name} = {values} 的行")
            )
    return list(dict.fromkeys(told))[:MOST_TOLD]


def _parsed(sql: str, catalog: Catalog, glossary: Glossary) -> exp.Expr | None:
    if not any(about.leave_out for about in glossary.tables.values()):
        return None  # nearly always: nothing is parsed
    try:
        return sqlglot.parse_one(sql, dialect=catalog.dialect)
    except SqlglotError:
        return None


def _places(tree: exp.Expr, catalog: Catalog, glossary: Glossary) -> Iterator[_Left]:
    for scope in traverse_scope(tree):
        select = scope.expression
        if not isinstance(select, exp.Select):
            continue
        for alias, source in scope.sources.items():
            table = table_of(source, catalog) if isinstance(source, exp.Table) else None
            about = table and (glossary.tables.get(table.full_name) or glossary.tables.get(table.name))
            if table is None or not about:
                continue
            for column, values in about.leave_out.items():
                if table.column(column) is not None and isinstance(source, exp.Table):
                    yield _Left(select, source, table, column, values, _mentions(scope, alias, column))


def table_of(source: exp.Table, catalog: Catalog) -> Table | None:
    """The table of the catalogue that a statement names."""
    parts = tuple(part.name.casefold() for part in source.parts)
    near = catalog.by_last_name.get(parts[-1], [])
    found = [
        table for table in near if tuple(map(str.casefold, table.path))[-len(parts) :] == parts[-len(table.path) :]
    ]
    return found[0] if len(found) == 1 else None


def _mentions(scope: Scope, alias: str, column: str) -> bool:
    alone = len(scope.sources) == 1
    return any(
        each.name.casefold() == column.casefold() and (each.table == alias or (not each.table and alone))
        for each in scope.columns
    )


def _condition(left: _Left) -> exp.Expr:
    column = exp.column(
        exp.to_identifier(left.column, quoted=True), table=exp.to_identifier(left.source.alias_or_name, quoted=True)
    )
    missing = column.copy().is_(exp.null())
    if left.values == (ANY_VALUE,):
        return missing
    numbers = all(_is_number(value) for value in left.values) and not _is_text(left.table, left.column)
    make = exp.Literal.number if numbers else exp.Literal.string
    literals = [make(value) for value in left.values]
    other = column.neq(literals[0]) if len(literals) == 1 else exp.not_(column.isin(*literals))
    return exp.paren(exp.or_(missing, other, copy=False))


def _is_number(value: str) -> bool:
    return value.lstrip("-").isdigit()


def _is_text(table: Table, name: str) -> bool:
    column = table.column(name)
    return column is not None and any(word in column.type.lower() for word in ("char", "text", "string", "enum"))


def _attach(left: _Left) -> None:
    """Add the condition where it takes no other rows away: to the ON of an outer join, else to the WHERE."""
    for join in left.select.args.get("joins") or []:
        if join.this is left.source and join.side == "LEFT":
            join.on(_condition(left), copy=False)
            return
        if join.side in {"RIGHT", "FULL"}:
            return
    left.select.where(_condition(left), copy=False)


def _has(left: _Left) -> bool:
    """Whether the SELECT has the very condition, as this module writes it."""
    wanted = _condition(left).sql()
    places = [left.select.args.get("where"), *(left.select.args.get("joins") or [])]
    return any(wanted in place.sql() for place in places if place is not None)
