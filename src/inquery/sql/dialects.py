"""How each dialect is parsed and written: sqlglot, with the function calls left exactly as they were typed.

sqlglot maps known functions to typed nodes and writes them back in its own words (REGEXP becomes
REGEXP_LIKE, format strings are translated). The guard must see raw names and must not change meaning,
so its parsers know no functions and its writers have no rewriting of whole queries.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect, NormalizationStrategy
from sqlglot.errors import ErrorLevel
from sqlglot.generator import Generator
from sqlglot.parser import Parser
from sqlglot.tokenizer_core import Token, TokenType

from inquery.sql.interpreted import interpreted
from inquery.sql.json_syntax import (
    JSON_QUERY_DIALECTS,
    column_with_conditions,
    parse_json_query,
    write_column,
    write_json_query,
)

# What sqlglot cannot read or write is refused; a warning in the log adds nothing.
logging.getLogger("sqlglot").setLevel(logging.ERROR)

DIALECTS = ("sqlite", "postgres", "mysql", "duckdb", "clickhouse", "snowflake", "bigquery", "oracle", "tsql", "trino")

# Calls whose arguments are not a plain list: CAST(x AS t), EXTRACT(y FROM x), GROUP_CONCAT(... SEPARATOR s).
SPECIAL_SYNTAX = {
    "CAST", "TRY_CAST", "SAFE_CAST", "CONVERT", "TRY_CONVERT", "EXTRACT", "TRIM", "SUBSTRING", "SUBSTR", "OVERLAY",
    "POSITION", "GROUP_CONCAT", "JSON_OBJECT", "JSON_OBJECTAGG", "JSON_TABLE", "JSON_ARRAYAGG", "JSON_ARRAY",
    "JSON_VALUE", "JSON_EXISTS", "JSON_QUERY", "XMLTABLE", "OPENJSON", "MATCH", "AND", "OR", "XOR", "ARRAY", "COLUMNS",
    "TUPLE", "ARRAYJOIN", "STRING_AGG", "LISTAGG", "XMLELEMENT", "CHAR", "CHR",
}  # fmt: skip

# Names of schemas that a query may put before a table although the catalogue does not.
DEFAULT_SCHEMAS = {
    "sqlite": {"main"},
    "postgres": {"public"},
    "duckdb": {"main", "memory"},
    "clickhouse": {"default"},
    "snowflake": {"public"},
    "tsql": {"dbo"},
}

# Engines that look columns up by their exact spelling once an unquoted name is folded.
EXACT_COLUMNS = {"postgres", "snowflake", "oracle", "clickhouse"}


def _limit_by(parser: Any) -> tuple[str, exp.Expr | None]:
    """ClickHouse has two limits: LIMIT n BY columns, then LIMIT n."""
    limit = parser._parse_limit()
    if limit is not None and limit.expressions:
        return "limit_by", limit
    return "limit", limit


def _with_parameters(base: type[Parser]) -> Callable[..., exp.Expr | None]:
    """ClickHouse: f(a)(b) is an aggregate function with parameters, also where sqlglot does not know f."""

    def parse_function(self: Any, *args: Any, **options: Any) -> exp.Expr | None:
        call = base._parse_function(self, *args, **options)
        if not isinstance(call, exp.Anonymous) or self._curr.token_type is not TokenType.L_PAREN:
            return call
        made = exp.ParameterizedAgg(this=call.this, expressions=call.expressions, params=self._parse_func_params(call))
        return cast(exp.Expr, self._parse_window(made))

    return parse_function


def _with_pivot_modifiers(base: type[Parser]) -> Callable[..., exp.Expr]:
    """PIVOT ... ORDER BY x LIMIT n, which sqlglot does not read, is a query over the PIVOT."""

    def parse_pivot(self: Any, is_unpivot: bool | None = None) -> exp.Expr:
        pivot = base._parse_simplified_pivot(self, is_unpivot)
        if self._curr.token_type not in (TokenType.ORDER_BY, TokenType.LIMIT, TokenType.OFFSET):
            return pivot
        around = exp.Select(expressions=[exp.Star()], from_=exp.From(this=exp.Subquery(this=pivot)))
        return cast(exp.Expr, self._parse_query_modifiers(around))

    return parse_pivot


def _number(parser: Any, literal: exp.Expr, kind: exp.Expr) -> exp.Expr:
    return exp.Literal.number(literal.name)


def _mysql_regexp(self: Any, expression: exp.Expr) -> str:
    # MariaDB has no REGEXP_LIKE.
    return cast(str, self.binary(expression, "REGEXP"))


def _mysql_version(self: Any, expression: exp.Version) -> str:
    # MariaDB's words; sqlglot would write FOR TIMESTAMP.
    return f"FOR SYSTEM_TIME {expression.text('kind')} {self.sql(expression, 'expression')}"


def _with_minus(base: type[Generator]) -> Callable[..., str]:
    """EXCEPT came to Oracle in release 21; MINUS has always been there."""

    def set_operation(self: Any, expression: exp.SetOperation) -> str:
        return base.set_operation(self, expression).replace("EXCEPT", "MINUS", 1)

    return set_operation


def _oracle_lateral(self: Any, expression: exp.Lateral) -> str:
    """Oracle has APPLY itself, and no AS before the alias of a table."""
    words: dict[object, str] = {True: " CROSS APPLY", False: " OUTER APPLY"}
    word = words.get(expression.args.get("cross_apply"), "LATERAL")
    alias = self.sql(expression, "alias")
    return f"{word} {self.sql(expression, 'this')}{f' {alias}' if alias else ''}"


def _with_limit_by(base: type[Generator]) -> Callable[..., list[str]]:
    def offset_limit_modifiers(self: Any, expression: exp.Expr, fetch: bool, limit: Any) -> list[str]:
        return [self.sql(expression, "limit_by"), *base.offset_limit_modifiers(self, expression, fetch, limit)]

    return offset_limit_modifiers


def _with_plain_intervals(base: type[Generator]) -> Callable[..., str]:
    def interval_sql(self: Any, expression: exp.Interval) -> str:
        value = expression.this
        if isinstance(value, exp.Literal) and value.is_string and value.name.lstrip("-").isdigit():
            expression = expression.copy()
            expression.set("this", exp.Literal.number(value.name))
        return base.interval_sql(self, expression)

    return interval_sql


def _parser_class(dialect: Dialect, name: str) -> type[Parser]:
    base = interpreted(dialect.parser_class)
    members: dict[str, Any] = {
        # Without these two, ARRAY(...)[1] and list(...)[1] would be read as literals and lose what they hold.
        "FUNCTIONS": {name: base.FUNCTIONS[name] for name in ("ARRAY", "LIST") if name in base.FUNCTIONS},
        # What sqlglot cannot parse becomes a Command, which is refused; a warning in the log adds nothing.
        "_warn_unsupported": lambda self: None,
        "FUNCTION_PARSERS": {k: v for k, v in base.FUNCTION_PARSERS.items() if k in SPECIAL_SYNTAX},
    }
    members["_parse_json_column_def"] = column_with_conditions(base)
    if name in JSON_QUERY_DIALECTS:
        members["FUNCTION_PARSERS"]["JSON_QUERY"] = parse_json_query
    if name == "duckdb":
        members["_parse_simplified_pivot"] = _with_pivot_modifiers(base)
    if name == "trino":
        # CAST('1.5' AS DECIMAL) would be 2 there.
        members["TYPE_LITERAL_PARSERS"] = {**base.TYPE_LITERAL_PARSERS, exp.DType.DECIMAL: _number}
    if name == "clickhouse":
        members["_parse_function"] = _with_parameters(base)
        members["QUERY_MODIFIER_PARSERS"] = {**base.QUERY_MODIFIER_PARSERS, TokenType.LIMIT: _limit_by}
    return type(f"Guarded{base.__name__}", (base,), members)


# Nodes for which a dialect's writer restructures the query; the guard wants it as it was written.
_RESTRUCTURED = (exp.Select, exp.CTE, exp.With, exp.Group, exp.Values)


def _generator_class(dialect: Dialect, name: str) -> type[Generator]:
    base = interpreted(dialect.generator_class)
    # Making a dialect takes the parts of JSON paths that it cannot say out of the table of its own class alone.
    known = dialect.generator_class.TRANSFORMS.keys() - set(_RESTRUCTURED)
    transforms = {k: v for k, v in base.TRANSFORMS.items() if k in known}
    members: dict[str, Any] = {"TRANSFORMS": transforms, "jsoncolumndef_sql": write_column(base)}
    if name in JSON_QUERY_DIALECTS:
        transforms[exp.JSONExtract] = write_json_query(transforms.get(exp.JSONExtract, base.function_fallback_sql))
    if name == "tsql":
        del transforms[exp.Subquery]
    if name == "clickhouse":
        members["offset_limit_modifiers"] = _with_limit_by(base)
    if name == "oracle":
        # Before release 19 a colon is no separator.
        members |= {
            "set_operation": _with_minus(base),
            "lateral_sql": _oracle_lateral,
            "JSON_KEY_VALUE_PAIR_SEP": " VALUE",
        }
    if name == "duckdb":
        plain = interpreted(Generator)
        members["withingroup_sql"] = plain.withingroup_sql
        members["ignorenulls_sql"] = plain.ignorenulls_sql
        members["respectnulls_sql"] = plain.respectnulls_sql
    if name == "mysql":
        transforms[exp.RegexpLike] = _mysql_regexp
        members["version_sql"] = _mysql_version
    if name in {"mysql", "bigquery", "clickhouse"}:
        members["interval_sql"] = _with_plain_intervals(base)
    return type(f"Guarded{base.__name__}", (base,), members)


@dataclass(frozen=True, slots=True)
class Grammar:
    """One dialect's reading, writing and folding of names."""

    name: str
    dialect: Dialect
    parser: type[Parser]
    generator: type[Generator]
    fold: Callable[[str], str]

    def tokens(self, sql: str) -> list[Token]:
        """The tokens of a text; raises sqlglot's TokenError."""
        return self.dialect.tokenize(sql)

    def parse(self, sql: str, tokens: list[Token] | None = None) -> list[exp.Expr | None]:
        """The statements of a text; raises sqlglot's errors."""
        made = self.parser(dialect=self.dialect, error_level=ErrorLevel.IMMEDIATE)
        return made.parse(self.tokens(sql) if tokens is None else tokens, sql)

    def write(self, tree: exp.Expr) -> str:
        """The text of a tree, which it may change, without comments; raises when the dialect cannot say it."""
        writer = self.generator(
            dialect=self.dialect, comments=False, normalize_functions=False, unsupported_level=ErrorLevel.RAISE
        )
        return writer.generate(tree, copy=False)

    def spelled(self, identifier: exp.Identifier) -> str:
        """The name the engine looks for."""
        name: str = identifier.this
        return name if identifier.args.get("quoted") else self.fold(name)


_FOLDS: dict[NormalizationStrategy, Callable[[str], str]] = {
    NormalizationStrategy.LOWERCASE: str.lower,
    NormalizationStrategy.UPPERCASE: str.upper,
}


@cache
def grammar(name: str) -> Grammar:
    """The grammar of a dialect by sqlglot's name; KeyError for one the guard does not know."""
    if name not in DIALECTS:
        raise KeyError(name)
    dialect = Dialect.get_or_raise(name)
    fold = _FOLDS.get(dialect.normalization_strategy, str)
    return Grammar(name, dialect, _parser_class(dialect, name), _generator_class(dialect, name), fold)


def quoted_identifier(name: str) -> exp.Identifier:
    """An identifier that means exactly `name`."""
    return exp.Identifier(this=name, quoted=True)
