"""Parts of dates and spans of days as expressions, by the forms in each dialect's record."""

from __future__ import annotations

from functools import cache

from sqlglot import exp, parse_one

from inquery.form.ast import Unit
from inquery.sql.dialects import DIALECTS
from inquery.sql.dialects.record import DatePart
from inquery.sql.stored_dates import SEPARATED, StoredDate

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


def as_day(column: exp.Expr, stored: StoredDate, dialect: str) -> exp.Expr:
    """A day kept as a number or plain text, as ISO text or a moment whose parts can be read."""
    if stored.kind in {"seconds", "millis"}:
        number = exp.cast(column, "bigint") if stored.text else column
        seconds = exp.Div(this=number, expression=exp.Literal.number(1000)) if stored.kind == "millis" else number
        return _fill(dialect, "from_seconds", {"c_": seconds})
    text = column if stored.text else exp.cast(column, "text")
    if stored.kind == "iso_month":
        return exp.DPipe(this=text, expression=exp.Literal.string("-01"), safe=True)
    if between := SEPARATED.get(stored.kind):
        written = exp.func("REPLACE", text, exp.Literal.string(between), exp.Literal.string("-"), dialect=dialect)
        month = exp.DPipe(this=written, expression=exp.Literal.string("-01"), safe=True)
        return exp.paren(month) if stored.monthly else written
    parts = [_part(text, 1, 4), _part(text, 5, 2), exp.Literal.string("01") if stored.monthly else _part(text, 7, 2)]
    joined = parts[0]
    for part in parts[1:]:
        dashed = exp.DPipe(this=joined, expression=exp.Literal.string("-"), safe=True)
        joined = exp.DPipe(this=dashed, expression=part, safe=True)
    return exp.paren(joined)


def _part(text: exp.Expr, start: int, length: int) -> exp.Expr:
    return exp.Substring(this=text.copy(), start=exp.Literal.number(start), length=exp.Literal.number(length))


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
