"""Rows that were deleted and are still there: who counts customers means those that were not.

Systems mark a row as deleted and keep it. Nobody who asks how many customers there are thinks of those, so they are left out
of what is counted, listed or added up, and the reading says so. A question that speaks of deleted rows, and a statement that
speaks of the column, are left as they are; so is what only stands beside the rows that are asked for, as the name of a
customer who was deleted since.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlglot import exp

from inquery.agents.statements.left_out_rows import table_of
from inquery.catalog.deleted_rows import Deletion, deletion_of
from inquery.knowledge.glossary import Glossary
from inquery.knowledge.setup_questions import is_decided
from inquery.sql import Table
from inquery.sql.statement import Scope, Statement

_SPEAKS_OF_IT = re.compile(
    r"\b(?:un)?delet\w*|\bremoved\b|\brecycl\w*|\btrash\w*|\bin(?:cluding|clude) all\b|删除|删掉|删了|回收站|已删|含全部",
    re.I,
)


_WITH_THEM = re.compile(
    r"\b(?:including|with|count(?:ing)?|plus|even)\s+(?:the\s+)?(?:\w+\s+)?deleted\b"
    r"|\bdeleted (?:ones?|rows?|records?|\w+)?\s*(?:too|included|as well)\b"
    r"|\bwhether (?:or not )?deleted\b|(?<!不)(?:包括|包含|(?<!包)含|连同?|算上)(?:已经?)?(?:被)?删除",
    re.I,
)
_WITHOUT_THEM = re.compile(
    r"\b(?:not|non|without|excluding|except|ignor\w+|leav\w+ out|other than|but)\W+(?:\w+\W+){0,2}deleted\b"
    r"|\bundeleted\b|\bdeleted (?:\w+ )?(?:left out|excluded)\b"
    r"|(?:不含|不包括|不包含|不算|排除|除去|除了|剔除|去掉)(?:已经?)?(?:被)?删除|[未没](?:有)?(?:被)?删除",
    re.I,
)


def without_deleted(statement: Statement, question: str, glossary: Glossary) -> str:
    """The text of a statement over rows that were not deleted, or as it was; over all rows where the question takes them in."""
    catalog = statement.catalog
    if not any(map(deletion_of, _tables(statement))):
        return statement.text
    if not _WITHOUT_THEM.search(question):
        if _WITH_THEM.search(question):
            return _with_deleted(statement)
        if _SPEAKS_OF_IT.search(question):
            return statement.text
    tree, changed = statement.tree.copy(), False
    selects = list(tree.find_all(exp.Select))
    for mine, select in zip(statement.tree.find_all(exp.Select), selects, strict=True):
        scope = next((each for each in statement.scopes if each.select is mine), None)
        for source in _own_sources(scope, select) if scope is not None else ():
            table = table_of(source, catalog)
            found = deletion_of(table) if table else None
            if table is None or found is None or _says(select, found.column.name):
                continue
            if is_decided(glossary, table, found.column.name):
                continue
            changed = _attach(select, source, found) or changed
    return tree.sql(dialect=catalog.dialect) if changed else statement.text


def _with_deleted(statement: Statement) -> str:
    """Without the conditions that leave deleted rows out."""
    tree, changed = statement.tree.copy(), False
    for mine, node in zip(statement.tree.find_all(exp.EQ, exp.Is), list(tree.find_all(exp.EQ, exp.Is)), strict=True):
        scope = next((each for each in statement.scopes if each.select is mine.find_ancestor(exp.Select)), None)
        place = scope.place(mine.this) if scope and isinstance(mine.this, exp.Column) else None
        found = deletion_of(place.table) if place else None
        if place is None or found is None or found.column.name != place.column:
            continue
        held = mine.expression
        living = isinstance(held, exp.Null) if found.alive is None else getattr(held, "name", None) == found.alive
        if living and not isinstance(node.parent, exp.Not):
            node.replace(exp.true())
            changed = True
    for where in list(tree.find_all(exp.Where)) if changed else ():
        left = [part for part in where.this.unnest().flatten() if not isinstance(part.unnest(), exp.Boolean)]
        if not isinstance(where.this.unnest(), exp.And):
            left = [] if isinstance(where.this.unnest(), exp.Boolean) else [where.this]
        where.replace(exp.Where(this=exp.and_(*left, copy=False))) if left else where.pop()
    return tree.sql(dialect=statement.catalog.dialect) if changed else statement.text


def _tables(statement: Statement) -> Iterator[Table]:
    return (table for scope in statement.scopes for table in scope.tables.values())


def _own_sources(scope: Scope, select: exp.Select) -> list[exp.Table]:
    """The tables of a SELECT whose rows it is about: those that no join repeats."""
    names = {name for name in scope.tables if scope.repeating(name) is None}
    start = select.args.get("from_") or select.args.get("from")
    placed = [start.this if start is not None else None, *(join.this for join in select.args.get("joins") or ())]
    return [each for each in placed if isinstance(each, exp.Table) and each.alias_or_name in names]


def _says(select: exp.Select, column: str) -> bool:
    return any(each.name.casefold() == column.casefold() for each in select.find_all(exp.Column))


def _attach(select: exp.Select, source: exp.Table, found: Deletion) -> bool:
    """Add the condition where it takes no other rows away: to the ON of an outer join, else to the WHERE."""
    joins = select.args.get("joins") or []
    if any(join.side in {"RIGHT", "FULL"} for join in joins):
        return False
    condition = _condition(source, found, alone=not joins)
    outer = next((join for join in joins if join.this is source and join.side == "LEFT"), None)
    if outer is not None:
        outer.on(condition, copy=False)
    else:
        select.where(condition, copy=False)
    return True


def _condition(source: exp.Table, found: Deletion, *, alone: bool) -> exp.Expr:
    name = exp.to_identifier(found.column.name, quoted=True)
    column = exp.column(name, table=None if alone else exp.to_identifier(source.alias_or_name, quoted=True))
    if found.alive is None:
        return column.is_(exp.null())
    return column.eq(exp.Literal.number(found.alive) if found.is_number else exp.Literal.string(found.alive))
