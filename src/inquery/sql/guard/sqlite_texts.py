"""Texts in double quotes, which SQLite takes for text where no column has the name: `WHERE city = "Paris"`."""

from __future__ import annotations

from sqlglot import exp

from inquery.sql.catalog import Catalog

COMPARED = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Like, exp.Glob)


def read_texts(tree: exp.Expr, sql: str, catalog: Catalog) -> None:
    """Write such words as text, in place, where a value is compared with; elsewhere they stay names, and unknown ones.

    A name that any table has, hidden or not, is never taken for text: what a person may not see stays refused.
    """
    if '"' not in sql:
        return
    known: set[str] | None = None
    for word in [word for node in tree.walk() for word in _values(node)]:
        if not isinstance(word, exp.Column) or word.table or not word.this.quoted or f'"{word.name}"' not in sql:
            continue
        if known is None:
            known = _names(tree, catalog)
        if word.name.casefold() not in known:
            word.replace(exp.Literal.string(word.name))


def _values(node: exp.Expr) -> list[exp.Expr]:
    """What a node compares something with."""
    if isinstance(node, COMPARED):
        return [node.expression]
    if isinstance(node, exp.In):
        return list(node.expressions)
    if isinstance(node, exp.Between):
        return [node.args["low"], node.args["high"]]
    return []


def _names(tree: exp.Expr, catalog: Catalog) -> set[str]:
    """Every column of the catalogue, and what the statement itself names."""
    found = {node.alias.casefold() for node in tree.find_all(exp.Alias, exp.TableAlias, exp.CTE) if node.alias}
    found |= {column.name.casefold() for alias in tree.find_all(exp.TableAlias) for column in alias.columns}
    return found | catalog.column_names
