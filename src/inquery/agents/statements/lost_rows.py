"""Rows that an inner join leaves out because they refer to nothing, counted: 71% of orders have no store."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, replace

from sqlglot import exp
from sqlglot.optimizer.scope import find_all_in_scope

from inquery.agents.bilingual import say
from inquery.agents.context import Context
from inquery.agents.outcomes.rows import limits_of, run_checked
from inquery.answers.column_words import name_of_rows
from inquery.answers.formats import format_number, format_percent
from inquery.catalog.collect import table_named
from inquery.errors import InqueryError
from inquery.sql.catalog import Table
from inquery.sql.statement import Scope, Statement

MOST = 2
COUNTED_S = 2.0
TELLING = 0.01
"""Of all rows, what may be left out without a word beside the figure; a note says it anyway."""
MOST_ROWS = 5_000_000
"""Tables with more rows are not read a second time for a remark."""


@dataclass(frozen=True, slots=True)
class LostKey:
    """A key that may be empty and that an inner join goes over: its table, that table's name in the FROM, and where to."""

    scope: Scope
    source: str
    table: Table
    column: str
    target: Table


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Rows that a join leaves out, of all that the conditions take; in words."""

    count: int
    of: int
    text: str

    @property
    def share(self) -> float:
        """Their share."""
        return self.count / self.of


def lost_keys(statement: Statement) -> Iterator[LostKey]:
    """Keys over which a statement loses rows, if there are any that are empty.

    Of a table joined to itself nothing is said: who asks for members with those who brought them means just these.
    """
    for scope in statement.scopes:
        if len({table.path for table in scope.tables.values()}) < 2:
            continue
        for join in scope.select.args.get("joins") or ():
            if join.side or join.kind in {"CROSS", "OUTER"}:
                continue
            for equal in find_all_in_scope(join.args.get("on") or exp.Null(), exp.EQ):
                yield from _empty_sides(scope, equal)


def _empty_sides(scope: Scope, equal: exp.Expr) -> Iterator[LostKey]:
    for side, other in ((equal.this, equal.expression), (equal.expression, equal.this)):
        if not isinstance(side, exp.Column) or not isinstance(other, exp.Column):
            continue
        source, across = scope.owner(side), scope.owner(other)
        table, target = (source.table if source else None), (across.table if across else None)
        column = table.column(side.name) if table else None
        keys = {name for key in table.foreign_keys for name in key.columns} if table else set()
        if (
            source
            and table
            and target
            and column
            and column.nullable
            and column.name in keys
            and not column.primary_key
        ):
            yield LostKey(scope, source.name, table, column.name, target)


def counting_sql(lost: LostKey, dialect: str) -> str:
    """A statement for all rows of the table under its own conditions, and for those that have the key."""
    table = exp.alias_(table_named(lost.table), lost.source, table=True)
    key = exp.column(exp.to_identifier(lost.column, quoted=True), table=lost.source)
    select = exp.select(
        exp.alias_(exp.Count(this=exp.Star()), "all_rows"), exp.alias_(exp.Count(this=key), "with_key")
    ).from_(table)
    for condition in _own_conditions(lost):
        select = select.where(condition.copy())
    return select.sql(dialect=dialect)


def _own_conditions(lost: LostKey) -> Iterator[exp.Expr]:
    """Conditions that speak of this table alone."""
    where = lost.scope.select.args.get("where")
    waiting = [where.this] if where is not None else []
    while waiting:
        node = waiting.pop()
        if isinstance(node, exp.And):
            waiting += [node.this, node.expression]
            continue
        columns = list(node.find_all(exp.Column))
        owners = {owner.name if (owner := lost.scope.owner(column)) else "" for column in columns}
        if owners == {lost.source} and node.find(exp.Query) is None and all(column.table for column in columns):
            yield node


async def count_lost(context: Context, statement: Statement, language: str) -> list[LeftOut]:
    """What a statement leaves out so; nothing where there are no such rows, or they cannot be counted at once."""
    found = {(lost.source, lost.column): lost for lost in lost_keys(statement)}
    few = [lost for lost in found.values() if (lost.table.estimated_rows or 0) <= MOST_ROWS][:MOST]
    counted = await asyncio.gather(*(_count(context, lost, language) for lost in few))
    return [each for each in counted if each is not None]


def telling(found: list[LeftOut]) -> str:
    """What must be said beside the figure of what is left out; empty where it is next to nothing."""
    return next((each.text for each in found if each.share >= TELLING), "")


async def _count(context: Context, lost: LostKey, language: str) -> LeftOut | None:
    limits = replace(limits_of(context), timeout_s=COUNTED_S)
    try:
        result = await run_checked(context, counting_sql(lost, context.here.dialect), limits)
        whole, found = (int(cell) for cell in result.rows[0])
    except (InqueryError, TypeError, ValueError, IndexError):
        return None  # a remark is no reason to fail, nor to make anybody wait
    return (
        LeftOut(whole - found, whole, _told(lost, whole - found, whole, context, language)) if whole > found else None
    )


def _told(lost: LostKey, count: int, whole: int, context: Context, language: str) -> str:
    seen, glossary = context.here.seen(context.rules), context.here.glossary
    rows = name_of_rows(lost.table, glossary, seen, language, several=True)
    target = name_of_rows(lost.target, glossary, seen, language, several=False)
    share, numbers = format_percent(count / whole), (f"{count:,}", f"{whole:,}")
    return say(
        language,
        f"{numbers[0]} of {numbers[1]} {rows} ({share}) have no {target} and are left out",
        f"{format_number(whole, 'zh')}条{rows}中有{format_number(count, 'zh')}条（{share}）没有{target}，未计入",
    )
