"""What a statement compares stored columns with."""

from __future__ import annotations

from collections.abc import Iterator

import sqlglot
from sqlglot import exp

from inquery.agents.context import Context
from inquery.sql import Table
from inquery.sql.guard.sqlite_texts import read_texts
from inquery.sql.repair import UNREADABLE

Filter = tuple[Table, str, str, str]
"""Table, column, operator class and literal."""


def filters_of(sql: str, context: Context) -> Iterator[Filter]:
    """Comparisons of a column with a text literal, resolved to the catalogue's tables."""
    try:
        tree = sqlglot.parse_one(sql, dialect=context.here.dialect)
    except UNREADABLE:
        return
    catalog = context.here.seen(context.rules)
    if context.here.dialect == "sqlite":
        read_texts(tree, sql, context.here.catalog)
    named = (
        (t.alias_or_name.casefold(), catalog.by_last_name.get(t.name.casefold())) for t in tree.find_all(exp.Table)
    )
    used = {alias: tables[-1] for alias, tables in named if tables}
    for node in tree.find_all(exp.EQ, exp.NEQ, exp.In, exp.GTE, exp.GT, exp.LT, exp.LTE, exp.Between):
        column = node.this.find(exp.Column) if node.this else None
        if column is None:
            continue
        holders = [used[column.table.casefold()]] if column.table.casefold() in used else list(used.values())
        found = next(((table, known) for table in holders if (known := table.column(column.name))), None)
        for literal in node.find_all(exp.Literal) if found else ():
            if literal.is_string and found is not None:
                yield found[0], found[1].name, type(node).__name__, literal.this
