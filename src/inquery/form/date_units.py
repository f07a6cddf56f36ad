"""Parts of dates and spans of days, written per dialect as data: {c} is the column, {s} and {e} two of them."""

from __future__ import annotations

from functools import cache

from sqlglot import exp, parse_one

from inquery.form.ast import Unit

_SQLITE = {
    "year": "STRFTIME('%Y', {c})",
    "quarter": "STRFTIME('%Y', {c}) || '-Q' || ((CAST(STRFTIME('%m', {c}) AS INTEGER) + 2) / 3)",
    "month": "STRFTIME('%Y-%m', {c})",
    "week": "DATE({c}, 'weekday 0', '-6 days')",
    "day": "STRFTIME('%Y-%m-%d', {c})",
    "quarterno": "(CAST(STRFTIME('%m', {c}) AS INTEGER) + 2) / 3",
    "monthno": "STRFTIME('%m', {c})",
    "weekday": "STRFTIME('%w', {c})",
    "hour": "STRFTIME('%H', {c})",
    "days": "JULIANDAY({e}) - JULIANDAY({s})",
}
_POSTGRES = {
    "year": "TO_CHAR({c}, 'YYYY')",
    "quarter": "TO_CHAR({c}, 'YYYY-\"Q\"Q')",
    "month": "TO_CHAR({c}, 'YYYY-MM')",
    "week": "TO_CHAR(DATE_TRUNC('week', {c}), 'YYYY-MM-DD')",
    "day": "TO_CHAR({c}, 'YYYY-MM-DD')",
    "quarterno": "CAST(EXTRACT(QUARTER FROM {c}) AS INT)",
    "monthno": "TO_CHAR({c}, 'MM')",
    "weekday": "CAST(EXTRACT(DOW FROM {c}) AS TEXT)",
    "hour": "TO_CHAR({c}, 'HH24')",
    "days": "EXTRACT(EPOCH FROM (CAST({e} AS TIMESTAMP) - CAST({s} AS TIMESTAMP))) / 86400.0",
}
_MYSQL = {
    "year": "DATE_FORMAT({c}, '%Y')",
    "quarter": "CONCAT(YEAR({c}), '-Q', QUARTER({c}))",
    "month": "DATE_FORMAT({c}, '%Y-%m')",
    "week": "DATE_FORMAT(DATE_SUB({c}, INTERVAL WEEKDAY({c}) DAY), '%Y-%m-%d')",
    "day": "DATE_FORMAT({c}, '%Y-%m-%d')",
    "quarterno": "QUARTER({c})",
    "monthno": "DATE_FORMAT({c}, '%m')",
    "weekday": "DATE_FORMAT({c}, '%w')",
    "hour": "DATE_FORMAT({c}, '%H')",
    "days": "TIMESTAMPDIFF(SECOND, {s}, {e}) / 86400.0",
}
_DUCKDB = {
    "year": "STRFTIME({c}, '%Y')",
    "quarter": "STRFTIME({c}, '%Y') || '-Q' || QUARTER({c})",
    "month": "STRFTIME({c}, '%Y-%m')",
    "week": "STRFTIME(DATE_TRUNC('week', {c}), '%Y-%m-%d')",
    "day": "STRFTIME({c}, '%Y-%m-%d')",
    "quarterno": "QUARTER({c})",
    "monthno": "STRFTIME({c}, '%m')",
    "weekday": "STRFTIME({c}, '%w')",
    "hour": "STRFTIME({c}, '%H')",
    "days": "DATE_DIFF('second', CAST({s} AS TIMESTAMP), CAST({e} AS TIMESTAMP)) / 86400.0",
}
_CLICKHOUSE = {
    "year": "formatDateTime({c}, '%Y')",
    "quarter": "concat(toString(toYear({c})), '-Q', toString(toQuarter({c})))",
    "month": "formatDateTime({c}, '%Y-%m')",
    "week": "toString(toMonday({c}))",
    "day": "formatDateTime({c}, '%Y-%m-%d')",
    "quarterno": "toQuarter({c})",
    "monthno": "formatDateTime({c}, '%m')",
    "weekday": "formatDateTime({c}, '%w')",
    "hour": "formatDateTime({c}, '%H')",
    "days": "dateDiff('second', toDateTime({s}), toDateTime({e})) / 86400.0",
}
_SNOWFLAKE = {
    "year": "TO_CHAR({c}, 'YYYY')",
    "quarter": "CONCAT(TO_CHAR({c}, 'YYYY'), '-Q', DATE_PART(QUARTER, {c}))",
    "month": "TO_CHAR({c}, 'YYYY-MM')",
    "week": "TO_CHAR(DATE_TRUNC('WEEK', {c}), 'YYYY-MM-DD')",
    "day": "TO_CHAR({c}, 'YYYY-MM-DD')",
    "quarterno": "DATE_PART(QUARTER, {c})",
    "monthno": "TO_CHAR({c}, 'MM')",
    "weekday": "CAST(DATE_PART(DAYOFWEEK, {c}) AS VARCHAR)",
    "hour": "TO_CHAR({c}, 'HH24')",
    "days": "TIMESTAMPDIFF(SECOND, {s}, {e}) / 86400.0",
}
_BIGQUERY = {
    "year": "FORMAT_TIMESTAMP('%Y', CAST({c} AS TIMESTAMP))",
    "quarter": "FORMAT_TIMESTAMP('%Y-Q%Q', CAST({c} AS TIMESTAMP))",
    "month": "FORMAT_TIMESTAMP('%Y-%m', CAST({c} AS TIMESTAMP))",
    "week": "FORMAT_DATE('%Y-%m-%d', DATE_TRUNC(CAST({c} AS DATE), WEEK(MONDAY)))",
    "day": "FORMAT_TIMESTAMP('%Y-%m-%d', CAST({c} AS TIMESTAMP))",
    "quarterno": "EXTRACT(QUARTER FROM {c})",
    "monthno": "FORMAT_TIMESTAMP('%m', CAST({c} AS TIMESTAMP))",
    "weekday": "FORMAT_TIMESTAMP('%w', CAST({c} AS TIMESTAMP))",
    "hour": "FORMAT_TIMESTAMP('%H', CAST({c} AS TIMESTAMP))",
    "days": "TIMESTAMP_DIFF(CAST({e} AS TIMESTAMP), CAST({s} AS TIMESTAMP), SECOND) / 86400.0",
}
_ORACLE = {
    "year": "TO_CHAR({c}, 'YYYY')",
    "quarter": "TO_CHAR({c}, 'YYYY-\"Q\"Q')",
    "month": "TO_CHAR({c}, 'YYYY-MM')",
    "week": "TO_CHAR(TRUNC({c}, 'IW'), 'YYYY-MM-DD')",
    "day": "TO_CHAR({c}, 'YYYY-MM-DD')",
    "quarterno": "TO_NUMBER(TO_CHAR({c}, 'Q'))",
    "monthno": "TO_CHAR({c}, 'MM')",
    "weekday": "TO_CHAR(MOD(TRUNC({c}) - TRUNC({c}, 'IW') + 1, 7))",
    "hour": "TO_CHAR({c}, 'HH24')",
    "days": "CAST({e} AS DATE) - CAST({s} AS DATE)",
}
_TSQL = {
    "year": "FORMAT({c}, 'yyyy')",
    "quarter": "CONCAT(DATEPART(YEAR, {c}), '-Q', DATEPART(QUARTER, {c}))",
    "month": "FORMAT({c}, 'yyyy-MM')",
    "week": "FORMAT(DATEADD(DAY, -(DATEDIFF(DAY, '19000101', {c}) % 7), {c}), 'yyyy-MM-dd')",
    "day": "FORMAT({c}, 'yyyy-MM-dd')",
    "quarterno": "DATEPART(QUARTER, {c})",
    "monthno": "FORMAT({c}, 'MM')",
    "weekday": "CAST(DATEDIFF(DAY, '19000107', {c}) % 7 AS VARCHAR)",
    "hour": "FORMAT({c}, 'HH')",
    "days": "DATEDIFF(SECOND, {s}, {e}) / 86400.0",
}
_TRINO = {
    "year": "DATE_FORMAT({c}, '%Y')",
    "quarter": "DATE_FORMAT({c}, '%Y') || '-Q' || CAST(QUARTER({c}) AS VARCHAR)",
    "month": "DATE_FORMAT({c}, '%Y-%m')",
    "week": "DATE_FORMAT(DATE_TRUNC('week', {c}), '%Y-%m-%d')",
    "day": "DATE_FORMAT({c}, '%Y-%m-%d')",
    "quarterno": "QUARTER({c})",
    "monthno": "DATE_FORMAT({c}, '%m')",
    "weekday": "CAST(DAY_OF_WEEK({c}) % 7 AS VARCHAR)",
    "hour": "DATE_FORMAT({c}, '%H')",
    "days": "DATE_DIFF('second', CAST({s} AS TIMESTAMP), CAST({e} AS TIMESTAMP)) / 86400.0",
}
TEMPLATES = {
    "sqlite": _SQLITE,
    "postgres": _POSTGRES,
    "mysql": _MYSQL,
    "duckdb": _DUCKDB,
    "clickhouse": _CLICKHOUSE,
    "snowflake": _SNOWFLAKE,
    "bigquery": _BIGQUERY,
    "oracle": _ORACLE,
    "tsql": _TSQL,
    "trino": _TRINO,
}
_NEEDS_TIME = {"duckdb", "trino", "postgres"}
"""Engines where a date kept as text must be cast before its parts can be read."""


def bucket(unit: Unit, column: exp.Expr, dialect: str, *, text: bool = False) -> exp.Expr:
    """The part of a date as an expression of the dialect; `text` says that the column keeps dates as text."""
    if text and dialect in _NEEDS_TIME:
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
    if text:
        return literal
    if dialect == "trino":
        return exp.cast(literal, "timestamp" if " " in value else "date")
    if dialect == "oracle":
        form = "YYYY-MM-DD HH24:MI:SS" if " " in value else "YYYY-MM-DD"
        return exp.func("TO_DATE", literal, exp.Literal.string(form), dialect="oracle")
    return literal


def _fill(dialect: str, name: str, columns: dict[str, exp.Expr]) -> exp.Expr:
    tree = _parsed(dialect, name).copy()
    for place in list(tree.find_all(exp.Column)):
        if place.name in columns:
            place.replace(columns[place.name].copy())
    return tree


@cache
def _parsed(dialect: str, name: str) -> exp.Expr:
    template = TEMPLATES[dialect][name].format(c="c_", s="s_", e="e_")
    tree = parse_one(template, dialect=dialect)
    return exp.paren(tree) if isinstance(tree, exp.Binary) else tree
