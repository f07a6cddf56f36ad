"""Gold queries as SQLite reads them: in Spider a word in double quotes is often text, which the guard takes for a name."""

from __future__ import annotations

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from inquery.sql import Catalog


def as_sqlite_reads(sql: str, catalog: Catalog) -> str:
    """The query with double-quoted words that name no column in reach written as text; else as it was."""
    if '"' not in sql and "`" not in sql:
        return sql
    try:
        root = parse_one(sql, dialect="sqlite")
    except SqlglotError:
        return sql
    names = names_in_reach(root, catalog)
    changed = False
    for column in list(root.find_all(exp.Column)):
        if column.this.quoted and not column.table and column.name.casefold() not in names:
            column.replace(exp.Literal.string(column.name))
            changed = True
    return root.sql(dialect="sqlite", normalize_functions=False) if changed else sql


def names_in_reach(root: exp.Expr, catalog: Catalog) -> set[str]:
    """Columns of the tables the query reads, and its own aliases."""
    tables = {table.name.casefold() for table in root.find_all(exp.Table)}
    found = {column.name.casefold() for t in catalog.tables if t.name.casefold() in tables for column in t.columns}
    return found | {alias.alias.casefold() for alias in root.find_all(exp.Alias)}
