"""Words of other dialects that our parsers read and an engine does not: the statement that is shown must run as it is."""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from inquery.sql.dialects import grammar
from inquery.sql.repair import UNREADABLE

_CASTS = {TokenType.DCOLON}
_BOTH = _CASTS | {TokenType.ILIKE}
_FOREIGN = {
    "sqlite": _BOTH, "mysql": _BOTH, "oracle": _BOTH, "bigquery": _BOTH, "trino": _BOTH, "tsql": _CASTS,
}  # fmt: skip
_SIGNS = ("::", "ilike")


def write_natively(sql: str, dialect: str) -> str:
    """The statement with `x::type` and ILIKE in the dialect's own words; as it is where it has neither."""
    if not any(sign in sql.casefold() for sign in _SIGNS):
        return sql
    own = grammar(dialect)
    try:
        tokens = own.tokens(sql)
        if not any(token.token_type in _FOREIGN.get(dialect, ()) for token in tokens):
            return sql
        statements = own.parse(sql, tokens)
        return "; ".join(own.write(statement) for statement in statements if statement is not None)
    except UNREADABLE:
        return sql
