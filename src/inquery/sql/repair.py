"""Repairs a refused or failed statement without a model: names, quoting, reserved words, another dialect's words."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from inquery.errors import SqlRefused
from inquery.sql.catalog import Catalog
from inquery.sql.dialects import grammar
from inquery.sql.guard.check import check
from inquery.sql.names import view_of
from inquery.sql.policy import Policy
from inquery.sql.quoting import quote_name, quoted_keywords
from inquery.sql.sqlite_words import reword_for_sqlite

MAX_STEPS = 8
# Below this a nearest name is a guess, and a guess may answer another question.
SURE = 0.72


# Dialects whose words turn up anywhere, and those read only where nothing else can be: the order of arguments
# differs there (DATE_TRUNC), so that a statement which passes would be changed for the worse.
_LIKELY = ("postgres", "mysql", "tsql", "sqlite")
_UNLIKELY = ("duckdb", "bigquery", "snowflake", "oracle")


@dataclass(frozen=True, slots=True)
class Repair:
    """A statement that passes the guard, and what was changed to get there."""

    text: str
    changes: tuple[str, ...]


UNREADABLE = (SqlglotError, ValueError, RecursionError, AttributeError, TypeError, LookupError)
"""What sqlglot raises for a text of another dialect: its parsers stumble over some with errors of their own."""


def repair(sql: str, *, dialect: str, catalog: Catalog, policy: Policy | None = None) -> Repair | None:
    """The nearest statement that passes check(), or None; the caller checks the text it gets as any other."""
    for text, changes in _starts(sql, dialect, catalog, policy or Policy()):
        found = _mend(text, changes, dialect, catalog, policy or Policy())
        if found is not None and found.changes:
            return found
    return None


def _starts(sql: str, dialect: str, catalog: Catalog, policy: Policy) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The text as it is, with names quoted, and read as each other dialect, in that order."""
    text = _without_fence(sql)
    dropped = ("removed a Markdown fence",) if text != sql.strip() else ()
    yield text, dropped
    quoted = _quote_names(text, dialect, catalog, policy)
    if quoted != text:
        yield quoted, (*dropped, "quoted names of tables and columns")
    if dialect == "sqlite":
        reworded = reword_for_sqlite(text)
        if reworded is not None:
            yield reworded, (*dropped, "used SQLite's own functions")
    for other in _LIKELY if _passes(text, dialect, catalog, policy) else (*_LIKELY, *_UNLIKELY):
        if other != dialect:
            translated = _translate(text, other, dialect)
            if translated is not None and _bare(translated) != _bare(text):
                yield translated, (*dropped, f"translated from {other}")


def _passes(sql: str, dialect: str, catalog: Catalog, policy: Policy) -> bool:
    try:
        check(sql, dialect=dialect, catalog=catalog, policy=policy)
    except SqlRefused:
        return False
    return True


def _bare(sql: str) -> str:
    """A text without what does not tell dialects apart."""
    return re.sub(r"[\s;]+", "", sql).casefold()


def _without_fence(sql: str) -> str:
    match = re.fullmatch(r"\s*```(?:\w+)?\s*\n(.*?)\n?```\s*", sql, re.DOTALL)
    return (match.group(1) if match else sql).strip()


def _translate(sql: str, source: str, target: str) -> str | None:
    """The statement in the target's words, if it reads as the source's."""
    try:
        statements = sqlglot.transpile(sql, read=source, write=target, error_level=sqlglot.ErrorLevel.RAISE)
    except UNREADABLE:
        return None
    return statements[0] if len(statements) == 1 else None


def _quote_names(sql: str, dialect: str, catalog: Catalog, policy: Policy) -> str:
    """Quote words of the text that are names with spaces, signs or reserved words in the catalogue."""
    sql = quoted_keywords(sql, dialect=dialect, catalog=catalog, policy=policy).text
    for name in sorted(_odd_names(catalog, policy, dialect), key=len, reverse=True):
        pattern = rf"(?<![\w\"`'\[]){re.escape(name)}(?![\w\"`'\]])"
        written = quote_name(name, dialect)
        sql = re.sub(pattern, lambda _, written=written: written, sql, flags=re.IGNORECASE)  # type: ignore[misc]
    return sql


def _odd_names(catalog: Catalog, policy: Policy, dialect: str) -> set[str]:
    seen = view_of(catalog, policy, dialect).tables()
    names = [name for each in seen for name in (each.table.name, *each.columns)]
    return {name for name in names if not re.fullmatch(r"\w+", name) or name[0].isdigit()}


def _mend(sql: str, changes: tuple[str, ...], dialect: str, catalog: Catalog, policy: Policy) -> Repair | None:
    """Follow the guard's refusals while each names something that can be replaced."""
    for _ in range(MAX_STEPS):
        try:
            check(sql, dialect=dialect, catalog=catalog, policy=policy)
        except SqlRefused as refused:
            step = _replace(sql, refused, dialect)
            if step is None:
                return None
            sql, change = step
            changes = (*changes, change)
        else:
            return Repair(sql, changes)
    return None


def _replace(sql: str, refused: SqlRefused, dialect: str) -> tuple[str, str] | None:
    """Put the nearest name in the place of an unknown one."""
    if refused.rule not in {"unknown_table", "unknown_column"} or not refused.name:
        return None
    wrong = refused.name.rsplit(".", 1)[-1]
    right = _surest(wrong, refused.nearest)
    if right is None:
        return None
    try:
        statements = grammar(dialect).parse(sql)
        tree = statements[0]
        if tree is None or not _rename(tree, wrong, right, refused.rule == "unknown_table"):
            return None
        return grammar(dialect).write(tree), f"{wrong} → {right}"
    except UNREADABLE:
        return None


def _surest(wrong: str, choices: tuple[str, ...]) -> str | None:
    """The choice that is nearly the same word; plurals and separators count for little."""

    def plain(name: str) -> str:
        return re.sub(r"[\W_]+", "", name.rsplit(".", 1)[-1].casefold()).rstrip("s")

    scored = [(difflib.SequenceMatcher(None, plain(wrong), plain(choice)).ratio(), choice) for choice in choices]
    scored.sort(key=lambda pair: -pair[0])
    return scored[0][1] if scored and scored[0][0] >= SURE else None


def _rename(tree: exp.Expr, wrong: str, right: str, table: bool) -> bool:
    changed = False
    for node in tree.find_all(exp.Table if table else exp.Column):
        if node.name.casefold() != wrong.casefold() or not isinstance(node.this, exp.Identifier):
            continue
        parts = right.split(".") if table else [right]
        if table and not node.args.get("alias"):
            node.set("alias", exp.TableAlias(this=node.this.copy()))
        for key, part in zip(("this", "db", "catalog"), reversed(parts), strict=False):
            node.set(key, exp.Identifier(this=part, quoted=True))
        changed = True
    return changed
