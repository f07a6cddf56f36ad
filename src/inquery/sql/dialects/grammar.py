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

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect as SqlglotDialect
from sqlglot.dialects.dialect import NormalizationStrategy
from sqlglot.errors import ErrorLevel
from sqlglot.generator import Generator
from sqlglot.parser import Parser
from sqlglot.tokenizer_core import Token

from inquery.sql.dialects.json_syntax import column_that_counts, column_with_conditions, write_column
from inquery.sql.dialects.lookup import DIALECTS
from inquery.sql.dialects.record import Dialect, Members, ParserChange, WriterChange
from inquery.sql.dialects.typed_literals import read_lone_literals, read_typed_literals
from inquery.sql.interpreted import interpreted

# What sqlglot cannot read or write is refused; a warning in the log adds nothing.
logging.getLogger("sqlglot").setLevel(logging.ERROR)

# Calls whose arguments are not a plain list: CAST(x AS t), EXTRACT(y FROM x), GROUP_CONCAT(... SEPARATOR s).
_SPECIAL = """
CAST TRY_CAST SAFE_CAST CONVERT TRY_CONVERT EXTRACT TRIM SUBSTRING SUBSTR OVERLAY POSITION GROUP_CONCAT
JSON_OBJECT JSON_OBJECTAGG JSON_TABLE JSON_ARRAYAGG JSON_ARRAY JSON_VALUE JSON_EXISTS JSON_QUERY XMLTABLE
OPENJSON MATCH AND OR XOR ARRAY COLUMNS TUPLE ARRAYJOIN STRING_AGG LISTAGG XMLELEMENT CHAR CHR
"""
SPECIAL_SYNTAX = frozenset(_SPECIAL.split())


def _parser_class(dialect: SqlglotDialect, changes: tuple[ParserChange, ...]) -> type[Parser]:
    base = interpreted(dialect.parser_class)
    members: Members = {
        # Without these two, ARRAY(...)[1] and list(...)[1] would be read as literals and lose what they hold.
        "FUNCTIONS": {name: base.FUNCTIONS[name] for name in ("ARRAY", "LIST") if name in base.FUNCTIONS},
        # What sqlglot cannot parse becomes a Command, which is refused; a warning in the log adds nothing.
        "_warn_unsupported": lambda self: None,
        "FUNCTION_PARSERS": {k: v for k, v in base.FUNCTION_PARSERS.items() if k in SPECIAL_SYNTAX},
        "_parse_json_column_def": column_with_conditions(base),
        "_parse_column_def": column_that_counts(base),
    }
    for change in (read_typed_literals, read_lone_literals, *changes):
        change(base, members)
    return type(f"Guarded{base.__name__}", (base,), members)


# Nodes for which a dialect's writer restructures the query; the guard wants it as it was written. That of DuckDB's PIVOT
# takes the tables' names from all columns below, so that `c.id = o.id` of a subquery becomes `id = id`; that of Trino's
# casts takes a column called epoch for the text 'epoch'.
_RESTRUCTURED = (
    exp.Select,
    exp.CTE,
    exp.With,
    exp.Group,
    exp.Values,
    exp.Pivot,
    exp.Table,
    exp.Cast,
    exp.TryCast,
    exp.WithinGroup,
)


def _generator_class(dialect: SqlglotDialect, changes: tuple[WriterChange, ...]) -> type[Generator]:
    base = interpreted(dialect.generator_class)
    # Making a dialect takes the parts of JSON paths that it cannot say out of the table of its own class alone.
    known = dialect.generator_class.TRANSFORMS.keys() - set(_RESTRUCTURED)
    members: Members = {
        "TRANSFORMS": {k: v for k, v in base.TRANSFORMS.items() if k in known},
        "jsoncolumndef_sql": write_column(base),
    }
    for change in changes:
        change(base, members)
    return type(f"Guarded{base.__name__}", (base,), members)


@dataclass(frozen=True, slots=True)
class Grammar:
    """One dialect's reading, writing and folding of names."""

    facts: Dialect
    dialect: SqlglotDialect
    parser: type[Parser]
    generator: type[Generator]
    fold: Callable[[str], str]

    @property
    def name(self) -> str:
        """The dialect's name."""
        return self.facts.name

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
    facts = DIALECTS[name]
    dialect = SqlglotDialect.get_or_raise(name)
    fold = _FOLDS.get(dialect.normalization_strategy, str)
    parser = _parser_class(dialect, facts.parser_changes)
    return Grammar(facts, dialect, parser, _generator_class(dialect, facts.writer_changes), fold)


def quoted_identifier(name: str) -> exp.Identifier:
    """An identifier that means exactly `name`."""
    return exp.Identifier(this=name, quoted=True)
