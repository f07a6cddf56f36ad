"""Edits of the last statement that need no model: fewer rows, another order, explained in words."""

from __future__ import annotations

import re

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from inquery.agents.bilingual import say

_PLAN_FIGURE = re.compile(r"m\d+")
"""What metrics.compile_plan calls a measure's figure."""


def limited(sql: str, dialect: str, number: int, *, ascending: bool = False, ranked: bool = False) -> str | None:
    """The statement cut to its first rows, or to its last ones by the same order; None when there is no order.

    `ranked` rows are the highest or lowest: an order by anything but a number is replaced, as that of months is.
    """
    tree = _tree(sql, dialect)
    if tree is None:
        return None
    order = tree.args.get("order")
    if order is None or (ranked and not _orders_measure(tree, order)):
        order = _by_measure(tree) or order
    if order is None:
        return None
    tree.set("order", order)
    if ascending:
        for each in order.expressions:
            _turn(each)
    return tree.limit(number).sql(dialect=dialect)


def sorted_as(sql: str, dialect: str, *, ascending: bool) -> str | None:
    """The statement in another direction of its order, or of its last number."""
    tree = _tree(sql, dialect)
    if tree is None:
        return None
    order = tree.args.get("order") or _by_measure(tree)
    if order is None:
        return None
    for each in order.expressions:
        if bool(each.args.get("desc")) == ascending:
            _turn(each)
    tree.set("order", order)
    return tree.sql(dialect=dialect)


def _orders_measure(tree: exp.Select, order: exp.Expression) -> bool:
    """Whether rows are ordered by a number first: an aggregate, its alias, or a plain column of an ungrouped query."""
    key = order.expressions[0].this
    measures = [column for column in tree.selects if column.find(exp.AggFunc) or _is_plan_figure(column)]
    if not measures or key.find(exp.AggFunc):
        return True
    places = {str(tree.selects.index(column) + 1) for column in measures}
    return key.name in {column.alias for column in measures if column.alias} | places


def _turn(ordered: exp.Expression) -> None:
    """The other direction; where nulls stand turns with it, so that the dialect's own way stays unwritten."""
    ordered.set("desc", not ordered.args.get("desc"))
    ordered.set("nulls_first", not ordered.args.get("nulls_first"))


def _tree(sql: str, dialect: str) -> exp.Select | None:
    try:
        tree = sqlglot.parse_one(sql, dialect=dialect)
    except (SqlglotError, RecursionError):
        return None
    return tree if isinstance(tree, exp.Select) else None


def _by_measure(tree: exp.Select) -> exp.Order | None:
    """Largest first by the last aggregated column; a statement without one has no natural order."""
    for column in reversed(tree.selects):
        if column.find(exp.AggFunc) or _is_plan_figure(column):
            key = exp.column(column.alias) if column.alias else column.copy()
            return exp.Order(expressions=[exp.Ordered(this=key, desc=True, nulls_first=False)])
    return None


def _is_plan_figure(column: exp.Expr) -> bool:
    """Whether a plan's statement, whose figures were made before, shows one here."""
    return isinstance(column.unalias(), exp.Column) and _PLAN_FIGURE.fullmatch(column.unalias().name) is not None


def explain_statement(sql: str, dialect: str, language: str) -> str:
    """A statement in words, read from its tree."""
    tree = _tree(sql, dialect)
    if tree is None:
        return say(language, f"The statement is: {sql}", f"语句为：{sql}")
    tables = ", ".join(dict.fromkeys(table.name for table in tree.find_all(exp.Table)))
    parts = [say(language, f"It reads {tables}.", f"读取的表：{tables}。")]
    where, group, order, limit = (tree.args.get(key) for key in ("where", "group", "order", "limit"))
    if where:
        text = where.this.sql(dialect=dialect)
        parts.append(say(language, f"It keeps the rows where {text}.", f"筛选条件：{text}。"))
    if group:
        text = ", ".join(each.sql(dialect=dialect) for each in group.expressions)
        parts.append(say(language, f"It groups them by {text}.", f"分组依据：{text}。"))
    shown = ", ".join(each.sql(dialect=dialect) for each in tree.selects)
    parts.append(say(language, f"It shows {shown}.", f"显示：{shown}。"))
    if order:
        text = ", ".join(each.sql(dialect=dialect) for each in order.expressions)
        parts.append(say(language, f"It sorts by {text}.", f"排序：{text}。"))
    if limit:
        parts.append(say(language, f"It takes {limit.expression.sql()} rows.", f"只取 {limit.expression.sql()} 行。"))
    return (" " if language == "en" else "").join(parts)
