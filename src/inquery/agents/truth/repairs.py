"""Breaches that code mends for certain: a period that was left out, and counts of rows that a join repeats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlglot import exp

from inquery.agents.truth.claims import Breach, Claims
from inquery.agents.truth.measure_rules import counted_table
from inquery.catalog.time_columns import time_columns
from inquery.language.dates import OPEN_END, OPEN_START
from inquery.sql.statement import Scope, Statement

DATED = frozenset({"date", "datetime"})
"""Kinds of time columns that compare with days as they are written."""


def mend_breaches(statement: Statement, broken: Sequence[Breach], claims: Claims) -> str:
    """The statement with what is certain put right; as it was where nothing is."""
    codes = {each.rule for each in broken if each.sure}
    if len(statement.scopes) != 1 or not isinstance(statement.tree, exp.Select):
        return statement.text
    tree = statement.tree.copy()
    mended = [
        "named_period" in codes and _with_period(tree, statement.scopes[0], claims),
        "counted_once" in codes and _counting_once(tree, statement.scopes[0], claims),
        "added_once" in codes and _counting_keys_once(tree, statement.scopes[0]),
    ]
    return tree.sql(dialect=claims.catalog.dialect) if any(mended) else statement.text


def _with_period(tree: exp.Expr, scope: Scope, claims: Claims) -> bool:
    """Put the one period on the one time column there is; a statement that has any date already says something else."""
    columns = list(_time_columns(scope))
    sided = any(join.side for join in tree.args.get("joins") or ())
    if (
        len(claims.periods) != 1
        or len(columns) != 1
        or not columns[0][1]
        or sided
        or not isinstance(tree, exp.Select)
        or _has_dates(scope)
    ):
        return False
    source, column = columns[0]
    place = exp.column(exp.to_identifier(column, quoted=True), table=_written(tree, source))
    start, end = claims.periods[0]["start"], claims.periods[0]["end"]
    low = [exp.GTE(this=place, expression=exp.Literal.string(start))] if start != OPEN_START.isoformat() else []
    high = [exp.LT(this=place.copy(), expression=exp.Literal.string(end))] if end != OPEN_END.isoformat() else []
    tree.where(*low, *high, copy=False)
    return True


def _time_columns(scope: Scope) -> Iterator[tuple[str, str]]:
    """Every column of the tables in hand that says when; only those that compare with days count as one to use."""
    for name, table in scope.tables.items():
        for found in time_columns(table):
            yield name, found.name if found.kind in DATED and found.recommended else ""


def _has_dates(scope: Scope) -> bool:
    times = {(name, column.name) for name, table in scope.tables.items() for column in time_columns(table)}
    return any(each.place and any(each.place.column == column for _, column in times) for each in scope.filters())


def _counting_once(tree: exp.Expr, scope: Scope, claims: Claims) -> bool:
    """Count the keys of what was asked for, not the rows of what is joined to it."""
    named = counted_table(claims)
    keys = [column.name for column in named.columns if column.primary_key] if named else []
    source = next((name for name, table in scope.tables.items() if named and table.path == named.path), None)
    if source is None or len(keys) != 1:
        return False
    key = exp.column(exp.to_identifier(keys[0], quoted=True), table=_written(tree, source))
    stars = [node for node in tree.find_all(exp.Count) if isinstance(node.this, exp.Star)]
    for count in stars:
        count.set("this", exp.Distinct(expressions=[key.copy()]))
    return bool(stars)


def _counting_keys_once(tree: exp.Expr, scope: Scope) -> bool:
    """Count each key once, where a join repeats its rows."""
    counted = [each for each in scope.repeated() if isinstance(each.measure.call, exp.Count)]
    repeated = {each.place.column.casefold() for each in counted if each.place.is_key}
    counts = [
        node
        for node in tree.find_all(exp.Count)
        if isinstance(node.this, exp.Column) and node.this.name.casefold() in repeated
    ]
    for count in counts:
        count.set("this", exp.Distinct(expressions=[count.this.copy()]))
    return bool(counts)


def _written(tree: exp.Expr, name: str) -> exp.Identifier:
    """A source's name as the statement writes it."""
    for table in tree.find_all(exp.Table):
        alias = table.args.get("alias")
        found = alias.this if alias is not None and alias.this is not None else table.this
        if isinstance(found, exp.Identifier) and found.name.casefold() == name.casefold():
            return found.copy()
    return exp.to_identifier(name)
