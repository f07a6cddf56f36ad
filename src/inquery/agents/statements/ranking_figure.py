"""Rows show the figure they are ranked by: ten names without it tell nothing of the distance."""

from __future__ import annotations

from collections.abc import Mapping

import sqlglot
from sqlglot import exp

from inquery.sql.statement import Statement

_NAMES: dict[type[exp.Expr], str] = {exp.Sum: "total", exp.Avg: "average", exp.Count: "count"}


def with_figure(statement: Statement, measures: Mapping[str, str] | None = None) -> str:
    """The statement with the aggregate its first rows are chosen by as a further column; else as it was.

    `measures` are the glossary's expressions with their names, which the column is called by.
    """
    tree, dialect, sql = statement.tree, statement.catalog.dialect, statement.text
    figure = _figure(tree)
    if figure is None or not isinstance(tree, exp.Select):
        return sql
    shown = {item.unalias().sql(dialect=dialect) for item in tree.expressions}
    names = {item.alias_or_name.casefold() for item in tree.expressions}
    if figure.sql(dialect=dialect) in shown or tree.find(exp.Star) in tree.expressions:
        return sql
    if isinstance(figure, exp.Column) and figure.name.casefold() in names:
        return sql
    name = _name(figure, dialect, measures or {})
    named = exp.alias_(figure.copy(), name) if name and name not in names else figure.copy()
    return tree.copy().select(named).sql(dialect=dialect)


def _name(figure: exp.Expr, dialect: str, measures: Mapping[str, str]) -> str:
    """What the figure is called: its measure, else what it does with its column."""
    text = figure.sql(dialect=dialect)
    for expression, name in measures.items():
        if sqlglot.parse_one(expression, dialect=dialect).sql(dialect=dialect) == text:
            return name
    word, column = _NAMES.get(type(figure), ""), figure.find(exp.Column)
    if word == "count" or not word or not isinstance(figure.this, exp.Column) or column is None:
        return word
    return f"{word}_{column.name}"


def _figure(tree: exp.Expr) -> exp.Expr | None:
    """What a ranking of groups is ordered by first, where only some of them are taken."""
    order = tree.args.get("order")
    if not isinstance(tree, exp.Select) or not order or not tree.args.get("limit") or not tree.args.get("group"):
        return None
    first = order.expressions[0].this if order.expressions else None
    return first if first is not None and first.find(exp.AggFunc) else None
