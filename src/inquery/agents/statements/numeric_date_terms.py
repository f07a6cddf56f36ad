"""Statements over dates that SQLite keeps as numbers or as 2025/06/30: what compares or cuts them is written as they are stored."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from functools import lru_cache

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.scope import traverse_scope

from inquery.agents.statements.left_out_rows import table_of
from inquery.form.date_units import as_day
from inquery.sql import Catalog, Column
from inquery.sql.stored_dates import SEPARATED, StoredDate, stored_date

_MOMENT = re.compile(r"\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d)?)?")
_COMPARING = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Between, exp.In)


def write_numeric_dates(sql: str, catalog: Catalog) -> str:
    """The statement with such dates as they are stored; the text itself where it has none."""
    if catalog.dialect != "sqlite" or not _keeps_numbers(catalog):
        return sql
    try:
        tree = sqlglot.parse_one(sql, dialect="sqlite")
    except SqlglotError:
        return sql
    changed = False
    for column, known in _columns_in(tree, catalog):
        storage = date_storage(known)
        changed |= storage is not None and _rewrite(column, storage)
    return tree.sql(dialect="sqlite") if changed else sql


@lru_cache(maxsize=64)
def days_as_written(sql: str, catalog: Catalog) -> str:
    """The statement with stored days beside their columns as days are written: 20250101 and '2025/01/01' as '2025-01-01'.

    For whoever reads which period a statement keeps; it is not run.
    """
    if not _keeps_own_days(catalog):
        return sql
    try:
        tree = sqlglot.parse_one(sql, dialect=catalog.dialect)
    except SqlglotError:
        return sql
    changed = False
    for column, known in _columns_in(tree, catalog):
        stored, parent = stored_date(known), column.parent
        if stored is None or not isinstance(parent, _COMPARING):
            continue
        for literal in [each for each in parent.iter_expressions() if isinstance(each, exp.Literal)]:
            if day := stored.period(literal.name):
                literal.replace(exp.Literal.string(day[0]))
                changed = True
    return tree.sql(dialect=catalog.dialect) if changed else sql


@lru_cache(maxsize=8)
def _keeps_own_days(catalog: Catalog) -> bool:
    return any(stored_date(column) is not None for table in catalog.tables for column in table.columns)


def _columns_in(tree: exp.Expr, catalog: Catalog) -> Iterator[tuple[exp.Column, Column]]:
    """The columns of a statement that are one table's each."""
    for scope in traverse_scope(tree):
        tables = {a: t for a, s in scope.sources.items() if isinstance(s, exp.Table) and (t := table_of(s, catalog))}
        for column in list(scope.columns):
            owners = [tables.get(column.table)] if column.table else list(tables.values())
            known = [found for table in owners if table and (found := table.column(column.name))]
            if len(known) == 1:
                yield column, known[0]


@lru_cache(maxsize=8)
def _keeps_numbers(catalog: Catalog) -> bool:
    """Whether any column keeps days in a way of its own; asked for every statement, of 30,000 columns for a tenth of a second."""
    return any(date_storage(column) for table in catalog.tables for column in table.columns)


def date_storage(column: Column) -> StoredDate | None:
    """How a column keeps days in a way of its own, where a statement may take them for dates."""
    stored = stored_date(column)
    if stored is None or (stored.text and stored.kind not in SEPARATED):
        return None
    return stored if stored.kind in {"day", "seconds", "millis", *SEPARATED} else None


def _rewrite(column: exp.Column, storage: StoredDate) -> bool:
    """Write the literals beside a column as it stores dates, or the column as a date where a function takes it."""
    parent = column.parent
    if isinstance(parent, _COMPARING):
        parts: list[exp.Expr] = list(parent.iter_expressions())
        others = [each for each in parts if each is not column]
        if others and all(isinstance(each, exp.Literal) and _MOMENT.fullmatch(each.name) for each in others):
            for each in others:
                value = _stored(each.name, storage)
                each.replace(exp.Literal.string(value) if storage.text else exp.Literal.number(value))
            return True
        dated = any(_is_date_function(each) for each in others)
    else:
        while parent is not None and type(parent).__name__.startswith("TsOrDs"):
            parent = parent.parent  # what sqlglot writes around the argument of a date function
        dated = parent is not None and _is_date_function(parent)
    if dated:
        column.replace(_as_date(column, storage))
    return dated


def _is_date_function(node: exp.Expr) -> bool:
    """Whether a function of SQLite takes or makes a date; one that is told of seconds knows how they are stored."""
    text = node.sql(dialect="sqlite").lower()
    return re.match(r"(?:strftime|date|datetime|julianday|time)\(", text) is not None and "unixepoch" not in text


def _stored(text: str, storage: StoredDate) -> str:
    moment = datetime.datetime.fromisoformat(text).replace(tzinfo=datetime.UTC)
    if storage.kind == "day":
        return f"{moment:%Y%m%d}"
    if between := SEPARATED.get(storage.kind):
        return text[: 7 if storage.monthly else len(text)].replace("-", between)
    return str(int(moment.timestamp()) * (1000 if storage.kind == "millis" else 1))


def _as_date(column: exp.Column, storage: StoredDate) -> exp.Expr:
    if storage.text or storage.kind == "day":
        return as_day(column, storage, "sqlite")
    text = "datetime({c}" + (" / 1000" if storage.kind == "millis" else "") + ", 'unixepoch')"
    made: exp.Expr = sqlglot.parse_one(text.format(c=column.sql(dialect="sqlite")), dialect="sqlite")
    return made
