"""Joins that count rows twice: read from the statement and the catalogue, without running."""

from __future__ import annotations

from collections.abc import Iterator

from inquery.agents.bilingual import say
from inquery.sql.statement import Scope, Statement

MOST = 3


def join_warnings(statement: Statement, language: str) -> list[str]:
    """What a reader should know of the joins of a statement."""
    found: list[str] = []
    for scope in statement.scopes:
        found += _repeated(scope, statement.catalog.dialect, language)
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
