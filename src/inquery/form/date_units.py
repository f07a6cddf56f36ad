"""Parts of dates and spans of days as expressions, by the forms in each dialect's record."""

from __future__ import annotations

from functools import cache

from sqlglot import exp, parse_one

from inquery.form.ast import Unit
from inquery.sql.dialects import DIALECTS
from inquery.sql.dialects.record import DatePart

TEMPLATES = DIALECTS
"""The dialects that parts of dates can be written in: every record has its forms."""


def bucket(unit: Unit, column: exp.Expr, dialect: str, *, text: bool = False) -> exp.Expr:
    """The part of a date as an expression of the dialect; `text` says that the column keeps dates as text."""
    if text and DIALECTS[dialect].dates.text_is_cast:
        column = exp.cast(column, "timestamp")
    return _fill(dialect, unit, {"c_": column})


def unit_of(node: exp.Expr, dialect: str = "sqlite") -> tuple[Unit, exp.Column] | None:
    """The quarter or week of a column, written as this module writes it."""
    column = node.find(exp.Column)
    units: tuple[Unit, ...] = ("quarter", "week")
    if column is None:
        return None
    text = _bare(node, dialect)
    return next(((unit, column) for unit in units if _bare(bucket(unit, column, dialect), dialect) == text), None)


def _bare(node: exp.Expr, dialect: str) -> str:
    """A text without parentheses, which may be set differently."""
    return node.sql(dialect).casefold().translate({ord("("): None, ord(")"): None, ord(" "): None})


def days(start: exp.Expr, end: exp.Expr, dialect: str) -> exp.Expr:
    """The days between two dates as an expression of the dialect."""
    return _fill(dialect, "days", {"s_": start, "e_": end})


def date_literal(value: str, dialect: str, *, text: bool = False) -> exp.Expr:
    """A date constant to compare a column with; most engines read ISO text, Oracle and Trino want a date."""
    literal = exp.Literal.string(value)
    how = "text" if text else DIALECTS[dialect].dates.literal
    if how == "cast":
        return exp.cast(literal, "timestamp" if " " in value else "date")
    if how == "to_date":
        form = "YYYY-MM-DD HH24:MI:SS" if " " in value else "YYYY-MM-DD"
        return exp.func("TO_DATE", literal, exp.Literal.string(form), dialect=dialect)
    return literal


def _fill(dialect: str, name: DatePart, columns: dict[str, exp.Expr]) -> exp.Expr:
    tree = _parsed(dialect, name).copy()
    for place in list(tree.find_all(exp.Column)):
        if place.name in columns:
            place.replace(columns[place.name].copy())
    return tree


@cache
def _parsed(dialect: str, name: DatePart) -> exp.Expr:
    template = DIALECTS[dialect].dates.template(name).format(c="c_", s="s_", e="e_")
    tree = parse_one(template, dialect=dialect)
    return exp.paren(tree) if isinstance(tree, exp.Binary) else tree
