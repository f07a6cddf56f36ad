"""Joins that count rows twice or lose some: read from the statement and the catalogue, without running."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp
from sqlglot.optimizer.scope import find_all_in_scope

from inquery.agents.bilingual import say
from inquery.sql.statement import Scope, Statement

MOST = 3


def join_warnings(statement: Statement, language: str) -> list[str]:
    """What a reader should know of the joins of a statement."""
    found: list[str] = []
    for scope in statement.scopes:
        found += _repeated(scope, statement.catalog.dialect, language)
        found += _lost(scope, language)
    return list(dict.fromkeys(found))[:MOST]


def _repeated(scope: Scope, dialect: str, language: str) -> Iterator[str]:
    """Sums and counts over a table whose rows a one-to-many join repeats."""
    for each in scope.repeated():
        text, table = each.measure.text(dialect), each.place.table.name
        yield say(
            language,
            f"{text}: rows of {table} repeat for each row of {each.by.label}, so they may be counted several times.",
            f"{text}：{table} 的行会因关联 {each.by.label} 而重复，可能被重复计算。",
        )


def _lost(scope: Scope, language: str) -> Iterator[str]:
    """Inner joins over a key that may be empty: those rows are left out.

    Of a table joined to itself nothing is said: who asks for members with those who brought them means just these.
    """
    if len({table.path for table in scope.tables.values()}) < 2:
        return
    for join in scope.select.args.get("joins") or ():
        if join.side or join.kind in {"CROSS", "OUTER"}:
            continue
        for equal in find_all_in_scope(join.args.get("on") or exp.Null(), exp.EQ):
            for side in (equal.left, equal.right):
                source = scope.owner(side) if isinstance(side, exp.Column) else None
                table = source.table if source else None
                column = table.column(side.name) if table else None
                keys = {name for key in table.foreign_keys for name in key.columns} if table else set()
                if table and column and column.nullable and not column.primary_key and column.name in keys:
                    yield say(
                        language,
                        f"Rows of {table.name} without {column.name} are left out.",
                        f"{table.name} 中 {column.name} 为空的行未计入。",
                    )
