"""Words that are keywords and names of this database at once: which of a statement's must be quoted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace

from sqlglot.errors import SqlglotError
from sqlglot.tokenizer_core import Token, TokenType

from inquery.errors import InqueryError, SqlRefused, SqlSyntax, UnquotedName
from inquery.sql.catalog import Catalog
from inquery.sql.dialects import DIALECTS, grammar
from inquery.sql.guard.check import check
from inquery.sql.names import view_of
from inquery.sql.policy import Policy

RESERVED = frozenset([
    "all", "analyze", "and", "any", "array", "as", "asc", "between", "both", "by", "case", "cast", "check",
    "collate", "column", "condition", "constraint", "create", "cross", "cube", "current", "database", "default",
    "delete", "desc", "describe", "distinct", "div", "drop", "else", "end", "except", "exists", "explain",
    "false", "fetch", "for", "force", "foreign", "from", "full", "function", "grant", "group", "grouping",
    "groups", "having", "if", "ignore", "in", "index", "inner", "insert", "intersect", "interval", "into", "is",
    "isnull", "join", "key", "keys", "lateral", "leading", "leave", "left", "like", "limit", "lines", "load",
    "lock", "loop", "match", "natural", "not", "notnull", "null", "of", "offset", "on", "only", "option", "or",
    "order", "outer", "over", "partition", "percent", "plan", "primary", "procedure", "public", "range", "rank",
    "read", "references", "release", "rename", "repeat", "replace", "return", "returning", "right", "row",
    "rows", "schema", "select", "session", "set", "show", "some", "start", "table", "then", "to", "top",
    "trailing", "transaction", "trigger", "true", "union", "unique", "update", "usage", "use", "user", "using",
    "values", "view", "when", "where", "window", "with", "write",
])  # fmt: skip
_WRITTEN = frozenset({TokenType.IDENTIFIER, TokenType.STRING})
_ENDS = _WRITTEN | {TokenType.VAR, TokenType.NUMBER, TokenType.STAR, TokenType.R_PAREN}
"""After one of these a keyword goes on with the statement; elsewhere a name is expected."""


@dataclass(frozen=True, slots=True)
class Quoted:
    """A statement in which `words` were quoted."""

    text: str
    words: tuple[str, ...]


def quote_name(name: str, dialect: str) -> str:
    """A name in the dialect's quotes."""
    opening, closing = DIALECTS[dialect].quotes
    return f"{opening}{name.replace(closing, closing * 2)}{closing}"


def quoted_keywords(sql: str, *, dialect: str, catalog: Catalog, policy: Policy) -> Quoted:
    """The statement with keywords quoted where they name tables or columns; whether that mends it is not asked."""
    try:
        tokens = grammar(dialect).tokens(sql)
    except (SqlglotError, KeyError):
        return Quoted(sql, ())
    known = _reserved_names(catalog, policy, dialect)
    found = list(_names(tokens, known))
    text = sql
    for token in reversed(found):
        text = text[: token.start] + quote_name(known[token.text.casefold()], dialect) + text[token.end + 1 :]
    return Quoted(text, tuple(dict.fromkeys(known[token.text.casefold()] for token in found)))


def explained(
    error: InqueryError, sql: str, *, dialect: str, catalog: Catalog, policy: Policy | None = None
) -> InqueryError:
    """An error of syntax that a keyword without quotes explains, told so; any other error as it is."""
    if not isinstance(error, SqlSyntax) and not (isinstance(error, SqlRefused) and error.rule == "syntax"):
        return error
    rules = replace(policy or Policy(), row_cap=None)
    found = quoted_keywords(sql, dialect=dialect, catalog=catalog, policy=rules)
    if not found.words or not _passes(found.text, dialect, catalog, rules):
        return error
    written = ", ".join(quote_name(word, dialect) for word in found.words)
    return UnquotedName(str(error), words=", ".join(found.words), quoted=written)


@contextmanager
def quoting_explained(sql: str, *, dialect: str, catalog: Catalog, policy: Policy | None = None) -> Iterator[None]:
    """Around a check and a run: `FROM order` is an error of syntax that names no word; say which one wants quotes."""
    try:
        yield
    except (SqlRefused, SqlSyntax) as error:
        told = explained(error, sql, dialect=dialect, catalog=catalog, policy=policy)
        if told is error:
            raise
        raise told from error


def _passes(sql: str, dialect: str, catalog: Catalog, policy: Policy) -> bool:
    try:
        check(sql, dialect=dialect, catalog=catalog, policy=policy)
    except SqlRefused:
        return False
    return True


def _reserved_names(catalog: Catalog, policy: Policy, dialect: str) -> dict[str, str]:
    """Names a user may see that are keywords somewhere, by their folded form."""
    seen = [name for each in view_of(catalog, policy, dialect).tables() for name in (each.table.name, *each.columns)]
    return {name.casefold(): name for name in seen if name.casefold() in RESERVED}


def _names(tokens: list[Token], known: Mapping[str, str]) -> Iterator[Token]:
    """Bare words that are known and stand where a name is expected."""
    ended = True
    for token in tokens:
        bare = token.token_type not in _WRITTEN and token.end - token.start + 1 == len(token.text)
        name = bare and token.text.casefold() in known and (token.token_type is TokenType.VAR or not ended)
        if name:
            yield token
        ended = name or token.token_type in _ENDS
