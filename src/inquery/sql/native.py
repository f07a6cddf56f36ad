"""Words of other dialects that our parsers read and an engine does not: the statement that is shown must run as it is."""

from __future__ import annotations

from inquery.sql.dialects import grammar
from inquery.sql.repair import UNREADABLE

_SIGNS = ("::", "ilike")


def write_natively(sql: str, dialect: str) -> str:
    """The statement with `x::type` and ILIKE in the dialect's own words; as it is where it has neither."""
    if not any(sign in sql.casefold() for sign in _SIGNS):
        return sql
    own = grammar(dialect)
    try:
        tokens = own.tokens(sql)
        if not any(token.token_type in own.facts.foreign_words for token in tokens):
            return sql
        statements = own.parse(sql, tokens)
        return "; ".join(own.write(statement) for statement in statements if statement is not None)
    except UNREADABLE:
        return sql
