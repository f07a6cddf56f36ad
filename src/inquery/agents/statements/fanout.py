"""Joins that count rows twice: read from the statement and the catalogue, without running, and told in words."""

from __future__ import annotations

from inquery.agents.bilingual import say
from inquery.answers.column_words import name_of_figure, name_of_rows
from inquery.knowledge.glossary import Glossary
from inquery.sql.statement import Repeated, Scope, Statement

MOST = 3


def join_warnings(statement: Statement, glossary: Glossary, language: str) -> list[str]:
    """What a reader should know of the joins of a statement."""
    found = [
        _told(each, scope, statement, glossary, language) for scope in statement.scopes for each in scope.repeated()
    ]
    return list(dict.fromkeys(found))[:MOST]


def _told(each: Repeated, scope: Scope, statement: Statement, glossary: Glossary, language: str) -> str:
    """A sum or a count over a table whose rows a one-to-many join repeats."""
    try:
        figure = name_of_figure(each.measure.call, scope, glossary, statement.catalog, language)
    except RecursionError:  # an expression as deep as programs write them has no name
        figure = ""
    rows = name_of_rows(each.place.table, glossary, statement.catalog, language, several=True)
    by = each.by.table
    joined = say(language, "joined rows", "关联的行")
    others = name_of_rows(by, glossary, statement.catalog, language, several=True) if by else joined
    told = say(
        language,
        f"{rows} repeat for each of their {others}, so they may be counted several times.",
        f"{rows}会随{others}重复，可能被重复计算。",
    )
    return say(language, f"{figure}: {told}", f"{figure}：{told}") if figure else told[:1].upper() + told[1:]
