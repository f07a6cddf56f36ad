"""Rows show the figure they are chosen by: ten names without it tell nothing of the distance."""

from __future__ import annotations

from collections.abc import Mapping

import sqlglot
from sqlglot import exp

from inquery.sql.statement import Statement

_NAMES: dict[type[exp.Expr], str] = {exp.Sum: "total", exp.Avg: "average", exp.Count: "count"}


def with_figure(statement: Statement, measures: Mapping[str, str] | None = None) -> str:
    """The statement with what its rows are chosen by as a further column: the figure that ranks them, or that a group has to reach.

    Else it is as it was. `measures` are the glossary's expressions with their names, which the column is called by.
    """
    tree, dialect, sql = statement.tree, statement.catalog.dialect, statement.text
    if (
        not isinstance(tree, exp.Select)
        or tree.args.get("distinct")
        or any(_is_star(item) for item in tree.expressions)
    ):
        return sql
    figure = _ranked_by(tree, statement) or _held_by(tree)
    if figure is None:
        return sql
    shown = {item.unalias().sql(dialect=dialect) for item in tree.expressions}
    names = {item.alias_or_name.casefold() for item in tree.expressions}
    if figure.sql(dialect=dialect) in shown or (isinstance(figure, exp.Column) and figure.name.casefold() in names):
        return sql
    name = _name(figure, dialect, measures or {})
    named = exp.alias_(figure.copy(), name) if name and name not in names else figure.copy()
    return tree.copy().select(named).sql(dialect=dialect)


def _is_star(item: exp.Expr) -> bool:
    return isinstance(item, exp.Star) or (isinstance(item, exp.Column) and isinstance(item.this, exp.Star))


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


def _ranked_by(tree: exp.Select, statement: Statement) -> exp.Expr | None:
    """What the rows or groups are ordered by first, where only some of them are taken; their number in a table is no figure."""
    order = tree.args.get("order")
    if not order or not order.expressions or not tree.args.get("limit"):
        return None
    first: exp.Expr = order.expressions[0].this
    if first.find(exp.AggFunc) is not None:
        return first if tree.args.get("group") else None
    top = statement.top
    if tree.args.get("group") or not isinstance(first, exp.Column) or top is None or tree.find(exp.Window) is not None:
        return None
    place = top.place(first)
    return first if place is not None and not place.is_key else None


def _held_by(tree: exp.Select) -> exp.Expr | None:
    """The one figure that groups have to reach."""
    having = tree.args.get("having")
    if having is None or having.find(exp.Select) is not None:
        return None
    shown = {each.sql() for item in tree.expressions for each in item.find_all(exp.AggFunc)}
    figures = {each.sql(): each for each in having.find_all(exp.AggFunc) if each.sql() not in shown}
    return next(iter(figures.values())) if len(figures) == 1 else None
