"""How literals are read: DATE '2024-01-31' is one value, to which whatever follows belongs; long lists are read quickly."""

from __future__ import annotations

from typing import Any

from sqlglot import exp
from sqlglot.parser import TIME_ZONE_RE, Parser
from sqlglot.tokenizer_core import TokenType

from inquery.sql.dialects.record import Members

_LITERALS = frozenset({TokenType.NUMBER, TokenType.STRING})
_ENDS = frozenset({TokenType.COMMA, TokenType.R_PAREN})
_ZONED = {exp.DType.TIMESTAMP: exp.DType.TIMESTAMPTZ, exp.DType.TIME: exp.DType.TIMETZ}


def read_typed_literals(base: type[Parser], members: Members) -> None:
    """Read the value before its casts: sqlglot takes DATE '2024-01-31'::text for a text that becomes a date."""

    def parse_type(self: Any, *args: Any, **options: Any) -> exp.Expr | None:
        found = _typed_literal(self)
        return found if found is not None else base._parse_type(self, *args, **options)

    members["_parse_type"] = parse_type


def read_lone_literals(base: type[Parser], members: Members) -> None:
    """Read a number or a text that stands alone in a list at once: sqlglot asks some twenty levels of operators for each.

    Nothing but the literal can be meant where a comma or a bracket follows it. Half of the time of a list of 10,000 went there.
    """

    def parse_disjunction(self: Any) -> exp.Expr | None:
        lone = self._curr.token_type in _LITERALS and self._next.token_type in _ENDS
        found: exp.Expr | None = self._parse_primary() if lone else base._parse_disjunction(self)
        return found

    members["_parse_disjunction"] = parse_disjunction


def read_unbounded_literals(base: type[Parser], members: Members) -> None:
    """PostgreSQL's bit '101' and char 'abc' have the length of their text; as casts they would keep one bit, one letter."""
    own = {exp.DType.BIT: _bits, exp.DType.CHAR: _letters}
    members["TYPE_LITERAL_PARSERS"] = {**_readers(base, members), **own}


def read_sized_literals(base: type[Parser], members: Members) -> None:
    """Trino's CHAR 'abc' is of the type char(3)."""
    members["TYPE_LITERAL_PARSERS"] = {**_readers(base, members), exp.DType.CHAR: _sized_letters}


def _readers(base: type[Parser], members: Members) -> dict[Any, Any]:
    found: dict[Any, Any] = members.get("TYPE_LITERAL_PARSERS", base.TYPE_LITERAL_PARSERS)
    return found


def _bits(self: Any, literal: exp.Literal, kind: exp.DataType) -> exp.Expr:
    plain = not kind.expressions and not set(literal.name) - {"0", "1"}
    return exp.BitString(this=literal.name) if plain else exp.Cast(this=literal, to=kind)


def _letters(self: Any, literal: exp.Literal, kind: exp.DataType) -> exp.Expr:
    return exp.Cast(this=literal, to=kind if kind.expressions else exp.DType.BPCHAR.into_expr())


def _sized_letters(self: Any, literal: exp.Literal, kind: exp.DataType) -> exp.Expr:
    if not kind.expressions:
        size = exp.DataTypeParam(this=exp.Literal.number(len(literal.name) or 1))
        kind = exp.DataType(this=exp.DType.CHAR, expressions=[size])
    return exp.Cast(this=literal, to=kind)


def _typed_literal(self: Any) -> exp.Expr | None:
    first = self._curr
    if first is not None and first.token_type is TokenType.INTERVAL:
        _refuse_precision(self)
        return None
    if first is None or first.token_type not in self.TYPE_TOKENS:
        return None
    start = self._index
    kind = self._parse_types(check_func=True, allow_identifiers=False)
    text = self._curr
    if not isinstance(kind, exp.DataType) or text is None or text.token_type is not TokenType.STRING:
        self._retreat(start)
        return None
    literal = self._parse_primary()
    if not isinstance(literal, exp.Literal):
        self._retreat(start)
        return None
    if self.ZONE_AWARE_TIMESTAMP_CONSTRUCTOR and TIME_ZONE_RE.search(literal.name):
        zoned = _ZONED.get(kind.this)
        kind = zoned.into_expr() if zoned is not None else kind
    reader = self.TYPE_LITERAL_PARSERS.get(kind.this)
    value = reader(self, literal, kind) if reader else exp.Cast(this=literal, to=kind)
    ended: exp.Expr = self._parse_column_ops(value)
    return ended


def _refuse_precision(self: Any) -> None:
    """INTERVAL(0) '1.5 seconds' rounds; sqlglot reads a sum of two intervals."""
    shape = [token.token_type for token in self._tokens[self._index + 1 : self._index + 5]]
    if shape == [TokenType.L_PAREN, TokenType.NUMBER, TokenType.R_PAREN, TokenType.STRING]:
        self.raise_error("The precision of an interval cannot be read")
