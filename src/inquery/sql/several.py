"""Several statements where one was asked for."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp
from sqlglot.tokenizer_core import TokenType

from inquery.sql.dialects import grammar
from inquery.sql.guard.structure import ROOTS
from inquery.sql.repair import UNREADABLE


def first_of_several(sql: str, dialect: str) -> str | None:
    """The first that reads a table, where there are several and each only reads; the caller has it checked."""
    try:
        parsed = [(text, grammar(dialect).parse(text)) for text in _pieces(sql, dialect)]
    except UNREADABLE:
        return None
    trees = [tree for _, found in parsed for tree in found if tree is not None]
    if len(trees) < 2 or not all(isinstance(tree, ROOTS) for tree in trees):
        return None
    return next((text for text, found in parsed if any(t.find(exp.Table) for t in found if t is not None)), None)


def _pieces(sql: str, dialect: str) -> Iterator[str]:
    """The text between semicolons."""
    start = 0
    for token in grammar(dialect).tokens(sql):
        if token.token_type is TokenType.SEMICOLON:
            yield sql[start : token.start].strip()
            start = token.end + 1
    yield sql[start:].strip()
